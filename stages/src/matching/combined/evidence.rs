//! What speaks for a candidate, as numbers from 0 to 1.

use super::super::resolution::{Target, is_type, makes_objects};
use super::candidates::{Candidate, Gathered, Way, class_name, telling_name};
use super::layout::Standing;
use super::rarity::Rarity;
use super::subject::{Spelling, Spellings, Subject, is_test_support, stem};
use memchr::memmem;

/// Kinds of evidence, in the order of [`Evidence`].
pub(super) const NAMES: [&str; 32] = [
    "name_contained",
    "best_name",
    "outer_covered",
    "class_named",
    "file_named",
    "asserted",
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
    "observer",
    "votes",
    "name_told",
    "best_outer",
    "only_receiver",
    "closing",
    "usual_end",
    "usual_receiver",
    "usual_name",
    "wider_than_rarest",
    "told_behind",
    "named_behind",
    "class_behind",
    "test_support",
    "beside_command",
];

/// The evidence for one candidate, in the order of [`NAMES`].
pub(super) type Evidence = [f64; NAMES.len()];

/// What evidence is taken from.
pub(super) struct Test<'t, 'a> {
    pub(super) subject: &'t Subject<'a>,
    pub(super) gathered: &'t Gathered<'a>,
    pub(super) spellings: &'t Spellings<'a>,
    pub(super) rarity: &'t Rarity,
    /// For each candidate: how it stands in the test.
    pub(super) standings: &'t [Standing],
    /// For each candidate: what the other tests of the repository do with it.
    pub(super) habits: Vec<Habit>,
    /// For each candidate: the share of the other modes that name it.
    pub(super) votes: Vec<f64>,
}

/// What is usual in the tests of a repository that use a function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habit {
    /// Share of the repository's test files whose tests use it.
    pub(super) widely_used: f64,
    /// Share of these tests that lead up to it.
    pub(super) end: f64,
    /// Share that only make further calls on its value.
    pub(super) receiver: f64,
    /// Share that are named after it.
    pub(super) name: f64,
}

/// The evidence for each candidate of a test.
pub(super) fn of(test: &Test<'_, '_>) -> Vec<Evidence> {
    let candidates = &test.gathered.candidates;
    let shared: Vec<usize> = candidates.iter().map(|it| shared_words(test, it)).collect();
    let most = shared.iter().copied().max().unwrap_or_default();
    let with_most = shared.iter().filter(|own| **own == most).count();
    let outer: Vec<f64> = candidates.iter().map(|it| told_by_outer(test, it)).collect();
    let most_outer = outer.iter().copied().fold(0.0, f64::max);
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
        let Some(standing) = test.standings.get(at) else { continue };
        let habit = test.habits.get(at).copied().unwrap_or_default();
        let votes = test.votes.get(at).copied().unwrap_or_default();
        let own_outer = outer.get(at).copied().unwrap_or_default();
        let best_outer = flag(own_outer > 0.0 && own_outer >= most_outer);
        all.push(one(test, standing, candidate, [best_name, best_outer, votes], habit));
    }
    compare(&mut all);
    all
}

/// Holds each candidate against the rarest and against the best of the same test: evidence, what says it by
/// itself, and whether less of that is better.
const COMPARED: [(&str, &str, bool); 4] = [
    ("wider_than_rarest", "widely_used", true),
    ("told_behind", "name_told", false),
    ("named_behind", "usual_name", false),
    ("class_behind", "class_named", false),
];

fn compare(all: &mut [Evidence]) {
    let place = |name: &str| NAMES.iter().position(|own| *own == name);
    for (own, of, less_is_better) in COMPARED {
        let Some((own, of)) = place(own).zip(place(of)) else { continue };
        let values = all.iter().filter_map(|evidence| evidence.get(of).copied());
        let best = if less_is_better { values.fold(1.0, f64::min) } else { values.fold(0.0, f64::max) };
        for evidence in all.iter_mut() {
            let value = evidence.get(of).map_or(0.0, |value| (value - best).abs());
            evidence.iter_mut().skip(own).take(1).for_each(|place| *place = value);
        }
    }
}

