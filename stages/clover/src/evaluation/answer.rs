//! A model's reply, searched for the code that was asked for.
//!
//! Only what was asked for is taken: of a whole file the body of the test, of a statement what fills its blank.
//! Everything else that runs is the original's, so that an answer cannot change what it is judged by.

use crate::cut::{Parsed, dedent};
use crate::prompt::Template;
use crate::syntax::{Assertion, Module, bare, nodes};
use crate::tasks::cloze::MASK;
use std::borrow::Cow;
use trefoil_stages::records::CloverQuestion;
use trefoil_syntax::Node;

/// The code of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What goes between `file_before` and `file_after`.
    pub code: String,
    /// Task I: what fills the blank; else empty.
    pub prediction: String,
}

/// Why a reply holds no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Nothing but white space.
    Empty,
    /// No Python of the form that was asked for.
    NoCode,
    /// The assertion was changed outside its blank.
    ChangedStatement,
}

impl NoAnswer {
    /// The word in grades.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NoCode => "no_code",
            Self::ChangedStatement => "changed_statement",
        }
    }
}

/// The answer in a reply.
pub fn capture(question: &CloverQuestion, reply: &str) -> Result<Answer, NoAnswer> {
    if reply.trim().is_empty() {
        return Err(NoAnswer::Empty);
    }
    let mut reason = NoAnswer::NoCode;
    for code in blocks(reply) {
        let found = match Template::from_word(&question.template) {
            Some(Template::Statement) => statement(question, &code),
            Some(Template::Full) => body_of_file(question, &code),
            _ => body_of_file(question, &code).or_else(|_| body(question, &code)),
        };
        match found {
            Ok(answer) => return Ok(answer),
            Err(NoAnswer::ChangedStatement) => reason = NoAnswer::ChangedStatement,
            Err(_) => {}
        }
    }
    Err(reason)
}

/// The code blocks of a reply, in order; without any, the reply itself.
fn blocks(reply: &str) -> Vec<Cow<'_, str>> {
    let mut blocks: Vec<Cow<'_, str>> = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for line in reply.lines() {
        let ticks = line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
        match &mut open {
            Some((fence, _)) if ticks >= *fence && line.trim().len() == ticks => {
                blocks.extend(open.take().map(|(_, text)| text.into()));
            }
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None if ticks >= 3 => open = Some((ticks, String::new())),
            None => {}
        }
    }
    // The reply was cut off, or the model forgot the end.
    blocks.extend(open.map(|(_, text)| text.into()));
    if blocks.is_empty() { vec![reply.into()] } else { blocks }
}

/// The first assertion that is the question with its blank filled; a lone expression is what fills it (both ways to
/// answer of section 4, "Prompt Template").
fn statement(question: &CloverQuestion, code: &str) -> Result<Answer, NoAnswer> {
    let asked = Asked::new(&question.question).ok_or(NoAnswer::NoCode)?;
    let text = dedent(code.trim_matches('\n'));
    let text = text.trim();
    let module = Module::parse(text).ok_or(NoAnswer::NoCode)?;
    let assertions = module.assertions(module.root());
    if let Some(prediction) = assertions.iter().find_map(|assertion| asked.filled_by(&module, assertion)) {
        return Ok(asked.answer(prediction));
    }
    if !assertions.is_empty() {
        return Err(NoAnswer::ChangedStatement);
    }
    let filled = asked.with(text);
    let whole = Module::parse(&filled).filter(|whole| !whole.has_error()).ok_or(NoAnswer::NoCode)?;
    let statements = whole.root().named_children().filter(|node| !node.is_extra()).count();
    let assertions = whole.assertions(whole.root());
    let prediction =
        assertions.first().filter(|_| statements == 1).and_then(|it| asked.filled_by(&whole, it));
    prediction.map(|prediction| asked.answer(prediction)).ok_or(NoAnswer::NoCode)
}

/// A question with the place of its blank in the tree. Parentheses that mean nothing are passed by.
struct Asked<'q> {
    text: &'q str,
    /// Leaves of the condition before and after the blank and the parentheses around it.
    rest: [Vec<String>; 2],
    /// Kind of each node on the way from the condition to the blank, with the position of the next among its children.
    way: Vec<(u16, usize)>,
    /// The blank stands in parentheses, which the answer need not repeat.
    is_in_parentheses: bool,
}

impl<'q> Asked<'q> {
    fn new(text: &'q str) -> Option<Self> {
        let module = Module::parse(text)?;
        let assertions = module.assertions(module.root());
        let condition = bare(assertions.first()?.condition);
        let (mut way, mut node) = (Vec::new(), condition);
        while !is_mask(&module, bare(node)) {
            let parent = bare(node);
            let children = children(parent);
            let index = children.iter().position(|child| nodes(*child).any(|node| is_mask(&module, node)))?;
            way.push((parent.kind_id(), index));
            node = *children.get(index)?;
        }
        let is_in_parentheses = bare(node) != node;
        Some(Self { text, rest: rest(&module, condition, node), way, is_in_parentheses })
    }

