//! From evidence to a probability.

use super::evidence::{Evidence, NAMES};

/// What no evidence at all says.
const BASE: f64 = -3.0;

/// Weights of the evidence, in the order of [`NAMES`].
const WEIGHTS: Evidence = [
    1.5, 1.0, 1.0, 1.0, 1.0, 0.5, 1.5, 0.5, 0.6, 0.0, 0.6, 0.5, 0.2, 1.0, 1.0, -1.0, 0.5, -0.3, -0.8, 1.0,
    -1.0, -0.5, -1.5, 0.3, -0.8, 0.6, 1.0,
];

/// How likely it is that a candidate with this evidence is focal.
pub(super) fn probability(evidence: &Evidence) -> f64 {
    let sum: f64 = evidence.iter().zip(WEIGHTS).map(|(own, weight)| own * weight).sum();
    1.0 / (1.0 + (-(BASE + sum)).exp())
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
