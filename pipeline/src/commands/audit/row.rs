//! Rows of either data set as an audit looks at them.

use crate::engine::near::comments;
use trefoil_duplicates::Comments;
use trefoil_stages::export::unit_tests::{bare, context_rules};
use trefoil_stages::records::{AuditedRow, ContestMethods, ContestRow};
use trefoil_stages::splitting::Split;

/// A row in hand; see [`trefoil_stages::audit::Row`].
pub struct Row {
    split: Split,
    id: String,
    repository: String,
    focal_place: String,
    test: String,
    focal: String,
    contexts: [String; 2],
    comments: Comments,
}

impl Row {
    /// Of UnitTests.
    pub fn of_unit_tests(split: Split, row: AuditedRow) -> Self {
        let AuditedRow { inputs, outputs, meta } = row;
        let rules = context_rules().iter().find(|rules| rules.dataset_name == inputs.language);
        Self {
            split,
            id: meta.pair_id,
            repository: meta.repo_id,
            focal_place: place(&inputs.focal_file_path, &meta.focal_name, meta.focal_start_byte),
            test: outputs,
            focal: bare(&inputs.focal_func).to_owned(),
            contexts: [&inputs.test_func_context, &inputs.focal_func_context].map(|it| bare(it).to_owned()),
            comments: comments(rules.map_or("", |rules| rules.language)),
        }
    }

    /// Of ConTest: the test is put together again, its members and what set-up calls are its context.
    pub fn of_contest(split: Split, row: ContestRow) -> Self {
        let texts = |methods: &[&ContestMethods]| {
            methods
                .iter()
                .flat_map(|methods| &methods.texts)
                .fold(String::new(), |all, text| all + text + "\n")
        };
        let before = row.setup.strip_suffix(row.setup_closing.as_str()).unwrap_or(&row.setup);
        let parts = [&*row.test_head, before, &row.assertions, &row.setup_closing, &row.test_tail];
        Self {
            split,
            focal_place: place(&row.meta.focal_path, &row.meta.focal_name, row.meta.focal_start_byte),
            test: parts.join("\n"),
            contexts: [texts(&[&row.setup_members, &row.setup_context]), texts(&[&row.focal_context])],
            id: row.id,
            repository: row.meta.repo_id,
            focal: row.focal_method,
            comments: comments(&row.language),
        }
    }

    /// Its repository, `host/owner/name`.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// The row as it is audited; `cluster` is that of its repository.
    pub fn audited<'a>(&'a self, cluster: &'a str) -> trefoil_stages::audit::Row<'a> {
        trefoil_stages::audit::Row {
            id: &self.id,
            split: self.split,
            repository: &self.repository,
            cluster,
            focal_place: &self.focal_place,
            test: &self.test,
            focal: &self.focal,
            contexts: self.contexts.each_ref().map(String::as_str),
            comments: self.comments,
        }
    }
}

/// What names a focal method within its repository.
fn place(path: &str, name: &str, start: u32) -> String {
    format!("{path}\n{name}\n{start}")
}
