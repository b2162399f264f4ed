//! From evidence to a probability.
//!
//! The weights are those of a logistic regression over the candidates of 388 tests whose focal methods people
//! have named: the sets of `data/labels`, TCTracer's for commons-lang among them, each language with the same
//! say, with a ridge of 2 (`scripts/fit_combined` finds them anew). What a sum means was then found on candidates that had not been
//! seen: in ten parts, each judged by the weights of the nine others, the likeliest candidates of all tests
//! were fitted to how often they are right (Platt). The ridge, and which evidence says anything that the rest
//! does not, were chosen by the likelihood over the same parts.

use super::evidence::{Evidence, NAMES};

/// What no evidence at all says.
const BASE: f64 = -0.86;

/// Weights of the evidence, in the order of [`NAMES`].
const WEIGHTS: Evidence = [
    0.63,  // name_contained
    0.59,  // best_name
    0.43,  // outer_covered
    0.69,  // class_named
    0.45,  // file_named
    0.37,  // asserted
    0.33,  // asserted_later
    0.02,  // before_assertion
    0.07,  // last_call
    1.04,  // only_call
    0.73,  // share_of_calls
    -1.50, // constructor
    -0.42, // helper
    -0.02, // only_set_up
    -0.53, // reference
    -0.89, // unresolved
    -1.60, // widely_used
    -0.21, // observer
    1.28,  // votes
    0.55,  // name_told
    1.14,  // best_outer
    -0.23, // only_receiver
    0.89,  // closing
    0.42,  // usual_end
    -0.60, // usual_receiver
    1.03,  // usual_name
    -2.44, // wider_than_rarest
    -1.41, // told_behind
    -0.69, // named_behind
    -0.70, // class_behind
    -0.61, // test_support
];

/// Slope and offset of what a sum means.
const CALIBRATION: (f64, f64) = (0.84, 0.61);

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
