//! valid-memtrack: wherever the program ends, every heap object that was not freed must still be reachable from globals
//! or, if it did not end by returning from main, from variables of active calls (`holders` finds their locals). In a
//! loop that is never left, this is checked in each iteration. Pointers that were converted and computed with still
//! count, so a leak is only reported if no stored value mentions the object's address at all.
//!
//! A value may be a choice (`ite`) between pointers, especially in joined states, and a pointer in an array counts only
//! if it was not overwritten. An object that no arm of any choice mentions is certainly lost. For the others
//! `reachability.rs` builds the condition under which each is reached, and the solver is asked once per block whether
//! that condition can be false, instead of once per combination of choices.

use crate::exec::machine::{Cut, Machine, PathEnd, Step};
use crate::exec::state::{Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::lists::chains::Chain;
use crate::memory::contents::Base;
use crate::memory::mentions::Walk;
use crate::memory::objects::{Object, ObjectKind};
use crate::memory::reachability::Reachability;
use fathom_base::FxSet;
use fathom_ir::{LIBRARY_OBJECT, Property};
use fathom_smt::Verdict;
use fathom_term::{Evaluator, Term};
use std::rc::Rc;

impl Machine {
    /// Whether objects matter that nothing leads to.
    pub(crate) fn counts_objects(&self) -> bool {
        [Property::ValidMemtrack, Property::ValidMemcleanup].iter().any(|property| self.checks.contains(property))
    }

    /// A live heap object that nothing reaches in some model of the state, and that model.
    pub(crate) fn lost_object(&mut self, state: &State) -> Step<Option<(ObjectKey, Rc<Evaluator>)>> {
        if !state.memory.sorted().iter().any(|(_, object)| object.kind == ObjectKind::Heap) {
            return Ok(None);
        }
        let (may, must) = self.roots(state);
        if let Some(lost) = self.lost_behind(state, &may)? {
            return Ok(Some(lost));
        }
        match may.len() == must.len() || self.lost_behind(state, &must)?.is_none() {
            true => Ok(None),
            false => Err(PathEnd::Cut(Cut::Bound("whether a variable that is not read any more still holds the last pointer".to_string()))),
        }
    }

    /// What counts as a pointer of the program: everything that may be the value of a variable, and what certainly is.
    fn roots(&mut self, state: &State) -> (Vec<Val>, Vec<Val>) {
        let mut may: Vec<Val> = state.globals.to_vec();
        may.extend(state.threads.iter().flat_map(|threads| &threads.all).map(|thread| thread.result));
        let buffered = state.threads.iter().flat_map(|threads| &threads.all).flat_map(|thread| thread.delayed_stores());
        may.extend(buffered.map(|store| store.value));
        let mut must = may.clone();
        for frames in state.stacks() {
            self.add_locals(frames, &mut may, &mut must);
        }
        (may, must)
    }

    /// The locals of the calls of one thread.
    fn add_locals(&mut self, frames: &[Frame], may: &mut Vec<Val>, must: &mut Vec<Val>) {
        let code = self.code.clone();
        for (level, frame) in frames.iter().enumerate() {
            match self.analyses.holders.at(&code, frame.proc, frame.block, frame.index) {
                None => {
                    may.extend(frame.locals.iter().copied());
                    must.extend(frame.locals.iter().copied());
                }
                Some(holding) => {
                    let live = self.live_locals(frames, level);
                    let values = |slots: &[u32]| slots.iter().map(|&slot| frame.locals[slot as usize]).collect::<Vec<_>>();
                    may.extend(values(&live).into_iter().chain(values(&holding.may)));
                    must.extend(values(&live).into_iter().chain(values(&holding.must)));
                }
            }
        }
    }

    fn lost_behind(&mut self, state: &State, roots: &[Val]) -> Step<Option<(ObjectKey, Rc<Evaluator>)>> {
        let reached = self.reachable(state, roots);
        if let Some(lost) = self.to_be_freed(state).into_iter().find(|key| !reached.contains(key)) {
            return Ok(Some((lost, state.path.model.clone())));
        }
        let Ok(reached) = self.reached_on(state, roots, &mut Reachability::new(state)) else {
            return Err(PathEnd::Cut(Cut::Bound("the conditions on which blocks are reachable at the end".to_string())));
        };
        // Blocks that hang on the same conditions are one question.
        let mut asked = FxSet::from_iter([self.store.bool(true)]);
        let condition = |key: &ObjectKey| reached.get(key).copied().unwrap_or_else(|| self.store.bool(false));
        let questions = self.to_be_freed(state).into_iter().map(|key| (key, condition(&key)));
        let questions: Vec<(ObjectKey, Term)> = questions.filter(|&(_, condition)| asked.insert(condition)).collect();
        self.first_that_fails(state, &questions)
    }

    /// The first object whose condition can be false, and a model in which it is.
    fn first_that_fails(&mut self, state: &State, questions: &[(ObjectKey, Term)]) -> Step<Option<(ObjectKey, Rc<Evaluator>)>> {
        let model = state.path.model.clone();
        if let Some((lost, _)) = questions.iter().find(|(_, condition)| model.holds(&self.store, *condition) == Some(false)) {
            return Ok(Some((*lost, model)));
        }
        for &(key, condition) in questions {
            let lost = self.store.not(condition);
            let budget = self.budget.clone();
            let Some(oracle) = self.oracle() else { return Ok(None) };
            match oracle.check(&state.path.constraints, lost, Some(&model), &budget) {
                Verdict::Sat(model) => return Ok(Some((key, model))),
                Verdict::Unsat => {}
                Verdict::Unknown(why) => return Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            }
        }
        Ok(None)
    }

    /// Blocks that the program has to free.
    fn to_be_freed(&self, state: &State) -> Vec<ObjectKey> {
        let objects = state.memory.sorted().into_iter();
        objects.filter(|(key, object)| self.is_to_be_freed(*key, object)).map(|(key, _)| key).collect()
    }

    /// Objects whose addresses these values mention.
    pub(crate) fn mentioned_objects(&mut self, values: &[Val]) -> Vec<ObjectKey> {
        let mut walk = Walk::default();
        values.iter().for_each(|&value| self.mentioned(value, &mut walk));
        walk.found
    }

    /// Objects whose addresses are in this one.
    pub(crate) fn objects_in(&mut self, object: &Object) -> Vec<ObjectKey> {
        let mut walk = Walk::default();
        self.pointers_in(object, &mut walk);
        walk.found
    }

    /// Whether the program has to free an object: one of the heap, and not the library's own.
    pub(crate) fn is_to_be_freed(&self, key: ObjectKey, object: &Object) -> bool {
        let name = || self.code.site_names.get(self.book.origin(key).site as usize);
        object.kind == ObjectKind::Heap && name().is_none_or(|name| name != LIBRARY_OBJECT)
    }

    /// Objects that can be reached from values and from objects that need no pointer, with either arm of choices.
    pub(crate) fn reachable(&mut self, state: &State, roots: &[Val]) -> FxSet<ObjectKey> {
        let mut walk = Walk::default();
        let mut reached: FxSet<ObjectKey> = FxSet::default();
        for &value in roots {
            self.mentioned(value, &mut walk);
        }
        let owned = state.memory.sorted().into_iter();
        let owned = owned.filter(|(_, o)| matches!(o.kind, ObjectKind::Global | ObjectKind::Stack)).map(|(key, _)| key);
        walk.found.extend(owned);
        while let Some(key) = walk.found.pop() {
            if reached.insert(key)
                && let Some(object) = state.memory.get(key)
            {
                self.pointers_in(object, &mut walk);
            }
        }
        reached
    }

    fn pointers_in(&mut self, object: &Object, walk: &mut Walk) {
        match object.chain.as_deref() {
            Some(Chain::Front(segment)) => walk.found.extend(segment.back.map(|(_, last)| last)),
            Some(Chain::End(front)) => walk.found.push(*front),
            None => {}
        }
        for (_, cell) in object.contents.cells() {
            self.mentioned(cell.value, walk);
        }
        for (_, word) in object.contents.concrete_words(self.book.pointer_bits() as u64 / 8) {
            walk.found.extend(self.object_at(word));
        }
        if let Base::Array { term, .. } = object.contents.base {
            self.mentioned(Val::Term(term), walk);
        }
    }
}
