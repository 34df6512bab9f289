//! Rules for arrays: reads look through writes at provably different indices, for a bounded number of steps.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};
use crate::subst::Substitution;
use smallvec::SmallVec;

/// How many writes a read looks through to find its value, and a write to find an earlier one that it replaces.
const LOOK_THROUGH: usize = 1024;
const LOOK_UNDER: usize = 128;

impl TermStore {
    pub(super) fn simplify_select(&self, array: Term, index: Term, sort: Sort) -> Term {
        let mut array = array;
        let split = self.base_and_offset(index);
        for _ in 0..LOOK_THROUGH {
            if let (Some((base, offset)), Some(chain)) = (split, self.chain(array))
                && let Some(found) = chain.look_up(base, offset)
            {
                match found {
                    Ok(element) => return element,
                    Err(below) => array = below,
                }
            }
            match self.op(array) {
                Op::ConstArray(_) => return self.arg(array, 0),
                Op::Store => match self.definitely_equal(self.arg(array, 1), index) {
                    Some(true) => return self.arg(array, 2),
                    Some(false) => array = self.arg(array, 0),
                    None if self.is_over_lambda(array) => {
                        let same = self.eq(self.arg(array, 1), index);
                        let below = self.build(Op::Select, &[self.arg(array, 0), index]);
                        return self.ite(same, self.arg(array, 2), below);
                    }
                    None => break,
                },
                Op::Ite if self.is_over_lambda(array) => {
                    let [then, otherwise] = [1, 2].map(|arm| self.build(Op::Select, &[self.arg(array, arm), index]));
                    return self.ite(self.arg(array, 0), then, otherwise);
                }
                Op::Apply(function) => match self.lambda(function) {
                    Some(lambda) => {
                        let captured = lambda.captured.iter().copied().zip(self.args(array));
                        let mut values = Substitution::new(captured.chain([(lambda.index, index)]));
                        return values.apply(self, lambda.body);
                    }
                    None => break,
                },
                _ => break,
            }
        }
        self.intern(Op::Select, sort, &[array, index])
    }

    /// Whether a map is made from a lambda by a few writes and choices.
    fn is_over_lambda(&self, array: Term) -> bool {
        let mut open = SmallVec::<[Term; 8]>::from_slice(&[array]);
        for _ in 0..LOOK_UNDER {
            let Some(map) = open.pop() else { return false };
            match self.op(map) {
                Op::Store => open.push(self.arg(map, 0)),
                Op::Ite => open.extend([self.arg(map, 1), self.arg(map, 2)]),
                Op::Apply(function) if self.lambda(function).is_some() => return true,
                _ => {}
            }
        }
        false
    }

    pub(super) fn simplify_store(&self, array: Term, index: Term, element: Term) -> Term {
        // A second write at the same index, and writing back the element that was there.
        if self.op(array) == Op::Store && self.arg(array, 1) == index {
            return self.simplify_store(self.arg(array, 0), index, element);
        }
        if let Some(rebuilt) = self.replace_write(array, index, element) {
            return rebuilt;
        }
        if self.op(element) == Op::Select && self.arg(element, 0) == array && self.arg(element, 1) == index {
            return array;
        }
        if matches!(self.op(array), Op::ConstArray(_)) && self.arg(array, 0) == element {
            return array;
        }
        let written = self.intern(Op::Store, self.sort(array), &[array, index, element]);
        self.note_writes(written);
        written
    }

    /// A write at an index that was written before, with only other indices in between, replaces the old write. So a chain has
    /// each index once, however often a loop writes it, and the latest write is on top.
    fn replace_write(&self, array: Term, index: Term, element: Term) -> Option<Term> {
        let mut above = SmallVec::<[Term; 16]>::new();
        let mut at = array;
        for _ in 0..LOOK_UNDER {
            if self.op(at) != Op::Store {
                return None;
            }
            if self.definitely_equal(self.arg(at, 1), index)? {
                let sort = self.sort(array);
                let mut rebuilt = self.arg(at, 0);
                for &write in above.iter().rev() {
                    rebuilt = self.intern(Op::Store, sort, &[rebuilt, self.arg(write, 1), self.arg(write, 2)]);
                }
                return Some(self.intern(Op::Store, sort, &[rebuilt, index, element]));
            }
            above.push(at);
            at = self.arg(at, 0);
        }
        None
    }

