//! The mode `combined`: everything that is known of a test, weighed together.
//!
//! Candidates are what a test calls of the repository's own code ([`candidates`]); each kind of evidence is a
//! number ([`evidence`]), and a weighted sum of them a probability ([`score`]). A test has one focal method,
//! or several where more than one is likely, or none where no candidate is likely enough.

mod candidates;
mod evidence;
mod habits;
mod layout;
mod rarity;
mod score;
mod subject;

use super::hash::HashMap;
use super::index::File;
use super::resolution::{Key, Resolution, Target};
use super::tables::Declaration;
use super::verdict::{Ballot, Earlier, MATCHED, Matcher, Mode, Prepare, Verdict};
use crate::records::identity;
use candidates::{Candidate, Gathered, Gathering, Known, Way};
use habits::Habits;
use layout::Standing;
use rarity::Rarity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;
use subject::{Outer, Subject, is_test_code, plain};

pub(super) static MODE: Mode = Mode {
    name: "combined",
    language: None,
    prepare: Prepare::Calls(|resolution| Box::new(Combined::new(resolution))),
};

/// Settings of the mode.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// A test whose likeliest candidate is less likely than this is left unmatched.
    pub minimum_confidence: f64,
    /// How many candidates of a test are written down among the votes, the likeliest first; at least one.
    pub candidates: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { minimum_confidence: 0.5, candidates: 5 }
    }
}

/// A further candidate is focal too if it is at least this likely, and at least this likely beside the first:
/// that gives the best F1 over the links of the labelled tests, not counting those that found the weights.
const FURTHER: (f64, f64) = (0.5, 0.75);

/// A test with its candidates.
struct Case<'a> {
    test: &'a Declaration,
    subject: Subject<'a>,
    gathered: Gathered<'a>,
    standings: Vec<Standing>,
}

struct Combined<'a> {
    /// The tests of each file, by its path.
    cases: BTreeMap<&'a str, Vec<Case<'a>>>,
    habits: Habits,
    known: Known<'a>,
    rarity: Rarity,
}

impl<'a> Combined<'a> {
    fn new(resolution: &'a Resolution<'a>) -> Self {
        let (index, language) = (resolution.index, resolution.language);
        let mut types: HashMap<String, Vec<&str>> = HashMap::default();
        for file in index.of_language(language.name).filter(|file| !is_test_code(file)) {
            for declaration in file.declarations.iter().filter(|it| super::resolution::is_type(it)) {
                let names = types.entry(plain(&declaration.name)).or_default();
                if !names.contains(&declaration.name.as_str()) {
                    names.push(&declaration.name);
                }
            }
        }
        let mut all = Self {
            cases: BTreeMap::new(),
            habits: Habits::default(),
            known: Known::default(),
            rarity: Rarity::default(),
        };
        for file in index.of_language(language.name) {
            let mut outers: HashMap<Option<u32>, Rc<Outer<'a>>> = HashMap::default();
            let cases: Vec<Case<'a>> = file
                .test_cases()
                .map(|test| {
                    let spellings = &all.known.spellings;
                    let outer = || Rc::new(Outer::new(resolution, spellings, &types, file, test));
                    let outer = outers.entry(test.parent).or_insert_with(outer).clone();
                    let subject = Subject::new(test, outer, spellings);
                    let gathered = Gathering::of(resolution, &subject, &all.known, file, test);
                    let standings = layout::standings(file, test, &gathered);
                    Case { test, subject, gathered, standings }
                })
                .collect();
            if cases.is_empty() {
                continue;
            }
            all.habits.add(&cases, &all.known.spellings);
            cases.iter().for_each(|case| all.rarity.add(&case.subject));
            all.cases.insert(&file.row.path, cases);
        }
        all
    }

