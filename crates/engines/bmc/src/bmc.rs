//! The engine: a walk up to a bound, which rises as long as states wait at it (section 3.7, Algorithms 3.1-3.3). With a
//! higher bound the parked states continue, so nothing below the old bound is done again.

use crate::config::{BmcConfig, Purpose, WhenBounded};
use fathom_engine::{Capabilities, Cx, Engine, Outcome, Proof, Reason, Statistics, Task, Trace, Verdict, add_solver_counters, is_usual};
use fathom_ir::{Assumption, Property};
use fathom_machine::{Machine, MachineConfig, Mode, Pauses, State, Unwinding};
use fathom_smt::{Oracle, OracleConfig};
use fathom_unroll::{Director, Merging, Stop, Walker, endless, resolve};
use std::rc::Rc;

/// Bounded model checking: all paths up to a bound in one formula per check.
pub struct Bmc {
    /// How it was asked to work.
    pub config: BmcConfig,
}

/// Nothing happens at loop heads but what the bounds say.
struct Straight;

impl Director for Straight {
    fn arrive(&mut self, _: &mut Machine, state: State, on: &mut Vec<State>) {
        on.push(state);
    }
}

/// How the run ended.
enum End {
    /// All loops are unwound at this bound.
    Complete,
    Violated(Box<Trace>),
    Unknown(Reason),
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn capabilities(&self) -> Capabilities {
        let decides: fn(Property) -> bool = match self.config.purpose {
            Purpose::Termination => |property| is_usual(property) || matches!(property, Property::Uninitialised | Property::Termination),
            _ => |property| is_usual(property) || property == Property::Uninitialised,
        };
        Capabilities { decides, ..Capabilities::usual("bounded model checking: all paths within a rising bound in joined states") }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let config = OracleConfig { keep_refutations: true, ..OracleConfig::default() };
        let oracle = Oracle::new(task.program.terms.clone(), (cx.backend)(), config);
        let mode = Mode::Symbolic(Box::new(oracle));
        // Under an assumption about bounds an equal state may still be allowed more iterations than the first one was.
        // And a loop without end that meets its own states does not terminate.
        let compare = self.config.when_bounded == WhenBounded::Assert && self.config.purpose != Purpose::Termination;
        let mut bound = self.config.unwind.unwrap_or(1);
        // Without joins a state would stay unverified for long.
        let lazy_above = (self.config.merging != Merging::None).then_some(self.config.limits.lazy_above);
        let unwinding = Unwinding { bound, calls: bound, lazy_above, puts_off_checks: lazy_above.is_some(), ..Unwinding::default() };
        let settings = MachineConfig {
            pauses: Pauses { loop_heads: compare, ..Pauses::default() },
            unwinding: Some(unwinding),
            assumes_checks: self.is_about_loops_alone(task),
            ..MachineConfig::default()
        };
        let mut machine = Machine::new(task.program.clone(), task.properties.clone(), mode, cx.budget.clone(), settings);
        match resolve(&machine, &self.config.loops) {
            Ok(bounds) => machine.bound_single_loops(bounds),
            Err(why) => {
                let reason = Reason::Unsupported { what: why.to_string(), location: "--unwind-loop".to_string() };
                return unknown(task, &reason);
            }
        }
        if self.config.unwind.is_some() {
            let loops = endless(&machine);
            machine.count_all_iterations(loops);
        }
        let mut walker = Walker::new(machine, task, self.config.merging, self.config.limits.clone());
        walker.start();
        let end = self.unwind(&mut walker, &mut bound, task, cx);
        self.outcome(task, walker, end, bound)
    }
}

impl Bmc {
    /// Whether it is only asked if loops end within the bound, and not if runs do: then checks are taken for granted.
    fn is_about_loops_alone(&self, task: &Task) -> bool {
        self.config.purpose == Purpose::Termination && !task.properties.contains(&Property::Termination)
    }

    fn unwind(&self, walker: &mut Walker<'_>, bound: &mut u64, task: &Task, cx: &Cx<'_>) -> End {
        loop {
            match walker.run(&mut Straight, cx) {
                Stop::Violated(trace) => return End::Violated(trace),
                // There are no arbitrary states here, and the director never gives up.
                Stop::Budget | Stop::Failed(_) | Stop::Directed => {
                    let reason = cx.budget.exhausted().map(Reason::Stopped);
                    return End::Unknown(reason.unwrap_or_else(|| walker.tally.reasons.main()));
                }
                Stop::Done if walker.parked.is_empty() => return self.judge(walker, *bound, task),
                Stop::Done if self.config.unwind.is_some() => return self.bounded(walker, *bound, task),
                Stop::Done => {}
            }
            tracing::info!(bound = *bound, waiting = walker.parked.len(), "nothing fails within the bound");
            *bound = raised(*bound);
            walker.machine.unwind(*bound);
            // Bounds of single loops hold whatever the others do.
            let parked = std::mem::take(&mut walker.parked);
            let (fixed, free): (Vec<State>, Vec<State>) = parked.into_iter().partition(|state| bound_at(&walker.machine, state).is_some());
            if free.is_empty() {
                walker.parked = fixed;
                return self.bounded(walker, *bound, task);
            }
            walker.parked = free;
            walker.resume();
            walker.parked = fixed;
        }
    }

