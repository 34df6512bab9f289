//! The execution tree: a node is a state that others may be compared with (at the head of a loop, where paths join, on
//! one side of a fork), with the questions that the stretch behind it asked. When the last child of a node is done the
//! node gets its interpolant from theirs, its *label*.
//!
//! A state that equals, or satisfies the label of, a node that is not done yet (an ancestor: the path went round a loop)
//! is *subsumed* by that node, and asks nothing of its parent for the time being: labels above it are provisional.
//! `settle_loops` makes them right when nothing is left to explore, as lazy abstraction does (McMillan): subsumed states take
//! over the label of what subsumes them, which may strengthen the labels above, until nothing changes. Subsumed states that
//! do not satisfy the stronger label any more are explored after all. At the end every label follows from those of the
//! children: the labels of a loop head together are an inductive invariant, and no bound was needed. Nodes that no
//! loop goes through are freed as soon as they are done.

mod loops;

use crate::claims::Claims;
use crate::limits::Limits;
use crate::stretch::{Effort, Summary, interpolant};
use fathom_base::FxMap;
use fathom_interpolants::{Claim, ClaimGraph, Inexpressible, Interpolant, Label, Point, point_of};
use fathom_ir::{BlockId, LoopHead, LoopLabel, ProcId};
use fathom_machine::{Asked, Machine, State};
use fathom_smt::Refutations;
use fathom_term::Term;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What became of a child.
#[derive(Clone)]
pub enum Fate {
    Open,
    /// The path ended there without a violation.
    Ended,
    /// Its subtree was explored; what it needs.
    Safe(Rc<Interpolant>),
    /// The same, but that may change: loops lead out of its subtree.
    Node(u32),
    /// It satisfies the label of this node, or equals its state.
    Subsumed {
        by: u32,
        state: Option<Rc<State>>,
    },
    /// Nothing is known of what lies there.
    Lost,
}

/// A child of a node, and what became of it.
pub struct Child {
    /// None for the end of a path.
    pub(super) point: Option<Point>,
    fate: Fate,
}

/// A node of the execution tree: a state that others were forked from, or that was compared.
pub struct Node {
    parent: Option<(u32, usize)>,
    point: Point,
    is_head: bool,
    pub(super) start: Rc<State>,
    pub(super) log: Rc<Vec<Asked>>,
    pub(super) children: Vec<Child>,
    open: usize,
    pub(super) end_steps: u64,
    label: Label,
    /// Done for now; the label may still change.
    is_labelled: bool,
    /// The last head of a loop on the way here, and how many there were.
    last_head: Option<u32>,
    heads: u32,
    /// It was subsumed for a time, and is explored after all.
    is_reopened: bool,
    /// The stretch run again, for labels that change.
    pub(super) summary: Option<Box<Summary>>,
    /// Children of others that this node subsumes.
    subsumed: Vec<(u32, usize)>,
    changes: u32,
}

/// The execution tree of a search with interpolation.
pub struct Tree {
    limits: Rc<Limits>,
    nodes: BTreeMap<u32, Node>,
    next: u32,
    pub made: u64,
    /// Why interpolants could not be had, and how often.
    pub failures: FxMap<&'static str, u64>,
    /// Nodes whose label may not follow from those of their children.
    dirty: BTreeSet<u32>,
    /// Nodes whose label changed: what they subsume must be looked at again.
    changed: BTreeSet<u32>,
    pub rounds: u64,
    pub reopened: u64,
    /// See `InterpolateConfig`.
    only_cores: bool,
    /// Of nodes that are done for good.
    claims: Claims,
    root: Option<Rc<State>>,
}

/// A node whose subtree is done.
#[derive(Clone)]
pub struct Closed {
    pub point: Point,
    pub start: Rc<State>,
    pub label: Label,
    /// The node, if its label may change.
    pub node: Option<u32>,
    pub number: u32,
}

impl Tree {
    /// A tree with its root.
    pub fn new(only_cores: bool, limits: Rc<Limits>) -> Self {
        Tree {
            claims: Claims::new(limits.claims),
            limits,
            nodes: BTreeMap::new(),
            next: 0,
            made: 0,
            failures: FxMap::default(),
            dirty: BTreeSet::new(),
            changed: BTreeSet::new(),
            rounds: 0,
            reopened: 0,
            only_cores,
            root: None,
        }
    }

