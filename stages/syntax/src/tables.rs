//! The tables of a grammar, as tree-sitter's `parser.h` lays them out (versions 14 and 15).

use crate::lexer::{RawLexer, Reading};
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};
use tree_sitter::Language;

/// Number of a symbol of a grammar: token, rule or alias.
pub(crate) type Symbol = u16;
/// Number of a state of a grammar's automaton.
pub(crate) type State = u16;

/// The end of the text, in every grammar.
pub(crate) const END: Symbol = 0;
/// What stands for text that is no token.
pub(crate) const ERROR: Symbol = Symbol::MAX;
/// Its number in the tables of lexers: everything that a grammar knows is a token there.
pub(crate) const ERROR_STATE: State = 0;
/// The state that parsing begins in.
pub(crate) const START_STATE: State = 1;

type LexFunction = unsafe extern "C" fn(*mut RawLexer, State) -> bool;

#[repr(C)]
#[derive(Clone, Copy)]
struct Slice {
    index: u16,
    length: u16,
}

/// A field of a production.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct FieldOf {
    field: u16,
    child: u8,
    inherited: bool,
}

/// How nodes of a symbol show.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Metadata {
    /// Whether they are nodes of the tree at all.
    pub(crate) visible: bool,
    /// Whether they have a name, and are not written as their text.
    pub(crate) named: bool,
    supertype: bool,
}

#[repr(C)]
struct Scanner {
    states: *const bool,
    symbols: *const Symbol,
    create: Option<unsafe extern "C" fn() -> *mut c_void>,
    destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    scan: Option<unsafe extern "C" fn(*mut c_void, *mut RawLexer, *const bool) -> bool>,
    serialize: Option<unsafe extern "C" fn(*mut c_void, *mut c_char) -> u32>,
    deserialize: Option<unsafe extern "C" fn(*mut c_void, *const c_char, u32)>,
}

/// `TSLanguage`, up to the last field that is of use here.
#[repr(C)]
struct RawLanguage {
    version: u32,
    symbol_count: u32,
    alias_count: u32,
    token_count: u32,
    external_token_count: u32,
    state_count: u32,
    large_state_count: u32,
    production_count: u32,
    field_count: u32,
    longest_alias_sequence: u16,
    parse_table: *const u16,
    small_parse_table: *const u16,
    small_parse_table_map: *const u32,
    parse_actions: *const [u16; 4],
    symbol_names: *const *const c_char,
    field_names: *const *const c_char,
    field_slices: *const Slice,
    field_entries: *const FieldOf,
    metadata: *const Metadata,
    public_symbols: *const Symbol,
    alias_map: *const u16,
    alias_sequences: *const Symbol,
    lex_modes: *const u16,
    lex: Option<LexFunction>,
    lex_keyword: Option<LexFunction>,
    keyword_token: Symbol,
    scanner: Scanner,
    primary_states: *const State,
    name: *const c_char,
    reserved_words: *const Symbol,
    longest_reserved_words: u16,
}

// SAFETY: what the pointers lead to is constant data and functions.
unsafe impl Sync for RawLanguage {}

/// Which tokens a state can begin with.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct LexMode {
    pub(crate) lex_state: u16,
    pub(crate) external: u16,
    reserved: u16,
}

impl LexMode {
    /// Whether a rule ends here that may stand anywhere, whatever comes next.
    pub(crate) fn ends_extra(self) -> bool {
        self.lex_state == u16::MAX
    }
}

/// What a state does with a token.
pub(crate) enum Action {
    /// Goes on to a state with it.
    Shift(State),
    /// Takes it as something that may stand anywhere.
    ShiftExtra,
    /// A shift that only incremental parsing needs.
    Repetition,
    /// Makes a node of what came before it.
    Reduce(Reduction),
    /// Is done.
    Accept,
    /// Belongs to error recovery.
    Recover,
}

/// A node that is to be made.
#[derive(Clone, Copy)]
pub(crate) struct Reduction {
    pub(crate) symbol: Symbol,
    /// How many children it takes, extra ones not counted.
    pub(crate) children: u8,
    pub(crate) precedence: i32,
    pub(crate) production: u16,
}

