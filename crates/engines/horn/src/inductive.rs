//! From candidates to a partition: conjuncts that some step breaks are dropped until all the others are inductive (Flanagan and
//! Leino's Houdini), and then no step may lead to an error location. Every question is about the program itself, over bit-vectors.

use fathom_base::Budget;
use fathom_flat::{Flat, Target};
use fathom_smt::{Answer, Backend};
use fathom_term::Term;
use std::time::Duration;

/// For each block a conjunction; None where no state comes to.
pub type Invariants = Vec<Option<Vec<Term>>>;

/// Answers questions about steps.
pub struct Steps<'a> {
    pub flat: &'a Flat,
    pub backend: &'a dyn Backend,
    pub budget: &'a Budget,
    pub query_time: Duration,
    /// Questions that were asked.
    pub asked: u64,
}

impl Steps<'_> {
    /// What of these invariants is inductive; None if the time is over.
    pub fn inductive(&mut self, mut invariants: Invariants) -> Option<Invariants> {
        let blocks = self.flat.blocks.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); blocks];
        for (at, block) in self.flat.blocks.iter().enumerate() {
            block.edges.iter().filter_map(|edge| edge.target.block()).for_each(|to| before[to].push(at));
        }
        let mut open: Vec<usize> = (0..blocks).rev().collect();
        let mut is_open = vec![true; blocks];
        while let Some(at) = open.pop() {
            is_open[at] = false;
            for to in self.weakened(at, &mut invariants)? {
                // Steps from there start in more states now.
                if !is_open[to] {
                    is_open[to] = true;
                    open.push(to);
                }
            }
        }
        Some(invariants)
    }

    /// Drops what steps from this block break; the blocks whose invariants are weaker now.
    fn weakened(&mut self, at: usize, invariants: &mut Invariants) -> Option<Vec<usize>> {
        let mut changed = Vec::new();
        let Some(own) = invariants[at].clone() else { return Some(changed) };
        for exit in 0..self.flat.blocks[at].edges.len() {
            let Target::Block(to) = self.flat.blocks[at].edges[exit].target else { continue };
            let Some(conjuncts) = invariants[to].clone() else {
                if !self.is_impossible(at, exit, &own, &[])? {
                    invariants[to] = Some(Vec::new());
                    changed.push(to);
                }
                continue;
            };
            let mut kept = Vec::with_capacity(conjuncts.len());
            for &conjunct in &conjuncts {
                let is_kept = to != at && self.flat.keeps(at, conjunct) && own.contains(&conjunct);
                if is_kept || self.is_impossible(at, exit, &own, &[self.flat.terms.not(conjunct)])? {
                    kept.push(conjunct);
                }
            }
            if kept.len() < conjuncts.len() {
                invariants[to] = Some(kept);
                changed.push(to);
            }
        }
        Some(changed)
    }

    /// Whether no step leads to an error location; None if the time is over.
    pub fn are_safe(&mut self, invariants: &Invariants) -> Option<bool> {
        for (at, own) in invariants.iter().enumerate() {
            let Some(own) = own else { continue };
            for (exit, edge) in self.flat.blocks[at].edges.iter().enumerate() {
                if matches!(edge.target, Target::Error(_)) && !self.is_impossible(at, exit, own, &[])? {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Whether no state of the block leaves it this way into a state that satisfies the conditions.
    fn is_impossible(&mut self, at: usize, exit: usize, own: &[Term], conditions: &[Term]) -> Option<bool> {
        if self.budget.exhausted().is_some() {
            return None;
        }
        let store = &self.flat.terms;
        let mut question = own.to_vec();
        question.extend(self.flat.before(at, exit, conditions));
        if question.iter().any(|&term| store.const_bool(term) == Some(false) || question.contains(&store.not(term))) {
            return Some(true);
        }
        self.asked += 1;
        let answer = self.backend.new_solver().and_then(|mut solver| {
            solver.only_refute();
            question.iter().try_for_each(|&term| solver.assert(term))?;
            Ok(solver.check(&[], &self.budget.at_most(self.query_time)))
        });
        Some(matches!(answer, Ok(Answer::Unsat)))
    }
}
