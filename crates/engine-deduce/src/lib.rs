//! Proofs as deductive verifiers make them: loops are cut by their invariants, calls by contracts where the front end
//! offers that, and one formula per entry says that some assertion fails. It is made without looking at single paths and
//! left to the solver, which finds its way by the quantifiers' triggers. (Barnett and Leino, Weakest-precondition of
//! unstructured programs, 2005.)
//!
//! A formula without a model is a proof; one with a model says nothing, since invariants and contracts may be too weak. So
//! this engine never calls a program wrong.

mod condition;
mod passive;

use condition::Condition;
use fathom_engine::{Cx, Engine, Ledger, Outcome, Progress, Proof, Reason, Statistics, Task, Verdict};
use fathom_ir::Program;
use fathom_smt::{Answer, Refutations, SolverError, Why};
use fathom_term::Term;
use std::rc::Rc;
use std::time::Instant;

pub struct Deduce;

/// Why there is no proof.
type Failed = Reason;

impl Engine for Deduce {
    fn name(&self) -> &'static str {
        "deduce"
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let mut statistics = Statistics::default();
        let mut result = Err(Reason::NotAsked("there is nothing to deduce".into()));
        for program in task.by_contracts.iter().chain([&task.program]) {
            result = deduce(program, task, cx, &mut statistics);
            if result.is_ok() || cx.budget.exhausted().is_some() {
                break;
            }
        }
        if let (Err(_), Some(reason)) = (&result, cx.budget.exhausted()) {
            result = Err(Reason::Stopped(reason));
        }
        let verdict = || match &result {
            Ok(proof) => Verdict::Holds(proof.clone()),
            Err(reason) => Verdict::Unknown(reason.clone()),
        };
        let verdicts = task.properties.iter().map(|&property| (property, verdict())).collect();
        let mut ledger = Ledger::default();
        task.program.assumptions.iter().for_each(|what| ledger.note(what.clone()));
        Outcome { verdicts, ledger, statistics }
    }
}

fn deduce(program: &Program, task: &Task, cx: &Cx<'_>, statistics: &mut Statistics) -> Result<Proof, Failed> {
    let undecided = |why: &str| Reason::Undecided(why.to_string());
    let cut = fathom_passes::cut_loops(program).ok_or_else(|| undecided("a loop can't be cut by invariants"))?;
    let body = fathom_passes::inline_calls(&cut.program)
        .ok_or_else(|| undecided("calls are recursive or too many to be taken into one formula"))?;
    let values = passive::run(&program.terms, &body, &task.properties).ok_or_else(|| undecided("a statement has no passive form"))?;
    let condition = Condition::new(&program.terms, &values);
    let formulas = condition.formulas();
    let mut refutations = Refutations::default();
    for (number, (place, formula)) in formulas.iter().enumerate() {
        cx.progress.report(&Progress { paths: number as u64, states: formulas.len() as u64, queries: number as u64 });
        let begin = Instant::now();
        let answer = ask(program, formula, cx);
        statistics.solver_time += begin.elapsed();
        statistics.add(Statistics { counters: vec![("formulas".into(), 1), ("formula parts".into(), formula.len() as u64)], ..Default::default() });
        match answer.unwrap_or_else(|error| Answer::Unknown(error.into())) {
            Answer::Unsat => refutations.note(program.axioms.iter().chain(formula).copied()),
            Answer::Sat => return Err(Reason::NotConfirmed(format!("invariants and contracts do not prove {place}"))),
            Answer::Unknown(Why::Budget) => return Err(Reason::Solver(format!("no answer in time about {place}"))),
            Answer::Unknown(why) => return Err(Reason::Solver(format!("about {place}: {why}"))),
        }
    }
    let contracts = task.by_contracts.as_ref().is_some_and(|other| std::ptr::eq(Rc::as_ptr(other), program));
    Ok(Proof::Deduced { formulas: formulas.len() as u64, loops: cut.loops as u64, contracts, refutations })
}

/// Whether the axioms and the parts of a formula have a model.
fn ask(program: &Program, formula: &[Term], cx: &Cx<'_>) -> Result<Answer, SolverError> {
    let mut solver = (cx.backend)().new_solver()?;
    for &part in program.axioms.iter().chain(formula) {
        solver.assert(part)?;
    }
    Ok(solver.check(&[], &cx.budget))
}
