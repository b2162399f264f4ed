//! How many examples, under which budgets. The defaults are the published ones (CLOVER, sections 2.2, 2.3 and 3.2;
//! table 2).

use crate::tasks::Task;
use serde::{Deserialize, Serialize};

/// Settings of the data set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Seed of all draws.
    pub seed: u64,
    /// Task I.
    pub cloze: TaskSettings,
    /// Task II.
    pub target: TaskSettings,
    /// Task III.
    pub blocks: TaskSettings,
}

/// Settings of one task.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSettings {
    /// Most examples of one repository.
    pub per_repository: usize,
    /// Tokens that are kept free for the answer.
    pub answer_tokens: u32,
    /// Whether there are prompts without any source file.
    pub problem_only: bool,
    /// Tokens of prompt and answer together, in units of 1,024, ascending.
    pub budgets: Vec<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        let task = |per_repository, answer_tokens, problem_only, budgets: &[u32]| TaskSettings {
            per_repository,
            answer_tokens,
            problem_only,
            budgets: budgets.to_vec(),
        };
        Self {
            seed: 1,
            cloze: task(50, 200, true, &[4, 8, 16, 32, 64]),
            target: task(25, 4_000, true, &[8, 16, 32, 64]),
            blocks: task(25, 4_000, false, &[64, 128]),
        }
    }
}

impl Settings {
    /// The settings of a task.
    pub fn of(&self, task: Task) -> &TaskSettings {
        match task {
            Task::Cloze => &self.cloze,
            Task::Target => &self.target,
            Task::Blocks => &self.blocks,
        }
    }
}

/// Name of the setting without source files.
pub const PROBLEM_ONLY: &str = "problem_only";

impl TaskSettings {
    /// Name and budget in tokens of each setting, the smallest first.
    pub fn settings(&self) -> Vec<(String, Option<u32>)> {
        let mut budgets = self.budgets.clone();
        budgets.sort_unstable();
        budgets.dedup();
        let problem_only = self.problem_only.then(|| (PROBLEM_ONLY.to_owned(), None));
        let contextual = budgets.into_iter().map(|budget| (format!("{budget}k"), Some(budget * 1024)));
        problem_only.into_iter().chain(contextual).collect()
    }

    /// Tokens of a prompt within a budget.
    pub fn room(&self, budget: u32) -> u32 {
        budget.saturating_sub(self.answer_tokens)
    }

    /// The smallest budget in tokens, if there is any.
    pub fn smallest(&self) -> Option<u32> {
        self.budgets.iter().min().map(|budget| budget * 1024)
    }
}
