//! Contents of memory objects: cells (offset and size) with their values, and one description of all other bytes. An
//! object of a program's own that was allocated once is `single`: a write at a known offset replaces what was there.
//! An object that stands for several (a site that allocated again) only gains values.

use crate::value::{Abs, AllThresholds, Bits, Object};
use fathom_domains::num::Num;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Bytes that no cell describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// As the program's initialiser says (global objects only).
    Initial,
    Zero,
    /// Aligned elements of this many bytes each have one of these values.
    Every {
        bytes: u64,
        value: Bits,
    },
    Unknown,
}

/// A value that lies in consecutive bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub bytes: u64,
    pub value: Bits,
}

/// The abstract contents of an object: cells with values, and a rule for the bytes between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Cells do not overlap.
    pub cells: BTreeMap<u64, Cell>,
    pub rest: Rest,
    pub size: Option<u64>,
    /// There is one concrete object of this name.
    pub single: bool,
}

/// What objects hold at the start, asked where `Rest::Initial` stands.
pub trait Initials {
    fn initial(&self, object: Object, offset: u64, bytes: u64) -> Bits;
    /// Whether all bytes of the object start as zero.
    fn is_zero(&self, object: Object) -> bool;
    fn size(&self, object: Object) -> Option<u64>;
    /// Whether writing to it ends the path, so that it always has its initial contents.
    fn is_constant(&self, object: Object) -> bool;
    /// Bytes out of memory that nothing is known of.
    fn unknown(&self, bytes: u64) -> Bits;
}

/// More elements of an initialiser are not looked at one by one.
const MAX_ELEMENTS: u64 = 128;
/// More cells of one object are not followed one by one.
const MAX_CELLS: usize = 256;
/// No object is larger.
const MAX_SIZE: u128 = 1 << 62;
/// Wider accesses are not followed.
const MAX_BYTES: u64 = 8;

fn width(bytes: u64) -> u32 {
    bytes as u32 * 8
}

impl Contents {
    /// An object without cells, of which there is one.
    pub fn new(rest: Rest, size: Option<u64>) -> Contents {
        Contents { cells: BTreeMap::new(), rest, size, single: true }
    }

    /// An object of whose contents nothing is known.
    pub fn unknown(size: Option<u64>, single: bool) -> Contents {
        Contents { cells: BTreeMap::new(), rest: Rest::Unknown, size, single }
    }

    fn overlapping(&self, low: u64, end: u64) -> impl Iterator<Item = (&u64, &Cell)> {
        // No cell is wider than MAX_BYTES.
        let first = low.saturating_sub(MAX_BYTES);
        self.cells.range(first..end).filter(move |(at, cell)| **at + cell.bytes > low)
    }

    fn rest_at(&self, initials: &dyn Initials, object: Object, offset: u64, bytes: u64) -> Bits {
        match &self.rest {
            Rest::Initial => initials.initial(object, offset, bytes),
            Rest::Zero => Bits::number(Num::constant(0, width(bytes))),
            Rest::Every { bytes: size, value } if *size == bytes && offset.is_multiple_of(bytes) => value.clone(),
            Rest::Every { .. } | Rest::Unknown => initials.unknown(bytes),
        }
    }

    /// The value of some bytes at a constant offset.
    pub fn read_at(&self, initials: &dyn Initials, object: Object, offset: u64, bytes: u64) -> Bits {
        if bytes > MAX_BYTES {
            return initials.unknown(bytes);
        }
        if let Some(cell) = self.cells.get(&offset)
            && cell.bytes == bytes
        {
            return cell.value.clone();
        }
        if self.overlapping(offset, offset.saturating_add(bytes)).next().is_some() {
            return self.read_part(initials, offset, bytes);
        }
        self.rest_at(initials, object, offset, bytes)
    }

