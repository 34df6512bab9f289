//! Copies and fills of unknown length: element by element up to the size of the objects, each element only if it is
//! within the length. As with every access, both ends must be in the same object; otherwise an exit leads to an error
//! location.

use crate::access::Spot;
use crate::builder::Builder;
use crate::cells::Shape;
use crate::objects::Size;
use crate::program::ErrorKind;
use fathom_base::Loc;
use fathom_ir::Property;
use fathom_term::{Term, VarId};

/// Elements that such a stretch may have.
const MOST_ELEMENTS: u64 = 128;

/// A spot in an array.
struct Part {
    spot: Spot,
    /// When it is the one, and not one before it.
    condition: Term,
    var: VarId,
}

impl Builder<'_> {
    /// Where a stretch of this many bytes may start, the size of the elements there, and how many there are at most.
    fn stretch(&mut self, pointer: Term, length: Term, what: &str, loc: Loc) -> Option<(Vec<Part>, u64, u64)> {
        let store = self.store;
        let spots = self.resolve(pointer, 0, loc)?;
        let (mut parts, mut element, mut most) = (Vec::new(), None, 0);
        let mut before = store.bool(true);
        let mut too_long = Vec::new();
        for spot in spots {
            let object = &self.objects.all[spot.object];
            let (Size::Constant(size), Shape::Array { element: own, var }) = (object.size, self.shapes[spot.object].clone()) else {
                return self.unsupported(what, loc);
            };
            if *element.get_or_insert(own) != own || size / own > MOST_ELEMENTS {
                return self.unsupported(what, loc);
            }
            most = most.max(size / own);
            let within = match object.stride.map(u64::trailing_zeros) {
                Some(low) => store.resize_unsigned(store.extract(spot.offset, low - 1, 0), self.objects.pointer_bits),
                None => spot.offset,
            };
            let room = store.bv_sub(self.pointer_constant(size), within);
            let condition = store.and(before, spot.condition);
            before = store.and(before, store.not(spot.condition));
            too_long.push(store.and(condition, store.not(store.bv_ule(length, room))));
            parts.push(Part { spot, condition, var });
        }
        let element = element?;
        if !self.leave(
            store.or_all(too_long),
            ErrorKind::Undefined { property: Property::ValidDeref, what: "an access outside of objects".to_string() },
            loc,
        ) {
            return None;
        }
        let width = element.trailing_zeros();
        let crooked = |term: Term| store.ne(store.extract(term, width - 1, 0), store.bv(0, width));
        if element > 1 {
            let any = parts.iter().map(|part| store.and(part.condition, crooked(part.spot.offset)));
            let crooked = store.or(crooked(length), store.or_all(any));
            if !self.leave(crooked, ErrorKind::Unsupported("an access across the elements of an array".to_string()), loc) {
                return None;
            }
        }
        Some((parts, element, most))
    }

    /// Fills as many elements as a symbolic length says.
    pub fn fill_stretch(&mut self, pointer: Term, byte: Option<Term>, length: Term, loc: Loc) -> Option<()> {
        let length = self.now(length);
        let (parts, element, most) = self.stretch(pointer, length, "a fill of a symbolic length", loc)?;
        let values: Vec<Term> = (0..most).map(|_| self.repeated(byte, element)).collect();
        self.write_stretch(&parts, element, length, &values);
        Some(())
    }

    /// Copies as many elements as a symbolic length says.
    pub fn copy_stretch(&mut self, target: Term, source: Term, length: Term, loc: Loc) -> Option<()> {
        let store = self.store;
        let what = "a copy of a symbolic length";
        let length = self.now(length);
        let (from, element, room) = self.stretch(source, length, what, loc)?;
        let (to, other, most) = self.stretch(target, length, what, loc)?;
        if element != other {
            return self.unsupported(what, loc);
        }
        let read = |at: u64| {
            let here =
                |part: &Part| store.select(self.value(part.var), store.bv_add(part.spot.offset, self.pointer_constant(at * element)));
            let last = from.last().map(here);
            from.iter().rev().skip(1).fold(last, |rest, part| rest.map(|rest| store.ite(part.condition, here(part), rest)))
        };
        let values: Option<Vec<Term>> = (0..most.min(room)).map(read).collect();
        self.write_stretch(&to, element, length, &values?);
        Some(())
    }

    fn write_stretch(&mut self, parts: &[Part], element: u64, length: Term, values: &[Term]) {
        let store = self.store;
        for part in parts {
            let mut array = self.value(part.var);
            for (at, &value) in values.iter().enumerate() {
                let distance = self.pointer_constant(at as u64 * element);
                let inside = store.and(part.condition, store.bv_ult(distance, length));
                let index = store.bv_add(part.spot.offset, distance);
                array = store.store(array, index, store.ite(inside, value, store.select(array, index)));
            }
            self.assign(part.var, array);
        }
    }
}
