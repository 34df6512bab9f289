//! Data races: two threads access the same byte, at least one writes it (or frees it), at least one not atomically, and
//! nothing orders the two accesses. A race is detected when both accesses are the next actions of their threads: a
//! thread that is about to make a visible access stops, *poised*, and every access of another thread is compared with
//! it. docs/threads.md explains why this finds a race in every program that has one: if something orders two accesses
//! only in some interleavings (a lock that either thread may get first), there is another interleaving in which both
//! are next.
//!
//! This needs no history of accesses, so states are compared as usual, except that the set of poised threads must agree
//! as well.
//!
//! In a replay the schedule ends with the switch from the one thread, about to access, to the other, whose next access must meet
//! it.

use crate::exec::code::{Action, Expr};
use crate::exec::machine::{Decision, Machine, Mode, PathEnd, Step};
use crate::exec::state::{Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::memory::resolve::Located;
use crate::replay::scene::{PointerTo, Race, RaceAccess};
use crate::replay::trace::{Switch, TraceStep, Violation};
use crate::threads::schedule::{Sight, is_event};
use crate::threads::table::Phase;
use fathom_base::Loc;
use fathom_ir::{LIBRARY_OBJECT, PLAIN_PREFIX, Property, UNPROTECTED};
use fathom_term::{Evaluator, Sort, Term, sign_extend};
use smallvec::SmallVec;
use std::rc::Rc;

/// The kinds of accesses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The bytes stay as they are.
    Read,
    /// The bytes may change.
    Write,
    /// The whole object ends.
    Free,
}

/// Bytes of an object that an access is about.
#[derive(Copy, Clone)]
struct Reach {
    object: ObjectKey,
    offset: Val,
    length: Val,
    deed: Deed,
}

type Reaches = SmallVec<[Reach; 2]>;

/// A thread is about to access memory that others can reach.
#[derive(Clone)]
pub(crate) struct Poised {
    place: (usize, u32, u32, u32),
    reaches: Reaches,
    /// In an atomic section.
    atomic: bool,
    /// Of a copy, the bytes that are done.
    bytes_done: u32,
    loc: Loc,
    stack: Vec<String>,
}

/// In a replay: the access that the first of two threads was about to make.
pub(crate) struct Awaited {
    poised: Rc<Poised>,
    thread: u32,
    start: String,
    places: Vec<Loc>,
}

impl Machine {
    pub(crate) fn looks_for_races(&self) -> bool {
        self.checks.contains(&Property::NoDataRace)
    }

    /// Before an access that others see: whether the thread may go on. One that has just come to an access which is not atomic stops
    /// first, so that the accesses of others are compared with it.
    pub(crate) fn poise(&mut self, state: &mut State, action: &Action, sight: Sight) -> Step<bool> {
        if !matches!(sight, Sight::Reads | Sight::Changes) || !self.looks_for_races() || matches!(self.mode, Mode::Replay { .. }) {
            return Ok(true);
        }
        let place = self.place_of_statement(state);
        let Some(threads) = &state.threads else { return Ok(true) };
        if !threads.is_interruptible() || threads.current().poised.as_ref().is_some_and(|poised| poised.place == place) {
            return Ok(true);
        }
        let reaches = self.reaches(state, action)?;
        if reaches.is_empty() {
            return Ok(true);
        }
        let poised = self.poised(state, reaches);
        let Some(threads) = &mut state.threads else { return Ok(true) };
        // An atomic access need not stop: where the other one is not atomic, its thread does.
        let stops = threads.phase == Phase::Chosen && !poised.atomic;
        threads.current_mut().poised = Some(Rc::new(poised));
        if stops {
            self.wait_for_choice(state);
        }
        Ok(!stops)
    }

    fn place_of_statement(&self, state: &State) -> (usize, u32, u32, u32) {
        let frame = state.frame();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        (state.frames.len(), frame.proc, frame.block, block.starts[frame.index as usize])
    }

    fn poised(&self, state: &State, reaches: Reaches) -> Poised {
        let procedure = |frame: &Frame| self.code.procs[frame.proc as usize].name.clone();
        let sections = state.threads.as_ref().map_or(0, |threads| threads.current().sections);
        let is_plain = self.code.procs[state.frame().proc as usize].name.starts_with(PLAIN_PREFIX);
        Poised {
            place: self.place_of_statement(state),
            reaches,
            atomic: sections > 0 && !is_plain,
            bytes_done: state.frame().bytes_done,
            loc: self.location(state),
            stack: state.frames.iter().map(procedure).collect(),
        }
    }