    /// A node for a state; the state carries its number from now on.
    pub fn enter(&mut self, state: &mut State, parent: Option<(u32, usize)>, is_head: bool) {
        let id = self.next;
        self.next += 1;
        self.made += 1;
        state.search.node = id;
        let above = parent.and_then(|(parent, _)| Some((parent, self.nodes.get(&parent)?)));
        let (last_head, heads) = match above {
            Some((parent, node)) if node.is_head => (Some(parent), node.heads + 1),
            Some((_, node)) => (node.last_head, node.heads),
            None => (None, 0),
        };
        let node = Node {
            parent,
            is_head,
            last_head,
            heads,
            is_reopened: false,
            point: point_of(state),
            start: Rc::new(state.clone()),
            log: Rc::default(),
            children: Vec::new(),
            open: 0,
            end_steps: state.search.steps,
            label: Label::default(),
            is_labelled: false,
            summary: None,
            subsumed: Vec::new(),
            changes: 0,
        };
        if parent.is_none() {
            self.root = Some(node.start.clone());
        }
        self.nodes.insert(id, node);
    }

    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds to what was asked on the stretch that ends at a node.
    pub fn add_questions(&mut self, node: u32, asked: Vec<Asked>) {
        if let Some(node) = self.nodes.get_mut(&node) {
            Rc::make_mut(&mut node.log).extend(asked);
        }
    }

    /// The stretch of a node is over: where it led to, in the order of the machine. `None` for a path that ended.
    pub fn stretch_ended(&mut self, node: u32, children: Vec<Option<Point>>, steps: u64) {
        if let Some(node) = self.nodes.get_mut(&node) {
            node.open = children.len();
            node.end_steps = steps;
            node.children = children.into_iter().map(|point| Child { point, fate: Fate::Open }).collect();
        }
    }

    /// Whether the node can subsume others: it is open, or has a label that may change.
    pub fn can_subsume(&self, node: u32) -> bool {
        self.nodes.get(&node).is_some_and(|node| !node.is_labelled || node.label.borrow().is_some())
    }

    /// A node on the way that a state at the head of a loop is taken to repeat, when the path has gone round so often that
    /// it may never end otherwise. Whether it does is found out when the label of that node is known.
    pub fn guessed_subsumer(&self, state: &State) -> Option<u32> {
        let node = self.nodes.get(&state.search.node)?;
        if !node.is_head || node.is_reopened || node.heads == 0 || node.heads % self.limits.guess_after != 0 {
            return None;
        }
        // In a loop that counts, states differ each time; it ends by itself and needs no guess.
        let counts = |head: &Node| head.start.search.plain_exits != state.search.plain_exits;
        let mut best: Option<(usize, u32)> = None;
        let mut at = node.last_head;
        for _ in 0..self.limits.guess_among {
            let Some((id, head)) = at.and_then(|id| Some((id, self.nodes.get(&id)?))) else { break };
            if head.point == node.point && !head.is_labelled {
                if best.is_none() && counts(head) && node.heads % self.limits.guess_after_counting != 0 {
                    return None;
                }
                let unlikeness = state.unlikeness(&head.start);
                if best.is_none_or(|(least, _)| unlikeness < least) {
                    best = Some((unlikeness, id));
                }
            }
            at = head.last_head;
        }
        best.map(|(_, id)| id)
    }

    /// Whether the subtree of a head of a loop is being explored, and a node is not in it.
    pub fn is_open_beside(&self, head: u32, node: u32) -> bool {
        if self.nodes.get(&head).is_none_or(|head| head.is_labelled) {
            return false;
        }
        let mut at = self.nodes.get(&node).and_then(|node| node.last_head);
        // Numbers descend on the way to the root.
        while let Some(id) = at.filter(|&id| id > head) {
            at = self.nodes.get(&id).and_then(|node| node.last_head);
        }
        at != Some(head)
    }

    /// The label of a node.
    pub fn label(&self, node: u32) -> Option<Label> {
        Some(self.nodes.get(&node)?.label.clone())
    }

