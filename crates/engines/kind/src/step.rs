//! The inductive step for one k after the other (Algorithms 4.3 and 4.7): walks with an `Inductor` until one proves
//! everything, or a check fails from some middle, which ends this k.

use crate::inductor::{Inductor, LoopInvariants};
use fathom_engine::{Cx, Ledger, Proof, Task};
use fathom_machine::{AbstractFailure, Machine, MachineConfig, Mode, Unwinding};
use fathom_smt::{Oracle, OracleConfig, Refutations};
use fathom_unroll::{Merging, Stop, Walker};
use std::rc::Rc;
use std::time::Duration;

/// What a walk of the inductive step has shown.
pub enum Stepped {
    Proved(Rc<Proof>),
    /// The checks do not follow from k - 1 good iterations.
    Failed(Option<Box<AbstractFailure>>),
    /// There is no inductive step for this program.
    Off(String),
    /// A violation without any middle on the way: a real one, which the base case will find.
    Violated(Box<fathom_engine::Trace>),
    OutOfTime,
}

impl Stepped {
    /// For logs.
    pub fn name(&self) -> &'static str {
        match self {
            Stepped::Proved(_) => "proved",
            Stepped::Failed(_) => "not inductive",
            Stepped::Off(_) => "impossible",
            Stepped::Violated(_) => "violated",
            Stepped::OutOfTime => "out of time",
        }
    }
}

/// The inductive step over its turns. A walk that the end of a turn interrupts goes on in the next one.
pub struct InductiveStep<'a> {
    task: &'a Task,
    /// Iterations that are taken together.
    pub k: u64,
    /// What was learned so far; a walk has it while it is under way.
    invariants: LoopInvariants,
    interrupted: Option<(Walker<'a>, Inductor)>,
    /// What a query may take.
    query_time: Duration,
    /// What the walks assumed.
    pub ledger: Ledger,
}

impl<'a> InductiveStep<'a> {
    /// Before the first walk.
    pub fn new(task: &'a Task, k: u64, invariants: LoopInvariants, query_time: Duration) -> Self {
        InductiveStep { task, k, invariants, interrupted: None, query_time, ledger: Ledger::default() }
    }

    /// Goes on with this k for a turn of this length.
    pub fn go_on(&mut self, cx: &Cx<'_>, turn: Duration) -> Stepped {
        let limited = Cx { budget: cx.budget.at_most(turn), ..*cx };
        // A query may take longer than the turn, but not for ever: what it cuts short has to be done again.
        let of_queries = cx.budget.at_most(turn * 2);
        let walks = self.interrupted.as_ref().map_or(&self.invariants, |(_, inductor)| &inductor.invariants).limits.walks;
        for _ in 0..walks {
            let (mut walker, mut inductor) = self.interrupted.take().unwrap_or_else(|| self.begin(cx));
            walker.machine.budget = of_queries.clone();
            let stop = walker.run(&mut inductor, &limited);
            let was_cut = of_queries.exhausted().is_some();
            if matches!(stop, Stop::Budget) && !was_cut {
                self.interrupted = Some((walker, inductor));
                return Stepped::OutOfTime;
            }
            let result = match stop {
                Stop::Violated(trace) => Some(Stepped::Violated(trace)),
                _ if was_cut => Some(Stepped::OutOfTime),
                stop => self.result(stop, &mut walker, &mut inductor),
            };
            self.ledger.merge(&walker.machine.ledger);
            self.invariants = inductor.invariants;
            self.invariants.book = Some(walker.machine.take_book());
            walker.forget();
            if let Some(result) = result {
                return result;
            }
        }
        Stepped::Failed(None)
    }

    /// Ends without freeing anything.
    pub fn forget(&mut self) {
        if let Some((walker, _)) = self.interrupted.take() {
            walker.forget();
        }
    }

    /// A walk from the program's start.
    fn begin(&mut self, cx: &Cx<'_>) -> (Walker<'a>, Inductor) {
        let mut invariants = std::mem::take(&mut self.invariants);
        let machine = machine(self.task, cx, self.k, self.query_time, &mut invariants);
        let mut walker = Walker::new(machine, self.task, Merging::Alike, invariants.limits.walk.clone());
        walker.start();
        (walker, Inductor::new(self.k, invariants))
    }

    /// What a walk has shown; None if another one may show more.
    fn result(&self, stop: Stop, walker: &mut Walker<'_>, inductor: &mut Inductor) -> Option<Stepped> {
        let parked = walker.parked.len();
        match stop {
            Stop::Violated(trace) => Some(Stepped::Violated(trace)),
            Stop::Budget => Some(Stepped::OutOfTime),
            _ if inductor.off.is_some() => Some(Stepped::Off(inductor.off.take().unwrap_or_default())),
            // Only what is found on the way makes the next walk stronger.
            Stop::Failed(_) if inductor.gained => None,
            Stop::Failed(failure) => Some(Stepped::Failed(Some(failure))),
            Stop::Directed => Some(Stepped::Failed(None)),
            Stop::Done if parked > 0 => Some(Stepped::Off("the program is recursive".to_string())),
            Stop::Done if inductor.stale => None,
            Stop::Done if walker.tally.is_complete(0) => Some(Stepped::Proved(Rc::new(proof(walker, self.k, inductor.loops())))),
            Stop::Done => Some(Stepped::Failed(None)),
        }
    }
}

fn machine(task: &Task, cx: &Cx<'_>, k: u64, query_time: Duration, invariants: &mut LoopInvariants) -> Machine {
    let config = OracleConfig { keep_refutations: true, query_time, ..OracleConfig::default() };
    let oracle = Oracle::new(task.program.terms.clone(), (cx.backend)(), config);
    let mode = Mode::Symbolic(Box::new(oracle));
    let (program, checks, budget) = (task.program.clone(), task.properties.clone(), cx.budget.clone());
    let unwinding = Unwinding {
        bound: u64::MAX,
        calls: k,
        pause_at_heads: true,
        lazy_above: Some(invariants.limits.walk.lazy_above),
        checked_iteration: k - 1,
        ..Unwinding::default()
    };
    let settings = MachineConfig { unwinding: Some(unwinding), ..MachineConfig::default() };
    match invariants.book.take() {
        Some(book) => Machine::with_book(program, checks, mode, budget, settings, book),
        None => Machine::new(program, checks, mode, budget, settings),
    }
}

fn proof(walker: &mut Walker<'_>, k: u64, loops: Vec<(fathom_ir::LoopHead, Vec<fathom_ir::Invariant>)>) -> Proof {
    let refutations = walker.machine.oracle().map_or_else(Refutations::default, |oracle| oracle.refutations().clone());
    let books = walker.tally.books();
    match loops.is_empty() {
        true => Proof::UnwindingComplete { bound: k, books, refutations },
        false => Proof::Inductive { k, loops, books, refutations },
    }
}
