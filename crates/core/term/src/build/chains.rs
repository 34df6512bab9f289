//! Long chains of writes to maps, with a lookup table at intervals. A loop that writes a hundred thousand elements makes a
//! chain as long, and a read that searched it write by write would take longer in each iteration. A table holds a segment
//! of the chain whose indices are constants, or offsets of one base, so that two of them are equal exactly if their offsets
//! are. A lookup gives what searching these writes one by one would give.
//!
//! Tables are persistent: one is made from the next one below it, and shares the entries that did not change.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};
use archery::RcK;
use fathom_base::FxHasher;
use rpds::HashTrieMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

/// Writes between two tables.
const STRIDE: usize = 64;

type Entries = HashTrieMap<u64, Term, RcK, BuildHasherDefault<FxHasher>>;

/// The newest writes of a map whose indices have this base.
pub(crate) struct Chain {
    base: Option<Term>,
    /// The value that was last written, by the offset of the index.
    entries: Entries,
    /// The map without these writes.
    below: Term,
}

impl Chain {
    /// The element at this base and offset: a known value, or the map below, which is to be read instead.
    pub(super) fn look_up(&self, base: Option<Term>, offset: u64) -> Option<Result<Term, Term>> {
        (base == self.base).then(|| self.entries.get(&offset).copied().ok_or(self.below))
    }
}

impl TermStore {
    /// An index as base and offset; None if it has no such form.
    pub(super) fn base_and_offset(&self, index: Term) -> Option<(Option<Term>, u64)> {
        let rules = self.rules();
        if !rules.maps_at_offsets || !rules.maps_at_constants {
            return None;
        }
        match self.sort(index) {
            _ if matches!(self.op(index), Op::BigConst(_)) => None,
            Sort::Int => {
                let (base, offset) = self.split_integer(index);
                Some((base, offset as u64))
            }
            Sort::Bv(_) => Some(self.split_offset(index)),
            _ => None,
        }
    }

    /// Makes a table for a map if the chain of writes has become long without one.
    pub(super) fn note_writes(&self, map: Term) {
        let Some((base, _)) = self.top_index(map) else { return };
        let mut writes = Vec::new();
        let mut at = map;
        let below = loop {
            if let Some(chain) = self.chain(at)
                && chain.base == base
            {
                break Some(chain);
            }
            match self.top_index(at) {
                Some((other, offset)) if other == base && writes.len() < STRIDE => writes.push((offset, self.arg(at, 2))),
                _ => break None,
            }
            at = self.arg(at, 0);
        };
        if writes.len() < STRIDE {
            return;
        }
        let (mut entries, below) = match &below {
            Some(chain) => (chain.entries.clone(), chain.below),
            None => (HashTrieMap::new_with_hasher_and_ptr_kind(BuildHasherDefault::default()), at),
        };
        for (offset, element) in writes.into_iter().rev() {
            entries.insert_mut(offset, element);
        }
        self.keep_chain(map, Rc::new(Chain { base, entries, below }));
    }

    /// The index of a map's newest write.
    fn top_index(&self, map: Term) -> Option<(Option<Term>, u64)> {
        if self.op(map) == Op::Store { self.base_and_offset(self.arg(map, 1)) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_are_read_at_once() {
        let store = TermStore::new();
        let sort = store.array_sort(Sort::Int, Sort::Int);
        let (m, p, q) = (store.var("m", sort), store.var("p", Sort::Int), store.var("q", Sort::Int));
        let at = |offset: i64| store.build(Op::IntAdd, &[p, store.int(offset)]);
        let mut map = m;
        for round in 0..3 {
            for i in 0..20_000 {
                map = store.store(map, at(4 * i), store.int(round * 100_000 + i));
            }
        }
        for i in (0..20_000).step_by(777) {
            assert_eq!(store.select(map, at(4 * i)), store.int(200_000 + i));
        }
        assert_eq!(store.select(map, at(3)), store.select(m, at(3)));
        // An index with another base may equal any of them, so the writes below it do not count.
        let other = store.store(map, q, store.int(1));
        assert_eq!(store.op(store.select(other, at(0))), Op::Select);
        assert_eq!(store.select(other, q), store.int(1));
        let mut over = other;
        for i in 0..200 {
            over = store.store(over, at(4 * i), store.int(i));
        }
        assert_eq!(store.select(over, at(400)), store.int(100));
        assert_eq!(store.select(over, at(4_000)), store.select(other, at(4_000)));
    }
}
