//! A test cut into set-up and assertions, with the methods that belong to it (ConTest).

use super::{Pair, record};

record! {
    /// One segmented pair. The provenance columns are the test's; texts are spans of files.
    ///
    /// The parts of the test follow each other: what stands before its body's first line, set-up, assertions, what
    /// closes the set-up, what closes the body. Only white space lies between them.
    pub struct Segment placed "segments" version 2 {
        /// Id of the pair.
        id: String,
        /// Id of the test case.
        test_id: String,
        /// Language.
        language: String,
        /// Why the test is set aside; empty for one that is not.
        reason: String,
        /// First byte of the set-up code.
        setup_start: u32,
        /// Its end.
        setup_end: u32,
        /// First byte of the assertion code.
        assertions_start: u32,
        /// Its end.
        assertions_end: u32,
        /// First byte of what of the set-up stands behind the assertions: the end of the loop or block around the cut.
        closing_start: u32,
        /// Its end; the same where there is nothing.
        closing_end: u32,
        /// What each method is to the test: `setup_member`, `setup_context`, `focal_context` (see [`Part`]).
        method_parts: Vec<String>,
        /// Ids of the methods.
        method_ids: Vec<String>,
        /// Qualified names of the methods.
        method_names: Vec<String>,
        /// Their paths.
        method_paths: Vec<String>,
        /// Their first bytes.
        method_starts: Vec<u32>,
        /// Their ends.
        method_ends: Vec<u32>,
        /// Their first lines.
        method_lines: Vec<u32>,
        /// Calls of set-up, focal method and contexts whose declaration, or that there is none here, is known.
        calls_resolved: u32,
        /// Those that mean one of several overloads; all of them are taken.
        calls_ambiguous: u32,
        /// Those of which reading does not tell, though a method of the name is near enough to be context.
        calls_unknown: u32,
        /// Context methods that the budget left out.
        methods_left_out: u32,
    }
}

impl Segment {
    /// The segment of a pair with nothing in it yet.
    pub fn of(pair: &Pair) -> Self {
        Self {
            host: pair.host.clone(),
            repository: pair.repository.clone(),
            commit: pair.commit.clone(),
            path: pair.path.clone(),
            blob_id: pair.blob_id.clone(),
            start_byte: pair.start_byte,
            end_byte: pair.end_byte,
            first_line: pair.first_line,
            last_line: pair.last_line,
            id: pair.id.clone(),
            test_id: pair.test_id.clone(),
            language: pair.language.clone(),
            reason: String::new(),
            setup_start: 0,
            setup_end: 0,
            assertions_start: 0,
            assertions_end: 0,
            closing_start: 0,
            closing_end: 0,
            method_parts: Vec::new(),
            method_ids: Vec::new(),
            method_names: Vec::new(),
            method_paths: Vec::new(),
            method_starts: Vec::new(),
            method_ends: Vec::new(),
            method_lines: Vec::new(),
            calls_resolved: 0,
            calls_ambiguous: 0,
            calls_unknown: 0,
            methods_left_out: 0,
        }
    }
}

/// The table of tests that call the focal method in their assertions: the same columns, the reason filled in.
pub const SET_ASIDE: super::Schema =
    super::Schema { name: "set_aside", ..<Segment as super::Record>::SCHEMA };

/// What a method is to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Runs before the test.
    SetupMember,
    /// Called while the test is set up.
    SetupContext,
    /// Called by the focal method.
    FocalContext,
}

impl Part {
    /// All of them, in the order of a segment's methods.
    pub const ALL: [Self; 3] = [Self::SetupMember, Self::SetupContext, Self::FocalContext];

    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SetupMember => "setup_member",
            Self::SetupContext => "setup_context",
            Self::FocalContext => "focal_context",
        }
    }
}

record! {
    /// The columns of [`Segment`] that are counted.
    pub struct SegmentKey "segments" version 2 {
        /// Language.
        language: String,
        /// Calls whose meaning is known.
        calls_resolved: u32,
        /// Calls of one of several overloads.
        calls_ambiguous: u32,
        /// Calls of which reading does not tell.
        calls_unknown: u32,
    }
}
