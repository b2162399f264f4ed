//! From the cases of a repository to the rows of its examples, in two passes over its test modules: the first collects
//! every candidate, the second makes the prompts of those that were drawn. One module's coverage is in memory at a time.

use crate::calibration::{Calibration, Class};
use crate::case::{Snapshot, TestModule};
use crate::context::{Count, Snippets, fill};
use crate::cut::Unfit;
use crate::draw;
use crate::prompt::{Template, prompt};
use crate::settings::Settings;
use crate::syntax::Module;
use crate::tasks::target::Declarations;
use crate::tasks::{Example, Question, Task, blocks, cloze, target};
use std::collections::BTreeMap;
use trefoil_stages::records::{CloverQuestion, CloverRow, identity};

/// What became of everything that could have been an example, by task and reason.
pub type Tally = BTreeMap<(Task, &'static str), usize>;

/// Source files of a prompt with their classes.
type Files<'s> = Vec<(&'s str, Class)>;

/// The examples of one repository in the making.
pub struct Builder<'a> {
    snapshot: &'a Snapshot,
    settings: &'a Settings,
    snippets: Snippets<'a>,
    declarations: Declarations,
    candidates: BTreeMap<Task, Vec<Example>>,
    tally: Tally,
}

/// A test module's bytes: where the places of its tests come from.
#[derive(Clone, Debug, Default)]
pub struct Original {
    /// Git's id of the module.
    pub blob_id: String,
    /// Its text.
    pub text: String,
}

impl<'a> Builder<'a> {
    /// A builder without candidates.
    pub fn new(snapshot: &'a Snapshot, settings: &'a Settings, count: Count<'a>) -> Self {
        let snippets = Snippets::new(&snapshot.sources, count);
        let declarations = Declarations::new(snapshot);
        Self { snapshot, settings, snippets, declarations, candidates: BTreeMap::new(), tally: Tally::new() }
    }

    /// Collects the candidates of a module; every module once, in any order.
    pub fn add(&mut self, module: &TestModule) {
        let calibration = Calibration::new(module);
        for (number, case) in module.cases.iter().enumerate() {
            let (problems, unfit) = cloze::problems(self.snapshot, &module.path, number, case);
            problems.into_iter().for_each(|example| self.keep(Task::Cloze, Ok(example)));
            unfit.into_iter().for_each(|reason| self.keep(Task::Cloze, Err(reason)));
            let place = (module.path.as_str(), number, case);
            let found = target::problem(self.snapshot, &self.declarations, place, self.settings.seed);
            self.keep(Task::Target, found);
            self.keep(Task::Blocks, blocks::problem(self.snapshot, &calibration, module, number));
        }
    }

    fn keep(&mut self, task: Task, found: Result<Example, Unfit>) {
        match found.and_then(|example| self.fitting(example)) {
            Ok(example) => self.candidates.entry(task).or_default().push(example),
            Err(reason) => *self.tally.entry((task, reason.0)).or_default() += 1,
        }
    }

    /// The example, if its original is a possible answer and its required files are within the smallest budget.
    fn fitting(&self, example: Example) -> Result<Example, Unfit> {
        let settings = self.settings.of(example.question.task());
        let answer = match &example.question {
            Question::Cloze(cloze) => &cloze.with(&cloze.answer),
            _ => &example.cut.code,
        };
        if self.snippets.more_than(settings.answer_tokens, answer) {
            return Err(Unfit("answer_too_long"));
        }
        let room = settings.smallest().map(|budget| settings.room(budget));
        if room.is_some_and(|room| !self.is_within(&example, room)) {
            return Err(Unfit("prompt_too_long"));
        }
        Ok(example)
    }

    /// Whether the instruction and the required files are within `room` (sections 5 and 6: what is not is discarded).
    fn is_within(&self, example: &Example, room: u32) -> bool {
        let required = example.question.required();
        // The files alone are too long more often than not, and are counted already.
        let files: u32 = required.iter().map(|path| self.snippets.tokens(path)).sum();
        let template = templates(example.question.task()).iter().copied().max();
        let prompt = |template| prompt(example, template, &[], &self.snapshot.sources);
        files <= room
            && template.is_none_or(|template| !self.snippets.more_than(room - files, &prompt(template)))
    }

    /// The candidates of each task in the order of the draw: frequent references of Task I are out, longer ones come
    /// first more often. The caller takes from the front until it has [`crate::settings::TaskSettings::per_repository`]
    /// that stand the trial.
    pub fn draw(&mut self) -> BTreeMap<Task, Vec<Example>> {
        let mut candidates = std::mem::take(&mut self.candidates);
        if let Some(problems) = candidates.get_mut(&Task::Cloze) {
            let frequent = cloze::leave_out_frequent(problems);
            *self.tally.entry((Task::Cloze, "frequent")).or_default() += frequent;
        }
        for (task, examples) in &mut candidates {
            *self.tally.entry((*task, "available")).or_default() += examples.len();
            draw::order(examples, self.settings.seed, |example| (&example.id, example.weight));
        }
        candidates
    }

