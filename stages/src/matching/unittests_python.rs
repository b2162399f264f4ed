//! The rule of UnitTests (MERA Code) for Python: in files `test_*.py` and `*_test.py`, a test `test_x` is
//! linked to the only function or method `x` of the repository.
//!
//! Candidates are functions and methods outside test files and `conftest.py` that are neither tests nor
//! fixtures, set-up or tear-down, nor local to a function or a test class, nor mere signatures
//! (`@overload`).

use super::callables::{is_local, is_plain_callable};
use super::index::File;
use super::naming::{Naming, NamingRule};
use super::tables::Declaration;
use super::verdict::{Mode, Prepare};

pub(super) static MODE: Mode = Mode {
    name: "unittests-python",
    language: Some(RULE.language),
    prepare: Prepare::Names(|index| Box::new(Naming::new(index, &RULE))),
};

static RULE: NamingRule = NamingRule {
    language: "python",
    prefix: "test_",
    without_prefix: "not_named_test_",
    test_files: "`test_*.py` or `*_test.py`",
    framework: None,
    focal_names: |rest| vec![rest.to_owned()],
    is_focal,
};

fn is_focal(file: &File<'_>, declaration: &Declaration) -> bool {
    is_plain_callable(file, declaration)
        && declaration.kind != "lambda"
        && file.row.path.rsplit('/').next() != Some("conftest.py")
        && !is_overload(declaration)
        && !is_local(file, declaration)
}

/// Whether the declaration only announces a signature to type checkers (`typing.overload`).
fn is_overload(declaration: &Declaration) -> bool {
    declaration.annotations.iter().any(|name| name == "overload" || name.ends_with(".overload"))
}
