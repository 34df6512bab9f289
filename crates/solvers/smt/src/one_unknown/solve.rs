//! The numbers for which a condition over one bit-vector holds, exactly.

use super::linear::{Form, Forms, Piece, Pieces, as_numbers, combine, is_linear, split, together, whole, width_of};
use super::{Range, Set};
use fathom_term::{Op, Sort, Term, TermStore};
use smallvec::SmallVec;

/// Nested terms, and steps for one condition, before it is too much.
const DEEPEST: u32 = 10_000;
/// Stack that is left before there is more.
const STACK: usize = 64 << 10;
const MORE_STACK: usize = 1 << 20;
const MOST_STEPS: u32 = 100_000;

/// The state of one search for the solutions of a condition.
pub struct Solving<'a> {
    pub store: &'a TermStore,
    pub forms: &'a mut Forms,
    depth: u32,
    steps: u32,
}

impl<'a> Solving<'a> {
    /// A search that remembers functions of terms in `forms`.
    pub fn new(store: &'a TermStore, forms: &'a mut Forms) -> Self {
        Solving { store, forms, depth: 0, steps: 0 }
    }

    /// The numbers of the set for which the condition holds; none if this layer can't tell.
    pub fn holds(&mut self, condition: Term, set: &Set) -> Option<Set> {
        self.nested(|solving| solving.holds_nested(condition, set))
    }

    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.steps += 1;
        if self.depth >= DEEPEST || self.steps > MOST_STEPS {
            return None;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(STACK, MORE_STACK, || inside(self));
        self.depth -= 1;
        result
    }

    fn holds_nested(&mut self, condition: Term, set: &Set) -> Option<Set> {
        if let Some(known) = self.store.const_bool(condition) {
            return Some(if known { set.clone() } else { Set::default() });
        }
        let store = self.store;
        let args = store.args(condition);
        match (store.op(condition), &*args) {
            (Op::Not, &[inner]) => Some(set.minus(&self.holds(inner, set)?)),
            (Op::And, parts) => parts.iter().try_fold(set.clone(), |left, &part| self.holds(part, &left)),
            (Op::Or, parts) => parts.iter().try_fold(Set::default(), |found, &part| {
                let more = self.holds(part, &set.minus(&found))?;
                Some(found.union(&more))
            }),
            (Op::Xor, &[a, b]) => Some(set.minus(&self.both_or_neither(a, b, set)?)),
            (Op::Eq, &[a, b]) if store.sort(a) == Sort::Bool => self.both_or_neither(a, b, set),
            (Op::Eq, &[a, b]) => self.equal(a, b, set),
            (Op::Ite, &[condition, then, otherwise]) => {
                let yes = self.holds(condition, set)?;
                let no = set.minus(&yes);
                Some(self.holds(then, &yes)?.union(&self.holds(otherwise, &no)?))
            }
            (Op::BvUlt, &[a, b]) => self.less(a, b, set, false),
            (Op::BvSlt, &[a, b]) => self.less(a, b, set, true),
            _ => None,
        }
    }

    fn both_or_neither(&mut self, a: Term, b: Term, set: &Set) -> Option<Set> {
        let (one, two) = (self.holds(a, set)?, self.holds(b, set)?);
        Some(one.intersection(&two).union(&set.minus(&one.union(&two))))
    }

    fn less(&mut self, a: Term, b: Term, set: &Set, signed: bool) -> Option<Set> {
        let width = width_of(self.store, a)?;
        let mut found: SmallVec<[Range; 4]> = SmallVec::new();
        for &range in set.ranges() {
            let one = as_numbers(&self.pieces(a, range)?, width, signed)?;
            let two = as_numbers(&self.pieces(b, range)?, width, signed)?;
            for (range, one, two) in together(&one, &two) {
                let difference = Form { factor: one.factor - two.factor, offset: one.offset - two.offset };
                found.push(difference.below(0, range));
            }
        }
        Some(found.into_iter().collect())
    }

    fn equal(&mut self, a: Term, b: Term, set: &Set) -> Option<Set> {
        let width = width_of(self.store, a)?;
        let mut found: SmallVec<[Range; 4]> = SmallVec::new();
        for &range in set.ranges() {
            let (one, two) = (self.pieces(a, range)?, self.pieces(b, range)?);
            for (range, one, two) in together(&one, &two) {
                let form = Form { factor: one.factor - two.factor, offset: one.offset - two.offset }.modulo(width);
                for (Piece { range, form }, multiple) in split(Piece { range, form }, 0, 1 << width)? {
                    found.push(equal_to(form, multiple << width, range));
                }
            }
        }
        Some(found.into_iter().collect())
    }

    /// The functions that the term is in a range.
    fn pieces(&mut self, term: Term, range: Range) -> Option<Pieces> {
        if let Some(form) = self.forms.of(self.store, term) {
            return Some(whole(range, form));
        }
        self.nested(|solving| solving.pieces_nested(term, range))
    }

