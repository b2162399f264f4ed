//! What speaks for a candidate, as numbers from 0 to 1.

use super::super::index::File;
use super::super::resolution::Target;
use super::super::tables::Declaration;
use super::candidates::{Candidate, Gathered, Use, Way, class_name};
use super::subject::{Spelling, Spellings, Subject, stem};

/// Kinds of evidence, in the order of [`Evidence`].
pub(super) const NAMES: [&str; 22] = [
    "name_contained",
    "name_share",
    "best_name",
    "outer_covered",
    "class_named",
    "file_named",
    "asserted",
    "asserted_inside",
    "asserted_later",
    "before_assertion",
    "last_call",
    "only_call",
    "share_of_calls",
    "constructor",
    "helper",
    "only_set_up",
    "reference",
    "unresolved",
    "widely_used",
    "used_in_file",
    "observer",
    "votes",
];

/// The evidence for one candidate, in the order of [`NAMES`].
pub(super) type Evidence = [f64; NAMES.len()];

/// What evidence is taken from.
pub(super) struct Test<'t, 'a> {
    pub(super) file: &'a File<'a>,
    pub(super) declaration: &'a Declaration,
    pub(super) subject: &'t Subject,
    pub(super) gathered: &'t Gathered<'a>,
    pub(super) spellings: &'t Spellings<'a>,
    /// For each candidate: the share of the repository's test files whose tests use it, of the tests in this
    /// file, and of the other modes that name it.
    pub(super) shares: Vec<[f64; 3]>,
}

/// The evidence for each candidate of a test.
pub(super) fn of(test: &Test<'_, '_>) -> Vec<Evidence> {
    let layout = Layout::new(test);
    let candidates = &test.gathered.candidates;
    let shared: Vec<usize> = candidates.iter().map(|it| shared_words(test, it)).collect();
    let most = shared.iter().copied().max().unwrap_or_default();
    let with_most = shared.iter().filter(|own| **own == most).count();
    let mut all = Vec::with_capacity(candidates.len());
    for (at, candidate) in candidates.iter().enumerate() {
        let best = most > 0 && shared.get(at) == Some(&most);
        let best_name = if !best {
            0.0
        } else if with_most == 1 {
            1.0
        } else {
            0.5
        };
        let shares = test.shares.get(at).copied().unwrap_or_default();
        all.push(one(test, &layout, candidate, best_name, shares));
    }
    all
}

fn one<'a>(
    test: &Test<'_, 'a>,
    layout: &Layout,
    candidate: &Candidate<'a>,
    best_name: f64,
    [widely_used, used_in_file, votes]: [f64; 3],
) -> Evidence {
    let subject = test.subject;
    let target = &candidate.target;
    let spelling = test.spellings.of(&target.declaration.name);
    let Spelling { words: own_words, plain: name } = &*spelling;
    let shared = own_words.shared(&subject.words);
    let bare_test = subject.name.strip_prefix("test").unwrap_or(&subject.name);
    let class = target.file.parent(target.declaration);
    let is_type = super::super::resolution::is_type(target.declaration);
    let class_name =
        if is_type { Some(target.declaration.name.as_str()) } else { class_name(target.declaration) };
    let of_lineage = class.is_some_and(|class| {
        subject.outer.types.contains(&Target { file: target.file, declaration: class }.key())
    }) || subject.outer.types.contains(&target.key());
    let class_named = class_name
        .map_or(0.0, |name| subject.outer.named_after(&test.spellings.of(name)))
        .max(f64::from(of_lineage));
    let uses = &candidate.uses;
    let only = |way: Way| flag(!uses.is_empty() && uses.iter().all(|made| made.way == way));
    let constructor = is_type || target.declaration.kind == "constructor";
    let others = test.gathered.candidates.iter().filter(|it| !std::ptr::eq(*it, candidate));
    let rivals = others.filter(|it| it.is_called() && !it.constructs()).count();
    let asserted = uses.iter().any(|made| layout.is_asserted_value(made));
    let inside = uses.iter().any(|made| made.in_assertion);
    let body = uses.iter().filter(|made| made.way == Way::Body);
    let statement = body.clone().any(|made| !made.in_assertion && !layout.is_bound(made));
    [
        flag(name.len() > 2 && bare_test.contains(name.as_str())),
        share(shared, subject.words.len()),
        best_name * share(shared, own_words.len()),
        flag(!own_words.is_empty() && own_words.is_within(&subject.outer.words)),
        class_named,
        // The file stands for the class where a function has none.
        if class_name.is_none() {
            subject.outer.named_after(&test.spellings.of(stem(&target.file.row.path)))
        } else {
            0.0
        },
        flag(asserted),
        flag(inside && !asserted),
        flag(uses.iter().any(|made| layout.is_asserted_later(made))),
        flag(
            uses.iter()
                .any(|made| layout.before_assertion == Some((made.start, made.end)) && made.way == Way::Body),
        ),
        flag(uses.iter().any(|made| layout.last == Some((made.start, made.end)) && made.way == Way::Body)),
        flag(rivals == 0 && candidate.is_called() && !constructor),
        share(uses.len(), layout.uses),
        flag(constructor),
        only(Way::Helper),
        only(Way::SetUp) * flag(rivals == 0 && !constructor),
        only(Way::Reference),
        flag(uses.iter().all(|made| !made.resolved)),
        widely_used,
        used_in_file,
        flag(inside && !statement && rivals > 0 && uses.iter().all(|made| made.arguments == 0)),
        votes,
    ]
}

