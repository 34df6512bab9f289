//! Handles a frontier that no test crosses although it is not infeasible: a call that does not return in time. The
//! precondition of the trace after the call is propagated back through its regions, without a test, up to the call:
//! then either the test does not satisfy it, or it becomes a question about the procedure.
//!
//! Sound like every split: the part of a region outside of the precondition of an exit loses that exit.

use crate::search::{Frontier, Goal};
use crate::session::Session;
use crate::translate::without_inputs;
use fathom_base::FxSet;
use fathom_term::Term;

impl Session<'_> {
    /// Whether the target of the frontier was split.
    pub fn refine_behind(&mut self, found: &Frontier) -> bool {
        let Goal::Region(first) = found.to else { return false };
        let mut trace: Vec<Frontier> = Vec::new();
        let mut at = first;
        while let Some(&hop) = self.hops.get(&at) {
            trace.push(hop);
            match hop.to {
                Goal::Region(next) => at = next,
                Goal::Objective(_) => break,
            }
        }
        let mut target: Option<Goal> = None;
        let mut is_split = false;
        for hop in trace.into_iter().rev() {
            let to = target.unwrap_or(hop.to);
            is_split = false;
            let Some(predicate) = self.handed_back(&hop, to) else {
                target = None;
                continue;
            };
            if self.regions.get(hop.from).split.is_some() {
                return false;
            }
            match self.flat.terms.const_bool(predicate) {
                Some(false) => self.take_away(&[hop.from], hop.exit, to),
                Some(true) => {
                    target = None;
                    continue;
                }
                None => {
                    let runs = &self.runs;
                    let flat = self.flat;
                    let (yes, no) = self.regions.split(flat, hop.from, predicate, &mut |(test, step)| {
                        runs[test as usize].holds(flat, step, predicate).unwrap_or(false)
                    });
                    self.take_away(&[no], hop.exit, to);
                    target = Some(Goal::Region(yes));
                }
            }
            is_split = true;
        }
        is_split
    }

    /// What must hold in a region for its exit to lead there, or something weaker; None if that is large.
    fn handed_back(&self, hop: &Frontier, to: Goal) -> Option<Term> {
        let flat = self.flat;
        let literals = match to {
            Goal::Region(region) => self.regions.get(region).literals.clone(),
            Goal::Objective(objective) => self.objectives[objective].conditions.clone(),
        };
        let known = &self.regions.get(hop.from).literals;
        let needed = flat.before(self.regions.get(hop.from).block, hop.exit, &literals);
        let mut parts = without_inputs(flat, needed);
        parts.retain(|part| !known.contains(part));
        let predicate = flat.terms.and_all(parts);
        let mut seen: FxSet<Term> = FxSet::default();
        let mut open = vec![predicate];
        while let Some(term) = open.pop() {
            if seen.len() > self.config.limits.handed_back {
                return None;
            }
            if seen.insert(term) {
                open.extend(flat.terms.args(term));
            }
        }
        Some(predicate)
    }
}
