//! Calls of small repositories and what they mean, language by language.

use super::super::index::Index;
use super::super::memory::parsed;
use super::super::tables::Tables;
use super::{Resolution, Resolved};

/// `path:qualified name` of what each call of `name` in `test_path` means, in order.
fn meanings(files: &[(&str, &str)], test_path: &str, name: &str) -> Vec<String> {
    let tables = Tables::read(&mut parsed(files), |_, holds_tests| holds_tests).unwrap();
    let index = Index::new(&tables);
    let file = index.files.iter().find(|file| file.row.path == test_path).unwrap();
    let language = trefoil_languages::by_name(&file.row.language).unwrap();
    let resolution = Resolution::new(&index, language);
    let calls = (0..file.row.call_names.len()).filter(|at| file.row.call_names[*at] == name);
    calls
        .map(|at| match resolution.resolve(file, at) {
            Resolved::One(target) => format!("{target:?}"),
            Resolved::Several(targets) => {
                let lines = targets.iter().map(|it| format!("{it:?}@{}", it.declaration.first_line));
                lines.collect::<Vec<_>>().join(" | ")
            }
            other => format!("{other:?}"),
        })
        .collect()
}

mod java;
mod others;
mod python;