    fn pieces_nested(&mut self, term: Term, range: Range) -> Option<Pieces> {
        let store = self.store;
        let args = store.args(term);
        let width = width_of(store, term)?;
        if is_linear(store, term) {
            return self.combined(term, &args, range);
        }
        match (store.op(term), &*args) {
            (Op::BvSignExtend(_), &[arg]) => self.numbers(arg, range, true),
            (Op::BvZeroExtend(_), &[arg]) => self.numbers(arg, range, false),
            (Op::BvConcat, &[high, low]) => {
                let above = i128::from(store.const_bits(high)?) << width_of(store, low)?;
                let pieces = self.numbers(low, range, false)?;
                Some(
                    pieces
                        .into_iter()
                        .map(|Piece { range, form }| Piece { range, form: form.plus(Form::constant(above)).modulo(width) })
                        .collect(),
                )
            }
            (Op::BvExtract { low, .. }, &[arg]) => {
                let pieces = self.quotients(arg, range, 1 << low, false)?;
                Some(pieces.into_iter().map(|Piece { range, form }| Piece { range, form: form.modulo(width) }).collect())
            }
            (Op::BvAnd, &[a, b]) => {
                let (arg, mask) = store.const_bits(b).map(|mask| (a, mask)).or_else(|| Some((b, store.const_bits(a)?)))?;
                let modulus = mask.checked_add(1).filter(|modulus| modulus.is_power_of_two())?;
                self.remainders(arg, range, i128::from(modulus))
            }
            (Op::BvUrem, &[arg, by]) => self.remainders(arg, range, i128::from(store.const_bits(by).filter(|&by| by > 0)?)),
            (Op::BvUdiv, &[arg, by]) => self.quotients(arg, range, i128::from(store.const_bits(by).filter(|&by| by > 0)?), false),
            (Op::BvLshr, &[arg, by]) => self.quotients(arg, range, 1 << store.const_bits(by).filter(|&by| by < u64::from(width))?, false),
            (Op::BvAshr, &[arg, by]) => self.quotients(arg, range, 1 << store.const_bits(by).filter(|&by| by < u64::from(width))?, true),
            (Op::Ite, &[condition, then, otherwise]) => {
                let all = Set::of(range);
                let yes = self.holds(condition, &all)?;
                let no = all.minus(&yes);
                let mut found = Pieces::new();
                for (set, term) in [(yes, then), (no, otherwise)] {
                    for &range in set.ranges() {
                        found.extend(self.pieces(term, range)?);
                    }
                }
                Some(found)
            }
            _ => None,
        }
    }

    fn combined(&mut self, term: Term, args: &[Term], range: Range) -> Option<Pieces> {
        let mut known: SmallVec<[(Range, SmallVec<[Form; 4]>); 2]> = SmallVec::from_iter([(range, SmallVec::new())]);
        for &arg in args {
            let mut next = SmallVec::new();
            for (range, forms) in known {
                for Piece { range, form } in self.pieces(arg, range)? {
                    let mut forms = forms.clone();
                    forms.push(form);
                    next.push((range, forms));
                }
            }
            known = next;
        }
        known.into_iter().map(|(range, forms)| Some(Piece { range, form: combine(self.store, term, &forms)? })).collect()
    }

    fn numbers(&mut self, term: Term, range: Range, signed: bool) -> Option<Pieces> {
        as_numbers(&self.pieces(term, range)?, width_of(self.store, term)?, signed)
    }

    fn remainders(&mut self, term: Term, range: Range, by: i128) -> Option<Pieces> {
        self.divided(term, range, by, false, |form, quotient| Form { factor: form.factor, offset: form.offset - quotient * by })
    }

    fn quotients(&mut self, term: Term, range: Range, by: i128, signed: bool) -> Option<Pieces> {
        self.divided(term, range, by, signed, |_, quotient| Form::constant(quotient))
    }

    fn divided(&mut self, term: Term, range: Range, by: i128, signed: bool, form: impl Fn(Form, i128) -> Form) -> Option<Pieces> {
        let mut found = Pieces::new();
        for piece in self.numbers(term, range, signed)? {
            let parts = split(piece, 0, by)?;
            found.extend(parts.into_iter().map(|(part, quotient)| Piece { range: part.range, form: form(part.form, quotient) }));
        }
        Some(found)
    }
}

/// Where a function is this number.
fn equal_to(form: Form, number: i128, range: Range) -> Range {
    let difference = number - form.offset;
    match form.factor {
        0 if difference == 0 => range,
        factor if factor != 0 && difference % factor == 0 => {
            let at = difference / factor;
            (at.max(range.0), at.min(range.1))
        }
        _ => (0, -1),
    }
}
