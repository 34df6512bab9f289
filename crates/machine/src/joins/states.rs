//! Joins two states at the same location into one that stands for both, the opposite of a fork. Bounded model checking
//! (ESBMC, chapter 3) joins wherever paths meet; symbolic execution may join inside loop-free regions.
//!
//! A *selector* distinguishes the sides: a condition that the first path implies and the second one excludes, usually
//! that of the branch at which they forked, otherwise a fresh symbol. The path condition consists of the common
//! conjuncts, and the remaining ones of each side, each implied by that side of the selector; every live value is
//! `ite(selector, a's value, b's value)`, unless both are the same. A model of the joined state with the selector true
//! (false) is one of the first (second), with these values, and the other way round: nothing is lost or added, also
//! when the paths overlap (many-way gotos), where the selector must be the fresh symbol. Dead locals are forgotten,
//! unless leaks are checked: memory that only they point to counts as reachable.
//!
//! States cannot be joined (`Obstacle`) if they have different call stacks or stack objects; if an object is alive on
//! one side only and could still be used there (or leak, if that is checked); if arrays have different element types;
//! or if a live variable has no value.

use crate::exec::code::{Action, Variable};
use crate::exec::machine::Machine;
use crate::exec::state::{Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::induction::laws;
use crate::joins::history;
use crate::joins::unwinding::LoopAt;
use crate::memory::objects::Differences;
use fathom_ir::Property;
use fathom_smt::Divergence;
use fathom_term::{Evaluator, Op, Sort, Term, Value};
use std::rc::Rc;
use thiserror::Error;

/// Conditions that a path has beyond another's before they are taken as one.
const LONG_WAY: usize = 24;

/// Why two states were not joined.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
pub enum Obstacle {
    /// States with threads are not joined.
    #[error("threads were started")]
    Threads,
    /// Different procedures are active, or at different blocks.
    #[error("the call stacks differ")]
    CallStacks,
    /// One state went round a loop more often than the other.
    #[error("the states are in different iterations of a loop")]
    Iterations,
    /// The two would free different objects on return.
    #[error("the objects that end with a call differ")]
    StackObjects,
    /// The object exists in one of the states alone.
    #[error("object {} lives on one side only and is still needed there", .0.0)]
    Objects(ObjectKey),
    /// The contents are arrays of elements of different sizes.
    #[error("object {} is an array of different elements on the two sides", .0.0)]
    Elements(ObjectKey),
    /// There is no value for the side that has none.
    #[error("a live variable of a sort without default has a value on one side only")]
    NeverWritten,
}

/// Two states that stay two.
pub struct Unmerged {
    /// The first state, unchanged.
    pub a: State,
    /// The second state, unchanged.
    pub b: State,
    /// What keeps them apart.
    pub why: Obstacle,
}

/// Locals of a frame that must be joined; the rest differ in what is never read.
type Slots = Vec<u32>;

impl Machine {
    /// One state that stands for both, or both back with the reason (in any order). The model of `a`, or of `b` if
    /// only that is verified, satisfies the result.
    pub fn merge(&mut self, mut a: State, mut b: State) -> Result<State, Box<Unmerged>> {
        if b.path.verified && !a.path.verified {
            std::mem::swap(&mut a, &mut b);
        }
        let (slots, memory) = match self.plan(&a, &b) {
            Ok(plan) => plan,
            Err(why) => return Err(Box::new(Unmerged { a, b, why })),
        };
        let parts = a.path.constraints.diverge(&self.store, &b.path.constraints);
        let selector = self.join_conditions(&mut a, &b, parts);
        a.path.speculative |= b.path.speculative;
        a.path.quantified_speculation |= b.path.quantified_speculation;
        for (level, slots) in slots.into_iter().enumerate() {
            self.join_frame(selector, &mut a.frames[level], &b.frames[level], &slots);
        }
        if !Rc::ptr_eq(&a.globals, &b.globals) {
            let code = self.code.clone();
            let globals = Rc::make_mut(&mut a.globals);
            for (slot, (value, &other)) in globals.iter_mut().zip(b.globals.iter()).enumerate() {
                *value = self.join_values(selector, *value, other, code.global_sorts[slot]);
            }
        }
        for key in memory.left_only {
            a.memory.remove(key);
        }
        for key in memory.changed {
            self.join_object(selector, &mut a, &mut b, key);
        }
        a.path.laws = laws::join(self, selector, &a, &b);
        if a.path.mentioned != b.path.mentioned {
            a.path.mentioned = Rc::new(a.path.mentioned.intersection(&b.path.mentioned).copied().collect());
        }
        let mut joined = a.clone();
        history::join(selector, &a, &b, &mut joined);
        joined.comparison.at_loop_head |= b.comparison.at_loop_head;
        joined.abstraction = joined.abstraction.or_else(|| b.abstraction.clone());
        joined.search.depth = joined.search.depth.max(b.search.depth);
        joined.search.steps = joined.search.steps.max(b.search.steps);
        // It was compared with nothing yet.
        (joined.comparison.compared_at, joined.comparison.idle_visits) = ((u32::MAX, u64::MAX), 0);
        Ok(joined)
    }

    // ---- can they be joined?

    fn plan(&mut self, a: &State, b: &State) -> Result<(Vec<Slots>, Differences), Obstacle> {
        if a.threads.is_some() || b.threads.is_some() {
            return Err(Obstacle::Threads);
        }
        let place = |frame: &Frame| (frame.proc, frame.block, frame.index);
        if !a.frames.iter().map(place).eq(b.frames.iter().map(place)) {
            return Err(Obstacle::CallStacks);
        }
        let iterations = |frame: &Frame| frame.loops.iter().map(LoopAt::place).collect::<Vec<_>>();
        if a.frames.iter().zip(&b.frames).any(|(one, two)| iterations(one) != iterations(two)) {
            return Err(Obstacle::Iterations);
        }
        if a.frames.iter().zip(&b.frames).any(|(one, two)| one.stack_objects != two.stack_objects) {
            return Err(Obstacle::StackObjects);
        }
        let mut slots = Vec::new();
        for level in 0..a.frames.len() {
            slots.push(self.slots_to_join(a, b, level)?);
        }
        let code = self.code.clone();
        let globals = a.globals.iter().zip(b.globals.iter()).zip(&code.global_sorts);
        if globals.clone().any(|((&one, &two), &sort)| one != two && (is_missing(one, sort) || is_missing(two, sort))) {
            return Err(Obstacle::NeverWritten);
        }
        let memory = a.memory.differences(&b.memory);
        for (state, only) in [(a, &memory.left_only), (b, &memory.right_only)] {
            if let Some(needed) = only.iter().copied().find(|&key| self.is_bulky(state, key)).or_else(|| self.needed_object(state, only)) {
                return Err(Obstacle::Objects(needed));
            }
        }
        for &key in &memory.changed {
            if let (Some(one), Some(two)) = (a.memory.get(key), b.memory.get(key))
                && let Some(why) = self.objects_obstacle(key, one, two)
            {
                return Err(why);
            }
        }
        Ok((slots, memory))
    }

    fn slots_to_join(&mut self, a: &State, b: &State, level: usize) -> Result<Slots, Obstacle> {
        let (one, two) = (&a.frames[level], &b.frames[level]);
        if Rc::ptr_eq(&one.locals, &two.locals) {
            return Ok(Slots::new());
        }
        let code = self.code.clone();
        let sorts = &code.procs[one.proc as usize].local_sorts;
        let differs = |slot: u32| one.locals[slot as usize] != two.locals[slot as usize];
        let missing = |slot: u32| {
            let sort = sorts[slot as usize];
            is_missing(one.locals[slot as usize], sort) || is_missing(two.locals[slot as usize], sort)
        };
        let live = self.live_locals(&a.frames, level);
        if live.iter().any(|&slot| differs(slot) && missing(slot)) {
            return Err(Obstacle::NeverWritten);
        }
        if self.checks.contains(&Property::ValidMemtrack) {
            return Ok((0..sorts.len() as u32).filter(|&slot| differs(slot) && !missing(slot)).collect());
        }
        Ok(live.into_iter().filter(|&slot| differs(slot)).collect())
    }

    /// Locals of a frame that are read before they are written. A caller goes on behind its call, whose targets are
    /// written before anything is read.
    pub(crate) fn live_locals(&mut self, frames: &[Frame], level: usize) -> Slots {
        let code = self.code.clone();
        let frame = &frames[level];
        let proc = &code.procs[frame.proc as usize];
        let is_top = level + 1 == frames.len();
        let index = if is_top { frame.index } else { frame.index + 1 };
        let live = self.analyses.liveness.live_at(frame.proc, proc, frame.block, index);
        let targets: &[Variable] = match proc.blocks[frame.block as usize].actions.get(frame.index as usize) {
            Some(Action::Call { targets, .. }) if !is_top => targets,
            _ => &[],
        };
        live.iter().copied().filter(|&slot| !targets.contains(&Variable::Local(slot))).collect()
    }

    /// One of these objects that the state could still use, or leak.
    pub(crate) fn needed_object(&mut self, state: &State, among: &[ObjectKey]) -> Option<ObjectKey> {
        let &first = among.first()?;
        if self.counts_objects() {
            return Some(first);
        }
        let mut roots: Vec<Val> = state.globals.to_vec();
        for level in 0..state.frames.len() {
            let live = self.live_locals(&state.frames, level);
            roots.extend(live.into_iter().map(|slot| state.frames[level].locals[slot as usize]));
        }
        let reached = self.reachable(state, &roots);
        among.iter().copied().find(|key| reached.contains(key))
    }

    // ---- the join

    /// Sets `a`'s path condition to that of both, and returns what tells the two apart.
    fn join_conditions(&mut self, a: &mut State, b: &State, parts: Divergence) -> Term {
        let store = self.store.clone();
        let selector = self.distinction(a, b, &parts).unwrap_or_else(|| {
            let fresh = store.fresh("join", Sort::Bool);
            if let Some(var) = store.as_var(fresh) {
                let mut model = a.path.model.model().clone();
                model.values.insert(var, Value::TRUE);
                a.path.model = Rc::new(Evaluator::new(model));
            }
            fresh
        });
        a.path.constraints = parts.common;
        for (side, beyond) in [(store.not(selector), parts.left), (selector, parts.right)] {
            // A long way of its own is one condition: the ways out of a loop then share their beginnings, and the formula
            // grows with the iterations, not with their square.
            match beyond.len() > LONG_WAY {
                true => a.path.constraints.push(&store, store.or(side, store.and_all(beyond))),
                false => beyond.into_iter().for_each(|term| a.path.constraints.push(&store, store.or(side, term))),
            }
        }
        selector
    }

    /// A condition that `a` implies and `b` excludes, by syntax: one side has a conjunct whose negation the other has.
    fn distinction(&self, a: &State, b: &State, parts: &Divergence) -> Option<Term> {
        let store = &self.store;
        let has = |state: &State, term: Term| store.conjuncts(term).into_iter().all(|part| state.path.constraints.contains(part));
        let is_usable = |term: &Term| !a.path.constraints.sets().is_quantified(store, *term);
        let left = parts.left.iter().copied().filter(|&term| has(b, store.not(term))).find(is_usable);
        left.or_else(|| parts.right.iter().map(|&term| store.not(term)).filter(|&term| has(a, term)).find(is_usable))
    }

    fn join_frame(&mut self, selector: Term, into: &mut Frame, other: &Frame, slots: &[u32]) {
        for (known, theirs) in into.loops.iter_mut().zip(&other.loops) {
            known.join(theirs);
        }
        into.recursion = into.recursion.max(other.recursion);
        // The stack below this frame: as much as both states use at least.
        into.stack_below = into.stack_below.min(other.stack_below);
        if !Rc::ptr_eq(&into.visits, &other.visits) {
            let visits = Rc::make_mut(&mut into.visits);
            for (&head, &count) in other.visits.iter() {
                let known = visits.entry(head).or_insert(0);
                *known = count.max(*known);
            }
        }
        if Rc::ptr_eq(&into.locals, &other.locals) {
            return;
        }
        let code = self.code.clone();
        let sorts = &code.procs[into.proc as usize].local_sorts;
        let mut slots = slots.iter().peekable();
        let locals = Rc::make_mut(&mut into.locals);
        for (slot, value) in locals.iter_mut().enumerate() {
            let theirs = other.locals[slot];
            if slots.next_if(|&&next| next as usize == slot).is_some() {
                *value = self.join_values(selector, *value, theirs, sorts[slot]);
            } else if *value != theirs {
                *value = Val::FALSE;
            }
        }
    }

    /// `ite(selector, a, b)`. Addresses in one object stay addresses in that object.
    pub(crate) fn join_values(&self, selector: Term, a: Val, b: Val, sort: Sort) -> Val {
        if a == b {
            return a;
        }
        let store = &self.store;
        let [left, right] = [a, b].map(|value| self.term_of(value, sort));
        if sort == Sort::Bv(self.book.pointer_bits())
            && let (Some((base, left)), Some((other, right))) = (self.based(left), self.based(right))
            && base == other
        {
            return self.value_of(store.bv_add(base, store.ite(selector, left, right)));
        }
        self.value_of(store.ite(selector, left, right))
    }

    /// A sum with one address among its parts: the address and the rest.
    pub(crate) fn based(&self, term: Term) -> Option<(Term, Term)> {
        let mut rest = self.store.bv(0, self.book.pointer_bits());
        let mut base = None;
        let mut open = vec![term];
        while let Some(part) = open.pop() {
            if self.store.op(part) == Op::BvAdd {
                open.extend(self.store.args(part));
            } else if self.store.as_var(part).is_some_and(|var| self.book.object_of(var).is_some()) {
                if base.replace(part).is_some() {
                    return None;
                }
            } else {
                rest = self.store.bv_add(rest, part);
            }
        }
        base.map(|base| (base, rest))
    }
}

/// The mark of a variable that was never written, where it is no value of the sort.
fn is_missing(value: Val, sort: Sort) -> bool {
    matches!(value, Val::Bits(_)) && !sort.has_small_constants() && !matches!(sort, Sort::Opaque(_))
}
