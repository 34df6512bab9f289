//! Checks proofs: the counts of started and ended paths must agree, and what a solver refuted is put to a second solver, as
//! far as the time allows; how much was left is reported. A contradiction withdraws the verdict.

use crate::partition;
use fathom_base::Budget;
use fathom_interpolants::CoverGraph;
use fathom_engine::{Proof, Reason, has_cycle};
use fathom_ir::{Program, Property};
use fathom_smt::{Backend, Oracle, OracleConfig, Refutations};
use fathom_term::pigeonhole;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

/// Time that is reserved for the rest of the run.
const SPARE: Duration = Duration::from_millis(300);

/// Time for a solver to check what ranges of floats refuted. It is short: such queries are often too hard for solvers.
const RANGES_TIME: Duration = Duration::from_secs(4);

/// Time for one query about an interpolant.
const CLAIM_TIME: Duration = Duration::from_secs(1);

/// Notes for people, or why the proof does not stand.
pub fn check(
    proof: &Proof,
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    backend: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) -> Result<Vec<String>, Reason> {
    let second = backend.map(|backend| &**backend);
    match proof {
        Proof::AllPathsEnded { started, ended, merged, repeated, cut, refutations } => {
            balanced(*started, ended + merged, *cut)?;
            if repeated > ended {
                return Err(wrong_books(*started, *ended));
            }
            let mut note = format!("recounted: {started} paths started, {ended} ended, none cut");
            if *merged > 0 {
                note += &format!("; {merged} became part of another");
            }
            if *repeated > 0 {
                note += &format!("; {repeated} ended in a state that another path had been followed from");
            }
            if refutations.is_empty() {
                return Ok(vec![note]);
            }
            let seen = recheck(refutations, second, &budget.at_most(RANGES_TIME))?;
            Ok(vec![note, format!("of what ranges of floats refuted: {seen}")])
        }
        Proof::Interpolated { started, ended, covered, cut, refutations, graph, .. } => {
            balanced(*started, *ended, *cut)?;
            if covered > ended {
                return Err(wrong_books(*started, *ended));
            }
            let mut notes = vec![format!("recounted: {started} paths started, {ended} ended, none cut; {covered} ended where an interpolant covers them")];
            if let (Some(graph), true) = (graph, *covered > 0) {
                notes.push(claims(graph, program, properties, backend, budget)?);
            }
            notes.push(recheck(refutations, second, budget)?);
            Ok(notes)
        }
        Proof::AllPathsEnd { started, ended, cut, steps } => {
            balanced(*started, *ended, *cut)?;
            if has_cycle(steps) {
                return Err(Reason::NotConfirmed("paths may go round for ever; please report this".into()));
            }
            let note = format!("recounted: {started} paths started, {ended} ended, none cut; none comes back to where it was");
            Ok(vec![note])
        }
        Proof::Deduced { formulas, refutations, lemmas, .. } => {
            if !lemmas.iter().all(|&lemma| pigeonhole::is_instance(&program.terms, lemma)) {
                return Err(Reason::NotConfirmed("a lemma is no instance of its theorem; please report this".into()));
            }
            if refutations.len() as u64 + refutations.left_out != *formulas {
                return Err(Reason::NotConfirmed("formulas and refutations do not agree; please report this".into()));
            }
            let told = (!lemmas.is_empty()).then(|| {
                format!("{} instances of the pigeonhole theorem were used, which no solver proves; their form was checked", lemmas.len())
            });
            Ok(told.into_iter().chain([recheck(refutations, second, budget)?]).collect())
        }
        Proof::UnwindingComplete { started, ended, repeated, .. } if repeated > ended => {
            Err(wrong_books(*started, *ended))
        }
        Proof::UnwindingComplete { started, ended, merged, cut, refutations, .. }
        | Proof::Inductive { started, ended, merged, cut, refutations, .. } => {
            balanced(*started, ended + merged, *cut)?;
            let note = format!("recounted: {started} states made, {ended} ended, {merged} merged, none cut");
            Ok(vec![note, recheck(refutations, second, budget)?])
        }
        Proof::Partition { joined, regions, summaries } => Ok(vec![partition::check(regions, summaries, *joined, program, properties, second, &share(budget))?]),
    }
}

/// Proves what the interpolants claim once more, node by node.
fn claims(
    graph: &CoverGraph,
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    second: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) -> Result<String, Reason> {
    let Some(second) = second else {
        return Ok(format!("{} interpolants were not proved again: there is no second solver", graph.made));
    };
    let config = OracleConfig { query_time: CLAIM_TIME, ..OracleConfig::default() };
    let oracle = Oracle::new(program.terms.clone(), Box::new(second.clone()), config);
    let seen = fathom_interpolants::recheck(graph, program, properties, oracle, &share(budget));
    if let Some(why) = seen.wrong {
        return Err(Reason::NotConfirmed(format!("an interpolant is wrong: {why}; please report this")));
    }
    let (name, all) = (second.name(), graph.made);
    Ok(match all - seen.proved {
        0 => format!("all {all} interpolants were proved again with {name}"),
        open => format!("{} of {all} interpolants were proved again with {name}; {open} were not decided", seen.proved),
    })
}

/// Half of the time that is left.
fn share(budget: &Budget) -> Budget {
    let time = budget.remaining().map(|left| left.saturating_sub(SPARE) / 2);
    time.map_or_else(|| budget.clone(), |time| budget.at_most(time))
}

fn balanced(started: u64, ended: u64, cut: u64) -> Result<(), Reason> {
    if cut > 0 {
        return Err(Reason::BoundReached(format!("{cut} paths were cut")));
    }
    if started == 0 || started != ended {
        return Err(wrong_books(started, ended));
    }
    Ok(())
}

fn wrong_books(started: u64, ended: u64) -> Reason {
    Reason::NotConfirmed(format!("{started} paths were started but {ended} ended; please report this"))
}

/// Puts the refutations to the second solver, in half of the time that is left.
fn recheck(refutations: &Refutations, second: Option<&dyn Backend>, budget: &Budget) -> Result<String, Reason> {
    let all = refutations.len() as u64 + refutations.left_out;
    if all == 0 {
        return Ok("no solver was needed".to_string());
    }
    let Some(second) = second else {
        return Ok(format!("{all} refutations were not checked by a second solver: there is none"));
    };
    let budget = share(budget);
    let seen = refutations.recheck(second, &budget);
    let name = second.name();
    if seen.contradicted > 0 {
        return Err(Reason::Solver(format!("{name} found a model of what was refuted; please report this")));
    }
    Ok(match seen.open {
        0 => format!("{name} confirmed all {all} refutations"),
        open => format!("{name} confirmed {} of {all} refutations; {open} were not decided in the time left", seen.confirmed),
    })
}
