//! Writes witnesses of answers: the path to a violation, or the invariants of proofs. Invariants are extracted in the
//! process of the engine that found the proof, and written by the process that reports the answer.

use crate::answer::Answer;
use crate::explain::proofs;
use crate::prepare::Prepared;
use crate::write::write_whole;
use fathom_engine::{Outcome, Proof};
use fathom_ir::{Invariants, Property};
use fathom_witness::{Claims, Form, Invariant, Task, Witness};
use std::collections::{BTreeMap, BTreeSet};

impl Prepared<'_> {
    /// The invariants behind each property that holds, if a witness was asked for.
    pub(crate) fn invariants(&self, outcome: &Outcome) -> BTreeMap<String, Vec<Invariant>> {
        if self.config.witness_out.is_empty() || !self.compiled {
            return BTreeMap::new();
        }
        let known = self.intervals();
        proofs(outcome).map(|(property, proof)| (property.to_string(), self.invariants_of(proof, known.clone()))).collect()
    }

    /// What interval analysis finds, and what the proof rests on beyond that. Induction proves its invariants for runs that use
    /// up k iterations; with k = 1 those that are true on the way into the loop hold in all.
    fn invariants_of(&self, proof: &Proof, mut found: Invariants) -> Vec<Invariant> {
        let program = &self.program;
        if let Proof::Inductive { k: 1, loops, .. } = proof {
            for (head, invariant) in loops.iter().flat_map(|(head, known)| known.iter().map(move |invariant| (*head, invariant))) {
                if invariant.cells.is_empty() && fathom_explain::holds_on_entry(program, head, invariant.condition) {
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
        let names: Vec<&str> = properties.iter().map(|property| property.property.as_str()).collect();
        if let Some((property, violation)) = properties.iter().find_map(|p| Some((p.property.as_str(), p.violation.as_ref()?))) {
            if property == Property::Termination.name() {
                return Err("neither form of witnesses can say where a run without end goes round".into());
            }
            let files = &answer.report.run.files;
            let segments = fathom_witness::waypoints(violation, files, property == Property::UnreachCall.name())?;
            // A witness names the question; that of a run for everything is no question of the competition.
            let question = if answer.report.run.unchecked.is_empty() { task(&names)? } else { task(&[property])? };
            return Ok(Witness { task: question, claims: Claims::Violation(segments) });
        }
        if answer.report.verdict != "true" {
            return Err("there is no witness, because not everything was decided".into());
        }
        let is_placed = |invariant: &&Invariant| answer.report.run.files.contains(&invariant.location.file_name);
        let invariants: BTreeSet<Invariant> = answer.invariants.values().flatten().filter(is_placed).cloned().collect();
        Ok(Witness { task: task(&names)?, claims: Claims::Correctness(invariants.into_iter().collect()) })
    }
}
