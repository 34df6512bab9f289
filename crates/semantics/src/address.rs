//! Addresses of memory objects. An object is known by its allocation site, how often that site had allocated on the
//! path, and its size: two paths that allocated the same things agree on every address, and no two objects of a run
//! ever overlap. Objects lie apart, so that running over an end never lands in a neighbour.

use crate::value::ObjectKey;
use fathom_base::FxMap;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, VarId, mask};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where an object comes from: the number of a statement or global, and how often that had allocated before.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    pub site: u32,
    pub occurrence: u32,
}

#[derive(Clone)]
struct Entry {
    origin: Origin,
    base: u64,
    /// Bytes set aside, at least the object's size.
    reserved: u64,
    symbol: Term,
}

/// The addresses of one run, shared by all its states.
#[derive(Clone)]
pub struct AddressBook {
    store: Rc<TermStore>,
    pointer_bits: u32,
    entries: Vec<Entry>,
    by_origin: FxMap<(Origin, u64), ObjectKey>,
    by_symbol: FxMap<VarId, ObjectKey>,
    by_base: BTreeMap<u64, ObjectKey>,
    planned: FxMap<(Origin, u64), u64>,
    next: u64,
    grounding: Substitution,
}

/// The address space is full.
#[derive(Debug)]
pub struct AddressSpaceExhausted;

impl AddressBook {
    pub fn new(store: Rc<TermStore>, pointer_bits: u32) -> Self {
        AddressBook {
            store,
            pointer_bits,
            entries: Vec::new(),
            by_origin: FxMap::default(),
            by_symbol: FxMap::default(),
            by_base: BTreeMap::new(),
            planned: FxMap::default(),
            next: 0x1_0000,
            grounding: Substitution::default(),
        }
    }

    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    /// Room that an allocation of symbolic size gets; larger sizes are left out, with a ledger entry.
    pub fn symbolic_reserve(&self) -> u64 {
        if self.pointer_bits >= 64 { 1 << 32 } else { 1 << 22 }
    }

    /// The object of this origin and room, with its address, new or known.
    pub fn object(&mut self, origin: Origin, reserved: u64, align: u64) -> Result<ObjectKey, AddressSpaceExhausted> {
        if let Some(&known) = self.by_origin.get(&(origin, reserved)) {
            return Ok(known);
        }
        // A size that was symbolic when the plan was made got more room.
        let roomy = (origin, reserved.max(self.symbolic_reserve()));
        if let Some(&base) = self.planned.get(&(origin, reserved)).or_else(|| self.planned.get(&roomy)) {
            return Ok(self.add(origin, reserved, base));
        }
        let align = align.max(16).next_power_of_two();
        let base = self.next.checked_add(align - 1).ok_or(AddressSpaceExhausted)? & !(align - 1);
        // Half the object's size, and at least 16 bytes, stay empty behind it.
        let gap = 16 + (reserved / 2).min(4096);
        let end = base.checked_add(reserved).and_then(|end| end.checked_add(gap)).ok_or(AddressSpaceExhausted)?;
        let limit = if self.pointer_bits >= 64 { 1 << 47 } else { mask(self.pointer_bits) - 0xFFFF };
        if end > limit {
            return Err(AddressSpaceExhausted);
        }
        self.next = end;
        Ok(self.add(origin, reserved, base))
    }

    fn add(&mut self, origin: Origin, reserved: u64, base: u64) -> ObjectKey {
        let object = ObjectKey(self.entries.len() as u32);
        let symbol = self.store.fresh("addr", Sort::Bv(self.pointer_bits));
        let Op::Var(var) = self.store.op(symbol) else { unreachable!("a fresh symbol is a variable") };
        self.entries.push(Entry { origin, base, reserved, symbol });
        self.by_origin.insert((origin, reserved), object);
        self.by_symbol.insert(var, object);
        self.by_base.insert(base, object);
        self.grounding.extend(var, self.store.bv(base, self.pointer_bits));
        object
    }

    /// Where everything lies, so that a replay can put it there again.
    pub fn layout(&self) -> Vec<(Origin, u64, u64)> {
        self.entries.iter().map(|entry| (entry.origin, entry.reserved, entry.base)).collect()
    }

    /// Fixes addresses of objects that will be asked for later; others come behind them.
    pub fn plan(&mut self, layout: &[(Origin, u64, u64)]) {
        for &(origin, reserved, base) in layout {
            self.planned.insert((origin, reserved), base);
            self.next = self.next.max(base + reserved + 4096);
        }
    }

    pub fn origin(&self, object: ObjectKey) -> Origin {
        self.entries[object.0 as usize].origin
    }

    pub fn base(&self, object: ObjectKey) -> u64 {
        self.entries[object.0 as usize].base
    }

    pub fn symbol(&self, object: ObjectKey) -> Term {
        self.entries[object.0 as usize].symbol
    }

    pub fn object_of(&self, symbol: VarId) -> Option<ObjectKey> {
        self.by_symbol.get(&symbol).copied()
    }

    /// The object whose room holds this address, whether or not it lives in some state.
    pub fn object_at(&self, address: u64) -> Option<ObjectKey> {
        let (&base, &object) = self.by_base.range(..=address).next_back()?;
        (address - base <= self.entries[object.0 as usize].reserved).then_some(object)
    }

    /// The term with every address symbol replaced by its number.
    pub fn ground(&mut self, term: Term) -> Term {
        self.grounding.apply(&self.store, term)
    }
}