    /// Nothing waits any more.
    fn judge(&self, walker: &Walker<'_>, bound: u64, task: &Task) -> End {
        match self.config.purpose {
            _ if !walker.tally.is_complete(0) => End::Unknown(walker.tally.reasons.main()),
            Purpose::Incremental => End::Complete,
            Purpose::Termination if !self.is_about_loops_alone(task) => End::Complete,
            Purpose::Falsification => End::Unknown(Reason::NotAsked(format!(
                "no violation up to bound {bound}, where nothing is left to unwind; falsification proves nothing"
            ))),
            Purpose::Termination => {
                End::Unknown(Reason::NotAsked(format!("all loops end within bound {bound}; assertions were not checked")))
            }
        }
    }

    /// States wait at a bound that does not rise.
    fn bounded(&self, walker: &mut Walker<'_>, bound: u64, task: &Task) -> End {
        // A loop without end would be assumed away.
        if self.config.when_bounded == WhenBounded::Assume && !task.properties.contains(&Property::Termination) {
            let count = walker.parked.len() as u64;
            walker.parked.clear();
            walker.tally.ended += count;
            let own = !self.config.loops.is_empty();
            walker.machine.ledger.note(Assumption::Unwinding { bound, own });
            return self.judge(walker, bound, task);
        }
        let reached = walker.parked.iter().map(|state| bound_at(&walker.machine, state).unwrap_or(bound)).min().unwrap_or(bound);
        End::Unknown(Reason::BoundReached(format!("{reached} iterations of a loop or nested calls")))
    }

    fn outcome(&self, task: &Task, mut walker: Walker<'_>, end: End, bound: u64) -> Outcome {
        let tally = walker.tally.clone();
        let refutations = walker.machine.oracle().map(|oracle| oracle.refutations().clone()).unwrap_or_default();
        let proof = Rc::new(Proof::UnwindingComplete { bound, books: tally.books(), refutations });
        let verdict = |property: Property| match &end {
            End::Violated(trace) if trace.violation.property == property => Verdict::Violated(trace.clone()),
            End::Violated(_) => Verdict::Unknown(Reason::NotReached),
            End::Complete => Verdict::Holds(proof.clone()),
            End::Unknown(reason) => Verdict::Unknown(reason.clone()),
        };
        let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
        let mut statistics = Statistics::default();
        let machine = &mut walker.machine;
        let mut count = |name: &str, value: u64| statistics.counters.push((name.to_string(), value));
        count("bound", bound);
        count("states made", tally.started);
        count("states that ended", tally.ended);
        count("states merged", tally.merged);
        count("joins refused", tally.apart);
        count("states that met an equal one", tally.repeated);
        count("most places with states", tally.most_states as u64);
        count("statements", machine.statistics.statements);
        count("branches", machine.statistics.branches);
        count("terms", machine.store.len() as u64);
        let ledger = machine.ledger.clone();
        if let Some(oracle) = machine.oracle() {
            add_solver_counters(oracle, &mut statistics);
        }
        // Freeing a million states takes seconds that a run out of time doesn't have.
        walker.forget();
        Outcome { verdicts, ledger, statistics }
    }
}

/// The bound of the loop at whose head a state stands, if it has one of its own.
fn bound_at(machine: &Machine, state: &State) -> Option<u64> {
    let frame = state.frame();
    let is_head = machine.code.procs[frame.proc as usize].blocks[frame.block as usize].is_loop_head;
    machine.unwinding().filter(|_| is_head)?.bounds.get(&(frame.proc, frame.block)).copied()
}

/// The next bound: small ones one by one, then in steps that grow, because what follows a loop is run once a step.
fn raised(bound: u64) -> u64 {
    bound.saturating_add((bound / 2).max(1))
}

fn unknown(task: &Task, reason: &Reason) -> Outcome {
    let verdicts = task.properties.iter().map(|&property| (property, Verdict::Unknown(reason.clone()))).collect();
    Outcome { verdicts, ledger: Default::default(), statistics: Statistics::default() }
}
