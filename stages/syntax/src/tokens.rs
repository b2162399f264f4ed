//! Tokens of a text as the states of a grammar read it: by its lexer, and by its external scanner where it has one.

use crate::forest::{Forest, Tree};
use crate::lexer::Lexer;
use crate::tables::{Actions, END, ERROR_STATE, ExternalScanner, State, Symbol, Tables};
use std::collections::HashMap;
use std::rc::Rc;

/// A token as it was read in some state.
#[derive(Clone, Copy)]
pub(crate) struct Token {
    pub(crate) tree: Tree,
    pub(crate) symbol: Symbol,
    /// The state that it was read in.
    state: State,
    /// Whether it is written like a keyword.
    pub(crate) is_keyword: bool,
    is_empty: bool,
    /// Whether it is of the external scanner.
    pub(crate) is_external: bool,
}

/// Where a reading of the text stands.
#[derive(Clone, Copy)]
pub(crate) struct Situation {
    pub(crate) state: State,
    /// Bytes that have been read.
    pub(crate) position: u32,
    /// Number of the external scanner's state.
    pub(crate) scanner_state: u32,
}

/// Reads tokens of one text. The last one is kept: it may be the next one of other readings as well.
pub(crate) struct Tokens<'text> {
    tables: Tables,
    lexer: Lexer<'text>,
    scanner: ExternalScanner,
    scanner_states: ScannerStates,
    last: Option<(Situation, Token)>,
}

impl<'text> Tokens<'text> {
    pub(crate) fn new(tables: Tables, text: &'text str) -> Self {
        Self {
            tables,
            lexer: Lexer::new(text),
            scanner: ExternalScanner::new(tables),
            scanner_states: ScannerStates::default(),
            last: None,
        }
    }

    /// The last token that was read, if it is the next one at this place as well, with what the state does with it.
    #[inline]
    pub(crate) fn known(&self, at: Situation) -> Option<(Token, Actions)> {
        let (last, token) = self.last.as_ref()?;
        if last.position != at.position || last.scanner_state != at.scanner_state {
            return None;
        }
        let actions = self.tables.actions(at.state, token.symbol);
        self.is_token_of(token, at.state, &actions).then_some((*token, actions))
    }

    /// Whether reading it in this state would give the same token.
    fn is_token_of(&self, token: &Token, state: State, actions: &Actions) -> bool {
        let (own, other) = (self.tables.lex_mode(state), self.tables.lex_mode(token.state));
        if own.ends_extra() {
            return false;
        }
        let is_same_name = !token.is_keyword && token.state == state;
        if actions.count > 0 && own == other && (token.symbol != self.tables.keyword_token() || is_same_name)
        {
            return true;
        }
        (!token.is_empty || token.symbol == END) && own.external == 0 && actions.reusable
    }

    /// The next token at a place; none where the text has none there.
    pub(crate) fn read(&mut self, at: Situation, forest: &mut Forest) -> Option<Token> {
        let token = self.read_any(at, forest);
        self.last = token.map(|token| (at, token));
        token
    }

    fn read_any(&mut self, at: Situation, forest: &mut Forest) -> Option<Token> {
        let mut mode = self.tables.lex_mode(at.state);
        let mut is_any = at.state == ERROR_STATE;
        loop {
            if mode.external != 0
                && let Some(token) = self.read_external(at, mode.external, is_any, forest)
            {
                return Some(token);
            }
            if self.lexer.read(at.position as usize, |reading| self.tables.lex(reading, mode.lex_state)) {
                return Some(self.read_keyword(at.state, forest));
            }
            if is_any {
                return None;
            }
            is_any = true;
            mode = self.tables.lex_mode(ERROR_STATE);
        }
    }

    /// The token that the lexer has read, which is a keyword if it is written like one and the state knows that.
    fn read_keyword(&mut self, state: State, forest: &mut Forest) -> Token {
        let Self { tables, lexer, .. } = self;
        let (mut symbol, start, end) = (lexer.symbol(), lexer.start(), lexer.end());
        let mut is_keyword = false;
        if symbol == tables.keyword_token() && symbol != 0 {
            is_keyword = lexer.read(start, |reading| tables.lex_keyword(reading));
            let keyword = lexer.symbol();
            if is_keyword
                && lexer.end() == end
                && (tables.knows(state, keyword) || tables.is_reserved(state, keyword))
            {
                symbol = keyword;
            }
        }
        let tree = forest.token(symbol, symbol == END, start as u32, end as u32, 0);
        Token { tree, symbol, state, is_keyword, is_empty: start == end, is_external: false }
    }

    /// The next token, if it is one of the external scanner.
    fn read_external(
        &mut self,
        at: Situation,
        external: u16,
        is_any: bool,
        forest: &mut Forest,
    ) -> Option<Token> {
        let Self { tables, lexer, scanner, scanner_states, .. } = self;
        let Situation { state, position, scanner_state: before } = at;
        let known = scanner_states.get(before);
        if !lexer.read(position as usize, |reading| scanner.scan(reading, external, known)) {
            return None;
        }
        let mut buffer = [0; 1024];
        let length = scanner.state(&mut buffer);
        let after = scanner_states.number(buffer.get(..length)?);
        let symbol = scanner.symbol(lexer.symbol());
        let (start, end) = (lexer.start(), lexer.end());
        // One of no length that changes nothing could come again and again.
        let is_idle = end <= position as usize && after == before;
        if is_idle && (is_any || tables.after_token(state, symbol) == state) {
            return None;
        }
        let tree = forest.token(symbol, symbol == END, start as u32, end as u32, after);
        Some(Token { tree, symbol, state, is_keyword: false, is_empty: start == end, is_external: true })
    }
}

/// States of the external scanner by number, 0 being none.
#[derive(Default)]
struct ScannerStates {
    states: Vec<Rc<[u8]>>,
    numbers: HashMap<Rc<[u8]>, u32>,
}

impl ScannerStates {
    fn get(&self, number: u32) -> &[u8] {
        (number as usize).checked_sub(1).map_or(&[], |place| &self.states[place])
    }

    /// The number of a state, the same for the same bytes.
    fn number(&mut self, state: &[u8]) -> u32 {
        if state.is_empty() {
            return 0;
        }
        if let Some(number) = self.numbers.get(state) {
            return *number;
        }
        let state: Rc<[u8]> = state.into();
        self.states.push(state.clone());
        let number = self.states.len() as u32;
        self.numbers.insert(state, number);
        number
    }
}
