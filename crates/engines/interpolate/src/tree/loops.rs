//! Labels of loops: each subsumed state takes over the label of the node that subsumes it, until nothing changes;
//! states that no longer satisfy the stronger label are explored after all. Labels only become stronger, and only a
//! bounded number of times, so this terminates.

use super::{Fate, Tree, note_subsumption};
use fathom_interpolants::Inexpressible;
use fathom_machine::{Machine, State};
use fathom_smt::Refutations;
use std::rc::Rc;

impl Tree {
    /// Brings labels into line with those of the children; the states that have to be explored after all.
    /// None if time is over.
    pub fn settle_loops(&mut self, machine: &mut Machine, refutations: &mut Refutations) -> Option<Vec<State>> {
        self.rounds += 1;
        let mut states = Vec::new();
        loop {
            if machine.budget.exhausted().is_some() {
                return None;
            }
            // What a label does not subsume any more is no matter of the node above it.
            if let Some(id) = self.changed.pop_last() {
                self.look_at_subsumed(machine, id, refutations, &mut states);
            // Deep ones first: children have greater numbers than their parents.
            } else if let Some(id) = self.dirty.pop_last() {
                if self.relabel(machine, id, refutations) {
                    self.dirty.extend(self.nodes.get(&id).and_then(|node| node.parent).map(|(parent, _)| parent));
                    self.label_changed(id);
                }
            } else {
                tracing::info!(round = self.rounds, nodes = self.nodes.len(), reopened = states.len(), "labels of loops");
                return Some(states);
            }
        }
    }

    /// Whether the label of a node had to become stronger.
    fn relabel(&mut self, machine: &mut Machine, id: u32, refutations: &mut Refutations) -> bool {
        if self.nodes.get(&id).is_none_or(|node| node.open > 0) {
            return false;
        }
        let Some(old) = self.label_of(id) else { return false };
        let mut result = self.compute(machine, id, refutations);
        let Some(node) = self.nodes.get_mut(&id) else { return false };
        if node.changes > self.limits.changes {
            result = Err(Inexpressible("a loop without an end of strengthening"));
        }
        match result {
            Ok(new) if new.is_weaker_than(&old) => false,
            Ok(mut new) => {
                // Never weaker than it was, so that this comes to an end.
                if new.join((*old).clone()).is_err() {
                    *node.label.borrow_mut() = None;
                    return true;
                }
                node.changes += 1;
                *node.label.borrow_mut() = Some(Rc::new(new));
                true
            }
            Err(Inexpressible(why)) => {
                *self.failures.entry(why).or_default() += 1;
                *node.label.borrow_mut() = None;
                true
            }
        }
    }

    /// The label of a node changed: states that it does not subsume any more are opened again, the nodes above the others
    /// must take it over.
    fn look_at_subsumed(&mut self, machine: &mut Machine, by: u32, refutations: &mut Refutations, states: &mut Vec<State>) {
        let places = self.nodes.get(&by).map(|node| node.subsumed.clone()).unwrap_or_default();
        for (id, index) in places {
            let Some(fate) = self.nodes.get(&id).and_then(|node| node.children.get(index)).map(|child| child.fate.clone()) else {
                continue;
            };
            let Fate::Subsumed { state: Some(state), .. } = fate else {
                self.dirty.insert(id);
                continue;
            };
            let mut state = (*state).clone();
            let label = self.label_of(by);
            if let Some(shown) = label.and_then(|label| label.subsumes(machine, &mut state)) {
                note_subsumption(machine, &state, shown, refutations);
                self.dirty.insert(id);
                continue;
            }
            if let Some(subsumer) = self.nodes.get_mut(&by) {
                subsumer.subsumed.retain(|place| *place != (id, index));
            }
            self.reopened += 1;
            self.open_again(id, index);
            let is_head = machine.is_at_loop_head(&state);
            self.enter(&mut state, Some((id, index)), is_head);
            if let Some(node) = self.nodes.get_mut(&state.search.node) {
                node.is_reopened = true;
            }
            states.push(state);
        }
    }

    /// A child is open again, and so are the nodes above it.
    fn open_again(&mut self, id: u32, index: usize) {
        let (mut id, mut index) = (id, index);
        while let Some(node) = self.nodes.get_mut(&id) {
            let Some(child) = node.children.get_mut(index) else { break };
            let was_open = node.open > 0;
            child.fate = Fate::Open;
            node.open += 1;
            if was_open {
                break;
            }
            let Some((parent, at)) = node.parent else { break };
            (id, index) = (parent, at);
        }
    }
}
