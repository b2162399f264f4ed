//! The four functions that tree-sitter calls: small blocks from the thread's arena, large ones from the system.

use crate::arena::{Arena, HEADER, Header, MOST_UNITS, UNIT};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ffi::c_void;
use std::process::abort;
use std::ptr::copy_nonoverlapping;

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::new(Arena::new());
}

/// The owner of a large block that is asked for in the last moments of a thread.
const NOBODY: u32 = u32::MAX;

/// What stands before a large block: its size, and a header with 0 units.
const BEFORE: usize = UNIT;

/// As C's `malloc`, but never null.
pub(crate) unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    take(size).cast()
}

/// As C's `calloc`, but never null.
pub(crate) unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let Some(size) = count.checked_mul(size) else { abort() };
    let block = take(size);
    // SAFETY: the block has `size` bytes.
    unsafe { block.write_bytes(0, size) };
    block.cast()
}

/// As C's `realloc`, but never null.
pub(crate) unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let old = block.cast::<u8>();
    if old.is_null() {
        return take(size).cast();
    }
    // SAFETY: tree-sitter hands back what it got from here.
    let room = unsafe { room(old) };
    if size <= room && size > room / 4 {
        return block;
    }
    let new = take(size);
    // SAFETY: both have that many bytes and, both being alive, lie apart; the old one is not used again.
    unsafe {
        copy_nonoverlapping(old, new, room.min(size));
        give(old);
    }
    new.cast()
}

/// As C's `free`.
pub(crate) unsafe extern "C" fn free(block: *mut c_void) {
    if !block.is_null() {
        // SAFETY: tree-sitter hands back what it got from here, once.
        unsafe { give(block.cast()) }
    }
}

/// What of a thread's blocks is alive at a moment.
#[derive(Clone, Copy)]
pub(crate) struct Alive {
    arena: u32,
    small: usize,
    large: usize,
}

impl Alive {
    /// The arena that holds all that has come since, and in how many blocks; none where some of it is the system's.
    pub(crate) fn since(self, before: Self) -> Option<(u32, usize)> {
        let blocks = self.small.checked_sub(before.small)?;
        (self.large == before.large).then_some((self.arena, blocks))
    }
}

/// What is alive of this thread's blocks; none in the last moments of a thread.
pub(crate) fn alive() -> Option<Alive> {
    let alive = |arena: &Arena| Alive { arena: arena.number(), small: arena.alive(), large: arena.large() };
    ARENA.try_with(|arena| alive(&arena.borrow())).ok()
}

/// Forgets the last blocks of an arena, if it is this thread's and no more than these are alive; answers whether.
///
/// # Safety
/// That many blocks of the arena are alive which nobody uses again, not even to free them.
pub(crate) unsafe fn clear(arena: u32, blocks: usize) -> bool {
    let forget = |own: &RefCell<Arena>| {
        let mut own = own.borrow_mut();
        let is_last = own.number() == arena && own.alive() == blocks;
        if is_last {
            // SAFETY: these are all that are alive.
            unsafe { own.forget() };
        }
        is_last
    };
    ARENA.try_with(forget).unwrap_or(false)
}

fn take(size: usize) -> *mut u8 {
    let units = size.saturating_add(HEADER).div_ceil(UNIT);
    // Without an arena, in the last moments of a thread, all is the system's.
    match units {
        1..=MOST_UNITS => {
            ARENA.try_with(|arena| arena.borrow_mut().take(units)).unwrap_or_else(|_| large(size))
        }
        _ => large(size),
    }
}

/// # Safety
/// `block` came from [`take`] and is not used again.
unsafe fn give(block: *mut u8) {
    // SAFETY: a header stands before every block.
    let header = unsafe { block.sub(HEADER).cast::<Header>().read() };
    if header.units == 0 {
        let _ = ARENA.try_with(|arena| arena.borrow_mut().end_large(header));
        // SAFETY: a large block begins `BEFORE` bytes earlier and was allocated with this layout.
        unsafe { dealloc(block.sub(BEFORE), layout(room(block))) };
    } else {
        // Without an arena, in the last moments of a thread, the block stays with its chunk.
        // SAFETY: blocks with units come from an arena.
        let _ = ARENA.try_with(|arena| unsafe { arena.borrow_mut().give(block, header) });
    }
}

