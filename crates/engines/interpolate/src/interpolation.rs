//! Interpolation (TracerX): symbolic execution that avoids exploring similar subtrees again. It observes the
//! exploration: where a stretch of a path ends (at a fork, a loop head or a join, or at the end of the path), nodes are
//! added to the tree. When a subtree has been explored, the condition under which nothing fails in it is stored in a
//! table; a state that satisfies an entry for its location is not followed.
//!
//! Why this is sound. An interpolant claims for every state that satisfies it: each run from there follows one of the
//! node's stretches and ends without a failure, or reaches a state that satisfies the interpolant of a child
//! (`backwards`). A failing run would therefore reach a node whose own stretch fails, and no such node has an
//! interpolant: if a subtree was cut, abandoned, violated or left undecided, no node above it gets one.

use crate::audit::Sample;
use crate::config::InterpolateConfig;
use crate::drawing::Drawing;
use crate::limits::Limits;
use crate::series::Series;
use crate::table::Table;
use crate::tree::{Closed, Fate, Tree, note_subsumption};
use fathom_base::{FxMap, Loc};
use fathom_engine::{Books, Proof, Statistics, TreeEnd};
use fathom_interpolants::{Label, point_of};
use fathom_machine::{Machine, PathEnd, State};
use fathom_search::{Follow, Pruning, Stretch, Twins, UNTRACKED};
use fathom_smt::Refutations;
use std::rc::Rc;

/// What a remembered head of a loop takes, with the label that it keeps alive, roughly.
const HEAD_BYTES: usize = 2048;

/// The tree, the table of interpolants, and what is needed to say what they were good for.
pub struct Interpolation {
    limits: Rc<Limits>,
    tree: Tree,
    table: Table,
    refutations: Refutations,
    /// Of the states that were not followed, those that were equal to a node's.
    repeated: u64,
    guessed: u64,
    interpolants: u64,
    /// Nodes at loop heads, by what decides how their states go on.
    heads: FxMap<u128, (u32, Label)>,
    most_heads: usize,
    /// Under bounds an equal state may go further than the first.
    is_bounded: bool,
    sample: Option<Sample>,
    drawn: Option<Drawing>,
    /// The first head of a loop that a path came to.
    first_head: Option<Closed>,
    /// Bytes of the table over time, if they are to be written out.
    series: Option<Series>,
}

impl Interpolation {
    /// Learning that has seen no path yet.
    pub fn new(config: &InterpolateConfig, is_bounded: bool, machine: &mut Machine) -> Self {
        machine.log_questions();
        let limits = Rc::new(config.limits.clone());
        Interpolation {
            tree: Tree::new(config.only_cores, limits.clone()),
            table: Table::new(config.table_bytes, limits.clone()),
            refutations: Refutations::default(),
            repeated: 0,
            guessed: 0,
            interpolants: 0,
            heads: FxMap::default(),
            most_heads: (config.table_bytes / HEAD_BYTES).max(1024),
            is_bounded,
            sample: config.audit.then(|| Sample::new(limits.clone())),
            drawn: config.draw.then(|| Drawing::new(limits.drawn)),
            first_head: None,
            series: config.series.then(|| Series::new(limits.points)),
            limits,
        }
    }

    /// Questions of a state that goes on in its stretch.
    fn went_on(&mut self, machine: &mut Machine, state: &State) {
        let asked = machine.take_questions();
        self.tree.add_questions(state.search.node, asked);
    }

    /// A stretch led to these states, the first of which is the one that ran, unless that ended. `whole`: nothing was left
    /// out on the way.
    fn stretch_ended(&mut self, machine: &mut Machine, state: &mut State, siblings: &mut [State], end: Option<&PathEnd>, whole: bool) {
        let node = state.search.node;
        self.went_on(machine, state);
        let first = if end.is_some() { None } else { Some(point_of(state)) };
        let points = std::iter::once(first).chain(siblings.iter().map(|sibling| Some(point_of(sibling)))).collect();
        self.tree.stretch_ended(node, points, state.search.steps);
        if node == UNTRACKED || !whole {
            // One lost child loses the node.
            self.settle(machine, node, 0, Fate::Lost);
            state.search.node = UNTRACKED;
            siblings.iter_mut().for_each(|sibling| sibling.search.node = UNTRACKED);
            self.forget(machine, node);
            return;
        }
        match end {
            Some(PathEnd::Finished | PathEnd::Discarded) => {
                self.draw_end(node, TreeEnd::Ended);
                self.settle(machine, node, 0, Fate::Ended);
            }
            Some(_) => self.settle(machine, node, 0, Fate::Lost),
            None => self.enter(machine, state, (node, 0)),
        }
        for (index, sibling) in siblings.iter_mut().enumerate() {
            self.enter(machine, sibling, (node, index + 1));
        }
    }

