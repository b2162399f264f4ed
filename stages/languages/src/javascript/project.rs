//! What a `package.json` says of the test framework.

use crate::Framework;
use serde_json::Value;

/// Programs that run tests, as they stand in scripts, with their framework.
const RUNNERS: [(&str, Framework); 11] = [
    ("vitest", Framework::Vitest),
    ("jest", Framework::Jest),
    ("react-scripts test", Framework::Jest),
    ("mocha", Framework::Mocha),
    ("jasmine", Framework::Jasmine),
    ("qunit", Framework::Qunit),
    ("nightwatch", Framework::Nightwatch),
    ("ava", Framework::Ava),
    ("tape", Framework::Tape),
    ("node --test", Framework::NodeTest),
    ("borp", Framework::NodeTest),
];

/// The framework that a package belongs to.
pub(super) fn of_package(package: &str) -> Option<Framework> {
    Some(match package {
        "vitest" => Framework::Vitest,
        "jest" | "@jest/globals" | "jest-cli" | "ts-jest" | "babel-jest" => Framework::Jest,
        "mocha" | "@types/mocha" | "karma-mocha" | "electron-mocha" => Framework::Mocha,
        "jasmine" | "jasmine-core" | "karma-jasmine" => Framework::Jasmine,
        "qunit" | "qunitjs" | "karma-qunit" | "ember-qunit" => Framework::Qunit,
        "nightwatch" => Framework::Nightwatch,
        "ava" => Framework::Ava,
        "tape" | "blue-tape" | "tape-catch" => Framework::Tape,
        _ => return None,
    })
}

/// The framework that the text of a `package.json` names, none if it names none: the script that runs the
/// tests says most, then a section of the framework, then what is installed.
pub(super) fn framework(text: &str) -> Result<Option<Framework>, String> {
    let package: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| error.to_string())?;
    let Value::Object(package) = package else { return Err("no object".to_owned()) };
    let table = |key: &str| package.get(key).and_then(Value::as_object);
    let scripts = || table("scripts").into_iter().flatten();
    let in_script = |name: &str| {
        let script = scripts().find(|(key, _)| *key == name)?.1.as_str()?;
        of_script(script)
    };
    let by_script = in_script("test").or_else(|| {
        let of_tests = scripts().filter(|(name, _)| name.starts_with("test"));
        of_tests.filter_map(|(_, script)| script.as_str()).find_map(of_script)
    });
    let by_section = || {
        ["jest", "mocha", "ava", "nightwatch"]
            .iter()
            .find(|key| package.contains_key(**key))
            .and_then(|key| of_package(key))
    };
    let by_package = || {
        let tables = ["devDependencies", "dependencies"].into_iter().filter_map(table);
        let names: Vec<&String> = tables.flat_map(|table| table.keys()).collect();
        RUNNERS.iter().find_map(|(_, framework)| {
            names.iter().any(|name| of_package(name) == Some(*framework)).then_some(*framework)
        })
    };
    Ok(by_script.or_else(by_section).or_else(by_package))
}

/// The runner that stands first in a script, as a word of its own.
fn of_script(script: &str) -> Option<Framework> {
    let begins = |at: usize, runner: &str| {
        let before = script.get(..at).and_then(|before| before.chars().next_back());
        let after = script.get(at + runner.len()..).and_then(|after| after.chars().next());
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
        // `./node_modules/.bin/_mocha` and `mocha.opts`: a name goes on behind a dot, not before one.
        apart(before) && apart(after)
    };
    let place = |runner: &str| script.match_indices(runner).map(|(at, _)| at).find(|at| begins(*at, runner));
    let found = RUNNERS.iter().filter_map(|(runner, framework)| Some((place(runner)?, *framework)));
    found.min_by_key(|(at, _)| *at).map(|(_, framework)| framework)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_sections_and_packages_tell_in_this_order() {
        let told = |text: &str| framework(text).unwrap();
        assert_eq!(told(r#"{"scripts": {"test": "nyc mocha test/"}}"#), Some(Framework::Mocha));
        let script = r#"{"scripts": {"test": "c8 --all vitest run"}, "devDependencies": {"mocha": "1"}}"#;
        assert_eq!(told(script), Some(Framework::Vitest));
        let other = r#"{"scripts": {"test": "npm run lint && npm run test:unit", "test:unit": "jest"}}"#;
        assert_eq!(told(other), Some(Framework::Jest));
        assert_eq!(told(r#"{"jest": {"testEnvironment": "node"}}"#), Some(Framework::Jest));
        assert_eq!(told(r#"{"devDependencies": {"jasmine-core": "4"}}"#), Some(Framework::Jasmine));
        assert_eq!(told(r#"{"scripts": {"test": "node --test"}}"#), Some(Framework::NodeTest));
        assert_eq!(told(r#"{"scripts": {"test": "java -version"}, "name": "a"}"#), None);
    }

    #[test]
    fn broken_files_say_why() {
        assert!(framework("{").is_err());
        assert!(framework("[]").is_err());
    }
}
