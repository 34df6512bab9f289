//! Decides queries about a single bit-vector. A loop that adds an input to something, or that compares values computed
//! from one byte, makes hundreds of queries with one symbol, each longer than the one before. The values that satisfy
//! them form a few ranges: the sum of a constant and multiples of the symbol is a linear function until it wraps
//! around, and so are extensions, remainders and choices on ranges of the symbol. Other terms are computed for every
//! remaining value, if these are few.
//!
//! Exact, so both answers are right: nothing is rounded, and if there are too many ranges there is no answer.

mod linear;
mod solve;
#[cfg(test)]
mod tests;

use crate::query::Query;
use fathom_domains::RangeSet;
use fathom_term::{Evaluator, Model, Sort, Symbol, Term, TermStore, Value, VarId, mask, sign_extend};
use linear::Forms;
use solve::Solving;

/// Numbers that the unknown may be, with both ends.
type Range = (i128, i128);
/// What the unknown may be.
type Set = RangeSet<i128>;

/// Numbers that are tried one by one, times conditions.
const MOST_TRIES: i128 = 600;
/// The most ranges that a set may have.
const MOST_RANGES: usize = 200;

/// A path with so many conditions on one symbol is in a loop. A model this far inside the remaining range satisfies the
/// conditions of many further iterations.
pub(crate) const LONG: usize = 16;
const AHEAD: i128 = 1000;

#[derive(Default)]
pub(crate) struct OneUnknown {
    forms: Forms,
    /// The last query: the next one often has the same constraints and a few more.
    last: Option<Last>,
}

struct Last {
    var: VarId,
    conjuncts: Vec<Term>,
    /// The set that remains after each conjunct, and how many conjuncts were not understood.
    after: Vec<(Set, usize)>,
    hard: Vec<Term>,
}

impl OneUnknown {
    /// A model, or that there is none; None if the query is not decided here.
    pub fn decide(&mut self, store: &TermStore, query: &Query) -> Option<Option<Model>> {
        let &[Symbol::Var(var)] = query.symbols(store) else { return None };
        let Sort::Bv(width @ 1..=64) = store.var_sort(var) else { return None };
        let (set, mut hard) = self.left_by(store, var, width, &query.conjuncts);
        let set = match Solving::new(store, &mut self.forms).holds(query.condition, &set) {
            Some(left) => left,
            None => {
                hard.push(query.condition);
                set
            }
        };
        let number = match hard.is_empty() {
            true => set.small(if query.conjuncts.len() < LONG { 0 } else { AHEAD }),
            false if set.count() * hard.len() as i128 > MOST_TRIES => return None,
            false => {
                let mut found = None;
                for number in set.numbers() {
                    let evaluator = Evaluator::new(model(var, number, width));
                    if hard.iter().rev().try_fold(true, |all, &term| Some(all && evaluator.holds(store, term)?))? {
                        found = Some(number);
                        break;
                    }
                }
                found
            }
        };
        Some(number.map(|number| model(var, number, width)))
    }

    /// The set of values that satisfy the conjuncts, and the conjuncts that were not understood.
    fn left_by(&mut self, store: &TermStore, var: VarId, width: u32, conjuncts: &[Term]) -> (Set, Vec<Term>) {
        let mut last = match self.last.take() {
            Some(last) if last.var == var => last,
            _ => Last { var, conjuncts: Vec::new(), after: Vec::new(), hard: Vec::new() },
        };
        let same = last.conjuncts.iter().zip(conjuncts).take_while(|(a, b)| a == b).count();
        last.conjuncts.truncate(same);
        last.after.truncate(same);
        let half = sign_extend(1 << (width - 1), width);
        let everything = (i128::from(half), -i128::from(half) - 1);
        let (mut set, known) = last.after.last().cloned().unwrap_or((Set::of(everything), 0));
        last.hard.truncate(known);
        for &conjunct in &conjuncts[same..] {
            match Solving::new(store, &mut self.forms).holds(conjunct, &set) {
                Some(left) if left.ranges().len() <= MOST_RANGES => set = left,
                _ => last.hard.push(conjunct),
            }
            last.conjuncts.push(conjunct);
            last.after.push((set.clone(), last.hard.len()));
        }
        let hard = last.hard.clone();
        self.last = Some(last);
        (set, hard)
    }
}

fn model(var: VarId, number: i128, width: u32) -> Model {
    let mut model = Model::default();
    model.values.insert(var, Value::Bits(number as u64 & mask(width)));
    model
}
