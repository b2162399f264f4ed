//! From evidence to a probability.
//!
//! The weights are those of a logistic regression over the candidates of 264 tests whose focal methods people
//! have named: the sets of `data/labels` in C#, Go, JavaScript and Python and TCTracer's for commons-lang, each
//! set with the same say, with a ridge of 1. What a sum means was then found on candidates that had not been
//! seen: in ten parts, each judged by the weights of the nine others, the likeliest candidates of all tests
//! were fitted to how often they are right (Platt). The ridge, and which evidence says anything that the rest
//! does not, were chosen by the likelihood over the same parts.

use super::evidence::{Evidence, NAMES};

/// What no evidence at all says.
const BASE: f64 = -1.58;

/// Weights of the evidence, in the order of [`NAMES`].
const WEIGHTS: Evidence = [
    0.62,  // name_contained
    1.00,  // name_share
    1.59,  // best_name
    1.30,  // outer_covered
    1.05,  // class_named
    0.32,  // file_named
    1.04,  // asserted
    -0.46, // asserted_inside
    0.26,  // asserted_later
    0.28,  // before_assertion
    0.14,  // last_call
    1.64,  // only_call
    0.78,  // share_of_calls
    -2.17, // constructor
    -0.06, // helper
    1.62,  // only_set_up
    -1.45, // reference
    -0.94, // unresolved
    -2.25, // widely_used
    0.26,  // used_in_file
    -0.92, // observer
    0.59,  // votes
];

/// Slope and offset of what a sum means.
const CALIBRATION: (f64, f64) = (0.76, 0.58);

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
