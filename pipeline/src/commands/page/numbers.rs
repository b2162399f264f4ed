//! What the page counts over all rows.

use super::row::{Counted, PageRow};
use crate::engine::plan::RunContext;
use anyhow::Result;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use trefoil_shards::read_table;
use trefoil_stages::records::DedupDecision;

type Counts = BTreeMap<String, u64>;

/// The counts.
#[derive(Default, Serialize)]
pub struct Numbers {
    licences: Counts,
    rules: Counts,
    /// By tenths: `0.9` holds 0.9 up to 1.
    confidence: Counts,
    /// By powers of two of the characters: the upper border.
    test_lengths: BTreeMap<u64, u64>,
    focal_lengths: BTreeMap<u64, u64>,
    context_lengths: BTreeMap<u64, u64>,
    /// Clusters of more than one test, focal method and pair by their sizes (again by powers of two).
    clusters: BTreeMap<&'static str, BTreeMap<u64, u64>>,
}

impl Numbers {
    /// Counts a row.
    pub fn add(&mut self, row: &impl PageRow) {
        let Counted { licence, matched: (mode, rule), confidence, lengths } = row.counted();
        let licence = if licence.is_empty() { "not known" } else { licence };
        *self.licences.entry(licence.to_owned()).or_default() += 1;
        *self.rules.entry(format!("{mode}: {rule}")).or_default() += 1;
        let confidence = match confidence {
            Some(confidence) => format!("{:.1}", (confidence * 10.0).floor().min(9.0) / 10.0),
            None => "none said".to_owned(),
        };
        *self.confidence.entry(confidence).or_default() += 1;
        let counts = [&mut self.test_lengths, &mut self.focal_lengths, &mut self.context_lengths];
        for (counts, length) in counts.into_iter().zip(lengths) {
            *counts.entry(border(length as u64)).or_default() += 1;
        }
    }

    /// Counts the clusters of near-duplicates among all pairs that passed the filters.
    pub fn add_clusters(&mut self, context: &RunContext) -> Result<()> {
        let mut sizes: [HashMap<String, u64>; 3] = Default::default();
        read_table(&context.folder.shard("dedup", 0).join("decisions.parquet"), |row: DedupDecision| {
            for (sizes, name) in sizes.iter_mut().zip([row.test_cluster, row.focal_cluster, row.pair_cluster])
            {
                *sizes.entry(name).or_default() += 1;
            }
        })?;
        for (kind, sizes) in ["tests", "focal methods", "pairs"].into_iter().zip(sizes) {
            let counts = self.clusters.entry(kind).or_default();
            for size in sizes.into_values().filter(|size| *size > 1) {
                *counts.entry(border(size)).or_default() += 1;
            }
        }
        Ok(())
    }
}

/// The smallest power of two that is not smaller.
fn border(number: u64) -> u64 {
    number.max(1).next_power_of_two()
}
