//! The engine: base case with forward condition, and inductive step, in turns (Algorithms 4.4 and 4.6). Both go as far as
//! their time lets them: turns get longer, so one that is stuck costs the other a constant factor at most, and a query
//! may only take a part of what is left.

use crate::config::KindConfig;
use crate::inductor::LoopInvariants;
use crate::step::{InductiveStep, Stepped};
use crate::targets::Targets;
use fathom_engine::{Capabilities, Cx, Engine, Outcome, Proof, Reason, Statistics, Task, Trace, Verdict, add_solver_counters};
use fathom_ir::Invariants;
use fathom_machine::{Machine, MachineConfig, Mode, Pauses, Unwinding};
use fathom_smt::{Oracle, OracleConfig, Refutations};
use fathom_unroll::{Merging, Stop, Walker};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// k-induction.
pub struct Kind {
    /// How it was asked to work.
    pub config: KindConfig,
}

/// How the run ended.
enum End {
    Proved(Rc<Proof>),
    Violated(Box<Trace>),
    Unknown(Reason),
}

/// The inductive step.
struct Induction<'a> {
    step: InductiveStep<'a>,
    /// Why it ended, if it did.
    off: Option<String>,
}

impl Engine for Kind {
    fn name(&self) -> &'static str {
        "kind"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::usual("k-induction with invariants that are guessed and proved")
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let limits = &self.config.limits;
        let part = cx.budget.remaining().map_or(limits.query_time, |time| time / limits.query_part);
        let query_time = part.clamp(Duration::from_millis(200), limits.query_time);
        let config = OracleConfig { keep_refutations: true, query_time, ..OracleConfig::default() };
        let oracle = Oracle::new(task.program.terms.clone(), (cx.backend)(), config);
        let mode = Mode::Symbolic(Box::new(oracle));
        let lazy_above = Some(limits.walk.lazy_above);
        let unwinding = Unwinding { bound: 1, calls: 1, pause_at_heads: true, lazy_above, ..Unwinding::default() };
        let settings = MachineConfig {
            pauses: Pauses { loop_heads: true, ..Pauses::default() },
            unwinding: Some(unwinding),
            ..MachineConfig::default()
        };
        let machine = Machine::new(task.program.clone(), task.properties.clone(), mode, cx.budget.clone(), settings);
        let mut base = Walker::new(machine, task, Merging::All, limits.walk.clone());
        base.start();
        let invariants = LoopInvariants {
            given: self.given_invariants(task, cx),
            guess: self.config.guess_invariants,
            limits: Rc::new(limits.clone()),
            ..LoopInvariants::default()
        };
        let mut induction = Induction { step: InductiveStep::new(task, self.config.first_k, invariants, query_time), off: None };
        let mut targets = Targets::default();
        let end = self.turns(cx, &mut base, &mut induction, &mut targets);
        induction.step.forget();
        outcome(task, base, &induction, &targets, end)
    }
}

impl Kind {
    /// Candidates of the analysis, which may take a part of the time, and those that others proved.
    fn given_invariants(&self, task: &Task, cx: &Cx<'_>) -> Invariants {
        let part = cx.budget.remaining().map(|time| cx.budget.at_most(time / self.config.limits.analysis_part));
        let mut found =
            self.config.analysis.map(|analysis| analysis(&task.program, part.as_ref().unwrap_or(&cx.budget))).unwrap_or_default();
        for (&head, known) in &cx.known.loops.at {
            known.iter().take(self.config.limits.known).for_each(|invariant| found.add(head, invariant.clone()));
        }
        tracing::info!(loops = found.at.len(), candidates = found.at.values().map(Vec::len).sum::<usize>(), "candidates for invariants");
        found
    }

    fn turns(&self, cx: &Cx<'_>, base: &mut Walker<'_>, induction: &mut Induction<'_>, targets: &mut Targets) -> End {
        let mut turn = self.config.limits.first_turn;
        // Why the base case proves nothing, once it has nothing left to do.
        let mut spent: Option<Reason> = None;
        loop {
            if let Some(reason) = cx.budget.exhausted() {
                return End::Unknown(spent.unwrap_or(Reason::Stopped(reason)));
            }
            if induction.off.is_none()
                && let Some(end) = self.inductive_turn(cx, induction, targets, base, turn)
            {
                return end;
            }
            // Without an inductive step the base case has all the time there is.
            let time = if induction.off.is_some() { Duration::MAX } else { turn };
            match spent.take() {
                Some(reason) if induction.off.is_some() || induction.step.k > self.config.limits.last_tries => return End::Unknown(reason),
                Some(reason) => spent = Some(reason),
                None => match self.base_turn(cx, base, induction, targets, time) {
                    Some(End::Unknown(reason)) if cx.budget.exhausted().is_none() => spent = Some(reason),
                    Some(end) => return end,
                    None => {}
                },
            }
            turn = (turn * 3 / 2).min(self.config.limits.longest_turn);
        }
    }

