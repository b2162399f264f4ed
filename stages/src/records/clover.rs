//! Rows of the CLOVER tasks.

use super::record;

record! {
    /// One prompt of one example, with everything that running and grading an answer takes. The place is that of the
    /// original test.
    pub struct CloverRow placed "clover" version 1 {
        /// Identity: example, setting and template.
        id: String,
        /// Identity of the example; the same in all settings and templates.
        example: String,
        /// `I`, `II` or `III`.
        task: String,
        /// `problem_only`, or the budget's name (`8k`).
        setting: String,
        /// Tokens of prompt and answer together; none for problem-only.
        budget: Option<u32>,
        /// Tokens kept free for the answer.
        answer_tokens: u32,
        /// What is to be replied: `statement`, `part` or `full`.
        template: String,
        /// What a model is given.
        prompt: String,
        /// Its tokens.
        prompt_tokens: u32,
        /// Classes around the test, outermost first.
        classes: Vec<String>,
        /// Name of the test function.
        function: String,
        /// Where the file is put to run.
        run_path: String,
        /// The file up to the place of the answer.
        file_before: String,
        /// What stands at the place in the original: a statement or a body.
        original: String,
        /// The file after the place of the answer.
        file_after: String,
        /// Task I: the assertion with `____` for its masked operand; else empty.
        question: String,
        /// Task I: the masked operand; else empty.
        reference: String,
        /// Task II: name of the target; else empty.
        target_name: String,
        /// Task II: `class` or `function`; else empty.
        target_kind: String,
        /// Task II: file of the target; else empty.
        target_path: String,
        /// Task II: line of the target.
        target_line: Option<u32>,
        /// Task III: file of each block.
        block_paths: Vec<String>,
        /// Task III: first line of each block.
        block_first_lines: Vec<u32>,
        /// Task III: last line of each block.
        block_last_lines: Vec<u32>,
        /// Task III: the lines of each block that have to run, as `12-14,20`.
        block_lines: Vec<String>,
        /// Source files in the prompt, in order.
        context_paths: Vec<String>,
        /// Class of each: `required`, `peer`, `other`, `repository`.
        context_classes: Vec<String>,
        /// The original was run again as an answer and passed with full marks.
        verified: bool,
    }
}

record! {
    /// The columns of [`CloverRow`] that grading takes: all but prompt and context.
    pub struct CloverQuestion "clover" version 1 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Commit.
        commit: String,
        /// Path of the test.
        path: String,
        /// Identity.
        id: String,
        /// Identity of the example.
        example: String,
        /// Task.
        task: String,
        /// Setting.
        setting: String,
        /// Budget.
        budget: Option<u32>,
        /// Template.
        template: String,
        /// Classes around the test.
        classes: Vec<String>,
        /// Name of the test function.
        function: String,
        /// Where the file is put to run.
        run_path: String,
        /// The file up to the place of the answer.
        file_before: String,
        /// What stands there in the original.
        original: String,
        /// The file after it.
        file_after: String,
        /// Task I: the assertion with its blank.
        question: String,
        /// Task I: the masked operand.
        reference: String,
        /// Task II: name of the target.
        target_name: String,
        /// Task III: file of each block.
        block_paths: Vec<String>,
        /// Task III: lines of each block that have to run.
        block_lines: Vec<String>,
    }
}

impl From<CloverRow> for CloverQuestion {
    fn from(row: CloverRow) -> Self {
        Self {
            host: row.host.as_ref().into(),
            repository: row.repository.as_ref().into(),
            commit: row.commit.as_ref().into(),
            path: row.path.as_ref().into(),
            id: row.id,
            example: row.example,
            task: row.task,
            setting: row.setting,
            budget: row.budget,
            template: row.template,
            classes: row.classes,
            function: row.function,
            run_path: row.run_path,
            file_before: row.file_before,
            original: row.original,
            file_after: row.file_after,
            question: row.question,
            reference: row.reference,
            target_name: row.target_name,
            block_paths: row.block_paths,
            block_lines: row.block_lines,
        }
    }
}

record! {
    /// The columns of [`CloverRow`] that asking a model takes.
    pub struct CloverPrompt "clover" version 1 {
        /// Identity.
        id: String,
        /// Task.
        task: String,
        /// Setting.
        setting: String,
        /// Template.
        template: String,
        /// What the model is given.
        prompt: String,
        /// Its tokens.
        prompt_tokens: u32,
        /// Most tokens of the answer.
        answer_tokens: u32,
    }
}
