//! Checks the result of one part of a split exploration: its decisions form a tree, which begins at its prefix and has
//! nothing left to explore; as many paths began as ended or were handed on; and a second solver confirms the
//! refutations. So every side of every decision in the tree is accounted for; that the parts which were handed on exist
//! is checked when all are combined.

use crate::proof::{self, Question};
use fathom_base::Budget;
use fathom_engine::{Assurance, Certificate, Part, Reason};
use fathom_smt::Backend;

pub(crate) fn check(part: &Part, question: &Question<'_>, second: Option<&dyn Backend>, budget: &Budget) -> Result<Certificate, Reason> {
    let wrong = |why: String| Reason::NotConfirmed(format!("the part of an exploration does not stand: {why}; please report this"));
    let seen = part.tree.part(&part.prefix).map_err(wrong)?;
    if !seen.open.is_empty() {
        return Err(wrong(format!("{} places were not explored", seen.open.len())));
    }
    if part.cut > 0 {
        return Err(Reason::BoundReached(format!("{} paths were cut", part.cut)));
    }
    let handed_on = seen.handed_on.len() as u64;
    if seen.paths != part.ended || part.started != part.ended + handed_on || part.repeated > part.ended {
        let (started, ended, told) = (part.started, part.ended, seen.paths);
        return Err(wrong(format!("{started} paths started, {ended} ended, {handed_on} were handed on, and its tree has {told}")));
    }
    let mut note = format!("recounted: {} paths started, {} ended, none cut", part.started, part.ended);
    if handed_on > 0 {
        note += &format!("; {handed_on} parts were handed on");
    }
    if part.repeated > 0 {
        note += &format!("; {} ended in a state that another path had been followed from", part.repeated);
    }
    if part.prefix.is_empty() && handed_on == 0 {
        // This part is the whole exploration, whose refutations are checked with its proof.
        return Ok(Certificate { assurance: Assurance::Recounted, notes: vec![note] });
    }
    proof::of_branches(vec![note], &part.refutations, question, second, budget)
}
