//! The abstraction as a tree for `--tree`: below the program its blocks, below each block the regions into which it was
//! split, with the predicate of each and the tests that reached it.

use crate::regions::{RegionId, Regions};
use fathom_base::Loc;
use fathom_engine::{TreeEnd, TreeNote};
use fathom_flat::Flat;
use fathom_term::Term;
use fathom_term::smtlib::print_term;

/// Longer predicates are cut.
const MOST_TEXT: usize = 400;

/// The regions as a tree, for people.
pub fn notes(flat: &Flat, regions: &Regions) -> Vec<TreeNote> {
    let program =
        TreeNote { number: 0, parent: None, place: Loc::UNKNOWN, label: Some("regions of each block".to_string()), end: TreeEnd::Inner };
    let mut notes = vec![program];
    for (number, block) in flat.blocks.iter().enumerate() {
        let mut open: Vec<(RegionId, u32, String)> = vec![(regions.root(number), 0, format!("block {number} {}", block.label))];
        while let Some((region, parent, said)) = open.pop() {
            let own = notes.len() as u32;
            let found = regions.get(region);
            let (label, end) = match found.split {
                Some((predicate, yes, no)) => {
                    open.push((no, own, text(flat, flat.terms.not(predicate))));
                    open.push((yes, own, text(flat, predicate)));
                    (said, TreeEnd::Inner)
                }
                None => (format!("{said} (tests: {})", found.members.len()), TreeEnd::Ended),
            };
            notes.push(TreeNote { number: own, parent: Some(parent), place: block.loc, label: Some(label), end });
        }
    }
    notes
}

fn text(flat: &Flat, predicate: Term) -> String {
    let mut text = print_term(&flat.terms, predicate);
    if text.len() > MOST_TEXT {
        let cut = (0..=MOST_TEXT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(cut);
        text += " ...";
    }
    text
}
