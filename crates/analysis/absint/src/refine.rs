//! Backward refinement: what follows for variables and memory cells when a term is known to have one of some values. The
//! term is taken apart from the top (comparisons, connectives, sums, extensions, choices, float tests); each variable that
//! gets sharper sharpens the lvalues it equals and, through linear forms, the variables it is related to. Every step
//! intersects with what was known, so refining is sound whatever it leaves out. `Err(Unreachable)`: no such state exists.

use crate::context::Context;
use crate::eval::no_wrap;
use crate::linear::{add_abs, constant_abs, scale_abs};
use crate::memory::Initials;
use crate::refine_float;
use crate::state::{Lvalue, State};
use crate::value::{Abs, Bits};
use fathom_domains::floats::FpSet;
use fathom_domains::num::{Num, mask};
use fathom_domains::unbounded::Range;
use fathom_term::{Op, Sort, Term, VarId};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::rc::Rc;

/// No state satisfies the condition.
pub struct Unreachable;

/// Whether anything is left of a state.
pub type Refined = Result<(), Unreachable>;

/// How many nodes one refinement may look at: shared subterms are not told apart from copies.
const MAX_NODES: u32 = 160;

pub(crate) fn number(num: Num) -> Abs {
    Abs::Bits(Bits::number(num))
}

impl Context {
    /// Restricts the state to a condition.
    pub fn assume(&self, state: &mut State, condition: Term) -> Refined {
        self.refine(state, condition, &Abs::bool(true), &mut MAX_NODES.clone())?;
        self.settle_forms(state)
    }

    /// Restricts the state to the opposite of a condition.
    pub fn assume_not(&self, state: &mut State, condition: Term) -> Refined {
        self.refine(state, condition, &Abs::bool(false), &mut MAX_NODES.clone())?;
        self.settle_forms(state)
    }

    pub(crate) fn refine(&self, state: &mut State, term: Term, wanted: &Abs, fuel: &mut u32) -> Refined {
        let current = self.eval(state, term);
        let met = current.meet(wanted).ok_or(Unreachable)?;
        if met == *current || *fuel == 0 {
            return Ok(());
        }
        *fuel -= 1;
        let node = self.store.node(term);
        let arg = |index: usize| self.store.arg(term, index);
        if let Op::Var(var) = node.op {
            return self.refine_var(state, var, met, fuel);
        }
        match &met {
            Abs::Bool { no: false, .. } => self.refine_condition(state, term, true, fuel),
            Abs::Bool { yes: false, .. } => self.refine_condition(state, term, false, fuel),
            Abs::Bool { .. } | Abs::Any | Abs::Mode(_) => Ok(()),
            _ if node.op == Op::Ite => self.refine_choice(state, term, &met, fuel),
            Abs::Bits(bits) => self.refine_bits(state, term, node.op, bits, fuel),
            Abs::Float(set) => refine_float::refine(self, state, term, set, fuel),
            Abs::Int(_) | Abs::Real(_) => match node.op {
                Op::IntAdd | Op::RealAdd => self.refine_sum(state, node.sort, arg(0), arg(1), &met, fuel),
                Op::IntNeg => self.refine(state, arg(0), &scale_abs(Sort::Int, &met, -1), fuel),
                _ => Ok(()),
            },
        }
    }

    /// A variable has fewer values; so have the lvalues that equal it or are computed from it.
    fn refine_var(&self, state: &mut State, var: VarId, value: Abs, fuel: &mut u32) -> Refined {
        state.set_var(var, Rc::new(value.clone()));
        for known in state.equalities.clone() {
            if *fuel == 0 {
                return Ok(());
            }
            if known.lvalue == Lvalue::Var(var) {
                self.refine(state, known.term, &value, fuel)?;
            } else if known.vars.contains(&var) {
                let result = self.eval(state, known.term);
                self.refine_lvalue(state, known.lvalue, &result, fuel)?;
            }
        }
        Ok(())
    }

