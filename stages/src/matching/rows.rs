//! Verdicts as rows.

use super::index::File;
use super::tables::Declaration;
use super::verdict::{Ballot, MATCHED, Mode, Verdict};
use crate::records::{Dropped, Pair, Place, Repository, Subject, Vote, identity};
use crate::stage::{Output, TableError, write};
use std::sync::Arc;

/// Rows that are not written yet. A repository of a million votes must not be held as a whole.
pub(crate) struct Rows {
    host: Arc<str>,
    repository: Arc<str>,
    commit: Arc<str>,
    votes: Vec<Vote>,
    pairs: Vec<Pair>,
    dropped: Vec<Dropped>,
}

const BATCH: usize = 4_096;

impl Rows {
    pub(crate) fn new(repository: &Repository) -> Self {
        Self {
            host: repository.host.as_str().into(),
            repository: repository.repository.as_str().into(),
            commit: repository.commit.as_str().into(),
            votes: Vec::new(),
            pairs: Vec::new(),
            dropped: Vec::new(),
        }
    }

    /// The provenance of a file's rows.
    pub(crate) fn place(&self, file: &File<'_>) -> Place {
        Place {
            host: self.host.clone(),
            repository: self.repository.clone(),
            commit: self.commit.clone(),
            path: file.row.path.as_str().into(),
            blob_id: file.row.blob_id.as_str().into(),
        }
    }

    pub(crate) fn add_votes(&mut self, place: &Place, mode: &Mode, verdict: &Verdict<'_>) {
        let vote = |ballot: &Ballot<'_>| vote(place, mode, verdict.test, ballot);
        self.votes.extend(verdict.ballots.iter().map(vote));
    }

    /// The pair that the chosen mode makes of a test, or the reason why there is none.
    pub(crate) fn add_outcome(&mut self, place: &Place, file: &File<'_>, mode: &Mode, verdict: &Verdict<'_>) {
        let matched = verdict.ballots.iter().filter(|ballot| ballot.answer == MATCHED);
        let first = matched.clone().position(|ballot| ballot.focal.is_some());
        let pairs = matched
            .enumerate()
            .filter(|(at, ballot)| Some(*at) == first || ballot.confidence.is_some())
            .filter_map(|(_, ballot)| pair(place, file, mode, verdict.test, ballot));
        let before = self.pairs.len();
        self.pairs.extend(pairs);
        for (rank, pair) in (1..).zip(self.pairs.iter_mut().skip(before)) {
            pair.rank = rank;
        }
        // Only test cases of parsing's are dropped; what else a mode takes for tests has its votes.
        if let (None, Some(last)) = (first, verdict.ballots.last())
            && file.is_test_case(verdict.test)
        {
            self.add_dropped(place, file, verdict.test, last.answer, last.detail.clone());
        }
    }

    pub(crate) fn add_dropped(
        &mut self,
        place: &Place,
        file: &File<'_>,
        test: &Declaration,
        reason: &str,
        detail: String,
    ) {
        self.dropped.push(Dropped {
            host: place.host.clone(),
            repository: place.repository.clone(),
            commit: place.commit.clone(),
            path: place.path.clone(),
            blob_id: place.blob_id.clone(),
            start_byte: test.start_byte,
            end_byte: test.end_byte,
            first_line: test.first_line,
            last_line: test.last_line,
            stage: super::NAME.to_owned(),
            subject: Subject::TestCase.as_str().to_owned(),
            id: test.id.clone(),
            language: file.row.language.to_string(),
            name: test.qualified_name.clone(),
            reason: reason.to_owned(),
            detail,
        });
    }

    pub(crate) fn is_full(&self) -> bool {
        self.votes.len() >= BATCH || self.dropped.len() >= BATCH
    }

    pub(crate) fn write(&mut self, output: &mut dyn Output) -> Result<(), TableError> {
        let [votes, pairs, dropped] = super::TABLES;
        write(output, votes, &self.votes)?;
        write(output, pairs, &self.pairs)?;
        write(output, dropped, &self.dropped)?;
        self.votes.clear();
        self.pairs.clear();
        self.dropped.clear();
        Ok(())
    }
}

fn vote(place: &Place, mode: &Mode, test: &Declaration, ballot: &Ballot<'_>) -> Vote {
    Vote {
        host: place.host.clone(),
        repository: place.repository.clone(),
        commit: place.commit.clone(),
        path: place.path.clone(),
        blob_id: place.blob_id.clone(),
        start_byte: test.start_byte,
        end_byte: test.end_byte,
        first_line: test.first_line,
        last_line: test.last_line,
        test_id: test.id.clone(),
        test_name: test.qualified_name.clone(),
        mode: mode.name.into(),
        rule: ballot.rule.into(),
        answer: ballot.answer.into(),
        confidence: ballot.confidence,
        focal_id: ballot.focal.map_or_else(String::new, |focal| focal.id.clone()),
        focal_path: ballot.focal_file.map_or_else(String::new, |file| file.row.path.clone()),
        focal_name: ballot.focal.map_or_else(String::new, |focal| focal.qualified_name.clone()),
        focal_line: ballot.focal.map_or(0, |focal| focal.first_line),
        detail: ballot.detail.clone(),
    }
}

fn pair(
    place: &Place,
    file: &File<'_>,
    mode: &Mode,
    test: &Declaration,
    ballot: &Ballot<'_>,
) -> Option<Pair> {
    let (focal_file, focal) = (ballot.focal_file?, ballot.focal?);
    Some(Pair {
        host: place.host.clone(),
        repository: place.repository.clone(),
        commit: place.commit.clone(),
        path: place.path.clone(),
        blob_id: place.blob_id.clone(),
        start_byte: test.start_byte,
        end_byte: test.end_byte,
        first_line: test.first_line,
        last_line: test.last_line,
        id: identity(&[&test.id, &focal.id]),
        test_id: test.id.clone(),
        language: file.row.language.to_string(),
        test_name: test.qualified_name.clone(),
        test_kind: if test.kind == "method" { "method" } else { "function" }.to_owned(),
        test_ordinal: test.ordinal,
        mode: mode.name.to_owned(),
        rule: ballot.rule.to_owned(),
        confidence: ballot.confidence,
        rank: 1,
        focal_id: focal.id.clone(),
        focal_name: focal.qualified_name.clone(),
        focal_kind: focal.kind.to_string(),
        focal_ordinal: focal.ordinal,
        focal_path: focal.path.clone(),
        focal_blob_id: focal_file.row.blob_id.clone(),
        focal_start_byte: focal.start_byte,
        focal_end_byte: focal.end_byte,
        focal_first_line: focal.first_line,
        focal_last_line: focal.last_line,
        text_digest: String::new(),
        test_digest: String::new(),
        characters: 0,
    })
}
