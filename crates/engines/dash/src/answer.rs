//! Turns the result of a search into verdicts, with the partition and the summaries as proof and the counters of LCTD's
//! tables.

use crate::dash::{beyond, decides};
use crate::guided::follows;
use crate::objectives::Subgoal;
use crate::session::{Session, Stop};
use crate::summaries::Summary;
use crate::tree;
use fathom_engine::{Cx, NotMay, Outcome, Proof, Reason, Statistics, Task, Verdict};
use fathom_ir::Property;
use std::rc::Rc;

impl Session<'_> {
    /// The answer of a session that is over.
    pub fn outcome(mut self, task: &Task, stop: Stop, cx: &Cx<'_>) -> Outcome {
        let ledger = self.flat.assumptions.iter().cloned().collect();
        if matches!(stop, Stop::NoTrace) && self.reasons.is_empty() {
            let real = || self.runs.iter().filter(|run| !run.is_computed);
            let (first, last) = (real().take(2), real().skip(2).collect::<Vec<_>>().into_iter().rev().take(2));
            if let Err(reason) = follows(self.flat, first.chain(last), task, cx, &self.config.limits) {
                self.reasons.note(reason);
            }
        }
        let proved = matches!(stop, Stop::NoTrace) && self.reasons.is_empty() && self.stuck.is_empty();
        let regions = Rc::new(self.partition());
        let summaries = self.summaries.borrow();
        let rests_on = summaries.closure(&self.uses);
        let proved = proved && rests_on.is_some();
        let summary = |number: usize| {
            let Summary { subgoal: Subgoal { procedure, before, after }, regions, .. } = &summaries.not_may[number];
            let name = self.flat.procedures[*procedure].name.clone();
            NotMay { procedure: *procedure, name, before: before.clone(), after: after.clone(), regions: regions.clone() }
        };
        let not_may: Rc<Vec<NotMay>> = Rc::new(rests_on.iter().flatten().map(|&number| summary(number)).collect());
        let mut statistics = Statistics::default();
        let mut count = |name: &str, value: u64| statistics.counters.push((name.to_string(), value));
        let work = &summaries.work;
        count("tests", self.runs.len() as u64 + work.tests);
        count("solve runs", self.counters.solve_runs + work.solve_runs);
        count("smt calls", self.queries.asked.calls + work.calls);
        count("unsat targets", self.counters.unsat_targets + work.unsat_targets);
        count("refinements", self.counters.refinements + work.refinements);
        count("questions about procedures", work.asked);
        count("summaries", not_may.len() as u64);
        count("blocks", self.flat.blocks.len() as u64);
        count("regions", self.regions.count() as u64);
        count("splits", self.regions.splits);
        count("edges removed", self.regions.removed);
        count("microseconds in the solver", (self.queries.asked.time + work.time).as_micros() as u64);
        statistics.solver_time = self.queries.asked.time + work.time;
        if self.config.tree {
            statistics.tree = tree::notes(self.flat, &self.regions);
        }
        drop(summaries);
        let joined = !self.config.plain;
        let Session { mut violated, mut refused, reasons, flat, .. } = self;
        let labels = if proved { flat.labels(&regions) } else { Vec::new() };
        let partition = Rc::new(Proof::Partition { joined, regions, summaries: not_may, labels });
        let mut verdict = |property: Property| {
            if let Some(trace) = violated.remove(&property) {
                return Verdict::Violated(trace);
            }
            if !decides(property) {
                return Verdict::Unknown(beyond());
            }
            if let Some(reason) = refused.remove(&property) {
                return Verdict::Unknown(reason);
            }
            match &stop {
                Stop::NoTrace if proved => Verdict::Holds(partition.clone()),
                Stop::Because(reason) if reasons.is_empty() => Verdict::Unknown(reason.clone()),
                _ => Verdict::Unknown(reasons.main()),
            }
        };
        let verdicts = task.properties.iter().map(|&property| (property, verdict(property))).collect();
        Outcome { verdicts, ledger, statistics }
    }
}

/// An outcome that is unknown, for this reason, for every property.
pub fn unknown(task: &Task, reason: &Reason) -> Outcome {
    let verdicts = task.properties.iter().map(|&property| (property, Verdict::Unknown(reason.clone()))).collect();
    Outcome { verdicts, ..Outcome::default() }
}
