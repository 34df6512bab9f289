//! Why no run of a program with threads fails: what always holds where each thread may rest, whatever the others do (Owicki and Gries: *An
//! axiomatic proof technique for parallel programs*, 1976). Any number of threads may run the same code, so claims are about one
//! thread, and about which two places two of them may have at the same time.
//!
//! A state of the program has, for each thread, the cut point at which it rests and its own variables, beside the shared ones. Claimed is that
//! at every moment each thread satisfies the conditions of its cut point, and that each two of them are at places that are listed together.
//! That is so at the start, when there is one thread. A step is a segment of one thread (`fathom_flat::Segment`, `Concurrent`): it must leave
//! the conditions of its end behind; for each other thread, at a place that is listed together with the segment's start, it must keep that
//! thread's conditions, and its end must be listed together with that place, unless the two conditions exclude the step. A new
//! thread's place must be listed together with its maker's and with all those that were with its maker's.

use fathom_ir::{LoopHead, LoopLabel};
use fathom_term::Term;

/// What threads never do to each other.
#[derive(Clone, Debug, Default)]
pub struct Interference {
    /// The cut points in ascending order, and what always holds for a thread that rests there.
    pub cuts: Vec<(usize, Vec<Term>)>,
    /// Places at which two threads may be at the same time, the smaller first.
    pub together: Vec<(usize, usize)>,
    /// What always holds at the heads of loops, for people.
    pub labels: Vec<(LoopHead, Vec<LoopLabel>)>,
}

impl Interference {
    /// The two in the order in which they are listed.
    pub fn pair(one: usize, other: usize) -> (usize, usize) {
        (one.min(other), one.max(other))
    }
}
