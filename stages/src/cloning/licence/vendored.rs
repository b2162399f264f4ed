//! Directories inside a repository that have a licence text of their own: copies of others' code, mostly.

use std::collections::BTreeMap;

use super::{Evidence, decide, evidence};
use crate::sources::{BlobId, Reading, Source, SourceError};

/// Different texts that are compared with those of SPDX, which takes some milliseconds each; more are unknown.
const MOST_TEXTS: usize = 200;
/// Directories that are listed; whole collections of packages have more, and say the same by then.
const MOST_DIRECTORIES: usize = 10_000;
/// Words of a note that may do no more than say where the licence is.
const LONGEST_POINTER: usize = 25;

/// The directory that a file of this path gives the licence of, and the file's name; none at the root.
pub(super) fn place(path: &str) -> Option<(&str, &str)> {
    let (directory, name) = path.rsplit_once('/')?;
    is_text(name).then_some((directory, name))
}

fn is_text(name: &str) -> bool {
    matches!(evidence(name), Some(Evidence::Main | Evidence::Part))
}

/// Whether a text only points to the licence of a directory further up, as `.. include:: ../LICENSE` does.
fn points_elsewhere(text: &str) -> bool {
    let names = text.split_whitespace().filter_map(|word| word.strip_prefix("../")?.rsplit('/').next());
    let mut names = names.map(|name| name.trim_end_matches(['.', ',', ')', '"', '`']));
    text.split_whitespace().nth(LONGEST_POINTER).is_none() && names.any(is_text)
}

/// The directories with licence texts of their own, and the SPDX expression of each, empty where it is not known.
pub fn vendored(source: &mut dyn Source) -> Result<BTreeMap<String, String>, SourceError> {
    let mut files: BTreeMap<String, Vec<(usize, String, BlobId)>> = BTreeMap::new();
    for (index, file) in source.listing().files.iter().enumerate() {
        let Some((directory, name)) = place(&file.path) else { continue };
        if files.len() < MOST_DIRECTORIES || files.contains_key(directory) {
            files.entry(directory.to_owned()).or_default().push((index, name.to_owned(), file.blob));
        }
    }
    let mut known: BTreeMap<Vec<BlobId>, String> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for (directory, files) in files {
        let blobs: Vec<BlobId> = files.iter().map(|(_, _, blob)| *blob).collect();
        let expression = match known.get(&blobs) {
            Some(expression) => expression.clone(),
            None if known.len() >= MOST_TEXTS => String::new(),
            None => {
                let mut texts = Vec::with_capacity(files.len());
                for (index, name, _) in files {
                    if let (Some(kind), Reading::File(bytes)) = (evidence(&name), source.read(index)?) {
                        texts.push((name, kind, String::from_utf8_lossy(&bytes).into_owned()));
                    }
                }
                if !texts.is_empty() && texts.iter().all(|(_, _, text)| points_elsewhere(text)) {
                    continue;
                }
                decide(&texts).expression
            }
        };
        known.insert(blobs, expression.clone());
        found.insert(directory, expression);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Limits, Location, open};

    #[test]
    fn licence_texts_below_the_root_are_of_their_directories() {
        for (path, expected) in [
            ("vendor/a/LICENSE", Some("vendor/a")),
            ("third_party/COPYING.LESSER", Some("third_party")),
            ("LICENSE", None),
            ("vendor/package.json", None),
            ("src/license.go", None),
            ("licenses/README.md", None),
        ] {
            assert_eq!(place(path).map(|(directory, _)| directory), expected, "{path}");
        }
    }

    #[test]
    fn each_directory_has_its_own_licence() {
        let folder = tempfile::TempDir::new().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let text = |id| spdx::license_id(id).unwrap().text();
        write("LICENSE", text("MIT"));
        write("vendor/a/LICENSE.txt", text("Apache-2.0"));
        write("vendor/b/LICENSE-MIT", text("MIT"));
        write("vendor/b/LICENSE-APACHE", text("Apache-2.0"));
        write("vendor/c/COPYING", "Look, but do not touch.");
        write("vendor/d/LICENSE.txt", text("Apache-2.0"));
        write("vendor/d/docs/license.rst", "License\n=======\n\n.. include:: ../LICENSE.txt\n");
        write("vendor/e/COPYING", "Not what ../LICENSE says. ".repeat(8).as_str());
        let location = Location::Directory(folder.path().to_owned());
        let mut source = open(&location, &Limits::default(), &crate::cloning::is_evidence).unwrap();
        let found = vendored(source.as_mut()).unwrap();
        let expected = [
            ("vendor/a", "Apache-2.0"),
            ("vendor/b", "Apache-2.0 OR MIT"),
            ("vendor/c", ""),
            ("vendor/d", "Apache-2.0"),
            ("vendor/e", ""),
        ];
        assert_eq!(found, expected.map(|(directory, id)| (directory.to_owned(), id.to_owned())).into());
        assert_eq!(super::super::find(source.as_mut()).unwrap().expression, "MIT");
    }
}