/// The actions of a state for a token.
#[derive(Clone, Copy)]
pub(crate) struct Actions {
    first: *const [u16; 4],
    /// How many there are.
    pub(crate) count: u32,
    /// Whether the token would be the same if other tokens were possible, too.
    pub(crate) reusable: bool,
}

impl Actions {
    /// For a token that a state does not know.
    pub(crate) const NONE: Self = Self { first: std::ptr::null(), count: 0, reusable: false };

    /// One of them.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Action {
        assert!(number < self.count);
        // SAFETY: an entry says how many actions follow it.
        let [head, second, third, fourth] = unsafe { *self.first.add(number as usize) };
        let [kind, children] = head.to_le_bytes();
        match kind {
            0 => match third.to_le_bytes() {
                [_, repetition] if repetition != 0 => Action::Repetition,
                [extra, _] if extra != 0 => Action::ShiftExtra,
                _ => Action::Shift(second),
            },
            1 => Action::Reduce(Reduction {
                symbol: second,
                children,
                precedence: i32::from(third as i16),
                production: fourth,
            }),
            2 => Action::Accept,
            _ => Action::Recover,
        }
    }
}

/// The tables of one grammar. All that is asked of them comes from them: states and symbols in range.
#[derive(Clone, Copy)]
pub(crate) struct Tables {
    raw: &'static RawLanguage,
    /// For each state a value for each symbol, once it was asked for: the grammar lists those of most states as pairs.
    rows: &'static [AtomicPtr<u16>],
}

impl Tables {
    /// Those of a grammar; none where it is of a version that is laid out otherwise.
    pub(crate) fn of(language: &Language) -> Option<Self> {
        static KNOWN: Mutex<Vec<Tables>> = Mutex::new(Vec::new());
        if !(14..=15).contains(&language.abi_version()) || cfg!(target_endian = "big") {
            return None;
        }
        let raw = language.clone().into_raw().cast::<RawLanguage>();
        // SAFETY: grammars are statics of the program, of the layout that their version says.
        let raw: &'static RawLanguage = unsafe { &*raw };
        raw.lex?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = known.iter().find(|tables| std::ptr::eq(tables.raw, raw)) {
            return Some(*tables);
        }
        let rows = (0..raw.state_count).map(|_| AtomicPtr::new(null_mut())).collect::<Vec<_>>().leak();
        known.push(Self { raw, rows });
        known.last().copied()
    }

    /// What stands in the parse table: a state for a rule, the place of actions for a token, 0 for nothing.
    #[inline]
    fn lookup(&self, state: State, symbol: Symbol) -> u16 {
        debug_assert!(u32::from(symbol) < self.raw.symbol_count);
        let mut row = self.rows[usize::from(state)].load(Ordering::Acquire).cast_const();
        if row.is_null() {
            row = self.row(state);
        }
        // SAFETY: the symbol is of the grammar, and a row has a value for each.
        unsafe { *row.add(usize::from(symbol)) }
    }

    /// Writes out the row of a state.
    #[cold]
    fn row(&self, state: State) -> *const u16 {
        let raw = self.raw;
        let length = raw.symbol_count as usize;
        let mut row = vec![0; length];
        // SAFETY: rows of the first states stand in one table. Those of the others are a number of groups, each a value,
        // a number of symbols and these.
        unsafe {
            if u32::from(state) < raw.large_state_count {
                let own = raw.parse_table.add(usize::from(state) * length);
                row.copy_from_slice(std::slice::from_raw_parts(own, length));
            } else {
                let place =
                    *raw.small_parse_table_map.add(usize::from(state) - raw.large_state_count as usize);
                let mut at = raw.small_parse_table.add(place as usize);
                let groups = *at;
                at = at.add(1);
                for _ in 0..groups {
                    let (value, count) = (*at, usize::from(*at.add(1)));
                    at = at.add(2);
                    for &symbol in std::slice::from_raw_parts(at, count) {
                        row[usize::from(symbol)] = value;
                    }
                    at = at.add(count);
                }
            }
        }
        // Threads that do so at once write the same; one row stays for good, as grammars do.
        let row = row.leak().as_mut_ptr();
        self.rows[usize::from(state)].store(row, Ordering::Release);
        row
    }

