//! Linear relations between what a loop changes: coefficients c with c . (x - x on entry) = 0 in every iteration, such as
//! `a + b - 3 * i` that stays what it was. They are found from samples (symbolic abstraction in Karr's domain, as in Thakur
//! and Reps): the changes that one iteration from the middle can make, as models show them, span a space; what is
//! orthogonal to all of them is a guess, the solver confirms it or gives another sample, and the guesses get fewer each
//! time. A relation between changes holds on entry by itself, whatever the values there; it is an invariant like any
//! other and is proved like one.

use crate::candidates::Candidate;
use crate::inductor::holds_soon;
use crate::limits::Limits;
use fathom_ir::Invariant;
use fathom_machine::{Machine, Shape, Snapshot, Spot, State};
use fathom_smt::Validity;
use fathom_term::{Evaluator, Op, Sort, Term, TermStore, sign_extend};
use num_integer::gcd;
use std::collections::BTreeMap;
use std::time::Duration;

/// Changes and coefficients beyond this are not what people write.
const MAX_CHANGE: i128 = 1 << 33;
const MAX_COEFFICIENT: i128 = 1 << 20;

/// Samples of one loop, by width.
#[derive(Default)]
pub struct Samples(BTreeMap<u32, Group>);

#[derive(Default)]
struct Group {
    spots: Vec<Spot>,
    changes: Vec<Vec<i128>>,
    /// The relations could not be found in the numbers that are kept here.
    hopeless: bool,
}

impl Samples {
    /// Adds what one iteration shows that the samples so far do not; true if there was something. `before` is the state
    /// in the middle, `state` the one after an iteration.
    pub fn learn(
        &mut self,
        machine: &mut Machine,
        state: &State,
        before: &Snapshot,
        spots: &BTreeMap<Spot, Shape>,
        limits: &Limits,
    ) -> bool {
        let mut groups: BTreeMap<u32, Vec<(Spot, Term)>> = BTreeMap::new();
        let earlier = machine.restored(state, before);
        let live = machine.live_slots(state);
        // Numbers first: what comes first is related to all others, and a relation of two pointers depends on where their
        // objects lie.
        let is_pointer = |shape: &Shape| matches!(shape, Shape::Pointers { .. });
        let ordered = [false, true].into_iter().flat_map(|pointers| spots.iter().filter(move |(_, shape)| is_pointer(shape) == pointers));
        for (&spot, shape) in ordered {
            if !is_number(shape) || matches!(spot, Spot::Local(slot) if !live.contains(&slot)) {
                continue;
            }
            let (Some(new), Some(old)) = (machine.value_at(state, spot), machine.value_at(&earlier, spot)) else { continue };
            if let Sort::Bv(width @ 4..=64) = machine.store.sort(new) {
                let change = difference(&machine.store, new, old, limits.choices);
                groups.entry(width).or_default().push((spot, machine.book.ground(change)));
            }
        }
        let mut grew = false;
        for (width, mut changes) in groups {
            changes.truncate(limits.related);
            grew |= self.0.entry(width).or_default().learn(machine, state, width, &changes, limits.candidate_time);
        }
        grew
    }

    /// Guesses were dropped for other reasons than a sample: there will be no more of them.
    pub fn give_up(&mut self) {
        self.0.values_mut().for_each(|group| group.hopeless = true);
    }

    /// The guesses that no sample has refuted.
    pub fn candidates(&self, machine: &mut Machine, state: &State) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (&width, group) in &self.0 {
            let Some(relations) = group.relations() else { continue };
            for relation in relations {
                found.extend(candidate(machine, state, &group.spots, &relation, width));
            }
        }
        found
    }
}

