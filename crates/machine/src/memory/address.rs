//! Names and addresses of memory objects. An object is known by its allocation site, how often that site had allocated
//! on the path, and its size: two paths that allocated the same things agree. Its address is a symbol, about which only
//! what the ABI promises is known: it is aligned, not null, inside the address space and disjoint from other live
//! objects. Each object also has an *example* address, a number with enough room after it for the object and a gap. It
//! replaces the symbol in conditions to which every layout gives the same answer (`standing`), models start from it,
//! and replays use it.

use crate::exec::value::ObjectKey;
use crate::memory::standing::Standings;
use fathom_base::{FxMap, FxSet};
use fathom_ir::MemoryObject;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, VarId, mask};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where an object comes from: the number of a statement or global, and how often that had allocated before.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The number of the allocating statement, or of the global object.
    pub site: u32,
    /// How many objects the site had made before on this path.
    pub occurrence: u32,
}

#[derive(Clone)]
struct Entry {
    origin: Origin,
    base: u64,
    /// In bytes, if that is a number.
    size: Option<u64>,
    /// Bytes set aside behind the example address: the object's size, unless that is large or symbolic.
    room: u64,
    align: u64,
    symbol: Term,
    /// A plan put it there for a reason.
    chosen: bool,
}

/// Where an object lies in one execution.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Which object it is.
    pub origin: Origin,
    /// If that is a number.
    pub size: Option<u64>,
    /// The address.
    pub base: u64,
    /// The execution depends on it; otherwise it is an example.
    pub chosen: bool,
}

/// No object lies below; a number there is no address.
pub(crate) const LOWEST: u64 = 0x1000;
/// Room at most for an object whose size is a number, and for one whose size is not: larger ones share the addresses behind,
/// which then stand for nothing.
const MOST_ROOM: u64 = 1 << 36;
const SYMBOLIC_ROOM: u64 = 1 << 32;
/// Small objects get all their room as long as there is any; of what is left others take one part in so many.
const SMALL: u64 = 1 << 16;
const PARTS: u64 = 64;

/// The addresses of one run, shared by all its states.
#[derive(Clone)]
pub struct AddressBook {
    store: Rc<TermStore>,
    pointer_bits: u32,
    entries: Vec<Entry>,
    by_origin: FxMap<(Origin, Option<u64>), ObjectKey>,
    by_symbol: FxMap<VarId, ObjectKey>,
    by_base: BTreeMap<u64, ObjectKey>,
    planned: FxMap<(Origin, Option<u64>), Placed>,
    next: u64,
    grounding: Substitution,
    pub(crate) standings: Standings,
    /// Variables without a byte, which may lie where another object lies.
    bare: FxSet<ObjectKey>,
    /// Objects without a name of their own, which may share their memory.
    literals: Rc<FxMap<ObjectKey, MemoryObject>>,
    /// What holds of addresses as long as these objects live.
    pub(crate) promises: FxMap<Term, [ObjectKey; 2]>,
}

/// The address space is full.
#[derive(Debug)]
pub struct AddressSpaceExhausted;

