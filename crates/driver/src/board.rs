//! A page of memory that a member of the portfolio shares with its coordinator. The coordinator writes for how long the
//! member was suspended; the member writes its progress. A pipe would not do for progress: it would fill up if nobody
//! reads it, while values in shared memory are simply overwritten. A snapshot that is read while it is being written
//! may mix two of them, which is good enough for a progress line.

use crate::session::{Listener, Standing};
use fathom_base::SuspendedTime;
use fathom_engine::{Depth, Progress};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
use std::sync::atomic::{AtomicU64, Ordering};

/// The page of one member.
pub(crate) struct Board {
    /// For how long the coordinator suspended the member.
    pub suspended: SuspendedTime,
    words: [AtomicU64; 8],
}

impl Board {
    /// Memory that stays for the life of the process, shared with children that are forked from now on.
    pub fn new() -> std::io::Result<&'static Self> {
        let size = size_of::<Self>();
        // SAFETY: a fresh mapping of enough zero bytes, aligned to a page and never unmapped; zero is a valid value of all fields.
        unsafe {
            let memory = mmap_anonymous(std::ptr::null_mut(), size, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED)?;
            Ok(&*memory.cast::<Self>())
        }
    }

    /// How far the member is.
    pub fn progress(&self) -> Progress {
        let words = self.words.each_ref().map(|word| word.load(Ordering::Relaxed));
        let [paths, states, queries, covered, blocks, kind, depth, of] = words;
        let depth = match kind {
            1 => Some(Depth::Branches(depth)),
            2 => Some(Depth::Bound(depth)),
            3 => Some(Depth::Induction(depth)),
            4 => Some(Depth::Refinements(depth)),
            5 => Some(Depth::Formula(depth, of)),
            _ => None,
        };
        Progress { depth, paths, states, queries, coverage: (blocks > 0).then_some((covered, blocks)) }
    }

    fn note(&self, progress: &Progress) {
        let (kind, depth, of) = match progress.depth {
            None => (0, 0, 0),
            Some(Depth::Branches(depth)) => (1, depth, 0),
            Some(Depth::Bound(bound)) => (2, bound, 0),
            Some(Depth::Induction(k)) => (3, k, 0),
            Some(Depth::Refinements(count)) => (4, count, 0),
            Some(Depth::Formula(number, all)) => (5, number, all),
        };
        let (covered, blocks) = progress.coverage.unwrap_or_default();
        let values = [progress.paths, progress.states, progress.queries, covered, blocks, kind, depth, of];
        self.words.iter().zip(values).for_each(|(word, value)| word.store(value, Ordering::Relaxed));
    }
}

/// The member's side.
impl Listener for &'static Board {
    fn progress(&self, standing: &Standing<'_>) {
        self.note(standing.progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read() {
        let board = Board::new().unwrap();
        assert_eq!(board.progress(), Progress::default());
        let depths = [Depth::Branches(3), Depth::Bound(4), Depth::Induction(5), Depth::Refinements(6), Depth::Formula(7, 8)];
        for depth in depths.map(Some).into_iter().chain([None]) {
            let progress = Progress { depth, paths: 1, states: 2, queries: 3, coverage: Some((4, 5)) };
            board.note(&progress);
            assert_eq!(board.progress(), progress);
        }
    }
}
