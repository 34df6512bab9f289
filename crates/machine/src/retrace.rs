//! Running a stretch of a path again from *any* state like the one it started in: the places that the stretch reads hold
//! variables instead of values. What comes out says, over these variables, which conditions decided the way (guards)
//! and what every place holds at the end. Interpolation (TracerX, section 5) needs nothing else of a statement, so there
//! is no second meaning of statements for it: the machine runs them, forwards, and substitution does the rest.
//!
//! The run follows the first one by a log of the symbolic questions that the first one asked. A condition over the
//! variables is put back to the original values: if that is a constant, the first run took this side without asking,
//! otherwise it must be the next question of the log. Anything else ends the run without a result. A guard that `must`
//! hold is one whose other side was not followed; the other side of the rest was followed by a sibling, or ends in an
//! assumption that does not hold. Pointers that were known stay known, at the price of a guard that says so.
//!
//! Locals and global variables become variables at the start, cells of memory when they are first read (`generalise_cell`);
//! `touched` are the bytes that were read or written since, whose contents are up to date.

use crate::exec::machine::{Cut, Decision, Machine, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::LOWEST;
use crate::memory::objects::{Object, ObjectKind};
use fathom_base::FxMap;
use fathom_term::{Op, Sort, Substitution, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A place of a state that a variable can stand for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Of the frame at this height of the call stack, counted from its bottom.
    Local {
        level: u32,
        slot: u32,
    },
    Global(u32),
    Cell {
        object: ObjectKey,
        offset: u64,
        length: u64,
    },
}

/// A question that a run put to its solver, or its model, and the answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    Always(Term, bool),
    Both(Term, bool),
    Assumed { condition: Term, possible: bool },
}

/// A condition over slots (and inputs of the stretch) that decided the way.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    pub condition: Term,
    /// Nobody followed the other side.
    pub must: bool,
}

/// Bytes of an object: ascending ranges that don't touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    ranges: Vec<(u64, u64)>,
    pub all: bool,
}

impl Bytes {
    pub fn add(&mut self, offset: u64, length: u64) {
        if self.all || self.covers(offset, length) {
            return;
        }
        self.ranges.push((offset, offset + length));
        self.ranges.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::with_capacity(self.ranges.len());
        for &(start, end) in &self.ranges {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        self.ranges = merged;
    }

    pub fn covers(&self, offset: u64, length: u64) -> bool {
        self.all || self.ranges.iter().any(|&(start, end)| start <= offset && offset + length <= end)
    }

    pub fn meets(&self, offset: u64, length: u64) -> bool {
        self.all || self.ranges.iter().any(|&(start, end)| start < offset + length && offset < end)
    }

    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.ranges
    }
}

/// What a state that is run again has met so far.
#[derive(Clone, Debug, Default)]
pub struct Retraced {
    pub guards: Vec<Guard>,
    pub touched: BTreeMap<ObjectKey, Bytes>,
    pub written: BTreeMap<ObjectKey, Bytes>,
    /// Objects that had to be there, as they were at the start.
    pub objects: BTreeSet<ObjectKey>,
    /// Objects of the start whose contents were needed as a whole.
    pub whole: BTreeSet<ObjectKey>,
    /// Objects that the stretch made.
    pub fresh: BTreeSet<ObjectKey>,
}

/// A run along a log.
pub struct Retrace {
    log: Vec<Asked>,
    next: usize,
    /// From the variables of slots to what these held at the start.
    original: Substitution,
    values: BTreeMap<Slot, Val>,
    /// Guards of ways that ended in an assumption which can't hold.
    ends: Vec<Retraced>,
    /// Values that were plain bits stay what they were, and are recorded as guards: for long stretches.
    pinned: bool,
    start: Rc<State>,
}

/// The stretch, run again.
pub struct Rerunning {
    /// The state that went on, then its siblings, in the order of the first run.
    pub states: Vec<State>,
    pub ends: Vec<Retraced>,
    /// How the first of the states ended, if it did.
    pub end: Option<PathEnd>,
}

fn strayed(why: &str) -> PathEnd {
    PathEnd::Cut(Cut::Bound(format!("interpolation: {why}")))
}

impl Machine {
    /// From now on questions are kept.
    pub fn log_questions(&mut self) {
        self.asked = Some(Vec::new());
    }

    pub fn stop_logging(&mut self) {
        self.asked = None;
    }

