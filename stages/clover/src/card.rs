//! The data card: `README.md` with the front matter by which Hugging Face `datasets` loads the folder.

use crate::tasks::Task;
use std::fmt::Write;

/// The file of a task.
#[derive(Clone, Debug)]
pub struct Table {
    /// The task.
    pub task: Task,
    /// Path in the folder.
    pub file: String,
    /// Rows, which `datasets` checks.
    pub rows: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// The text of `README.md`; tasks without rows are left out of the front matter.
pub fn markdown(tables: &[Table]) -> String {
    let mut text = String::from(
        "---\nlicense: other\nlicense_name: per-row\ntask_categories:\n- text-generation\ntags:\n- code\n- unit-tests\n",
    );
    let filled: Vec<&Table> = tables.iter().filter(|table| table.rows > 0).collect();
    if !filled.is_empty() {
        text += "configs:\n";
        for Table { task, file, .. } in &filled {
            let name = name(*task);
            let _ = write!(text, "- config_name: {name}\n  data_files:\n  - split: test\n    path: {file}\n");
        }
        text += "dataset_info:\n";
        for Table { task, rows, bytes, .. } in &filled {
            let name = name(*task);
            let split = format!("  - name: test\n    num_bytes: {bytes}\n    num_examples: {rows}\n");
            let _ = write!(text, "- config_name: {name}\n  splits:\n{split}");
        }
    }
    text + "---\n\n" + DESCRIPTION
}

fn name(task: Task) -> &'static str {
    match task {
        Task::Cloze => "task_1",
        Task::Target => "task_2",
        Task::Blocks => "task_3",
    }
}

const DESCRIPTION: &str = include_str!("templates/card.md");
