//! Meeting the ratios with whole units.

use super::units::Units;
use super::{Rows, Settings, Split};
use rayon::prelude::*;

/// What of a unit decides, in an order of their own: with millions of units the passes over them must not jump.
#[derive(Clone, Copy)]
struct Placed {
    place: u64,
    number: u32,
    rows: u32,
    split: Split,
    frozen: bool,
}

/// Sends every unit to a split by its place, and mends what is too much or too little; answers how many units are
/// not where their places say. So many rows as `left_out` are expected to be in no split in the end.
pub(super) fn by_place(
    rows: &Rows,
    units: &mut Units,
    wanted: &[f64; 3],
    settings: &Settings,
    left_out: u64,
) -> u64 {
    let remaining = 1.0 - left_out as f64 / rows.len().max(1) as f64;
    let strata = if settings.stratify { rows.language_names.len().max(1) } else { 1 };
    (0..strata)
        .map(|stratum| {
            let mut order = of_stratum(units, stratum);
            let moved = fill_stratum(&mut order, wanted, settings.tolerance, remaining);
            order.iter().for_each(|unit| units.all[unit.number as usize].split = unit.split);
            moved
        })
        .sum()
}

/// The units of a stratum in the order of their places.
fn of_stratum(units: &Units, stratum: usize) -> Vec<Placed> {
    let of_it = (0..).zip(&units.all).filter(|(_, unit)| usize::from(unit.stratum) == stratum);
    let mut order: Vec<Placed> = of_it
        .map(|(number, unit)| {
            let (place, split, frozen) = (unit.place, unit.split, unit.frozen);
            Placed { place, number, rows: unit.rows, split, frozen }
        })
        .collect();
    order.par_sort_unstable_by_key(|unit| (unit.place, unit.number));
    order
}

fn fill_stratum(order: &mut [Placed], wanted: &[f64; 3], tolerance: f64, remaining: f64) -> u64 {
    let all = order.iter().map(|unit| u64::from(unit.rows)).sum::<u64>() as f64 * remaining;
    let slack = tolerance * all;
    let [_, validation, test] = *wanted;
    let ranges = [(Split::Test, 0.0, test), (Split::Validation, test, test + validation)];
    let at_home: Vec<Split> = order.iter().map(|unit| home(unit, &ranges)).collect();
    // What the one has too much the other may have too little, so that `train` has its share, too.
    let mut surplus: f64 = 0.0;
    for (split, from, to) in ranges {
        let share = wanted[split as usize] * all;
        let (least, most) = (share - slack - surplus.min(0.0), share + slack - surplus.max(0.0));
        let mut filling = Filling { rows: rows_in(order, split, true), split, least, most };
        filling.take_home(order, from, to);
        filling.give_back(order);
        filling.take_more(order, to);
        if filling.rows == 0 && share > 0.0 && order.len() >= 3 {
            filling.take_smallest(order);
        }
        surplus = filling.rows as f64 - share;
    }
    order.iter().zip(at_home).filter(|(unit, home)| !unit.frozen && unit.split != *home).count() as u64
}

fn home(unit: &Placed, ranges: &[(Split, f64, f64)]) -> Split {
    let within = |(_, from, to): &&(Split, f64, f64)| (*from..*to).contains(&position(unit));
    ranges.iter().find(within).map_or(Split::Train, |(split, ..)| *split)
}

/// Its place as a number from 0 up to 1.
fn position(unit: &Placed) -> f64 {
    unit.place as f64 / 2_f64.powi(64)
}

fn rows_in(order: &[Placed], split: Split, frozen: bool) -> u64 {
    let of_it = order.iter().filter(|unit| unit.split == split && unit.frozen == frozen);
    of_it.map(|unit| u64::from(unit.rows)).sum()
}

/// One split on its way to its share. Units are free while they are in `train` and not frozen.
struct Filling {
    split: Split,
    rows: u64,
    least: f64,
    most: f64,
}

impl Filling {
    fn take(&mut self, unit: &mut Placed) {
        unit.split = self.split;
        self.rows += u64::from(unit.rows);
    }

    fn has_room(&self, unit: &Placed) -> bool {
        is_free(unit) && (self.rows + u64::from(unit.rows)) as f64 <= self.most
    }

    /// The units whose places are in the split's range. One that is larger than the split stays in `train`.
    fn take_home(&mut self, order: &mut [Placed], from: f64, to: f64) {
        let most = self.most;
        let at_home = |unit: &&mut Placed| {
            is_free(unit) && f64::from(unit.rows) <= most && (from..to).contains(&position(unit))
        };
        order.iter_mut().filter(at_home).for_each(|unit| self.take(unit));
    }

    /// From the border downwards, units go until the share is met.
    fn give_back(&mut self, order: &mut [Placed]) {
        for unit in order.iter_mut().rev() {
            if self.rows as f64 <= self.most {
                return;
            }
            if unit.split == self.split && !unit.frozen {
                unit.split = Split::Train;
                self.rows -= u64::from(unit.rows);
            }
        }
    }

    /// From the border upwards, then from the start, units come until the share is met.
    fn take_more(&mut self, order: &mut [Placed], border: f64) {
        let start = order.partition_point(|unit| position(unit) < border);
        let (below, above) = order.split_at_mut(start);
        for unit in above.iter_mut().chain(below) {
            if self.rows as f64 >= self.least {
                return;
            }
            if self.has_room(unit) {
                self.take(unit);
            }
        }
    }

    /// No split is empty where there are units enough.
    fn take_smallest(&mut self, order: &mut [Placed]) {
        if let Some(unit) = order.iter_mut().filter(|unit| is_free(unit)).min_by_key(|unit| unit.rows) {
            self.take(unit);
        }
    }
}

fn is_free(unit: &Placed) -> bool {
    unit.split == Split::Train && !unit.frozen
}

/// The newest units are `test`, the next `validation`; those of one day stay together, and those without a date
/// are `train`. No unit is moved off its place.
pub(super) fn by_time(rows: &Rows, units: &mut Units, wanted: &[f64; 3]) -> u64 {
    let mut order: Vec<_> = units.all.iter_mut().filter(|unit| !unit.frozen && unit.day > 0).collect();
    order.sort_by_key(|unit| std::cmp::Reverse(unit.day));
    let all = rows.len() as f64;
    let mut taken = 0.0;
    let [_, validation, test] = *wanted;
    for day in order.chunk_by_mut(|a, b| a.day == b.day) {
        let of_day: u64 = day.iter().map(|unit| u64::from(unit.rows)).sum();
        // A day belongs where its middle lies, and the newest is tested on in any case.
        let middle = taken + of_day as f64 / 2.0;
        let split = match middle / all {
            share if share < test || taken == 0.0 && test > 0.0 => Split::Test,
            share if share < test + validation => Split::Validation,
            _ => Split::Train,
        };
        day.iter_mut().for_each(|unit| unit.split = split);
        taken += of_day as f64;
    }
    0
}
