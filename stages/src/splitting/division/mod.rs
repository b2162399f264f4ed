//! Dividing the rows of a finished run anew: by project, at random, by organisation or by time, with rows of an
//! earlier release kept where they are.
//!
//! What must not be torn apart is a *unit*: a project, an organisation, or a test with its near-duplicates. Each unit
//! has a place between 0 and 1, a seeded hash of its name, and its place decides: the first places are `test`, the
//! next `validation`, the rest `train`. So rows stay where they are when others come. Where the units that the hash
//! gives a split hold too many or too few rows, those at its border change sides until the share is within the
//! [`Settings::tolerance`]; with many units none does.
//!
//! Near-duplicates of rows in other units would leak. They are joined into one unit ([`Near::Join`]) or left out of
//! the weaker split ([`Near::LeaveOut`]: a row of `train` that is like one of `test` goes). Joining projects over
//! their rows chains strangers into one giant unit as soon as every second project has a row in common with another.
//!
//! Memory: about 60 bytes per row, whatever the length of the strings.

mod fill;
mod ids;
mod leave_out;
mod rows;
mod summary;
#[cfg(test)]
mod tests;
mod units;

pub use ids::{Earlier, FrozenRows, number};
pub use leave_out::Reason;
pub use rows::{Row, Rows};
pub use summary::{Frozen, Summary, WayReached};

use super::{Split, place, shares};
use crate::records::Column;
use serde::{Deserialize, Serialize};

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A cluster of repositories: forks, copies and mirrors.
    Project,
    /// A test, with its near-duplicates.
    Random,
    /// All projects of one owner, on whatever host.
    Organisation,
    /// Rows of one day: the newest are `test`.
    Time,
}

/// What becomes of near-duplicates in different units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Near {
    /// Their units are one.
    Join,
    /// Only those in the strongest split stay: `test` before `validation` before `train`.
    LeaveOut,
    /// They stay where they are.
    Ignore,
}

/// How to divide.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Settings {
    /// What a unit is.
    pub by: By,
    /// Shares of train, validation and test.
    pub ratios: [f64; 3],
    /// Seed.
    pub seed: u64,
    /// Whether each language meets the ratios by itself.
    pub stratify: bool,
    /// What becomes of near-duplicates.
    pub near: Near,
    /// How far a share may be from what is wanted before units are moved, of 1.
    pub tolerance: f64,
    /// Rows of this day (`yyyymmdd`) and before may not be in `test`.
    pub cutoff: Option<u32>,
}

impl Settings {
    /// The defaults for a way to divide.
    pub fn new(by: By) -> Self {
        let near = if by == By::Random { Near::Join } else { Near::LeaveOut };
        Self { by, ratios: [0.8, 0.1, 0.1], seed: 1, stratify: false, near, tolerance: 0.0045, cutoff: None }
    }
}

/// What was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// Of each row its split, or why it is in none.
    pub rows: Vec<Result<Split, Reason>>,
    /// How far it is from what was wanted.
    pub summary: Summary,
}

impl Division {
    /// Hands the columns of [`crate::records::DividedRow`] to `write`, batch by batch; `rows` are those that were
    /// divided.
    pub fn write<E>(
        &self,
        rows: &Rows,
        mut write: impl FnMut(Vec<Column<'_>>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let split = |row: &Result<Split, Reason>| Some(row.map_or("", Split::as_str));
        let reason = |row: &Result<Split, Reason>| Some(row.err().map_or("", Reason::as_str));
        for (batch, decided) in self.rows.chunks(ROWS_AT_ONCE).enumerate() {
            let first = batch * ROWS_AT_ONCE;
            let ids: Vec<String> = rows.ids.texts(first..first + decided.len()).collect();
            let columns = vec![
                Column::Text(ids.iter().map(|id| Some(id.as_str())).collect()),
                Column::Text(decided.iter().map(split).collect()),
                Column::Text(decided.iter().map(reason).collect()),
            ];
            write(columns, decided.len())?;
        }
        Ok(())
    }
}

/// Rows whose ids are texts at one time.
const ROWS_AT_ONCE: usize = 100_000;

/// Divides the rows. `frozen` are rows of an earlier release by their numbers, which stay where they are.
pub fn divide(rows: &Rows, frozen: &FrozenRows, settings: &Settings) -> Division {
    let first = attempt(rows, frozen, settings, 0);
    let left_out: u64 = first.summary.left_out.values().sum();
    // What is left out is known afterwards only; where it matters, the shares are those of what remains.
    if left_out > 0 && first.summary.largest_miss() > settings.tolerance * 100.0 {
        let second = attempt(rows, frozen, settings, left_out);
        if second.summary.largest_miss() < first.summary.largest_miss() {
            return second;
        }
    }
    first
}

fn attempt(rows: &Rows, frozen: &FrozenRows, settings: &Settings, left_out: u64) -> Division {
    let mut units = units::units(rows, settings);
    units.freeze(frozen);
    let wanted = shares(&settings.ratios);
    let moved = match settings.by {
        By::Time => fill::by_time(rows, &mut units, &wanted),
        _ => fill::by_place(rows, &mut units, &wanted, settings, left_out),
    };
    let mut splits: Vec<Result<Split, Reason>> =
        (0..rows.len() as u32).map(|row| Ok(units.of(row).split)).collect();
    leave_out::keep_frozen(&mut splits, frozen);
    leave_out::before_cutoff(rows, &mut splits, frozen, settings);
    if settings.near == Near::LeaveOut {
        leave_out::near_duplicates(rows, &mut splits, frozen);
    }
    let summary = summary::summary(rows, &units, &splits, frozen, &wanted, moved);
    Division { rows: splits, summary }
}