impl Group {
    fn learn(&mut self, machine: &mut Machine, state: &State, width: u32, changes: &[(Spot, Term)], time: Duration) -> bool {
        let spots: Vec<Spot> = changes.iter().map(|(spot, _)| *spot).collect();
        let mut grew = false;
        if spots != self.spots {
            *self = Group { spots, changes: Vec::new(), hopeless: self.hopeless };
            grew = true;
        }
        let store = machine.store.clone();
        while let Some(relations) = self.relations().filter(|relations| !relations.is_empty()) {
            let terms: Vec<Term> = changes.iter().map(|(_, term)| *term).collect();
            let guesses = relations.iter().map(|relation| {
                let parts = terms.iter().zip(relation);
                let sum = parts.fold(store.bv(0, width), |sum, (&term, &factor)| {
                    store.bv_add(sum, store.build(Op::BvMul, &[store.bv(factor as u64, width), term]))
                });
                store.eq(sum, store.bv(0, width))
            });
            let all = store.and_all(guesses.collect::<Vec<_>>());
            let model = match holds_soon(machine, state, all, time) {
                Validity::Holds => break,
                Validity::Fails(model) => model,
                Validity::Unknown(_) => {
                    // Perhaps there is more time in the next turn.
                    self.hopeless = machine.budget.exhausted().is_none();
                    return true;
                }
            };
            let rank = relations.len();
            let sample: Option<Vec<i128>> = terms.iter().map(|&term| number(machine, &model, term, width)).collect();
            self.changes.extend(sample);
            grew = true;
            if self.relations().is_none_or(|now| now.len() >= rank) {
                self.hopeless = true;
            }
        }
        grew
    }

    fn relations(&self) -> Option<Vec<Vec<i128>>> {
        if self.hopeless || self.spots.len() < 2 {
            return None;
        }
        orthogonal(&self.changes, self.spots.len())
    }
}

/// That an iteration keeps a relation which held before it. Unlike the relation itself this needs no assumption, and
/// often no solver.
pub fn is_kept(machine: &mut Machine, state: &State, earlier: &State, steps: &[(Spot, i128)], choices: u32) -> Option<Term> {
    let store = machine.store.clone();
    let mut sum: Option<Term> = None;
    for &(spot, factor) in steps {
        let (new, old) = (machine.value_at(state, spot)?, machine.value_at(earlier, spot)?);
        let Sort::Bv(width) = store.sort(new) else { return None };
        let change = machine.book.ground(difference(&store, new, old, choices));
        let part = store.build(Op::BvMul, &[store.bv(factor as u64, width), change]);
        sum = Some(sum.map_or(part, |sum| store.bv_add(sum, part)));
    }
    sum.map(|sum| store.eq(sum, store.bv(0, store.sort(sum).width())))
}

/// Whether differences of its values make sense: plain data, or pointers into one object.
fn is_number(shape: &Shape) -> bool {
    match shape {
        Shape::Plain => true,
        Shape::Pointers { objects, null } => objects.len() == 1 && !null,
    }
}

/// What a value grew by. Inside of choices the old value cancels, and what is left needs no assumption about it.
fn difference(store: &TermStore, new: Term, old: Term, depth: u32) -> Term {
    if store.op(new) != Op::Ite || depth == 0 {
        return store.bv_sub(new, old);
    }
    let [then, otherwise] = [1, 2].map(|arm| difference(store, store.arg(new, arm), old, depth - 1));
    store.ite(store.arg(new, 0), then, otherwise)
}

/// A change as a signed number, if it is not too large.
fn number(machine: &Machine, model: &Evaluator, term: Term, width: u32) -> Option<i128> {
    let bits = model.eval(&machine.store, term)?.to_u64()?;
    let signed = sign_extend(bits, width) as i128;
    (signed.abs() <= MAX_CHANGE).then_some(signed)
}

