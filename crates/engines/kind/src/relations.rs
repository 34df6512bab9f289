//! Linear relations between what a loop changes: coefficients c with c . (x - x on entry) = 0 in every iteration, such as
//! `a + b - 3 * i` that stays what it was. They are found from samples (symbolic abstraction in Karr's domain, as in Thakur
//! and Reps): the changes that one iteration from the middle can make, as models show them, span a space; what is
//! orthogonal to all of them is a guess, the solver confirms it or gives another sample, and the guesses get fewer each
//! time. A relation between changes holds on entry by itself, whatever the values there; it is an invariant like any
//! other and is proved like one.
//!
//! Numbers of fewer bits take part in the relations of wider ones: a sum of 64 bits and the counter of 32 bits that it grows with. What
//! changes is then the extended value, before and after, not the extension of the change: a counter that wraps around breaks the relation.

use crate::candidates::Candidate;
use crate::inductor::holds_soon;
use crate::limits::Limits;
use fathom_base::FxSet;
use fathom_ir::{Block, Invariant};
use fathom_machine::{Machine, Shape, Snapshot, Spot, State};
use fathom_smt::Validity;
use fathom_term::{Evaluator, Op, Sort, Term, TermStore, VarId, sign_extend};
use num_integer::gcd;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Changes and coefficients beyond this are not what people write.
const MAX_CHANGE: i128 = 1 << 33;
const MAX_COEFFICIENT: i128 = 1 << 20;

/// Narrower numbers are characters and flags.
const NARROWEST: u32 = 16;

/// A number that takes part in relations of a width, to which it is extended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Column {
    spot: Spot,
    width: u32,
    is_signed: bool,
}

impl Column {
    fn widened(self, store: &TermStore, value: Term) -> Term {
        match self.is_signed {
            true => store.resize_signed(value, self.width),
            false => store.resize_unsigned(value, self.width),
        }
    }

    /// What a value grew by. Inside of choices the old value cancels, and what is left needs no assumption about it.
    fn difference(self, store: &TermStore, new: Term, old: Term, depth: u32) -> Term {
        if store.op(new) != Op::Ite || depth == 0 {
            return store.bv_sub(self.widened(store, new), self.widened(store, old));
        }
        let [then, otherwise] = [1, 2].map(|arm| self.difference(store, store.arg(new, arm), old, depth - 1));
        store.ite(store.arg(new, 0), then, otherwise)
    }
}

/// A number that a loop changes, after an iteration and before it.
struct Changed {
    spot: Spot,
    width: u32,
    is_pointer: bool,
    new: Term,
    old: Term,
}

/// Samples of one loop, by width.
#[derive(Default)]
pub struct Samples {
    groups: BTreeMap<u32, Group>,
    /// Variables that the program compares as signed numbers, once that was asked.
    signed: Option<FxSet<VarId>>,
}

#[derive(Default)]
struct Group {
    columns: Vec<Column>,
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
        let changed = changed(machine, state, before, spots);
        let widths: BTreeSet<u32> = changed.iter().map(|one| one.width).collect();
        let mut grew = false;
        for &width in &widths {
            let mut columns: Vec<(Column, Term)> = Vec::new();
            let narrower = |one: &&Changed| (NARROWEST..width).contains(&one.width) && !one.is_pointer;
            for one in changed.iter().filter(|one| one.width == width).chain(changed.iter().filter(narrower)) {
                let is_signed = one.width < width && self.is_signed(machine, state, one.spot);
                let column = Column { spot: one.spot, width, is_signed };
                let change = column.difference(&machine.store, one.new, one.old, limits.choices);
                columns.push((column, machine.book.ground(change)));
            }
            columns.truncate(limits.related);
            grew |= self.groups.entry(width).or_default().learn(machine, state, width, &columns, limits.candidate_time);
        }
        grew
    }

    /// Whether the program takes a number for a signed one.
    fn is_signed(&mut self, machine: &Machine, state: &State, spot: Spot) -> bool {
        let procedure = &machine.program.procedures[state.frame().proc as usize];
        let var = match spot {
            Spot::Local(slot) => procedure.locals[slot as usize].id,
            Spot::Global(slot) => machine.program.globals[slot as usize].id,
            Spot::Cell { .. } => return true,
        };
        let blocks = procedure.body.iter().flat_map(|body| &body.blocks);
        self.signed.get_or_insert_with(|| compared_as_signed(&machine.store, blocks)).contains(&var)
    }

    /// Guesses were dropped for other reasons than a sample: there will be no more of them.
    pub fn give_up(&mut self) {
        self.groups.values_mut().for_each(|group| group.hopeless = true);
    }

    /// The guesses that no sample has refuted.
    pub fn candidates(&self, machine: &mut Machine, state: &State) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (&width, group) in &self.groups {
            let Some(relations) = group.relations() else { continue };
            for relation in relations {
                found.extend(candidate(machine, state, &group.columns, &relation, width));
            }
        }
        found
    }
}

