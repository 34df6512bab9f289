//! The machine that runs states. It is the only place that knows what statements do; engines decide which state runs
//! next. In symbolic mode arbitrary values are symbols and branches may fork; in replay mode they come from a trace
//! and everything is concrete, through the same code.

use crate::compare::liveness::Liveness;
use crate::exec::code::Code;
use crate::exec::compile::compile;
use crate::exec::config::MachineConfig;
use crate::exec::determinate::Indeterminate;
use crate::exec::settle::Settling;
use crate::exec::state::{Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::fastpath::Sprints;
use crate::induction::havoc::Havocked;
use crate::joins::obligations::Obligations;
use crate::joins::unwinding::Unwinding;
use crate::memory::address::{AddressBook, Placed};
use crate::memory::holders::Holders;
use crate::memory::layout::{Layout, lay_out};
use crate::memory::objects::Object;
use crate::replay::recorder::Recorder;
use crate::replay::sample::Chosen;
use crate::replay::trace::{Switch, Trace, TraceStep, Violation};
use crate::retrace::{Asked, Retrace, Slots};
use crate::search::decided::Digests;
use crate::threads::discipline::Discipline;
use crate::threads::footprint::Footprints;
use crate::threads::races::Awaited;
use fathom_base::{Budget, FxMap, Loc};
use fathom_ir::{self as ir, Ledger, Program, Property};
use fathom_smt::Oracle;
use fathom_term::{Evaluator, Term, TermStore, Value, VarId};
use smallvec::SmallVec;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

/// Where arbitrary values come from.
#[expect(clippy::large_enum_variant, reason = "a machine has one of these")]
pub enum Mode {
    /// On terms, with queries to solvers.
    Symbolic(Box<Oracle>),
    /// On the values of a trace, without a solver.
    Replay {
        /// The value of every symbol, by its name.
        symbols: BTreeMap<String, Value>,
        /// Uninterpreted functions at the points that matter.
        values: Rc<Evaluator>,
        /// Which target each many-way goto takes, in order.
        choices: std::vec::IntoIter<u32>,
        /// When threads take turns.
        schedule: VecDeque<Switch>,
        /// Where the objects lie.
        layout: Vec<Placed>,
        /// Keeps what a reader of the run wants to see.
        recorder: Recorder,
        /// Supplies inputs that the trace does not contain; without it they are zero.
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

/// Why a path was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A statement that can't be executed was reached.
    Unsupported {
        /// The statement, as a noun phrase.
        what: String,
        /// Where it is.
        loc: Loc,
    },
    /// Undefined behaviour of a property that was not asked for.
    Undefined {
        /// The behaviour, as a noun phrase.
        what: String,
        /// Where it is.
        loc: Loc,
    },
    /// No solver could decide what the path needs; why.
    Solver(String),
    /// A bound of the engine; which one.
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
    /// Its path is over.
    Ended(PathEnd),
}

/// A property fails on a path from an arbitrary state at a loop head.
pub struct AbstractFailure {
    /// The check that fails.
    pub violation: Violation,
    /// The arbitrary state that the path starts in.
    pub start: Rc<Havocked>,
    /// Values for that state under which the check fails.
    pub model: Rc<Evaluator>,
}

/// How much work a machine has done.
#[derive(Clone, Debug, Default)]
pub struct MachineStatistics {
    /// Statements that were executed.
    pub statements: u64,
    /// Branches with a condition that is not constant.
    pub branches: u64,
    /// Branches and choices after which two or more states went on.
    pub forks: u64,
    /// Sides that were followed although no solver could say whether they are feasible.
    pub speculations: u64,
}

/// Violations, failures and cuts that paths came to.
pub struct Findings {
    /// Violations found since the engine last took them.
    pub violations: Vec<Trace>,
    pub(crate) targets_met: BTreeSet<(Property, Loc)>,
    /// What fails in states that are arbitrary: perhaps no failure of the program.
    pub failures: Vec<AbstractFailure>,
    /// Parts of the state space that were left out (an undecided query, undefined behaviour): no proof any more.
    pub cuts: Vec<Cut>,
}

/// Which parts of the program paths have been through.
pub struct Coverage {
    /// Blocks that some path entered, over the whole program.
    pub covered: Vec<bool>,
    /// How often a replay entered each block; not counted in other runs.
    pub visits: Vec<u64>,
    /// Sides of the branch at the end of each block that some path took: bit 1 where the condition held, bit 0 where not.
    pub sides: Vec<u8>,
    /// Of branches that always went one way, how near their comparison came to the other.
    pub(crate) near_misses: FxMap<u32, u64>,
}

/// The part of the machine's state that only replays use.
pub(crate) struct ReplayNotes {
    /// In a replay: whether it computed with the number of an address, beyond what is the same in every layout.
    pub(crate) used_layout: Cell<bool>,
    /// In a replay: whether it read memory that was never written and of which the trace says nothing.
    pub(crate) read_unwritten: Cell<bool>,
    /// In a replay: an object that begins where the one that it replaces still lies, and its size.
    pub(crate) moved_onto: Option<(ObjectKey, u64)>,
    /// Whether a replay ended because it had had all the inputs that it may ask for.
    pub(crate) ran_dry: bool,
    /// In a replay: loop heads to come that may be passed nevertheless, and how many were.
    pub(crate) unseen_heads: u64,
    pub(crate) passed_heads: u64,
    /// In the replay of a race: when the first thread is about to make its access, and which is the second; and then that access.
    pub(crate) race: Option<Switch>,
    pub(crate) awaited: Option<Awaited>,
}

/// The objects and procedures of the program as they lie in memory.
pub(crate) struct Image {
    pub(crate) procs_by_object: FxMap<ObjectKey, u32>,
    pub(crate) globals: Vec<(ObjectKey, Object)>,
    pub(crate) globals_fit: bool,
}

/// Analyses of the code, made when they are first needed.
pub(crate) struct Analyses {
    pub(crate) sprints: Sprints,
    pub(crate) slots: Slots,
    pub(crate) liveness: Liveness,
    pub(crate) holders: Holders,
    /// Once a thread was started.
    pub(crate) footprints: Option<Box<Footprints>>,
}

/// Numbers that a run counts for itself.
pub struct Counters {
    /// The size of the largest object that was allocated.
    pub(crate) largest_object: u64,
    /// Questions about conditions so far.
    pub(crate) questions: u64,
    pub(crate) regions: u64,
    /// Roughly the nanoseconds that fingerprints took, in deterministic units.
    pub fingerprint_work: u64,
}

/// Runs a program on states: symbolically with a solver behind it, or on the values of a trace. States know nothing of it.
pub struct Machine {
    /// The store of the program's terms.
    pub store: Rc<TermStore>,
    /// What is run.
    pub program: Rc<Program>,
    /// The addresses of objects.
    pub book: AddressBook,
    /// The program in the form that is run.
    pub code: Rc<Code>,
    pub(crate) image: Image,
    /// On terms, or on the values of a trace.
    pub mode: Mode,
    pub(crate) config: MachineConfig,
    /// Violations of other properties are not reported.
    pub checks: BTreeSet<Property>,
    /// Paths end without a word where they violate one of these.
    ends_where_violated: BTreeSet<Property>,
    /// When to stop.
    pub budget: Budget,
    /// What was assumed so far.
    pub ledger: Ledger,
    /// Numbers that a run counts for itself.
    pub counters: Counters,
    pub(crate) replay: ReplayNotes,
    /// How much work was done.
    pub statistics: MachineStatistics,
    /// States that a fork made since the engine last took them.
    pub forked: Vec<State>,
    /// What paths have shown so far.
    pub found: Findings,
    /// Blocks and sides of branches that were executed.
    pub coverage: Coverage,
    /// The functions that axioms define, for people.
    pub(crate) defined: Option<String>,
    pub(crate) settling: Settling,
    pub(crate) indeterminate: Indeterminate,
    pub(crate) obligations: Obligations,
    /// Where the unwinding has come to; what it started with is in the settings.
    pub(crate) unwinding: Option<Unwinding>,
    pub(crate) temps: Vec<Val>,
    pub(crate) analyses: Analyses,
    /// Which locks protect what, where that makes for fewer choices of threads.
    pub(crate) discipline: Option<Box<Discipline>>,
    /// Questions since an engine last took them, if it wants them.
    pub(crate) asked: Option<Vec<Asked>>,
    pub(crate) retrace: Option<Box<Retrace>>,
    pub(crate) digests: Digests,
}

/// A query could not be answered, or the path is over.
pub(crate) type Step<T> = Result<T, PathEnd>;

/// Which truth values a condition can have in a state.
pub(crate) enum Decision {
    Always(bool),
    /// Both; the state's model has it `now` (or a speculation does), `other` is a model of the opposite, if there is one.
    Both {
        now: bool,
        other: Option<Rc<Evaluator>>,
    },
}

impl Machine {
    /// Compiles the program; nothing runs yet.
    pub fn new(program: Rc<Program>, checks: BTreeSet<Property>, mode: Mode, budget: Budget, config: MachineConfig) -> Machine {
        let book = AddressBook::new(program.terms.clone(), program.layout.pointer_bits);
        Machine::with_book(program, checks, mode, budget, config, book)
    }

    /// Whether a path that violates this property ends there without a trace.
    pub(crate) fn ends_silently(&self, property: Property) -> bool {
        self.ends_where_violated.contains(&property)
    }

    /// With the addresses of an earlier run of the same program: objects keep their keys.
    pub fn with_book(
        program: Rc<Program>,
        checks: BTreeSet<Property>,
        mode: Mode,
        budget: Budget,
        config: MachineConfig,
        mut book: AddressBook,
    ) -> Machine {
        let store = program.terms.clone();
        if let Mode::Replay { layout, .. } = &mode {
            book.plan(layout);
        }
        // Violations that only end a run are looked for like the others, and not reported.
        let ends_where_violated = program.ends_where_violated();
        let checks: BTreeSet<Property> = checks.union(&ends_where_violated).copied().collect();
        let Layout { addresses, objects: globals, fits } = lay_out(&program, &mut book);
        let recording = matches!(&mode, Mode::Replay { recorder, .. } if recorder.keeps_steps());
        let code = compile(&program, &addresses, &book, recording);
        let indeterminate = Indeterminate::new(checks.contains(&Property::Uninitialised), &mode);
        let holders = Holders::new(program.names_variables);
        Machine {
            temps: vec![Val::FALSE; code.temps],
            analyses: Analyses {
                sprints: Sprints::default(),
                slots: Slots::default(),
                liveness: Liveness::default(),
                holders,
                footprints: None,
            },
            discipline: config.locks.clone().map(|distrust| Box::new(Discipline::new(distrust))),
            asked: None,
            retrace: None,
            digests: Digests::default(),
            coverage: Coverage {
                covered: vec![false; code.block_count as usize],
                sides: vec![0; code.block_count as usize],
                visits: vec![0; if matches!(mode, Mode::Replay { .. }) { code.block_count as usize } else { 0 }],
                near_misses: FxMap::default(),
            },
            code: Rc::new(code),
            image: Image { procs_by_object: addresses.procs, globals, globals_fit: fits },
            store,
            ledger: program.assumptions.iter().cloned().collect(),
            program,
            book,
            mode,
            unwinding: config.unwinding.clone(),
            config,
            checks,
            ends_where_violated,
            budget,
            counters: Counters { largest_object: 0, questions: 0, regions: 0, fingerprint_work: 0 },
            replay: ReplayNotes {
                used_layout: Cell::new(false),
                read_unwritten: Cell::new(false),
                moved_onto: None,
                ran_dry: false,
                unseen_heads: 0,
                passed_heads: 0,
                race: None,
                awaited: None,
            },
            statistics: MachineStatistics::default(),
            forked: Vec::new(),
            found: Findings { violations: Vec::new(), targets_met: BTreeSet::new(), failures: Vec::new(), cuts: Vec::new() },
            settling: Settling::default(),
            indeterminate,
            defined: None,
            obligations: Obligations::default(),
        }
    }

    /// How this machine was set up.
    pub fn config(&self) -> &MachineConfig {
        &self.config
    }

    /// Does something that may take at most this much of the time that is left.
    pub fn within<T>(&mut self, time: Duration, act: impl FnOnce(&mut Machine) -> T) -> T {
        let part = self.budget.at_most(time);
        let whole = std::mem::replace(&mut self.budget, part);
        let result = act(self);
        self.budget = whole;
        result
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
        all.filter_map(|(var, at)| Some((var, self.book.symbol(self.image.globals.get(at)?.0)))).collect()
    }

    /// The program's object that this one is, if it is a global one.
    pub fn program_object(&self, key: ObjectKey) -> Option<usize> {
        self.image.globals.iter().take(self.program.objects.len()).position(|(known, _)| *known == key)
    }

    pub(crate) fn push_frame(&mut self, state: &mut State, proc: u32) {
        let stack_below = if self.checks.contains(&Property::StackOverflow) { self.stack_bytes(state) } else { 0 };
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
            stack_below,
        });
        let entry = (code.first_block + code.entry) as usize;
        state.search.covers_new |= self.enter(entry);
        if self.unwinding.is_some() {
            self.entered_procedure(state);
        }
    }

    /// Notes that a path entered this block; whether it is the first one.
    pub(crate) fn enter(&mut self, block: usize) -> bool {
        if let Some(count) = self.coverage.visits.get_mut(block) {
            *count += 1;
        }
        !std::mem::replace(&mut self.coverage.covered[block], true)
    }

    /// None in a replay.
    pub fn oracle(&mut self) -> Option<&mut Oracle> {
        match &mut self.mode {
            Mode::Symbolic(oracle) => Some(oracle),
            Mode::Replay { .. } => None,
        }
    }

    /// Ends the path at an input that the record of it does not have.
    pub(crate) fn may_ask(&mut self, state: &State) -> Step<()> {
        match self.config.most_inputs {
            Some(most) if state.path.inputs >= most => {
                self.replay.ran_dry = true;
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
        let Mode::Replay { recorder, .. } = &mut self.mode else { return None };
        if !recorder.keeps_step_at(state.search.branches) {
            recorder.skip();
            return None;
        }
        if recorder.take_skipped() {
            let active = state.frames.iter().map(|frame| self.code.procs[frame.proc as usize].name.clone()).collect();
            recorder.step(TraceStep::Skipped { active });
        }
        Some(recorder)
    }
}