    /// Equality or disequality that is decided syntactically.
    pub fn definitely_equal(&self, a: Term, b: Term) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let rules = self.rules();
        if self.op(a).is_const() && self.op(b).is_const() {
            return rules.maps_at_constants.then_some(false);
        }
        if !rules.maps_at_offsets {
            return None;
        }
        // Index parts side by side: equal if all are, different if one is.
        if let (Op::BvConcat, Op::BvConcat) = (self.op(a), self.op(b))
            && self.sort(self.arg(a, 0)) == self.sort(self.arg(b, 0))
        {
            let parts = [0, 1].map(|part| self.definitely_equal(self.arg(a, part), self.arg(b, part)));
            return match parts {
                [Some(false), _] | [_, Some(false)] => Some(false),
                [Some(true), Some(true)] => Some(true),
                _ => None,
            };
        }
        let (same_base, same_offset) = match self.sort(a) {
            Sort::Bv(_) => {
                let ((base_a, offset_a), (base_b, offset_b)) = (self.split_offset(a), self.split_offset(b));
                (base_a.is_some() && base_a == base_b, offset_a == offset_b)
            }
            Sort::Int => {
                let ((base_a, offset_a), (base_b, offset_b)) = (self.split_integer(a), self.split_integer(b));
                (base_a.is_some() && base_a == base_b, offset_a == offset_b)
            }
            _ => return None,
        };
        same_base.then_some(same_offset)
    }

    /// `base + constant` apart; a lone term has offset 0. Wide vectors are not taken apart.
    pub fn split_offset(&self, term: Term) -> (Option<Term>, u64) {
        match self.op(term) {
            Op::Const(bits) => (None, bits),
            Op::BvAdd => match self.const_bits(self.arg(term, 1)) {
                Some(bits) => (Some(self.arg(term, 0)), bits),
                None => (Some(term), 0),
            },
            _ => (Some(term), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::smtlib::{print_term, read_term};
    use crate::store::{Lambda, TermStore};
    use crate::{Op, Rules, Sort};

    fn store() -> TermStore {
        let store = TermStore::new();
        let sort = store.array_sort(Sort::Int, Sort::Int);
        ["p", "q", "v"].iter().for_each(|name| {
            store.var(name, Sort::Int);
        });
        store.var("m", sort);
        store
    }

    fn simplified(store: &TermStore, text: &str) -> String {
        let term = crate::smtlib::Reader::new(store).with_store_symbols().simplifying().term(text).unwrap();
        print_term(store, term)
    }

    #[test]
    fn reads_and_writes_at_other_offsets() {
        let store = store();
        let cases = [
            ("(select (store (store m p 1) (+ p 1) 2) p)", "1"),
            ("(select (store (store m p 1) (+ p 1) 2) (+ 1 p))", "2"),
            ("(select (store m 3 1) 4)", "(select m 4)"),
            ("(select (store m p 1) q)", "(select (store m p 1) q)"),
            // Each index is written once, whatever lies between.
            ("(store (store (store m p 1) (+ p 1) 2) p 3)", "(store (store m (+ p 1) 2) p 3)"),
            ("(store (store (store m p 1) q 2) p 3)", "(store (store (store m p 1) q 2) p 3)"),
        ];
        for (text, expected) in cases {
            assert_eq!(simplified(&store, text), expected, "{text}");
        }
        store.set_rules(Rules { maps_at_offsets: false, ..Rules::default() });
        assert_eq!(simplified(&store, "(select (store m p 1) (+ p 1))"), "(select (store m p 1) (+ p 1))");
        assert_eq!(simplified(&store, "(select (store m 3 1) 4)"), "(select m 4)");
    }

    #[test]
    fn lambdas_are_computed_where_they_are_read() {
        let store = store();
        let sort = store.array_sort(Sort::Int, Sort::Int);
        let [x, c] = ["x", "c"].map(|name| store.var(name, Sort::Int));
        let function = store.function("adds", &[Sort::Int], sort);
        let [index, captured] = [x, c].map(|term| store.as_var(term).unwrap());
        let body = store.build(Op::IntAdd, &[x, c]);
        store.define_lambda(function, Lambda { captured: vec![captured], index, body });
        let [p, q, v] = ["p", "q", "v"].map(|name| store.var(name, Sort::Int));
        let map = store.apply(function, &[v]);
        assert_eq!(store.select(map, store.int(5)), read_term(&store, "(+ v 5)").unwrap());
        // Through a write that may be at the same index.
        let read = store.select(store.store(map, p, store.int(0)), q);
        let expected = store.ite(store.eq(p, q), store.int(0), store.build(Op::IntAdd, &[q, v]));
        assert_eq!(read, expected);
    }
}