    pub fn take_questions(&mut self) -> Vec<Asked> {
        self.asked.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(crate) fn note_question(&mut self, asked: Asked) {
        if let Some(log) = &mut self.asked {
            log.push(asked);
        }
    }

    /// The slot that a variable stands for; None for inputs.
    pub fn slot_of(&self, var: VarId) -> Option<Slot> {
        self.slots.get(&var).copied()
    }

    pub fn slot_variable(&mut self, slot: Slot, sort: Sort) -> Term {
        let tag = crate::exec::compute::sort_tag(&self.store, sort);
        let name = match slot {
            Slot::Local { level, slot } => format!("slot!l{level}.{slot}.{tag}"),
            Slot::Global(slot) => format!("slot!g{slot}.{tag}"),
            Slot::Cell { object, offset, length } => format!("slot!c{}.{offset}.{length}", object.0),
        };
        let term = self.store.var(&name, sort);
        if let Some(var) = self.store.as_var(term) {
            self.slots.insert(var, slot);
        }
        term
    }

    pub fn slot_sort(&self, state: &State, slot: Slot) -> Option<Sort> {
        match slot {
            Slot::Local { level, slot } => {
                let frame = state.frames.get(level as usize)?;
                self.code.procs[frame.proc as usize].local_sorts.get(slot as usize).copied()
            }
            Slot::Global(slot) => self.code.global_sorts.get(slot as usize).copied(),
            Slot::Cell { length, .. } => Some(Sort::Bv(length as u32 * 8)),
        }
    }

    /// What a slot holds in a state, an ordinary one or one that is being run again.
    pub fn slot_value(&mut self, state: &mut State, slot: Slot) -> Option<Val> {
        match slot {
            Slot::Local { level, slot } => state.frames.get(level as usize)?.locals.get(slot as usize).copied(),
            Slot::Global(slot) => state.globals.get(slot as usize).copied(),
            Slot::Cell { object, offset, length } => {
                let found = state.memory.get(object)?;
                match found.size {
                    Val::Bits(size) if offset + length <= size => {}
                    _ => return None,
                }
                Some(self.read_at(state, object, offset, length))
            }
        }
    }

    /// A value as a term over inputs, with addresses as numbers.
    pub fn grounded(&mut self, value: Val, sort: Sort) -> Term {
        let term = self.term_of(value, sort);
        self.book.ground(term)
    }

    /// Whether a value is an address, or computed from one in a way that has lost its object.
    pub fn mentions_address(&self, value: Val) -> bool {
        match value {
            Val::Bits(_) => false,
            Val::Pointer { object, offset } => {
                let address = self.book.base(object).wrapping_add(offset as u64);
                offset < 0 || self.book.object_at(address) != Some(object)
            }
            Val::Term(term) => self.has_address(term),
        }
    }

    pub(crate) fn is_retracing(&self) -> bool {
        self.retrace.is_some()
    }

    /// Runs the stretch that began in `start` and asked these questions. Until `end_retrace`, slots of the states that
    /// come out can be read as terms over the slots of the start.
    pub fn begin_retrace(&mut self, start: &Rc<State>, log: Vec<Asked>, pinned: bool, fuel: u64) -> Option<Rerunning> {
        if start.threads.is_some() || start.abstraction.is_some() {
            return None;
        }
        let mut state = (**start).clone();
        state.retraced = Some(Box::default());
        let retrace = Retrace {
            log,
            next: 0,
            original: Substitution::default(),
            values: BTreeMap::new(),
            ends: Vec::new(),
            pinned,
            start: start.clone(),
        };
        self.retrace = Some(Box::new(retrace));
        self.generalise_variables(&mut state);
        let statistics = self.statistics.clone();
        let (forked, cuts) = (std::mem::take(&mut self.forked), std::mem::take(&mut self.cuts));
        let (violations, failures) = (self.violations.len(), self.failures.len());
        let log = self.asked.take();
        let advance = self.advance(&mut state, fuel);
        self.asked = log;
        self.statistics = statistics;
        self.violations.truncate(violations);
        self.failures.truncate(failures);
        let siblings = std::mem::replace(&mut self.forked, forked);
        let cuts = std::mem::replace(&mut self.cuts, cuts);
        let end = match advance {
            crate::exec::machine::Advance::Ended(end @ (PathEnd::Finished | PathEnd::Discarded)) => Some(end),
            crate::exec::machine::Advance::Ended(_) | crate::exec::machine::Advance::Running | crate::exec::machine::Advance::AtBound => {
                return None;
            }
            _ => None,
        };
        let retrace = self.retrace.as_mut()?;
        if retrace.next != retrace.log.len() || !cuts.is_empty() {
            return None;
        }
        let ends = std::mem::take(&mut retrace.ends);
        Some(Rerunning { states: std::iter::once(state).chain(siblings).collect(), ends, end })
    }

    pub fn end_retrace(&mut self) -> Option<Box<Retrace>> {
        self.retrace.take()
    }

    /// Takes up a run again, so that slots of its states can be read.
    pub fn resume_retrace(&mut self, retrace: Box<Retrace>) {
        self.retrace = Some(retrace);
    }

    /// Where a state is in the source.
    pub fn place_of(&self, state: &State) -> fathom_base::Loc {
        self.location(state)
    }

    /// Whether the state stands at the head of a loop.
    pub fn is_at_loop_head(&self, state: &State) -> bool {
        let frame = state.frame();
        frame.index == 0 && self.code.procs[frame.proc as usize].blocks[frame.block as usize].is_loop_head
    }

    /// What a slot of the start held there.
    pub fn original_value(&self, slot: Slot) -> Option<Val> {
        self.retrace.as_ref()?.values.get(&slot).copied()
    }

    /// A term over slots with the values that these had at the start, over inputs.
    pub fn originally(&mut self, term: Term) -> Term {
        let store = self.store.clone();
        let Some(retrace) = &mut self.retrace else { return term };
        let term = retrace.original.apply(&store, term);
        self.book.ground(term)
    }

    fn generalise_variables(&mut self, state: &mut State) {
        for level in 0..state.frames.len() {
            let live = self.live_locals(&state.frames, level);
            let mut locals = (*state.frames[level].locals).clone();
            for slot in live {
                let place = Slot::Local { level: level as u32, slot };
                let sort = self.code.procs[state.frames[level].proc as usize].local_sorts[slot as usize];
                locals[slot as usize] = self.generalised(state, place, sort, locals[slot as usize]);
            }
            state.frames[level].locals = Rc::new(locals);
        }
        let mut globals = (*state.globals).clone();
        for (slot, value) in globals.iter_mut().enumerate() {
            let sort = self.code.global_sorts[slot];
            *value = self.generalised(state, Slot::Global(slot as u32), sort, *value);
        }
        state.globals = Rc::new(globals);
    }

    /// The variable of a slot, which now stands for this value.
    fn generalised(&mut self, state: &mut State, slot: Slot, sort: Sort, value: Val) -> Val {
        let variable = self.slot_variable(slot, sort);
        let original = self.term_of(value, sort);
        let Some(retrace) = &mut self.retrace else { return value };
        if let Some(var) = self.store.as_var(variable) {
            retrace.original.extend(var, original);
        }
        retrace.values.insert(slot, value);
        if retrace.pinned && matches!(value, Val::Bits(_) | Val::Pointer { .. }) {
            let fixed = self.book.ground(original);
            let same = self.store.eq(variable, fixed);
            note_guard(state, Guard { condition: same, must: true });
            return value;
        }
        Val::Term(variable)
    }

    /// Bytes of the start that are read for the first time become variables.
    pub(crate) fn generalise_cell(&mut self, state: &mut State, object: ObjectKey, offset: u64, length: u64) {
        let Some(retraced) = &mut state.retraced else { return };
        let touched = retraced.touched.entry(object).or_default();
        // What can't be written is the same in every state.
        touched.all |= state.memory.get(object).is_some_and(|found| found.read_only && found.contents.is_untouched());
        if length > crate::memory::contents::WORD || touched.covers(offset, length) {
            return;
        }
        if touched.meets(offset, length) {
            // Partly known: byte by byte.
            (offset..offset + length).for_each(|at| self.generalise_cell(state, object, at, 1));
            return;
        }
        touched.add(offset, length);
        retraced.objects.insert(object);
        // Reading gives arbitrary bytes their symbols, as it did in the first run.
        let value = self.read_at(state, object, offset, length);
        let sort = Sort::Bv(length as u32 * 8);
        let variable = self.generalised(state, Slot::Cell { object, offset, length }, sort, value);
        if variable != value
            && let Some(target) = state.memory.get_mut(object)
        {
            crate::memory::access::write_value(&self.store, &self.book, &mut target.contents, offset, length, variable);
        }
    }

    /// Someone is about to look at an object, or to write to it.
    pub(crate) fn looked_at(&mut self, state: &mut State, object: ObjectKey) {
        if let Some(retraced) = &mut state.retraced
            && !retraced.fresh.contains(&object)
        {
            retraced.objects.insert(object);
        }
    }

    pub(crate) fn note_touched(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: u64) {
        let Val::Bits(offset) = offset else { return };
        if let Some(retraced) = &mut state.retraced {
            retraced.touched.entry(object).or_default().add(offset, length);
            retraced.written.entry(object).or_default().add(offset, length);
        }
    }

    /// Any byte of the object may have been written.
    pub(crate) fn note_scattered(&mut self, state: &mut State, object: ObjectKey) {
        if let Some(retraced) = &mut state.retraced {
            retraced.written.entry(object).or_default().all = true;
        }
    }

    /// The object is new, or all of it was overwritten.
    pub(crate) fn note_overwritten(&mut self, state: &mut State, object: ObjectKey, is_fresh: bool) {
        if let Some(retraced) = &mut state.retraced {
            retraced.touched.entry(object).or_default().all = true;
            retraced.written.entry(object).or_default().all = true;
            if is_fresh {
                retraced.fresh.insert(object);
            }
        }
    }

    /// All of the object is needed, where an offset is symbolic: bytes that were not read yet keep their values.
    pub(crate) fn needs_whole(&mut self, state: &mut State, object: ObjectKey) {
        let Some(retraced) = &mut state.retraced else { return };
        let touched = retraced.touched.entry(object).or_default();
        touched.all |= state.memory.get(object).is_some_and(|found| found.read_only && found.contents.is_untouched());
        if !touched.all {
            touched.all = true;
            retraced.whole.insert(object);
            retraced.objects.insert(object);
        }
    }

    /// A pointer whose object was known in the first run is known again: what it rests on becomes a guard.
    pub(crate) fn retraced_pointer(&mut self, state: &mut State, pointer: Val) -> Step<Val> {
        let Val::Term(term) = pointer else { return Ok(pointer) };
        let pointer = self.retraced_value(state, pointer, Sort::Bv(self.book.pointer_bits()));
        if !matches!(pointer, Val::Term(_)) {
            return Ok(pointer);
        }
        // The offset was symbolic; variables that hold addresses are fixed, the rest stays.
        let mut fixed = Vec::new();
        let mut open = vec![term];
        while let Some(part) = open.pop() {
            if self.store.op(part) == Op::BvAdd {
                open.extend(self.store.args(part));
            } else if let Some(var) = self.store.as_var(part)
                && let Some(value @ Val::Pointer { .. }) = self.slot_of(var).and_then(|slot| self.original_value(slot))
            {
                fixed.push((var, part, value));
            }
        }
        let sort = Sort::Bv(self.book.pointer_bits());
        let mut images = Vec::new();
        for (var, part, value) in fixed {
            let number = self.grounded(value, sort);
            note_guard(state, Guard { condition: self.store.eq(part, number), must: true });
            images.push((var, self.term_of(value, sort)));
        }
        let term = Substitution::new(images).apply(&self.store, term);
        let value = self.value_of(term);
        if self.mentions_object(value) { Ok(value) } else { Err(strayed("a pointer without an object")) }
    }

    fn mentions_object(&self, value: Val) -> bool {
        match value {
            Val::Term(term) => self.has_address(term),
            _ => true,
        }
    }

    /// A number that was known in the first run is known again.
    pub(crate) fn retraced_value(&mut self, state: &mut State, value: Val, sort: Sort) -> Val {
        let Val::Term(term) = value else { return value };
        let store = self.store.clone();
        let Some(retrace) = &mut self.retrace else { return value };
        let original = retrace.original.apply(&store, term);
        let original = self.value_of(original);
        if matches!(original, Val::Term(_)) {
            return value;
        }
        let here = self.book.ground(term);
        // Values of several variables are told apart more easily than what was computed from them.
        let vars = state.constraints.sets().vars(&self.store, here);
        let values: Option<Vec<(VarId, Val)>> = match vars.len() {
            0 | 1 => None,
            _ => vars.into_iter().map(|var| Some((var, self.slot_of(var).and_then(|slot| self.original_value(slot))?))).collect(),
        };
        let known = values.filter(|values| !values.iter().any(|(_, value)| matches!(value, Val::Term(_))));
        let terms = match known {
            Some(values) => values.into_iter().map(|(var, value)| (self.store.var_term(var), value, self.store.var_sort(var))).collect(),
            None => vec![(here, original, sort)],
        };
        for (term, value, sort) in terms {
            let there = self.grounded(value, sort);
            note_guard(state, Guard { condition: self.store.eq(term, there), must: true });
        }
        original
    }

    /// The next question of the log, if it is about this condition.
    fn next_asked(&mut self, condition: Term) -> Option<Asked> {
        let retrace = self.retrace.as_mut()?;
        let asked = *retrace.log.get(retrace.next)?;
        let (Asked::Always(about, _) | Asked::Both(about, _) | Asked::Assumed { condition: about, .. }) = asked;
        if about != condition {
            return None;
        }
        retrace.next += 1;
        Some(asked)
    }

    pub(crate) fn retraced_decision(&mut self, state: &mut State, condition: Term) -> Step<Decision> {
        if self.store.const_bool(condition).is_some() {
            return Ok(Decision::Always(self.store.const_bool(condition) == Some(true)));
        }
        let original = self.originally(condition);
        self.fix_addresses(state, condition)?;
        let known = match self.store.const_bool(original) {
            Some(known) => known,
            None => match self.next_asked(original) {
                Some(Asked::Always(_, known)) => known,
                Some(Asked::Both(_, now)) => return Ok(Decision::Both { now, other: Some(state.model.clone()) }),
                _ => return Err(strayed("another question than before")),
            },
        };
        let condition = if known { condition } else { self.store.not(condition) };
        note_guard(state, Guard { condition, must: true });
        Ok(Decision::Always(known))
    }

    /// Pointers are told apart by number in interpolants, which have an order and bits that no layout needs to have. So a
    /// condition on addresses is kept for the addresses of this run only, unless it asks for null.
    fn fix_addresses(&mut self, state: &mut State, condition: Term) -> Step<()> {
        let store = self.store.clone();
        let mut open = vec![condition];
        while let Some(term) = open.pop() {
            let args = store.args(term);
            let is_number = |arg: &Term| store.const_bits(*arg).is_some_and(|bits| bits < LOWEST);
            match store.op(term) {
                Op::And | Op::Or | Op::Not | Op::Xor => open.extend(args),
                Op::Eq if args.iter().any(is_number) && args.iter().any(|&arg| store.as_var(arg).is_some()) => {}
                _ => {
                    for var in state.constraints.sets().vars(&store, term) {
                        let Some(slot) = self.slot_of(var) else { continue };
                        match self.original_value(slot) {
                            Some(value @ Val::Pointer { object, .. }) => {
                                let number = self.grounded(value, store.var_sort(var));
                                self.looked_at(state, object);
                                note_guard(state, Guard { condition: store.eq(store.var_term(var), number), must: true });
                            }
                            Some(Val::Term(value)) if self.has_address(value) => return Err(strayed("a condition on addresses")),
                            _ => {}
                        }
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn retraced_assumption(&mut self, state: &mut State, condition: Term) -> Step<()> {
        let original = self.originally(condition);
        self.fix_addresses(state, condition)?;
        let possible = match self.store.const_bool(original) {
            Some(known) => known,
            None => match self.next_asked(original) {
                Some(Asked::Assumed { possible, .. }) => possible,
                _ => return Err(strayed("another assumption than before")),
            },
        };
        if possible {
            note_guard(state, Guard { condition, must: false });
            return Ok(());
        }
        if let (Some(retraced), Some(retrace)) = (&state.retraced, &mut self.retrace) {
            let mut end = (**retraced).clone();
            end.guards.push(Guard { condition: self.store.not(condition), must: true });
            retrace.ends.push(end);
        }
        Err(PathEnd::Discarded)
    }

    /// A property that held, or a path that did not go on.
    pub(crate) fn retraced_requirement(&mut self, state: &mut State, condition: Term) -> Step<()> {
        if self.is_target(condition) {
            return Err(PathEnd::Finished);
        }
        match self.retraced_decision(state, condition)? {
            Decision::Always(true) => Ok(()),
            _ => Err(strayed("a violation")),
        }
    }

    /// The contents of an object at the start, if they are plain bytes.
    pub fn plain_start(&self, object: ObjectKey) -> Option<Rc<Object>> {
        let found = self.retrace.as_ref()?.start.memory.get(object)?;
        found.contents.is_untouched().then(|| found.clone())
    }

    /// An object of the start, as far as others must have the same: its size (if that is a number), kind and protection.
    pub fn start_object(&self, object: ObjectKey) -> Option<(u64, ObjectKind, bool)> {
        describe(self.retrace.as_ref()?.start.memory.get(object)?)
    }
}

/// What two objects must agree in, beside their contents; None if the size is symbolic.
pub fn describe(object: &Object) -> Option<(u64, ObjectKind, bool)> {
    match object.size {
        Val::Bits(size) => Some((size, object.kind, object.read_only)),
        _ => None,
    }
}

pub(crate) fn note_guard(state: &mut State, guard: Guard) {
    if let Some(retraced) = &mut state.retraced
        && !retraced.guards.iter().rev().take(16).any(|known| *known == guard)
    {
        retraced.guards.push(guard);
    }
}

/// Slots by their variables.
pub(crate) type Slots = FxMap<VarId, Slot>;