    /// Takes a node out of the tree; its place at its parent.
    pub fn leave(&mut self, node: u32) -> Option<(u32, usize)> {
        let found = self.nodes.get_mut(&node)?;
        // Results of its children no longer concern this node.
        found.open = 0;
        let parent = found.parent;
        self.lose(node);
        parent
    }

    /// The node has no label. It is kept for those that it subsumes, and for the children that others subsume: whether they
    /// still do must be looked at as long as the run lasts.
    fn lose(&mut self, id: u32) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        *node.label.borrow_mut() = None;
        node.is_labelled = true;
        node.summary = None;
        let has_subsumed = node.children.iter().any(|child| matches!(child.fate, Fate::Subsumed { .. }));
        let subsumes = !node.subsumed.is_empty();
        if !subsumes && !has_subsumed {
            self.nodes.remove(&id);
        } else if subsumes {
            self.label_changed(id);
        }
    }

    fn label_changed(&mut self, id: u32) {
        self.changed.insert(id);
    }

    /// Whether a state stands where its node begins.
    pub fn is_at_start(&self, state: &State) -> bool {
        self.nodes.get(&state.search.node).is_some_and(|node| node.start.search.steps == state.search.steps && node.children.is_empty())
    }

    /// Says what became of a child, and closes what that closes; the closed nodes, innermost first.
    pub fn settle(&mut self, machine: &mut Machine, node: u32, child: usize, fate: Fate, refutations: &mut Refutations) -> Vec<Closed> {
        let mut closed = Vec::new();
        let (mut id, mut index, mut fate) = (node, child, fate);
        loop {
            if let Fate::Subsumed { by, .. } = &fate
                && let Some(subsumer) = self.nodes.get_mut(by)
            {
                subsumer.subsumed.push((id, index));
            }
            let Some(node) = self.nodes.get_mut(&id) else { break };
            let Some(child) = node.children.get_mut(index) else { break };
            if !matches!(child.fate, Fate::Open) {
                break;
            }
            child.fate = fate;
            if node.open == 0 {
                break;
            }
            node.open -= 1;
            if node.open > 0 {
                break;
            }
            let parent = node.parent;
            fate = self.close(machine, id, refutations, &mut closed);
            let Some((parent, at)) = parent else { break };
            (id, index) = (parent, at);
        }
        closed
    }

    /// The last child of the node is done.
    fn close(&mut self, machine: &mut Machine, id: u32, refutations: &mut Refutations, closed: &mut Vec<Closed>) -> Fate {
        if self.nodes.get(&id).is_some_and(|node| node.parent.is_none() && node.subsumed.is_empty()) {
            // No path comes back to the start of the program.
            self.nodes.remove(&id);
            return Fate::Lost;
        }
        let result = self.compute(machine, id, refutations);
        let Some(node) = self.nodes.get_mut(&id) else { return Fate::Lost };
        let again = std::mem::replace(&mut node.is_labelled, true);
        let provisional =
            !node.subsumed.is_empty() || node.children.iter().any(|child| matches!(child.fate, Fate::Node(_) | Fate::Subsumed { .. }));
        match result {
            Ok(interpolant) => {
                let interpolant = Rc::new(interpolant);
                *node.label.borrow_mut() = Some(interpolant.clone());
                if !again {
                    let label = node.label.clone();
                    closed.push(Closed {
                        point: node.point.clone(),
                        start: node.start.clone(),
                        label,
                        node: provisional.then_some(id),
                        number: id,
                    });
                }
                if provisional {
                    self.label_changed(id);
                    return Fate::Node(id);
                }
                if let Some(node) = self.nodes.remove(&id) {
                    let claims = &mut self.claims;
                    claims.add(|| claim(&node, |_| None));
                }
                Fate::Safe(interpolant)
            }
            Err(Inexpressible(why)) => {
                *self.failures.entry(why).or_default() += 1;
                self.lose(id);
                Fate::Lost
            }
        }
    }

    /// What the node needs, from what its children need now.
    fn compute(&mut self, machine: &mut Machine, id: u32, refutations: &mut Refutations) -> Result<Interpolant, Inexpressible> {
        let wants = self.wants(id)?;
        let keep = self.nodes.len() < self.limits.summaries;
        let node = self.nodes.get_mut(&id).ok_or(Inexpressible("a part of the subtree"))?;
        // A node that was labelled before will be labelled again, so what was computed for it is worth keeping.
        let keep = keep && node.is_labelled;
        interpolant(machine, node, &wants, refutations, Effort { keep, only_cores: self.only_cores, limits: &self.limits })
    }

    /// What the children need now.
    fn wants(&self, id: u32) -> Result<Vec<Option<Rc<Interpolant>>>, Inexpressible> {
        const PART: Inexpressible = Inexpressible("a part of the subtree");
        let node = self.nodes.get(&id).ok_or(PART)?;
        let mut wants = Vec::with_capacity(node.children.len());
        for child in &node.children {
            wants.push(match &child.fate {
                Fate::Ended => None,
                Fate::Safe(interpolant) => Some(interpolant.clone()),
                Fate::Node(other) => Some(self.label_of(*other).ok_or(PART)?),
                // Not known yet: nothing is asked for the time being.
                Fate::Subsumed { by, .. } if self.is_unsettled(*by) => Some(Rc::default()),
                Fate::Subsumed { by, .. } => Some(self.label_of(*by).ok_or(PART)?),
                Fate::Lost | Fate::Open => return Err(PART),
            });
        }
        Ok(wants)
    }

    /// Whether those that the node subsumes will be looked at again.
    fn is_unsettled(&self, id: u32) -> bool {
        self.changed.contains(&id) || self.nodes.get(&id).is_some_and(|node| !node.is_labelled || node.open > 0)
    }

    fn label_of(&self, node: u32) -> Option<Rc<Interpolant>> {
        self.nodes.get(&node)?.label.borrow().clone()
    }

    /// Everything that the labels rest on, when they are settled.
    pub fn graph(&self, machine: &Machine) -> Option<ClaimGraph> {
        let (mut claims, made) = self.claims.all();
        let in_loops = self.nodes.values().filter(|node| node.label.borrow().is_some());
        claims.extend(in_loops.map(|node| claim(node, |id| self.label(id))));
        let made = made + (claims.len() - self.claims.kept()) as u64;
        Some(ClaimGraph {
            root: self.root.clone()?,
            claims,
            made,
            look_ahead: machine.config().look_ahead,
            max_loop: machine.config().max_loop,
            assumes_max_loop: machine.config().assumes_max_loop,
            naming: Rc::new(machine.naming()),
        })
    }

    /// The labels of nodes that subsume others, by their locations.
    pub fn labels(&self, machine: &Machine) -> Vec<(LoopHead, Vec<LoopLabel>)> {
        let mut found: BTreeMap<LoopHead, Vec<LoopLabel>> = BTreeMap::new();
        for node in self.nodes.values().filter(|node| !node.subsumed.is_empty()) {
            let (Some(label), Some(place)) = (node.label.borrow().clone(), node.point.last()) else { continue };
            let head = LoopHead { procedure: ProcId(place.procedure), block: BlockId(place.block) };
            let (conditions, others) = label.visible(machine, &node.point);
            found.entry(head).or_default().push(LoopLabel { conditions, others });
        }
        found.into_iter().collect()
    }
}

/// What a node with a label claims; `label` finds those of other nodes.
fn claim(node: &Node, label: impl Fn(u32) -> Option<Label>) -> Claim {
    let ways = node.children.iter().filter_map(|child| {
        let wanted = match &child.fate {
            Fate::Safe(interpolant) => Rc::new(RefCell::new(Some(interpolant.clone()))),
            Fate::Node(id) | Fate::Subsumed { by: id, .. } => label(*id)?,
            Fate::Open | Fate::Ended | Fate::Lost => return None,
        };
        Some((child.point.clone()?, wanted))
    });
    Claim { start: node.start.clone(), label: node.label.clone(), ways: ways.collect() }
}

/// Keeps what a subsumption rests on, for the certifier.
pub fn note_subsumption(machine: &Machine, state: &State, shown: Term, refutations: &mut Refutations) {
    if machine.store.const_bool(shown).is_none() {
        refutations.add(&state.path.constraints.to_vec(), machine.store.not(shown));
    }
}