    fn enter(&mut self, machine: &mut Machine, state: &mut State, parent: (u32, usize)) {
        if state.threads.is_some() || !state.is_certain() || !state.path.verified {
            state.search.node = UNTRACKED;
            return self.settle(machine, parent.0, parent.1, Fate::Lost);
        }
        machine.put_known_values(state);
        // The state is compared at this node, so its next stretch begins with a step and not with another comparison.
        state.comparison.at_loop_head = false;
        let is_head = machine.is_at_loop_head(state);
        self.tree.enter(state, Some(parent), is_head);
        self.draw(machine, state, Some(parent.0));
    }

    /// Whether to follow a state that may equal that of a node at the head of a loop.
    fn follows_beside_equals(&mut self, machine: &mut Machine, state: &mut State, twins: Twins) -> Follow {
        if self.is_bounded || !machine.is_at_loop_head(state) {
            return Follow::Now;
        }
        let fingerprint = if self.affords_fingerprint(machine) { machine.fingerprint(state) } else { None };
        let Some(fingerprint) = fingerprint else {
            return self.tree.guessed_subsumer(state).map_or(Follow::Now, |by| self.guess(machine, state, by));
        };
        let known = self.heads.get(&fingerprint).cloned();
        // The label of one that is open elsewhere is a matter of time; guessing it would put all labels above in doubt.
        let known = match known {
            Some((by, _)) if by != state.search.node && self.tree.is_open_beside(by, state.search.node) => match twins {
                Twins::Wait => return Follow::Later,
                Twins::Go => None,
                Twins::LeaveOut => known,
            },
            known => known,
        };
        let Some((by, label)) = known else {
            if let Some(by) = self.tree.guessed_subsumer(state) {
                return self.guess(machine, state, by);
            }
            // Only a state that is followed itself may subsume others.
            if let Some(label) = self.tree.label(state.search.node) {
                self.forget_heads();
                self.heads.insert(fingerprint, (state.search.node, label));
            }
            return Follow::Now;
        };
        // This is the same state, which had been put off.
        if by == state.search.node {
            return Follow::Now;
        }
        self.repeated += 1;
        self.draw_end(state.search.node, TreeEnd::Subsumed(by));
        let settled = label.borrow().clone();
        let fate = match settled {
            _ if self.tree.can_subsume(by) => Fate::Subsumed { by, state: None },
            Some(interpolant) => Fate::Safe(interpolant),
            None => Fate::Lost,
        };
        self.leave(machine, state, fate)
    }

    /// Labels of nodes that are done for good are kept alive by these; where there are too many, they go.
    fn forget_heads(&mut self) {
        if self.heads.len() >= self.most_heads {
            let tree = &self.tree;
            self.heads.retain(|_, (node, _)| tree.label(*node).is_some());
            // The rest is needed. The limit is doubled, so that the table is not cleaned again and again for little.
            self.most_heads = self.most_heads.max(2 * self.heads.len());
        }
    }

    /// Fingerprints of states with many constraints cost more than all the rest; where none was ever found to be equal, only
    /// some states are compared.
    fn affords_fingerprint(&self, machine: &Machine) -> bool {
        let worth = self.tree.made * self.limits.node_worth + self.repeated * self.limits.repeat_worth;
        machine.counters.fingerprint_work < self.limits.free_fingerprints + worth
    }

    fn guess(&mut self, machine: &mut Machine, state: &mut State, by: u32) -> Follow {
        self.guessed += 1;
        self.draw_end(state.search.node, TreeEnd::Subsumed(by));
        let fate = Fate::Subsumed { by, state: Some(Rc::new(state.clone())) };
        self.leave(machine, state, fate)
    }

    fn leave(&mut self, machine: &mut Machine, state: &State, fate: Fate) -> Follow {
        if let Some(sample) = &mut self.sample {
            sample.offer(state);
        }
        if let Some((parent, child)) = self.tree.leave(state.search.node) {
            self.settle(machine, parent, child, fate);
        }
        Follow::Never
    }

    fn draw(&mut self, machine: &Machine, state: &State, parent: Option<u32>) {
        if let Some(drawn) = &mut self.drawn {
            drawn.node(state.search.node, parent, machine.place_of(state));
        }
    }

    fn draw_end(&mut self, node: u32, end: TreeEnd) {
        if let Some(drawn) = &mut self.drawn {
            drawn.end(node, end);
        }
    }

    fn forget(&mut self, machine: &mut Machine, node: u32) {
        if let Some((parent, child)) = self.tree.leave(node) {
            self.settle(machine, parent, child, Fate::Lost);
        }
    }

