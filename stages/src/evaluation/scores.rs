//! Answers of the modes held against labels.

use super::reliability::Reliability;
use super::rows::{PairAnswer, VoteAnswer};
use super::truth::{LabelledTest, Link, Truth};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// The scores of a run.
#[derive(Debug, Default, Serialize)]
pub struct Scores {
    /// By language.
    pub languages: BTreeMap<String, LanguageScores>,
    /// How far the confidence of modes that have one is to be trusted.
    pub reliability: Reliability,
}

/// The scores of one language.
#[derive(Debug, Default, Serialize)]
pub struct LanguageScores {
    /// Labelled tests.
    pub labelled_tests: u64,
    /// Those of them that the run has.
    pub found: u64,
    /// Those that are labelled to have no focal method.
    pub labelled_none: u64,
    /// Those whose focal methods no declaration makes; no mode can name them, and all modes miss them.
    pub unreachable: u64,
    /// By mode, in the order of matching's list; the pairs of the run last.
    pub modes: Vec<ModeScore>,
}

/// How one mode did.
#[derive(Debug, Default, Serialize)]
pub struct ModeScore {
    /// Name.
    pub mode: String,
    /// Tests that it gave a focal method.
    pub answered: u64,
    /// Tests among these that are labelled to have none.
    pub answered_none: u64,
    /// Compared by declaration: another overload is wrong.
    pub by_declaration: LinkScore,
    /// Compared by simple names: overloads and methods of one name in other classes are right.
    pub by_name: LinkScore,
}

/// What was right.
#[derive(Debug, Default, Serialize)]
pub struct LinkScore {
    /// Tests whose first answer is a labelled focal method.
    pub correct: u64,
    /// `correct` among the tests that were answered.
    pub precision: f64,
    /// `correct` among the labelled tests that have a focal method.
    pub recall: f64,
    /// Links that the mode gave.
    pub links: u64,
    /// Links that are labelled.
    pub labelled_links: u64,
    /// Links that are both.
    pub links_right: u64,
    /// `links_right` among `links`.
    pub link_precision: f64,
    /// `links_right` among `labelled_links`.
    pub link_recall: f64,
    /// The harmonic mean of the two.
    pub link_f1: f64,
}

/// The name under which the pairs of the run are scored.
const PAIRS: &str = "pairs";
/// The answer of a vote that names a focal method.
const MATCHED: &str = "matched";

impl Scores {
    /// Compares the votes and pairs of a run, in the order of its tables, with the truth.
    pub fn new(truth: &Truth, votes: Vec<VoteAnswer>, pairs: impl IntoIterator<Item = PairAnswer>) -> Self {
        let reliability = Reliability::new(truth, &votes);
        let mut answers = Answers::default();
        for vote in votes {
            let given = answers.of(&vote.mode, vote.test_id);
            // Of a mode's rules the first that matches decides, unless it weighs several focal methods.
            if vote.answer == MATCHED && (given.is_empty() || vote.confidence.is_some()) {
                add(given, vote.focal_id, &vote.focal_name);
            }
        }
        for pair in pairs {
            add(answers.of(PAIRS, pair.test_id), pair.focal_id, &pair.focal_name);
        }
        let mut languages: BTreeMap<String, LanguageScores> = BTreeMap::new();
        for (language, (with, without)) in &truth.not_found {
            let scores = languages.entry(language.clone()).or_default();
            scores.labelled_tests += with + without;
            scores.labelled_none += without;
        }
        for test in truth.tests.values() {
            let scores = languages.entry(test.language.clone()).or_default();
            scores.labelled_tests += 1;
            scores.found += 1;
            scores.labelled_none += u64::from(test.links.is_empty());
            scores.unreachable += u64::from(test.is_unreachable());
        }
        for (language, scores) in &mut languages {
            let with_focal = scores.labelled_tests - scores.labelled_none;
            let modes = answers.0.iter().map(|((_, mode), given)| (mode, given));
            let scored =
                modes.filter_map(|(mode, given)| ModeScore::of(mode, language, with_focal, truth, given));
            scores.modes = scored.collect();
        }
        Self { languages, reliability }
    }