    fn with(&self, prediction: &str) -> String {
        self.text.replacen(MASK, prediction, 1)
    }

    fn answer(&self, prediction: &str) -> Answer {
        Answer { code: self.with(prediction), prediction: prediction.to_owned() }
    }

    /// What fills the blank in `assertion`, if everything else of it is as asked.
    fn filled_by<'m>(&self, module: &Module<'m>, assertion: &Assertion<'_>) -> Option<&'m str> {
        if assertion.statement.has_error() {
            return None;
        }
        let condition = bare(assertion.condition);
        let mut node = condition;
        for (kind, index) in &self.way {
            let parent = bare(node);
            if parent.kind_id() != *kind {
                return None;
            }
            node = children(parent).into_iter().nth(*index)?;
        }
        let filling = if self.is_in_parentheses { bare(node) } else { node };
        let is_as_asked = rest(module, condition, node) == self.rest && !filling.byte_range().is_empty();
        is_as_asked.then(|| module.text(filling))
    }
}

fn is_mask(module: &Module<'_>, node: Node) -> bool {
    node.kind() == "identifier" && module.text(node) == MASK
}

/// Leaves of a condition before and after a node of it.
fn rest(module: &Module<'_>, condition: Node, node: Node) -> [Vec<String>; 2] {
    let leaves = module.placed_leaves(condition);
    let range = node.byte_range();
    let of = |wanted: &dyn Fn(usize) -> bool| {
        leaves.iter().filter(|(start, _)| wanted(*start)).map(|(_, leaf)| leaf.clone().into_owned()).collect()
    };
    [of(&|start| start < range.start), of(&|start| start >= range.end)]
}

fn children(node: Node) -> Vec<Node> {
    node.children().filter(|child| !child.is_extra()).collect()
}

/// The body of the test in a file.
fn body_of_file(question: &CloverQuestion, code: &str) -> Result<Answer, NoAnswer> {
    let text = dedent(code.trim_matches('\n'));
    let names: Vec<&str> = question.classes.iter().chain([&question.function]).map(String::as_str).collect();
    let parsed = Parsed::of(&text, names)
        .or_else(|_| Parsed::of(&text, vec![&question.function]))
        .map_err(|_| NoAnswer::NoCode)?;
    let function = parsed.function().ok_or(NoAnswer::NoCode)?;
    placed(question, &parsed.cut_body(&function).code)
}

/// The text as a body.
fn body(question: &CloverQuestion, code: &str) -> Result<Answer, NoAnswer> {
    placed(question, code)
}

/// The body with the indentation of its place, if it stays inside the test.
fn placed(question: &CloverQuestion, body: &str) -> Result<Answer, NoAnswer> {
    let wanted = indentation(&question.original);
    let body = body.trim_end().trim_start_matches('\n');
    let as_it_is = indentation(body) == wanted && smallest_indentation(body) == wanted.len();
    let code = if as_it_is { body.to_owned() } else { indented(&dedent(body), wanted) };
    let file = [&question.file_before, code.as_str(), &question.file_after].concat();
    let names: Vec<&str> = question.classes.iter().chain([&question.function]).map(String::as_str).collect();
    let parsed = Parsed::of(&file, names).map_err(|_| NoAnswer::NoCode)?;
    let function = parsed.function().ok_or(NoAnswer::NoCode)?;
    // An answer that ends the function, to define other things, ends it elsewhere.
    let end = question.file_before.len() + code.len();
    let is_inside =
        function.body.end_byte() <= end && ends_with_comments(&file, function.body.end_byte(), end);
    let holds_code = children(function.body).iter().any(|child| child.is_named());
    let is_sound = !function.node.has_error() && holds_code;
    if is_inside && is_sound { Ok(Answer { code, prediction: String::new() }) } else { Err(NoAnswer::NoCode) }
}

/// Whether nothing but comments stands between the two places.
fn ends_with_comments(file: &str, from: usize, to: usize) -> bool {
    let rest = file.get(from..to).unwrap_or_default();
    rest.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}

/// White space before the first line that holds anything.
fn indentation(text: &str) -> &str {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}

fn smallest_indentation(text: &str) -> usize {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.len() - line.trim_start().len()).min().unwrap_or_default()
}

fn indented(text: &str, space: &str) -> String {
    let line = |line: &str| if line.trim().is_empty() { String::new() } else { format!("{space}{line}") };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
