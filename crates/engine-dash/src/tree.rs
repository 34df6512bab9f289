//! The abstraction for people: the tree of regions of every block, and what tests reached, as a drawing.

use crate::regions::{RegionId, Regions};
use fathom_base::Loc;
use fathom_engine::{TreeEnd, TreeNote};
use fathom_flat::Flat;
use fathom_term::smtlib::print_term;

/// Longer predicates are cut.
const MOST_TEXT: usize = 200;

/// The program, below it its blocks, below each the predicates that split it.
pub fn draw(flat: &Flat, regions: &Regions) -> Vec<TreeNote> {
    let Some(start) = flat.blocks.first().map(|block| block.loc) else { return Vec::new() };
    let mut notes = vec![note(0, None, start, format!("{} blocks", flat.blocks.len()))];
    for (number, block) in flat.blocks.iter().enumerate() {
        let leaves = regions.leaves(number);
        let reached = if leaves.iter().any(|&leaf| regions.is_visited(leaf)) { "" } else { ", no test" };
        let label = format!("block {number} {}: {} regions{reached}", block.label, leaves.len());
        let own = notes.len() as u32;
        notes.push(note(own, Some(0), block.loc, label));
        add(flat, regions, (regions.root(number), own), block.loc, &mut notes);
    }
    notes
}

fn note(number: u32, parent: Option<u32>, place: Loc, label: String) -> TreeNote {
    TreeNote { number, parent, place, label: Some(label), end: TreeEnd::Inner }
}

fn add(flat: &Flat, regions: &Regions, root: (RegionId, u32), place: Loc, notes: &mut Vec<TreeNote>) {
    let mut open = vec![root];
    while let Some((at, parent)) = open.pop() {
        let Some((predicate, yes, no)) = regions.get(at).split else { continue };
        let mut text = print_term(&flat.terms, predicate);
        if text.len() > MOST_TEXT {
            let cut = (0..=MOST_TEXT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(cut);
            text += " ...";
        }
        for (side, region) in [("", yes), ("not ", no)] {
            let own = notes.len() as u32;
            notes.push(note(own, Some(parent), place, format!("{side}{text} (tests there: {})", regions.get(region).members.len())));
            open.push((region, own));
        }
    }
}