    /// A table for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (language, scores) in &self.languages {
            let LanguageScores { labelled_tests, found, labelled_none, unreachable, modes } = scores;
            let _ = writeln!(
                text,
                "\n{language}: {labelled_tests} labelled tests, {found} of them in the run, {labelled_none} \
                 without a focal method, {unreachable} whose focal methods no declaration makes\n{:<20}{:>17}  {:^37}  {:^37}",
                "", "answered", "by declaration", "by name, overloads alike"
            );
            let columns = "precision recall  links: P    R   F1";
            let _ = writeln!(text, "{:<20}{:>9}{:>8}  {columns}  {columns}", "mode", "tests", "of none");
            for mode in modes {
                let [exact, name] = [&mode.by_declaration, &mode.by_name].map(LinkScore::text);
                let ModeScore { mode, answered, answered_none, .. } = mode;
                let _ = writeln!(text, "{mode:<20}{answered:>9}{answered_none:>8}  {exact}  {name}");
            }
        }
        text + &self.reliability.text()
    }
}

/// What each mode gave each test: focal methods in the order of its votes, or none. By the mode's place in
/// matching's list and its name.
#[derive(Debug, Default)]
struct Answers(BTreeMap<(usize, String), HashMap<String, Vec<Link>>>);

impl Answers {
    fn of(&mut self, mode: &str, test: String) -> &mut Vec<Link> {
        let place = crate::matching::place_of(mode).unwrap_or(usize::MAX);
        self.0.entry((place, mode.to_owned())).or_default().entry(test).or_default()
    }
}

fn add(given: &mut Vec<Link>, focal: String, focal_name: &str) {
    let name = focal_name.rsplit('.').next().unwrap_or(focal_name).to_owned();
    let link = Link { id: Some(focal), name };
    // A file without a callable in it is no answer.
    if link.id.as_deref() != Some("") && !given.contains(&link) {
        given.push(link);
    }
}

impl ModeScore {
    /// None where the mode was asked about no labelled test of the language.
    fn of(
        mode: &str,
        language: &str,
        with_focal: u64,
        truth: &Truth,
        given: &HashMap<String, Vec<Link>>,
    ) -> Option<Self> {
        let mut score = Self { mode: mode.to_owned(), ..Self::default() };
        let tests = truth.tests.iter().filter(|(_, test)| test.language == language);
        let mut asked = false;
        for (id, test) in tests {
            let links = given.get(id).map_or(&[][..], Vec::as_slice);
            asked |= given.contains_key(id);
            score.answered += u64::from(!links.is_empty());
            score.answered_none += u64::from(!links.is_empty() && test.links.is_empty());
            score.by_declaration.add(links, test, |link| link.id.as_deref());
            score.by_name.add(links, test, |link| Some(&link.name));
        }
        for side in [&mut score.by_declaration, &mut score.by_name] {
            side.finish(score.answered, with_focal);
        }
        asked.then_some(score)
    }
}

impl LinkScore {
    /// Counts a test; links are the same where they have the same key.
    fn add<'a>(&mut self, given: &'a [Link], test: &'a LabelledTest, key: fn(&'a Link) -> Option<&'a str>) {
        let labelled: BTreeSet<&str> = test.links.iter().filter_map(key).collect();
        // A labelled declaration that the run does not have is still one to be found.
        let lost = test.links.iter().filter(|link| key(link).is_none()).count();
        let links: BTreeSet<&str> = given.iter().filter_map(key).collect();
        let first = given.first().and_then(key);
        self.correct += u64::from(first.is_some_and(|first| labelled.contains(first)));
        self.links += links.len() as u64;
        self.labelled_links += (labelled.len() + lost) as u64;
        self.links_right += links.intersection(&labelled).count() as u64;
    }

    fn finish(&mut self, answered: u64, with_focal: u64) {
        self.precision = share(self.correct, answered);
        self.recall = share(self.correct, with_focal);
        self.link_precision = share(self.links_right, self.links);
        self.link_recall = share(self.links_right, self.labelled_links);
        self.link_f1 = share(2 * self.links_right, self.links + self.labelled_links);
    }

    fn text(&self) -> String {
        let Self { precision, recall, link_precision, link_recall, link_f1, .. } = self;
        format!("{precision:>9.2} {recall:>6.2} {link_precision:>9.2} {link_recall:>4.2} {link_f1:>4.2}")
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
