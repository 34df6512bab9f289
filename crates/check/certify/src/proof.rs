//! Checks proofs: the counts of started and ended paths must agree, and refutations are put to a second solver, as far
//! as time allows; the report says how many were not. A contradiction withdraws the verdict.

use crate::interfering;
use crate::partition;
use crate::ranked;
use crate::transformed::{Compared, Purpose, compare};
use fathom_base::Budget;
use fathom_engine::{Assurance, Books, Certificate, Explored, Proof, Reason, has_cycle};
use fathom_interpolants::ClaimGraph;
use fathom_ir::{Ledger, Program, Property};
use fathom_smt::{Backend, Oracle, OracleConfig, Refutations};
use fathom_term::pigeonhole;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

/// Time that is reserved for the rest of the run.
const SPARE: Duration = Duration::from_millis(300);

/// Time to ask another solver about the branches that an exploration did not follow: there may be a hundred thousand.
const BRANCHES_TIME: Duration = Duration::from_secs(4);

/// Time for one query about an interpolant.
const CLAIM_TIME: Duration = Duration::from_secs(1);

/// What a proof is about.
pub struct Question<'a> {
    pub program: &'a Rc<Program>,
    pub properties: &'a BTreeSet<Property>,
    /// What the engine assumed.
    pub ledger: &'a Ledger,
}

/// How the proof that this property holds was checked, or why it does not stand.
pub fn check(
    proof: &Proof,
    property: Property,
    question: &Question<'_>,
    backend: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) -> Result<Certificate, Reason> {
    let Question { program, properties, .. } = *question;
    let second = backend.map(|backend| &**backend);
    match proof {
        Proof::NothingToCheck if program.can_violate(property) => {
            Err(Reason::NotConfirmed(format!("there is something to check for {property}; please report this")))
        }
        Proof::NothingToCheck => Ok(Certificate { assurance: Assurance::Checked, notes: Vec::new() }),
        Proof::AllPathsEnded { explored, books, refutations } => {
            recount(books)?;
            let Books { started, ended, merged, repeated, .. } = books;
            let mut note = format!("recounted: {started} paths started, {ended} ended, none cut");
            if *merged > 0 {
                note += &format!("; {merged} became part of another");
            }
            if *repeated > 0 {
                note += &format!("; {repeated} ended in a state that another path had been followed from");
            }
            about_the_program(of_branches(vec![note], refutations, question, second, budget)?, explored, question)
        }
        Proof::Interpolated { books, refutations, graph, .. } => {
            recount_unmerged(books)?;
            let Books { started, ended, repeated: subsumed, .. } = books;
            let note =
                format!("recounted: {started} paths started, {ended} ended, none cut; {subsumed} ended where an interpolant covers them");
            let mut seen = Vec::new();
            if let (Some(graph), true) = (graph, *subsumed > 0) {
                seen.push(claims(graph, program, properties, backend, budget)?);
            }
            seen.push(recheck(refutations, program, second, budget)?);
            Ok(certificate(vec![note], seen))
        }
        Proof::AllPathsEnd { books, steps } => {
            recount_unmerged(books)?;
            let Books { started, ended, .. } = books;
            if has_cycle(steps) {
                return Err(Reason::NotConfirmed("the proof of termination has a cycle; please report this".into()));
            }
            let note = format!("recounted: {started} paths started, {ended} ended, none cut; none comes back to where it was");
            Ok(Certificate { assurance: Assurance::Recounted, notes: vec![note] })
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
            Ok(certificate(told.into_iter().collect(), [recheck(refutations, program, second, budget)?]))
        }
        Proof::UnwindingComplete { books, refutations, .. } | Proof::Inductive { books, refutations, .. } => {
            recount(books)?;
            let Books { started, ended, merged, .. } = books;
            let note = format!("recounted: {started} states made, {ended} ended, {merged} merged, none cut");
            Ok(certificate(vec![note], [recheck(refutations, program, second, budget)?]))
        }
        Proof::Ranked(ranking) => {
            let seen = ranked::check(ranking, program, properties, second, &share(budget))?;
            Ok(certificate(Vec::new(), [seen]))
        }
        Proof::Interference(interference) => {
            let seen = interfering::check(interference, program, properties, second, &share(budget))?;
            Ok(certificate(Vec::new(), [seen]))
        }
        Proof::Partition { joined, regions, summaries, .. } => {
            let claim = partition::Claim { property, regions, summaries, joined: *joined };
            let seen = partition::check(&claim, program, properties, second, &share(budget))?;
            Ok(certificate(Vec::new(), [seen]))
        }
    }
}

/// The certificate of an exploration: what a second solver says about the sides of branches that were not followed.
pub fn of_branches(
    notes: Vec<String>,
    refutations: &Refutations,
    question: &Question<'_>,
    second: Option<&dyn Backend>,
    budget: &Budget,
) -> Result<Certificate, Reason> {
    Ok(certificate(notes, [recheck(refutations, question.program, second, &budget.at_most(BRANCHES_TIME))?]))
}

