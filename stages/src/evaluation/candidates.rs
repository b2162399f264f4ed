//! The candidates that a mode weighed for the labelled tests, with its evidence: what weights are fitted to.

use super::rows::VoteAnswer;
use super::truth::Truth;
use std::fmt::Write;

const COLUMNS: &str = "language,repository,test_id,labelled,focal_path,focal_name,right_declaration,right_function,confidence,evidence";

/// One row per candidate, with the number of the test's labelled focal methods, in the order of the votes. A candidate is the right function where one of its
/// overloads is labelled.
pub fn candidates_csv(truth: &Truth, votes: &[VoteAnswer]) -> String {
    let mut text = COLUMNS.to_owned() + "\n";
    for vote in votes {
        let (Some(test), Some(confidence)) = (truth.tests.get(&vote.test_id), vote.confidence) else {
            continue;
        };
        let (_, evidence) = vote.detail.split_once(": ").unwrap_or_default();
        let row = [
            quoted(&test.language),
            quoted(&test.repository),
            quoted(&vote.test_id),
            test.links.len().to_string(),
            quoted(&vote.focal_path),
            quoted(&vote.focal_name),
            u8::from(test.is_declaration(&vote.focal_id)).to_string(),
            u8::from(test.is_function(&vote.focal_path, &vote.focal_name)).to_string(),
            confidence.to_string(),
            quoted(evidence),
        ];
        let _ = writeln!(text, "{}", row.join(","));
    }
    // A test without a candidate counts among the tests all the same.
    for (id, test) in truth.in_order() {
        if !votes.iter().any(|vote| vote.test_id == *id && vote.confidence.is_some()) {
            let [language, repository, id] = [&test.language, &test.repository, id].map(|text| quoted(text));
            let _ = writeln!(text, "{language},{repository},{id},{},,,0,0,,", test.links.len());
        }
    }
    text
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
