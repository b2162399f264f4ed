//! From evidence to a probability.
//!
//! The weights are those of a logistic regression over the candidates of 448 tests whose focal methods people
//! have named: the sets of `data/labels`, TCTracer's for commons-lang among them, each language with the same
//! say, with a ridge of 2 (`scripts/fit_combined` finds them anew). What a sum means was then found on candidates
//! of repositories that had not been seen: each judged by the weights of the others, the likeliest candidates of
//! all tests were fitted to how often they are right (Platt). The ridge, and which evidence says anything that the
//! rest does not, were chosen by the likelihood over ten parts of the tests, each judged by the nine others.

use super::evidence::{Evidence, NAMES};

/// What no evidence at all says.
const BASE: f64 = -0.51;

/// Weights of the evidence, in the order of [`NAMES`].
const WEIGHTS: Evidence = [
    0.70,  // name_contained
    0.41,  // best_name
    0.48,  // outer_covered
    0.72,  // class_named
    0.55,  // file_named
    0.56,  // asserted
    0.54,  // asserted_later
    0.56,  // before_assertion
    -0.20, // last_call
    1.12,  // only_call
    0.29,  // share_of_calls
    -1.31, // constructor
    -0.50, // helper
    -0.51, // only_set_up
    -0.47, // reference
    -1.11, // unresolved
    -1.69, // widely_used
    0.25,  // observer
    0.99,  // votes
    0.55,  // name_told
    1.63,  // best_outer
    -0.20, // only_receiver
    1.27,  // closing
    -0.03, // usual_end
    -0.61, // usual_receiver
    0.58,  // usual_name
    -2.16, // wider_than_rarest
    -1.82, // told_behind
    -0.77, // named_behind
    -0.56, // class_behind
    -0.42, // test_support
    -0.91, // beside_command
];

/// Slope and offset of what a sum means.
const CALIBRATION: (f64, f64) = (0.79, 0.46);

/// All that was fitted, in words: what a run's fingerprint has to know.
pub(super) fn fitted() -> String {
    format!("{NAMES:?} {BASE} {WEIGHTS:?} {CALIBRATION:?}")
}

/// How likely it is that a candidate with this evidence is focal, if no other is likelier.
pub(super) fn probability(evidence: &Evidence) -> f64 {
    let sum: f64 = evidence.iter().zip(WEIGHTS).map(|(own, weight)| own * weight).sum();
    let (slope, offset) = CALIBRATION;
    1.0 / (1.0 + (-(slope * (BASE + sum) + offset)).exp())
}

/// The kind of evidence that says most for it.
pub(super) fn main(evidence: &Evidence) -> &'static str {
    let mut best = ("weak", 0.0);
    for (name, value) in NAMES.iter().zip(evidence.iter().zip(WEIGHTS).map(|(own, weight)| own * weight)) {
        if value > best.1 {
            best = (name, value);
        }
    }
    best.0
}

/// The evidence in words, for people.
pub(super) fn words(evidence: &Evidence) -> String {
    let there = NAMES.iter().zip(evidence).filter(|(_, value)| **value != 0.0);
    let words = there
        .map(|(name, value)| if *value == 1.0 { (*name).to_owned() } else { format!("{name} {value:.2}") });
    words.collect::<Vec<_>>().join(", ")
}