/// What the certificate of an exploration says about the task's own program.
fn about_the_program(mut certificate: Certificate, explored: &Explored, question: &Question<'_>) -> Result<Certificate, Reason> {
    let (transformed, purpose, what) = match explored {
        Explored::Program => return Ok(certificate),
        // That a folded list stands for all that the program builds is not checked.
        Explored::FoldedLists => return Ok(Certificate { assurance: Assurance::Recounted, ..certificate }),
        Explored::Coarser(transformed) => (transformed, Purpose::Coarsen, "the coarser program"),
        Explored::CutLoops(transformed) => (transformed, Purpose::CutLoops, "the program with cut loops"),
    };
    let _phase = tracing::info_span!("compare").entered();
    let Compared { procedures, changed } = compare(question.program, transformed, purpose, question.properties, question.ledger)
        .map_err(|why| Reason::NotConfirmed(format!("{what} does not follow from the original: {why}; please report this")))?;
    certificate
        .notes
        .push(format!("{what} was compared with the original: {procedures} procedures, {changed} statements left out or weakened"));
    Ok(certificate)
}

/// The result of a check by the second solver: whether it decided every question, and a note for people.
pub struct Recheck {
    pub all: bool,
    pub note: String,
}

fn certificate(mut notes: Vec<String>, seen: impl IntoIterator<Item = Recheck>) -> Certificate {
    let mut assurance = Assurance::Checked;
    for Recheck { all, note } in seen {
        if !all {
            assurance = Assurance::Recounted;
        }
        notes.push(note);
    }
    Certificate { assurance, notes }
}

/// Proves what the interpolants claim once more, node by node.
fn claims(
    graph: &ClaimGraph,
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    second: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) -> Result<Recheck, Reason> {
    let Some(second) = second else {
        let note = format!("{} interpolants were not proved again: there is no second solver", graph.made);
        return Ok(Recheck { all: false, note });
    };
    let config = OracleConfig { query_time: CLAIM_TIME, ..OracleConfig::default() };
    let oracle = Oracle::new(program.terms.clone(), Box::new(second.clone()), config);
    let seen = fathom_interpolants::recheck(graph, program, properties, oracle, &share(budget));
    if let Some(why) = seen.wrong {
        return Err(Reason::NotConfirmed(format!("an interpolant is wrong: {why}; please report this")));
    }
    let (name, all) = (second.name(), graph.made);
    let note = match all - seen.proved {
        0 => format!("all {all} interpolants were proved again with {name}"),
        open => format!("{} of {all} interpolants were proved again with {name}; {open} were not decided", seen.proved),
    };
    Ok(Recheck { all: seen.proved == all, note })
}

/// Half of the time that is left.
fn share(budget: &Budget) -> Budget {
    let time = budget.remaining().map(|left| left.saturating_sub(SPARE) / 2);
    time.map_or_else(|| budget.clone(), |time| budget.at_most(time))
}

/// Whether the books balance.
fn recount(books: &Books) -> Result<(), Reason> {
    let Books { started, ended, merged, repeated, cut } = *books;
    if cut > 0 {
        return Err(Reason::BoundReached(format!("{cut} paths were cut")));
    }
    if started == 0 || started != ended + merged || repeated > ended {
        let counts =
            format!("{started} paths were started, {ended} ended, {repeated} of them in a repeated state, and {merged} were merged");
        return Err(Reason::NotConfirmed(format!("the books of the proof do not balance: {counts}; please report this")));
    }
    Ok(())
}

/// Where no path may become part of another.
fn recount_unmerged(books: &Books) -> Result<(), Reason> {
    recount(&Books { ended: books.ended, merged: 0, ..*books })
}

/// Puts the refutations to the second solver, in half of the time that is left.
fn recheck(refutations: &Refutations, program: &Program, second: Option<&dyn Backend>, budget: &Budget) -> Result<Recheck, Reason> {
    let all = refutations.len() as u64 + refutations.left_out;
    if all == 0 {
        return Ok(Recheck { all: true, note: "no solver was needed".to_string() });
    }
    let Some(second) = second else {
        let note = format!("{all} refutations were not checked by a second solver: there is none");
        return Ok(Recheck { all: false, note });
    };
    let budget = share(budget);
    let seen = refutations.recheck(&program.terms, second, &budget);
    let name = second.name();
    if seen.contradicted > 0 {
        return Err(Reason::NotConfirmed(format!("{name} found a model of what was refuted; please report this")));
    }
    let note = match seen.open {
        0 => format!("{name} confirmed all {all} refutations"),
        open => format!("{name} confirmed {} of {all} refutations; {open} were not decided in the time left", seen.confirmed),
    };
    Ok(Recheck { all: seen.open == 0, note })
}
