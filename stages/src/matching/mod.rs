//! Matching: from test cases to focal methods.
//!
//! Every mode votes on every test of its language, rule by rule; the mode that the settings choose for the
//! language makes the pairs. A mode is one file and one line in [`modes`]. Modes see names, paths and calls
//! only: the texts of the methods stay with parsing.

mod callables;
mod combined;
mod contest;
pub(crate) mod hash;
pub(crate) mod index;
mod last_call;
mod location;
mod methods2test;
mod naming;
pub(crate) mod resolution;
mod rows;
pub(crate) mod tables;
mod test_calls;
#[cfg(test)]
mod tests;
mod unitsyn;
mod unittests_csharp;
mod unittests_go;
mod unittests_javascript;
mod unittests_python;
mod verdict;
mod words;

#[cfg(test)]
pub(crate) mod memory;

use crate::records::{Dropped, Pair, Record, Schema, Vote};
use crate::stage::{Input, Output, RepositoryStage, StageError, Work};
use index::{File, Index};
use resolution::Resolution;
use rows::Rows;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tables::Tables;
use verdict::{Earlier, Matcher, Mode, Verdict};

/// Settings of matching.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The mode that makes the pairs, for each language.
    pub modes: BTreeMap<String, String>,
    /// Which modes vote on each test.
    pub votes: Voters,
    /// Settings of the mode `combined`.
    pub combined: combined::Settings,
}

/// Which modes vote on each test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Voters {
    /// All that there are for the language.
    #[default]
    All,
    /// The one that makes the pairs, and those that it asks.
    Chosen,
}

impl Default for Settings {
    fn default() -> Self {
        let modes = [
            ("csharp", "unittests-csharp"),
            ("go", "unittests-go"),
            ("java", "methods2test-fixed"),
            ("javascript", "unittests-js"),
            ("python", "unittests-python"),
        ];
        let modes = modes.map(|(language, mode)| (language.to_owned(), mode.to_owned())).into();
        Self { modes, votes: Voters::default(), combined: combined::Settings::default() }
    }
}

/// THE list of modes, in the order of their votes.
fn modes() -> &'static [&'static Mode] {
    static MODES: [&Mode; 10] = [
        &methods2test::AS_SHIPPED,
        &methods2test::FIXED,
        &methods2test::UNIT_TESTS,
        &unittests_python::MODE,
        &unittests_go::MODE,
        &unittests_csharp::MODE,
        &unittests_javascript::MODE,
        &contest::MODE,
        &unitsyn::MODE,
        // Last, since it asks what the others say.
        &combined::MODE,
    ];
    &MODES
}

/// The place of a mode in the list, by its name.
pub(crate) fn place_of(mode: &str) -> Option<usize> {
    modes().iter().position(|known| known.name == mode)
}

/// Names of the modes for a language, for messages.
fn names_for(language: &str) -> Vec<&'static str> {
    modes().iter().filter(|mode| mode.is_for(language)).map(|mode| mode.name).collect()
}

/// Whether each language in the settings is known and each mode is one for that language; the message says
/// which words would be right.
pub fn check(settings: &Settings) -> Result<(), String> {
    for (language, mode) in &settings.modes {
        if trefoil_languages::by_name(language).is_none() {
            let known: Vec<&str> = trefoil_languages::all().iter().map(|language| language.name).collect();
            return Err(format!("matching.modes: no language `{language}`; there are {}", known.join(", ")));
        }
        if chosen(settings, language).is_none() {
            let known = names_for(language);
            let nearest = match known.iter().rev().max_by_key(|known| shared_prefix(known, mode)) {
                Some(nearest) => format!("did you mean `{nearest}`? There are {}", known.join(", ")),
                None => "the language has none yet".to_owned(),
            };
            return Err(format!("matching.modes.{language}: no mode `{mode}` for {language}; {nearest}"));
        }
    }
    Ok(())
}

/// The mode that makes the pairs of a language.
fn chosen(settings: &Settings, language: &str) -> Option<&'static Mode> {
    let wanted = settings.modes.get(language)?;
    modes().iter().copied().find(|mode| mode.name == wanted && mode.is_for(language))
}

fn shared_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

