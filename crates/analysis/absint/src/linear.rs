//! Linear forms over variables, such as `x - y` or `2*i - s`: the relational part of the domain. A state has the values
//! of a few forms, chosen per loop from what the program compares and from variables that change by constants
//! (`templates`). Bit-vector forms are taken modulo 2^width, where `x := x + c` moves a form by a constant whatever
//! overflows, so differences of variables that move together stay exact.

use crate::memory::How;
use crate::transfer::apply;
use crate::value::Abs;
use fathom_term::{Op, Sort, Term, TermStore, Value, VarId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// Larger coefficients and constants are not followed.
const MAX_NUMBER: i128 = 1 << 70;
/// How many nodes of a term are looked at.
const MAX_NODES: u32 = 64;

/// A sum of variables with coefficients and a constant, of one sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    pub sort: Sort,
    pub coefficients: BTreeMap<VarId, i128>,
    pub constant: i128,
}

/// A sum without constant whose first coefficient is positive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    pub sort: Sort,
    pub parts: Vec<(VarId, i128)>,
}

impl Form {
    /// Its variables, in order.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.parts.iter().map(|(var, _)| *var)
    }

    /// The same sum as a linear one.
    pub fn linear(&self) -> Linear {
        Linear { sort: self.sort, coefficients: self.parts.iter().copied().collect(), constant: 0 }
    }

    /// The same sum as a term.
    pub fn term(&self, store: &TermStore) -> Term {
        let mut sum: Option<Term> = None;
        for &(var, coefficient) in &self.parts {
            let var = store.var_term(var);
            let part = match self.sort {
                Sort::Bv(width) if coefficient == -1 => store.bv_sub(store.bv(0, width), var),
                Sort::Bv(width) => store.bv_mul(var, store.bv(coefficient as u64, width)),
                _ => store.build(Op::IntMul, &[var, store.int(coefficient)]),
            };
            let add = if matches!(self.sort, Sort::Bv(_)) { Op::BvAdd } else { Op::IntAdd };
            sum = Some(sum.map_or(part, |sum| store.build(add, &[sum, part])));
        }
        sum.unwrap_or_else(|| store.bool(true))
    }
}

/// A number as a value of this sort; bit-vectors wrap around.
pub fn constant_abs(sort: Sort, number: i128) -> Abs {
    match sort {
        Sort::Bv(width) => {
            let bits = fathom_domains::num::wrap(number, width);
            Abs::constant(&Value::bits(bits.into(), width), sort)
        }
        _ => Abs::constant(&Value::int(number), sort),
    }
}

/// The sum of two values of this sort.
pub fn add_abs(sort: Sort, a: &Abs, b: &Abs) -> Abs {
    let op = if matches!(sort, Sort::Bv(_)) { Op::BvAdd } else { Op::IntAdd };
    apply(op, sort, &[sort, sort], &[a, b])
}

/// A value of this sort, multiplied.
pub fn scale_abs(sort: Sort, a: &Abs, factor: i128) -> Abs {
    if factor == 1 {
        return a.clone();
    }
    let is_bits = matches!(sort, Sort::Bv(_));
    if factor == -1 {
        return apply(if is_bits { Op::BvNeg } else { Op::IntNeg }, sort, &[sort], &[a]);
    }
    let op = if is_bits { Op::BvMul } else { Op::IntMul };
    apply(op, sort, &[sort, sort], &[a, &constant_abs(sort, factor)])
}

impl Linear {
    fn constant(sort: Sort, constant: i128) -> Linear {
        Linear { sort, coefficients: BTreeMap::new(), constant }
    }

    /// Bit-vector numbers are kept in the signed range of their width.
    fn normal(mut self) -> Option<Linear> {
        if let Sort::Bv(width) = self.sort {
            let wrap = |number: i128| fathom_domains::num::signed(fathom_domains::num::wrap(number, width), width);
            self.coefficients.values_mut().for_each(|c| *c = wrap(*c));
            self.constant = wrap(self.constant);
        }
        self.coefficients.retain(|_, coefficient| *coefficient != 0);
        let small = |number: &i128| number.unsigned_abs() < MAX_NUMBER as u128;
        (self.coefficients.values().all(small) && small(&self.constant)).then_some(self)
    }