    /// Some bytes of one cell; across cells nothing is known but where the parts may have pointed.
    fn read_part(&self, initials: &dyn Initials, offset: u64, bytes: u64) -> Bits {
        let mut result = initials.unknown(bytes);
        let end = offset.saturating_add(bytes);
        for (at, cell) in self.overlapping(offset, end) {
            if *at <= offset && *at + cell.bytes >= end {
                let low = width(offset - at);
                result.num = cell.value.num.extract(low + width(bytes) - 1, low);
                if cell.value.points.is_number() {
                    result.points = Default::default();
                    continue;
                }
            }
            result.points = result.points.union(&cell.value.points.blurred());
        }
        result
    }

    /// The offsets that an access of some bytes can have inside the object, at least 0 and at most `size - bytes`.
    pub fn clipped(&self, offset: &Num, bytes: u64) -> Option<Num> {
        let most = match self.size {
            Some(size) => size.checked_sub(bytes)? as u128,
            None => MAX_SIZE,
        };
        offset.meet(&Num::unsigned(offset.width, 0, most)?)
    }

    /// The value at an offset that is in bounds; None if no offset is.
    pub fn read(&self, initials: &dyn Initials, object: Object, offset: &Num, bytes: u64) -> Option<Bits> {
        let offset = self.clipped(offset, bytes)?;
        if let Some(at) = offset.as_constant() {
            return Some(self.read_at(initials, object, at as u64, bytes));
        }
        if bytes > MAX_BYTES {
            return Some(initials.unknown(bytes));
        }
        let step = 1u64 << offset.trailing_zeros().min(6);
        let (low, high) = (offset.umin as u64, offset.umax as u64);
        let aligned = bytes.is_power_of_two() && step >= bytes;
        let mut result: Option<Bits> = None;
        for (at, cell) in self.overlapping(low, high.saturating_add(bytes)) {
            let value = if aligned && cell.bytes == bytes && at % bytes == 0 {
                cell.value.clone()
            } else {
                mixed(initials.unknown(bytes), &[&cell.value])
            };
            result = Some(join_bits(result, value));
        }
        let rest = match &self.rest {
            Rest::Initial if initials.is_zero(object) => Bits::number(Num::constant(0, width(bytes))),
            Rest::Initial => self.initial_between(initials, object, low, high, step, bytes),
            _ if aligned => self.rest_at(initials, object, 0, bytes),
            Rest::Zero => Bits::number(Num::constant(0, width(bytes))),
            _ => initials.unknown(bytes),
        };
        Some(join_bits(result, rest))
    }

    fn initial_between(&self, initials: &dyn Initials, object: Object, low: u64, high: u64, step: u64, bytes: u64) -> Bits {
        if (high - low) / step > MAX_ELEMENTS {
            return initials.unknown(bytes);
        }
        let all = (low..=high).step_by(step as usize).map(|at| initials.initial(object, at, bytes));
        all.fold(None, |known, next| Some(join_bits(known, next))).unwrap_or_else(|| initials.unknown(bytes))
    }

    /// A write at an offset in bounds; None if no offset is (the access ends the path).
    pub fn write(&self, initials: &dyn Initials, object: Object, offset: &Num, bytes: u64, value: &Bits, strong: bool) -> Option<Contents> {
        let offset = self.clipped(offset, bytes)?;
        let mut next = self.clone();
        match offset.as_constant() {
            Some(at) if strong && self.single => next.set(initials, object, at as u64, bytes, value.clone()),
            Some(at) => {
                let joined = join_bits(Some(self.read_at(initials, object, at as u64, bytes)), value.clone());
                next.set(initials, object, at as u64, bytes, joined);
            }
            None => next.smear(initials, object, &offset, bytes, value),
        }
        Some(next)
    }

    /// Replaces the bytes; cells that are partly overwritten keep nothing.
    fn set(&mut self, initials: &dyn Initials, object: Object, at: u64, bytes: u64, value: Bits) {
        self.drop_overlapping(at, at.saturating_add(bytes), at, bytes);
        if bytes > MAX_BYTES {
            self.forget_between(at, at.saturating_add(bytes));
            return;
        }
        if self.cells.len() >= MAX_CELLS && !self.cells.contains_key(&at) {
            let offset = Num::constant(at as u128, 64);
            let whole = Num::unsigned(64, 0, self.size.unwrap_or(u64::MAX / 2) as u128).unwrap_or(offset);
            return self.smear(initials, object, &whole, bytes, &value);
        }
        self.cells.insert(at, Cell { bytes, value });
    }

