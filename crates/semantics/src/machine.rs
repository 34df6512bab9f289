//! The machine that runs states. It is the only place that knows what statements do; engines decide which state runs
//! next. In symbolic mode arbitrary values are symbols and branches may fork; in replay mode they come from a trace
//! and everything is concrete, through the same code.

use crate::address::{AddressBook, Placed};
use crate::code::Code;
use crate::compile::compile;
use crate::footprint::Footprints;
use crate::havoc::Havocked;
use crate::layout::{Layout, lay_out};
use crate::memory::Object;
use crate::holders::Holders;
use crate::liveness::Liveness;
use crate::obligations::Obligations;
use crate::placement::Layouts;
use crate::recorder::Recorder;
use crate::sample::Chosen;
use crate::retrace::{Asked, Retrace, Slots};
use crate::settle::Settling;
use crate::sprint::Sprints;
use crate::state::{Frame, State};
use crate::trace::{Ledger, Switch, Trace, TraceStep, Violation};
use crate::unwinding::Unwinding;
use crate::value::{ObjectKey, Val};
use fathom_base::{Budget, FxMap, Loc};
use fathom_ir::{self as ir, Program, Property};
use fathom_smt::Oracle;
use fathom_term::{Evaluator, Term, TermStore, Value, VarId};
use smallvec::SmallVec;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// Where arbitrary values come from.
pub enum Mode {
    Symbolic(Box<Oracle>),
    Replay {
        symbols: BTreeMap<String, Value>,
        /// Uninterpreted functions at the points that matter.
        values: Rc<Evaluator>,
        choices: std::vec::IntoIter<u32>,
        schedule: VecDeque<Switch>,
        layout: Vec<Placed>,
        recorder: Recorder,
        /// Gives what the rest does not say; without it that is zero.
        chosen: Option<Chosen>,
    },
}

/// How a path ended.
#[derive(Clone, Debug)]
pub enum PathEnd {
    /// main returned, exit or abort was called, or control reached what the compiler calls unreachable.
    Finished,
    /// An assumption does not hold.
    Discarded,
    /// A property is violated on every continuation.
    Violated,
    /// The path could not be followed: nothing may be concluded from its end.
    Cut(Cut),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    Unsupported { what: String, loc: Loc },
    /// Undefined behaviour that nobody asked to check.
    Undefined { what: String, loc: Loc },
    Solver(String),
    Bound(String),
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cut::Unsupported { what, .. } => write!(f, "unsupported: {what}"),
            Cut::Undefined { what, .. } => write!(f, "undefined behaviour: {what}"),
            Cut::Solver(why) => write!(f, "solver: {why}"),
            Cut::Bound(bound) => write!(f, "bound reached: {bound}"),
        }
    }
}

/// What a run of `advance` did.
pub enum Advance {
    /// The fuel is used up; the state goes on.
    Running,
    /// The state stands at the head of a loop, or where a thread will be chosen, and may be compared with earlier ones;
    /// it goes on.
    LoopHead,
    /// The state stands at the start of a block, or behind a call, where others may join it.
    Join,
    /// The state has used the iterations of a loop, or the calls of a recursion, that it may have.
    AtBound,
    /// The state forked and goes on; `Machine::forked` has the others.
    Forked,
    Ended(PathEnd),
}

/// A property fails on a path from an arbitrary state at a loop head.
pub struct AbstractFailure {
    pub violation: Violation,
    pub start: Rc<Havocked>,
    pub model: Rc<Evaluator>,
}

#[derive(Clone, Debug, Default)]
pub struct MachineStatistics {
    pub statements: u64,
    pub branches: u64,
    pub forks: u64,
    /// Sides that were followed although nobody could say whether they are possible.
    pub speculations: u64,
}

