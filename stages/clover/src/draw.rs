//! Draws by hash of identity: what is drawn depends on the seed and on what a thing is, never on its position, so that
//! another candidate moves as few others as possible.

/// 64 bits of BLAKE3 over the seed and the parts, each with its length.
pub fn hash(seed: u64, parts: &[&str]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().as_bytes().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
}

/// Where a thing of this weight comes in a draw without putting back: the smallest first. The first is drawn with a
/// probability in proportion to its weight, and so is each next of those that are left (Efraimidis and Spirakis, 2006).
pub fn place(seed: u64, id: &str, weight: f64) -> f64 {
    // The middle of one of 2^53 equal parts of (0, 1).
    let uniform = ((hash(seed, &["draw", id]) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    -uniform.ln() / weight
}

/// Sorts into the order of a draw; equal places, which cannot be but for hostile ids, by id.
pub fn order<T>(things: &mut [T], seed: u64, key: impl Fn(&T) -> (&str, f64)) {
    things.sort_by(|a, b| {
        let place_of = |thing| {
            let (id, weight) = key(thing);
            place(seed, id, weight)
        };
        place_of(a).total_cmp(&place_of(b)).then_with(|| key(a).0.cmp(key(b).0))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavier_things_are_drawn_first_in_proportion() {
        let first = |seed| {
            let mut things = [("light", 1.0), ("heavy", 3.0)];
            order(&mut things, seed, |thing| (thing.0, thing.1));
            things[0].0
        };
        let heavy = (0..4000).filter(|seed| first(*seed) == "heavy").count();
        assert!((2880..3120).contains(&heavy), "{heavy}");
    }

    #[test]
    fn another_thing_moves_no_other() {
        let mut few: Vec<String> = (0..50).map(|number| format!("thing {number}")).collect();
        let mut more = few.clone();
        more.push("one more".into());
        order(&mut few, 7, |thing| (thing, 1.0));
        order(&mut more, 7, |thing| (thing, 1.0));
        more.retain(|thing| thing != "one more");
        assert_eq!(few, more);
    }
}