fn large(size: usize) -> *mut u8 {
    let layout = layout(size);
    let owner = ARENA.try_with(|arena| arena.borrow_mut().begin_large()).unwrap_or(NOBODY);
    // SAFETY: the layout has a size, at least `BEFORE`, which has room for a size and a header.
    unsafe {
        let start = alloc(layout);
        if start.is_null() {
            handle_alloc_error(layout);
        }
        start.cast::<usize>().write(size);
        start.add(BEFORE - HEADER).cast::<Header>().write(Header { units: 0, owner });
        start.add(BEFORE)
    }
}

/// Bytes that may be written to the block.
///
/// # Safety
/// `block` came from [`take`] and is alive.
unsafe fn room(block: *mut u8) -> usize {
    // SAFETY: a header stands before every block, and before that of a large one its size.
    unsafe {
        match block.sub(HEADER).cast::<Header>().read().units {
            0 => block.sub(BEFORE).cast::<usize>().read(),
            units => units as usize * UNIT - HEADER,
        }
    }
}

fn layout(size: usize) -> Layout {
    let size = size.checked_add(BEFORE).unwrap_or_else(|| abort());
    Layout::from_size_align(size, UNIT).unwrap_or_else(|_| abort())
}

#[cfg(test)]
#[expect(clippy::undocumented_unsafe_blocks, reason = "each test keeps the rules that it tests")]
mod tests {
    use super::*;
    use std::ptr::null_mut;

    fn written(block: *mut c_void, size: usize) -> bool {
        (0..size).all(|at| unsafe { block.cast::<u8>().add(at).read() } == at as u8)
    }

    #[test]
    fn growing_and_shrinking_keeps_what_is_written() {
        let mut block = null_mut();
        let mut before = 0;
        for size in [1, 8, 9, 100, 1_000, 1_016, 1_017, 50_000, 3_000_000, 40_000, 700, 24, 3] {
            block = unsafe { realloc(block, size) };
            assert_eq!(block as usize % UNIT, 0);
            assert!(written(block, size.min(before)), "{before} to {size}");
            (0..size).for_each(|at| unsafe { block.cast::<u8>().add(at).write(at as u8) });
            before = size;
        }
        unsafe { free(block) };
    }

    #[test]
    fn what_is_partly_the_systems_has_no_arena() {
        let before = alive().unwrap();
        let small = unsafe { malloc(100) };
        let place = alive().unwrap().since(before).unwrap();
        assert_eq!(place, (before.arena, 1));
        let large = unsafe { malloc(5_000) };
        assert_eq!(alive().unwrap().since(before), None);
        unsafe { free(large) };
        assert_eq!(alive().unwrap().since(before), Some(place));
        unsafe { free(small) };
        assert_eq!(alive().unwrap().since(before), Some((before.arena, 0)));
    }

    #[test]
    fn cleared_memory_is_clear_though_it_was_used_before() {
        for size in [8, 200, 5_000] {
            let used = unsafe { malloc(size) };
            unsafe { used.cast::<u8>().write_bytes(7, size) };
            let other = unsafe { malloc(size) };
            unsafe { free(used) };
            let clear = unsafe { calloc(size / 4, 4) };
            assert!((0..size).all(|at| unsafe { clear.cast::<u8>().add(at).read() } == 0));
            for block in [clear, other] {
                unsafe { free(block) };
            }
        }
        unsafe { free(null_mut()) };
        let nothing = unsafe { malloc(0) };
        assert!(!nothing.is_null());
        unsafe { free(nothing) };
    }
}