fn flag(is: bool) -> f64 {
    f64::from(is)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn shared_words<'a>(test: &Test<'_, 'a>, candidate: &Candidate<'a>) -> usize {
    test.spellings.of(&candidate.target.declaration.name).words.shared(&test.subject.words)
}

impl Candidate<'_> {
    /// Whether the test calls it, itself or through a helper.
    pub(super) fn is_called(&self) -> bool {
        self.uses.iter().any(|made| matches!(made.way, Way::Body | Way::Helper))
    }

    /// Whether it makes an object.
    pub(super) fn constructs(&self) -> bool {
        let declaration = self.target.declaration;
        declaration.kind == "constructor" || super::super::resolution::is_type(declaration)
    }
}

/// Where the calls and assertions of a test lie.
struct Layout {
    /// Values of local variables: start, end and whether an assertion names the variable.
    bound: Vec<(u32, u32, bool)>,
    /// All uses in the body.
    spans: Vec<(u32, u32, bool)>,
    /// The last call of the repository's own before the first assertion, or in it.
    before_assertion: Option<(u32, u32)>,
    last: Option<(u32, u32)>,
    uses: usize,
}

impl Layout {
    fn new(test: &Test<'_, '_>) -> Self {
        let case = test.file.test_case(test.declaration);
        let asserted: Vec<&str> = case.map_or_else(Vec::new, |case| {
            let spans = case.assertion_starts.iter().zip(&case.assertion_ends);
            spans.filter_map(|(start, end)| test.file.text.get(*start as usize..*end as usize)).collect()
        });
        let first_end = case.and_then(|case| case.assertion_ends.first().copied()).unwrap_or(u32::MAX);
        let row = test.file.row;
        let mut bound = Vec::new();
        for (at, (start, end)) in row.binding_value_starts.iter().zip(&row.binding_value_ends).enumerate() {
            if *start < test.declaration.start_byte || *end > test.declaration.end_byte || start == end {
                continue;
            }
            let name = row.binding_names.get(at).map_or("", String::as_str);
            bound.push((*start, *end, asserted.iter().any(|text| names(text, name))));
        }
        let candidates = test.gathered.candidates.as_slice();
        let called = candidates.iter().filter(|it| !it.constructs());
        let body = called.flat_map(|it| &it.uses).filter(|made| made.way == Way::Body);
        let by_end = |made: &&Use| (made.end, std::cmp::Reverse(made.start));
        let span = |made: &Use| (made.start, made.end);
        let all = candidates.iter().flat_map(|it| &it.uses);
        Self {
            bound,
            spans: all
                .clone()
                .filter(|made| matches!(made.way, Way::Body))
                .map(|made| (made.start, made.end, made.in_assertion))
                .collect(),
            before_assertion: body.clone().filter(|made| made.end <= first_end).max_by_key(by_end).map(span),
            last: body.max_by_key(by_end).map(span),
            uses: all.count(),
        }
    }

    /// Whether the call stands in an assertion and in no other call of the repository's own there.
    fn is_asserted_value(&self, made: &Use) -> bool {
        made.in_assertion
            && made.way != Way::SetUp
            && !self.spans.iter().any(|(start, end, asserted)| {
                *asserted
                    && *start <= made.start
                    && made.end <= *end
                    && (*start, *end) != (made.start, made.end)
            })
    }

    /// Whether the value of a variable is this call, or holds it.
    fn is_bound(&self, made: &Use) -> bool {
        self.bound.iter().any(|(start, end, _)| *start <= made.start && made.end <= *end)
    }

    /// Whether an assertion names a variable whose value is this call.
    fn is_asserted_later(&self, made: &Use) -> bool {
        self.bound.iter().any(|(start, end, asserted)| *asserted && (*start, *end) == (made.start, made.end))
    }
}

/// Whether a text holds a name as a word.
fn names(text: &str, name: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
            !is_part(before) && !is_part(after)
        })
}
