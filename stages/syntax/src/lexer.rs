//! The reader that the lexers of the grammars ask for characters, as tree-sitter's `parser.h` lays it out.

use crate::tables::Symbol;
use std::ffi::c_char;
use std::marker::PhantomData;

/// `TSLexer`.
#[repr(C)]
pub(crate) struct RawLexer {
    lookahead: i32,
    result_symbol: Symbol,
    advance: unsafe extern "C" fn(*mut RawLexer, bool),
    mark_end: unsafe extern "C" fn(*mut RawLexer),
    get_column: unsafe extern "C" fn(*mut RawLexer) -> u32,
    is_at_range_start: unsafe extern "C" fn(*const RawLexer) -> bool,
    eof: unsafe extern "C" fn(*const RawLexer) -> bool,
    /// It has more arguments, which it does not look at.
    log: unsafe extern "C" fn(*const RawLexer, *const c_char),
}

const BYTE_ORDER_MARK: i32 = 0xfeff;
const UNMARKED: usize = usize::MAX;

/// A lexer at a character of its text, or its end, that a function of a grammar may read with.
pub(crate) struct Reading<'a> {
    lexer: *mut RawLexer,
    _borrowed: PhantomData<&'a ()>,
}

impl Reading<'_> {
    /// What functions of grammars are called with, while this lives.
    pub(crate) fn lexer(&mut self) -> *mut RawLexer {
        self.lexer
    }
}

/// A place in a text, and the token that is read there. The functions in `raw` are called with a pointer to it.
#[repr(C)]
pub(crate) struct Lexer<'text> {
    raw: RawLexer,
    text: &'text str,
    at: usize,
    /// Length of the character there.
    size: usize,
    start: usize,
    end: usize,
}

impl<'text> Lexer<'text> {
    pub(crate) fn new(text: &'text str) -> Self {
        let raw = RawLexer {
            lookahead: 0,
            result_symbol: 0,
            advance,
            mark_end,
            get_column,
            is_at_range_start,
            eof,
            log,
        };
        Self { raw, text, at: 0, size: 1, start: 0, end: UNMARKED }
    }

    /// Has a function of the grammar read from a place in the text; answers what it answers.
    #[inline]
    pub(crate) fn read(&mut self, from: usize, function: impl FnOnce(Reading) -> bool) -> bool {
        self.at = from;
        self.look();
        if from == 0 && self.raw.lookahead == BYTE_ORDER_MARK {
            self.at = self.size;
            self.look();
        }
        (self.start, self.end, self.raw.result_symbol) = (self.at, UNMARKED, 0);
        let found = function(Reading { lexer: (&raw mut *self).cast(), _borrowed: PhantomData });
        if self.end == UNMARKED {
            self.end = self.at;
        }
        self.start = self.start.min(self.end);
        found
    }

    /// Where what was read begins, without the space before it.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Where it ends.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Number of the token that was read.
    pub(crate) fn symbol(&self) -> Symbol {
        self.raw.result_symbol
    }

    #[inline]
    fn look(&mut self) {
        match self.text.as_bytes().get(self.at) {
            Some(&byte) if byte < 0x80 => (self.raw.lookahead, self.size) = (i32::from(byte), 1),
            Some(_) => self.look_far(),
            None => (self.raw.lookahead, self.size) = (0, 1),
        }
    }

    #[cold]
    fn look_far(&mut self) {
        let character = self.text.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or('\0');
        (self.raw.lookahead, self.size) = (character as i32, character.len_utf8());
    }
}

/// The lexer that a pointer to its first field is one to.
///
/// # Safety
/// `raw` came from [`Lexer::read`], whose function has not returned yet.
#[inline]
unsafe fn lexer<'a>(raw: *mut RawLexer) -> &'a mut Lexer<'a> {
    // SAFETY: the pointer was made of a lexer that nobody else uses until the function returns.
    unsafe { &mut *raw.cast() }
}

unsafe extern "C" fn advance(raw: *mut RawLexer, skip: bool) {
    // SAFETY: grammars call it with what they were called with.
    let lexer = unsafe { lexer(raw) };
    if lexer.at >= lexer.text.len() {
        return;
    }
    lexer.at += lexer.size;
    if skip {
        lexer.start = lexer.at;
    }
    lexer.look();
}

unsafe extern "C" fn mark_end(raw: *mut RawLexer) {
    // SAFETY: as for `advance`.
    let lexer = unsafe { lexer(raw) };
    lexer.end = lexer.at;
}

/// Characters since the line began, the byte order mark not counted.
unsafe extern "C" fn get_column(raw: *mut RawLexer) -> u32 {
    // SAFETY: as for `advance`.
    let lexer = unsafe { lexer(raw) };
    let before = lexer.text.get(..lexer.at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_first = line.len() == before.len();
    (line.chars().count() - usize::from(is_first && line.starts_with('\u{feff}'))) as u32
}

unsafe extern "C" fn is_at_range_start(raw: *const RawLexer) -> bool {
    // SAFETY: as for `advance`.
    let lexer = unsafe { &*raw.cast::<Lexer>() };
    lexer.at == 0 && !lexer.text.is_empty()
}

unsafe extern "C" fn eof(raw: *const RawLexer) -> bool {
    // SAFETY: as for `advance`.
    let lexer = unsafe { &*raw.cast::<Lexer>() };
    lexer.at >= lexer.text.len()
}

unsafe extern "C" fn log(_: *const RawLexer, _: *const c_char) {}
