//! The licence of a repository, from the files at its root that speak of one: licence texts first, a
//! package's metadata where there is no text. Knows no list of good licences; filtering has one.

mod text;
mod vendored;

pub use vendored::vendored;

use crate::sources::{Reading, Source, SourceError};
use spdx::{Expression, ParseMode};
use std::collections::BTreeSet;

/// What the files at the root say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Licence {
    /// SPDX expression; empty where it is not known.
    pub expression: String,
    /// The files that it comes from; where it is not known, those that did not say it.
    pub files: Vec<String>,
    /// How far the texts agree with those of SPDX, in per cent.
    pub confidence: u32,
}

/// Confidence of what a package's metadata declares: nobody has seen the text.
const DECLARED: u32 = 50;

/// A file's part in finding the licence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// `LICENSE`, `COPYING` …: the licence of the whole repository.
    Main,
    /// `LICENSE-MIT`, `COPYING.LESSER` …: one of several.
    Part,
    /// Metadata of an npm package.
    PackageJson,
    /// Metadata of a Python package.
    Pyproject,
}

/// Whether a file of this path may speak of the licence of the repository or of a directory in it.
pub fn is_evidence(path: &str) -> bool {
    evidence(path).is_some() || vendored::place(path).is_some()
}

fn evidence(path: &str) -> Option<Evidence> {
    if path.contains('/') || trefoil_languages::of_path(path).is_some() {
        return None;
    }
    let name = path.to_lowercase();
    match name.as_str() {
        "package.json" => return Some(Evidence::PackageJson),
        "pyproject.toml" => return Some(Evidence::Pyproject),
        _ => {}
    }
    let words = ["license", "licence", "copying", "unlicense", "unlicence"];
    if let Some(rest) = words.iter().find_map(|word| name.strip_prefix(word)) {
        return match rest {
            "" | ".txt" | ".md" | ".markdown" | ".rst" | ".adoc" | ".text" => Some(Evidence::Main),
            _ => rest.starts_with(['.', '-', '_']).then_some(Evidence::Part),
        };
    }
    let stem = name.split('.').next().unwrap_or_default();
    ["-license", "-licence", "_license", "_licence"]
        .iter()
        .any(|end| stem.ends_with(end))
        .then_some(Evidence::Part)
}

