//! What rows of different splits have in common.

use super::{Kind, Row};
use crate::splitting::Split;
use trefoil_duplicates::{Detector, DuplicatesError};

/// With how many rows of other splits a row is compared within its cluster.
const MOST_COMPARED: usize = 500;

/// Digest of what two rows would share; 0 for nothing.
pub(super) fn digest_of_words(kind: Kind, text: &str) -> u64 {
    let mut parts = vec![kind.as_str()];
    parts.extend(text.split_whitespace());
    if parts.len() == 1 { 0 } else { super::digest(&[&parts.concat()]) }
}

/// The digest by which `kind` finds rows that share something.
pub(super) fn digest(kind: Kind, row: &Row<'_>, is_trivial: bool) -> u64 {
    let of = |parts: &[&str]| super::digest(&[&[kind.as_str()], parts].concat());
    match kind {
        Kind::SameTest => digest_of_words(kind, row.test),
        Kind::SameFocal if is_trivial => 0,
        Kind::SameFocal => digest_of_words(kind, row.focal),
        Kind::SharedFocalMethod => of(&[row.repository, row.focal_place]),
        Kind::SameRow => of(&[row.id]),
        Kind::SharedRepository => of(&[&row.repository.to_lowercase()]),
        Kind::SharedProject => of(&[row.cluster]),
        Kind::SharedOwner => of(&[&owner(row.repository).to_lowercase()]),
        _ => 0,
    }
}

/// The account of `host/owner/name`; accounts of one name on two hosts are taken for one. The whole key of what
/// has no owner.
fn owner(repository: &str) -> &str {
    let mut parts = repository.splitn(3, '/');
    match (parts.next(), parts.next(), parts.next()) {
        (_, Some(owner), Some(_)) => owner,
        _ => repository,
    }
}

/// Of each row that shares its digest with one of a weaker split the first such.
pub(super) fn across(digests: &[u64], splits: &[Split]) -> Vec<(u32, u32)> {
    let mut order: Vec<(u64, Split, u32)> =
        digests.iter().zip(splits).zip(0..).map(|((digest, split), row)| (*digest, *split, row)).collect();
    order.sort_unstable();
    let mut found = Vec::new();
    for group in order.chunk_by(|a, b| a.0 == b.0).filter(|group| group.first().is_some_and(|one| one.0 != 0))
    {
        // The weakest split comes first.
        let Some((_, weakest, other)) = group.first() else { continue };
        found.extend(group.iter().filter(|(_, split, _)| split > weakest).map(|(_, _, row)| (*row, *other)));
    }
    found.sort_unstable();
    found
}

/// Of each row that is like one of a weaker split the likest such.
pub(super) fn near(
    detector: &mut Detector,
    splits: &[Split],
    threshold: f64,
) -> Result<Vec<(u32, u32, f64)>, DuplicatesError> {
    let clusters = detector.clusters()?;
    let split = |row: u32| splits.get(row as usize).copied().unwrap_or(Split::Train);
    let mut found = Vec::new();
    for cluster in clusters.shared() {
        for &row in cluster.iter().filter(|row| split(**row) > Split::Train) {
            let weaker = cluster.iter().filter(|other| split(**other) < split(row)).take(MOST_COMPARED);
            let mut best: Option<(f64, u32)> = None;
            for &other in weaker {
                let likeness = detector.likeness(row, other)?;
                if best.is_none_or(|(most, _)| likeness > most) {
                    best = Some((likeness, other));
                }
            }
            found.extend(best.filter(|(most, _)| *most >= threshold).map(|(most, other)| (row, other, most)));
        }
    }
    found.sort_unstable_by_key(|(row, ..)| *row);
    Ok(found)
}
