//! Strengthens a condition to sets of values around those of the state: a set for each variable, which together imply
//! the condition and contain the state's own values. For a computation like `x % 15 + 262`, the exact condition would
//! be a term that grows with every iteration of a loop and that only a solver can compare; a set stays small.
//! Comparisons, sums and quotients are exact; for a product, a remainder or a part of a word, only the part that
//! contains the state's value is kept.
//!
//! Sound because every step yields a subset of the values that satisfy the condition.

use fathom_interpolants::{ValueSet, set_width};
use fathom_term::{Op, Sort, Term, TermStore, VarId, sign_extend};

/// How deep terms are looked into: no program nests deeper, and the walk recurses.
const DEPTH: u32 = 64;
/// Sets of one condition: one over more variables is no simpler than the condition.
const MOST_SETS: usize = 16;

/// The values that variables may have.
pub type Sets = Vec<(VarId, ValueSet)>;

/// Reads conditions around the values that `value` knows of terms.
pub struct Around<'a> {
    pub store: &'a TermStore,
    pub value: &'a mut dyn FnMut(Term) -> Option<u64>,
}

impl Around<'_> {
    /// Sets that imply that a condition holds, or does not, as it does for the known values. None if that can't be said, or
    /// only by fixing values although others would do.
    pub fn condition(&mut self, condition: Term, holds: bool) -> Option<Sets> {
        let mut sets = Vec::new();
        self.need(condition, holds, &mut sets, DEPTH)?;
        is_useful(&sets).then_some(sets)
    }

    /// The values of variables for which a term lies in a set.
    pub fn term(&mut self, term: Term, set: ValueSet) -> Option<Sets> {
        let mut sets = Vec::new();
        self.need_in(term, set, &mut sets, DEPTH)?;
        is_useful(&sets).then_some(sets)
    }

    fn need(&mut self, condition: Term, holds: bool, into: &mut Sets, fuel: u32) -> Option<()> {
        let fuel = fuel.checked_sub(1)?;
        let store = self.store;
        match (store.const_bool(condition), (self.value)(condition)) {
            (Some(known), _) if known == holds => return Some(()),
            (None, Some(known)) if (known == 1) == holds => {}
            _ => return None,
        }
        let op = store.op(condition);
        match (op, holds) {
            (Op::Var(var), _) => add(into, var, ValueSet::one(u64::from(holds), 1)),
            (Op::Not, _) => self.need(store.arg(condition, 0), !holds, into, fuel),
            (Op::And, true) | (Op::Or, false) => store.args(condition).into_iter().try_for_each(|arg| self.need(arg, holds, into, fuel)),
            (Op::And, false) | (Op::Or, true) => self.need_one(&store.args(condition), holds, into, fuel),
            (Op::Eq | Op::BvUlt | Op::BvSlt, _) => self.need_comparison(op, condition, holds, into, fuel),
            (Op::Ite, _) => self.need_arm(condition, into, fuel, |around, arm, into, fuel| around.need(arm, holds, into, fuel)),
            _ => None,
        }
    }

    /// The first that decides, among those that sets can say.
    fn need_one(&mut self, args: &[Term], holds: bool, into: &mut Sets, fuel: u32) -> Option<()> {
        for &arg in args {
            let before = into.clone();
            if self.need(arg, holds, into, fuel).is_some() {
                return Some(());
            }
            *into = before;
        }
        None
    }

    fn need_arm(
        &mut self,
        ite: Term,
        into: &mut Sets,
        fuel: u32,
        rest: impl FnOnce(&mut Self, Term, &mut Sets, u32) -> Option<()>,
    ) -> Option<()> {
        let condition = self.store.arg(ite, 0);
        let then = (self.value)(condition)? == 1;
        self.need(condition, then, into, fuel)?;
        let arm = self.store.arg(ite, if then { 1 } else { 2 });
        rest(self, arm, into, fuel)
    }

    fn need_comparison(&mut self, op: Op, condition: Term, holds: bool, into: &mut Sets, fuel: u32) -> Option<()> {
        let store = self.store;
        let (left, right) = (store.arg(condition, 0), store.arg(condition, 1));
        let width = set_width(store.sort(left))?;
        let up_to = |bound, below| {
            if op == Op::BvUlt { ValueSet::unsigned_up_to(bound, below, width) } else { ValueSet::signed_up_to(bound, below, width) }
        };
        let (term, set) = match (op, store.const_bits(left), store.const_bits(right)) {
            (Op::Eq, None, Some(value)) => (left, ValueSet::one(value, width)),
            (Op::Eq, Some(value), None) => (right, ValueSet::one(value, width)),
            (Op::BvUlt | Op::BvSlt, None, Some(bound)) => (left, up_to(bound, true)),
            (Op::BvUlt | Op::BvSlt, Some(bound), None) => (right, up_to(bound, false).not()),
            _ => return None,
        };
        self.need_in(term, if holds { set } else { set.not() }, into, fuel)
    }

    fn need_in(&mut self, term: Term, set: ValueSet, into: &mut Sets, fuel: u32) -> Option<()> {
        let fuel = fuel.checked_sub(1)?;
        let store = self.store;
        if set.is_all() {
            return Some(());
        }
        if let Some(value) = store.const_bits(term) {
            return set.contains(value).then_some(());
        }
        if store.sort(term) == Sort::Bool {
            let holds = (self.value)(term)? == 1;
            return if set.contains(u64::from(holds)) { self.need(term, holds, into, fuel) } else { None };
        }
        match store.op(term) {
            Op::Var(var) => return add(into, var, set),
            Op::Ite => return self.need_arm(term, into, fuel, |around, arm, into, fuel| around.need_in(arm, set, into, fuel)),
            _ => {}
        }
        let (inner, constant) = self.operand(term)?;
        let at = (self.value)(inner)?;
        let width = set_width(store.sort(inner))?;
        let before = before(store.op(term), constant, &set, at, width)?;
        // What the arithmetic above leaves must have the state's own value in it.
        if !before.contains(at) {
            return None;
        }
        self.need_in(inner, before.small_around(at), into, fuel)
    }

    /// The operand that is no constant, and the constant.
    fn operand(&self, term: Term) -> Option<(Term, u64)> {
        let store = self.store;
        match store.op(term) {
            Op::BvNeg | Op::BvNot | Op::BvZeroExtend(_) | Op::BvSignExtend(_) | Op::BvExtract { .. } => Some((store.arg(term, 0), 0)),
            Op::BvAdd | Op::BvMul if store.args(term).len() == 2 => {
                let (left, right) = (store.arg(term, 0), store.arg(term, 1));
                match (store.const_bits(left), store.const_bits(right)) {
                    (None, Some(constant)) => Some((left, constant)),
                    (Some(constant), None) => Some((right, constant)),
                    _ => None,
                }
            }
            Op::BvSdiv | Op::BvSrem | Op::BvUdiv | Op::BvUrem | Op::BvShl => {
                let constant = store.const_bits(store.arg(term, 1))?;
                Some((store.arg(term, 0), constant))
            }
            _ => None,
        }
    }
}

