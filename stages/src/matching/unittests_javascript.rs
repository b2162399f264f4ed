//! The rule of UnitTests (MERA Code) for JavaScript: in the files `*test*/**/*.[tj]s` and
//! `**/*[test|spec].[tj]s`, a test, which is a call of `it` or `test` and has no name, is linked to the last
//! function called in it that the repository declares.

use super::index::File;
use super::last_call::{backwards, first_declared};
use super::resolution::Resolution;
use super::tables::Declaration;
use super::test_calls::test_calls;
use super::verdict::{Ballot, Matcher, Mode, Prepare, Verdict};

pub(super) static MODE: Mode = Mode {
    name: "unittests-js",
    language: Some("javascript"),
    prepare: Prepare::Calls(|resolution| Box::new(LastCall { resolution })),
};

const LAST_LOCAL_CALL: &str = "last_local_call";

struct LastCall<'a> {
    resolution: &'a Resolution<'a>,
}

impl<'a> LastCall<'a> {
    fn ballot(&self, file: &File<'a>, test: &Declaration) -> Ballot<'a> {
        let path = file.row.path.as_str();
        if !is_test_file(path) {
            let detail =
                format!("`{path}` is neither in a folder of tests nor called `*test.js` or `*spec.js`");
            return Ballot::none(LAST_LOCAL_CALL, "not_a_test_file", detail);
        }
        let mut calls = test_calls(file, test);
        backwards(&mut calls);
        first_declared(LAST_LOCAL_CALL, self.resolution, file, test, &calls)
    }
}

impl<'a> Matcher<'a> for LastCall<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        file.test_cases().map(|test| Verdict { test, ballots: vec![self.ballot(file, test)] }).collect()
    }
}

/// The two patterns; `[test|spec]` is read as the choice that it was meant to be.
fn is_test_file(path: &str) -> bool {
    let Some(stem) = [".js", ".ts"].iter().find_map(|ending| path.strip_suffix(ending)) else { return false };
    let (folders, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    folders.contains("test") || ["test", "spec"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::is_test_file;

    #[test]
    fn test_files_go_by_folder_or_name() {
        for path in
            ["test/a.js", "lib/__tests__/x/a.ts", "a.test.js", "lib/a-spec.ts", "spec.js", "latest/a.js"]
        {
            assert!(is_test_file(path), "{path}");
        }
        for path in ["lib/a.js", "test/a.mjs", "a.test.jsx", "spec/a.js", "a.tests.js"] {
            assert!(!is_test_file(path), "{path}");
        }
    }
}
