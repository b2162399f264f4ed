//! Texts in, duplicates out.

use crate::banding::Banding;
use crate::candidates::Banded;
use crate::clusters::{Clusters, Forest};
use crate::sets::{Buffer, Sets};
use crate::shingles::{Shingler, jaccard, mix};
use crate::sketch::sketch;
use crate::tokens::Comments;
use crate::{DuplicatesError, Settings};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};

/// A text to be compared with the others.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The code.
    pub code: &'a str,
    /// How its comments begin.
    pub comments: Comments,
}

/// Two texts that are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// Number of the first.
    pub first: u32,
    /// Number of the second, which is larger.
    pub second: u32,
    /// Their Jaccard index.
    pub likeness: f64,
}

/// Finds what is alike among the texts that were added. Texts are numbered in their order.
///
/// Texts with the same set of shingles are one from the start, which also keeps copies out of the comparisons.
///
/// Memory: for each text 4 bytes; for each distinct set 4 bytes a band (92 at the default threshold), 8 for its
/// place, about 30 to know it again and, while candidates are compared, 33; besides, [`Settings::memory_bytes`] of
/// sets. That makes 1.7 GB of 10 million texts that are all different, and 0.5 GB of sets.
pub struct Detector {
    settings: Settings,
    banding: Banding,
    /// Distinct set of each text.
    of_text: Vec<u32>,
    /// Distinct set by its digest.
    known: HashMap<u64, u32, BuildHasherDefault<Digested>>,
    sets: Sets,
    sizes: Vec<u32>,
    hashes: Vec<u32>,
}

impl Detector {
    /// A detector; sets beyond [`Settings::memory_bytes`] go to `scratch`, an empty file that the caller removes.
    pub fn new(settings: &Settings, scratch: Option<File>) -> Self {
        Self {
            settings: *settings,
            banding: Banding::new(settings.threshold),
            of_text: Vec::new(),
            known: HashMap::default(),
            sets: Sets::new(settings.memory_bytes, scratch),
            sizes: Vec::new(),
            hashes: Vec::new(),
        }
    }

    /// Adds texts; a thousand or so at a time keep all threads busy.
    pub fn add(&mut self, texts: &[Text<'_>]) -> Result<(), DuplicatesError> {
        let banding = self.banding;
        let start = || (Shingler::new(&self.settings), vec![0; banding.places()]);
        let made: Vec<Made> = texts
            .par_iter()
            .with_min_len(16)
            .map_init(start, |(shingler, signature), text| Made::new(text, shingler, signature, banding))
            .collect();
        made.iter().try_for_each(|made| self.insert(made))
    }

    fn insert(&mut self, made: &Made) -> Result<(), DuplicatesError> {
        let next = u32::try_from(self.sizes.len()).map_err(|_| DuplicatesError::TooMany)?;
        // A text without tokens is like nothing.
        let known = match made.set.is_empty() {
            true => next,
            false => *self.known.entry(made.digest).or_insert(next),
        };
        self.of_text.push(known);
        if known == next {
            self.sets.add(&made.set)?;
            self.sizes.push(made.set.len() as u32);
            self.hashes.extend_from_slice(&made.hashes);
        }
        if self.of_text.len() > u32::MAX as usize { Err(DuplicatesError::TooMany) } else { Ok(()) }
    }

    /// Number of texts so far.
    pub fn len(&self) -> usize {
        self.of_text.len()
    }

    /// Whether there is no text yet.
    pub fn is_empty(&self) -> bool {
        self.of_text.is_empty()
    }

    fn banded(&self) -> Banded<'_> {
        let Self { banding, hashes, sizes, settings, .. } = self;
        Banded { hashes, bands: banding.bands, sizes, threshold: settings.threshold }
    }

