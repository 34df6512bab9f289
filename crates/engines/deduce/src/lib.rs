//! Proofs as deductive verifiers make them: loops are cut by their invariants, calls by contracts where the front end
//! offers that, and one formula per entry says that some assertion fails. It is built without enumerating paths and
//! left to the solver, which instantiates quantifiers by their triggers. (Barnett and Leino, Weakest-precondition of
//! unstructured programs, 2005.)
//!
//! If the formula is unsatisfiable, the program is proved; a model proves nothing, since invariants and contracts may
//! be too weak. So this engine never answers `false`. Where the invariants do not suffice, it guesses more (`guess`)
//! and keeps those that it can prove (`houdini`). Where a map is assumed to be injective, the formula gets an instance
//! of the pigeonhole theorem (`fathom_term::pigeonhole`), which solvers cannot prove themselves; the proof lists these
//! instances.

mod condition;
mod guess;
mod houdini;
mod limits;
mod passive;
mod swept;

use condition::{Condition, Formula};
use fathom_base::Budget;
use fathom_engine::{Capabilities, Cx, Depth, Engine, Language, Outcome, Progress, Proof, Reason, Statistics, Task, Verdict};
use fathom_ir::Program;
use fathom_smt::{Answer, Refutations, SolverError, Why};
use fathom_term::{Term, pigeonhole};
use guess::Candidate;
use houdini::{Houdini, Switches};
pub use limits::Limits;
use passive::{Fact, Passive};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

/// Where there are loops, a formula without guessed invariants gets a part of the time first, then guessing gets most of
/// the rest, and then the formula is asked about again.
fn first_try(budget: &Budget) -> Budget {
    budget.remaining().map_or_else(|| budget.clone(), |left| budget.at_most(left / 5))
}

fn for_guessing(budget: &Budget) -> Budget {
    budget.remaining().map_or_else(|| budget.clone(), |left| budget.at_most(left * 3 / 5))
}

/// Proofs by formulas, with invariants that are guessed.
#[derive(Clone, Debug, Default)]
pub struct Deduce {
    /// How far it goes.
    pub limits: Limits,
}

/// Why there is no proof.
type Failed = Reason;

impl Engine for Deduce {
    fn name(&self) -> &'static str {
        "deduce"
    }

    /// Invariants and contracts that do not prove a property do not refute it either.
    fn capabilities(&self) -> Capabilities {
        let about = "one formula per entry that an assertion fails, with loops cut by invariants and calls by contracts";
        Capabilities { languages: &[Language::Boogie], refutes: false, ..Capabilities::usual(about) }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let mut statistics = Statistics::default();
        let mut result = Err(Reason::NotAsked("there is nothing to deduce".into()));
        for program in task.by_contracts.iter().chain([&task.program]) {
            result = deduce(program, task, cx, &self.limits, &mut statistics);
            if result.is_ok() || cx.budget.exhausted().is_some() {
                break;
            }
        }
        if let (Err(_), Some(reason)) = (&result, cx.budget.exhausted()) {
            result = Err(Reason::Stopped(reason));
        }
        let result = result.map(Rc::new);
        let verdict = || match &result {
            Ok(proof) => Verdict::Holds(proof.clone()),
            Err(reason) => Verdict::Unknown(reason.clone()),
        };
        let verdicts = task.properties.iter().map(|&property| (property, verdict())).collect();
        let ledger = task.program.assumptions.iter().cloned().collect();
        Outcome { verdicts, ledger, statistics }
    }
}

fn deduce(program: &Program, task: &Task, cx: &Cx<'_>, limits: &Limits, statistics: &mut Statistics) -> Result<Proof, Failed> {
    let (loops, passive, mut formulas) = formulas(program, task)?;
    add_lemmas(program, &passive, &mut formulas);
    let mut refutations = Refutations::default();
    let mut questions = 0;
    let mut guessed: Option<Guessed<'_>> = None;
    let mut used: BTreeSet<Term> = BTreeSet::new();
    for (number, Formula { place, parts, lemmas, .. }) in formulas.iter().enumerate() {
        used.extend(lemmas);
        cx.progress.report(&Progress { depth: Some(Depth::Formula(number as u64 + 1, formulas.len() as u64)), ..Progress::default() });
        let begin = Instant::now();
        let budget = if loops > 0 { first_try(&cx.budget) } else { cx.budget.clone() };
        let answer = ask(program, parts, cx, &budget);
        statistics
            .add(Statistics { counters: vec![("formulas".into(), 1), ("formula parts".into(), parts.len() as u64)], ..Default::default() });
        let answer = answer.unwrap_or_else(|error| Answer::Unknown(error.into()));
        tracing::debug!(formula = number, parts = parts.len(), elapsed = ?begin.elapsed(), refuted = answer == Answer::Unsat, "formula");
        let is_open = answer == Answer::Unknown(Why::Budget);
        questions += match failure(answer, place) {
            None => {
                refutations.note(program.axioms.iter().chain(parts).copied());
                1
            }
            Some(reason) if loops == 0 => return Err(reason),
            Some(reason) => {
                let guessed = guessed.get_or_insert_with(|| Guessed::new(program, task, limits, !lemmas.is_empty()));
                used.extend(guessed.lemmas(place));
                let hurried = Cx { budget: if is_open { for_guessing(&cx.budget) } else { cx.budget.clone() }, ..*cx };
                let mut own = Refutations::default();
                match guessed.prove(place, &hurried, &mut own, statistics) {
                    Some(questions) => {
                        refutations.append(&own);
                        questions
                    }
                    None if is_open && ask(program, parts, cx, &cx.budget) == Ok(Answer::Unsat) => {
                        refutations.note(program.axioms.iter().chain(parts).copied());
                        1
                    }
                    None => return Err(reason),
                }
            }
        };
        statistics.solver_time += begin.elapsed();
    }
    let contracts = task.by_contracts.as_ref().is_some_and(|other| std::ptr::eq(Rc::as_ptr(other), program));
    Ok(Proof::Deduced { formulas: questions, loops, contracts, refutations, lemmas: used.into_iter().collect() })
}