/// `sum of factor * (spot - spot on entry) = 0`, over the program's variables and symbols for the values on entry; with
/// additions only, on two sides, which solvers like better.
fn candidate(machine: &mut Machine, state: &State, spots: &[Spot], relation: &[i128], width: u32) -> Option<Candidate> {
    let store = machine.store.clone();
    let (mut cells, mut entries) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (store.bv(0, width), store.bv(0, width));
    for (&spot, &factor) in spots.iter().zip(relation).filter(|(_, factor)| **factor != 0) {
        let (term, cell) = crate::candidates::named(machine, state, spot)?;
        cells.extend(cell);
        let entry = crate::candidates::on_entry(&store, term, spot, &mut entries)?;
        let times = |term: Term| store.build(Op::BvMul, &[store.bv(factor.unsigned_abs() as u64, width), term]);
        let (now, then) = if factor > 0 { (&mut left, &mut right) } else { (&mut right, &mut left) };
        *now = store.bv_add(*now, times(term));
        *then = store.bv_add(*then, times(entry));
    }
    let condition = store.eq(left, right);
    let steps = spots.iter().copied().zip(relation.iter().copied()).filter(|(_, factor)| *factor != 0).collect();
    Some(Candidate { invariant: Invariant { condition, cells }, entries, steps })
}

/// A basis of the integer vectors that are orthogonal to all of these; None if the numbers get too large.
fn orthogonal(rows: &[Vec<i128>], width: usize) -> Option<Vec<Vec<i128>>> {
    let mut reduced: Vec<(usize, Vec<i128>)> = Vec::new();
    for row in rows {
        let mut row = row.clone();
        for (pivot, known) in &reduced {
            row = eliminated(&row, known, *pivot)?;
        }
        let Some(pivot) = row.iter().position(|&x| x != 0) else { continue };
        for (_, known) in &mut reduced {
            *known = eliminated(known, &row, pivot)?;
        }
        reduced.push((pivot, row));
    }
    let mut basis = Vec::new();
    for free in (0..width).filter(|column| reduced.iter().all(|(pivot, _)| pivot != column)) {
        let common = reduced.iter().try_fold(1i128, |all, (pivot, row)| {
            let part = row[*pivot].abs() / gcd(row[*pivot], row[free]).max(1);
            let part = if row[free] == 0 { 1 } else { part };
            (all / gcd(all, part)).checked_mul(part)
        })?;
        let mut vector = vec![0; width];
        vector[free] = common;
        for (pivot, row) in &reduced {
            vector[*pivot] = -(row[free].checked_mul(common)? / row[*pivot]);
        }
        if vector.iter().all(|x| x.abs() <= MAX_COEFFICIENT) {
            basis.push(vector);
        }
    }
    Some(basis)
}

/// The row without the column, by a multiple of the other one.
fn eliminated(row: &[i128], by: &[i128], column: usize) -> Option<Vec<i128>> {
    if row[column] == 0 {
        return Some(row.to_vec());
    }
    let shared = gcd(row[column], by[column]);
    let (times, minus) = (by[column] / shared, row[column] / shared);
    let mut result: Vec<i128> = Vec::with_capacity(row.len());
    for (&x, &y) in row.iter().zip(by) {
        result.push(x.checked_mul(times)?.checked_sub(y.checked_mul(minus)?)?);
    }
    let all = result.iter().fold(0, |all, &x| gcd(all, x)).max(1);
    Some(result.into_iter().map(|x| x / all).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_orthogonal_to_the_samples() {
        // a and b grow by one and two or by two and one, i by one: a + b = 3 * i.
        assert_eq!(orthogonal(&[vec![1, 2, 1], vec![2, 1, 1]], 3), Some(vec![vec![-1, -1, 3]]));
        // Nothing is known before the first sample, and nothing is left when everything was seen.
        assert_eq!(orthogonal(&[], 2).map(|all| all.len()), Some(2));
        assert_eq!(orthogonal(&[vec![1, 0], vec![5, 7]], 2), Some(vec![]));
        // The same sample twice says nothing new.
        assert_eq!(orthogonal(&[vec![2, 4], vec![1, 2]], 2), Some(vec![vec![-2, 1]]));
        assert_eq!(orthogonal(&[vec![0, 0, 6], vec![4, 6, 0]], 3), Some(vec![vec![-3, 2, 0]]));
    }

    #[test]
    fn numbers_that_get_too_large_end_it() {
        let huge = i128::MAX / 2;
        assert_eq!(orthogonal(&[vec![huge, 3, 1], vec![7, huge, 5]], 3), None);
    }
}
