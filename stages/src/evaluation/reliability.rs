//! How often an answer is right that a mode is so sure of.

use super::rows::VoteAnswer;
use super::truth::{LabelledTest, Truth};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt::Write;

/// Borders of the bins, but for 0 and 1.
const BORDERS: [f64; 7] = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// The likeliest candidates of the labelled tests by their confidence, whether or not the mode answered with
/// them. Tests that are labelled to have no focal method are among them: nothing is right there.
#[derive(Debug, Default, Serialize)]
pub struct Reliability {
    /// From the least confidence to the most; those of all languages.
    pub bins: Vec<Bin>,
}

/// The candidates within a range of confidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// Least confidence.
    pub from: f64,
    /// Bound above, which belongs to the next.
    pub to: f64,
    /// Candidates.
    pub tests: u64,
    /// Sum of their confidence.
    pub confidence: f64,
    /// Those that are labelled focal methods.
    pub right_declaration: u64,
    /// Those that have a labelled one among their overloads.
    pub right_function: u64,
}

impl Reliability {
    /// Of the votes of a run, in the order of its tables.
    pub fn new(truth: &Truth, votes: &[VoteAnswer]) -> Self {
        let ends = BORDERS.iter().copied().chain([1.0]);
        let starts = std::iter::once(0.0).chain(BORDERS);
        let bins = starts.zip(ends).map(|(from, to)| Bin { from, to, ..Bin::default() });
        let mut reliability = Self { bins: bins.collect() };
        let mut seen: HashSet<(&str, &str)> = HashSet::new();
        for vote in votes {
            // The likeliest comes first.
            let (Some(test), Some(confidence)) = (truth.tests.get(&vote.test_id), vote.confidence) else {
                continue;
            };
            if seen.insert((&vote.mode, &vote.test_id)) {
                reliability.add(test, vote, confidence);
            }
        }
        reliability
    }

    fn add(&mut self, test: &LabelledTest, vote: &VoteAnswer, confidence: f64) {
        let at = BORDERS.iter().take_while(|border| confidence >= **border).count();
        let Some(bin) = self.bins.get_mut(at) else { return };
        bin.tests += 1;
        bin.confidence += confidence;
        bin.right_declaration += u64::from(test.is_declaration(&vote.focal_id));
        bin.right_function += u64::from(test.is_function(&vote.focal_path, &vote.focal_name));
    }

    /// A table for people; nothing where no mode says how sure it is.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.bins.iter().all(|bin| bin.tests == 0) {
            return text;
        }
        let _ = writeln!(
            text,
            "\nreliability of the likeliest candidates, all languages\n{:<14}{:>6}{:>12}{:>15}{:>15}",
            "confidence", "tests", "on average", "declaration", "any overload"
        );
        for bin in self.bins.iter().filter(|bin| bin.tests > 0) {
            let share = |part: f64| part / bin.tests as f64;
            let _ = writeln!(
                text,
                "{:.2} to {:.2}  {:>6}{:>12.2}{:>15.2}{:>15.2}",
                bin.from,
                bin.to,
                bin.tests,
                share(bin.confidence),
                share(bin.right_declaration as f64),
                share(bin.right_function as f64)
            );
        }
        text
    }
}
