//! Witnesses of answers: the way to a violation, or the invariants of proofs. Invariants are taken where the proof is, in the
//! process of the engine that found it, and written by whoever tells the answer.

use crate::answer::Answer;
use crate::prepare::Prepared;
use crate::write::write_whole;
use fathom_engine::{Outcome, Proof, Verdict};
use fathom_ir::Property;
use fathom_witness::{Claims, Form, Invariant, Task, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What interval analysis may take.
const ANALYSIS_TIME: Duration = Duration::from_secs(5);

impl Prepared<'_> {
    /// The invariants behind each property that holds, if a witness was asked for.
    pub(crate) fn invariants(&self, outcome: &Outcome) -> BTreeMap<String, Vec<Invariant>> {
        if self.config.witness_out.is_empty() || !self.compiled {
            return BTreeMap::new();
        }
        let proofs = outcome.verdicts.iter().filter_map(|(property, verdict)| match verdict {
            Verdict::Holds(proof) => Some((*property, proof)),
            Verdict::Violated(_) | Verdict::Unknown(_) => None,
        });
        proofs.map(|(property, proof)| (property.to_string(), self.invariants_of(proof))).collect()
    }

    /// What interval analysis finds, and what the proof rests on beyond that. Induction proves its invariants for runs that use
    /// up k iterations; with k = 1 those that are true on the way into the loop hold in all.
    fn invariants_of(&self, proof: &Proof) -> Vec<Invariant> {
        let program = &self.program;
        let mut found = fathom_absint::invariants(program, &self.budget.at_most(ANALYSIS_TIME)).unwrap_or_default();
        if let Proof::Inductive { k: 1, loops, .. } = proof {
            for (head, invariant) in loops.iter().flat_map(|(head, known)| known.iter().map(move |invariant| (*head, invariant))) {
                if invariant.cells.is_empty() && fathom_witness::holds_on_entry(program, head, invariant.condition) {
                    found.add(head, invariant.clone());
                }
            }
        }
        fathom_witness::loop_invariants(program, found.at.iter().map(|(head, known)| (*head, known.as_slice())))
    }

    /// Writes the witnesses that were asked for.
    pub(crate) fn write_witnesses(&self, answer: &Answer) -> Result<(), String> {
        if self.config.witness_out.is_empty() {
            return Ok(());
        }
        let witness = self.witness(answer)?;
        for path in &self.config.witness_out {
            let form = Form::of(path).ok_or_else(|| format!("{}: no such form of witnesses", path.display()))?;
            write_whole(path, fathom_witness::write(&witness, form)?)?;
        }
        Ok(())
    }

    /// The witness of an answer, or why there is none.
    fn witness(&self, answer: &Answer) -> Result<Witness, String> {
        if !self.compiled {
            return Err("there are witnesses for C programs only".into());
        }
        let properties = &answer.report.properties;
        let task = |names: &[&str]| {
            let specification = fathom_witness::specification(&self.entry, names.iter().copied());
            Task::new(&answer.report.run.files, specification, &answer.report.run.data_model)
        };
        if let Some((property, violation)) = properties.iter().find_map(|p| Some((p.property.as_str(), p.violation.as_ref()?))) {
            let segments = fathom_witness::waypoints(violation, property == Property::UnreachCall.name());
            return Ok(Witness { task: task(&[property])?, claims: Claims::Violation(segments) });
        }
        if answer.report.verdict != "true" {
            return Err("there is no witness, because not everything was decided".into());
        }
        let names: Vec<&str> = properties.iter().map(|property| property.property.as_str()).collect();
        let invariants: BTreeSet<Invariant> = answer.invariants.values().flatten().cloned().collect();
        Ok(Witness { task: task(&names)?, claims: Claims::Correctness(invariants.into_iter().collect()) })
    }
}
