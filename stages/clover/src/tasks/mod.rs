//! The three tasks: what each asks for, and of which parts of a case examples of it can be made.

pub mod blocks;
pub mod cloze;
pub mod target;

use crate::case::Case;
use crate::cut::Cut;

/// A task of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// I: fill the blank of an assertion (section 4).
    Cloze,
    /// II: write a test that uses a given class or function (section 5).
    Target,
    /// III: write a test that covers given blocks (section 6).
    Blocks,
}

impl Task {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cloze, Self::Target, Self::Blocks];

    /// The numeral in records and predictions.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cloze => "I",
            Self::Target => "II",
            Self::Blocks => "III",
        }
    }

    /// The task with this numeral.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.as_str() == word)
    }
}

/// What one example asks for, before context and template.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Identity: repository, path, test, and what is asked for.
    pub id: String,
    /// Path of the test module.
    pub path: String,
    /// Position of the case in its module.
    pub case: usize,
    /// Classes around the test, outermost first.
    pub classes: Vec<String>,
    /// Name of the test function.
    pub function: String,
    /// Where the file is put to run.
    pub run_path: String,
    /// The file with the place of the answer.
    pub cut: Cut,
    /// The file without the test, or with a mark in place of its body.
    pub setup: String,
    /// The test up to the place of the answer, without indentation.
    pub head: String,
    /// What is asked for.
    pub question: Question,
    /// How likely it is to be drawn, in proportion to others of its repository.
    pub weight: f64,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Task I.
    Cloze(cloze::Cloze),
    /// Task II.
    Target(target::Target),
    /// Task III; at least one block.
    Blocks(Vec<blocks::Block>),
}

impl Example {
    /// An example of a case, that all tasks have in common; what is asked for and shown is the caller's.
    fn new(id: String, (path, number, case): (&str, usize, &Case), question: Question, shown: Shown) -> Self {
        let Shown { cut, setup, head } = shown;
        let problem = &case.problem;
        Self {
            id,
            path: path.to_owned(),
            case: number,
            classes: problem.classes.clone(),
            function: problem.function.clone(),
            run_path: problem.path.clone(),
            cut,
            setup,
            head,
            weight: match &question {
                Question::Cloze(cloze) => cloze.answer.chars().count() as f64,
                Question::Target(_) | Question::Blocks(_) => 1.0,
            },
            question,
        }
    }
}

/// What a model is shown of a case, and where its answer goes.
struct Shown {
    cut: Cut,
    setup: String,
    head: String,
}

impl Question {
    /// The task.
    pub fn task(&self) -> Task {
        match self {
            Self::Cloze(_) => Task::Cloze,
            Self::Target(_) => Task::Target,
            Self::Blocks(_) => Task::Blocks,
        }
    }

    /// The files that the task needs, in order.
    pub fn required(&self) -> Vec<&str> {
        match self {
            Self::Cloze(_) => Vec::new(),
            Self::Target(target) => vec![&target.path],
            Self::Blocks(blocks) => {
                let mut paths: Vec<&str> = blocks.iter().map(|block| block.path.as_str()).collect();
                paths.dedup();
                paths
            }
        }
    }
}
