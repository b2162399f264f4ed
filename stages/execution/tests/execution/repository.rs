//! The repository that all tests of this program run in, built once.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use trefoil_execution::Suite;
use trefoil_execution::environment::{Environment, Request, build};
use trefoil_execution::problem::{Case, Verdict};
use trefoil_execution::sandbox::{Limits, Sandbox, choose};

const FILES: [(&str, &str); 8] = [
    (
        // Up to 9.0 folders are reached once, and not for each test.
        "pyproject.toml",
        "[build-system]\nrequires = [\"setuptools\"]\nbuild-backend = \"setuptools.build_meta\"\n\n\
         [project]\nname = \"stall\"\nversion = \"1\"\n\n[project.optional-dependencies]\ntest = [\"pytest<9.1\"]\n\n\
         [tool.pytest.ini_options]\ntestpaths = [\"tests\"]\npython_files = [\"*\"]\n",
    ),
    ("tests/build/test_stale.py", "raise ValueError('pytest does not look in here')\n"),
    ("src/stall/__init__.py", "from stall.prices import total\n"),
    ("src/stall/prices.py", include_str!("fixtures/prices.py")),
    ("src/stall/unused.py", "def never():\n    return 1\n"),
    ("tests/conftest.py", include_str!("fixtures/conftest.py")),
    ("tests/test_moods.py", include_str!("fixtures/test_moods.py")),
    ("tests/test_prices.py", include_str!("fixtures/test_prices.py")),
];

pub struct Built {
    pub folder: PathBuf,
    pub sandbox: Box<dyn Sandbox>,
    pub row: trefoil_execution::environment::EnvironmentRow,
    _kept: tempfile::TempDir,
}

/// The environment; whoever comes first builds it.
pub fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let sandbox = choose().unwrap();
        let kept = tempfile::tempdir().unwrap();
        let folder = kept.path().join("stall");
        for (path, text) in FILES {
            let place = folder.join("repository").join(path);
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::fs::write(place, text).unwrap();
        }
        let request = Request {
            host: "local".into(),
            repository: "stall".into(),
            commit: "content".into(),
            folder: folder.clone(),
            exclude_newer: None,
            python: None,
            cache: kept.path().join("cache"),
            suite_seconds: 120,
        };
        let row = build(sandbox.as_ref(), &request).unwrap();
        assert!(row.built, "{row:?}");
        Built { folder, sandbox, row, _kept: kept }
    })
}

pub fn suite(limits: Limits) -> Suite<'static> {
    let built = built();
    Suite::new(Environment::open(&built.folder).unwrap(), built.sandbox.as_ref(), limits, 2).unwrap()
}

pub fn case(id: &str, source: &str) -> Case {
    Case {
        id: id.into(),
        path: format!("tests/test_{id}.py"),
        source: source.into(),
        function: String::new(),
    }
}

pub fn verify(cases: &[Case], limits: Limits) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    suite(limits).verify(cases, &mut |verdict, _| verdicts.push(verdict)).unwrap();
    verdicts
}

/// Every file of a folder with its bytes' digest.
pub fn digest(folder: &Path) -> Vec<(PathBuf, blake3::Hash)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                found.push((path, blake3::hash(&bytes)));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}
