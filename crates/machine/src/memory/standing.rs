//! Determines whether a term depends on the memory layout. Most conditions on pointers have the same truth value in all
//! layouts: a pointer into an object is not null, locations in two live objects differ, locations in one object compare
//! by their offsets. Only for such conditions may the example addresses of the `AddressBook` replace the symbols.
//!
//! Each term is classified once, bottom up: it is *plain* (independent of the layout), one of a few *pointers* (through
//! choices and maps), or it depends on the layout. A classification that relies on objects being alive at the same time
//! records their names, because that may differ between paths.

use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::{AddressBook, LOWEST};
use fathom_base::FxMap;
use fathom_term::{Op, Sort, Term, mask, sign_extend};
use std::rc::Rc;

/// Pointers that a term may be, and objects whose lives are asked for, before it counts as one that depends on the layout.
const MOST_LEAVES: usize = 64;
const MOST_TOGETHER: usize = 256;
/// So far outside of its object an address does not wrap around.
const SLACK: i64 = LOWEST as i64 - 1;

/// What a term may be.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Leaf {
    At(ObjectKey, i64),
    /// At some distance from the object's address.
    From(ObjectKey),
    Number(u64),
    /// A value that no layout changes.
    Any,
}

#[derive(Clone)]
enum Class {
    Plain,
    Pointers(Rc<[Leaf]>),
    Dependent,
}

/// The set of values of a term, valid while the lifetimes of these objects overlap.
#[derive(Clone)]
struct Standing {
    class: Class,
    together: Rc<[ObjectKey]>,
}

#[derive(Clone, Default)]
pub(crate) struct Standings(FxMap<Term, Standing>);

