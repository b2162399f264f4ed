//! The rule of UnitTests (MERA Code) for Go: in files `*_test.go`, a test `func TestXxx(t *testing.T)` is linked
//! to the only function or method `Xxx` of the repository.
//!
//! Go demands the capital letter after `Test`, also where the function is not exported: where there is no
//! `Xxx`, `xxx` is meant. What gotests writes, `Test_xxx`, is read in the same way.

use super::callables::{is_local, is_plain_callable};
use super::naming::{Naming, NamingRule};
use super::verdict::{Mode, Prepare};

pub(super) static MODE: Mode = Mode {
    name: "unittests-go",
    language: Some(RULE.language),
    prepare: Prepare::Names(|index| Box::new(Naming::new(index, &RULE))),
};

static RULE: NamingRule = NamingRule {
    language: "go",
    prefix: "Test",
    without_prefix: "not_named_test",
    test_files: "`*_test.go`",
    framework: Some("go_testing"),
    focal_names,
    is_focal: |file, declaration| {
        is_plain_callable(file, declaration) && declaration.kind != "lambda" && !is_local(file, declaration)
    },
};

fn focal_names(rest: &str) -> Vec<String> {
    let name = rest.strip_prefix('_').unwrap_or(rest);
    let mut letters = name.chars();
    let unexported = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let mut names = vec![name.to_owned(), unexported];
    names.dedup();
    names
}
