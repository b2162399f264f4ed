//! Connected components.

/// Disjoint sets of numbers; the root of each is its smallest number.
pub struct Forest(Vec<u32>);

impl Forest {
    /// Numbers below `size`, each alone.
    pub fn new(size: usize) -> Self {
        Self((0..size as u32).collect())
    }

    /// The smallest number of the set that this one is in.
    pub fn root(&mut self, mut number: u32) -> u32 {
        loop {
            let parent = self.parent(number);
            if parent == number {
                return number;
            }
            let above = self.parent(parent);
            if let Some(entry) = self.0.get_mut(number as usize) {
                *entry = above;
            }
            number = above;
        }
    }

    fn parent(&self, number: u32) -> u32 {
        self.0.get(number as usize).copied().unwrap_or(number)
    }

    /// Makes the sets of both one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(entry) = self.0.get_mut(a.max(b) as usize) {
            *entry = a.min(b);
        }
    }
}

/// The cluster of every text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// Of each text the smallest number of a text in its cluster: its own where it is like no other before it.
    pub of: Vec<u32>,
}

impl Clusters {
    /// Clusters with more than one text, their texts in order.
    pub fn shared(&self) -> impl Iterator<Item = Vec<u32>> {
        let mut order: Vec<(u32, u32)> = self.of.iter().copied().zip(0..).collect();
        order.sort_unstable();
        let groups: Vec<Vec<u32>> = order
            .chunk_by(|(a, _), (b, _)| a == b)
            .filter(|group| group.len() > 1)
            .map(|group| group.iter().map(|(_, text)| *text).collect())
            .collect();
        groups.into_iter()
    }
}
