//! The parser: runs a grammar's tables over a text, as tree-sitter 0.27 does (`parser.c`), but for what incremental
//! parsing and error recovery need. Where tree-sitter would begin to recover, it gives up.

use crate::forest::{Forest, Tree};
use crate::stack::{Head, Popped, Stack, Status};
use crate::tables::{Action, Actions, END, Reduction, START_STATE, State, Tables};
use crate::tokens::{Situation, Token, Tokens};

/// Most readings of a text that are followed from token to token.
const MOST_READINGS: usize = 6;
/// How many more there may be between two tokens.
const MOST_MORE_READINGS: usize = 4;
/// Nodes of all readings together; sound code has less than one.
const MOST_NODES_PER_BYTE: usize = 2;

/// What parsing needs and leaves, to be used again for the next text.
#[derive(Default)]
pub(crate) struct Workspace {
    pub(crate) forest: Forest,
    stack: Stack,
    trees: Vec<Tree>,
    extras: Vec<Tree>,
}

impl Workspace {
    /// Makes room for a text of so many bytes, and for one of an ordinary size at least.
    pub(crate) fn clear(&mut self, bytes: usize) {
        self.forest.clear(bytes);
        self.stack.clear();
    }
}

/// Parses a text; answers the root. None where the text has errors, or takes more than `steps`.
pub(crate) fn parse(tables: Tables, text: &str, steps: u64, workspace: &mut Workspace) -> Option<Tree> {
    // Places in trees have 32 bits.
    u32::try_from(text.len()).ok()?;
    workspace.clear(text.len());
    let mut parser = Parser {
        tables,
        tokens: Tokens::new(tables, text),
        finished: None,
        steps,
        most_nodes: text.len() * MOST_NODES_PER_BYTE + 1_000,
        workspace,
    };
    parser.run()
}

struct Parser<'a> {
    tables: Tables,
    tokens: Tokens<'a>,
    finished: Option<Tree>,
    steps: u64,
    /// More than any text has that is not made to have many readings, all of which are kept.
    most_nodes: usize,
    workspace: &'a mut Workspace,
}