    fn verdict(&self, of_file: &OfFile, case: &Case<'a>, settings: &Settings) -> Verdict<'a> {
        let minimum = settings.minimum_confidence;
        let Case { test, subject, gathered, standings } = case;
        let candidates = &gathered.candidates;
        let habits = candidates.iter().map(|it| self.habits.of(key(it), self.cases.len())).collect();
        let votes = candidates.iter().map(|it| of_file.share(test, it)).collect();
        let evidence = evidence::of(&evidence::Test {
            subject,
            gathered,
            standings,
            habits,
            votes,
            spellings: &self.known.spellings,
            rarity: &self.rarity,
        });
        let mut ranked: Vec<_> = gathered
            .candidates
            .iter()
            .zip(evidence)
            .map(|(candidate, evidence)| (score::probability(&evidence), candidate, evidence))
            .collect();
        // Stable: of equally likely ones the first in the test.
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let likeliest = ranked.first().map_or(0.0, |(probability, ..)| *probability);
        let makes = ranked.first().is_some_and(|(_, candidate, _)| candidate.constructs());
        let mut ballots = Vec::new();
        // A call means one method, also where reading does not tell which of several.
        let mut meant: Vec<(u32, u32)> = Vec::new();
        for (rank, (probability, candidate, evidence)) in
            ranked.iter().take(settings.candidates.max(1)).enumerate()
        {
            let (further, beside) = FURTHER;
            let is_further = *probability >= further.max(minimum)
                && *probability >= beside * likeliest
                // Beside a method, what makes its object sets up.
                && (makes || !candidate.constructs())
                && !candidate.is_within(&meant);
            let focal = likeliest >= minimum && (rank == 0 || is_further);
            if focal {
                meant.extend(candidate.uses.iter().map(|made| (made.start, made.end)));
            }
            let detail = format!("{probability:.3}: {}", score::words(evidence));
            let rule = score::main(evidence);
            let answer = if focal { MATCHED } else { "less_likely" };
            let further = candidate.further.iter().filter(|_| focal);
            for target in std::iter::once(&candidate.target).chain(further) {
                let ballot = Ballot::callable(rule, target.file, target.declaration, detail.clone());
                ballots.push(Ballot { answer, confidence: Some(rounded(*probability)), ..ballot });
            }
        }
        if likeliest < minimum {
            ballots.push(abstention(gathered, likeliest, minimum));
        }
        Verdict { test, ballots }
    }
}

/// What is asked of a file for each of its tests.
struct OfFile {
    /// What the other modes name, by the ordinal of the test.
    votes: HashMap<u32, Vec<Key>>,
}

impl OfFile {
    /// The share of the other modes that name a candidate; three are as good as all.
    fn share(&self, test: &Declaration, candidate: &Candidate<'_>) -> f64 {
        let votes = self.votes.get(&test.ordinal).map_or(&[][..], Vec::as_slice);
        let own = votes.iter().filter(|vote| **vote == key(candidate)).count();
        (own as f64 / 3.0).min(1.0)
    }
}

impl<'a> Matcher<'a> for Combined<'a> {
    fn judge(&self, _: &'a File<'a>) -> Vec<Verdict<'a>> {
        Vec::new() // It is asked after the others only.
    }

    fn judge_after(&self, file: &'a File<'a>, earlier: &Earlier<'_, 'a>) -> Vec<Verdict<'a>> {
        let Some(cases) = self.cases.get(file.row.path.as_str()) else { return Vec::new() };
        let mut votes: HashMap<u32, Vec<Key>> = HashMap::default();
        for (_, verdict) in earlier.verdicts {
            let mut matched = verdict.ballots.iter().filter(|ballot| ballot.answer == MATCHED);
            if let Some((file, declaration)) = matched.find_map(|it| it.focal_file.zip(it.focal)) {
                let key = candidates::place_of(&Target { file, declaration });
                votes.entry(verdict.test.ordinal).or_default().push(key);
            }
        }
        let of_file = OfFile { votes };
        let settings = &earlier.settings.combined;
        cases.iter().map(|case| self.verdict(&of_file, case, settings)).collect()
    }
}

/// What stands for a function with its overloads.
fn key(candidate: &Candidate<'_>) -> Key {
    candidates::place_of(&candidate.target)
}

/// A digest of what was fitted, which decides what the mode answers.
pub(super) fn fitted() -> String {
    identity(&[&score::fitted(), &format!("{FURTHER:?}")])
}

fn abstention(gathered: &Gathered<'_>, likeliest: f64, minimum: f64) -> Ballot<'static> {
    let called = gathered.candidates.iter().any(|it| it.uses.iter().any(|made| made.way != Way::Reference));
    let answer = if called {
        "no_candidate_likely_enough"
    } else if gathered.unknown > 0 {
        "calls_not_resolved"
    } else if gathered.outside > 0 {
        "calls_leave_the_repository"
    } else {
        "no_calls"
    };
    Ballot::none(
        "combined",
        answer,
        format!("the likeliest candidate has {likeliest:.3}, {minimum:.3} are needed"),
    )
}

/// Digits beyond the third mean nothing.
fn rounded(probability: f64) -> f64 {
    (probability * 1_000.0).round() / 1_000.0
}
