//! The complete execution tree for `--tree`: nodes are kept here after the tree itself has freed them.

use fathom_base::Loc;
use fathom_engine::{TreeEnd, TreeNote};
use std::collections::BTreeMap;

/// The execution tree, as far as it is kept for people.
pub struct Drawing {
    most: usize,
    notes: BTreeMap<u32, TreeNote>,
}

impl Drawing {
    /// An empty tree that keeps at most so many nodes.
    pub fn new(most: usize) -> Self {
        Drawing { most, notes: BTreeMap::new() }
    }

    /// Adds a node.
    pub fn node(&mut self, number: u32, parent: Option<u32>, place: Loc) {
        if self.notes.len() < self.most {
            self.notes.insert(number, TreeNote { number, parent, place, label: None, end: TreeEnd::Lost });
        }
        // A node with a child was followed, so it is not lost.
        if let Some(note) = parent.and_then(|parent| self.notes.get_mut(&parent))
            && note.end == TreeEnd::Lost
        {
            note.end = TreeEnd::Inner;
        }
    }

    /// Notes what became of a node.
    pub fn end(&mut self, number: u32, end: TreeEnd) {
        if let Some(note) = self.notes.get_mut(&number) {
            note.end = end;
        }
    }

    /// Notes the label of a node.
    pub fn label(&mut self, number: u32, label: String) {
        if let Some(note) = self.notes.get_mut(&number) {
            note.label = Some(label);
        }
    }

    /// The tree for the report.
    pub fn notes(&self) -> Vec<TreeNote> {
        self.notes.values().cloned().collect()
    }
}