    /// What a state does with a token.
    #[inline]
    pub(crate) fn actions(&self, state: State, token: Symbol) -> Actions {
        if token >= ERROR - 1 {
            return Actions::NONE;
        }
        // SAFETY: the table has a place in the list of actions for each token: an entry of a count and a mark.
        unsafe {
            let entry = self.raw.parse_actions.add(usize::from(self.lookup(state, token)));
            let [count, reusable] = (*entry)[0].to_le_bytes();
            Actions { first: entry.add(1), count: u32::from(count), reusable: reusable != 0 }
        }
    }

    /// Whether a state knows a token.
    #[inline]
    pub(crate) fn knows(&self, state: State, token: Symbol) -> bool {
        self.lookup(state, token) != 0
    }

    /// The state after a rule.
    #[inline]
    pub(crate) fn after_rule(&self, state: State, rule: Symbol) -> State {
        self.lookup(state, rule)
    }

    /// The state after a token: the same if it may stand anywhere, [`ERROR_STATE`] if none.
    pub(crate) fn after_token(&self, state: State, token: Symbol) -> State {
        let actions = self.actions(state, token);
        match actions.count.checked_sub(1).map(|last| actions.get(last)) {
            Some(Action::Shift(next)) => next,
            Some(Action::ShiftExtra) => state,
            _ => ERROR_STATE,
        }
    }

    /// Which tokens may come in a state.
    #[inline]
    pub(crate) fn lex_mode(&self, state: State) -> LexMode {
        let state = usize::from(state);
        // SAFETY: there is a mode for each state: two numbers, and since version 15 three.
        unsafe {
            if self.raw.version < 15 {
                let mode = self.raw.lex_modes.add(2 * state);
                LexMode { lex_state: *mode, external: *mode.add(1), reserved: 0 }
            } else {
                let mode = self.raw.lex_modes.add(3 * state);
                LexMode { lex_state: *mode, external: *mode.add(1), reserved: *mode.add(2) }
            }
        }
    }

    /// Whether a word may be no name in a state.
    pub(crate) fn is_reserved(&self, state: State, word: Symbol) -> bool {
        let set = self.lex_mode(state).reserved;
        let length = usize::from(self.raw.longest_reserved_words);
        // SAFETY: only grammars of version 15 have sets other than 0, of so many words each, 0 being the end.
        set > 0
            && unsafe {
                std::slice::from_raw_parts(self.raw.reserved_words.add(usize::from(set) * length), length)
                    .iter()
                    .take_while(|&&reserved| reserved != 0)
                    .any(|&reserved| reserved == word)
            }
    }

    /// The token that names are, of which keywords are special cases; 0 for none.
    #[inline]
    pub(crate) fn keyword_token(&self) -> Symbol {
        self.raw.keyword_token
    }

    /// Runs the grammar's lexer.
    #[inline]
    pub(crate) fn lex(&self, mut reading: Reading, lex_state: u16) -> bool {
        // SAFETY: the function touches nothing but the lexer, by way of its functions.
        self.raw.lex.is_some_and(|lex| unsafe { lex(reading.lexer(), lex_state) })
    }

    /// Runs the grammar's lexer of keywords.
    #[inline]
    pub(crate) fn lex_keyword(&self, mut reading: Reading) -> bool {
        // SAFETY: as for `lex`.
        self.raw.lex_keyword.is_some_and(|lex| unsafe { lex(reading.lexer(), 0) })
    }

    /// How nodes of a symbol show.
    #[inline]
    pub(crate) fn metadata(&self, symbol: Symbol) -> Metadata {
        if symbol == ERROR {
            return Metadata { visible: true, named: true, supertype: false };
        }
        // SAFETY: there is one for each symbol and alias.
        unsafe { *self.raw.metadata.add(usize::from(symbol)) }
    }

