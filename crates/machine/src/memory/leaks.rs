//! valid-memtrack: wherever the program ends, every heap object that was not freed must still be reachable from globals
//! or, if it did not end by returning from main, from variables of active calls (`holders` finds their locals). In a
//! loop that is never left, this is checked in each iteration. Pointers that were converted and computed with still
//! count, so a leak is only reported if no stored value mentions the object's address at all.
//!
//! A value may be a choice (`ite`) between pointers, especially in joined states, and a pointer in an array counts only
//! if it was not overwritten (`mentions.rs`). Two checks decide most cases without a query: an object that no arm of
//! any choice mentions is certainly lost; if all objects are reached without passing a choice, none is. Otherwise the
//! models of the state are enumerated: each takes one arm of every choice that it meets, and the next one must take
//! another arm somewhere, until a model loses an object or no model is left. That covers every model, since
//! reachability depends only on the arms.

use crate::exec::machine::{Cut, Machine, PathEnd, Step};
use crate::exec::state::{Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::lists::chains::Chain;
use crate::memory::contents::Base;
use crate::memory::mentions::{Arms, Array, Walk};
use crate::memory::objects::{Object, ObjectKind};
use fathom_base::FxSet;
use fathom_ir::{LIBRARY_OBJECT, Property};
use fathom_smt::Verdict;
use fathom_term::Evaluator;
use std::rc::Rc;

/// Combinations of arms that are looked at before the path is given up.
const MAX_COMBINATIONS: usize = 1_000;

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
        if let Some(lost) = self.unreached(state, roots, &mut Walk::new(Arms::Both)) {
            return Ok(Some((lost, state.path.model.clone())));
        }
        if self.unreached(state, roots, &mut Walk::new(Arms::Neither)).is_none() {
            return Ok(None);
        }
        let mut left = state.path.constraints.clone();
        let mut model = state.path.model.clone();
        for _ in 0..MAX_COMBINATIONS {
            let mut walk = Walk::new(Arms::Of(model.clone()));
            let lost = self.unreached(state, roots, &mut walk);
            if walk.gave_up {
                return Err(PathEnd::Cut(Cut::Bound("which elements of an array still hold their pointers".to_string())));
            }
            if let Some(lost) = lost {
                return Ok(Some((lost, model)));
            }
            let combination = self.store.and_all(walk.decided);
            let other = self.store.not(combination);
            let budget = self.budget.clone();
            let Some(oracle) = self.oracle() else { return Ok(None) };
            match oracle.check(&left, other, Some(&model), &budget) {
                Verdict::Sat(next) => model = next,
                Verdict::Unsat => return Ok(None),
                Verdict::Unknown(why) => return Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            }
            left.push(&self.store, other);
        }
        Err(PathEnd::Cut(Cut::Bound(format!("{MAX_COMBINATIONS} ways in which memory may be reachable at the end"))))
    }

    /// Objects that can be reached from values and from objects that need no pointer, with either arm of choices.
    pub(crate) fn reachable(&mut self, state: &State, roots: Vec<Val>) -> FxSet<ObjectKey> {
        self.reached(state, roots, &mut Walk::new(Arms::Both))
    }

    /// Objects whose addresses these values mention.
    pub(crate) fn mentioned_objects(&mut self, values: &[Val]) -> Vec<ObjectKey> {
        let mut walk = Walk::new(Arms::Both);
        values.iter().for_each(|&value| self.mentioned(value, &mut walk));
        walk.found
    }

    /// Objects whose addresses are in this one.
    pub(crate) fn objects_in(&mut self, object: &Object) -> Vec<ObjectKey> {
        let mut walk = Walk::new(Arms::Both);
        self.pointers_in(object, &mut walk);
        walk.found
    }

    fn unreached(&mut self, state: &State, roots: &[Val], walk: &mut Walk) -> Option<ObjectKey> {
        let reached = self.reached(state, roots.to_vec(), walk);
        let mut objects = state.memory.sorted().into_iter();
        objects.find(|(key, object)| self.is_to_be_freed(*key, object) && !reached.contains(key)).map(|(key, _)| key)
    }

    /// Whether the program has to free an object: one of the heap, and not the library's own.
    pub(crate) fn is_to_be_freed(&self, key: ObjectKey, object: &Object) -> bool {
        let name = || self.code.site_names.get(self.book.origin(key).site as usize);
        object.kind == ObjectKind::Heap && name().is_none_or(|name| name != LIBRARY_OBJECT)
    }

    fn reached(&mut self, state: &State, roots: Vec<Val>, walk: &mut Walk) -> FxSet<ObjectKey> {
        let mut reached: FxSet<ObjectKey> = FxSet::default();
        for value in roots {
            self.mentioned(value, walk);
        }
        let owned = state.memory.sorted().into_iter();
        let owned = owned.filter(|(_, o)| matches!(o.kind, ObjectKind::Global | ObjectKind::Stack)).map(|(key, _)| key);
        walk.found.extend(owned);
        while let Some(key) = walk.found.pop() {
            if reached.insert(key)
                && let Some(object) = state.memory.get(key)
            {
                self.pointers_in(object, walk);
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
        if let Base::Array { term, element } = object.contents.base {
            let count = if let Val::Bits(size) = object.size { Some(size / element) } else { None };
            let known = object.contents.known_elements(element);
            self.mentioned_in_array(Array { term, known: &known, count }, walk);
        }
    }
}