    /// The clusters of texts that are alike, directly or by way of others.
    pub fn clusters(&mut self) -> Result<Clusters, DuplicatesError> {
        self.sets.flush()?;
        let mut forest = Forest::new(self.sizes.len());
        self.banded().visit(|candidates| {
            let open: Vec<(u32, u32)> =
                candidates.iter().copied().filter(|&(a, b)| forest.root(a) != forest.root(b)).collect();
            for (a, b, _) in self.alike(&open)? {
                forest.join(a, b);
            }
            Ok(())
        })?;
        let mut first = HashMap::new();
        let of = (0..).zip(&self.of_text).map(|(text, set)| *first.entry(forest.root(*set)).or_insert(text));
        Ok(Clusters { of: of.collect() })
    }

    /// Every two texts that are alike, sorted. A cluster of n copies has n (n - 1) / 2 such pairs, so this is for
    /// samples and tests; [`Self::clusters`] is for everything else.
    pub fn pairs(&mut self) -> Result<Vec<Alike>, DuplicatesError> {
        self.sets.flush()?;
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.sizes.len()];
        for (text, set) in (0..).zip(&self.of_text) {
            members.get_mut(*set as usize).into_iter().for_each(|members| members.push(text));
        }
        let of = |set: u32| members.get(set as usize).map_or(&[][..], Vec::as_slice);
        let mut all = Vec::new();
        for (place, copies) in members.iter().enumerate().filter(|(_, copies)| copies.len() > 1) {
            let set = place as u32;
            all.extend(
                copies.iter().flat_map(|&a| of(set).iter().map(move |&b| (a, b, 1.0))).filter(|p| p.0 < p.1),
            );
        }
        self.banded().visit(|candidates| {
            for (a, b, likeness) in self.alike(candidates)? {
                let both =
                    of(a).iter().flat_map(|&x| of(b).iter().map(move |&y| (x.min(y), x.max(y), likeness)));
                all.extend(both);
            }
            Ok(())
        })?;
        all.sort_unstable_by_key(|&(first, second, _)| (first, second));
        all.dedup_by_key(|(first, second, _)| (*first, *second));
        Ok(all.into_iter().map(|(first, second, likeness)| Alike { first, second, likeness }).collect())
    }

    /// The Jaccard index of two texts that were added, whatever it is.
    pub fn likeness(&mut self, first: u32, second: u32) -> Result<f64, DuplicatesError> {
        self.sets.flush()?;
        let set = |text: u32| self.of_text.get(text as usize).copied().unwrap_or(u32::MAX);
        match (set(first), set(second)) {
            (a, b) if a == b => Ok(1.0),
            (a, b) => self.compare(a, b, &mut Default::default()),
        }
    }

    /// Those of the pairs of sets that are alike.
    fn alike(&self, pairs: &[(u32, u32)]) -> Result<Vec<(u32, u32, f64)>, DuplicatesError> {
        let compare = |buffers: &mut (Buffer, Buffer), &(a, b): &(u32, u32)| {
            let likeness = self.compare(a, b, buffers);
            likeness.map(|likeness| (likeness >= self.settings.threshold).then_some((a, b, likeness)))
        };
        let compared = pairs.par_iter().with_min_len(64).map_init(Default::default, compare);
        compared.filter_map(Result::transpose).collect()
    }

    fn compare(&self, a: u32, b: u32, buffers: &mut (Buffer, Buffer)) -> Result<f64, DuplicatesError> {
        let (left, right) = buffers;
        Ok(jaccard(self.sets.get(a, left)?, self.sets.get(b, right)?))
    }
}

/// What a text becomes.
struct Made {
    set: Vec<u32>,
    /// Of the set.
    digest: u64,
    hashes: Vec<u32>,
}

impl Made {
    fn new(text: &Text<'_>, shingler: &mut Shingler, signature: &mut [u64], banding: Banding) -> Self {
        let mut set = Vec::new();
        shingler.set(text.code, text.comments, &mut set);
        if set.is_empty() {
            return Self { set, digest: 0, hashes: vec![0; banding.bands] };
        }
        sketch(&set, signature);
        let digest = set.iter().fold(set.len() as u64, |digest, element| mix(digest ^ u64::from(*element)));
        Self { set, digest, hashes: banding.hashes(signature).collect() }
    }
}

/// A hasher for what is a hash already.
#[derive(Default)]
struct Digested(u64);

impl Hasher for Digested {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| mix(hash ^ u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