impl Group {
    fn learn(&mut self, machine: &mut Machine, state: &State, width: u32, changes: &[(Column, Term)], time: Duration) -> bool {
        let columns: Vec<Column> = changes.iter().map(|(column, _)| *column).collect();
        let mut grew = false;
        if columns != self.columns {
            *self = Group { columns, changes: Vec::new(), hopeless: self.hopeless };
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
        if self.hopeless || self.columns.len() < 2 {
            return None;
        }
        orthogonal(&self.changes, self.columns.len())
    }
}

/// That an iteration keeps a relation which held before it. Unlike the relation itself this needs no assumption, and
/// often no solver.
pub fn is_kept(machine: &mut Machine, state: &State, earlier: &State, steps: &[(Column, i128)], choices: u32) -> Option<Term> {
    let store = machine.store.clone();
    let mut sum: Option<Term> = None;
    for &(column, factor) in steps {
        let (new, old) = (machine.value_at(state, column.spot)?, machine.value_at(earlier, column.spot)?);
        let change = machine.book.ground(column.difference(&store, new, old, choices));
        let part = store.build(Op::BvMul, &[store.bv(factor as u64, column.width), change]);
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

/// The numbers that the loop changes. Numbers come first: what comes first is related to all others, and a relation of two pointers
/// depends on where their objects lie.
fn changed(machine: &mut Machine, state: &State, before: &Snapshot, spots: &BTreeMap<Spot, Shape>) -> Vec<Changed> {
    let earlier = machine.restored(state, before);
    let live = machine.live_slots(state);
    let mut found = Vec::new();
    for (&spot, shape) in spots {
        if !is_number(shape) || matches!(spot, Spot::Local(slot) if !live.contains(&slot)) {
            continue;
        }
        let (Some(new), Some(old)) = (machine.value_at(state, spot), machine.value_at(&earlier, spot)) else { continue };
        if let Sort::Bv(width @ 4..=64) = machine.store.sort(new) {
            found.push(Changed { spot, width, is_pointer: matches!(shape, Shape::Pointers { .. }), new, old });
        }
    }
    found.sort_by_key(|one| one.is_pointer);
    found
}

/// Variables in comparisons of signed numbers.
fn compared_as_signed<'a>(store: &TermStore, blocks: impl Iterator<Item = &'a Block>) -> FxSet<VarId> {
    let mut roots: Vec<Term> = Vec::new();
    for block in blocks {
        block.statements.iter().for_each(|statement| statement.kind.for_each_term(&mut |term| roots.push(term)));
        block.terminator.kind.for_each_term(&mut |term| roots.push(term));
    }
    let comparisons = store.subterms(roots).filter(|&term| store.op(term) == Op::BvSlt);
    let sides: Vec<Term> = comparisons.flat_map(|term| store.args(term).to_vec()).collect();
    store.subterms(sides).filter_map(|term| store.as_var(term)).collect()
}

/// A change as a signed number, if it is not too large.
fn number(machine: &Machine, model: &Evaluator, term: Term, width: u32) -> Option<i128> {
    let bits = model.eval(&machine.store, term)?.to_u64()?;
    let signed = sign_extend(bits, width) as i128;
    (signed.abs() <= MAX_CHANGE).then_some(signed)
}

/// `sum of factor * (spot - spot on entry) = 0`, over the program's variables and symbols for the values on entry; with
/// additions only, on two sides, which solvers like better.
fn candidate(machine: &mut Machine, state: &State, columns: &[Column], relation: &[i128], width: u32) -> Option<Candidate> {
    let store = machine.store.clone();
    let (mut cells, mut entries) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (store.bv(0, width), store.bv(0, width));
    for (&column, &factor) in columns.iter().zip(relation).filter(|(_, factor)| **factor != 0) {
        let (term, cell) = crate::candidates::named(machine, state, column.spot)?;
        cells.extend(cell);
        let entry = crate::candidates::on_entry(&store, term, column.spot, &mut entries)?;
        let times = |term: Term| {
            let number = store.bv(factor.unsigned_abs() as u64, width);
            store.build(Op::BvMul, &[number, column.widened(&store, term)])
        };
        let (now, then) = if factor > 0 { (&mut left, &mut right) } else { (&mut right, &mut left) };
        *now = store.bv_add(*now, times(term));
        *then = store.bv_add(*then, times(entry));
    }
    let condition = store.eq(left, right);
    let steps = columns.iter().copied().zip(relation.iter().copied()).filter(|(_, factor)| *factor != 0).collect();
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