fn one<'a>(
    test: &Test<'_, 'a>,
    standing: &Standing,
    candidate: &Candidate<'a>,
    [best_name, best_outer, votes]: [f64; 3],
    habit: Habit,
) -> Evidence {
    let subject = test.subject;
    let target = &candidate.target;
    let spelling = test.spellings.of(telling_name(target.declaration));
    let Spelling { words: own_words, plain: name } = &*spelling;
    let shared = own_words.shared(&subject.words);
    let bare_test = subject.name.strip_prefix("test").unwrap_or(&subject.name);
    let class = target.file.parent(target.declaration);
    let class_name = if is_type(target.declaration) {
        Some(target.declaration.name.as_str())
    } else {
        class_name(target.declaration)
    };
    let of_lineage = class.is_some_and(|class| {
        subject.outer.types.contains(&Target { file: target.file, declaration: class }.key())
    }) || subject.outer.types.contains(&target.key());
    let class_named = class_name
        .map_or(0.0, |name| subject.outer.named_after(&test.spellings.of(name)))
        .max(f64::from(of_lineage));
    let uses = &candidate.uses;
    let only = |way: Way| flag(!uses.is_empty() && uses.iter().all(|made| made.way == way));
    let constructor = candidate.constructs();
    let others = test.gathered.candidates.iter().filter(|it| !std::ptr::eq(*it, candidate));
    let rivals = others.filter(|it| it.is_called() && !it.constructs()).count();
    let kept = test.standings.iter().filter(|other| other.kept).count();
    let commands =
        test.standings.iter().filter(|other| other.command && !std::ptr::eq(*other, standing)).count();
    let beside_command = commands > 0 && standing.inside && !standing.statement;
    let all_uses: usize = test.gathered.candidates.iter().map(|it| it.uses.len()).sum();
    [
        flag(name.len() > 2 && memmem::find(bare_test.as_bytes(), name.as_bytes()).is_some()),
        best_name * share(shared, own_words.len()),
        flag(!constructor && !own_words.is_empty() && own_words.is_within(&subject.outer.words)),
        class_named,
        // The file stands for the class where a function has none.
        if class_name.is_none() {
            subject.outer.named_after(&test.spellings.of(stem(&target.file.row.path)))
        } else {
            0.0
        },
        flag(standing.asserted),
        flag(standing.asserted_later),
        flag(standing.before_assertion),
        flag(standing.last_call),
        flag((rivals == 0 && candidate.is_called() && !constructor) || (kept == 1 && standing.kept)),
        share(uses.len(), all_uses),
        flag(constructor),
        only(Way::Helper),
        only(Way::SetUp) * flag(rivals == 0 && !constructor),
        only(Way::Reference),
        flag(uses.iter().all(|made| !made.resolved)),
        habit.widely_used,
        flag(
            standing.inside
                && !standing.statement
                && rivals > 0
                && uses.iter().all(|made| made.arguments == 0),
        ),
        votes,
        test.rarity.told_by_test(subject, own_words),
        best_outer * share(own_words.shared(&subject.outer.words), own_words.len()),
        flag(standing.only_receiver),
        flag(standing.closing),
        habit.end,
        habit.receiver,
        habit.name,
        // What the best of all says in comparison is known when all are.
        0.0,
        0.0,
        0.0,
        0.0,
        flag(is_test_support(target.file) && class_named < 1.0),
        flag(beside_command),
    ]
}

fn flag(is: bool) -> f64 {
    f64::from(is)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn shared_words<'a>(test: &Test<'_, 'a>, candidate: &Candidate<'a>) -> usize {
    test.spellings.of(telling_name(candidate.target.declaration)).words.shared(&test.subject.words)
}

fn told_by_outer<'a>(test: &Test<'_, 'a>, candidate: &Candidate<'a>) -> f64 {
    // A constructor has the name of its class, which says nothing more.
    if candidate.constructs() {
        return 0.0;
    }
    let spelling = test.spellings.of(telling_name(candidate.target.declaration));
    test.rarity.told_by_outer(test.subject, &spelling.words)
}

impl Candidate<'_> {
    /// Whether the test calls it, itself or through a helper.
    pub(super) fn is_called(&self) -> bool {
        self.uses.iter().any(|made| matches!(made.way, Way::Body | Way::Helper))
    }

    /// Whether it makes an object.
    pub(super) fn constructs(&self) -> bool {
        let declaration = self.target.declaration;
        makes_objects(declaration) || is_type(declaration)
    }
}