fn add(into: &mut Sets, var: VarId, set: ValueSet) -> Option<()> {
    if let Some((_, known)) = into.iter_mut().find(|(of, _)| *of == var) {
        *known = known.and(&set);
        return Some(());
    }
    into.push((var, set));
    (into.len() <= MOST_SETS).then_some(())
}

/// Fixing a value is what the caller can do without help.
fn is_useful(sets: &Sets) -> bool {
    sets.iter().all(|(_, set)| set.single().is_none())
}

/// Values, `at` among them, which the operation takes into the set. `constant` is the other operand.
fn before(op: Op, constant: u64, set: &ValueSet, at: u64, width: u32) -> Option<ValueSet> {
    let signed = sign_extend(constant, width) as i128;
    Some(match op {
        Op::BvAdd => set.moved(constant.wrapping_neg()),
        Op::BvNot => set.mirrored(),
        Op::BvNeg => set.mirrored().moved(1),
        Op::BvMul => before_product(signed, set, at, width)?,
        Op::BvShl if constant < u64::from(width.min(62)) => before_product(1i128 << constant, set, at, width)?,
        Op::BvSdiv => before_quotient(signed, set, width)?,
        Op::BvSrem => before_remainder(signed, set, at, width)?,
        Op::BvUdiv if constant > 0 => {
            let divisor = constant as i128;
            let times = |number: u64| (number as i128).saturating_mul(divisor);
            let ranges = set.ranges().iter().map(|&(first, last)| (times(first), times(last).saturating_add(divisor - 1)));
            ValueSet::from_unsigned(ranges, width)
        }
        Op::BvUrem if constant > 0 => {
            let block = (at - at % constant) as i128;
            let inside = set.and(&ValueSet::unsigned_up_to(constant, true, width));
            if inside == ValueSet::unsigned_up_to(constant, true, width) {
                return Some(ValueSet::all(width));
            }
            ValueSet::from_unsigned(inside.ranges().iter().map(|&(first, last)| (first as i128 + block, last as i128 + block)), width)
        }
        Op::BvZeroExtend(_) => ValueSet::from_unsigned(set.ranges().iter().map(|&(first, last)| (first as i128, last as i128)), width),
        Op::BvSignExtend(_) => ValueSet::from_signed(set.signed_ranges(), width),
        Op::BvExtract { high, low: 0 } => {
            let block = (at >> 1 >> high << high << 1) as i128;
            ValueSet::from_unsigned(set.ranges().iter().map(|&(first, last)| (first as i128 + block, last as i128 + block)), width)
        }
        _ => return None,
    })
}

