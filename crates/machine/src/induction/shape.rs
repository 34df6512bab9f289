//! The shape of a value that a loop changes: plain data, or a pointer into one of a few objects, or null. An arbitrary
//! value of this shape stands for the value in any iteration. Addresses must always be pointers of a known shape: an
//! arbitrary number that happens to be an address would resolve to whatever object lies there, which is wrong for a
//! pointer that has left its object.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use fathom_base::FxSet;
use fathom_term::{Op, Sort, Term};
use std::collections::BTreeMap;

/// More alternatives than this are not followed.
const MAX_LEAVES: usize = 64;
const MAX_OBJECTS: usize = 8;
/// Offsets are kept multiples of at most this.
const MAX_UNIT_BITS: u32 = 3;

/// What arbitrary values of a variable or cell may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Any bits that are no pointer.
    Plain,
    /// Into one of these objects, at a multiple of the unit; `null` if it may also be that.
    Pointers {
        /// The objects, each with the number that offsets are multiples of.
        objects: BTreeMap<ObjectKey, u64>,
        /// Null is possible.
        null: bool,
    },
}

/// Why a value has no shape.
pub type Shapeless = &'static str;

impl Shape {
    /// The least shape that covers both.
    pub fn join(self, other: Shape) -> Result<Shape, Shapeless> {
        match (self, other) {
            (Shape::Plain, Shape::Plain) => Ok(Shape::Plain),
            (Shape::Pointers { mut objects, null }, Shape::Pointers { objects: more, null: also }) => {
                for (object, unit) in more {
                    let known = objects.entry(object).or_insert(unit);
                    *known = unit.min(*known);
                }
                if objects.len() > MAX_OBJECTS {
                    return Err("a pointer leads to too many objects");
                }
                // Zeros alone are data.
                Ok(if objects.is_empty() { Shape::Plain } else { Shape::Pointers { objects, null: null || also } })
            }
            _ => Err("a value is data in one iteration and a pointer in another"),
        }
    }
}

impl Machine {
    /// The least shape of a value. Null alone has the shape of a pointer to nothing, which joins with either.
    pub(crate) fn shape_of(&self, value: Val) -> Result<Shape, Shapeless> {
        let pointer = |object, offset_zeros: u32, null| {
            let unit = 1u64 << offset_zeros.min(MAX_UNIT_BITS);
            Shape::Pointers { objects: BTreeMap::from([(object, unit)]), null }
        };
        match value {
            Val::Bits(_) => Ok(Shape::Plain),
            Val::Pointer { object, offset } => Ok(pointer(object, offset.trailing_zeros(), false)),
            Val::Term(term) if !self.has_address(term) => Ok(Shape::Plain),
            Val::Term(term) => {
                let (mut objects, mut null) = (BTreeMap::new(), false);
                for leaf in self.leaves(term)? {
                    if self.store.const_bits(leaf) == Some(0) {
                        null = true;
                    } else if let Some((base, offset)) = self.based(leaf)
                        && let Some(object) = self.store.as_var(base).and_then(|var| self.book.object_of(var))
                        && !self.has_address(offset)
                    {
                        let unit = 1u64 << self.store.trailing_zeros(offset, 16).min(MAX_UNIT_BITS);
                        let known = objects.entry(object).or_insert(unit);
                        *known = unit.min(*known);
                    } else {
                        return Err("an address is used as a number");
                    }
                }
                match objects.len() {
                    0 => Ok(Shape::Plain),
                    1..=MAX_OBJECTS => Ok(Shape::Pointers { objects, null }),
                    _ => Err("a pointer leads to too many objects"),
                }
            }
        }
    }

    /// The shape that covers two values; null goes with pointers.
    pub(crate) fn common_shape(&self, one: Shape, value: Val) -> Result<Shape, Shapeless> {
        let nothing = Shape::Pointers { objects: BTreeMap::new(), null: true };
        let two = self.shape_of(value)?;
        match (&one, &two, value) {
            (Shape::Pointers { .. }, Shape::Plain, Val::Bits(0)) => one.join(nothing),
            _ => one.join(two),
        }
    }

    fn leaves(&self, term: Term) -> Result<Vec<Term>, Shapeless> {
        let (mut found, mut open, mut seen) = (Vec::new(), vec![term], FxSet::default());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.store.op(term) == Op::Ite {
                open.extend([self.store.arg(term, 1), self.store.arg(term, 2)]);
            } else {
                found.push(term);
            }
            if seen.len() > MAX_LEAVES {
                return Err("a pointer has too many alternatives");
            }
        }
        Ok(found)
    }

    pub(crate) fn has_address(&self, term: Term) -> bool {
        let is_address = |term: Term| self.store.as_var(term).is_some_and(|var| self.book.object_of(var).is_some());
        self.store.subterms([term]).any(is_address)
    }

    /// Any value of the shape.
    pub(crate) fn any_of(&mut self, state: &mut State, shape: &Shape, sort: Sort) -> Val {
        let Shape::Pointers { objects, null } = shape else { return self.arbitrary(state, sort) };
        let width = self.book.pointer_bits();
        let store = self.store.clone();
        let mut value = null.then(|| store.bv(0, width));
        for (&object, &unit) in objects {
            let number = self.arbitrary(state, Sort::Bv(width));
            let number = self.term_of(number, Sort::Bv(width));
            let offset = store.build(Op::BvShl, &[number, store.bv(unit.trailing_zeros() as u64, width)]);
            let here = store.bv_add(self.book.symbol(object), offset);
            value = Some(match value {
                None => here,
                Some(other) => {
                    let choice = self.arbitrary(state, Sort::Bool);
                    let choice = self.term_of(choice, Sort::Bool);
                    store.ite(choice, here, other)
                }
            });
        }
        value.map_or(Val::Bits(0), |term| self.value_of(term))
    }
}
