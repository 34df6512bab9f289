//! A flat program between cut points: blocks such that every cycle goes through one of them. What happens from one cut point to the
//! next is a *segment*, a parallel assignment with one guard (the sequential composition of the blocks on the way), so that a
//! loop with branches in its body becomes one transition per way through the body. A call of a procedure that is not inlined gives
//! two kinds of segments: those that go on behind the call, where its results are inputs, and those that lead into the procedure. An infinite
//! run is then an infinite sequence of segments: if infinitely many calls are open in the end, those that lead into them, and
//! otherwise those of the last call that stays open, in which every call inside returns.
//!
//! Inputs of a segment are numbered through from its start; what is told of them must hold for all of their values.

use crate::program::{Block, Edge, Flat, Target};
use fathom_base::FxSet;
use fathom_term::{Op, Substitution, Term, TermStore, VarId};
use std::collections::BTreeSet;

/// From one cut point to the next, or to an error location.
pub struct Segment {
    /// The cut point, an index in `Flat::blocks`.
    pub from: usize,
    /// A cut point or an error location.
    pub to: Target,
    /// The parts of the condition, over variables and inputs at the start, under which the run takes this way.
    pub guard: Vec<Term>,
    /// New values, over the variables and inputs at the start; the rest keeps its value.
    pub assigns: Vec<(VarId, Term)>,
    /// The blocks on the way with their exits; an exit of a call that leads into the procedure is None.
    pub through: Vec<(usize, Option<usize>)>,
}

impl Segment {
    /// A condition or value behind the segment, as one over its start.
    pub fn before(&self, store: &TermStore, term: Term) -> Term {
        self.behind().apply(store, term)
    }

    /// The substitution that `before` applies, for many terms.
    pub fn behind(&self) -> Substitution {
        Substitution::new(self.assigns.iter().copied())
    }
}

/// A segment in the making.
#[derive(Clone)]
struct Way {
    at: usize,
    guard: Vec<Term>,
    assigns: Vec<(VarId, Term)>,
    inputs: u32,
    through: Vec<(usize, Option<usize>)>,
    /// The values of a procedure's entry, if the way is at its start.
    passed: Option<Vec<Term>>,
}

impl Flat {
    /// Blocks that cut every cycle, and so many more that no more than `most` ways lead from cut points to a block.
    pub fn cut_points(&self, most: u64) -> Vec<usize> {
        let next: Vec<Vec<usize>> = (0..self.blocks.len()).map(|at| self.leads_to(at)).collect();
        let mut cuts: BTreeSet<usize> = BTreeSet::from([0]);
        cuts.extend(self.concurrent.iter().flat_map(|concurrent| &concurrent.yields));
        let given: Vec<usize> = cuts.iter().copied().collect();
        let (mut state, mut order) = (vec![0u8; next.len()], Vec::new());
        for &root in &given {
            let mut stack = vec![(root, 0usize)];
            state[root] = 1;
            while let Some((at, edge)) = stack.last_mut() {
                let Some(&to) = next[*at].get(*edge) else {
                    state[*at] = 2;
                    order.push(*at);
                    stack.pop();
                    continue;
                };
                *edge += 1;
                // A cycle that is cut anyway needs no other cut.
                if given.binary_search(&to).is_ok() {
                    continue;
                }
                match state[to] {
                    0 => {
                        state[to] = 1;
                        stack.push((to, 0));
                    }
                    // A procedure is cut behind the block that takes its arguments.
                    1 => _ = cuts.insert(if self.is_start(to) { next[to].first().copied().unwrap_or(to) } else { to }),
                    _ => {}
                }
            }
        }
        let mut ways = vec![0u64; next.len()];
        for &at in order.iter().rev() {
            if ways[at] > most && !self.is_start(at) {
                cuts.insert(at);
            }
            let own = if cuts.contains(&at) { 1 } else { ways[at].max(1) };
            next[at].iter().for_each(|&to| ways[to] = ways[to].saturating_add(own));
        }
        cuts.into_iter().collect()
    }

    /// The segments between these cut points; None if they leave a cycle or a place where others may run whole, or if there are more than `most`.
    pub fn segments(&self, cuts: &[usize], most: usize) -> Option<Vec<Segment>> {
        let is_cut: FxSet<usize> = cuts.iter().copied().collect();
        // A thread rests wherever others may run.
        if self.concurrent.iter().flat_map(|concurrent| &concurrent.yields).any(|block| !is_cut.contains(block)) {
            return None;
        }
        let in_order = cuts.windows(2).all(|pair| pair[0] < pair[1]);
        if !in_order || !is_cut.contains(&0) || cuts.iter().any(|&cut| cut >= self.blocks.len() || self.is_start(cut)) {
            return None;
        }
        let mut all = Vec::new();
        for &cut in cuts {
            let first = Way { at: cut, guard: Vec::new(), assigns: Vec::new(), inputs: 0, through: Vec::new(), passed: None };
            let mut open = vec![first];
            while let Some(way) = open.pop() {
                for next in self.steps(&way) {
                    let done = match next.1 {
                        Target::Block(to) if !is_cut.contains(&to) => {
                            if next.0.through.iter().any(|&(block, _)| block == to) {
                                return None;
                            }
                            open.push(next.0);
                            continue;
                        }
                        Target::End | Target::Return => continue,
                        to => to,
                    };
                    let Way { guard, assigns, through, .. } = next.0;
                    all.push(Segment { from: cut, to: done, guard, assigns, through });
                    if all.len() > most {
                        return None;
                    }
                }
            }
        }
        Some(all)
    }

