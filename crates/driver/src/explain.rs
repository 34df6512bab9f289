//! Explanations of proofs. They are made in the process of the engine that found the proof, because the proof itself
//! stays there.

use crate::prepare::Prepared;
use fathom_engine::{Outcome, Proof, Verdict};
use fathom_explain::{Explained, Language, explain};
use fathom_ir::{Invariants, Property};
use fathom_report::{ProofReport, Report};
use std::rc::Rc;
use std::time::Duration;

/// What interval analysis may take.
const ANALYSIS_TIME: Duration = Duration::from_secs(5);

/// The proofs of an outcome.
pub(crate) fn proofs(outcome: &Outcome) -> impl Iterator<Item = (Property, &Rc<Proof>)> {
    outcome.verdicts.iter().filter_map(|(property, verdict)| match verdict {
        Verdict::Holds(proof) => Some((*property, proof)),
        Verdict::Violated(_) | Verdict::Unknown(_) => None,
    })
}

impl Prepared<'_> {
    /// What interval analysis knows of the program's loops; nothing if it takes too long.
    pub(crate) fn intervals(&self) -> Invariants {
        fathom_absint::invariants(&self.program, &self.budget.at_most(ANALYSIS_TIME)).unwrap_or_default()
    }

    /// Adds what each proof rests on. Properties that share a proof share the explanation.
    pub(crate) fn explain(&self, outcome: &Outcome, report: &mut Report) {
        let is_needed = |proof: &Proof| !matches!(proof, Proof::NothingToCheck);
        let needs_intervals = proofs(outcome).any(|(_, proof)| is_needed(proof));
        let intervals = if needs_intervals { self.intervals() } else { Invariants::default() };
        let what = Explained {
            program: &self.program,
            by_contracts: self.by_contracts.as_deref(),
            language: if self.compiled || self.config.input.contracts { Language::C } else { Language::Boogie },
            intervals: &intervals,
        };
        let mut known: Vec<(&Rc<Proof>, ProofReport)> = Vec::new();
        for (property, proof) in proofs(outcome).filter(|(_, proof)| is_needed(proof)) {
            let explained = match known.iter().find(|(other, _)| Rc::ptr_eq(other, proof)) {
                Some((_, explained)) => explained.clone(),
                None => explain(&what, proof),
            };
            if let Some(said) = report.properties.iter_mut().find(|said| said.property == property.name()) {
                said.proof = Some(explained.clone());
            }
            known.push((proof, explained));
        }
    }
}
