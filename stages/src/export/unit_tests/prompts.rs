//! The prompts: one per question, evenly spread. A place in braces takes the input field of that name.

/// The prompts. Their order is part of the data set: a pair's prompt is chosen by number.
pub const PROMPTS: [&str; 4] = [
    "Write a test in {language} for the following code from the file '{focal_file_path}'.\n\
     Here is the code to be tested:\n{focal_func}\n\
     You have to write a test {test_func_type} in {language}. It will be placed in the file '{test_file_path}'.\n\
     Take into account the code that the test file already holds:\n{test_func_context}\n\
     The rest of the code's own file may help you:\n{focal_func_context}\n\
     Write the test {test_func_type} only, without explanations or comments.\n\
     Format the answer as a Markdown code block:\n```{language}\n<your code>\n```",
    "Below is code in {language} from '{focal_file_path}'. Your task is to write one unit test for it.\n\
     {focal_func}\n\
     The surrounding file:\n{focal_func_context}\n\
     The test goes into '{test_file_path}', which already contains:\n{test_func_context}\n\
     Answer with a single test {test_func_type} inside a Markdown code block:\n```{language}\n<your code>\n```",
    "You are given a file with tests that are yet to be written, '{test_file_path}':\n{test_func_context}\n\
     Add a test {test_func_type} that checks this code from '{focal_file_path}':\n{focal_func}\n\
     Here is the file that the code was taken from:\n{focal_func_context}\n\
     Give only the new test {test_func_type} in {language}, in a Markdown code block:\n```{language}\n<your code>\n```",
    "Generate a unit test in {language}.\n\
     Code under test, from the file '{focal_file_path}':\n{focal_func}\n\
     Context of the code under test:\n{focal_func_context}\n\
     Context of the test file '{test_file_path}':\n{test_func_context}\n\
     Use the imports, fields and functions of the test file's context where you need them. Write nothing but \
     the test {test_func_type}, following the syntax of {language}:\n```{language}\n<your code>\n```",
];

/// The prompt of the pair with this id. Hashing spreads them evenly and keeps a pair's prompt the same
/// whatever other pairs there are.
pub fn prompt(pair_id: &str) -> &'static str {
    let hash = blake3::hash(pair_id.as_bytes());
    let number = hash.as_bytes().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    PROMPTS[(number % PROMPTS.len() as u64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn prompts_are_spread_evenly() {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for id in 0..4_000 {
            *counts.entry(prompt(&format!("pair {id}"))).or_default() += 1;
        }
        assert_eq!(counts.len(), PROMPTS.len());
        assert!(counts.values().all(|count| (900..1_100).contains(count)), "{counts:?}");
    }

    #[test]
    fn every_prompt_has_a_place_for_every_input() {
        let fields = [
            "focal_func",
            "test_func_type",
            "test_func_context",
            "language",
            "focal_file_path",
            "test_file_path",
            "focal_func_context",
        ];
        for prompt in PROMPTS {
            for field in fields {
                assert!(prompt.contains(&format!("{{{field}}}")), "{field} is missing in: {prompt}");
            }
        }
    }
}
