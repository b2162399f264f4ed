//! Environments that take more than one way to be built, or that do not run to their end.

use std::path::Path;
use trefoil_execution::environment::{EnvironmentRow, Recipe, Request, Step, build};
use trefoil_execution::sandbox::choose;

/// uv refuses these extras, since they have one name to it; pip takes them.
const REFUSED: &str = "[build-system]\nrequires = [\"setuptools\"]\nbuild-backend = \"setuptools.build_meta\"\n\n\
    [project]\nname = \"shop\"\nversion = \"1\"\ndependencies = [\"six\"]\n\n\
    [project.optional-dependencies]\ntest = [\"toolz==0.12.0\"]\nold_name = []\nold-name = []\n";
/// Goes no further without settings that a person would make first.
const CONFTEST: &str = "import pathlib\n\nimport pytest\n\n\
    if not pathlib.Path(__file__).with_name('settings.py').exists():\n    pytest.exit('no settings')\n";
/// Takes longer to collect than its trial may last, and then to run.
const SLOW: &str = "import time\n\nimport shop\nimport six\n\ntime.sleep(8)\n\n\n\
    def test_soon():\n    assert shop and six\n\n\ndef test_never():\n    time.sleep(600)\n";

fn built(kept: &Path, files: &[(&str, &str)], suite_seconds: u64) -> (EnvironmentRow, Recipe, String) {
    let folder = kept.join("environment");
    for (path, text) in files {
        let place = folder.join("repository").join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, text).unwrap();
    }
    let request = Request {
        host: "local".into(),
        repository: "shop".into(),
        commit: "content".into(),
        folder: folder.clone(),
        exclude_newer: Some("2024-11-01".into()),
        python: None,
        cache: kept.join("cache"),
        suite_seconds,
    };
    let row = build(choose().unwrap().as_ref(), &request).unwrap();
    let recipe = std::fs::read(folder.join("recipe.json")).unwrap();
    let lock = std::fs::read_to_string(folder.join("lock.txt")).unwrap();
    (row, serde_json::from_slice(&recipe).unwrap(), lock)
}

#[test]
fn what_fails_is_made_up_for_and_what_takes_long_is_counted_until_then() {
    let kept = tempfile::tempdir().unwrap();
    let files = [
        ("pyproject.toml", REFUSED),
        ("shop/__init__.py", ""),
        ("tests/conftest.py", CONFTEST),
        ("tests/settings.py-dist", "price = 1\n"),
        ("tests/test_slow.py", SLOW),
    ];
    let (row, recipe, lock) = built(kept.path(), &files, 5);
    let step = |purpose: &str| -> &Step { recipe.steps.iter().find(|step| step.purpose == purpose).unwrap() };
    let refused = step("project with dependencies");
    assert!(!refused.done && refused.log.contains("old-name"), "{refused:?}");
    // As of the date, which pip knows nothing of: six 1.17 came later.
    assert!(lock.contains("six==1.16.0") && lock.contains("toolz==0.12.0"), "{lock}");
    assert!(step("file of a template").done);
    assert_eq!((row.passed, row.failed, row.finished, row.built), (1, 0, false, true), "{row:?}");
    assert_eq!(row.stopped(), "; stopped for its time");
}

#[test]
fn a_suite_that_ends_itself_is_not_taken_for_slow() {
    let kept = tempfile::tempdir().unwrap();
    let files = [
        ("tests/conftest.py", "import pytest\n\npytest.exit('no service')\n"),
        ("tests/test_nothing.py", "def test_one():\n    assert True\n"),
    ];
    let (row, _, _) = built(kept.path(), &files, 60);
    assert_eq!((row.built, row.reason.as_str()), (false, "suite_broken_off"), "{row:?}");
    assert!(row.log.contains("no service"), "{row:?}");
}

#[test]
fn libraries_are_found_among_what_debian_builds_with() {
    let script = "import sys; sys.path.insert(0, sys.argv[2]); import libraries; \
        print(libraries.build_dependencies(sys.argv[1]))";
    let record = "Package: shop\nBuild-Depends: debhelper-compat (= 13), libzmq3-dev, python3-all-dev, \
        zlib1g-dev | libz-dev,\n libpython3-dev, libdoc-dev <!nodoc>, liblcms2-dev (>= 2.2), pkg-config\nBinary: x\n";
    #[expect(clippy::disallowed_methods, reason = "our own file, which runs nothing of anybody's")]
    let mut python = std::process::Command::new("python3");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/python");
    let output = python.args(["-B", "-I", "-c", script, record, folder]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let found = "['liblcms2-dev', 'libzmq3-dev', 'pkg-config', 'zlib1g-dev']";
    assert_eq!(said.trim(), found, "{}", String::from_utf8_lossy(&output.stderr));
}
