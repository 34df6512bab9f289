//! The engine `modular`: what it can do, and how a task becomes a proof.

use crate::search::Search;
use fathom_engine::{Capabilities, Cx, Engine, Interference, Language, Outcome, Proof, Reason, Statistics, Task, Verdict};
use fathom_flat::{ErrorKind, Form, Target, flatten};
use fathom_inductive::{Limits, Queries, System, samples};
use fathom_ir::{Assumption, Ledger, Property};
use std::rc::Rc;
use std::time::Duration;

/// Facts about each thread that no other thread breaks.
pub struct Modular {
    /// How much is guessed.
    pub limits: Limits,
}

impl Default for Modular {
    fn default() -> Self {
        // There are few samples of what threads do together, so that more facts are left to begin with.
        Modular { limits: Limits { facts: 400, constants: 20, ..Limits::default() } }
    }
}

impl Engine for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn capabilities(&self) -> Capabilities {
        let about = "facts about each of any number of threads that the steps of the others keep";
        Capabilities {
            decides: Property::is_asserted,
            answers_in_part: true,
            threads: true,
            sees_faults: false,
            refutes: false,
            languages: &[Language::C],
            ..Capabilities::usual(about)
        }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let time = self.limits.query_time;
        let mut queries = Queries { backend: (cx.backend)(), budget: &cx.budget, query_time: time, calls: 0, time: Duration::ZERO };
        let proved = self.prove(task, cx, &mut queries, &mut outcome.statistics).map(|(interference, ledger)| {
            outcome.ledger = ledger;
            Rc::new(Proof::Interference(Rc::new(interference)))
        });
        for &property in &task.properties {
            let verdict = match &proved {
                _ if !property.is_asserted() => Verdict::Unknown(Reason::NotAsked("modular decides assertions alone".to_string())),
                Ok(proof) => Verdict::Holds(proof.clone()),
                Err(reason) => Verdict::Unknown(reason.clone()),
            };
            outcome.verdicts.insert(property, verdict);
        }
        outcome.statistics.counters.push(("smt calls".to_string(), queries.calls));
        outcome.statistics.solver_time = queries.time;
        outcome
    }
}

impl Modular {
    fn prove(
        &self,
        task: &Task,
        cx: &Cx<'_>,
        queries: &mut Queries<'_>,
        statistics: &mut Statistics,
    ) -> Result<(Interference, Ledger), Reason> {
        let limits = &self.limits;
        let show = |loc| task.program.files.show(loc);
        let flat = flatten(&task.program, &task.properties, Form::Interleaved)
            .map_err(|not| Reason::Unsupported { what: not.what, location: show(not.loc) })?;
        let system = System::of(&flat, limits).ok_or_else(|| Reason::BoundReached(format!("{} segments", limits.segments)))?;
        let mut count = |name: &str, value: usize| statistics.counters.push((name.to_string(), value as u64));
        count("blocks", flat.blocks.len());
        count("cut points", system.cuts.len());
        count("segments", system.segments.len());
        tracing::debug!(blocks = flat.blocks.len(), cuts = system.cuts.len(), segments = system.segments.len(), "flat");
        system.log();
        let mut seen = samples(&system, limits, cx.seed);
        let mut search = Search::of(&system, limits, queries, &mut seen);
        let stopped = || cx.budget.exhausted().map_or(Reason::Undecided("no facts were found that last".to_string()), Reason::Stopped);
        search.run().ok_or_else(stopped)?;
        count("pairs of places", search.together.len());
        for (number, segment) in system.segments.iter().enumerate() {
            let Target::Error(error) = segment.to else { continue };
            if !search.is_reached(segment.from) || search.excludes(number) {
                continue;
            }
            let error = &flat.errors[error];
            let location = show(error.loc);
            return Err(match &error.kind {
                ErrorKind::Unsupported(what) => Reason::Unsupported { what: what.clone(), location },
                ErrorKind::Undefined { what, .. } => Reason::Undefined { what: what.clone(), location },
                ErrorKind::Violation { message, .. } => Reason::Undecided(format!("whether this can happen: {message} at {location}")),
                ErrorKind::Within(name) => Reason::Unsupported { what: format!("the recursive procedure {name}"), location },
            });
        }
        let mut ledger: Ledger = flat.assumptions.iter().cloned().collect();
        if flat.concurrent.as_ref().is_some_and(|concurrent| !concurrent.forks.is_empty()) {
            ledger.note(Assumption::SequentialConsistency);
        }
        Ok((search.proof(), ledger))
    }
}