    /// How many were available (reason `available`), and how many were left out for which reason.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The rows of an example: one for each setting and template in which its required files fit.
    pub fn rows(
        &self,
        calibration: &Calibration<'_>,
        original: &Original,
        (example, verified): (&Example, bool),
    ) -> Vec<CloverRow> {
        let place = Place::of(example, original);
        let order = calibration.order(example.case, self.snapshot, self.settings.seed, &example.id);
        let task = example.question.task();
        let mut rows = Vec::new();
        for (setting, budget) in self.settings.of(task).settings() {
            for template in templates(task) {
                let Some((text, tokens, files)) = self.fitted(example, *template, budget, &order) else {
                    continue;
                };
                let mut row = self.row(example, original, &place);
                row.id = identity(&[&example.id, &setting, template.as_str()]);
                row.setting.clone_from(&setting);
                (row.budget, row.template, row.prompt) = (budget, template.as_str().to_owned(), text);
                (row.prompt_tokens, row.verified) = (tokens, verified);
                row.context_paths = files.iter().map(|(path, _)| (*path).to_owned()).collect();
                row.context_classes = files.iter().map(|(_, class)| class.as_str().to_owned()).collect();
                rows.push(row);
            }
        }
        rows
    }

    /// The prompt with as many files as the budget allows, its tokens, and the files.
    fn fitted<'s>(
        &self,
        example: &'s Example,
        template: Template,
        budget: Option<u32>,
        order: &[(&'s str, Class)],
    ) -> Option<(String, u32, Files<'s>)> {
        let sources = &self.snapshot.sources;
        let bare = prompt(example, template, &[], sources);
        let bare_tokens = self.snippets.count(&bare);
        let Some(budget) = budget else { return Some((bare, bare_tokens, Vec::new())) };
        let room = self.settings.of(example.question.task()).room(budget);
        let required = example.question.required();
        let mut files = fill(&required, order, room.checked_sub(bare_tokens)?, &self.snippets)?;
        // Pieces do not always add up to the tokens of the whole, and the heading comes on top.
        loop {
            let texts: Vec<String> = files.iter().map(|(path, _)| self.snippets.text(path)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let text = prompt(example, template, &texts, sources);
            let tokens = self.snippets.count(&text);
            if tokens <= room {
                return Some((text, tokens, files));
            }
            if files.len() <= required.len() {
                return None;
            }
            files.pop();
        }
    }

    /// What running and grading take of an example under a template.
    pub fn question(&self, example: &Example, template: Template) -> CloverQuestion {
        let mut row = self.row(example, &Original::default(), &Place::default());
        row.template = template.as_str().to_owned();
        CloverQuestion::from(row)
    }

    /// The columns that all settings share.
    fn row(&self, example: &Example, original: &Original, place: &Place) -> CloverRow {
        let task = example.question.task();
        let mut row = CloverRow {
            host: self.snapshot.host.as_str().into(),
            repository: self.snapshot.repository.as_str().into(),
            commit: self.snapshot.commit.as_str().into(),
            path: example.path.as_str().into(),
            blob_id: original.blob_id.as_str().into(),
            start_byte: place.bytes.0,
            end_byte: place.bytes.1,
            first_line: place.lines.0,
            last_line: place.lines.1,
            id: String::new(),
            example: example.id.clone(),
            task: task.as_str().to_owned(),
            setting: String::new(),
            budget: None,
            answer_tokens: self.settings.of(task).answer_tokens,
            template: String::new(),
            prompt: String::new(),
            prompt_tokens: 0,
            classes: example.classes.clone(),
            function: example.function.clone(),
            run_path: example.run_path.clone(),
            file_before: example.cut.before.clone(),
            original: example.cut.code.clone(),
            file_after: example.cut.after.clone(),
            question: String::new(),
            reference: String::new(),
            target_name: String::new(),
            target_kind: String::new(),
            target_path: String::new(),
            target_line: None,
            block_paths: Vec::new(),
            block_first_lines: Vec::new(),
            block_last_lines: Vec::new(),
            block_lines: Vec::new(),
            context_paths: Vec::new(),
            context_classes: Vec::new(),
            verified: false,
        };
        ask(&mut row, &example.question);
        row
    }
}

/// The columns of what is asked for.
fn ask(row: &mut CloverRow, question: &Question) {
    match question {
        Question::Cloze(cloze) => {
            row.question = cloze.question();
            row.reference.clone_from(&cloze.answer);
        }
        Question::Target(target) => {
            row.target_name.clone_from(&target.name);
            row.target_kind.clone_from(&target.kind);
            row.target_path.clone_from(&target.path);
            row.target_line = Some(target.line);
        }
        Question::Blocks(blocks) => {
            row.block_paths = blocks.iter().map(|block| block.path.clone()).collect();
            row.block_first_lines = blocks.iter().map(|block| block.first).collect();
            row.block_last_lines = blocks.iter().map(|block| block.last).collect();
            let lines =
                |block: &blocks::Block| block.lines.iter().copied().collect::<trefoil_execution::LineSet>();
            row.block_lines = blocks.iter().map(|block| lines(block).to_string()).collect();
        }
    }
}

/// The templates of a task.
pub fn templates(task: Task) -> &'static [Template] {
    match task {
        Task::Cloze => &[Template::Statement],
        Task::Target | Task::Blocks => &[Template::Part, Template::Full],
    }
}

/// Where a test stands in its module.
#[derive(Default)]
struct Place {
    bytes: (u32, u32),
    lines: (u32, u32),
}

impl Place {
    /// All zero where the module does not hold the test, which a sound environment never has.
    fn of(example: &Example, original: &Original) -> Self {
        let names: Vec<&str> =
            example.classes.iter().chain([&example.function]).map(String::as_str).collect();
        let Some(module) = Module::parse(&original.text) else { return Self::default() };
        let Some(range) = module.function(&names).map(|function| function.range()) else {
            return Self::default();
        };
        let line =
            |byte: usize| original.text.get(..byte).unwrap_or_default().matches('\n').count() as u32 + 1;
        Self { bytes: (range.start as u32, range.end as u32), lines: (line(range.start), line(range.end)) }
    }
}
