//! The parser's stack: a graph, since a text can be read in several ways at once that part and meet again.
//! After Tomita's generalised LR parsing, with tree-sitter's rules for what meets.

use crate::forest::{Forest, Tree};
use crate::tables::{START_STATE, State};

/// Nodes that there may stay room for: 1.5 MB.
const KEPT: usize = 1 << 16;
/// Most ways back from one node; more are given up.
const MOST_LINKS: usize = 8;
/// Most ways back that are followed at once.
const MOST_PATHS: usize = 64;

/// Number of a node of the stack.
pub(crate) type Place = u32;

/// A way back, over a tree.
#[derive(Clone, Copy)]
struct Link {
    before: Place,
    tree: Tree,
}

struct Node {
    state: State,
    /// Ways back; 0 at the bottom.
    links: u8,
    /// Where in the text it stands.
    position: u32,
    /// The most of any way back.
    precedence: i32,
    link: Link,
    /// Where its other links are, if it has any.
    others: u32,
}

/// What became of a reading.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Status {
    /// It goes on.
    Active,
    /// The next token does not fit.
    Paused,
    /// It is over, or another one has taken it up.
    Halted,
}

/// One reading of the text so far.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) place: Place,
    /// The external scanner's state.
    pub(crate) scanner_state: u32,
    pub(crate) status: Status,
}

/// What was taken off the stack, and the number of the head that remains.
pub(crate) struct Popped {
    pub(crate) head: usize,
    pub(crate) trees: Vec<Tree>,
}

/// A way back that is being followed.
#[derive(Clone)]
struct Path {
    place: Place,
    /// What was passed, the last first.
    trees: Vec<Tree>,
    /// How many of it are not extra.
    count: u32,
}

impl Path {
    fn step(&mut self, link: Link, forest: &Forest) {
        self.place = link.before;
        self.trees.push(link.tree);
        self.count += u32::from(!forest.get(link.tree).extra);
    }
}

/// All readings.
#[derive(Default)]
pub(crate) struct Stack {
    nodes: Vec<Node>,
    others: Vec<[Link; MOST_LINKS - 1]>,
    /// The first node with several ways back, which may lead to later nodes than itself.
    first_forked: Option<Place>,
    pub(crate) heads: Vec<Head>,
}

impl Stack {
    /// One reading, of nothing.
    pub(crate) fn clear(&mut self) {
        if self.nodes.capacity() > KEPT {
            self.nodes = Vec::new();
        }
        self.nodes.clear();
        self.others.clear();
        self.first_forked = None;
        self.heads.clear();
        let link = Link { before: 0, tree: 0 };
        self.nodes.push(Node { state: START_STATE, links: 0, position: 0, precedence: 0, link, others: 0 });
        self.heads.push(Head { place: 0, scanner_state: 0, status: Status::Active });
    }

    #[inline]
    fn node(&self, place: Place) -> &Node {
        &self.nodes[place as usize]
    }

    #[inline]
    fn top(&self, head: usize) -> &Node {
        self.node(self.heads[head].place)
    }

    #[inline]
    pub(crate) fn state(&self, head: usize) -> State {
        self.top(head).state
    }

    #[inline]
    pub(crate) fn position(&self, head: usize) -> u32 {
        self.top(head).position
    }

    pub(crate) fn precedence(&self, head: usize) -> i32 {
        self.top(head).precedence
    }

    /// Puts a tree on top of a reading.
    #[inline]
    pub(crate) fn push(&mut self, head: usize, tree: Tree, state: State, forest: &Forest) {
        let before = self.heads[head].place;
        let part = forest.get(tree);
        let precedence = self.node(before).precedence + part.precedence;
        self.heads[head].place = self.nodes.len() as Place;
        let link = Link { before, tree };
        self.nodes.push(Node { state, links: 1, position: part.end, precedence, link, others: 0 });
    }

    /// Takes the only reading back to a place; what stood behind that is nobody's any more.
    #[inline]
    pub(crate) fn go_back(&mut self, place: Place) {
        self.heads[0].place = place;
        match self.first_forked {
            Some(forked) if forked <= place => {}
            _ => {
                self.nodes.truncate(place as usize + 1);
                self.others.clear();
                self.first_forked = None;
            }
        }
    }

    /// Where there is but one way back over so many trees (extra ones not counted), walks it: answers where it ends,
    /// and writes the trees, last first.
    #[inline]
    pub(crate) fn walk(
        &self,
        head: usize,
        count: u32,
        forest: &Forest,
        trees: &mut Vec<Tree>,
    ) -> Option<Place> {
        trees.clear();
        let mut place = self.heads[head].place;
        let mut left = count;
        while left > 0 {
            let node = self.node(place);
            if node.links != 1 {
                return None;
            }
            trees.push(node.link.tree);
            left -= u32::from(!forest.get(node.link.tree).extra);
            place = node.link.before;
        }
        Some(place)
    }