    /// The number that a symbol has outside: one of several with the same name.
    #[inline]
    pub(crate) fn public(&self, symbol: Symbol) -> Symbol {
        if symbol == ERROR {
            return symbol;
        }
        // SAFETY: there is one for each symbol and alias.
        unsafe { *self.raw.public_symbols.add(usize::from(symbol)) }
    }

    /// What the children of a production are called instead of their symbols, 0 for as they are.
    #[inline]
    pub(crate) fn aliases(&self, production: u16) -> &'static [Symbol] {
        if production == 0 {
            return &[];
        }
        let length = usize::from(self.raw.longest_alias_sequence);
        // SAFETY: there are so many for each production.
        unsafe {
            std::slice::from_raw_parts(self.raw.alias_sequences.add(usize::from(production) * length), length)
        }
    }

    /// The fields of a production.
    #[inline]
    pub(crate) fn fields(&self, production: u16) -> Fields {
        if production == 0 || self.raw.field_count == 0 {
            return Fields(&[]);
        }
        // SAFETY: there is a slice for each production, of entries that there are.
        unsafe {
            let Slice { index, length } = *self.raw.field_slices.add(usize::from(production));
            let first = self.raw.field_entries.add(usize::from(index));
            Fields(std::slice::from_raw_parts(first, usize::from(length)))
        }
    }
}

/// The fields of a production.
#[derive(Clone, Copy)]
pub(crate) struct Fields(&'static [FieldOf]);

impl Fields {
    /// The field of a child, by its number among those that are not extra; 0 for none.
    #[inline]
    pub(crate) fn of(self, child: u32) -> u16 {
        let is_its = |field: &&FieldOf| !field.inherited && u32::from(field.child) == child;
        self.0.iter().find(is_its).map_or(0, |field| field.field)
    }
}

/// The part of a grammar that is written by hand, for tokens that depend on more than a state; with its memory.
pub(crate) struct ExternalScanner {
    tables: Tables,
    payload: *mut c_void,
}

impl ExternalScanner {
    /// That of a grammar.
    pub(crate) fn new(tables: Tables) -> Self {
        let scanner = &tables.raw.scanner;
        let payload = match scanner.create {
            // SAFETY: it is called as `parser.h` says, before all else.
            Some(create) if !scanner.states.is_null() => unsafe { create() },
            _ => std::ptr::null_mut(),
        };
        Self { tables, payload }
    }

    /// Looks for one of the tokens of a state's set, having read nothing but what `state` says. Where it answers that
    /// there is one, the lexer has its number among external tokens.
    pub(crate) fn scan(&mut self, mut reading: Reading, external: u16, state: &[u8]) -> bool {
        let scanner = &self.tables.raw.scanner;
        let (Some(scan), Some(deserialize)) = (scanner.scan, scanner.deserialize) else { return false };
        let data = if state.is_empty() { std::ptr::null() } else { state.as_ptr().cast() };
        // SAFETY: the state is one that this scanner has written; there are so many marks for each set of tokens; and
        // the function touches nothing but its own memory and the lexer, by way of its functions.
        unsafe {
            deserialize(self.payload, data, state.len() as u32);
            let valid =
                scanner.states.add(self.tables.raw.external_token_count as usize * usize::from(external));
            scan(self.payload, reading.lexer(), valid)
        }
    }

    /// Its state, written to a buffer; answers its length.
    pub(crate) fn state(&mut self, buffer: &mut [u8; 1024]) -> usize {
        let Some(serialize) = self.tables.raw.scanner.serialize else { return 0 };
        // SAFETY: a scanner writes no more than this many bytes.
        let length = unsafe { serialize(self.payload, buffer.as_mut_ptr().cast()) };
        length as usize
    }

    /// The symbol of an external token.
    pub(crate) fn symbol(&self, token: Symbol) -> Symbol {
        // SAFETY: there is one for each external token.
        unsafe { *self.tables.raw.scanner.symbols.add(usize::from(token)) }
    }
}

impl Drop for ExternalScanner {
    fn drop(&mut self) {
        if let Some(destroy) = self.tables.raw.scanner.destroy
            && !self.payload.is_null()
        {
            // SAFETY: it was created by this scanner and is not used again.
            unsafe { destroy(self.payload) }
        }
    }
}
