//! From what the parser made to the tree that shows: hidden nodes give way to their children, aliases and fields are
//! those that the production around gives.

use crate::forest::{Forest, Part, Tree};
use crate::tables::{END, Fields, Symbol, Tables};
use crate::tree::{Entry, Marks};

/// A part whose children are being written.
struct Open<'a> {
    children: std::slice::Iter<'a, Tree>,
    /// How many of them have been written, extra ones not counted.
    written: u32,
    aliases: &'static [Symbol],
    fields: Fields,
    /// The field that its children are, where it does not show itself.
    field: u16,
    /// The entry of it, or of what is around it.
    entry: u32,
    shows: bool,
}

/// The nodes of a tree that show, in order.
pub(crate) fn entries(tables: Tables, forest: &Forest, root: Tree) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::with_capacity(forest.len());
    let root = forest.get(root);
    entries.push(entry(&tables, root, root.symbol, 0, 0));
    let mut open = vec![opened(&tables, forest, root, 0, 0, true)];
    while let Some(around) = open.last_mut() {
        let Some(&tree) = around.children.next() else {
            if around.shows {
                let next = entries.len() as u32;
                entries[around.entry as usize].next = next;
            }
            open.pop();
            continue;
        };
        let part = forest.get(tree);
        let (mut alias, mut field) = (0, 0);
        if !part.extra {
            alias = around.aliases.get(around.written as usize).copied().unwrap_or(0);
            field = match around.fields.of(around.written) {
                0 => around.field,
                own => own,
            };
            around.written += 1;
        }
        let parent = around.entry;
        let symbol = if alias != 0 && part.symbol != END { alias } else { part.symbol };
        let shows = tables.metadata(symbol).visible || alias != 0 && part.symbol != END;
        let number = entries.len() as u32;
        if shows {
            entries.push(entry(&tables, part, symbol, field, parent));
        }
        if part.children > 0 {
            let (field, inside) = if shows { (0, number) } else { (field, parent) };
            open.push(opened(&tables, forest, part, field, inside, shows));
        } else if shows {
            entries[number as usize].next = number + 1;
        }
    }
    entries
}

fn entry(tables: &Tables, part: &Part, symbol: Symbol, field: u16, parent: u32) -> Entry {
    Entry {
        kind: tables.public(symbol),
        field,
        start: part.start,
        end: part.end,
        next: 0,
        parent,
        marks: Marks::default()
            .with(Marks::NAMED, tables.metadata(symbol).named)
            .with(Marks::EXTRA, part.extra),
    }
}

fn opened<'a>(
    tables: &Tables,
    forest: &'a Forest,
    part: &Part,
    field: u16,
    entry: u32,
    shows: bool,
) -> Open<'a> {
    Open {
        children: forest.children(part).iter(),
        written: 0,
        aliases: tables.aliases(part.production),
        fields: tables.fields(part.production),
        field,
        entry,
        shows,
    }
}