    /// Takes so many trees off (extra ones not counted), on every way back; none for all there are. Makes a head for
    /// each place where one ends. Ways that end in one place stand beside each other.
    pub(crate) fn pop(&mut self, head: usize, count: Option<u32>, forest: &Forest) -> Vec<Popped> {
        let mut popped: Vec<Popped> = Vec::new();
        let mut paths = vec![Path { place: self.heads[head].place, trees: Vec::new(), count: 0 }];
        while !paths.is_empty() {
            let mut number = 0;
            let mut size = paths.len();
            while number < size {
                let path = &paths[number];
                let (place, links) = (path.place, usize::from(self.node(path.place).links));
                let ends = count.map_or(links == 0, |count| path.count == count);
                if ends || links == 0 {
                    let mut path = paths.remove(number);
                    size -= 1;
                    if ends {
                        path.trees.reverse();
                        self.add_popped(head, place, path.trees, &mut popped);
                    }
                    continue;
                }
                for other in (1..links).take(MOST_PATHS.saturating_sub(paths.len())) {
                    let mut path = paths[number].clone();
                    path.step(self.link(place, other), forest);
                    paths.push(path);
                }
                paths[number].step(self.link(place, 0), forest);
                number += 1;
            }
        }
        popped
    }

    /// One more reading, which stands at a place on the way back of another.
    pub(crate) fn add(&mut self, head: usize, place: Place) {
        let Head { scanner_state, .. } = self.heads[head];
        self.heads.push(Head { place, scanner_state, status: Status::Active });
    }

    /// How many readings are over.
    pub(crate) fn halted(&self) -> usize {
        self.heads.iter().filter(|head| head.status == Status::Halted).count()
    }

    fn add_popped(&mut self, head: usize, place: Place, trees: Vec<Tree>, popped: &mut Vec<Popped>) {
        if let Some(at) = popped.iter().rposition(|other| self.heads[other.head].place == place) {
            let head = popped[at].head;
            return popped.insert(at + 1, Popped { head, trees });
        }
        self.add(head, place);
        popped.push(Popped { head: self.heads.len() - 1, trees });
    }

    fn link(&self, place: Place, number: usize) -> Link {
        let node = self.node(place);
        match number.checked_sub(1) {
            None => node.link,
            Some(other) => self.others[node.others as usize][other],
        }
    }

    fn set_tree(&mut self, place: Place, number: usize, tree: Tree) {
        let node = &mut self.nodes[place as usize];
        match number.checked_sub(1) {
            None => node.link.tree = tree,
            Some(other) => self.others[node.others as usize][other].tree = tree,
        }
    }

    /// Whether two readings would go on alike.
    pub(crate) fn can_merge(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.heads[one], &self.heads[other]);
        let (node, of_other) = (self.node(one.place), self.node(other.place));
        one.status == Status::Active
            && other.status == Status::Active
            && node.state == of_other.state
            && node.position == of_other.position
            && one.scanner_state == other.scanner_state
    }

    /// Makes two readings that [would go on alike](Self::can_merge) the first of them.
    pub(crate) fn merge(&mut self, one: usize, other: usize, forest: &Forest) {
        let (place, from) = (self.heads[one].place, self.heads[other].place);
        for number in 0..usize::from(self.node(from).links) {
            self.add_link(place, self.link(from, number), forest);
        }
        self.heads.remove(other);
    }

    fn add_link(&mut self, place: Place, link: Link, forest: &Forest) {
        // Links that are still to be added, the next one last.
        let mut waiting = vec![(place, link)];
        while let Some((place, link)) = waiting.pop() {
            if link.before == place {
                continue;
            }
            let tree = forest.get(link.tree);
            let precedence = self.node(link.before).precedence + tree.precedence;
            if !self.joins_another(place, link, precedence, forest, &mut waiting) {
                let node = &mut self.nodes[place as usize];
                let links = usize::from(node.links);
                if links == MOST_LINKS {
                    continue;
                }
                if links == 1 {
                    self.first_forked = Some(self.first_forked.map_or(place, |first| first.min(place)));
                    node.others = self.others.len() as u32;
                    self.others.push([link; MOST_LINKS - 1]);
                } else {
                    self.others[node.others as usize][links - 1] = link;
                }
                node.links += 1;
                node.precedence = node.precedence.max(precedence);
            }
        }
    }

    /// Whether a link is taken up by one that is there.
    fn joins_another(
        &mut self,
        place: Place,
        link: Link,
        precedence: i32,
        forest: &Forest,
        waiting: &mut Vec<(Place, Link)>,
    ) -> bool {
        for number in 0..usize::from(self.node(place).links) {
            let own = self.link(place, number);
            let (before, of_link) = (self.node(own.before), self.node(link.before));
            if !is_equivalent(own, link, before.position == of_link.position, forest) {
                continue;
            }
            if own.before == link.before {
                if forest.get(link.tree).precedence > forest.get(own.tree).precedence {
                    self.set_tree(place, number, link.tree);
                    self.nodes[place as usize].precedence = precedence;
                }
                return true;
            }
            if before.state == of_link.state && before.position == of_link.position {
                let links = usize::from(of_link.links);
                waiting.extend((0..links).rev().map(|number| (own.before, self.link(link.before, number))));
                let node = &mut self.nodes[place as usize];
                node.precedence = node.precedence.max(precedence);
                return true;
            }
        }
        false
    }
}

/// Whether two trees that end in one place look the same from outside.
fn is_equivalent(one: Link, other: Link, same_begin: bool, forest: &Forest) -> bool {
    if one.tree == other.tree {
        return true;
    }
    let (one, other) = (forest.get(one.tree), forest.get(other.tree));
    one.symbol == other.symbol
        && same_begin
        && one.start == other.start
        && one.children == other.children
        && one.extra == other.extra
        && one.scanner_state == other.scanner_state
}
