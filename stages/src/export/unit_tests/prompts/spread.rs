//! Which prompt a row gets. Each has one by the hash of its id; where that gives a prompt more rows of a
//! split than its even share, those with the largest hashes go to prompts that lack some. So the counts of
//! a split by project differ by one at most, and another row changes the prompts of few others.

use super::{Prompt, Prompts, prompts};
use crate::records::identity;
use std::collections::{BTreeMap, HashMap};

/// The prompts of a data set, and which row gets which.
pub struct PromptBook {
    prompts: Vec<Prompt>,
    /// Hashes of the rows' ids by split, until they are balanced.
    rows: BTreeMap<String, Vec<u128>>,
    /// Rows that do not have the prompt that their hash gives them.
    moved: HashMap<u128, usize>,
}

impl PromptBook {
    /// The prompts that the settings ask for, still without rows.
    pub fn new(settings: &Prompts) -> Result<Self, String> {
        let prompts = settings.lists()?.into_iter().flat_map(prompts).collect::<Vec<_>>();
        match prompts.is_empty() {
            true => Err("there is no prompt".to_owned()),
            false => Ok(Self { prompts, rows: BTreeMap::new(), moved: HashMap::new() }),
        }
    }

    /// Makes a row of a split known.
    pub fn add(&mut self, split: &str, pair_id: &str) {
        let hash = hash(pair_id);
        match self.rows.get_mut(split) {
            Some(rows) => rows.push(hash),
            None => drop(self.rows.insert(split.to_owned(), vec![hash])),
        }
    }

    /// Evens the known rows out.
    pub fn balance(&mut self) {
        let count = self.prompts.len();
        for (_, rows) in std::mem::take(&mut self.rows) {
            self.moved.extend(moves(rows, count));
        }
    }

    /// The prompt of a row.
    pub fn of(&self, pair_id: &str) -> &Prompt {
        let hash = hash(pair_id);
        let number = self.moved.get(&hash).copied().unwrap_or(own(hash, self.prompts.len()));
        &self.prompts[number % self.prompts.len()]
    }
}

/// The prompt that a hash gives.
fn own(hash: u128, count: usize) -> usize {
    (hash % count as u128) as usize
}

/// The rows that must have another prompt than their own, and which.
fn moves(rows: Vec<u128>, count: usize) -> Vec<(u128, usize)> {
    let (least, more) = (rows.len() / count, rows.len() % count);
    let mut of_prompt = vec![Vec::new(); count];
    rows.into_iter().for_each(|hash| of_prompt[own(hash, count)].push(hash));
    // The fullest prompts keep the rows that an even division leaves over.
    let mut fullest: Vec<usize> = (0..count).collect();
    fullest.sort_by_key(|&prompt| std::cmp::Reverse(of_prompt[prompt].len()));
    let mut room = vec![least; count];
    fullest.into_iter().take(more).for_each(|prompt| room[prompt] += 1);
    let mut surplus = Vec::new();
    for (rows, room) in of_prompt.iter_mut().zip(&mut room) {
        rows.sort_unstable();
        surplus.extend(rows.drain((*room).min(rows.len())..));
        *room -= rows.len();
    }
    surplus.sort_unstable();
    let to = |hash: u128| {
        let with_room = (0..count).filter(|&prompt| room[prompt] > 0);
        // The order differs from row to row, so that a place more or less moves few of them.
        let prompt = with_room.min_by_key(|&prompt| identity(&[&hash.to_string(), &prompt.to_string()]))?;
        room[prompt] -= 1;
        Some((hash, prompt))
    };
    surplus.into_iter().filter_map(to).collect()
}

fn hash(pair_id: &str) -> u128 {
    u128::from_str_radix(&identity(&["prompt", pair_id]), 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(rows: &[(&str, String)]) -> PromptBook {
        let mut book = PromptBook::new(&Prompts::Named("both".into())).unwrap();
        rows.iter().for_each(|(split, id)| book.add(split, id));
        book.balance();
        book
    }

    fn rows(split: &'static str, count: usize) -> Vec<(&'static str, String)> {
        (0..count).map(|number| (split, format!("{split} {number}"))).collect()
    }

    #[test]
    fn every_split_is_spread_evenly() {
        let all: Vec<_> = [rows("train", 1_013), rows("validation", 7), rows("test", 120)].concat();
        let book = book(&all);
        for (split, least, most) in [("train", 25, 26), ("validation", 0, 1), ("test", 3, 3)] {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for (_, id) in all.iter().filter(|(of, _)| *of == split) {
                *counts.entry(book.of(id).instruction("x")).or_default() += 1;
            }
            let of = |prompt: &Prompt| counts.get(prompt.instruction("x")).copied().unwrap_or_default();
            assert!(
                book.prompts.iter().all(|prompt| (least..=most).contains(&of(prompt))),
                "{split}: {counts:?}"
            );
        }
    }

    #[test]
    fn the_order_does_not_matter_and_another_row_moves_few() {
        let all = rows("train", 2_000);
        let reversed: Vec<_> = all.iter().rev().cloned().collect();
        let prompts = |book: &PromptBook| -> Vec<String> {
            all.iter().map(|(_, id)| book.of(id).instruction("x").to_owned()).collect()
        };
        let before = prompts(&book(&all));
        assert_eq!(before, prompts(&book(&reversed)));
        for number in 0..10 {
            let more = [all.clone(), vec![("train", format!("another {number}"))]].concat();
            let after = prompts(&book(&more));
            let moved = before.iter().zip(&after).filter(|(before, after)| before != after).count();
            assert!(moved <= 10, "{moved} of 2,000 rows have another prompt");
        }
        let other_split = [all.clone(), rows("test", 500)].concat();
        assert_eq!(before, prompts(&book(&other_split)));
    }
}
