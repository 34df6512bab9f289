//! Abstract values of the points-to analysis: a set of objects with offsets into each, null, and other numbers. Joining only
//! adds, and offsets that become many become any, so ascending chains are short.

use std::collections::{BTreeMap, BTreeSet};

/// More offsets than this into one object are any.
const MOST_OFFSETS: usize = 8;

/// Offsets, or any.
pub(crate) type Offsets = Option<BTreeSet<i64>>;

/// The values that a variable, a term or a cell may have, as far as they are addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    /// Objects, and where into them.
    pub targets: BTreeMap<usize, Offsets>,
    /// Null is among them.
    pub null: bool,
    /// Numbers that are no addresses as far as anyone knows, or from elsewhere.
    pub other: bool,
    /// Addresses of procedures, or numbers made of them, are among those.
    pub code: bool,
}

impl Values {
    /// Adds other values; says whether that changed anything.
    pub fn join(&mut self, from: &Values) -> bool {
        let before = (self.null, self.other, self.code);
        self.null |= from.null;
        self.other |= from.other;
        self.code |= from.code;
        let mut changed = before != (self.null, self.other, self.code);
        for (&object, offsets) in &from.targets {
            changed |= self.add(object, offsets);
        }
        changed
    }

    fn add(&mut self, object: usize, offsets: &Offsets) -> bool {
        let mine = self.targets.entry(object);
        let is_new = matches!(mine, std::collections::btree_map::Entry::Vacant(_));
        let mine = mine.or_insert_with(|| Some(BTreeSet::new()));
        let Some(known) = mine else { return is_new };
        let Some(more) = offsets else {
            *mine = None;
            return true;
        };
        let before = known.len();
        known.extend(more);
        let grown = known.len() > before;
        if known.len() > MOST_OFFSETS {
            *mine = None;
        }
        grown || is_new
    }

    /// A measure of imprecision. Of two answers that are both sound, the one with the smaller measure is used.
    pub fn vagueness(&self) -> (bool, bool, usize, usize) {
        let any = self.targets.values().filter(|offsets| offsets.is_none()).count();
        (self.other, self.null, any, self.targets.values().flatten().map(BTreeSet::len).sum())
    }

    /// An address inside an object.
    pub fn to(object: usize, offset: i64) -> Values {
        Values { targets: BTreeMap::from([(object, Some(BTreeSet::from([offset])))]), ..Values::default() }
    }

    /// These values after arithmetic: the same objects at any offset, and numbers computed from their addresses.
    pub fn blurred(&self) -> Values {
        let targets = self.targets.keys().map(|&object| (object, None)).collect();
        Values { targets, null: self.null, other: true, code: self.code }
    }

    /// Any number that is no address of an object.
    pub fn other() -> Values {
        Values { other: true, ..Values::default() }
    }

    /// The null pointer.
    pub fn null() -> Values {
        Values { null: true, ..Values::default() }
    }
}
