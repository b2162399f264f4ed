//! Segmentation: the tests of pairs cut into set-up and assertions, with the methods that they need to be
//! understood (ConTest, Villmow et al., NLP4Prog 2021, sections 3.3 and 3.4).
//!
//! Works for the data set `contest` only; for others the stage has no rows. It looks at places and calls, and of
//! texts only at the bodies of tests.

mod calls;
mod context;
mod cut;
mod members;
mod python;
mod regions;
#[cfg(test)]
mod tests;

use crate::export::{Dataset, contest};
use crate::matching::hash::HashMap;
use crate::matching::index::Index;
use crate::matching::resolution::{Key, Resolution, Target};
use crate::matching::tables::{Declaration, Tables};
use crate::records::{Dropped, Pair, Part, Record, SET_ASIDE, Schema, Segment};
use crate::stage::{Input, Output, RepositoryStage, StageError, Work, read, write};
use context::{Contexts, Scope};
use cut::Cut;
use std::collections::HashSet;
use trefoil_languages::{Guards, Language, Parser, Shape, Span, by_name};

/// The stage.
pub struct Segmentation;

static TABLES: [&Schema; 3] = [&Segment::SCHEMA, &SET_ASIDE, &Dropped::SCHEMA];
const NAME: &str = "segmentation";

impl RepositoryStage for Segmentation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        4
    }

    fn reads(&self) -> &'static [&'static str] {
        &["parsing", "matching"]
    }

    fn writes(&self) -> &'static [&'static Schema] {
        &TABLES
    }

    fn settings(&self, settings: &crate::Settings) -> serde_json::Value {
        match settings.export.dataset {
            Dataset::Contest => serde_json::json!(settings.export.contest),
            _ => serde_json::Value::Null,
        }
    }

    fn process(
        &self,
        work: &Work<'_>,
        input: &mut dyn Input,
        output: &mut dyn Output,
    ) -> Result<(), StageError> {
        if work.settings.export.dataset != Dataset::Contest {
            return Ok(());
        }
        let mut pairs: Vec<Pair> = read(input, "matching")?;
        if pairs.is_empty() {
            return Ok(());
        }
        pairs.sort_by(|a, b| (&a.path, a.start_byte, &a.id).cmp(&(&b.path, b.start_byte, &b.id)));
        let focal: HashSet<&str> = pairs.iter().map(|pair| pair.focal_path.as_str()).collect();
        let tables =
            Tables::read(input, |file, holds_tests| holds_tests || focal.contains(file.path.as_str()))?;
        let index = Index::new(&tables);
        let (mut segments, mut set_aside, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        for language in trefoil_languages::all() {
            let resolution = Resolution::new(&index, language);
            let mut segmenter = Segmenter::new(&resolution, &work.settings.export.contest);
            for pair in pairs.iter().filter(|pair| pair.language == language.name) {
                match segmenter.segment(pair) {
                    Ok(segment) if segment.reason.is_empty() => segments.push(segment),
                    Ok(segment) => {
                        let what =
                            "the last call of the focal method is no code of its own before the assertions";
                        dropped.push(Dropped::pair(pair, NAME, &segment.reason, what));
                        set_aside.push(segment);
                    }
                    Err((reason, detail)) => dropped.push(Dropped::pair(pair, NAME, reason, detail)),
                }
            }
        }
        write(output, &Segment::SCHEMA, &segments)?;
        write(output, &SET_ASIDE, &set_aside)?;
        Ok(write(output, &Dropped::SCHEMA, &dropped)?)
    }
}

/// Reasons of the tests that are set aside: cut, but with a call of the focal method in the assertions.
pub const SET_ASIDE_REASONS: [&str; 2] =
    [cut::FOCAL_CALL_IN_ASSERTION, cut::FOCAL_CALL_AND_ASSERTION_IN_ONE_STATEMENT];

/// Why a test has no segments: the reason word and what it means.
type Reason = (&'static str, &'static str);

/// Cuts the tests of one language of a repository.
struct Segmenter<'r, 'a> {
    resolution: &'r Resolution<'a>,
    settings: &'r contest::Settings,
    parser: Parser,
    /// Whether methods stand alone: most are in the contexts of many tests.
    standing: HashMap<Key, bool>,
}

