//! The engine `horn`: from a task to clauses, to their solution, to a proof.

use crate::back::Back;
use crate::clauses::{Clauses, clauses};
use crate::inductive::{Invariants, Steps};
use crate::limits::Limits;
use fathom_engine::{Capabilities, Cx, Engine, Outcome, Proof, Reason, Statistics, Task, Verdict};
use fathom_flat::{Flat, Form, flatten};
use fathom_ir::Property;
use fathom_smt::{HornAnswer, Why};
use fathom_term::Term;
use fathom_term::smtlib::Script;
use std::rc::Rc;

/// Horn clauses for a solver of such.
#[derive(Default)]
pub struct Horn {
    /// How far it goes.
    pub limits: Limits,
}

impl Engine for Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn capabilities(&self) -> Capabilities {
        let about = "Horn clauses over integers, solved by Spacer; their solution proved over bit-vectors";
        let decides = Property::is_asserted;
        Capabilities { decides, answers_in_part: true, sees_faults: false, refutes: false, ..Capabilities::usual(about) }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let flat = match flatten(&task.program, &task.properties, Form::Joined) {
            Ok(flat) => flat,
            Err(not) => {
                let location = task.program.files.show(not.loc);
                return unknown(task, &Reason::Unsupported { what: not.what, location });
            }
        };
        let mut statistics = Statistics::default();
        statistics.counters.push(("blocks".to_string(), flat.blocks.len() as u64));
        let mut reason = undecided("the clauses have no solution that holds of bit-vectors");
        for wraps in [false, true] {
            match self.attempt(&flat, wraps, cx, &mut statistics) {
                Ok(Some(regions)) => return proved(task, &flat, regions, statistics),
                Ok(None) => {}
                Err(why) => reason = why,
            }
            if let Some(stop) = cx.budget.exhausted() {
                reason = Reason::Stopped(stop);
                break;
            }
        }
        Outcome { statistics, ..unknown(task, &reason) }
    }
}

impl Horn {
    /// Invariants that exclude all error locations, if the clauses have a solution that says so.
    fn attempt(&self, flat: &Flat, wraps: bool, cx: &Cx<'_>, statistics: &mut Statistics) -> Result<Option<Invariants>, Reason> {
        let budget = match cx.budget.remaining() {
            Some(left) if !wraps => cx.budget.at_most(left * self.limits.without_wrapping / 100),
            _ => cx.budget.clone(),
        };
        let mut solver = (cx.horn)().ok_or_else(|| undecided("there is no solver of Horn clauses"))?;
        let Clauses { formulas, predicates } = clauses(flat, wraps);
        let functions: Vec<_> = predicates.iter().map(|predicate| predicate.function).collect();
        if tracing::enabled!(tracing::Level::TRACE) {
            let script = formulas.iter().fold(Script::new(&flat.terms).logic("HORN"), |script, &formula| script.assert(formula));
            tracing::trace!("the clauses:\n{}", script.to_text());
        }
        let solutions = match solver.solve(&formulas, &functions, &budget) {
            HornAnswer::Solved(solutions) => solutions,
            HornAnswer::Refuted => return Ok(None),
            HornAnswer::Unknown(Why::Budget) => return Ok(None),
            HornAnswer::Unknown(why) => return Err(undecided(&why.to_string())),
        };
        tracing::debug!(wraps, clauses = formulas.len(), "the clauses have a solution");
        let candidates = predicates.iter().zip(solutions).map(|(predicate, solution)| {
            let pairs = solution.parameters.iter().copied().zip(predicate.arguments.iter().copied());
            match flat.terms.const_bool(solution.body) {
                Some(false) => None,
                _ => Some(Back::new(&flat.terms, pairs, self.limits.widest).conjuncts(solution.body)),
            }
        });
        let mut candidates: Invariants = candidates.collect();
        // Runs start in any state.
        candidates[0] = Some(Vec::new());
        let backend = (cx.backend)();
        let mut steps = Steps { flat, backend: &*backend, budget: &cx.budget, query_time: self.limits.query_time, asked: 0 };
        let invariants = steps.inductive(candidates);
        let safe = invariants.filter(|invariants| steps.are_safe(invariants) == Some(true));
        statistics.counters.push(("steps that were proved".to_string(), steps.asked));
        Ok(safe)
    }
}

fn proved(task: &Task, flat: &Flat, invariants: Invariants, statistics: Statistics) -> Outcome {
    let regions: Vec<Vec<Vec<Term>>> = invariants.into_iter().map(|invariant| invariant.into_iter().collect()).collect();
    let labels = flat.labels(&regions);
    let proof = Rc::new(Proof::Partition { joined: true, regions: Rc::new(regions), summaries: Rc::default(), labels });
    let verdict = |&property: &Property| match property.is_asserted() {
        true => (property, Verdict::Holds(proof.clone())),
        false => (property, Verdict::Unknown(Reason::NotAsked("horn decides assertions, not memory safety or termination".to_string()))),
    };
    let verdicts = task.properties.iter().map(verdict).collect();
    Outcome { verdicts, ledger: flat.assumptions.iter().cloned().collect(), statistics }
}

fn undecided(why: &str) -> Reason {
    Reason::Undecided(why.to_string())
}

fn unknown(task: &Task, reason: &Reason) -> Outcome {
    let verdicts = task.properties.iter().map(|&property| (property, Verdict::Unknown(reason.clone()))).collect();
    Outcome { verdicts, ..Outcome::default() }
}
