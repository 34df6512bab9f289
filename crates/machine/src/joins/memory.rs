//! Joining the memories of two states, object by object (see `merge`). Objects and pages that the states still share
//! are left alone. Where they differ, the values of both sides are read through the same code as the program's own
//! loads and the choice between them is written back as one cell; so words stay words and pointers stay pointers.
//! Contents that became arrays are joined as a choice between arrays; what the pages know beyond them is joined first
//! and stays marked as not yet in the array.
//!
//! Sound because after the join each byte is `ite(selector, byte of a, byte of b)`, whatever holds it.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::joins::states::Obstacle;
use crate::memory::access::write_value;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::Object;
use fathom_term::{Sort, Term};

/// Zeroed objects up to this size are spelled out when the other side has arbitrary bytes; larger ones become arrays.
const SPELLED_OUT: u64 = 256;
/// The element of arrays that only a join needed.
const ELEMENT: u64 = 4;

impl Machine {
    /// Why these two contents of one object can't be joined.
    pub(crate) fn objects_obstacle(&self, key: ObjectKey, a: &Object, b: &Object) -> Option<Obstacle> {
        match (&a.contents.base, &b.contents.base) {
            (Base::Array { element: one, .. }, Base::Array { element: two, .. }) if one != two => Some(Obstacle::Elements(key)),
            _ if a.kind != b.kind || a.read_only != b.read_only => Some(Obstacle::Objects(key)),
            _ => None,
        }
    }

    /// Makes the object in `a` stand for both. Both sides may be read, which can give arbitrary bytes their symbols.
    pub(crate) fn join_object(&mut self, selector: Term, a: &mut State, b: &mut State, key: ObjectKey) {
        self.align_bases(a, b, key);
        let (Some(one), Some(two)) = (a.memory.get(key).cloned(), b.memory.get(key).cloned()) else { return };
        let sort = Sort::Bv(self.book.pointer_bits());
        let size = self.join_values(selector, one.size, two.size, sort);
        let base = match (&one.contents.base, &two.contents.base) {
            (Base::Array { term, element }, Base::Array { term: other, .. }) => {
                Base::Array { term: self.store.ite(selector, *term, *other), element: *element }
            }
            (base, _) => base.clone(),
        };
        let differences = one.contents.differences(&two.contents);
        if differences.is_empty() && base == one.contents.base && size == one.size {
            return;
        }
        let mut joined: Contents = one.contents.clone();
        let is_array = matches!(base, Base::Array { .. });
        if is_array {
            joined.add_dirty(&two.contents);
        }
        joined.base = base;
        for difference in differences {
            let (offset, length) = (difference.offset, difference.length);
            if is_array && difference.is_cached {
                joined.forget(offset, length);
                continue;
            }
            let [left, right] = [&mut *a, &mut *b].map(|state| self.read_at(state, key, offset, length));
            let value = self.join_values(selector, left, right, Sort::Bv(length as u32 * 8));
            write_value(&self.store, &self.book, &mut joined, offset, length, value);
        }
        a.memory.insert(key, Object { size, contents: joined, ..(*one).clone() });
    }

    /// Gives the object the same kind of base on both sides.
    fn align_bases(&mut self, a: &mut State, b: &mut State, key: ObjectKey) {
        let (Some(one), Some(two)) = (a.memory.get(key), b.memory.get(key)) else { return };
        let (left, right) = (one.contents.base.clone(), two.contents.base.clone());
        let sizes = (one.size, two.size);
        let element = match (&left, &right) {
            (Base::Zero, Base::Zero) | (Base::Uninitialised, Base::Uninitialised) => return,
            (Base::Foreign(one), Base::Foreign(two)) if one == two => return,
            (Base::Array { element, .. }, _) | (_, Base::Array { element, .. }) => *element,
            (Base::Foreign(_), _) | (_, Base::Foreign(_)) => ELEMENT,
            _ => match sizes {
                (Val::Bits(size), Val::Bits(other)) if size.max(other) <= SPELLED_OUT => {
                    for state in [a, b] {
                        spell_out(state, key, size.max(other));
                    }
                    return;
                }
                _ => ELEMENT,
            },
        };
        for (state, base) in [(a, left), (b, right)] {
            if !matches!(base, Base::Array { .. }) {
                let term = self.base_as_array(key, &base, element);
                if let Some(object) = state.memory.get_mut(key) {
                    object.contents.base = Base::Array { term, element };
                }
            }
        }
    }
}

/// Bytes that are zero because the whole object was zeroed become known ones, so that the base can be another.
fn spell_out(state: &mut State, key: ObjectKey, size: u64) {
    if let Some(object) = state.memory.get_mut(key)
        && object.contents.base == Base::Zero
    {
        object.contents.spell_zeros(size);
        object.contents.base = Base::Uninitialised;
    }
}