/// Reads the licence of a repository. A text that cannot be read counts as one that says nothing.
pub fn find(source: &mut dyn Source) -> Result<Licence, SourceError> {
    let listed = source.listing().files.iter().enumerate();
    let files: Vec<(usize, String, Evidence)> =
        listed.filter_map(|(index, file)| Some((index, file.path.clone(), evidence(&file.path)?))).collect();
    let mut texts = Vec::with_capacity(files.len());
    for (index, path, evidence) in files {
        if let Reading::File(bytes) = source.read(index)? {
            texts.push((path, evidence, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok(decide(&texts))
}

/// Every licence that a main text gives holds; parts are alternatives, as projects with two licences name
/// them. A main text that is not recognised may be any licence, so that nothing weaker is asked then.
fn decide(files: &[(String, Evidence, String)]) -> Licence {
    let of = |wanted: Evidence| {
        let texts = files.iter().filter(move |(_, evidence, _)| *evidence == wanted);
        texts.map(|(path, _, text)| (path.as_str(), text::recognise(text))).collect::<Vec<_>>()
    };
    let main = of(Evidence::Main);
    if !main.is_empty() {
        return joined(&main, " AND ").unwrap_or_else(|| {
            let files = main.iter().map(|(path, _)| (*path).to_owned()).collect();
            Licence { files, ..Licence::default() }
        });
    }
    joined(&of(Evidence::Part), " OR ").or_else(|| declared(files)).unwrap_or_default()
}

fn joined(texts: &[(&str, Option<text::Recognised>)], by: &str) -> Option<Licence> {
    let known: Vec<_> = texts.iter().filter_map(|(path, text)| Some((*path, text.as_ref()?))).collect();
    let expressions: BTreeSet<&str> = known.iter().map(|(_, text)| text.expression.as_str()).collect();
    let inside = |expression: &str| match expressions.len() > 1 && expression.contains(' ') {
        true => format!("({expression})"),
        false => expression.to_owned(),
    };
    let expression = expressions.iter().map(|expression| inside(expression)).collect::<Vec<_>>().join(by);
    let files = known.iter().map(|(path, _)| (*path).to_owned()).collect();
    let confidence = known.iter().map(|(_, text)| text.confidence).min()?;
    Some(Licence { expression, files, confidence })
}

fn declared(files: &[(String, Evidence, String)]) -> Option<Licence> {
    files.iter().find_map(|(path, evidence, text)| {
        let words = match evidence {
            Evidence::PackageJson => of_package_json(text),
            Evidence::Pyproject => of_pyproject(text),
            Evidence::Main | Evidence::Part => None,
        };
        let expression = canonical(&words?)?;
        Some(Licence { expression, files: vec![path.clone()], confidence: DECLARED })
    })
}

/// The expression as SPDX writes it; nothing where it is none.
fn canonical(words: &str) -> Option<String> {
    let written = Expression::canonicalize(words.trim()).ok()?.unwrap_or_else(|| words.trim().to_owned());
    Expression::parse_mode(&written, ParseMode::STRICT).ok().map(|_| written)
}

/// npm: `"license": "MIT"`, formerly also `{"type": "MIT"}`.
fn of_package_json(text: &str) -> Option<String> {
    let package: serde_json::Value = serde_json::from_str(text).ok()?;
    let licence = package.get("license")?;
    licence.as_str().or_else(|| licence.get("type")?.as_str()).map(str::to_owned)
}

/// Python: `license = "MIT"`, formerly also `license = { text = "MIT" }`.
fn of_pyproject(text: &str) -> Option<String> {
    let package: toml::Table = toml::from_str(text).ok()?;
    let licence = package.get("project")?.get("license")?;
    licence.as_str().or_else(|| licence.get("text")?.as_str()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(id: &str) -> String {
        spdx::license_id(id).unwrap().text().to_owned()
    }

    fn of(files: &[(&str, &str)]) -> (String, String, u32) {
        let file = |(path, text): &(&str, &str)| Some((path.to_string(), evidence(path)?, text.to_string()));
        let Licence { expression, files, confidence } =
            decide(&files.iter().filter_map(file).collect::<Vec<_>>());
        (expression, files.join(", "), confidence)
    }

    fn found(expression: &str, files: &str, confidence: u32) -> (String, String, u32) {
        (expression.into(), files.into(), confidence)
    }

    #[test]
    fn files_at_the_root_speak_of_the_licence() {
        for path in ["LICENSE", "License.txt", "licence.md", "COPYING", "UNLICENSE"] {
            assert_eq!(evidence(path), Some(Evidence::Main), "{path}");
        }
        for path in
            ["LICENSE-MIT", "LICENSE.apache2", "COPYING.LESSER", "MIT-LICENSE.txt", "licence-LGPL.txt"]
        {
            assert_eq!(evidence(path), Some(Evidence::Part), "{path}");
        }
        assert!(is_evidence("package.json") && is_evidence("pyproject.toml"));
        for path in
            ["license.py", "vendor/license.py", "licenses", "NOTICE", "docs/package.json", "README.md"]
        {
            assert!(!is_evidence(path), "{path}");
        }
    }

    #[test]
    fn a_text_outweighs_what_a_package_declares() {
        let (mit, package) = (text_of("MIT"), r#"{"license": "ISC"}"#);
        assert_eq!(of(&[("LICENSE", &mit), ("package.json", package)]), found("MIT", "LICENSE", 100));
        assert_eq!(of(&[("package.json", package)]), found("ISC", "package.json", DECLARED));
        let own = "You may look at this code on Sundays.";
        assert_eq!(of(&[("LICENSE", own), ("package.json", package)]), found("", "LICENSE", 0));
        assert_eq!(of(&[]), found("", "", 0));
    }

    #[test]
    fn packages_declare_expressions() {
        for (file, text, expression) in [
            ("package.json", r#"{"license": "(MIT OR Apache-2.0)"}"#, "(MIT OR Apache-2.0)"),
            ("package.json", r#"{"license": {"type": "BSD-3-Clause"}}"#, "BSD-3-Clause"),
            ("package.json", r#"{"license": "UNLICENSED"}"#, ""),
            ("package.json", r#"{"license": "SEE LICENSE IN terms.txt"}"#, ""),
            ("package.json", "{", ""),
            ("pyproject.toml", "[project]\nlicense = 'MIT'", "MIT"),
            ("pyproject.toml", "[project]\nlicense = { text = 'Apache-2.0' }", "Apache-2.0"),
            ("pyproject.toml", "[project]\nlicense = { file = 'LICENSE' }", ""),
        ] {
            assert_eq!(of(&[(file, text)]).0, expression, "{text}");
        }
    }

    #[test]
    fn several_texts_hold_together_or_by_choice() {
        let (mit, gpl) = (text_of("MIT"), text_of("GPL-3.0-only"));
        assert_eq!(
            of(&[("COPYING", &gpl), ("LICENSE", &mit)]),
            found("GPL-3.0-only AND MIT", "COPYING, LICENSE", 100)
        );
        let apache = text_of("Apache-2.0");
        assert_eq!(
            of(&[("LICENSE-APACHE", &apache), ("LICENSE-MIT", &mit)]),
            found("Apache-2.0 OR MIT", "LICENSE-APACHE, LICENSE-MIT", 100)
        );
        assert_eq!(of(&[("LICENSE", &mit), ("LICENSE-GPL", &gpl)]).0, "MIT");
    }
}