/// Why a formula was not refuted.
fn failure(answer: Answer, place: &str) -> Option<Reason> {
    match answer {
        Answer::Unsat => None,
        Answer::Sat => Some(Reason::Undecided(format!("invariants and contracts do not prove {place}"))),
        Answer::Unknown(Why::Budget) => Some(Reason::Solver(format!("no answer in time about {place}"))),
        Answer::Unknown(why) => Some(Reason::Solver(format!("about {place}: {why}"))),
    }
}

/// How many loops were cut, the body about symbols, and what is to be refuted.
fn formulas(program: &Program, task: &Task) -> Result<(u64, Passive, Vec<Formula>), Failed> {
    let undecided = |why: &str| Reason::Undecided(why.to_string());
    let cut = fathom_passes::cut_loops(program).ok_or_else(|| undecided("a loop can't be cut by invariants"))?;
    let body = fathom_passes::inline_calls(&cut.program)
        .ok_or_else(|| undecided("calls are recursive or too many to be taken into one formula"))?;
    let values = passive::run(&program.terms, &body, &task.properties).ok_or_else(|| undecided("a statement has no passive form"))?;
    let formulas = Condition::new(&program.terms, &values).formulas();
    Ok((cut.loops as u64, values, formulas))
}

/// Adds the instances of theorems that what is assumed may be a premise of.
fn add_lemmas(program: &Program, passive: &Passive, formulas: &mut [Formula]) {
    let facts = passive.blocks.iter().flat_map(|block| &block.facts);
    let assumed = facts.filter_map(|fact| if let Fact::Assumed(condition) = fact { Some(*condition) } else { None });
    let assumed: Vec<Term> = assumed.collect();
    for formula in formulas {
        formula.lemmas = pigeonhole::instances(&program.terms, &assumed, &formula.parts);
        formula.parts.extend(&formula.lemmas);
    }
}

/// The program with guessed invariants.
struct Guessed<'a> {
    limits: &'a Limits,
    candidates: Vec<Candidate>,
    switches: Switches,
    /// None if the candidates have no place in it.
    instrumented: Option<(Program, Passive, Vec<Formula>)>,
}

impl<'a> Guessed<'a> {
    fn new(program: &Program, task: &Task, limits: &'a Limits, with_lemmas: bool) -> Self {
        let candidates = guess::candidates(program, limits);
        let switches = Switches::new(program, candidates.len());
        let program = houdini::instrument(program, &candidates, &switches, &task.properties);
        let instrumented = program.and_then(|program| {
            let (_, passive, mut formulas) = formulas(&program, task).ok()?;
            if with_lemmas {
                add_lemmas(&program, &passive, &mut formulas);
            }
            Some((program, passive, formulas))
        });
        Guessed { limits, candidates, switches, instrumented }
    }

    /// The lemmas of the formula about a place.
    fn lemmas(&self, place: &str) -> Vec<Term> {
        let formulas = self.instrumented.iter().flat_map(|(_, _, formulas)| formulas);
        formulas.filter(|formula| formula.place == place).flat_map(|formula| formula.lemmas.iter().copied()).collect()
    }

    /// Proves that the executions that begin at a place are right; says in how many questions.
    fn prove(&self, place: &str, cx: &Cx<'_>, refutations: &mut Refutations, statistics: &mut Statistics) -> Option<u64> {
        let (program, passive, formulas) = self.instrumented.as_ref()?;
        let formula = formulas.iter().find(|formula| formula.place == place)?;
        let mut houdini = Houdini::new(program, passive, formula, &self.candidates, &self.switches, self.limits, cx).ok()?;
        let proved = houdini.prove(refutations);
        statistics.add(Statistics { counters: vec![("guessed invariants".into(), houdini.kept() as u64)], ..Default::default() });
        proved.ok()?.then_some(houdini.questions())
    }
}

/// Whether the axioms and the parts of a formula have a model.
fn ask(program: &Program, formula: &[Term], cx: &Cx<'_>, budget: &Budget) -> Result<Answer, SolverError> {
    let mut solver = (cx.backend)().new_solver()?;
    for &part in program.axioms.iter().chain(formula) {
        solver.assert(part)?;
    }
    solver.only_refute();
    Ok(solver.check(&[], budget))
}