const NAME: &str = "matching";
static TABLES: [&Schema; 3] = [&Vote::SCHEMA, &Pair::SCHEMA, &Dropped::SCHEMA];

/// The stage.
pub struct Matching;

impl RepositoryStage for Matching {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        9
    }

    fn reads(&self) -> &'static [&'static str] {
        &["parsing"]
    }

    fn writes(&self) -> &'static [&'static Schema] {
        &TABLES
    }

    fn settings(&self, settings: &crate::Settings) -> serde_json::Value {
        // What `combined` answers depends on its weights, which are fitted anew now and then.
        serde_json::json!({ "matching": settings.matching, "fitted": combined::fitted() })
    }

    fn process(
        &self,
        work: &Work<'_>,
        input: &mut dyn Input,
        output: &mut dyn Output,
    ) -> Result<(), StageError> {
        let settings = &work.settings.matching;
        check(settings).map_err(|detail| StageError::Repository { reason: "unknown_mode", detail })?;
        let tables = Tables::read(input, |file, holds_tests| {
            holds_tests && voters(settings, &file.language).any(Mode::resolves)
        })?;
        let index = Index::new(&tables);
        let resolutions: Vec<Resolution<'_>> = trefoil_languages::all()
            .iter()
            .filter(|language| index.of_language(language.name).next().is_some())
            .map(|language| Resolution::new(&index, language))
            .collect();
        let at_work: Vec<AtWork<'_>> =
            resolutions.iter().flat_map(|resolution| AtWork::on(resolution, settings)).collect();
        let mut rows = Rows::new(work.repository);
        for file in &index.files {
            match_file(file, &at_work, settings, &mut rows);
            if rows.is_full() {
                rows.write(output)?;
            }
        }
        Ok(rows.write(output)?)
    }
}

/// A mode with what it prepared for the files of one language of the repository at hand.
struct AtWork<'a> {
    mode: &'static Mode,
    language: &'static str,
    matcher: Box<dyn Matcher<'a> + 'a>,
}

impl<'a> AtWork<'a> {
    /// The modes that vote on the tests of a language.
    fn on(resolution: &'a Resolution<'a>, settings: &Settings) -> impl Iterator<Item = Self> + use<'a> {
        let language = resolution.language.name;
        let at_work = voters(settings, language);
        at_work.map(move |mode| Self { mode, language, matcher: mode.matcher(resolution) })
    }
}

/// The modes that vote on the tests of a language.
fn voters<'l>(settings: &Settings, language: &'l str) -> impl Iterator<Item = &'static Mode> + use<'l> {
    let chosen = chosen(settings, language).map(|mode| mode.name);
    // `combined` asks all others.
    let all = settings.votes == Voters::All || chosen == Some(combined::MODE.name);
    let is_wanted = move |mode: &&&Mode| mode.is_for(language) && (all || chosen == Some(mode.name));
    modes().iter().filter(is_wanted).copied()
}

fn match_file<'a>(file: &'a File<'a>, at_work: &[AtWork<'a>], settings: &Settings, rows: &mut Rows) {
    let chosen = chosen(settings, &file.row.language);
    let place = rows.place(file);
    if chosen.is_none() {
        for test in file.test_cases() {
            let detail = format!("matching.modes names no mode for {}", file.row.language);
            rows.add_dropped(&place, file, test, "no_mode_for_language", detail);
        }
    }
    let mut verdicts: Vec<(&'static Mode, Verdict<'_>)> = Vec::new();
    for AtWork { mode, matcher, .. } in at_work.iter().filter(|one| one.language == file.row.language) {
        let earlier = Earlier { verdicts: &verdicts, settings };
        let judged = matcher.judge_after(file, &earlier);
        verdicts.extend(judged.into_iter().map(|verdict| (*mode, verdict)));
    }
    // Stable: the modes keep their order within a test.
    verdicts.sort_by_key(|(_, verdict)| (verdict.test.start_byte, verdict.test.ordinal));
    for (mode, verdict) in &verdicts {
        rows.add_votes(&place, mode, verdict);
        if chosen.is_some_and(|chosen| chosen.name == mode.name) {
            rows.add_outcome(&place, file, mode, verdict);
        }
    }
}
