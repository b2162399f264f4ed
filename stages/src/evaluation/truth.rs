//! Labels found among the declarations of a run.

use super::labels::{Label, Labels, Named, has_parameters};
use super::rows::DeclarationRow;
use crate::records::RepositoryKey;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

/// What people say of the tests of a run.
#[derive(Debug, Default)]
pub struct Truth {
    /// Tests that were found, by id.
    pub(super) tests: HashMap<String, LabelledTest>,
    /// Labelled tests of each language that were not found: those with a focal method, and those without.
    pub(super) not_found: BTreeMap<String, (u64, u64)>,
    /// Labels that match nothing in the run.
    pub unmatched: Vec<Unmatched>,
}

/// A labelled test; without links it has no focal method.
#[derive(Debug, Default)]
pub(super) struct LabelledTest {
    pub(super) language: String,
    pub(super) repository: String,
    /// Path and qualified name of the focal methods: what overloads have in common.
    pub(super) functions: BTreeSet<(String, String)>,
    pub(super) links: Vec<Link>,
    /// How many of the links name what no declaration makes.
    pub(super) undeclared: usize,
}

impl LabelledTest {
    /// Whether none of its focal methods is a declaration, so that nobody can find them.
    pub(super) fn is_unreachable(&self) -> bool {
        !self.links.is_empty() && self.undeclared == self.links.len()
    }

    /// Whether a declaration is one of its focal methods.
    pub(super) fn is_declaration(&self, id: &str) -> bool {
        self.links.iter().any(|link| link.id.as_deref() == Some(id))
    }

    /// Whether one of its focal methods has this path and qualified name.
    pub(super) fn is_function(&self, path: &str, qualified_name: &str) -> bool {
        self.functions.iter().any(|(own_path, own)| own_path == path && own == qualified_name)
    }
}

/// A labelled focal method.
#[derive(Debug, PartialEq)]
pub(super) struct Link {
    /// Id of the declaration; none where the run does not have it.
    pub(super) id: Option<String>,
    /// Name without classes.
    pub(super) name: String,
}

/// A label that matches nothing in a run.
#[derive(Debug, PartialEq)]
pub struct Unmatched {
    /// File of labels.
    pub file: PathBuf,
    /// Line in it.
    pub line: usize,
    /// What is not there.
    pub problem: String,
}

impl std::fmt::Display for Unmatched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.problem)
    }
}

impl Labels {
    /// Whether a label may mean the declaration. Who reads a run's declarations keeps these only.
    pub fn mention(&self) -> impl Fn(&DeclarationRow) -> bool {
        let named = self.all.iter().flat_map(|label| [Some(&label.test), label.focal.as_ref()]).flatten();
        let (mut paths, mut names) = (HashSet::new(), HashSet::new());
        for named in named {
            match named {
                Named::At { path, .. } => paths.insert(path.as_str()),
                Named::Java { .. } => names.insert(named.simple_name()),
            };
        }
        move |row| paths.contains(row.path.as_str()) || names.contains(row.name.as_str())
    }
}

impl Truth {
    /// Finds the labels among the declarations of a run, at least those that they [mention](Labels::mention).
    pub fn new(labels: &Labels, repositories: &[RepositoryKey], declarations: Vec<DeclarationRow>) -> Self {
        let run = Run::new(repositories, &declarations);
        let mut truth = Self::default();
        let mut lost: HashMap<String, (String, bool)> = HashMap::new();
        for label in &labels.all {
            let found = run.test(label).map_err(|problem| truth.report(label, problem));
            let Ok(test) = found else {
                let key = format!("{:?} {:?}", label.repository, label.test);
                let (_, has_focal) = lost.entry(key).or_insert((language_of(&label.test), false));
                *has_focal |= label.focal.is_some();
                continue;
            };
            let entry = truth.tests.entry(test.id.clone()).or_default();
            entry.language.clone_from(&test.language);
            entry.repository.clone_from(&test.repository);
            let Some(focal) = &label.focal else { continue };
            let found = run.declaration(label, focal);
            let link = Link {
                id: found.as_ref().ok().map(|focal| focal.id.clone()),
                name: focal.simple_name().to_owned(),
            };
            if let Ok(focal) = found {
                entry.functions.insert((focal.path.clone(), focal.qualified_name.clone()));
            }
            if !entry.links.contains(&link) {
                entry.links.push(link);
                entry.undeclared += usize::from(!focal.is_declared());
            }
            if let (Err(problem), true) = (found, focal.is_declared()) {
                truth.report(label, format!("focal method: {problem}"));
            }
        }
        for (language, has_focal) in lost.into_values() {
            let (with, without) = truth.not_found.entry(language).or_default();
            *(if has_focal { with } else { without }) += 1;
        }
        truth
    }

    /// Whether no labelled test was found.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Whether a test is labelled.
    pub fn has(&self, test_id: &str) -> bool {
        self.tests.contains_key(test_id)
    }

    /// The tests that were found, by the order of their ids.
    pub(super) fn in_order(&self) -> BTreeMap<&String, &LabelledTest> {
        self.tests.iter().collect()
    }