    fn settle(&mut self, machine: &mut Machine, node: u32, child: usize, fate: Fate) {
        for closed in self.tree.settle(machine, node, child, fate, &mut self.refutations) {
            self.interpolants += 1;
            if let (Some(drawn), Some(label)) = (&mut self.drawn, closed.label.borrow().as_ref()) {
                drawn.label(closed.number, label.describe(machine, &closed.point).join(" and "));
            }
            if machine.is_at_loop_head(&closed.start) && self.first_head.as_ref().is_none_or(|first| closed.number < first.number) {
                self.first_head = Some(closed.clone());
            }
            self.table.insert(closed);
            if let Some(series) = &mut self.series {
                series.note(&self.table);
            }
        }
    }

    /// Where the first loop begins: the place, what variables hold there and could hold without a violation (TracerX,
    /// Example 2.1: how tight the bounds of the assertions are).
    fn slack(&self, machine: &mut Machine) -> Option<(Loc, Vec<String>)> {
        let first = self.first_head.as_ref()?;
        let label = first.label.borrow().clone()?;
        let mut start = (*first.start).clone();
        let place = machine.place_of(&start);
        Some((place, label.slack(machine, &mut start, &first.point)))
    }

    fn counters(&self, pruned: u64) -> Vec<(String, u64)> {
        let mut counters = vec![
            ("tree nodes".to_string(), self.tree.made),
            ("interpolants".to_string(), self.interpolants),
            ("states covered by an interpolant".to_string(), pruned),
            ("states equal to one at a loop head".to_string(), self.repeated),
            ("states taken to repeat a loop".to_string(), self.guessed),
            ("rounds over loops".to_string(), self.tree.rounds),
            ("covered states explored after all".to_string(), self.tree.reopened),
            ("nodes in the tree".to_string(), self.tree.len() as u64),
            ("interpolants in the table".to_string(), self.table.len() as u64),
            ("most bytes in the table".to_string(), self.table.most_bytes as u64),
            ("interpolants dropped for memory".to_string(), self.table.evicted),
            ("comparisons with interpolants".to_string(), self.table.compared),
        ];
        let mut failures: Vec<_> = self.tree.failures.iter().collect();
        failures.sort();
        counters.extend(failures.into_iter().map(|(why, count)| (format!("no interpolant: {why}"), *count)));
        counters
    }
}

impl Pruning for Interpolation {
    fn begin(&mut self, machine: &Machine, state: &mut State) {
        self.tree.enter(state, None, false);
        self.draw(machine, state, None);
    }

    fn advanced(&mut self, machine: &mut Machine, state: &mut State, siblings: &mut [State], stretch: Stretch<'_>) {
        match stretch {
            Stretch::GoesOn => self.went_on(machine, state),
            Stretch::Paused => self.stretch_ended(machine, state, siblings, None, true),
            Stretch::Ended(end) => self.stretch_ended(machine, state, siblings, Some(end), true),
            Stretch::Cut(end) => self.stretch_ended(machine, state, siblings, end, false),
        }
    }

    fn follows(&mut self, machine: &mut Machine, state: &mut State, twins: Twins) -> Follow {
        if !self.tree.is_at_start(state) {
            return Follow::Now;
        }
        let Some(subsumer) = self.table.find(machine, state) else { return self.follows_beside_equals(machine, state, twins) };
        note_subsumption(machine, state, subsumer.shown, &mut self.refutations);
        self.draw_end(state.search.node, TreeEnd::Subsumed(subsumer.number));
        let fate = match subsumer.node {
            Some(by) if self.tree.can_subsume(by) => Fate::Subsumed { by, state: Some(Rc::new(state.clone())) },
            _ => Fate::Safe(subsumer.interpolant),
        };
        self.leave(machine, state, fate)
    }

    fn lose(&mut self, machine: &mut Machine, state: &State) {
        if let Some((parent, child)) = self.tree.leave(state.search.node) {
            self.settle(machine, parent, child, Fate::Lost);
        }
    }

    fn settle(&mut self, machine: &mut Machine) -> Option<Vec<State>> {
        self.tree.settle_loops(machine, &mut self.refutations)
    }

    fn audit(&self, machine: &mut Machine) -> Option<Result<u64, String>> {
        Some(self.sample.as_ref()?.audit(machine))
    }

    fn proof(&self, machine: &mut Machine, books: Books, refuted: &Refutations) -> Proof {
        let mut refutations = self.refutations.clone();
        refutations.append(refuted);
        Proof::Interpolated {
            books,
            labels: self.tree.labels(machine),
            slack: self.slack(machine),
            refutations,
            graph: self.tree.graph(machine).map(Rc::new),
        }
    }

    fn describe(&self, books: Books, statistics: &mut Statistics) {
        statistics.counters.extend(self.counters(books.repeated));
        statistics.tree = self.drawn.as_ref().map(Drawing::notes).unwrap_or_default();
        statistics.notes.extend(self.series.as_ref().map(Series::lines).unwrap_or_default());
    }
}
