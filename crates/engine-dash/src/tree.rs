//! The abstraction for people: the tree of regions of every block that was split, and what tests reached.

use crate::regions::{RegionId, Regions};
use fathom_flat::Flat;
use fathom_term::smtlib::print_term;

/// Longer predicates are cut.
const MOST_TEXT: usize = 200;

pub fn print(flat: &Flat, regions: &Regions) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, block) in flat.blocks.iter().enumerate() {
        let reached = if regions.leaves(number).iter().any(|&leaf| regions.is_visited(leaf)) { "" } else { ", no test" };
        lines.push(format!("block {number} {}: {} regions{reached}", block.label, regions.leaves(number).len()));
        add(flat, regions, regions.root(number), 1, &mut lines);
    }
    lines
}

fn add(flat: &Flat, regions: &Regions, root: RegionId, depth: usize, lines: &mut Vec<String>) {
    let mut open = vec![(root, depth)];
    while let Some((at, depth)) = open.pop() {
        let Some((predicate, yes, no)) = regions.get(at).split else { continue };
        let mut text = print_term(&flat.terms, predicate);
        if text.len() > MOST_TEXT {
            let cut = (0..=MOST_TEXT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(cut);
            text += " ...";
        }
        let tests = |region: RegionId| regions.get(region).members.len();
        lines.push(format!("{}{text} (tests there: {}, elsewhere: {})", "  ".repeat(depth), tests(yes), tests(no)));
        open.extend([(no, depth + 1), (yes, depth + 1)]);
    }
}
