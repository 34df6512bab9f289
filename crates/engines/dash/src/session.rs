//! The algorithm (LCTD, Fig. 2.5): find the frontier of an abstract error trace; ask for inputs that take a test over
//! it; run the test, or, if there are none, refine.
//!
//! Refinement goes beyond the paper: only those conjuncts of the precondition are kept that contradict the test's path,
//! which is still suitable (it contains the precondition, and no state that follows the path satisfies it). An exit
//! that is impossible from its whole region is removed from every region of the block for which the same reason applies
//! (section 4.3 considers the target only). A predicate that split a region is propagated backwards through blocks that
//! do not change its variables, which needs no solver.
//!
//! Every round either finds a test that crosses the frontier, or removes the exit from the part of the region that
//! contains the test (checked in `refine`), so the same query is never asked twice.

use crate::config::DashConfig;
use crate::dash::decides;
use crate::objectives::{Objective, Subgoal, objectives};
use crate::paths::Path;
use crate::regions::{RegionId, Regions};
use crate::runs::Run;
use crate::search::{Frontier, Goal, reachable, trace};
use crate::solving::{Asked, Queries};
use crate::spread::{dead_ends, forward_order};
use crate::summaries::Summaries;
use fathom_base::{FxMap, FxSet};
use fathom_engine::{Cx, Depth, Progress, Reason, Reasons, Task, Trace};
use fathom_flat::Flat;
use fathom_ir::Property;
use fathom_term::{Sort, Term, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// How much work a session has done.
#[derive(Default)]
pub struct Counters {
    pub solve_runs: u64,
    pub unsat_targets: u64,
    pub refinements: u64,
}

/// The search for tests of, and a proof about, the program or one subgoal.
pub struct Session<'a> {
    pub config: &'a DashConfig,
    pub flat: &'a Flat,
    /// None: about the program.
    pub subgoal: Option<Subgoal>,
    pub objectives: Vec<Objective>,
    pub start: usize,
    /// A test answered the subgoal with yes.
    pub refuted: bool,
    pub summaries: &'a RefCell<Summaries>,
    /// Summaries that something was taken away for.
    pub uses: BTreeSet<usize>,
    /// How many subgoals this one is nested in.
    pub depth: u32,
    pub most_refinements: Option<u64>,
    /// Refinements for the subgoal and those that it leads to, and what others had done before it.
    pub most_work: u64,
    pub work_before: u64,
    /// The inputs of the first test, in place of small numbers.
    pub seed: Option<Vec<(Sort, Value)>>,
    pub regions: Regions,
    /// See `spread`.
    pub order: Vec<usize>,
    pub dead_ends: Vec<bool>,
    pub runs: Vec<Run>,
    pub paths: Vec<Path>,
    pub queries: Queries<'a>,
    /// Which error locations are still searched for, by their index.
    pub active: Vec<bool>,
    pub stuck: FxSet<Frontier>,
    /// How regions behind the frontier lead on.
    pub hops: FxMap<RegionId, Frontier>,
    pub counters: Counters,
    /// Why nothing is proved.
    pub reasons: Reasons,
    pub violated: BTreeMap<Property, Box<Trace>>,
    /// Violations of these were found but not confirmed.
    pub refused: BTreeMap<Property, Reason>,
}

/// Why the search is over.
pub enum Stop {
    NoTrace,
    Because(Reason),
}

