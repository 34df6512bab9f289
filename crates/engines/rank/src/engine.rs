//! The engine `rank`: what it can do, and how a task becomes a proof.

use crate::limits::Limits;
use crate::measures::Overflow;
use crate::phases::{Known, Prover, Stuck};
use fathom_base::FxMap;
use fathom_engine::{Capabilities, Cx, Engine, Language, Outcome, Proof, Ranking, Reason, Statistics, Task, Verdict};
use fathom_flat::{ErrorKind, Flat, Form, Target, flatten};
use fathom_inductive::Guesses;
use fathom_inductive::Queries;
use fathom_inductive::System;
use fathom_inductive::inductive;
use fathom_inductive::samples;
use fathom_ir::{Assumption, Ledger, Property};
use fathom_term::Term;
use std::rc::Rc;
use std::time::Duration;

/// Termination by ranking functions.
#[derive(Default)]
pub struct Rank {
    /// How far it goes.
    pub limits: Limits,
}

/// What was found, and what it takes for granted.
struct Found {
    ranking: Ranking,
    ledger: Ledger,
}

impl Engine for Rank {
    fn name(&self) -> &'static str {
        "rank"
    }

    fn capabilities(&self) -> Capabilities {
        let about = "ranking functions with supporting invariants, for loops and recursion";
        let decides = |property| property == Property::Termination;
        Capabilities {
            decides,
            answers_in_part: true,
            refutes: false,
            sees_faults: false,
            languages: &[Language::C],
            ..Capabilities::usual(about)
        }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        for &property in &task.properties {
            let reason = Reason::NotAsked("rank decides termination alone".to_string());
            outcome.verdicts.insert(property, Verdict::Unknown(reason));
        }
        if task.properties.contains(&Property::Termination) {
            let mut queries = Queries {
                backend: (cx.backend)(),
                budget: &cx.budget,
                query_time: self.limits.guesses.query_time,
                calls: 0,
                time: Duration::ZERO,
            };
            let verdict = match self.prove(task, cx, &mut queries, &mut outcome.statistics) {
                Ok(Found { ranking, ledger }) => {
                    outcome.ledger = ledger;
                    Verdict::Holds(Rc::new(Proof::Ranked(Rc::new(ranking))))
                }
                Err(reason) => Verdict::Unknown(reason),
            };
            outcome.verdicts.insert(Property::Termination, verdict);
            outcome.statistics.counters.push(("smt calls".to_string(), queries.calls));
            outcome.statistics.solver_time = queries.time;
        }
        outcome
    }
}

impl Rank {
    fn prove(&self, task: &Task, cx: &Cx<'_>, queries: &mut Queries<'_>, statistics: &mut Statistics) -> Result<Found, Reason> {
        let limits = &self.limits.guesses;
        let show = |loc| task.program.files.show(loc);
        let flat = flatten(&task.program, &task.properties, Form::Endless)
            .map_err(|not| Reason::Unsupported { what: not.what, location: show(not.loc) })?;
        let mut system = System::of(&flat, limits).ok_or_else(|| Reason::BoundReached(format!("{} segments of loops", limits.segments)))?;
        let mut count = |name: &str, value: usize| statistics.counters.push((name.to_string(), value as u64));
        count("blocks", flat.blocks.len());
        count("cut points", system.cuts.len());
        count("segments", system.segments.len());
        tracing::debug!(blocks = flat.blocks.len(), cuts = system.cuts.len(), segments = system.segments.len(), "flat");
        system.log();
        let mut guesses = Guesses::of(&system, limits);
        let plain = self.attempt(&system, &guesses, task, cx, queries);
        // Most programs need nothing that holds for all elements of an array.
        match plain {
            Err(why) if cx.budget.exhausted().is_none() && guesses.add_laws(&mut system, limits) => {
                self.attempt(&system, &guesses, task, cx, queries).map_err(|_| why)
            }
            plain => plain,
        }
    }