pub struct Machine {
    pub store: Rc<TermStore>,
    pub program: Rc<Program>,
    pub book: AddressBook,
    pub code: Rc<Code>,
    pub(crate) procs_by_object: FxMap<ObjectKey, u32>,
    pub mode: Mode,
    pub checks: BTreeSet<Property>,
    pub budget: Budget,
    pub ledger: Ledger,
    /// What becomes of conditions that depend on where objects lie.
    pub layouts: Layouts,
    /// The size of the largest object that was allocated.
    pub(crate) largest_object: u64,
    /// In a replay: whether it computed with the number of an address, beyond what is the same in every layout.
    pub(crate) used_layout: Cell<bool>,
    /// In a replay: an object that begins where the one that it replaces still lies, and its size.
    pub(crate) moved_onto: Option<(ObjectKey, u64)>,
    pub statistics: MachineStatistics,
    /// States that a fork made since the engine last took them.
    pub forked: Vec<State>,
    /// Violations found since the engine last took them.
    pub violations: Vec<Trace>,
    /// Every place that must not be reached is a target of its own: a path that comes to one ends there, as it does where
    /// the program stops, and the first is reported.
    pub collects_targets: bool,
    pub(crate) targets_met: BTreeSet<(Property, Loc)>,
    /// What fails in states that are arbitrary: perhaps no failure of the program.
    pub failures: Vec<AbstractFailure>,
    /// Parts of the state space that were left out (an undecided query, undefined behaviour): no proof any more.
    pub cuts: Vec<Cut>,
    /// Blocks that some path entered, over the whole program.
    pub covered: Vec<bool>,
    /// How often a replay entered each block; of other runs nobody asks.
    pub visits: Vec<u64>,
    /// Sides of the branch at the end of each block that some path took: bit 1 where the condition held, bit 0 where not.
    pub sides: Vec<u8>,
    /// Of branches that always went one way, how near their comparison came to the other.
    pub(crate) near_misses: FxMap<u32, u64>,
    /// Questions about conditions so far.
    pub(crate) questions: u64,
    pub max_loop: Option<u64>,
    /// Whether the assumptions at the beginning of a goto's targets are looked at before a state is made for them.
    pub look_ahead: bool,
    /// Whether a solver may take its time to tell whether quantified axioms contradict each other.
    pub unhurried_axioms: bool,
    /// The functions that axioms define, for people.
    pub(crate) defined: Option<String>,
    /// Whether truth values that the path decides become constants where they are assigned.
    pub settles: bool,
    /// Whether rows of objects are folded at loop heads: then objects have no names of their own.
    pub folds_lists: bool,
    pub(crate) settling: Settling,
    /// Paths that no solver knows to be possible are left out, and inputs of hard conditions get values: for tests.
    pub only_known_paths: bool,
    /// Whether states share what they have in common.
    pub cheap_copies: bool,
    /// A replay ends where the program asks for an input after this many arbitrary values.
    pub most_inputs: Option<u32>,
    /// Whether that happened.
    pub(crate) ran_dry: bool,
    /// Whether `advance` returns at loop heads where a state is worth comparing, or at all of them.
    pub pause_at_loop_heads: bool,
    pub pause_at_all_loop_heads: bool,
    /// In a replay: loop heads to come that may be passed nevertheless, and how many were.
    pub(crate) unseen_heads: u64,
    pub(crate) passed_heads: u64,
    /// Whether it also returns where other paths join, in the same way.
    pub pause_at_joins: bool,
    /// Whether it returns at the first join since a state read an input or forked.
    pub pause_where_paths_meet: bool,
    /// Properties are taken to hold instead of being checked.
    pub assumes_checks: bool,
    /// Accesses to memory are taken to be valid where nobody checks that: one that is not ends its path without a trace.
    pub assumes_valid_accesses: bool,
    pub(crate) regions: u64,
    pub(crate) obligations: Obligations,
    /// Set by engines that unwind loops.
    pub unwinding: Option<Unwinding>,
    /// Roughly the nanoseconds that fingerprints took, in deterministic units.
    pub fingerprint_work: u64,
    pub(crate) temps: Vec<Val>,
    /// Whether loops over plain numbers may run without a look at every statement.
    pub sprints_allowed: bool,
    pub(crate) sprints: Sprints,
    /// Questions since an engine last took them, if it wants them.
    pub(crate) asked: Option<Vec<Asked>>,
    pub(crate) retrace: Option<Box<Retrace>>,
    pub(crate) slots: Slots,
    pub(crate) liveness: Liveness,
    pub(crate) holders: Holders,
    /// Once a thread was started.
    pub(crate) footprints: Option<Box<Footprints>>,
    pub(crate) globals: Vec<(ObjectKey, Object)>,
    pub(crate) globals_fit: bool,
}

/// A query could not be answered, or the path is over.
pub(crate) type Step<T> = Result<T, PathEnd>;

/// What is possible for a condition in a state.
pub(crate) enum Decision {
    Always(bool),
    /// Both; the state's model has it `now` (or a speculation does), `other` is a model of the opposite, if there is one.
    Both { now: bool, other: Option<Rc<Evaluator>> },
}

impl Machine {
    pub fn new(program: Rc<Program>, checks: BTreeSet<Property>, mode: Mode, budget: Budget) -> Machine {
        let book = AddressBook::new(program.terms.clone(), program.layout.pointer_bits);
        Machine::with_book(program, checks, mode, budget, book)
    }