/// As long as the product goes round as often as it does at `at`.
fn before_product(factor: i128, set: &ValueSet, at: u64, width: u32) -> Option<ValueSet> {
    if factor == 0 {
        return None;
    }
    let exact = sign_extend(at, width) as i128 * factor;
    let round = exact - sign_extend(exact as u64 & fathom_term::mask(width), width) as i128;
    let ranges = set.signed_ranges().map(|(first, last)| {
        let (a, b) = (first + round, last + round);
        let (low, high) = if factor > 0 { (a, b) } else { (b, a) };
        (ceiling(low, factor), floor(high, factor))
    });
    Some(ValueSet::from_signed(ranges, width))
}

fn floor(number: i128, by: i128) -> i128 {
    let quotient = number / by;
    if number % by != 0 && (number < 0) != (by < 0) { quotient - 1 } else { quotient }
}

fn ceiling(number: i128, by: i128) -> i128 {
    -floor(-number, by)
}

/// Division towards zero keeps the order, so ranges come from ranges.
fn before_quotient(divisor: i128, set: &ValueSet, width: u32) -> Option<ValueSet> {
    // The least number has no opposite: dividing it by -1 goes round.
    if divisor == 0 || divisor == -1 {
        return None;
    }
    let size = divisor.abs();
    let ranges = set.signed_ranges().map(|(first, last)| {
        let (low, high) = if divisor > 0 { (first, last) } else { (-last, -first) };
        let from = if low > 0 { low * size } else { low * size - (size - 1) };
        let to = if high < 0 { high * size } else { high * size + size - 1 };
        (from, to)
    });
    Some(ValueSet::from_signed(ranges, width))
}