    /// What the running thread is about to access, to be compared with the others after it has, when its access is known to be valid.
    pub(crate) fn own_access(&mut self, state: &mut State, action: &Action, sight: Sight) -> Step<Option<Rc<Poised>>> {
        let is_seen = matches!(sight, Sight::Reads | Sight::Changes) && self.looks_for_races();
        if !is_seen || matches!(self.mode, Mode::Replay { .. }) {
            return Ok(None);
        }
        let place = self.place_of_statement(state);
        let Some(threads) = &state.threads else { return Ok(None) };
        if threads.all.iter().all(|thread| thread.poised.is_none()) {
            return Ok(None);
        }
        if let Some(poised) = threads.current().poised.as_ref().filter(|poised| poised.place == place) {
            let bytes_done = state.frame().bytes_done;
            return Ok(Some(if poised.bytes_done == bytes_done {
                poised.clone()
            } else {
                Rc::new(Poised { bytes_done, ..Poised::clone(poised) })
            }));
        }
        let reaches = self.reaches(state, action)?;
        Ok((!reaches.is_empty()).then(|| Rc::new(self.poised(state, reaches))))
    }

    /// The running thread has made an access: others that were about to make one that conflicts race with it.
    pub(crate) fn compare_with_poised(&mut self, state: &mut State, own: &Poised) -> Step<()> {
        let Some(threads) = &state.threads else { return Ok(()) };
        let others: Vec<(u32, Rc<Poised>)> = (0..)
            .zip(&threads.all)
            .filter(|(number, thread)| *number != threads.running && !thread.ended)
            .filter_map(|(number, thread)| Some((number, thread.poised.clone()?)))
            .collect();
        for (number, other) in others {
            let Some((object, meet)) = self.conflict(state, own, &other)? else { continue };
            self.verify(state)?;
            let model = match self.decide(state, meet)? {
                Decision::Always(false) => continue,
                Decision::Always(true) => Some(state.path.model.clone()),
                Decision::Both { now: true, .. } => Some(state.path.model.clone()),
                Decision::Both { other, .. } => other,
            };
            let message = self.race_message(object);
            if let Some(model) = self.model_of_violation(state, meet, model.filter(|_| state.is_certain()), &message) {
                self.report_race(state, &model, own, (number, &other), message);
            }
        }
        Ok(())
    }

    fn race_message(&self, object: ObjectKey) -> String {
        format!("data race on {}", self.object_name(object))
    }

    fn report_race(&mut self, state: &State, model: &Evaluator, own: &Poised, (other, poised): (u32, &Poised), message: String) {
        let violation = Violation { property: Property::NoDataRace, message, loc: poised.loc, stack: poised.stack.clone() };
        let mut trace = self.trace_of(state, model, violation);
        let event = state.threads.as_ref().map_or(0, |threads| threads.events);
        trace.schedule.push(Switch { event, bytes: own.bytes_done, thread: other, store: None });
        self.found.violations.push(trace);
    }

    /// The first two accesses of these that may conflict: the object, and the condition that they share a byte.
    fn conflict(&mut self, state: &mut State, one: &Poised, two: &Poised) -> Step<Option<(ObjectKey, Term)>> {
        if one.atomic && two.atomic {
            return Ok(None);
        }
        for left in &one.reaches {
            for right in &two.reaches {
                let only_read = left.deed == Deed::Read && right.deed == Deed::Read;
                if only_read || left.object != right.object || self.is_of_library(left.object) {
                    continue;
                }
                let meet = self.overlap(left, right);
                let meet = self.placed(state, meet)?;
                if self.store.const_bool(meet) != Some(false) {
                    return Ok(Some((left.object, meet)));
                }
            }
        }
        Ok(None)
    }

    /// Whether two ranges of one object have a byte in common: the second begins less than its length before the first, or less
    /// than the first's length behind it.
    fn overlap(&mut self, left: &Reach, right: &Reach) -> Term {
        if left.deed == Deed::Free || right.deed == Deed::Free {
            return self.store.bool(true);
        }
        let width = self.book.pointer_bits();
        let [left_at, left_length, right_at, right_length] =
            [left.offset, left.length, right.offset, right.length].map(|value| self.term_of(value, Sort::Bv(width)));
        let store = self.store.clone();
        let (zero, one) = (store.bv(0, width), store.bv(1, width));
        let ahead = store.bv_add(store.bv_sub(right_at, left_at), store.bv_sub(right_length, one));
        let room = store.bv_sub(store.bv_add(left_length, right_length), one);
        let not_empty = store.and(store.ne(left_length, zero), store.ne(right_length, zero));
        store.and(not_empty, store.bv_ult(ahead, room))
    }

