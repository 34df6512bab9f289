//! The algorithm (LCTD, Fig. 2.5): find the frontier of an abstract error trace; ask for inputs that take a test over
//! it; run the test, or, if there are none, refine.
//!
//! Refinement beyond the paper: of the precondition only the parts are kept that the contradiction with the test's path
//! needs, which is still suitable (it contains the precondition, and no state that follows the path satisfies it). An exit that is
//! impossible from anywhere in its region is removed, from every region of the block that gives the same reason (section
//! 4.3 looks at the target alone). A predicate that split a region spreads backwards through blocks that leave its
//! variables alone, where it needs no solver.
//!
//! Every round either gets a test over the frontier or takes the exit away from the part of the region where the test is
//! (checked in `refine`), so the same question is never asked twice.

use crate::aims::{Aim, Question, aims};
use crate::config::DashConfig;
use crate::dash::decides;
use crate::paths::Path;
use crate::regions::{RegionId, Regions};
use crate::runs::Run;
use crate::search::{Frontier, Goal, reachable, trace};
use crate::solving::{Asked, Questions};
use crate::spread::{doomed, forward_order};
use crate::summaries::Knowledge;
use fathom_base::{FxMap, FxSet};
use fathom_engine::{Cx, Progress, Reason, Reasons, Task, Trace};
use fathom_flat::Flat;
use fathom_ir::Property;
use fathom_term::{Sort, Term, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Counters {
    pub solve_runs: u64,
    pub unsat_targets: u64,
    pub refinements: u64,
}

pub struct Session<'a> {
    pub config: &'a DashConfig,
    pub flat: &'a Flat,
    /// None: about the program.
    pub question: Option<Question>,
    pub aims: Vec<Aim>,
    pub start: usize,
    /// A test answered the question with yes.
    pub refuted: bool,
    pub knowledge: &'a RefCell<Knowledge>,
    /// Summaries that something was taken away for.
    pub uses: BTreeSet<usize>,
    /// Questions around this one.
    pub depth: u32,
    pub most_refinements: Option<u64>,
    /// Refinements for the question and those that it leads to, and what others had done before it.
    pub most_work: u64,
    pub work_before: u64,
    /// The inputs of the first test, in place of small numbers.
    pub seed: Option<Vec<(Sort, Value)>>,
    pub regions: Regions,
    /// See `spread`.
    pub order: Vec<usize>,
    pub doomed: Vec<bool>,
    pub runs: Vec<Run>,
    pub paths: Vec<Path>,
    pub questions: Questions<'a>,
    /// Places that are still of interest.
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
    pub fn new(
        config: &'a DashConfig,
        flat: &'a Flat,
        question: Option<Question>,
        knowledge: &'a RefCell<Knowledge>,
        depth: u32,
        cx: &'a Cx<'_>,
    ) -> Session<'a> {
        let start = question.as_ref().map_or(0, |question| flat.procedures[question.procedure].start);
        Session {
            config,
            regions: Regions::new(flat, config.limits.members),
            order: forward_order(flat, start),
            doomed: doomed(flat),
            active: vec![true; flat.places.len()],
            aims: aims(flat, question.as_ref()),
            start,
            question,
            refuted: false,
            knowledge,
            uses: BTreeSet::new(),
            depth,
            most_refinements: config.max_refinements,
            most_work: u64::MAX,
            work_before: knowledge.borrow().work.refinements,
            seed: None,
            flat,
            runs: Vec::new(),
            paths: Vec::new(),
            questions: Questions { backend: (cx.backend)(), budget: &cx.budget, asked: Asked::default(), limits: &config.limits },
            stuck: FxSet::default(),
            hops: FxMap::default(),
            counters: Counters::default(),
            reasons: Reasons::default(),
            violated: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// What a question says about the start of a call stays true or false through all of it: calls that it does not ask
    /// about get regions of their own from the beginning, from which nothing leads to an aim.
    fn set_others_apart(&mut self) {
        let flat = self.flat;
        let Some(question) = self.question.as_ref().filter(|question| !question.before.is_empty()) else { return };
        let asked = flat.terms.and_all(question.before.iter().copied());
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
        for aim in &self.aims {
            sides.get(&aim.block).into_iter().for_each(|&(other, _)| self.regions.close(other, aim.exit));
        }
    }

    /// Answers a question about a procedure: the partition, if the answer is no.
    pub fn answer(&mut self, task: &Task, cx: &Cx<'_>) -> Option<Vec<Vec<Vec<Term>>>> {
        let stop = self.search(task, cx);
        let no = matches!(stop, Stop::NoTrace) && !self.refuted && self.reasons.is_empty() && self.stuck.is_empty();
        no.then(|| self.partition())
    }

    pub fn partition(&self) -> Vec<Vec<Vec<Term>>> {
        let reached = reachable(self.flat, &self.regions, self.start);
        reached.iter().map(|leaves| leaves.iter().map(|&leaf| self.regions.get(leaf).literals.clone()).collect()).collect()
    }

    pub fn search(&mut self, task: &Task, cx: &Cx<'_>) -> Stop {
        self.set_others_apart();
        // Recursive procedures are known by their calls: a few more of them cost little.
        let most = match self.question {
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
            if self.question.is_none()
                && task
                    .properties
                    .iter()
                    .filter(|property| decides(**property))
                    .all(|property| self.violated.contains_key(property) || self.refused.contains_key(property))
            {
                return Stop::NoTrace;
            }
            let (found, hops) = trace(&self.regions, &self.aims, &self.active, &self.stuck);
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
                let progress =
                    Progress { paths: self.runs.len() as u64, states: self.regions.count() as u64, queries: self.questions.asked.calls };
                cx.progress.report(&progress);
            }
        }
    }

    /// Refinements that are left for this question and those that it leads to.
    pub fn work_left(&self) -> u64 {
        let done = self.knowledge.borrow().work.refinements - self.work_before + self.counters.refinements;
        self.most_work.saturating_sub(done)
    }

    /// What grows when regions are split or lose exits, or when a failure is told.
    fn mark(&self) -> [u64; 3] {
        [self.regions.splits, self.regions.removed, (self.violated.len() + self.refused.len()) as u64]
    }

    /// Whether the frontier is another one now: a test is beyond it, the abstraction is finer, or nobody will try it again.
    fn moved(&self, found: &Frontier, before: &[u64; 3]) -> bool {
        let beyond = match found.to {
            Goal::Region(to) => self.regions.is_visited(to),
            Goal::Aim(aim) => self.aims[aim].place.is_some_and(|place| !self.active[place]),
        };
        beyond || self.refuted || self.mark() != *before || self.stuck.contains(found) || self.questions.budget.exhausted().is_some()
    }
}
