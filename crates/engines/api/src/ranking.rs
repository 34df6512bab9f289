//! Why every run of a flat program ends: a proof over the segments between cut points (`fathom_flat::Segment`).
//!
//! An infinite run takes infinitely many segments and in the end stays among those of one strongly connected component. Of these
//! the proof says, step by step, what holds in the end: a condition that each of them leaves behind at its end (`Narrow`); a
//! measure that none of them increases, so that in the end each of them keeps it as it is (`Measure`); that one of them can't be
//! taken any more (`Ends`). When nothing on a cycle is left, there is no infinite run. Ranking functions in lexicographic order (Alias,
//! Darte, Feautrier, Gonnord, SAS 2010; Bradley, Manna, Sipma, CAV 2005) are the special case in which each measure takes segments
//! away altogether.

use fathom_ir::{LoopHead, LoopLabel};
use fathom_term::{Op, Sort, Term, TermStore, VarId};

/// Why every run ends.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// The cut points, blocks of the flat program (in the form in which small diamonds are one block) in ascending order, and what always
    /// holds there.
    pub cuts: Vec<(usize, Vec<Term>)>,
    /// Variables that no step reads or assigns: conditions about them hold for all of their values.
    pub rigid: Vec<VarId>,
    /// One per strongly connected component.
    pub phases: Vec<Phase>,
    /// Runs in which signed numbers overflow were left out.
    pub assumes_no_overflow: bool,
    /// The ranking functions for people: where the loop is, and what decreases.
    pub told: Vec<(fathom_base::Loc, String)>,
    /// What always holds at the heads of loops, for people.
    pub labels: Vec<(LoopHead, Vec<LoopLabel>)>,
}

/// What holds in the end of a run that stays among these cut points.
#[derive(Clone, Debug, Default)]
pub struct Phase {
    /// The cut points, as numbers of blocks.
    pub heads: Vec<usize>,
    /// What holds in the end, each step under those before it.
    pub steps: Vec<Step>,
    /// One per component of the segments that are left.
    pub rest: Vec<Phase>,
}

/// Something that holds in the end of a run.
#[derive(Clone, Debug)]
pub enum Step {
    /// Conditions at cut points that every segment that leads there leaves behind.
    Narrow(Vec<(usize, Vec<Term>)>),
    /// No segment increases it.
    Measure(Measure),
    /// These segments, by their number among all, can't be taken.
    Ends(Vec<usize>),
}

/// A value of a well-founded order at each of some cut points.
#[derive(Clone, Debug)]
pub struct Measure {
    /// A bit-vector, as a number in two's complement, or a mathematical integer, where a negative one counts as zero.
    pub at: Vec<(usize, Term)>,
}

impl Measure {
    /// What is compared at this cut point; None if it has no value there, or not one of a well-founded order.
    pub fn value(&self, store: &TermStore, cut: usize) -> Option<Term> {
        let term = self.at.iter().find(|(known, _)| *known == cut)?.1;
        match store.sort(term) {
            Sort::Bv(_) => Some(term),
            Sort::Int => {
                let zero = store.int(0);
                Some(store.ite(store.build(Op::IntLt, &[term, zero]), zero, term))
            }
            _ => None,
        }
    }

    /// Whether one value is less than another, if they are of one order.
    pub fn less(store: &TermStore, one: Term, other: Term) -> Option<Term> {
        match (store.sort(one), store.sort(other)) {
            (Sort::Bv(width), Sort::Bv(same)) if width == same => Some(store.bv_slt(one, other)),
            (Sort::Int, Sort::Int) => Some(store.build(Op::IntLt, &[one, other])),
            _ => None,
        }
    }
}