    /// Cells that overlap the bytes but are not exactly `at`/`bytes` become unknown, byte by byte outside.
    fn drop_overlapping(&mut self, low: u64, end: u64, at: u64, bytes: u64) {
        let hit: Vec<(u64, u64)> = self.overlapping(low, end).map(|(at, cell)| (*at, cell.bytes)).collect();
        for (start, size) in hit {
            if (start, size) == (at, bytes) {
                continue;
            }
            self.cells.remove(&start);
            for byte in start..start + size {
                if byte < low || byte >= end {
                    self.cells.insert(byte, Cell { bytes: 1, value: Bits::number(Num::top(8)) });
                }
            }
        }
    }

    /// Nothing is known of these bytes any more.
    pub fn forget_between(&mut self, low: u64, end: u64) {
        let covers_all = self.size.is_some_and(|size| low == 0 && end >= size);
        self.drop_overlapping(low, end, low, u64::MAX);
        if covers_all {
            self.cells.clear();
        }
        self.rest = Rest::Unknown;
    }

    /// A write at one of several offsets.
    fn smear(&mut self, initials: &dyn Initials, object: Object, offset: &Num, bytes: u64, value: &Bits) {
        let (low, high) = (offset.umin as u64, (offset.umax.min(u64::MAX as u128 / 2)) as u64);
        let step = 1u64 << offset.trailing_zeros().min(6);
        let aligned = bytes.is_power_of_two() && step >= bytes && bytes <= MAX_BYTES;
        let hit: Vec<u64> = self.overlapping(low, high.saturating_add(bytes)).map(|(at, _)| *at).collect();
        for at in hit {
            if let Some(cell) = self.cells.get_mut(&at) {
                cell.value = if aligned && cell.bytes == bytes && at % bytes == 0 {
                    join_bits(Some(cell.value.clone()), value.clone())
                } else {
                    mixed(initials.unknown(cell.bytes), &[&cell.value, value])
                };
            }
        }
        let whole = |bits: &Bits| bits.num.width == width(bytes);
        self.rest = match std::mem::replace(&mut self.rest, Rest::Unknown) {
            Rest::Every { bytes: size, value: known } if aligned && size == bytes && whole(&known) => {
                Rest::Every { bytes, value: join_bits(Some(known), value.clone()) }
            }
            rest @ (Rest::Zero | Rest::Initial) if aligned && (rest == Rest::Zero || initials.is_zero(object)) => {
                let zero = Bits::number(Num::constant(0, width(bytes)));
                Rest::Every { bytes, value: join_bits(Some(zero), value.clone()) }
            }
            _ => Rest::Unknown,
        };
    }

    /// Joins or widens the contents of two states.
    pub fn combine(&self, other: &Contents, object: Object, initials: &dyn Initials, how: &How<'_>) -> Contents {
        let rest = combine_rest(&self.rest, &other.rest, initials.is_zero(object), how);
        let mut result = Contents {
            cells: BTreeMap::new(),
            rest,
            size: if self.size == other.size { self.size } else { None },
            single: self.single && other.single,
        };
        let mut offsets: BTreeMap<u64, u64> = BTreeMap::new();
        for (at, cell) in self.cells.iter().chain(&other.cells) {
            offsets.entry(*at).and_modify(|bytes| *bytes = (*bytes).min(cell.bytes)).or_insert(cell.bytes);
        }
        let mut end = 0;
        let mut loses = false;
        for (at, bytes) in offsets {
            // Cells that overlap in two shapes are given up, and with them what lies around.
            if at < end {
                loses = true;
                continue;
            }
            let (mine, theirs) = (self.read_at(initials, object, at, bytes), other.read_at(initials, object, at, bytes));
            let longer = [self, other].iter().filter_map(|c| c.cells.get(&at)).any(|cell| cell.bytes > bytes);
            loses |= longer;
            end = at + bytes;
            result.cells.insert(at, Cell { bytes, value: how.apply(&mine, &theirs) });
        }
        if loses {
            result.rest = Rest::Unknown;
        }
        result
    }

