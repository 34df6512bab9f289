//! Runs a stretch of a path again from a generalised state, in which everything that the stretch reads is a variable
//! instead of a value. The result gives, over these variables, the conditions that determined the path (guards) and the
//! final contents of all locations. This is all that interpolation (TracerX, section 5) needs, so it has no second
//! meaning of statements: the machine runs them forwards, and substitution does the rest.
//!
//! The run follows the first one by a log of the first run's symbolic conditions. The original values are substituted
//! into each condition over the variables: if the result is a constant, the first run took this side without a query;
//! otherwise it must be the next condition in the log. Anything else ends the run without a result. A guard `must` hold
//! if its other side was not followed; for all other guards, the other side was followed by a sibling, or ends in an
//! assumption that is false. Known pointers stay known, which adds a guard that says so.
//!
//! Locals and global variables become variables at the start, cells of memory when they are first read (`generalise_cell`);
//! `touched` are the bytes that were read or written since, whose contents are up to date.

mod guards;
mod slots;
mod touched;

pub(crate) use self::guards::note_guard;
pub use self::slots::Slot;
pub(crate) use self::slots::Slots;
pub use self::touched::Bytes;
use crate::exec::machine::{Advance, Machine, PathEnd};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::objects::{Object, ObjectKind};
use fathom_term::{Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A question that a run put to its solver, or its model, and the answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The condition has this value in the whole state.
    Always(Term, bool),
    /// Both values are possible; the state went on with this one.
    Both(Term, bool),
    /// An assumption was made.
    Assumed {
        /// What was assumed.
        condition: Term,
        /// Whether it can hold: otherwise the path ended.
        possible: bool,
    },
}

/// A condition over slots (and inputs of the stretch) that decided the way.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// True on the path.
    pub condition: Term,
    /// The other side was not followed.
    pub must: bool,
}

/// What a state that is run again has met so far.
#[derive(Clone, Debug, Default)]
pub struct Retraced {
    /// Conditions that decided the path, in order.
    pub guards: Vec<Guard>,
    /// Bytes of the start's objects that were read or written since, whose contents are up to date.
    pub touched: BTreeMap<ObjectKey, Bytes>,
    /// Bytes of the start's objects that were written.
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
    /// What each of the states met, in the same order.
    pub ends: Vec<Retraced>,
    /// How the first of the states ended, if it did.
    pub end: Option<PathEnd>,
}

impl Machine {
    /// From now on questions are kept.
    pub fn log_questions(&mut self) {
        self.asked = Some(Vec::new());
    }

    /// The machine does not log queries any more.
    pub fn stop_logging(&mut self) {
        self.asked = None;
    }

    /// The log of queries since the last call; it is empty then.
    pub fn take_questions(&mut self) -> Vec<Asked> {
        self.asked.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(crate) fn note_question(&mut self, asked: Asked) {
        if let Some(log) = &mut self.asked {
            log.push(asked);
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
        let (forked, cuts) = (std::mem::take(&mut self.forked), std::mem::take(&mut self.found.cuts));
        let (violations, failures) = (self.found.violations.len(), self.found.failures.len());
        let log = self.asked.take();
        let advance = self.advance(&mut state, fuel);
        self.asked = log;
        self.statistics = statistics;
        self.found.violations.truncate(violations);
        self.found.failures.truncate(failures);
        let siblings = std::mem::replace(&mut self.forked, forked);
        let cuts = std::mem::replace(&mut self.found.cuts, cuts);
        let end = match advance {
            Advance::Ended(end @ (PathEnd::Finished | PathEnd::Discarded)) => Some(end),
            Advance::Ended(_) | Advance::Running | Advance::AtBound => {
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

    /// Ends a run along a log: what was left of it.
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