impl<'r, 'a> Segmenter<'r, 'a> {
    fn new(resolution: &'r Resolution<'a>, settings: &'r contest::Settings) -> Self {
        Self { resolution, settings, parser: Parser::new(Guards::default()), standing: HashMap::default() }
    }

    fn segment(&mut self, pair: &Pair) -> Result<Segment, Reason> {
        let missing = ("not_in_tables", "the test or its focal method is not among the parsed declarations");
        let test = self.target(&pair.path, pair.test_ordinal).ok_or(missing)?;
        let focal = self.target(&pair.focal_path, pair.focal_ordinal).ok_or(missing)?;
        let calls = calls::focal_calls(self.resolution, test, focal);
        let last =
            calls.last().ok_or(("no_focal_call", "the test's own body does not call the focal method"))?;
        let language = by_name(&pair.language).ok_or(missing)?;
        let cut = cut::cut(&self.parser, language, test, last)?;
        let members = members::setup_members(self.resolution, test, focal, self.settings);
        let scope = Scope { test, focal, focal_calls: &calls, members: &members, settings: self.settings };
        let mut contexts = Contexts::new(self.resolution, scope);
        let setup = contexts.of_setup(&cut);
        let of_focal = contexts.of_focal();
        let parts =
            [(Part::SetupMember, &members), (Part::SetupContext, &setup), (Part::FocalContext, &of_focal)];
        let methods = parts.iter().flat_map(|(_, methods)| methods.iter()).chain([&focal]);
        if !methods.into_iter().all(|method| self.stands_alone(language, method)) {
            return Err((
                "method_not_parsed",
                "a method of the row is no code by itself or does not come back from its tree",
            ));
        }
        let mut segment = row(pair, &cut);
        for (part, methods) in parts {
            methods.iter().for_each(|method| add(&mut segment, part, method));
        }
        segment.calls_resolved = contexts.resolved;
        segment.calls_ambiguous = contexts.ambiguous;
        segment.calls_unknown = contexts.unknown;
        segment.methods_left_out = contexts.left_out;
        Ok(segment)
    }

    fn stands_alone(&mut self, language: &'static Language, method: &Target<'a>) -> bool {
        let Self { parser, standing, .. } = self;
        *standing.entry(method.key()).or_insert_with(|| stands_alone(parser, language, method))
    }

    fn target(&self, path: &str, ordinal: u32) -> Option<Target<'a>> {
        let file = self.resolution.index.file(path)?;
        Some(Target { file, declaration: file.declaration(ordinal)? })
    }
}

/// Whether a method is code without its file: conditional compilation may begin in front of it and end in it, and what
/// one condition leaves out is in no tree.
fn stands_alone(parser: &Parser, language: &'static Language, method: &Target<'_>) -> bool {
    let Declaration { start_byte, end_byte, .. } = method.declaration;
    let text = Span { start: *start_byte, end: *end_byte }.of(method.file.text);
    let path = &method.file.row.path;
    !(language.fragments.has_directives && text.contains('#'))
        || parser.comes_back(language, path, Shape::Member, text)
}

fn row(pair: &Pair, cut: &Cut) -> Segment {
    Segment {
        reason: cut.set_aside.unwrap_or_default().to_owned(),
        setup_start: cut.setup.start,
        setup_end: cut.setup.end,
        assertions_start: cut.assertions.start,
        assertions_end: cut.assertions.end,
        closing_start: cut.closing.start,
        closing_end: cut.closing.end,
        ..Segment::of(pair)
    }
}

fn add(segment: &mut Segment, part: Part, method: &Target<'_>) {
    let declaration = method.declaration;
    segment.method_parts.push(part.as_str().to_owned());
    segment.method_ids.push(declaration.id.clone());
    segment.method_names.push(declaration.qualified_name.clone());
    segment.method_paths.push(declaration.path.clone());
    segment.method_starts.push(declaration.start_byte);
    segment.method_ends.push(declaration.end_byte);
    segment.method_lines.push(declaration.first_line);
}
