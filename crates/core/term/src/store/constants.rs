//! Constants. What fits 64 bits is part of its node; larger values are kept once each in a side table.

use super::{Term, TermStore};
use crate::op::Op;
use crate::sort::Sort;
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use std::rc::Rc;

/// A value that no node has room for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum BigConst {
    Bits(num_bigint::BigUint),
    Int(BigInt),
    Real(BigRational),
}

impl TermStore {
    /// A truth value.
    #[inline]
    pub fn bool(&self, value: bool) -> Term {
        self.truth[value as usize]
    }

    /// A constant of a small sort from its bits; the caller has masked them, and NaN is canonical.
    pub fn small_const(&self, bits: u64, sort: Sort) -> Term {
        self.intern(Op::Const(bits), sort, &[])
    }

    /// The constant of this sort with this value.
    pub fn constant(&self, value: &Value, sort: Sort) -> Term {
        match value {
            Value::Bits(bits) => self.small_const(*bits, sort),
            Value::Wide(bits) => self.big_const(BigConst::Bits((**bits).clone()), sort),
            Value::Int(int) => match int.to_i64() {
                Some(small) => self.small_const(small as u64, sort),
                None => self.big_const(BigConst::Int((**int).clone()), sort),
            },
            Value::Real(real) => self.big_const(BigConst::Real((**real).clone()), sort),
            Value::Array(array) => {
                let Sort::Array(id) = sort else { panic!("array value of sort {sort:?}") };
                let (index_sort, element_sort) = self.array_sort_parts(id);
                let default = self.constant(&array.default, element_sort);
                let mut term = self.const_array(sort, default);
                for (index, element) in &array.entries {
                    let index = self.constant(index, index_sort);
                    let element = self.constant(element, element_sort);
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    fn big_const(&self, value: BigConst, sort: Sort) -> Term {
        let id = {
            let mut inner = self.inner.borrow_mut();
            let inner = &mut *inner;
            let next = inner.big.len() as u32;
            *inner.big_ids.entry(value).or_insert_with_key(|value| {
                inner.big.push(value.clone());
                next
            })
        };
        self.intern(Op::BigConst(id), sort, &[])
    }

    /// The value of a constant; None for every other term.
    pub fn const_value(&self, term: Term) -> Option<Value> {
        let inner = self.inner.borrow();
        match inner.nodes[term.index()].op {
            Op::Const(bits) if inner.nodes[term.index()].sort == Sort::Int => Some(Value::int(bits as i64)),
            Op::Const(bits) => Some(Value::Bits(bits)),
            Op::BigConst(id) => Some(match &inner.big[id as usize] {
                BigConst::Bits(bits) => Value::Wide(Rc::new(bits.clone())),
                BigConst::Int(int) => Value::Int(Rc::new(int.clone())),
                BigConst::Real(real) => Value::Real(Rc::new(real.clone())),
            }),
            _ => None,
        }
    }

    /// The bits of a small constant.
    #[inline]
    pub fn const_bits(&self, term: Term) -> Option<u64> {
        match self.op(term) {
            Op::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// The truth value that a term is, if it is a constant.
    pub fn const_bool(&self, term: Term) -> Option<bool> {
        if term == self.truth[1] {
            Some(true)
        } else if term == self.truth[0] {
            Some(false)
        } else {
            None
        }
    }
}