    /// The sum with a multiple of another; none where numbers become too large.
    pub fn plus(mut self, other: &Linear, factor: i128) -> Option<Linear> {
        for (var, coefficient) in &other.coefficients {
            let part = coefficient.checked_mul(factor)?;
            let known = self.coefficients.entry(*var).or_insert(0);
            *known = known.checked_add(part)?;
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        self.normal()
    }

    /// The form of this sum and whether the sum is its negation (constant aside); None without variables.
    pub fn form(&self) -> Option<(Form, bool)> {
        let (_, first) = self.coefficients.iter().next()?;
        // The least signed number is its own negation.
        let negated = *first < 0 && self.coefficients.values().all(|&c| c != i128::MIN);
        let sign = if negated { -1 } else { 1 };
        let parts = self.coefficients.iter().map(|(var, coefficient)| (*var, coefficient * sign)).collect();
        Some((Form { sort: self.sort, parts }, negated))
    }

    /// A term as a linear sum; parts that are not linear make it None.
    pub fn of(store: &TermStore, term: Term) -> Option<Linear> {
        let sort = store.sort(term);
        if !matches!(sort, Sort::Int) && !matches!(sort, Sort::Bv(width) if width <= 64) {
            return None;
        }
        Self::walk(store, term, sort, &mut MAX_NODES.clone())
    }

    fn walk(store: &TermStore, term: Term, sort: Sort, fuel: &mut u32) -> Option<Linear> {
        *fuel = fuel.checked_sub(1)?;
        let node = store.node(term);
        match node.op {
            Op::Var(var) => {
                let mut linear = Linear::constant(sort, 0);
                linear.coefficients.insert(var, 1);
                Some(linear)
            }
            Op::Const(_) | Op::BigConst(_) => Linear::constant(sort, constant_of(store, term)?).normal(),
            Op::BvAdd | Op::IntAdd => {
                let left = Self::walk(store, store.arg(term, 0), sort, fuel)?;
                left.plus(&Self::walk(store, store.arg(term, 1), sort, fuel)?, 1)
            }
            Op::BvNeg | Op::IntNeg => {
                let inner = Self::walk(store, store.arg(term, 0), sort, fuel)?;
                Linear::constant(sort, 0).plus(&inner, -1)
            }
            Op::BvMul | Op::IntMul => {
                let (a, b) = (store.arg(term, 0), store.arg(term, 1));
                let (factor, other) = match (constant_of(store, a), constant_of(store, b)) {
                    (Some(factor), _) => (factor, b),
                    (_, Some(factor)) => (factor, a),
                    _ => return None,
                };
                Linear::constant(sort, 0).plus(&Self::walk(store, other, sort, fuel)?, factor)
            }
            _ => None,
        }
    }
}

fn constant_of(store: &TermStore, term: Term) -> Option<i128> {
    match (store.const_value(term)?, store.sort(term)) {
        (Value::Bits(bits), Sort::Bv(width)) => Some(fathom_domains::num::signed(bits as u128, width)),
        (Value::Int(int), _) => BigInt::to_i128(&int),
        _ => None,
    }
}

/// The forms that a state has values of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forms(BTreeMap<Form, Abs>);

impl Forms {
    /// The value of a form, if it is recorded.
    pub fn get(&self, form: &Form) -> Option<&Abs> {
        self.0.get(form)
    }

    /// All forms with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&Form, &Abs)> {
        self.0.iter()
    }

    /// Whether no form has a value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Records a value; one that says nothing is not kept.
    pub fn set(&mut self, form: Form, value: Abs) {
        if value.is_top() {
            self.0.remove(&form);
        } else {
            self.0.insert(form, value);
        }
    }

    /// Drops the values of other forms.
    pub fn retain(&mut self, keep: impl Fn(&Form) -> bool) {
        self.0.retain(|form, _| keep(form));
    }

    /// Drops all values.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// `value(form, first)` computes a form's value from the first or second state where it is not recorded.
    pub fn combine(&self, other: &Forms, how: &How<'_>, mut value: impl FnMut(&Form, bool) -> Abs) -> Forms {
        let mut result = Forms::default();
        for form in self.0.keys().chain(other.0.keys()) {
            if result.0.contains_key(form) {
                continue;
            }
            let mine = self.get(form).cloned().unwrap_or_else(|| value(form, true));
            let theirs = other.get(form).cloned().unwrap_or_else(|| value(form, false));
            result.set(form.clone(), how.abs(&mine, &theirs));
        }
        result
    }
}