    /// Whether the block takes the arguments of a procedure.
    fn is_start(&self, block: usize) -> bool {
        self.procedures.iter().any(|procedure| procedure.start == block)
    }

    /// The blocks behind this one, and the start of the procedure that it calls.
    fn leads_to(&self, block: usize) -> Vec<usize> {
        let Block { edges, call, .. } = &self.blocks[block];
        let inside = call.iter().map(|call| self.procedures[call.procedure].start);
        edges.iter().filter_map(|edge| edge.target.block()).chain(inside).collect()
    }

    /// The ways on through the block that a way has come to.
    fn steps(&self, way: &Way) -> Vec<(Way, Target)> {
        let store: &TermStore = &self.terms;
        let block = &self.blocks[way.at];
        let mut behind = Substitution::new(way.assigns.iter().copied());
        for (ahead, &sort) in block.inputs.iter().enumerate() {
            let own = store.as_var(self.inputs.next(store, ahead as u32, sort));
            let taken = match &way.passed {
                Some(passed) => passed[ahead],
                None => self.inputs.next(store, ahead as u32 + way.inputs, sort),
            };
            own.into_iter().for_each(|own| behind.extend(own, taken));
        }
        let mut assigns = way.assigns.clone();
        for &(var, term) in &block.assigns {
            let value = behind.apply(store, term);
            match assigns.iter_mut().find(|(known, _)| *known == var) {
                Some(known) => known.1 = value,
                None => assigns.push((var, value)),
            }
        }
        let taken = if way.passed.is_some() { 0 } else { block.inputs.len() as u32 };
        let mut all = Vec::new();
        for (number, Edge { guard, target }) in block.edges.iter().enumerate() {
            // What fails inside a call fails on the way that leads into it.
            if block.call.as_ref().is_some_and(|call| call.fails == number) {
                continue;
            }
            let mut parts = way.guard.clone();
            add_parts(store, behind.apply(store, *guard), &mut parts);
            if contradicts(store, &parts) {
                continue;
            }
            let mut through = way.through.clone();
            through.push((way.at, Some(number)));
            let at = target.block().unwrap_or(way.at);
            let inputs = way.inputs + taken;
            all.push((Way { at, guard: parts, assigns: assigns.clone(), inputs, through, passed: None }, *target));
        }
        if let Some(call) = &block.call {
            let passed = call.entry.iter().map(|&term| behind.apply(store, term)).collect();
            all.push(self.inside(way, call.procedure, passed));
        }
        all
    }

    /// The way into a procedure. What it assigns and was not passed is of another call, and arbitrary.
    fn inside(&self, way: &Way, procedure: usize, passed: Vec<Term>) -> (Way, Target) {
        let store: &TermStore = &self.terms;
        let start = self.procedures[procedure].start;
        let mut way = way.clone();
        way.through.push((way.at, None));
        for var in self.assigned_inside(start) {
            let other = self.inputs.next(store, way.inputs, store.var_sort(var));
            way.inputs += 1;
            match way.assigns.iter_mut().find(|(known, _)| *known == var) {
                Some(known) => known.1 = other,
                None => way.assigns.push((var, other)),
            }
        }
        (Way { at: start, passed: Some(passed), ..way }, Target::Block(start))
    }

    /// Variables that the blocks of a procedure assign.
    fn assigned_inside(&self, start: usize) -> BTreeSet<VarId> {
        let (mut seen, mut open) = (vec![false; self.blocks.len()], vec![start]);
        let mut assigned = BTreeSet::new();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            assigned.extend(self.blocks[at].assigns.iter().map(|(var, _)| *var));
            open.extend(self.blocks[at].edges.iter().filter_map(|edge| edge.target.block()));
        }
        assigned
    }
}

/// The conjunction's parts, of which a disjunction under a negation is one too.
fn add_parts(store: &TermStore, term: Term, all: &mut Vec<Term>) {
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        match store.op(next) {
            Op::And => open.extend(store.args(next).iter().rev().copied()),
            Op::Not if store.op(store.arg(next, 0)) == Op::Or => {
                open.extend(store.args(store.arg(next, 0)).iter().rev().map(|&arg| store.not(arg)));
            }
            _ if store.const_bool(next) == Some(true) || all.contains(&next) => {}
            _ => all.push(next),
        }
    }
}

fn contradicts(store: &TermStore, parts: &[Term]) -> bool {
    parts.iter().any(|&part| store.const_bool(part) == Some(false) || parts.contains(&store.not(part)))
}