impl AddressBook {
    /// The objects that must live together for a term to be the same in every layout; None if it depends on the layout anyway.
    pub(crate) fn same_in_every_layout(&mut self, root: Term) -> Option<Rc<[ObjectKey]>> {
        let store = self.store();
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.standings.0.contains_key(&term) {
                continue;
            }
            let args = store.args(term);
            let standing = if self.ground(term) == term {
                Standing { class: Class::Plain, together: Rc::new([]) }
            } else if !ready && !args.is_empty() {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            } else {
                self.standing_of(term, &args)
            };
            self.standings.0.insert(term, standing);
        }
        let known = &self.standings.0[&root];
        matches!(known.class, Class::Plain).then(|| known.together.clone())
    }

    /// Places that a term may be, and numbers that are no addresses, among other things.
    pub(crate) fn places_of(&mut self, term: Term) -> Option<Vec<Val>> {
        self.same_in_every_layout(term);
        let Class::Pointers(leaves) = &self.standings.0[&term].class else { return None };
        let place = |leaf: &Leaf| match *leaf {
            Leaf::At(object, offset) => Some(Val::Pointer { object, offset }),
            Leaf::Number(bits) => Some(Val::Bits(bits)),
            Leaf::From(_) | Leaf::Any => None,
        };
        Some(leaves.iter().filter_map(place).collect())
    }

    fn standing_of(&self, term: Term, args: &[Term]) -> Standing {
        let mut together: Vec<ObjectKey> = Vec::new();
        args.iter().for_each(|arg| together.extend_from_slice(&self.standings.0[arg].together));
        let class = self.class_of(term, args, &mut together);
        together.sort();
        together.dedup();
        match together.len() > MOST_TOGETHER {
            true => Standing { class: Class::Dependent, together: Rc::new([]) },
            false => Standing { class, together: together.into() },
        }
    }

    fn class_of(&self, term: Term, args: &[Term], together: &mut Vec<ObjectKey>) -> Class {
        let store = self.store();
        let is_plain = |arg: Term| matches!(self.standings.0[&arg].class, Class::Plain);
        let op = store.op(term);
        match (op, args) {
            (Op::Var(var), _) => match self.object_of(var) {
                Some(object) => Class::Pointers(Rc::new([Leaf::At(object, 0)])),
                None => Class::Plain,
            },
            _ if args.iter().all(|&arg| is_plain(arg)) => Class::Plain,
            (Op::BvAdd, &[a, b]) if is_plain(a) != is_plain(b) => {
                let (pointer, by) = if is_plain(a) { (b, a) } else { (a, b) };
                self.moved(pointer, store.const_bits(by))
            }
            (Op::Ite, &[condition, then, otherwise]) if is_plain(condition) => self.either(&[then, otherwise]),
            (Op::Store, &[array, index, value]) if is_plain(index) => self.either(&[array, value]),
            (Op::ConstArray(_), &[value]) => self.either(&[value]),
            (Op::Select, &[array, index]) if is_plain(index) => self.either(&[array]),
            (Op::Eq, &[a, b]) if matches!(store.sort(a), Sort::Bv(_)) => {
                self.decided(a, b, together, |one, two, together| self.equality_is_known(one, two, together))
            }
            (Op::BvUlt, &[a, b]) => self.decided(a, b, together, |one, two, _| self.order_is_known(one, two)),
            // Addresses of 64 bits are no negative numbers.
            (Op::BvSlt, &[a, b]) if self.pointer_bits() >= 64 => self.decided(a, b, together, |one, two, _| self.order_is_known(one, two)),
            (Op::BvAnd, &[a, b]) => match (store.const_bits(a), store.const_bits(b)) {
                (Some(bits), _) => self.low_bits(b, bits),
                (_, Some(bits)) => self.low_bits(a, bits),
                _ => Class::Dependent,
            },
            (Op::BvExtract { high, low: 0 }, &[a]) => self.low_bits(a, mask(high + 1)),
            (Op::BvUrem, &[a, by]) => match store.const_bits(by) {
                Some(by) if by.is_power_of_two() => self.low_bits(a, by - 1),
                _ => Class::Dependent,
            },
            _ => Class::Dependent,
        }
    }

    fn leaves(&self, term: Term) -> Option<Rc<[Leaf]>> {
        match &self.standings.0[&term].class {
            Class::Pointers(leaves) => Some(leaves.clone()),
            Class::Plain => Some(self.plain_leaves(term)),
            Class::Dependent => None,
        }
    }

    /// The leaves of a term; of a map, its elements.
    fn plain_leaves(&self, term: Term) -> Rc<[Leaf]> {
        let store = self.store();
        let leaf = |term: Term| store.const_bits(term).map_or(Leaf::Any, Leaf::Number);
        let (mut all, mut rest) = (Vec::new(), term);
        while store.op(rest) == Op::Store && all.len() < MOST_LEAVES {
            all.push(leaf(store.arg(rest, 2)));
            rest = store.arg(rest, 0);
        }
        all.push(if let Op::ConstArray(_) = store.op(rest) { leaf(store.arg(rest, 0)) } else { leaf(rest) });
        all.sort();
        all.dedup();
        all.into()
    }

    fn either(&self, terms: &[Term]) -> Class {
        let mut all: Vec<Leaf> = Vec::new();
        for &term in terms {
            match self.leaves(term) {
                Some(leaves) => all.extend_from_slice(&leaves),
                None => return Class::Dependent,
            }
        }
        all.sort();
        all.dedup();
        if all.len() > MOST_LEAVES { Class::Dependent } else { Class::Pointers(all.into()) }
    }

    fn moved(&self, pointer: Term, by: Option<u64>) -> Class {
        let Some(leaves) = self.leaves(pointer) else { return Class::Dependent };
        let width = self.pointer_bits();
        let moved = leaves.iter().map(|leaf| match (*leaf, by) {
            (Leaf::At(object, offset), Some(by)) => Leaf::At(object, sign_extend(offset.wrapping_add(by as i64) as u64, width)),
            (Leaf::At(object, _) | Leaf::From(object), _) => Leaf::From(object),
            (Leaf::Number(bits), Some(by)) => Leaf::Number(bits.wrapping_add(by) & mask(width)),
            (Leaf::Number(_) | Leaf::Any, _) => Leaf::Any,
        });
        Class::Pointers(moved.collect())
    }

    fn decided(
        &self,
        a: Term,
        b: Term,
        together: &mut Vec<ObjectKey>,
        is_known: impl Fn(Leaf, Leaf, &mut Vec<ObjectKey>) -> bool,
    ) -> Class {
        let (Some(one), Some(two)) = (self.leaves(a), self.leaves(b)) else { return Class::Dependent };
        let all = one.iter().all(|&one| two.iter().all(|&two| is_known(one, two, together)));
        if all { Class::Plain } else { Class::Dependent }
    }

    fn low_bits(&self, term: Term, bits: u64) -> Class {
        let Some(leaves) = self.leaves(term) else { return Class::Dependent };
        let is_known = |leaf: &Leaf| match leaf {
            Leaf::At(object, _) => bits < self.align(*object),
            Leaf::From(object) => bits < self.align(*object),
            Leaf::Number(_) | Leaf::Any => true,
        };
        if leaves.iter().all(is_known) { Class::Plain } else { Class::Dependent }
    }

    fn equality_is_known(&self, one: Leaf, two: Leaf, together: &mut Vec<ObjectKey>) -> bool {
        match (one, two) {
            (Leaf::Number(_) | Leaf::Any, Leaf::Number(_) | Leaf::Any) => true,
            (Leaf::At(a, _) | Leaf::From(a), Leaf::At(b, _) | Leaf::From(b)) if a == b => true,
            (Leaf::At(a, at_a), Leaf::At(b, at_b)) => {
                together.extend([a, b]);
                self.are_apart((a, at_a), (b, at_b))
            }
            (Leaf::At(object, offset), Leaf::Number(number)) | (Leaf::Number(number), Leaf::At(object, offset)) => {
                self.is_no_place(object, offset, number)
            }
            _ => false,
        }
    }

    fn order_is_known(&self, one: Leaf, two: Leaf) -> bool {
        match (one, two) {
            (Leaf::Number(_) | Leaf::Any, Leaf::Number(_) | Leaf::Any) => true,
            (Leaf::At(a, at_a), Leaf::At(b, at_b)) => a == b && self.is_near(a, at_a) && self.is_near(a, at_b),
            (Leaf::At(object, offset), Leaf::Number(number)) | (Leaf::Number(number), Leaf::At(object, offset)) => {
                self.is_in_or_behind(object, offset) && (number < LOWEST || number > self.limit())
            }
            _ => false,
        }
    }

    // ---- what holds of places in every layout

    /// Whether two places of objects that live together are different ones. The end of one may be the beginning of the other,
    /// and literals may share their memory.
    pub(crate) fn are_apart(&self, (a, at_a): (ObjectKey, i64), (b, at_b): (ObjectKey, i64)) -> bool {
        self.is_inside(a, at_a) && self.is_inside(b, at_b) && self.shared_offset(a, b) != Some(at_a - at_b)
    }

    /// Whether an object never has this place at this number.
    pub(crate) fn is_no_place(&self, object: ObjectKey, offset: i64, number: u64) -> bool {
        let outside = self.is_in_or_behind(object, offset) && (number < LOWEST || number > self.limit());
        outside || !number.wrapping_sub(offset as u64).is_multiple_of(self.align(object))
    }

    /// Whether an address of the object is so near to it that it does not wrap around.
    pub(crate) fn is_near(&self, object: ObjectKey, offset: i64) -> bool {
        let size = self.size(object).unwrap_or(0).min(self.room(object)) as i64;
        (-SLACK..=size.saturating_add(SLACK)).contains(&offset)
    }

    /// Every block has an address of its own, also an empty one.
    fn is_inside(&self, object: ObjectKey, offset: i64) -> bool {
        let size = self.own_bytes(object, self.size(object).unwrap_or(1).min(self.room(object)));
        (0..size as i64).contains(&offset)
    }

    fn is_in_or_behind(&self, object: ObjectKey, offset: i64) -> bool {
        let size = self.size(object).unwrap_or(0).min(self.room(object)) as i64;
        (0..=size).contains(&offset)
    }
}