    fn inductive_turn(
        &self,
        cx: &Cx<'_>,
        induction: &mut Induction<'_>,
        targets: &mut Targets,
        base: &Walker<'_>,
        time: Duration,
    ) -> Option<End> {
        let start = Instant::now();
        loop {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() || induction.off.is_some() {
                return None;
            }
            let stepped = induction.step.go_on(cx, left);
            tracing::info!(k = induction.step.k, result = stepped.name(), "inductive step");
            match stepped {
                Stepped::Proved(proof) => return Some(End::Proved(proof)),
                Stepped::Violated(trace) => return Some(End::Violated(trace)),
                Stepped::Off(why) => induction.off = Some(why),
                Stepped::OutOfTime => return None,
                Stepped::Failed(failure) => {
                    if let (true, Some(failure)) = (self.config.targets, &failure) {
                        targets.add(&base.machine, failure, induction.step.k, &self.config.limits);
                    }
                    induction.step.k += 1;
                    if self.config.max_k.is_some_and(|most| induction.step.k > most) {
                        induction.off = Some(format!("no proof up to k = {}", induction.step.k - 1));
                    }
                    // The base case keeps up with k, as in the algorithms.
                    return None;
                }
            }
        }
    }

    /// Base case and forward condition.
    fn base_turn(
        &self,
        cx: &Cx<'_>,
        base: &mut Walker<'_>,
        induction: &Induction<'_>,
        targets: &mut Targets,
        time: Duration,
    ) -> Option<End> {
        let start = Instant::now();
        loop {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return None;
            }
            let limited = Cx { budget: cx.budget.at_most(left), ..*cx };
            match base.run(targets, &limited) {
                Stop::Violated(trace) => return Some(End::Violated(trace)),
                Stop::Done if base.parked.is_empty() => return Some(forward_condition(base)),
                Stop::Done => {}
                Stop::Budget | Stop::Failed(_) | Stop::Directed => {
                    return cx.budget.exhausted().map(|reason| End::Unknown(Reason::Stopped(reason)));
                }
            }
            let bound = base.machine.unwinding().map_or(1, |unwinding| unwinding.bound);
            if self.config.max_k.is_some_and(|most| bound >= most) && induction.off.is_some() {
                return Some(End::Unknown(Reason::BoundReached(format!("{bound} iterations of a loop or nested calls"))));
            }
            if let Some(end) = self.pursue(base, targets, &limited, bound) {
                return Some(end);
            }
            tracing::info!(bound, waiting = base.parked.len(), "nothing fails within the bound");
            base.machine.unwind(raised(bound, self.config.max_k));
            base.resume();
            // At first step by step, so that what the inductive step finds can help; later as far as the time goes.
            if induction.off.is_none() && induction.step.k <= self.config.limits.step_by_step {
                return None;
            }
        }
    }

    /// Lets copies of the states at the bound that can be targets go on.
    fn pursue(&self, base: &mut Walker<'_>, targets: &mut Targets, cx: &Cx<'_>, bound: u64) -> Option<End> {
        let parked = std::mem::take(&mut base.parked);
        let copies: Vec<_> = parked.iter().filter_map(|state| targets.hit(&mut base.machine, state)).collect();
        if copies.is_empty() {
            base.parked = parked;
            return None;
        }
        base.machine.unwind_loops(bound.saturating_add(targets.k));
        base.tally.started += copies.len() as u64;
        copies.into_iter().for_each(|copy| base.add(copy));
        let stop = base.run_without_comparing(targets, cx);
        base.machine.unwind_loops(bound);
        // The originals of the copies are still parked and go on later, so the copies count as ended.
        base.tally.ended += base.parked.len() as u64;
        base.parked = parked;
        match stop {
            Stop::Violated(trace) => Some(End::Violated(trace)),
            _ => None,
        }
    }
}

fn raised(bound: u64, most: Option<u64>) -> u64 {
    let next = bound.saturating_add((bound / 4).max(1));
    most.map_or(next, |most| next.min(most.max(bound + 1)))
}

/// Nothing is left to unwind.
fn forward_condition(base: &mut Walker<'_>) -> End {
    if !base.tally.is_complete(0) {
        return End::Unknown(base.tally.reasons.main());
    }
    let refutations = base.machine.oracle().map_or_else(Refutations::default, |oracle| oracle.refutations().clone());
    let bound = base.machine.unwinding().map_or(1, |unwinding| unwinding.bound);
    End::Proved(Rc::new(Proof::UnwindingComplete { bound, books: base.tally.books(), refutations }))
}

fn outcome(task: &Task, mut base: Walker<'_>, induction: &Induction<'_>, targets: &Targets, end: End) -> Outcome {
    let verdict = |property| match &end {
        End::Violated(trace) if trace.violation.property == property => Verdict::Violated(trace.clone()),
        End::Violated(_) => Verdict::Unknown(Reason::NotReached),
        End::Proved(proof) => Verdict::Holds(proof.clone()),
        End::Unknown(reason) => Verdict::Unknown(reason.clone()),
    };
    let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
    let mut statistics = Statistics::default();
    if let Some(why) = &induction.off {
        statistics.notes.push(format!("inductive step off: {why}"));
    }
    let bound = base.machine.unwinding().map_or(0, |unwinding| unwinding.bound);
    let mut count = |name: &str, value: u64| statistics.counters.push((name.to_string(), value));
    count("k of the inductive step", induction.step.k);
    count("bound of the base case", bound);
    count("targets that the base case met", targets.hits);
    count("states made", base.tally.started);
    count("states merged", base.tally.merged);
    count("statements", base.machine.statistics.statements);
    count("terms", base.machine.store.len() as u64);
    let mut ledger = base.machine.ledger.clone();
    ledger.merge(&induction.step.ledger);
    if let Some(oracle) = base.machine.oracle() {
        add_solver_counters(oracle, &mut statistics);
    }
    base.forget();
    Outcome { verdicts, ledger, statistics }
}