impl AddressBook {
    /// A book without objects.
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
            standings: Standings::default(),
            bare: FxSet::default(),
            literals: Rc::default(),
            promises: FxMap::default(),
        }
    }

    /// 32 or 64.
    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    /// The end of the address space that programs have.
    pub fn limit(&self) -> u64 {
        let top = if self.pointer_bits >= 64 { 1 << 47 } else { mask(self.pointer_bits) + 1 };
        top - LOWEST
    }

    /// Objects of so many bytes are few before the address space is full.
    pub(crate) fn bulk(&self) -> u64 {
        self.limit() >> 12
    }

    /// The object of this origin and size, new or known.
    pub fn object(&mut self, origin: Origin, size: Option<u64>, align: u64) -> Result<ObjectKey, AddressSpaceExhausted> {
        if let Some(&known) = self.by_origin.get(&(origin, size)) {
            return Ok(known);
        }
        let wanted = match size {
            Some(size) => size.min(MOST_ROOM),
            None => SYMBOLIC_ROOM,
        };
        let room = if wanted <= SMALL { wanted } else { wanted.min(self.limit().saturating_sub(self.next) / PARTS) };
        // A size that is a number in a replay may have been symbolic when the plan was made.
        if let Some(&Placed { base, chosen, .. }) = self.planned.get(&(origin, size)).or_else(|| self.planned.get(&(origin, None))) {
            return Ok(self.add(Entry { origin, base, size, room, align, symbol: self.new_symbol(), chosen }));
        }
        let boundary = align.max(16).next_power_of_two();
        let base = self.next.checked_add(boundary - 1).ok_or(AddressSpaceExhausted)? & !(boundary - 1);
        // Half the object's size, and at least 16 bytes, stay empty behind it.
        let gap = 16 + (room / 2).min(4096);
        let end = base.checked_add(room).and_then(|end| end.checked_add(gap)).ok_or(AddressSpaceExhausted)?;
        if end > self.limit() {
            return Err(AddressSpaceExhausted);
        }
        self.next = end;
        Ok(self.add(Entry { origin, base, size, room, align, symbol: self.new_symbol(), chosen: false }))
    }

    fn new_symbol(&self) -> Term {
        self.store.fresh("addr", Sort::Bv(self.pointer_bits))
    }

    fn add(&mut self, entry: Entry) -> ObjectKey {
        let object = ObjectKey(self.entries.len() as u32);
        let Op::Var(var) = self.store.op(entry.symbol) else { unreachable!("a fresh symbol is a variable") };
        self.by_origin.insert((entry.origin, entry.size), object);
        self.by_symbol.insert(var, object);
        self.by_base.insert(entry.base, object);
        self.grounding.extend(var, self.store.bv(entry.base, self.pointer_bits));
        self.entries.push(entry);
        object
    }

    /// Where everything lies, so that a replay can put it there again.
    pub fn layout(&self) -> Vec<Placed> {
        let place = |entry: &Entry| Placed { origin: entry.origin, size: entry.size, base: entry.base, chosen: entry.chosen };
        self.entries.iter().map(place).collect()
    }

    /// Fixes addresses of objects that will be asked for later; others come behind them.
    pub fn plan(&mut self, layout: &[Placed]) {
        for &placed @ Placed { origin, size, base, .. } in layout {
            self.planned.insert((origin, size), placed);
            let end = base.saturating_add(size.unwrap_or(SYMBOLIC_ROOM).min(MOST_ROOM)).saturating_add(4096);
            // What the plan does not know lies behind it, if there is room.
            if end < self.limit() / 2 {
                self.next = self.next.max(end);
            }
        }
    }

    /// Where the object comes from.
    pub fn origin(&self, object: ObjectKey) -> Origin {
        self.entries[object.0 as usize].origin
    }

    /// Its example address: a number that stands for the symbolic one.
    pub fn base(&self, object: ObjectKey) -> u64 {
        self.entries[object.0 as usize].base
    }

    /// Whether a plan put the object there for a reason.
    pub(crate) fn is_chosen(&self, object: ObjectKey) -> bool {
        self.entries[object.0 as usize].chosen
    }

    /// In bytes; None if that is no number.
    pub fn size(&self, object: ObjectKey) -> Option<u64> {
        self.entries[object.0 as usize].size
    }

    pub(crate) fn room(&self, object: ObjectKey) -> u64 {
        self.entries[object.0 as usize].room
    }

    /// What every address of the object is a multiple of: a power of two.
    pub fn align(&self, object: ObjectKey) -> u64 {
        let align = self.entries[object.0 as usize].align.max(1);
        1 << align.trailing_zeros()
    }

    /// Notes that an object is a variable. Without a byte (`struct {}`, `int a[0]`) it needs no address of its own, while
    /// `malloc(0)` gives one.
    pub(crate) fn add_variable(&mut self, object: ObjectKey) {
        if self.size(object) == Some(0) {
            self.bare.insert(object);
        }
    }

    /// How many bytes no other object can have the address of: those of the object, at least one if its address is its own.
    pub(crate) fn own_bytes(&self, object: ObjectKey, size: u64) -> u64 {
        if self.bare.contains(&object) { 0 } else { size.max(1) }
    }

    /// Notes that an object may lie where another one of equal bytes lies.
    pub(crate) fn add_literal(&mut self, object: ObjectKey, literal: &MemoryObject) {
        Rc::make_mut(&mut self.literals).insert(object, literal.clone());
    }

    /// How far behind the beginning of one object another one may begin that shares its memory.
    pub(crate) fn shared_offset(&self, a: ObjectKey, b: ObjectKey) -> Option<i64> {
        let (one, two) = (self.literals.get(&a)?, self.literals.get(&b)?);
        let behind = one.shared_end(two).map(|offset| offset as i64);
        behind.or_else(|| two.shared_end(one).map(|offset| -(offset as i64)))
    }

    /// The symbolic address of an object.
    pub fn symbol(&self, object: ObjectKey) -> Term {
        self.entries[object.0 as usize].symbol
    }

    /// The object whose address the variable stands for, if it is one.
    pub fn object_of(&self, symbol: VarId) -> Option<ObjectKey> {
        self.by_symbol.get(&symbol).copied()
    }

    /// The object whose room holds this address, whether or not it lives in some state.
    pub fn object_at(&self, address: u64) -> Option<ObjectKey> {
        let (&base, &object) = self.by_base.range(..=address).next_back()?;
        (address - base <= self.entries[object.0 as usize].room).then_some(object)
    }

    /// The term with every address symbol replaced by its example.
    pub fn ground(&mut self, term: Term) -> Term {
        self.grounding.apply(&self.store, term)
    }

    pub(crate) fn store(&self) -> Rc<TermStore> {
        self.store.clone()
    }
}