impl Parser<'_> {
    fn run(&mut self) -> Option<Tree> {
        let mut last_position = 0;
        loop {
            let mut head = 0;
            while head < self.workspace.stack.heads.len() {
                while self.workspace.stack.heads[head].status == Status::Active {
                    self.advance(head)?;
                    let position = self.workspace.stack.position(head);
                    if position > last_position || (head > 0 && position == last_position) {
                        last_position = position;
                        break;
                    }
                }
                head += 1;
            }
            self.condense();
            let is_active = |head: &Head| head.status == Status::Active;
            if !self.workspace.stack.heads.iter().any(is_active) {
                return self.finished;
            }
        }
    }

    /// Takes a reading one token further. None where there were too many steps.
    fn advance(&mut self, head: usize) -> Option<()> {
        let mut state = self.workspace.stack.state(head);
        let known = self.tokens.known(self.situation(head)).map(|(token, actions)| (Some(token), actions));
        let Some((mut token, mut actions)) = known.or_else(|| self.look_ahead(head)) else {
            self.pause(head);
            return Some(());
        };
        loop {
            self.steps = self.steps.checked_sub(1)?;
            if self.workspace.forest.len() > self.most_nodes {
                return None;
            }
            let before = self.workspace.stack.heads.len();
            let mut has_reduced = false;
            let mut reduced = None;
            for number in 0..actions.count {
                match actions.get(number) {
                    Action::Repetition => {}
                    Action::Shift(next) => return self.shift(head, token?, next, false),
                    Action::ShiftExtra => return self.shift(head, token?, state, true),
                    Action::Reduce(reduction) => {
                        has_reduced = true;
                        if before == 1 && actions.count == 1 && self.reduce_only(reduction, token.is_none()) {
                            reduced = Some(head);
                        } else {
                            reduced = self.reduce(head, reduction, token.is_none()).or(reduced);
                        }
                    }
                    Action::Accept => {
                        self.accept(head, token?);
                        return Some(());
                    }
                    Action::Recover => {
                        self.pause(head);
                        return Some(());
                    }
                }
            }
            if let Some(number) = reduced {
                if number != head {
                    let new = self.workspace.stack.heads.remove(number);
                    self.workspace.stack.heads[head] = new;
                }
                state = self.workspace.stack.state(head);
                if let Some(token) = &token {
                    actions = self.tables.actions(state, token.symbol);
                } else if let Some(ahead) = self.look_ahead(head) {
                    (token, actions) = ahead;
                } else {
                    self.pause(head);
                    return Some(());
                }
                continue;
            }
            if has_reduced {
                // Another reading has taken it up.
                self.workspace.stack.heads[head].status = Status::Halted;
                return Some(());
            }
            // A keyword that cannot stand here may be a name.
            let name = self.tables.keyword_token();
            if let Some(word) = &mut token
                && word.is_keyword
                && word.symbol != name
                && !self.tables.is_reserved(state, word.symbol)
            {
                actions = self.tables.actions(state, name);
                if actions.count > 0 {
                    word.symbol = name;
                    word.tree = self.workspace.forest.with_symbol(word.tree, name);
                    continue;
                }
            }
            self.pause(head);
            return Some(());
        }
    }

    /// The next token of a reading and what its state does with it; no token where a rule that may stand anywhere ends
    /// here, whatever comes next. None where the text has no token.
    fn look_ahead(&mut self, head: usize) -> Option<(Option<Token>, Actions)> {
        let at = self.situation(head);
        if self.tables.lex_mode(at.state).ends_extra() {
            return Some((None, self.tables.actions(at.state, END)));
        }
        let token = self.tokens.read(at, &mut self.workspace.forest)?;
        Some((Some(token), self.tables.actions(at.state, token.symbol)))
    }

    fn situation(&self, head: usize) -> Situation {
        let stack = &self.workspace.stack;
        let (state, position) = (stack.state(head), stack.position(head));
        Situation { state, position, scanner_state: stack.heads[head].scanner_state }
    }

    fn pause(&mut self, head: usize) {
        self.workspace.stack.heads[head].status = Status::Paused;
    }

    #[inline]
    fn shift(&mut self, head: usize, token: Token, next: State, extra: bool) -> Option<()> {
        let Workspace { stack, forest, .. } = &mut *self.workspace;
        let tree =
            if extra && !forest.get(token.tree).extra { forest.as_extra(token.tree) } else { token.tree };
        stack.push(head, tree, next, forest);
        if token.is_external {
            stack.heads[head].scanner_state = forest.get(tree).scanner_state;
        }
        Some(())
    }

    /// Makes a node where there is one reading and one way back; answers whether that was so.
    #[inline]
    fn reduce_only(&mut self, reduction: Reduction, ends_extra: bool) -> bool {
        let Workspace { stack, forest, trees, .. } = &mut *self.workspace;
        let Some(place) = stack.walk(0, u32::from(reduction.children), forest, trees) else { return false };
        stack.go_back(place);
        self.push_walked(0, reduction, ends_extra);
        true
    }

    /// Puts a new node of the trees that were walked over, last first, on top of a reading.
    #[inline]
    fn push_walked(&mut self, head: usize, reduction: Reduction, ends_extra: bool) {
        let Workspace { stack, forest, trees, extras } = &mut *self.workspace;
        let extra = trees.iter().take_while(|&&tree| forest.get(tree).extra).count();
        trees.reverse();
        extras.clear();
        extras.extend(trees.drain(trees.len() - extra..));
        let tree = forest.rule(reduction.symbol, reduction.production, trees, stack.position(head));
        self.push_rule(head, tree, reduction, ends_extra);
    }

    /// Puts a new node on top of a reading, and behind it what stands in `extras`.
    #[inline]
    fn push_rule(&mut self, head: usize, tree: Tree, reduction: Reduction, ends_extra: bool) {
        let Workspace { stack, forest, extras, .. } = &mut *self.workspace;
        let state = stack.state(head);
        let next = self.tables.after_rule(state, reduction.symbol);
        let part = forest.get_mut(tree);
        part.precedence += reduction.precedence;
        part.extra = ends_extra && next == state;
        stack.push(head, tree, next, forest);
        for &extra in &*extras {
            stack.push(head, extra, next, forest);
        }
    }

    /// Makes a node on every way back, each on a reading of its own, unless it goes on like one that there is.
    /// Answers the first of the new ones.
    fn reduce(&mut self, head: usize, reduction: Reduction, ends_extra: bool) -> Option<usize> {
        let Workspace { stack, forest, trees, .. } = &mut *self.workspace;
        let before = stack.heads.len();
        if let Some(place) = stack.walk(head, u32::from(reduction.children), forest, trees) {
            if before > MOST_READINGS + MOST_MORE_READINGS + stack.halted() {
                return None;
            }
            stack.add(head, place);
            self.push_walked(before, reduction, ends_extra);
            let is_known = (0..before).any(|other| other != head && self.merge(other, before));
            return (!is_known).then_some(before);
        }
        let popped = stack.pop(head, Some(u32::from(reduction.children)), forest);
        let halted = stack.halted();
        let mut removed = 0;
        let mut popped = popped.into_iter().peekable();
        while let Some(Popped { head: place, trees: mut best }) = popped.next() {
            let Workspace { stack, forest, extras, .. } = &mut *self.workspace;
            let own = place - removed;
            if own > MOST_READINGS + MOST_MORE_READINGS + halted {
                stack.heads.remove(own);
                removed += 1;
                while popped.next_if(|other| other.head == place).is_some() {}
                continue;
            }
            let position = stack.position(own);
            split_extras(&mut best, extras, forest);
            let mut tree = forest.rule(reduction.symbol, reduction.production, &best, position);
            while let Some(Popped { trees: mut other, .. }) = popped.next_if(|other| other.head == place) {
                let mut others = Vec::new();
                split_extras(&mut other, &mut others, forest);
                if forest.is_better(tree, &other) {
                    *extras = others;
                    tree = forest.rule(reduction.symbol, reduction.production, &other, position);
                }
            }
            self.push_rule(own, tree, reduction, ends_extra);
            if (0..own).any(|other| other != head && self.merge(other, own)) {
                removed += 1;
            }
        }
        (self.workspace.stack.heads.len() > before).then_some(before)
    }

    /// Merges the second reading into the first, if they would go on alike.
    fn merge(&mut self, one: usize, other: usize) -> bool {
        let Workspace { stack, forest, .. } = &mut *self.workspace;
        let can = stack.can_merge(one, other);
        if can {
            stack.merge(one, other, forest);
        }
        can
    }

    /// Ends a reading with a root for each way back, of which the best stays.
    fn accept(&mut self, head: usize, end: Token) {
        let Workspace { stack, forest, .. } = &mut *self.workspace;
        stack.push(head, end.tree, START_STATE, forest);
        let popped = stack.pop(head, None, forest);
        if let Some(first) = popped.first() {
            stack.heads.remove(first.head);
        }
        for Popped { trees, .. } in popped {
            let Some(place) = trees.iter().rposition(|&tree| !forest.get(tree).extra) else { continue };
            let rule = *forest.get(trees[place]);
            let inner = forest.children(&rule);
            let children = [&trees[..place], inner, &trees[place + 1..]].concat();
            let root = forest.rule(rule.symbol, rule.production, &children, 0);
            if self.finished.is_none_or(|finished| {
                let part = *forest.get(root);
                forest.is_better(finished, forest.children(&part))
            }) {
                self.finished = Some(root);
            }
        }
        stack.heads[head].status = Status::Halted;
    }

    /// Drops what is over, and what cannot go on while another reading can; merges what would go on alike, and puts
    /// readings of higher precedence first.
    fn condense(&mut self) {
        let mut at = 0;
        'readings: while at < self.workspace.stack.heads.len() {
            if self.workspace.stack.heads[at].status == Status::Halted {
                self.workspace.stack.heads.remove(at);
                continue;
            }
            // What the reading was at first, even where it is swapped meanwhile.
            let precedence = self.workspace.stack.precedence(at);
            let is_over = self.workspace.stack.heads[at].status == Status::Paused;
            let mut before = 0;
            while before < at {
                let stack = &mut self.workspace.stack;
                match (stack.heads[before].status == Status::Paused, is_over) {
                    (false, true) => {
                        stack.heads.remove(at);
                        continue 'readings;
                    }
                    (true, false) => {
                        stack.heads.remove(before);
                        at -= 1;
                        continue;
                    }
                    _ => {}
                }
                let is_better = precedence > stack.precedence(before);
                if self.merge(before, at) {
                    continue 'readings;
                }
                if is_better {
                    self.workspace.stack.heads.swap(before, at);
                }
                before += 1;
            }
            at += 1;
        }
        self.workspace.stack.heads.truncate(MOST_READINGS);
    }
}

/// Takes the extra trees off the end: they belong behind the rule, not into it.
fn split_extras(trees: &mut Vec<Tree>, extras: &mut Vec<Tree>, forest: &Forest) {
    let end = trees.iter().rposition(|&tree| !forest.get(tree).extra).map_or(0, |last| last + 1);
    extras.clear();
    extras.extend(trees.drain(end..));
}