/// The remainder has the sign of the dividend. All dividends of one sign if their remainders all are in the set, those
/// that are their own remainders, and those with the quotient that `at` has.
fn before_remainder(divisor: i128, set: &ValueSet, at: u64, width: u32) -> Option<ValueSet> {
    if divisor == 0 {
        return None;
    }
    let most = divisor.abs() - 1;
    let half = 1i128 << (width - 1);
    let value = sign_extend(at, width) as i128;
    let block = value - value % divisor;
    let mut ranges = Vec::new();
    for (first, last) in set.signed_ranges() {
        if first <= 0 && last >= most {
            ranges.push((0, half - 1));
        }
        if first <= -most && last >= 0 {
            ranges.push((-half, 0));
        }
        let (low, high) = (first.max(-most), last.min(most));
        if low <= high {
            ranges.push((low, high));
        }
        // Values in the block of the state's own value, on the same side of zero, with a remainder in this range.
        let (low, high) = if block > 0 { (first.max(0), last.min(most)) } else { (first.max(-most), last.min(0)) };
        if block != 0 && low <= high {
            ranges.push((low + block, high + block));
        }
    }
    Some(ValueSet::from_signed(ranges.into_iter(), width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::{Evaluator, Model, Value};

    /// Whatever is computed from 6 bits: the set has the state's own value in it, and every value of it does what was asked.
    #[test]
    fn sets_are_within_what_was_asked() {
        let store = TermStore::new();
        let x = store.var("x", Sort::Bv(6));
        let var = store.as_var(x).unwrap();
        let constants: Vec<Term> = [1, 2, 3, 5, 7, 13, 31, 50, 59, 63].map(|k| store.bv(k, 6)).to_vec();
        let ops = [Op::BvSrem, Op::BvSdiv, Op::BvUrem, Op::BvUdiv, Op::BvMul, Op::BvShl, Op::BvAdd];
        let mut terms = vec![
            x,
            store.build(Op::BvNeg, &[x]),
            store.build(Op::BvExtract { high: 2, low: 0 }, &[x]),
            store.build(Op::BvSignExtend(9), &[x]),
        ];
        terms.extend(ops.iter().flat_map(|&op| constants.iter().map(move |&k| (op, k))).map(|(op, k)| store.build(op, &[x, k])));
        let twice: Vec<Term> = terms
            .iter()
            .skip(4)
            .step_by(3)
            .flat_map(|&inner| ops.iter().map(move |&op| (op, inner)))
            .map(|(op, inner)| store.build(op, &[inner, constants[3]]))
            .collect();
        terms.extend(twice);
        let evaluator = |value: u64| {
            let mut model = Model::default();
            model.values.insert(var, Value::Bits(value));
            Evaluator::new(model)
        };
        let evaluators: Vec<Evaluator> = (0..64).map(evaluator).collect();
        let mut read = 0;
        for &term in &terms {
            let width = store.sort(term).width();
            for bound in (0..1u64 << width).step_by(3) {
                let condition = store.build(Op::BvSlt, &[term, store.bv(bound, width)]);
                for at in (0..64).step_by(5) {
                    let Some(holds) = evaluators[at].holds(&store, condition) else { continue };
                    let mut value = |term: Term| evaluators[at].eval(&store, term).and_then(|value| value.to_u64());
                    let Some(sets) = (Around { store: &store, value: &mut value }).condition(condition, holds) else { continue };
                    read += 1;
                    for value in 0..64u64 {
                        let inside = sets.iter().all(|(_, set)| set.contains(value));
                        assert!(value != at as u64 || inside, "the value itself");
                        assert!(
                            !inside || evaluators[value as usize].holds(&store, condition) == Some(holds),
                            "{} {at} {value}",
                            fathom_term::smtlib::print_term(&store, condition)
                        );
                    }
                }
            }
        }
        assert!(read > 5000, "{read}");
    }

    /// The assignments of event-condition-action programs take whole regions into regions.
    #[test]
    fn regions_come_from_regions() {
        let store = TermStore::new();
        let x = store.var("x", Sort::Bv(32));
        let remainder = store.build(Op::BvSrem, &[x, store.bv(15, 32)]);
        let moved = store.bv_add(remainder, store.bv(262, 32));
        let region = ValueSet::signed_up_to(245, false, 32).not().and(&ValueSet::signed_up_to(277, false, 32));
        let mut value = |term: Term| {
            let mut model = Model::default();
            model.values.insert(store.as_var(x).unwrap(), Value::Bits(130));
            Evaluator::new(model).eval(&store, term).and_then(|value| value.to_u64())
        };
        let sets = Around { store: &store, value: &mut value }.term(moved, region).unwrap();
        assert!(sets.is_empty(), "{sets:?}");
    }
}