impl<'a> Session<'a> {
    /// A session in which nothing has been tested.
    pub fn new(
        config: &'a DashConfig,
        flat: &'a Flat,
        subgoal: Option<Subgoal>,
        summaries: &'a RefCell<Summaries>,
        depth: u32,
        cx: &'a Cx<'_>,
    ) -> Session<'a> {
        let start = subgoal.as_ref().map_or(0, |subgoal| flat.procedures[subgoal.procedure].start);
        Session {
            config,
            regions: Regions::new(flat, config.limits.members),
            order: forward_order(flat, start),
            dead_ends: dead_ends(flat),
            active: vec![true; flat.errors.len()],
            objectives: objectives(flat, subgoal.as_ref()),
            start,
            subgoal,
            refuted: false,
            summaries,
            uses: BTreeSet::new(),
            depth,
            most_refinements: config.max_refinements,
            most_work: u64::MAX,
            work_before: summaries.borrow().work.refinements,
            seed: None,
            flat,
            runs: Vec::new(),
            paths: Vec::new(),
            queries: Queries { backend: (cx.backend)(), budget: &cx.budget, asked: Asked::default(), limits: &config.limits },
            stuck: FxSet::default(),
            hops: FxMap::default(),
            counters: Counters::default(),
            reasons: Reasons::default(),
            violated: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// What a subgoal says about the start of a call stays true or false through all of it: calls that it does not ask
    /// about get regions of their own from the beginning, from which nothing leads to an objective.
    fn set_others_apart(&mut self) {
        let flat = self.flat;
        let Some(subgoal) = self.subgoal.as_ref().filter(|subgoal| !subgoal.before.is_empty()) else { return };
        let asked = flat.terms.and_all(subgoal.before.iter().copied());
        let reached = |block: usize| block != self.start && self.order[block] > 0;
        let blocks: Vec<usize> = (0..flat.blocks.len()).filter(|&block| reached(block) && flat.keeps(block, asked)).collect();
        let mut sides: FxMap<usize, (RegionId, RegionId)> = FxMap::default();
        for &block in &blocks {
            let root = self.regions.root(block);
            sides.insert(block, self.regions.split(flat, root, flat.terms.not(asked), &mut |_| false));
        }
        for &block in &blocks {
            let (other, own) = sides[&block];
            for (exit, edge) in flat.blocks[block].edges.iter().enumerate() {
                if let Some(&(other_target, own_target)) = edge.target.block().and_then(|to| sides.get(&to)) {
                    self.regions.remove(other, exit, own_target);
                    self.regions.remove(own, exit, other_target);
                }
            }
        }
        for objective in &self.objectives {
            sides.get(&objective.block).into_iter().for_each(|&(other, _)| self.regions.close(other, objective.exit));
        }
    }

    /// Answers a subgoal about a procedure: the partition, if the answer is no.
    pub fn answer(&mut self, task: &Task, cx: &Cx<'_>) -> Option<Vec<Vec<Vec<Term>>>> {
        let stop = self.search(task, cx);
        self.log("a subgoal is over");
        let no = matches!(stop, Stop::NoTrace) && !self.refuted && self.reasons.is_empty() && self.stuck.is_empty();
        no.then(|| self.partition())
    }

    /// The regions of every block as conjunctions, for the proof.
    pub fn partition(&self) -> Vec<Vec<Vec<Term>>> {
        let reached = reachable(self.flat, &self.regions, self.start);
        reached.iter().map(|leaves| leaves.iter().map(|&leaf| self.regions.get(leaf).literals.clone()).collect()).collect()
    }

    /// Tests and refines until every objective is decided or nothing more can be done.
    pub fn search(&mut self, task: &Task, cx: &Cx<'_>) -> Stop {
        self.set_others_apart();
        // Recursive procedures are known by their calls: a few more of them cost little.
        let most = match self.subgoal {
            _ if self.flat.procedures.is_empty() => 1,
            None => self.config.limits.first_tests,
            Some(_) => self.config.limits.first_tests / 3,
        };
        let steps = self.config.limits.test_steps;
        match self.seed.take() {
            Some(inputs) => _ = self.test(&inputs, 0, steps, task, cx),
            None => (0..=most).for_each(|fallback| _ = self.test(&[], fallback, steps, task, cx)),
        }
        loop {
            if let Some(stopped) = cx.budget.exhausted() {
                return Stop::Because(Reason::Stopped(stopped));
            }
            if self.refuted {
                return Stop::NoTrace;
            }
            if self.subgoal.is_none()
                && task
                    .properties
                    .iter()
                    .filter(|property| decides(**property))
                    .all(|property| self.violated.contains_key(property) || self.refused.contains_key(property))
            {
                return Stop::NoTrace;
            }
            let (found, hops) = trace(&self.regions, &self.objectives, &self.active, &self.stuck);
            let Some(found) = found else { return Stop::NoTrace };
            self.hops = hops;
            if self.work_left() == 0 || self.most_refinements.is_some_and(|most| self.counters.refinements >= most) {
                return Stop::Because(Reason::BoundReached("refinement limit".to_string()));
            }
            self.counters.solve_runs += 1;
            let before = self.mark();
            self.extend(&found, task, cx);
            assert!(self.moved(&found, &before), "a round neither moved the frontier nor split a region on the trace");
            if self.counters.solve_runs.is_multiple_of(64) {
                cx.progress.report(&Progress {
                    depth: Some(Depth::Refinements(self.counters.refinements)),
                    paths: self.runs.len() as u64,
                    states: self.regions.count() as u64,
                    queries: self.queries.asked.calls,
                    coverage: None,
                });
                self.log("refined");
            }
        }
    }

    /// How far the session is. Depth 0 is the program's own, the others are subgoals.
    pub fn log(&self, event: &'static str) {
        let Counters { solve_runs, refinements, .. } = self.counters;
        let (tests, regions, queries) = (self.runs.len(), self.regions.count(), self.queries.asked.calls);
        tracing::debug!(depth = self.depth, tests, regions, refinements, solve_runs, queries, "{event}");
    }

    /// Refinements that are left for this subgoal and those that it leads to.
    pub fn work_left(&self) -> u64 {
        let done = self.summaries.borrow().work.refinements - self.work_before + self.counters.refinements;
        self.most_work.saturating_sub(done)
    }

    /// What grows when regions are split or lose exits, or when a failure is told.
    fn mark(&self) -> [u64; 3] {
        [self.regions.splits, self.regions.removed, (self.violated.len() + self.refused.len()) as u64]
    }

    /// Whether the frontier is another one now: a test is beyond it, the abstraction is finer, or it will not be tried again.
    fn moved(&self, found: &Frontier, before: &[u64; 3]) -> bool {
        let beyond = match found.to {
            Goal::Region(to) => self.regions.is_visited(to),
            Goal::Objective(objective) => self.objectives[objective].error.is_some_and(|error| !self.active[error]),
        };
        beyond || self.refuted || self.mark() != *before || self.stuck.contains(found) || self.queries.budget.exhausted().is_some()
    }
}
