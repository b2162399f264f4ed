//! Whether a test can be read in what a model is given to write it.

use super::Row;
use trefoil_duplicates::{Comments, tokens};

/// Names of [`Row::contexts`].
const CONTEXTS: [&str; 2] = ["test_func_context", "focal_func_context"];

/// Fewer tokens make no body that could be recognised; then the whole test is sought.
const LEAST_BODY: usize = 5;

/// The context in which the body of the row's test stands, comments and white space aside.
pub(super) fn own_context(row: &Row<'_>) -> Option<&'static str> {
    let all = of(row.test, row.comments);
    let body = of(body(row.test, row.comments), row.comments);
    let sought = if body.len() >= LEAST_BODY { &body } else { &all };
    let stands_in = |context: &&str| {
        !sought.is_empty() && of(context, row.comments).windows(sought.len()).any(|window| window == sought)
    };
    CONTEXTS.into_iter().zip(&row.contexts).find(|(_, context)| stands_in(context)).map(|(name, _)| name)
}

/// Number of tokens of a text.
pub(super) fn token_count(text: &str, comments: Comments) -> usize {
    let mut count = 0;
    tokens(text, comments, false, |_| count += 1);
    count
}

fn of(text: &str, comments: Comments) -> Vec<u64> {
    let mut all = Vec::new();
    tokens(text, comments, false, |token| all.push(token));
    all
}

/// What stands between the braces, or below the line that ends with a colon.
fn body(test: &str, comments: Comments) -> &str {
    let inside = match comments {
        Comments::Slashes => {
            test.split_once('{').map(|(_, rest)| rest.trim_end_matches(['}', ')', ';', ' ', '\n']))
        }
        Comments::Hash => test.split_once(":\n").map(|(_, rest)| rest),
    };
    inside.unwrap_or(test)
}