    fn report(&mut self, label: &Label, problem: String) {
        self.unmatched.push(Unmatched { file: label.file.clone(), line: label.line, problem });
    }
}

fn language_of(test: &Named) -> String {
    let path = match test {
        Named::At { path, .. } => path,
        Named::Java { .. } => "Test.java",
    };
    trefoil_languages::of_path(path).map_or("unknown", |language| language.name).to_owned()
}

/// The declarations of a run, by what labels name them by.
struct Run<'a> {
    /// Commits by name of the repository.
    commits: BTreeMap<&'a str, &'a str>,
    by_path: HashMap<(&'a str, &'a str), Vec<&'a DeclarationRow>>,
    by_name: HashMap<&'a str, Vec<&'a DeclarationRow>>,
}

impl<'a> Run<'a> {
    fn new(repositories: &'a [RepositoryKey], declarations: &'a [DeclarationRow]) -> Self {
        let commits = repositories.iter().map(|row| (row.repository.as_str(), row.commit.as_str())).collect();
        let (mut by_path, mut by_name): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for row in declarations {
            by_path.entry((row.repository.as_str(), row.path.as_str())).or_default().push(row);
            by_name.entry(row.name.as_str()).or_default().push(row);
        }
        Self { commits, by_path, by_name }
    }

    fn test(&self, label: &Label) -> Result<&'a DeclarationRow, String> {
        self.check_repository(label)?;
        let found = self.declaration(label, &label.test).map_err(|problem| format!("test: {problem}"))?;
        match found.role.as_str() {
            "test" => Ok(found),
            _ => Err(format!("test: `{}` of {} is no test case", found.qualified_name, found.path)),
        }
    }

    fn check_repository(&self, label: &Label) -> Result<(), String> {
        let Some((name, commit)) = &label.repository else { return Ok(()) };
        let Some(read) = self.commits.get(name.as_str()) else {
            let known: Vec<&str> = self.commits.keys().copied().collect();
            return Err(format!("the run has no repository `{name}`; it has {}", known.join(", ")));
        };
        if read != commit {
            return Err(format!("the run has {name} at {read}, the label is for {commit}"));
        }
        Ok(())
    }

    fn declaration(&self, label: &Label, named: &Named) -> Result<&'a DeclarationRow, String> {
        match named {
            Named::At { path, line, name } => {
                let repository = label.repository.as_ref().map_or("", |(name, _)| name.as_str());
                let Some(rows) = self.by_path.get(&(repository, path.as_str())) else {
                    return Err(format!("the run has no declarations in {path}"));
                };
                at_line(rows, *line, name).ok_or_else(|| format!("no `{name}` at line {line} of {path}"))
            }
            Named::Java { name, parameters } => {
                let rows = self.by_name.get(named.simple_name()).map_or(&[][..], Vec::as_slice);
                of_java_name(rows, name, parameters)
            }
        }
    }
}

/// The innermost declaration around a line that has the name. Where either name is no word (the title of a
/// test, an operator) the one that begins on the line is meant.
fn at_line<'a>(rows: &[&'a DeclarationRow], line: u32, name: &str) -> Option<&'a DeclarationRow> {
    let around = rows.iter().copied().filter(|row| row.first_line <= line && line <= row.last_line);
    let named = around.clone().filter(|row| {
        let before = name.strip_suffix(row.name.as_str());
        before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ' ', '>']))
    });
    let mut begins = around.filter(|row| row.first_line == line && !(is_word(name) && is_word(&row.name)));
    named.max_by_key(|row| row.first_line).or_else(|| begins.next_back())
}

fn is_word(name: &str) -> bool {
    name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$' | '#'))
}

fn of_java_name<'a>(
    rows: &[&'a DeclarationRow],
    name: &str,
    parameters: &[String],
) -> Result<&'a DeclarationRow, String> {
    let overloads: Vec<&DeclarationRow> =
        rows.iter().copied().filter(|row| has_java_name(row, name)).collect();
    let fits = |row: &&&DeclarationRow| has_parameters(&row.parameter_types, parameters);
    let mut exact = overloads.iter().filter(fits);
    match (exact.next(), exact.next(), &overloads[..]) {
        (Some(only), None, _) => Ok(only),
        (Some(first), Some(second), _) => Err(format!(
            "`{name}` is in {}/{} and in {}/{}",
            first.repository, first.path, second.repository, second.path
        )),
        (None, _, [only]) => Ok(only),
        (None, _, []) => Err(format!("the run has no `{name}`")),
        (None, ..) => Err(format!("no `{name}` takes ({})", parameters.join(", "))),
    }
}

/// Whether a declaration is the one of a fully qualified name: what stands before its own classes and name
/// is the package, and a package's files lie in folders of its parts.
fn has_java_name(row: &DeclarationRow, name: &str) -> bool {
    let package = name.strip_suffix(&row.qualified_name).and_then(|rest| rest.strip_suffix('.'));
    let folder = row.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    package.is_some_and(|package| {
        let wanted = package.replace('.', "/");
        folder.strip_suffix(&wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    })
}