    /// What the C library keeps for itself it protects itself, but for what it is known not to.
    pub(crate) fn is_of_library(&self, object: ObjectKey) -> bool {
        let site = self.book.origin(object).site as usize;
        let of_program = self.program.objects.get(site).filter(|_| self.program_object(object).is_some());
        let is_protected = |name: &str| !name.contains(UNPROTECTED);
        let is_own = of_program.is_some_and(|found| self.program.files.is_of_library(found.loc) && is_protected(&found.name));
        is_own || self.code.site_names.get(site).is_some_and(|name| name == LIBRARY_OBJECT)
    }

    /// The bytes that an action accesses. A pointer that may lead to several objects splits the state, as the access itself would; one
    /// that leads nowhere has none, and the access will fail.
    fn reaches(&mut self, state: &mut State, action: &Action) -> Step<Reaches> {
        let mut found = Reaches::new();
        for Access { pointer, length, bytes, deed } in accesses_of(action) {
            let length = length.map_or(Val::Bits(bytes), |length| self.expr_value(state, length));
            let is_empty_range = length == Val::Bits(0) && matches!(action, Action::Copy { .. } | Action::Set { .. });
            let pointer = self.expr_value(state, pointer);
            if is_empty_range || pointer == Val::Bits(0) {
                continue;
            }
            let Some((object, offset)) = self.place_of_access(state, pointer, action)? else { continue };
            // The whole object.
            let size = || state.memory.get(object).map_or(Val::Bits(0), |found| found.size);
            let reach = match length {
                Val::Bits(0) => Reach { object, offset: Val::Bits(0), length: size(), deed },
                _ => Reach { object, offset, length, deed },
            };
            found.push(reach);
        }
        Ok(found)
    }

    fn place_of_access(&mut self, state: &mut State, pointer: Val, action: &Action) -> Step<Option<(ObjectKey, Val)>> {
        if let Action::Forget { .. } = action {
            return Ok(self.known_object(state, pointer)?.map(|object| (object, Val::Bits(0))));
        }
        let broken = if matches!(action, Action::Free { .. }) { Property::ValidFree } else { Property::ValidDeref };
        let mut pointer = pointer;
        loop {
            if let (Val::Term(term), Action::Free { .. }) = (pointer, action) {
                let zero = self.store.bv(0, self.book.pointer_bits());
                let is_null = self.placed(state, self.store.eq(term, zero))?;
                if self.split(state, is_null)? {
                    return Ok(None);
                }
            }
            match self.locate(state, pointer, broken)? {
                Located::At { object, offset } => return Ok(Some((object, offset))),
                Located::Again(other) => pointer = other,
                Located::Nowhere => return Ok(None),
            }
        }
    }

    /// A thread that is started in an atomic section of the program's runs behind its end only, but nothing orders the rest of the
    /// section before what the new thread does: such a race is not found, so nothing is proved. (One section is `pthread_create`'s.)
    pub(crate) fn refuse_start_in_section(&mut self, state: &State) {
        let sections = state.threads.as_ref().map_or(0, |threads| threads.current().sections);
        if sections > 1
            && self.looks_for_races()
            && let PathEnd::Cut(cut) = self.unsupported(state, "a start of a thread in an atomic section, where races are looked for")
            && !self.found.cuts.contains(&cut)
        {
            self.found.cuts.push(cut);
        }
    }

    // ---- replays

