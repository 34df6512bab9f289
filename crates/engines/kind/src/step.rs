//! The inductive step for one k after the other (Algorithms 4.3 and 4.7): walks with an `Inductor` until one proves
//! everything, or a check fails from some middle, which ends this k.

use crate::inductor::{Inductor, LoopInvariants};
use fathom_engine::{Cx, Proof, Task};
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

/// Tries one k from the beginning.
pub fn step(
    task: &Task,
    cx: &Cx<'_>,
    k: u64,
    invariants: &mut LoopInvariants,
    query_time: Duration,
    ledger: &mut fathom_engine::Ledger,
) -> Stepped {
    for _ in 0..invariants.limits.walks {
        let machine = machine(task, cx, k, query_time, invariants);
        let mut walker = Walker::new(machine, task, Merging::Alike, invariants.limits.walk.clone());
        let mut inductor = Inductor::new(k, invariants);
        walker.start();
        let stop = walker.run(&mut inductor, cx);
        let is_over = cx.budget.exhausted().is_some();
        let (stale, gained, off, loops) = (inductor.stale, inductor.gained, inductor.off.take(), inductor.loops());
        let parked = walker.parked.len();
        let complete = walker.tally.is_complete(parked as u64);
        ledger.merge(&walker.machine.ledger);
        let result = match stop {
            Stop::Violated(trace) => Some(Stepped::Violated(trace)),
            Stop::Budget => Some(Stepped::OutOfTime),
            _ if is_over => Some(Stepped::OutOfTime),
            _ if off.is_some() => Some(Stepped::Off(off.unwrap_or_default())),
            // Only what is found on the way makes the next walk stronger.
            Stop::Failed(_) if gained => None,
            Stop::Failed(failure) => Some(Stepped::Failed(Some(failure))),
            Stop::Directed => Some(Stepped::Failed(None)),
            Stop::Done if parked > 0 => Some(Stepped::Off("the program is recursive".to_string())),
            Stop::Done if stale => None,
            Stop::Done if complete => Some(Stepped::Proved(Rc::new(proof(&mut walker, k, loops)))),
            Stop::Done => Some(Stepped::Failed(None)),
        };
        let book = walker.machine.take_book();
        walker.forget();
        invariants.book = Some(book);
        if let Some(result) = result {
            return result;
        }
    }
    Stepped::Failed(None)
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
