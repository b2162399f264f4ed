//! Chunks of memory and lists of freed blocks: what one thread owns.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

/// Sizes of blocks are multiples of this; so are their addresses.
pub(crate) const UNIT: usize = 16;
/// The largest block that is cut from a chunk, in units; larger ones are the system allocator's.
pub(crate) const MOST_UNITS: usize = 64;
/// What stands before each block.
pub(crate) const HEADER: usize = size_of::<Header>();
const CHUNK: Layout = match Layout::from_size_align(1 << 20, UNIT) {
    Ok(layout) => layout,
    Err(_) => panic!("a layout of a power of two"),
};
/// Chunks that an arena without blocks keeps: 16 MB.
const KEPT: usize = 16;

/// What stands in the eight bytes before a block.
#[derive(Clone, Copy)]
pub(crate) struct Header {
    /// Size of header and block in units of an arena; 0 for a block of the system's allocator.
    pub(crate) units: u32,
    /// Number of the arena that the block was cut from, or of that of the thread that asked the system for it.
    pub(crate) owner: u32,
}

/// Where a thread's blocks come from. Blocks must not be used after it is dropped, unless some were alive then: in
/// that case its chunks stay for good.
pub(crate) struct Arena {
    number: u32,
    /// The free part of the chunk in use, `at` being a block's header.
    at: *mut u8,
    left: usize,
    /// Blocks that are handed out and not freed.
    live: usize,
    /// Blocks of the system's allocator that this thread asked for and has not freed.
    large: usize,
    /// Chunks, of which the first `used` have blocks.
    chunks: Vec<NonNull<u8>>,
    used: usize,
    /// Freed blocks by units, each pointing to the next.
    free: [*mut u8; MOST_UNITS + 1],
}

impl Arena {
    pub(crate) fn new() -> Self {
        static NUMBERS: AtomicU32 = AtomicU32::new(0);
        Self {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            at: null_mut(),
            left: 0,
            live: 0,
            large: 0,
            chunks: Vec::new(),
            used: 0,
            free: [null_mut(); MOST_UNITS + 1],
        }
    }

    /// A block that, with its header, has `units`, of which there are 1 to `MOST_UNITS`.
    #[inline]
    pub(crate) fn take(&mut self, units: usize) -> *mut u8 {
        debug_assert!((1..=MOST_UNITS).contains(&units));
        self.live += 1;
        let freed = self.free[units];
        if !freed.is_null() {
            // SAFETY: a block on the list is nobody's but the list's and holds its successor; blocks have room for
            // a pointer, since a header and a pointer make a unit.
            self.free[units] = unsafe { freed.cast::<*mut u8>().read() };
            return freed;
        }
        let size = units * UNIT;
        if self.left < size {
            self.next_chunk();
        }
        // SAFETY: `left` bytes from `at` are free memory of one chunk, and `size` is no more than that. `at` is 8
        // bytes short of a multiple of 16, so that headers are aligned for u32 and blocks to 16.
        unsafe {
            let header = self.at;
            self.at = header.add(size);
            self.left -= size;
            header.cast::<Header>().write(Header { units: units as u32, owner: self.number });
            header.add(HEADER)
        }
    }

    /// Takes back a block. One of another thread's arena is let lie: only that thread may touch its lists.
    ///
    /// # Safety
    /// `block` came from `take` of an arena with this header and is not used again.
    #[inline]
    pub(crate) unsafe fn give(&mut self, block: *mut u8, header: Header) {
        if header.owner != self.number {
            return;
        }
        self.live -= 1;
        if self.live == 0 {
            return self.clear();
        }
        let units = header.units as usize;
        // SAFETY: the block is ours again, and has room for a pointer.
        unsafe { block.cast::<*mut u8>().write(self.free[units]) };
        self.free[units] = block;
    }

    /// Its number, which no other arena has.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Blocks that are handed out and not freed.
    pub(crate) fn alive(&self) -> usize {
        self.live
    }

    /// Blocks of the system's allocator that its thread asked for and has not freed.
    pub(crate) fn large(&self) -> usize {
        self.large
    }

    /// Counts a block of the system's allocator; answers its owner.
    pub(crate) fn begin_large(&mut self) -> u32 {
        self.large += 1;
        self.number
    }

    /// Counts one off, if it was this thread's.
    pub(crate) fn end_large(&mut self, header: Header) {
        self.large -= usize::from(header.owner == self.number);
    }

