//! Which packages the imports of test files miss.

use std::collections::BTreeSet;
use std::path::Path;

/// Modules whose package has another name.
const PACKAGES: [(&str, &str); 22] = [
    ("OpenSSL", "pyopenssl"),
    ("PIL", "pillow"),
    ("attr", "attrs"),
    ("bs4", "beautifulsoup4"),
    ("certifi", "certifi"),
    ("cv2", "opencv-python-headless"),
    ("dateutil", "python-dateutil"),
    ("docx", "python-docx"),
    ("dotenv", "python-dotenv"),
    ("flask_sqlalchemy", "flask-sqlalchemy"),
    ("git", "gitpython"),
    ("google.protobuf", "protobuf"),
    ("jose", "python-jose"),
    ("jwt", "pyjwt"),
    ("magic", "python-magic"),
    ("markdown", "markdown"),
    ("pkg_resources", "setuptools<81"),
    ("serial", "pyserial"),
    ("skimage", "scikit-image"),
    ("sklearn", "scikit-learn"),
    ("yaml", "pyyaml"),
    ("zmq", "pyzmq"),
];

/// Packages of the modules that a log of errors says are missing and that the repository has not itself, in order.
pub(super) fn missing_packages(log: &str, repository: &Path) -> BTreeSet<String> {
    let mut packages = BTreeSet::new();
    for after in log.split("No module named ").skip(1) {
        let after = after.trim_start_matches(['\'', '"', '\\']);
        let name = after.split(|sign: char| !(sign.is_ascii_alphanumeric() || "._".contains(sign))).next();
        let Some(module) = name.filter(|name| !name.is_empty()) else { continue };
        let top = module.split('.').next().unwrap_or(module);
        let own = ["", "src", "lib", "tests", "test"].iter().any(|folder| {
            let place = repository.join(folder);
            place.join(top).is_dir() || place.join(format!("{top}.py")).is_file()
        });
        if own || top == "tests" || top == "test" {
            continue;
        }
        let known = PACKAGES.iter().find(|(name, _)| *name == module || *name == top);
        packages.insert(known.map_or_else(|| top.replace('_', "-"), |(_, package)| (*package).to_owned()));
    }
    for (fixture, package) in FIXTURES {
        if log.contains(&format!("fixture '{fixture}' not found")) {
            packages.insert((*package).to_owned());
        }
    }
    packages
}

/// Fixtures of well-known plug-ins that a project may use without naming them.
const FIXTURES: [(&str, &str); 4] = [
    ("mocker", "pytest-mock"),
    ("httpbin", "pytest-httpbin"),
    ("freezer", "pytest-freezer"),
    ("subtests", "pytest-subtests"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_by_their_packages_and_own_ones_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("tests")).unwrap();
        std::fs::write(folder.path().join("tests/support.py"), "").unwrap();
        let log = "E   ModuleNotFoundError: No module named 'yaml'\nE  No module named \"flask_login.models\"\n\
                   E No module named 'support'\nE No module named 'tests.unit'\nE fixture 'mocker' not found";
        let found: Vec<String> = missing_packages(log, folder.path()).into_iter().collect();
        assert_eq!(found, ["flask-login", "pytest-mock", "pyyaml"]);
    }
}
