//! A search that can be split: which states are its own, which parts it hands on, and the checkpoints from which
//! another process can continue it.

use crate::frontier::Frontier;
use crate::limits::Limits;
use crate::path_tree::PathTree;
use crate::sharing::{Sharing, Standing};
use crate::tally::Tally;
use fathom_engine::{Part, Reason, Task};
use fathom_machine::{Machine, State};
use fathom_paths::Node;
use std::time::{Duration, Instant};

/// What a shared search knows of itself.
pub(crate) struct Shared {
    pub tree: PathTree,
    /// Why nothing can come of it any more.
    pub broken: Option<Reason>,
    /// What was there when it began.
    before: Standing,
    begun: Instant,
    /// When others were last asked what they want.
    asked: Option<Instant>,
    kept: Instant,
    keep_next: Duration,
    ask_every: Duration,
    ask_first: usize,
    keep_every: Duration,
    keep_share: u32,
}

impl Shared {
    pub fn new(standing: &Standing, limits: &Limits) -> Result<Self, String> {
        let seen = standing.tree.part(&standing.prefix)?;
        if seen.paths != standing.ended {
            return Err(format!("{} paths ended, but {} were counted", seen.paths, standing.ended));
        }
        let now = Instant::now();
        let tree = PathTree::new(&standing.tree)?;
        let &Limits { ask_every, ask_first, keep_every, keep_share, .. } = limits;
        let before = standing.clone();
        let keep_next = keep_every;
        Ok(Self { tree, broken: None, before, begun: now, asked: None, kept: now, keep_next, ask_every, ask_first, keep_every, keep_share })
    }

    /// What was done before, for the books of this search.
    pub fn before(&self) -> &Standing {
        &self.before
    }

    /// Whether there may be parts elsewhere: what is found here is then no answer about the whole.
    pub fn is_part(&self) -> bool {
        !self.before.prefix.is_empty() || self.tree.handed_on > 0
    }

    /// Whether this search explores everything, from the start.
    pub fn is_alone(&self) -> bool {
        !self.is_part() && self.before.ended == 0 && self.before.tree.0 == [Node::Open]
    }

    /// Hands on what is asked for, and notes what was done, if it is time to.
    pub fn look(&mut self, sharing: &dyn Sharing, frontier: &mut Frontier, machine: &mut Machine, tally: &Tally) {
        let is_first = self.asked.is_none() && frontier.len() >= self.ask_first;
        if is_first || self.asked.unwrap_or(self.begun).elapsed() >= self.ask_every {
            self.asked = Some(Instant::now());
            let wanted = sharing.wanted();
            // What was handed on is noted at once: who goes on from the note must not do it again.
            if wanted > 0 && self.hand_on(sharing, frontier, wanted) {
                return self.keep(sharing, machine, tally);
            }
        }
        if self.kept.elapsed() >= self.keep_next {
            self.keep(sharing, machine, tally);
        }
    }

    /// Of the states that wait those with the fewest decisions: most is left to do below them. The one that runs stays.
    fn hand_on(&mut self, sharing: &dyn Sharing, frontier: &mut Frontier, wanted: usize) -> bool {
        let before = self.tree.handed_on;
        let can_be = |state: &State| self.tree.can_be_handed_on(state.search.node);
        for state in frontier.take_shallowest(wanted, can_be) {
            let node = state.search.node;
            match sharing.hand_on(&self.tree.prefix(node)) {
                true => self.tree.hand_on(node),
                false => frontier.add(state),
            }
        }
        self.tree.handed_on > before
    }

    /// Notes what was done.
    pub fn keep(&mut self, sharing: &dyn Sharing, machine: &mut Machine, tally: &Tally) {
        // The tree does not tell a path that was given up from one that ended. Who goes on from an earlier note comes there again.
        if self.broken.is_some() || tally.cut > 0 || !tally.reasons.is_empty() || !tally.violated.is_empty() {
            return;
        }
        let begun = Instant::now();
        sharing.keep(&self.standing(machine, tally));
        self.kept = Instant::now();
        self.keep_next = self.keep_every.max(begun.elapsed() * self.keep_share);
    }

    fn standing(&self, machine: &mut Machine, tally: &Tally) -> Standing {
        let mut ledger = self.before.ledger.clone();
        ledger.merge(&machine.ledger);
        Standing {
            prefix: self.before.prefix.clone(),
            tree: self.tree.tree(),
            ended: tally.ended,
            repeated: tally.visited.repeated,
            refuted: self.before.refuted
                + machine.oracle().map_or(0, |oracle| oracle.refutations().len() as u64 + oracle.refutations().left_out),
            ledger,
        }
    }

    /// Whether something is left that nobody explores.
    pub fn has_open_places(&self) -> bool {
        self.tree.tree().0.contains(&Node::Open)
    }

    /// What is told of it when it is complete.
    pub fn part(&self, task: &Task, machine: &mut Machine, tally: &Tally) -> Part {
        let mut refutations = machine.oracle().map(|oracle| oracle.refutations().clone()).unwrap_or_default();
        refutations.left_out += self.before.refuted;
        Part {
            prefix: self.before.prefix.clone(),
            tree: self.tree.tree(),
            properties: task.properties.clone(),
            started: tally.started,
            ended: tally.ended,
            repeated: tally.visited.repeated,
            cut: tally.cut,
            refutations,
        }
    }
}