    /// Whether the other contents allow everything that these do.
    pub fn is_within(&self, other: &Contents, object: Object, initials: &dyn Initials) -> bool {
        if other.single && !self.single || other.size.is_some() && self.size != other.size {
            return false;
        }
        let rest = self.rest == other.rest
            || other.rest == Rest::Unknown
            || combine_rest(&other.rest, &self.rest, initials.is_zero(object), &How::Join) == other.rest;
        let covered = other.cells.iter().all(|(at, cell)| {
            let own = Abs::Bits(self.read_at(initials, object, *at, cell.bytes));
            own.is_within(&Abs::Bits(cell.value.clone()))
        });
        // A cell of ours that the other does not have must lie within the other's rest.
        let own = self.cells.iter().all(|(at, cell)| {
            other.rest == Rest::Unknown && other.overlapping(*at, at + cell.bytes).next().is_none() || {
                let theirs = Abs::Bits(other.read_at(initials, object, *at, cell.bytes));
                Abs::Bits(cell.value.clone()).is_within(&theirs)
            }
        });
        rest && covered && own
    }
}

/// Join, or widening with its thresholds.
pub enum How<'a> {
    Join,
    Widen(&'a AllThresholds),
}

impl How<'_> {
    /// Joins or widens two values.
    pub fn abs(&self, a: &Abs, b: &Abs) -> Abs {
        match self {
            How::Join => a.join(b),
            How::Widen(thresholds) => a.widen(b, thresholds),
        }
    }

    fn apply(&self, a: &Bits, b: &Bits) -> Bits {
        match self.abs(&Abs::Bits(a.clone()), &Abs::Bits(b.clone())) {
            Abs::Bits(bits) => bits,
            _ => a.clone(),
        }
    }
}

/// Unknown bits that may have been made from parts of these.
fn mixed(mut unknown: Bits, parts: &[&Bits]) -> Bits {
    for part in parts {
        unknown.points = unknown.points.union(&part.points.blurred());
    }
    unknown
}

fn join_bits(known: Option<Bits>, next: Bits) -> Bits {
    match known {
        Some(known) => How::Join.apply(&known, &next),
        None => next,
    }
}

fn combine_rest(a: &Rest, b: &Rest, initial_is_zero: bool, how: &How<'_>) -> Rest {
    let zero = |bytes: u64| Bits::number(Num::constant(0, width(bytes)));
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Rest::Every { bytes, value }, Rest::Every { bytes: size, value: other }) if bytes == size => {
            Rest::Every { bytes: *bytes, value: how.apply(value, other) }
        }
        (Rest::Every { bytes, value }, Rest::Zero) => Rest::Every { bytes: *bytes, value: how.apply(value, &zero(*bytes)) },
        // A first write at an unknown offset is no growth yet, and happens once: it is joined even where others widen.
        (Rest::Zero, Rest::Every { bytes, value }) => Rest::Every { bytes: *bytes, value: join_bits(Some(zero(*bytes)), value.clone()) },
        (Rest::Every { bytes, value }, Rest::Initial) if initial_is_zero => {
            Rest::Every { bytes: *bytes, value: how.apply(value, &zero(*bytes)) }
        }
        (Rest::Initial, Rest::Every { bytes, value }) if initial_is_zero => {
            Rest::Every { bytes: *bytes, value: join_bits(Some(zero(*bytes)), value.clone()) }
        }
        (Rest::Zero, Rest::Initial) | (Rest::Initial, Rest::Zero) if initial_is_zero => Rest::Zero,
        _ => Rest::Unknown,
    }
}

/// All memory. Objects that are not listed are as `globals` and `sites` say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    pub objects: BTreeMap<Object, Rc<Contents>>,
    /// Globals that are not listed have their initial contents; otherwise they are unknown (read-only ones never are).
    pub globals_initial: bool,
    /// Sites that are not listed have not allocated; otherwise they may have, any number of times.
    pub sites_fresh: bool,
    /// Objects that may have ended.
    pub ended: BTreeSet<Object>,
    /// Every object of the heap may have ended.
    pub heap_ended: bool,
}