    /// Takes back all blocks at once.
    ///
    /// # Safety
    /// None of them is used again.
    pub(crate) unsafe fn forget(&mut self) {
        self.live = 0;
        self.clear();
    }

    #[cold]
    fn next_chunk(&mut self) {
        if self.used == self.chunks.len() {
            // SAFETY: the layout has a size.
            let chunk = unsafe { alloc(CHUNK) };
            self.chunks.push(NonNull::new(chunk).unwrap_or_else(|| handle_alloc_error(CHUNK)));
        }
        let chunk = self.chunks[self.used];
        self.used += 1;
        // The first header goes to the end of the first unit, so that the first block begins at the second.
        // SAFETY: a chunk is longer than a header.
        self.at = unsafe { chunk.as_ptr().add(UNIT - HEADER) };
        self.left = CHUNK.size() - UNIT;
    }

    /// Forgets all blocks, of which none is alive.
    #[cold]
    fn clear(&mut self) {
        self.release(KEPT);
        (self.at, self.left, self.used) = (null_mut(), 0, 0);
        self.free = [null_mut(); MOST_UNITS + 1];
    }

    /// Gives chunks back but for the first `kept`. No block is alive.
    fn release(&mut self, kept: usize) {
        for chunk in self.chunks.drain(kept.min(self.chunks.len())..) {
            // SAFETY: it was allocated with this layout, and no block in it is used.
            unsafe { dealloc(chunk.as_ptr(), CHUNK) };
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        if self.live == 0 {
            self.release(0);
        }
    }
}

#[cfg(test)]
#[expect(clippy::undocumented_unsafe_blocks, reason = "each test keeps the rules that it tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(block: *mut u8) -> Header {
        unsafe { block.sub(HEADER).cast::<Header>().read() }
    }

    #[test]
    fn memory_is_used_again_from_the_start() {
        let mut arena = Arena::new();
        let first = arena.take(3);
        let blocks: Vec<_> = (0..100_000).map(|_| arena.take(3)).collect();
        assert_eq!(arena.chunks.len(), 5);
        for block in blocks.into_iter().chain([first]) {
            unsafe { arena.give(block, header(block)) };
        }
        assert_eq!(arena.take(5), first);
        assert_eq!(arena.chunks.len(), 5);
    }

    #[test]
    fn no_more_than_16_megabytes_are_kept() {
        let mut arena = Arena::new();
        let blocks: Vec<_> = (0..30_000).map(|_| arena.take(MOST_UNITS)).collect();
        assert_eq!(arena.chunks.len(), 30);
        for block in blocks {
            unsafe { arena.give(block, header(block)) };
        }
        assert_eq!(arena.chunks.len(), 16);
    }

    #[test]
    fn a_block_of_another_arena_is_let_lie() {
        let (mut ours, mut theirs) = (Arena::new(), Arena::new());
        let (block, foreign) = (ours.take(2), theirs.take(2));
        unsafe { ours.give(foreign, header(foreign)) };
        assert_eq!((ours.live, theirs.live), (1, 1));
        assert_ne!(ours.take(2), foreign);
        unsafe { ours.give(block, header(block)) };
        assert_eq!(ours.take(2), block, "the block that was freed last");
    }

    proptest! {
        /// Whatever is taken and freed, blocks lie apart, are aligned and keep what is written.
        #[test]
        fn blocks_keep_what_is_written(steps in prop::collection::vec((1..=MOST_UNITS, any::<prop::sample::Index>(), 0..3u8), 1..3000)) {
            let mut arena = Arena::new();
            let mut held: Vec<(*mut u8, usize, u8)> = Vec::new();
            for (number, (units, which, step)) in steps.into_iter().enumerate() {
                if step > 0 || held.is_empty() {
                    let (block, size) = (arena.take(units), units * UNIT - HEADER);
                    prop_assert_eq!(block as usize % UNIT, 0);
                    unsafe { block.write_bytes(number as u8, size) };
                    held.push((block, size, number as u8));
                } else {
                    let (block, size, written) = held.swap_remove(which.index(held.len()));
                    let bytes = unsafe { std::slice::from_raw_parts(block, size) };
                    prop_assert!(bytes.iter().all(|&byte| byte == written));
                    unsafe { arena.give(block, header(block)) };
                }
            }
        }
    }
}