    /// In the replay of a race: leaves the first thread where it is about to make its access, and ends where the second makes its
    /// own. Whether another thread runs now.
    pub(crate) fn meet_again(&mut self, state: &mut State, action: &Action) -> Step<bool> {
        let Mode::Replay { schedule, .. } = &self.mode else { return Ok(false) };
        let (Some(meeting), Some(threads)) = (self.replay.race, &state.threads) else { return Ok(false) };
        if !schedule.is_empty() || !is_event(action) {
            return Ok(false);
        }
        if let Some(first) = self.replay.awaited.take() {
            return Err(self.met(state, action, first));
        }
        let is_there = (threads.events, state.frame().bytes_done) == (meeting.event, meeting.bytes);
        let other = threads.all.get(meeting.thread as usize);
        if !is_there || threads.running == meeting.thread || other.is_none_or(|other| other.ended) {
            return Ok(false);
        }
        let reaches = self.reaches(state, action)?;
        let thread = state.running_thread();
        self.replay.awaited =
            Some(Awaited { poised: Rc::new(self.poised(state, reaches)), thread, start: self.start_of(state), places: self.places(state) });
        self.back_to_statement(state);
        state.run_thread(meeting.thread);
        let (procedure, loc) = (self.start_of(state), self.location(state));
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Switch { thread: meeting.thread + 1, procedure, loc });
        }
        Ok(true)
    }

    fn start_of(&self, state: &State) -> String {
        state.frames.first().map_or(String::new(), |frame| self.code.procs[frame.proc as usize].name.clone())
    }

    /// The second thread's access against that of the first.
    fn met(&mut self, state: &mut State, action: &Action, first: Awaited) -> PathEnd {
        let reaches = match self.reaches(state, action) {
            Ok(reaches) => reaches,
            Err(end) => return end,
        };
        let second = self.poised(state, reaches);
        let meet = match self.conflict(state, &second, &first.poised) {
            Ok(meet) => meet,
            Err(end) => return end,
        };
        let Some((object, _)) = meet.filter(|(_, meet)| self.store.const_bool(*meet) == Some(true)) else {
            return self.unsupported(state, "a schedule after which no accesses meet");
        };
        let second =
            Awaited { poised: Rc::new(second), thread: state.running_thread(), start: self.start_of(state), places: self.places(state) };
        self.note_race(object, &second, &first);
        let message = self.race_message(object);
        let model = state.path.model.clone();
        self.report(state, &model, Property::NoDataRace, &message);
        PathEnd::Violated
    }

    fn note_race(&mut self, object: ObjectKey, one: &Awaited, two: &Awaited) {
        let width = self.book.pointer_bits();
        let access = |of: &Awaited, other: &Awaited| {
            let others: Vec<Reach> = other.poised.reaches.iter().filter(|reach| reach.object == object).copied().collect();
            let own = of.poised.reaches.iter().filter(|reach| reach.object == object);
            // Of a copy inside one object, the side that conflicts.
            let conflicts = |reach: &&Reach| others.iter().any(|other| other.deed != Deed::Read || reach.deed != Deed::Read);
            let reach = own.clone().find(conflicts).or(own.clone().next())?;
            let number = |value: Val| if let Val::Bits(bits) = value { bits } else { 0 };
            let place = PointerTo { object, offset: sign_extend(number(reach.offset), width) };
            let (atomic, places, start) = (of.poised.atomic, of.places.clone(), of.start.clone());
            Some(RaceAccess { thread: of.thread + 1, start, places, deed: reach.deed, atomic, place, length: number(reach.length) })
        };
        if let (Some(one), Some(two)) = (access(one, two), access(two, one)) {
            self.note_scene_race(Race { accesses: [one, two] });
        }
    }
}

/// What an action accesses: the pointer, the length as an expression or a number (0: the whole object), and what it does.
struct Access<'a> {
    pointer: &'a Expr,
    length: Option<&'a Expr>,
    bytes: u64,
    deed: Deed,
}

fn accesses_of(action: &Action) -> SmallVec<[Access<'_>; 2]> {
    let fixed = |pointer, bytes, deed| Access { pointer, length: None, bytes, deed };
    let ranged = |pointer, length, deed| Access { pointer, length: Some(length), bytes: 0, deed };
    let mut found = SmallVec::new();
    match action {
        Action::Load { pointer, bytes, .. } => found.push(fixed(pointer, *bytes, Deed::Read)),
        Action::Store { pointer, value } => found.push(fixed(pointer, value.sort.width() as u64 / 8, Deed::Write)),
        Action::Copy { target, source, length } => {
            found.extend([ranged(target, length, Deed::Write), ranged(source, length, Deed::Read)]);
        }
        Action::Set { pointer, length, .. } => found.push(ranged(pointer, length, Deed::Write)),
        Action::Free { pointer, .. } => found.push(fixed(pointer, 0, Deed::Free)),
        Action::Forget { pointer } => found.push(fixed(pointer, 0, Deed::Write)),
        _ => {}
    }
    found
}
