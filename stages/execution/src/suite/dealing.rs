//! Deals cases out to zygotes and brings the answers back in order.

use super::table::Table;
use super::zygote::{Answer, Program, Silence, Zygote};
use super::{Ran, Suite, folder, no_answer, refused};
use crate::coverage::Outcome;
use crate::environment::EnvironmentError;
use crate::problem::Case;
use crate::sandbox::SandboxError;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;

/// A zygote that dies this often under one case is the case's doing.
const ATTEMPTS: usize = 2;

/// Cases still to run, by directory. A core stays with its directory as long as that has any.
struct Deck(Mutex<BTreeMap<String, VecDeque<usize>>>);

impl Deck {
    fn new(cases: &[Case]) -> Self {
        let mut deck: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (index, case) in cases.iter().enumerate() {
            deck.entry(folder(&case.path).to_owned()).or_default().push_back(index);
        }
        Self(Mutex::new(deck))
    }

    /// The next case, of this directory where it has one left.
    fn draw(&self, last: &str) -> Option<usize> {
        let mut deck = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let longest = || deck.iter().max_by_key(|(_, cases)| cases.len()).map(|(folder, _)| folder.clone());
        let folder = if deck.contains_key(last) { last.to_owned() } else { longest()? };
        let cases = deck.get_mut(&folder)?;
        let index = cases.pop_front();
        if cases.is_empty() {
            deck.remove(&folder);
        }
        index
    }
}

impl Suite<'_> {
    /// Runs every case and tells of each in the order of the cases.
    pub(super) fn deal(
        &self,
        cases: &[Case],
        table: Option<&Table>,
        program: Program,
        tell: &mut dyn FnMut(&Case, Ran),
    ) -> Result<(), EnvironmentError> {
        let deck = Deck::new(cases);
        // Bounded, so that answers that wait for an earlier one do not fill the memory.
        let (sender, answers) = sync_channel::<Result<(usize, Ran), SandboxError>>(64);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(cases.len().max(1)) {
                let sender = sender.clone();
                let deck = &deck;
                scope.spawn(move || {
                    let mut worker =
                        Worker { suite: self, table, program, zygote: None, directory: String::new() };
                    while let Some(index) = deck.draw(&worker.directory) {
                        let Some(case) = cases.get(index) else { break };
                        let ran = worker.run(case).map(|ran| (index, ran));
                        let failed = ran.is_err();
                        if sender.send(ran).is_err() || failed {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut next = 0;
            for answer in answers {
                let (index, ran) = answer?;
                waiting.insert(index, ran);
                while let (Some(ran), Some(case)) = (waiting.remove(&next), cases.get(next)) {
                    tell(case, ran);
                    next += 1;
                }
            }
            Ok(())
        })
    }
}

struct Worker<'a> {
    suite: &'a Suite<'a>,
    table: Option<&'a Table>,
    program: Program,
    zygote: Option<Zygote>,
    directory: String,
}

impl Worker<'_> {
    fn run(&mut self, case: &Case) -> Result<Ran, SandboxError> {
        if let Some(reason) = refused(&case.path) {
            return Ok(self.ran(no_answer(Outcome::Error, reason)));
        }
        if self.directory != folder(&case.path) {
            self.zygote = None;
            self.directory = folder(&case.path).to_owned();
        }
        for attempt in 1..=ATTEMPTS {
            match self.attempt(case)? {
                Ok(answer) if answer.outcome == Outcome::Infrastructure && attempt < ATTEMPTS => {}
                Ok(answer) => return Ok(self.ran(answer)),
                Err(Silence::NotReady(log)) => {
                    let detail = format!("conftest files do not load: {}", last_line(&log));
                    return Ok(self.ran(Answer { log, ..no_answer(Outcome::Error, detail) }));
                }
                Err(Silence::Gone) => self.zygote = None,
            }
        }
        Ok(self.ran(no_answer(Outcome::Infrastructure, "the process that starts the tests died under it")))
    }

    fn attempt(&mut self, case: &Case) -> Result<Result<Answer, Silence>, SandboxError> {
        if self.zygote.is_none() {
            let suite = self.suite;
            match Zygote::start(suite, self.table, &self.anchor(), self.program)? {
                Ok(zygote) => self.zygote = Some(zygote),
                Err(silence) => return Ok(Err(silence)),
            }
        }
        Ok(self
            .zygote
            .as_mut()
            .map_or(Err(Silence::Gone), |zygote| zygote.ask(case, !case.source.is_empty())))
    }

    /// A file of the directory: pytest loads the conftest files for it. The directory itself would load those of
    /// its subfolders too.
    fn anchor(&self) -> String {
        let inside = format!("{}/", self.directory);
        let tests = &self.suite.environment.recipe.project.tests;
        let file = tests.iter().find(|path| folder(path) == self.directory);
        file.cloned().unwrap_or(inside)
    }

    fn ran(&self, answer: Answer) -> Ran {
        let none = BTreeMap::new();
        let base = self.zygote.as_ref().map_or(&none, |zygote| &zygote.base);
        let files = self.table.map(|table| table.lines(base, &answer.hit)).unwrap_or_default();
        Ran { answer, files }
    }
}

fn last_line(log: &str) -> &str {
    log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no word why")
}