    /// With the addresses of an earlier run of the same program: objects keep their keys.
    pub fn with_book(
        program: Rc<Program>,
        checks: BTreeSet<Property>,
        mode: Mode,
        budget: Budget,
        mut book: AddressBook,
    ) -> Machine {
        let store = program.terms.clone();
        if let Mode::Replay { layout, .. } = &mode {
            book.plan(layout);
        }
        let Layout { addresses, objects: globals, fits } = lay_out(&program, &mut book);
        let recording = matches!(&mode, Mode::Replay { recorder, .. } if recorder.keeps_steps());
        let code = compile(&program, &addresses, &book, recording);
        let mut ledger = Ledger::default();
        for assumption in &program.assumptions {
            ledger.note(assumption.as_str());
        }
        Machine {
            temps: vec![Val::FALSE; code.temps],
            sprints_allowed: true,
            sprints: Sprints::default(),
            asked: None,
            retrace: None,
            slots: Slots::default(),
            covered: vec![false; code.block_count as usize],
            sides: vec![0; code.block_count as usize],
            visits: vec![0; if matches!(mode, Mode::Replay { .. }) { code.block_count as usize } else { 0 }],
            code: Rc::new(code),
            procs_by_object: addresses.procs,
            store,
            program,
            book,
            mode,
            checks,
            budget,
            ledger,
            layouts: Layouts::All,
            largest_object: 0,
            used_layout: Cell::new(false),
            moved_onto: None,
            statistics: MachineStatistics::default(),
            forked: Vec::new(),
            violations: Vec::new(),
            collects_targets: false,
            targets_met: BTreeSet::new(),
            failures: Vec::new(),
            cuts: Vec::new(),
            near_misses: FxMap::default(),
            questions: 0,
            max_loop: None,
            look_ahead: false,
            cheap_copies: true,
            settles: false,
            settling: Settling::default(),
            unhurried_axioms: false,
            defined: None,
            only_known_paths: false,
            most_inputs: None,
            ran_dry: false,
            folds_lists: false,
            pause_at_loop_heads: false,
            pause_at_all_loop_heads: false,
            unseen_heads: 0,
            passed_heads: 0,
            pause_at_joins: false,
            pause_where_paths_meet: false,
            obligations: Obligations::default(),
            unwinding: None,
            regions: 0,
            assumes_checks: false,
            assumes_valid_accesses: false,
            fingerprint_work: 0,
            liveness: Liveness::default(),
            holders: Holders::default(),
            footprints: None,
            globals,
            globals_fit: fits,
        }
    }

    /// The addresses of this run, for another one; this one is over.
    pub fn take_book(&mut self) -> AddressBook {
        let empty = AddressBook::new(self.store.clone(), self.program.layout.pointer_bits);
        std::mem::replace(&mut self.book, empty)
    }

    /// The program's symbols for addresses of objects, and what they are in this run.
    pub(crate) fn global_addresses(&self) -> Vec<(VarId, Term)> {
        let names = self.program.objects.iter().enumerate().filter_map(|(at, o)| Some((self.store.as_var(o.address)?, at)));
        let aliases = self.program.object_addresses.iter().map(|(&var, id)| (var, id.0 as usize));
        let all = names.chain(aliases);
        all.filter_map(|(var, at)| Some((var, self.book.symbol(self.globals.get(at)?.0)))).collect()
    }

    /// The program's object that this one is, if it is a global one.
    pub fn program_object(&self, key: ObjectKey) -> Option<usize> {
        self.globals.iter().take(self.program.objects.len()).position(|(known, _)| *known == key)
    }

    pub(crate) fn push_frame(&mut self, state: &mut State, proc: u32) {
        let code = &self.code.procs[proc as usize];
        state.frames.push(Frame {
            proc,
            block: code.entry,
            index: 0,
            bytes_done: 0,
            locals: Rc::new(vec![Val::FALSE; code.local_sorts.len()]),
            stack_objects: SmallVec::new(),
            visits: Rc::default(),
            loops: SmallVec::new(),
            recursion: 0,
            marks: (0, 0),
        });
        let entry = (code.first_block + code.entry) as usize;
        state.covers_new |= self.enter(entry);
        if self.unwinding.is_some() {
            self.entered_procedure(state);
        }
    }

    /// Notes that a path entered this block; whether it is the first one.
    pub(crate) fn enter(&mut self, block: usize) -> bool {
        if let Some(count) = self.visits.get_mut(block) {
            *count += 1;
        }
        !std::mem::replace(&mut self.covered[block], true)
    }

    pub fn oracle(&mut self) -> Option<&mut Oracle> {
        match &mut self.mode {
            Mode::Symbolic(oracle) => Some(oracle),
            Mode::Replay { .. } => None,
        }
    }

    /// Ends the path at an input that the record of it does not have.
    pub(crate) fn may_ask(&mut self, state: &State) -> Step<()> {
        match self.most_inputs {
            Some(most) if state.inputs >= most => {
                self.ran_dry = true;
                Err(PathEnd::Cut(Cut::Bound(format!("{most} arbitrary values"))))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn record_input(&mut self, state: &State, kind: &ir::InputKind, bytes: Vec<u8>, width: u32) {
        let loc = self.location(state);
        let Mode::Replay { recorder, .. } = &mut self.mode else { return };
        let index = recorder.input(kind.clone(), bytes, width, loc);
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Input { index, loc });
        }
    }

    /// The recorder, if this is a replay whose steps are kept here.
    pub(crate) fn recorder(&mut self, state: &State) -> Option<&mut Recorder> {
        match &mut self.mode {
            Mode::Replay { recorder, .. } if recorder.keeps_step_at(state.branches) => Some(recorder),
            _ => None,
        }
    }
}