    fn refine_lvalue(&self, state: &mut State, lvalue: Lvalue, value: &Abs, fuel: &mut u32) -> Refined {
        match lvalue {
            Lvalue::Var(var) => {
                let current = self.var_value(state, var);
                let met = current.meet(value).ok_or(Unreachable)?;
                if met != *current {
                    *fuel = fuel.saturating_sub(1);
                    self.refine_var(state, var, met, fuel)?;
                }
            }
            Lvalue::Cell { object, offset, bytes } => {
                let (Some(contents), Abs::Bits(bits)) = (state.contents(object, self as &dyn Initials), value) else {
                    return Ok(());
                };
                if !contents.single {
                    return Ok(());
                }
                let current = Abs::Bits(contents.read_at(self, object, offset, bytes));
                let met = current.meet(&Abs::Bits(bits.clone())).ok_or(Unreachable)?;
                if let Abs::Bits(met) = &met
                    && Abs::Bits(met.clone()) != current
                    && let Some(next) = contents.write(self, object, &Num::constant(offset as u128, self.pointer_bits), bytes, met, true)
                {
                    state.set_contents(object, next);
                }
            }
        }
        Ok(())
    }

    fn refine_choice(&self, state: &mut State, term: Term, wanted: &Abs, fuel: &mut u32) -> Refined {
        let [condition, then, otherwise] = [0, 1, 2].map(|index| self.store.arg(term, index));
        let possible = |arm: Term, state: &State| self.eval(state, arm).meet(wanted).is_some();
        match (possible(then, state), possible(otherwise, state)) {
            (false, false) => Err(Unreachable),
            (true, false) => {
                self.refine(state, condition, &Abs::bool(true), fuel)?;
                self.refine(state, then, wanted, fuel)
            }
            (false, true) => {
                self.refine(state, condition, &Abs::bool(false), fuel)?;
                self.refine(state, otherwise, wanted, fuel)
            }
            (true, true) => Ok(()),
        }
    }

    fn refine_condition(&self, state: &mut State, term: Term, holds: bool, fuel: &mut u32) -> Refined {
        let op = self.store.op(term);
        let arg = |index: usize| self.store.arg(term, index);
        match op {
            Op::Not => self.refine(state, arg(0), &Abs::bool(!holds), fuel),
            Op::And | Op::Or => {
                let forced = holds == (op == Op::And);
                if forced {
                    self.refine(state, arg(0), &Abs::bool(holds), fuel)?;
                    return self.refine(state, arg(1), &Abs::bool(holds), fuel);
                }
                // One of the two has this value; if the first can't have it, the second does.
                self.refine_alternatives(state, arg(0), arg(1), holds, fuel)
            }
            Op::Xor => {
                for (one, other) in [(arg(0), arg(1)), (arg(1), arg(0))] {
                    if let Some(known) = self.eval(state, one).as_constant() {
                        self.refine(state, other, &Abs::bool(known.is_true() != holds), fuel)?;
                    }
                }
                Ok(())
            }
            Op::Ite => self.refine_choice(state, term, &Abs::bool(holds), fuel),
            Op::Eq => self.refine_equal(state, arg(0), arg(1), holds, fuel),
            Op::BvUlt | Op::BvSlt => {
                let is_signed = op == Op::BvSlt;
                // Not `a < b` is `b <= a`.
                let (small, large) = if holds { (arg(0), arg(1)) } else { (arg(1), arg(0)) };
                self.refine_order(state, small, large, is_signed, holds, fuel)
            }
            Op::IntLt | Op::IntLe | Op::RealLt | Op::RealLe => {
                let strict = holds == matches!(op, Op::IntLt | Op::RealLt);
                let (small, large) = if holds { (arg(0), arg(1)) } else { (arg(1), arg(0)) };
                self.refine_numbers(state, small, large, strict, fuel)
            }
            Op::BvSmulOverflow | Op::BvUmulOverflow => Ok(()),
            _ => refine_float::refine_condition(self, state, term, holds, fuel),
        }
    }

    /// `a` or `b` is `value`: the join of both cases.
    fn refine_alternatives(&self, state: &mut State, a: Term, b: Term, value: bool, fuel: &mut u32) -> Refined {
        *fuel /= 2;
        let (mut left, mut right) = (state.clone(), state.clone());
        let mut other_fuel = *fuel;
        let one = self.refine(&mut left, a, &Abs::bool(value), fuel);
        let two = self.refine(&mut right, b, &Abs::bool(value), &mut other_fuel);
        *state = match (one, two) {
            (Err(_), Err(_)) => return Err(Unreachable),
            (Ok(()), Err(_)) => left,
            (Err(_), Ok(())) => right,
            (Ok(()), Ok(())) => {
                let equalities = state.equalities.clone();
                let mut joined = self.join(&left, &right);
                // Refining takes no equality away.
                joined.equalities = equalities;
                joined
            }
        };
        Ok(())
    }

