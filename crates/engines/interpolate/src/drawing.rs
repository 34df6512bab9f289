//! The whole tree as it was, for `--tree`: nodes are kept here when the tree itself has long forgotten them.

use fathom_base::Loc;
use fathom_engine::{TreeEnd, TreeNote};
use std::collections::BTreeMap;

pub struct Drawing {
    most: usize,
    notes: BTreeMap<u32, TreeNote>,
}

impl Drawing {
    pub fn new(most: usize) -> Self {
        Drawing { most, notes: BTreeMap::new() }
    }

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

    pub fn end(&mut self, number: u32, end: TreeEnd) {
        if let Some(note) = self.notes.get_mut(&number) {
            note.end = end;
        }
    }

    pub fn label(&mut self, number: u32, label: String) {
        if let Some(note) = self.notes.get_mut(&number) {
            note.label = Some(label);
        }
    }

    pub fn notes(&self) -> Vec<TreeNote> {
        self.notes.values().cloned().collect()
    }
}