    fn attempt(
        &self,
        system: &System<'_>,
        guesses: &Guesses,
        task: &Task,
        cx: &Cx<'_>,
        queries: &mut Queries<'_>,
    ) -> Result<Found, Reason> {
        let (limits, flat) = (&self.limits.guesses, system.flat);
        let mut seen = samples(system, limits, cx.seed);
        let stopped = || cx.budget.exhausted().map_or(Reason::Undecided("no invariants were found".to_string()), Reason::Stopped);
        let facts = inductive(system, guesses, &mut seen, queries, limits).ok_or_else(stopped)?;
        tracing::debug!(facts = facts.values().map(Vec::len).sum::<usize>(), calls = queries.calls, "invariants");
        let overflow = errors(system, &facts, queries, task)?;
        let assumes_no_overflow = !overflow.from.is_empty();
        let known = Known { at: facts.clone(), ..Known::default() };
        let left: Vec<usize> = system.inner().map(|(number, ..)| number).collect();
        let mut prover = Prover { system, queries, samples: &mut seen, limits: &self.limits, overflow: &overflow, told: Vec::new() };
        let phases = match prover.phases(&left, &known) {
            Ok(phases) => phases,
            Err(Stuck(heads)) => {
                let place = heads.iter().map(|&head| flat.blocks[head].loc).find(|loc| loc.is_known());
                let place = place.map_or("a loop".to_string(), |loc| format!("the loop at {}", task.program.files.show(loc)));
                let why = cx.budget.exhausted().map(Reason::Stopped);
                return Err(why.unwrap_or_else(|| Reason::Undecided(format!("no ranking function was found for {place}"))));
            }
        };
        let (told, rigid) = (prover.told, system.rigid.clone());
        let cuts: Vec<(usize, Vec<Term>)> = system.cuts.iter().map(|&cut| (cut, facts[&cut].clone())).collect();
        let labels = flat.labels_of_cuts(&cuts);
        let assumed = assumes_no_overflow.then_some(Assumption::OverflowEnds);
        let ledger = flat.assumptions.iter().cloned().chain(assumed).collect();
        Ok(Found { ranking: Ranking { cuts, rigid, phases, assumes_no_overflow, told, labels }, ledger })
    }
}

/// Where numbers may overflow, as far as the facts tell: runs that do are left out of the proof. An error if runs may come
/// to anything else that has no meaning here.
fn errors(system: &System<'_>, facts: &FxMap<usize, Vec<Term>>, queries: &mut Queries<'_>, task: &Task) -> Result<Overflow, Reason> {
    let flat: &Flat = system.flat;
    let mut overflow = Overflow::default();
    for (number, segment) in system.segments.iter().enumerate() {
        let Target::Error(error) = segment.to else { continue };
        let error = &flat.errors[error];
        let question = system.context(number, &facts[&segment.from]);
        let is_overflow = match &error.kind {
            ErrorKind::Undefined { property, .. } | ErrorKind::Violation { property, .. } => *property == Property::NoOverflow,
            _ => false,
        };
        // A run ends where it violates another property that is asked for.
        if !is_overflow && matches!(&error.kind, ErrorKind::Violation { property, .. } if *property != Property::Termination) {
            continue;
        }
        if is_overflow {
            overflow.note(system, segment);
        }
        if queries.refutes(flat, &question) {
            continue;
        }
        let location = task.program.files.show(error.loc);
        match &error.kind {
            _ if is_overflow => _ = overflow.from.insert(segment.from),
            ErrorKind::Unsupported(what) => return Err(Reason::Unsupported { what: what.clone(), location }),
            ErrorKind::Undefined { what, .. } => return Err(Reason::Undefined { what: what.clone(), location }),
            ErrorKind::Violation { message, .. } => {
                return Err(Reason::Undecided(format!("whether this can happen: {message} at {location}")));
            }
            ErrorKind::Within(_) => {}
        }
    }
    Ok(overflow)
}