    fn refine_equal(&self, state: &mut State, a: Term, b: Term, holds: bool, fuel: &mut u32) -> Refined {
        let sort = self.store.sort(a);
        if holds {
            let value = self.eval(state, b);
            self.refine(state, a, &value, fuel)?;
            let value = self.eval(state, a);
            self.refine(state, b, &value, fuel)?;
            if let Some((form, negated, constant)) = self.compared_form(state, a, b) {
                let value = constant_abs(sort, if negated { constant } else { -constant });
                self.meet_form(state, form, &value)?;
            }
            return Ok(());
        }
        for (one, other) in [(a, b), (b, a)] {
            let Some(constant) = self.eval(state, other).as_constant() else { continue };
            match &*self.eval(state, one) {
                Abs::Bits(bits) => {
                    let Some(excluded) = bits.num.meet(&match Abs::constant(&constant, sort) {
                        Abs::Bits(bits) => bits.num,
                        _ => return Ok(()),
                    }) else {
                        continue;
                    };
                    let rest = bits.num.without(excluded.umin).ok_or(Unreachable)?;
                    self.refine(state, one, &number(rest), fuel)?;
                }
                Abs::Bool { .. } => self.refine(state, one, &Abs::bool(!constant.is_true()), fuel)?,
                Abs::Int(range) => {
                    let value = constant.as_int();
                    let mut rest = range.clone();
                    if rest.low.as_ref() == Some(value) {
                        rest.low = Some(value + 1);
                    }
                    if rest.high.as_ref() == Some(value) {
                        rest.high = Some(value - 1);
                    }
                    let rest = range.meet(&rest).ok_or(Unreachable)?;
                    self.refine(state, one, &Abs::Int(rest), fuel)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `small < large`, or `small <= large` if not strict.
    fn refine_order(&self, state: &mut State, small: Term, large: Term, is_signed: bool, strict: bool, fuel: &mut u32) -> Refined {
        let (a, b) = (self.eval(state, small), self.eval(state, large));
        let (Some(x), Some(y)) = (a.num().copied(), b.num().copied()) else { return Ok(()) };
        let width = x.width;
        let step = strict as u128;
        let (below, above) = if is_signed {
            let below = Num::signed(width, i128::MIN, y.smax - step as i128);
            (below, Num::signed(width, x.smin + step as i128, i128::MAX))
        } else {
            let below = y.umax.checked_sub(step).and_then(|most| Num::unsigned(width, 0, most));
            (below, Num::unsigned(width, x.umin + step, mask(width)))
        };
        let (below, above) = (below.ok_or(Unreachable)?, above.ok_or(Unreachable)?);
        self.refine(state, small, &number(below), fuel)?;
        self.refine(state, large, &number(above), fuel)?;
        // The difference of the two is ordered as well, where it cannot wrap around.
        if no_wrap(&y, &x, is_signed)
            && let Some((form, negated, constant)) = self.compared_form(state, large, small)
        {
            // large - small = (+/-) form + constant >= step
            let sort = Sort::Bv(width);
            let least = Num::signed(width, step as i128, i128::MAX).ok_or(Unreachable)?;
            let value = add_abs(sort, &number(least), &constant_abs(sort, -constant));
            let value = scale_abs(sort, &value, if negated { -1 } else { 1 });
            self.meet_form(state, form, &value)?;
        }
        Ok(())
    }

    fn refine_numbers(&self, state: &mut State, small: Term, large: Term, strict: bool, fuel: &mut u32) -> Refined {
        let (a, b) = (self.eval(state, small), self.eval(state, large));
        let (below, above) = match (&*a, &*b) {
            (Abs::Int(x), Abs::Int(y)) => {
                let step = BigInt::from(strict as u8);
                let below = Range { low: None, high: y.high.as_ref().map(|high| high - &step) };
                let above = Range { low: x.low.as_ref().map(|low| low + &step), high: None };
                if let Some((form, negated, constant)) = self.compared_form(state, large, small) {
                    let least = Abs::Int(Range { low: Some(step - BigInt::from(constant)), high: None });
                    self.meet_form(state, form, &scale_abs(Sort::Int, &least, if negated { -1 } else { 1 }))?;
                }
                (Abs::Int(below), Abs::Int(above))
            }
            (Abs::Real(x), Abs::Real(y)) => {
                let below: Range<BigRational> = Range { low: None, high: y.high.clone() };
                (Abs::Real(below), Abs::Real(Range { low: x.low.clone(), high: None }))
            }
            _ => return Ok(()),
        };
        self.refine(state, small, &below, fuel)?;
        self.refine(state, large, &above, fuel)
    }

    fn refine_sum(&self, state: &mut State, sort: Sort, a: Term, b: Term, sum: &Abs, fuel: &mut u32) -> Refined {
        let minus = |value: &Abs| match sort {
            Sort::Real => match value {
                Abs::Real(range) => Abs::Real(range.neg()),
                _ => Abs::top(sort),
            },
            _ => scale_abs(sort, value, -1),
        };
        let plus = |a: &Abs, b: &Abs| match (a, b) {
            (Abs::Real(a), Abs::Real(b)) => Abs::Real(a.add(b)),
            (a, b) => add_abs(sort, a, b),
        };
        let left = plus(sum, &minus(&self.eval(state, b)));
        self.refine(state, a, &left, fuel)?;
        let right = plus(sum, &minus(&self.eval(state, a)));
        self.refine(state, b, &right, fuel)
    }

    fn refine_bits(&self, state: &mut State, term: Term, op: Op, wanted: &Bits, fuel: &mut u32) -> Refined {
        let arg = |index: usize| self.store.arg(term, index);
        let num = wanted.num;
        let value = |term: Term, state: &State| self.eval(state, term).num().copied();
        match op {
            Op::BvAdd => self.refine_sum(state, Sort::Bv(num.width), arg(0), arg(1), &number(num), fuel),
            Op::BvNeg => self.refine(state, arg(0), &number(num.neg()), fuel),
            Op::BvNot => self.refine(state, arg(0), &number(num.not()), fuel),
            Op::BvZeroExtend(_) => {
                let Sort::Bv(from) = self.store.sort(arg(0)) else { return Ok(()) };
                let narrow = num.meet(&Num::unsigned(num.width, 0, mask(from)).ok_or(Unreachable)?).ok_or(Unreachable)?;
                self.refine(state, arg(0), &number(narrow.extract(from - 1, 0)), fuel)
            }
            Op::BvSignExtend(_) => {
                let Sort::Bv(from) = self.store.sort(arg(0)) else { return Ok(()) };
                let range = Num::signed(num.width, fathom_domains::num::signed_min(from), fathom_domains::num::signed_max(from));
                let narrow = num.meet(&range.ok_or(Unreachable)?).ok_or(Unreachable)?;
                self.refine(state, arg(0), &number(narrow.extract(from - 1, 0)), fuel)
            }
            Op::BvExtract { low: 0, .. } => {
                let Some(whole) = value(arg(0), state) else { return Ok(()) };
                self.refine(state, arg(0), &number(widened_back(&whole, &num)), fuel)
            }
            Op::BvConcat => {
                let Sort::Bv(low) = self.store.sort(arg(1)) else { return Ok(()) };
                self.refine(state, arg(0), &number(num.extract(num.width - 1, low)), fuel)?;
                self.refine(state, arg(1), &number(num.extract(low - 1, 0)), fuel)
            }
            Op::BvAnd | Op::BvOr => {
                for (one, other) in [(arg(0), arg(1)), (arg(1), arg(0))] {
                    let Some(other) = value(other, state) else { return Ok(()) };
                    let bits = if op == Op::BvAnd {
                        Num::bits(num.width, num.zeros & other.ones, num.ones)
                    } else {
                        Num::bits(num.width, num.zeros, num.ones & other.zeros)
                    };
                    self.refine(state, one, &number(bits.ok_or(Unreachable)?), fuel)?;
                }
                Ok(())
            }
            Op::BvXor => {
                for (one, other) in [(arg(0), arg(1)), (arg(1), arg(0))] {
                    let Some(other) = value(other, state) else { return Ok(()) };
                    self.refine(state, one, &number(num.xor(&other)), fuel)?;
                }
                Ok(())
            }
            Op::FpToBits => {
                let Sort::Float(format) = self.store.sort(arg(0)) else { return Ok(()) };
                let set: FpSet = wanted.as_float(format);
                self.refine(state, arg(0), &Abs::Float(set), fuel)
            }
            _ => Ok(()),
        }
    }
}

/// What a number is whose low bits are in `low`: the same number where nothing was cut off, else the known bits.
fn widened_back(whole: &Num, low: &Num) -> Num {
    let (from, to) = (whole.width, low.width);
    if whole.umax <= mask(to) {
        return low.zero_extend(from);
    }
    if whole.smin >= fathom_domains::num::signed_min(to) && whole.smax <= fathom_domains::num::signed_max(to) {
        return low.sign_extend(from);
    }
    Num::bits(from, low.zeros, low.ones).unwrap_or_else(|| Num::top(from))
}
