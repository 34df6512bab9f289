//! Answers, per property, with everything that they rest on.

use fathom_base::{Loc, StopReason};
use fathom_flow::Graph;
use fathom_interpolants::CoverGraph;
use fathom_ir::{Invariant, Ledger, LoopHead, Property, Transformed};
use fathom_machine::{ReplayLog, Trace};
use fathom_smt::Refutations;
use fathom_term::Term;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

#[derive(Default)]
pub struct Outcome {
    pub verdicts: BTreeMap<Property, Verdict>,
    /// What was assumed on the way: printed beside every verdict.
    pub ledger: Ledger,
    pub statistics: Statistics,
}

pub enum Verdict {
    /// Several properties may share one proof, which is then checked once.
    Holds(Rc<Proof>),
    Violated(Box<Trace>),
    Unknown(Reason),
}

/// Why a property holds, in a form that `certify` can check again.
#[derive(Clone, Debug)]
pub enum Proof {
    /// Symbolic execution followed every path to its end: how many were started (1 + forks) and how many ended, were
    /// infeasible or were discarded by an assumption. The numbers must agree and nothing may have been cut. `repeated`
    /// of the ended ones came to a state that is equal, up to the names of symbols, to one that was followed; `merged`
    /// did not end by themselves but became part of another state, which was followed for both. `refutations` are the
    /// conjunctions behind every side of a branch that was not followed and every check that can't fail.
    AllPathsEnded { explored: Explored, started: u64, ended: u64, merged: u64, repeated: u64, cut: u64, refutations: Refutations },
    /// The same with interpolation: `covered` of the ended paths came to a state that satisfies the condition under which
    /// another node's subtree is known to be right. `labels` are these conditions at the heads of the loops that some
    /// path goes round, for people: together they are an invariant of the loop. `refutations` are what the conditions
    /// and the covers rest on, as far as a solver was needed.
    Interpolated {
        started: u64,
        ended: u64,
        covered: u64,
        cut: u64,
        labels: Vec<(LoopHead, Vec<String>)>,
        /// Where the first loop begins: which values other than their own the variables could have there.
        room: Option<(Loc, Vec<String>)>,
        refutations: Refutations,
        /// What the conditions claim, node by node.
        graph: Option<Rc<CoverGraph>>,
    },
    /// Induction over the iterations of the loops (see `engine-kind`): no check fails in the first `k` iterations of a
    /// loop, nor in one that follows `k - 1` good ones from any state in which what the loop may change is arbitrary
    /// within the invariants. Numbers and refutations as below.
    Inductive {
        k: u64,
        /// Loops that needed it, and the invariants that were assumed at their heads after they were proved there.
        loops: Vec<(LoopHead, Vec<Invariant>)>,
        started: u64,
        ended: u64,
        merged: u64,
        cut: u64,
        refutations: Refutations,
    },
    /// No formula that some assertion fails has a model (see `engine-deduce`): one per entry, with loops cut by their
    /// invariants and, if `contracts`, calls by contracts. `refutations` are these formulas.
    Deduced {
        formulas: u64,
        loops: u64,
        contracts: bool,
        refutations: Refutations,
        /// Instances of theorems beyond first-order logic that the refutations rest on.
        lemmas: Vec<Term>,
    },
    /// The same as `AllPathsEnded` for termination, where it isn't enough that an equal state was followed: that state may be on the way
    /// here. States that others were compared with are numbered, from 0 for the start; `steps` are the ways from each
    /// to the next, by number. An infinite run would take infinitely many of them, so they must have no cycle.
    AllPathsEnd { started: u64, ended: u64, cut: u64, steps: Vec<(u32, u32)> },
    /// The program was unwound completely within this bound: every state that was made ended or became part of another,
    /// and nothing was cut; `repeated` of the ended ones were equal to one that was followed. `refutations` are the conjunctions that a solver called contradictory on the way.
    UnwindingComplete { bound: u64, started: u64, ended: u64, merged: u64, repeated: u64, cut: u64, refutations: Refutations },
    /// Of the program's flat form (`fathom-flat`): for each block the regions that its states lie in, each a conjunction.
    /// Every state at the start lies in a region of the first block, every exit leads from a region into regions of its
    /// target, and no exit to a place can be taken. `joined`: the form in which small diamonds are one block.
    /// `summaries` say what calls of recursive procedures can't do; each has a partition of its own, and is proved while
    /// all of them are assumed for the calls inside, which are shorter.
    Partition { joined: bool, regions: Rc<Vec<Vec<Vec<Term>>>>, summaries: Rc<Vec<NotMay>> },
    /// Nothing in the program can violate the property: it has no such statement.
    NothingToCheck,
}

/// Which program's paths a proof is about. That what holds of a transformed program holds of the task's own is checked by
/// `certify`, which compares the two; that of folded lists is taken on trust.
#[derive(Clone, Debug, Default)]
pub enum Explored {
    /// The task's own.
    #[default]
    Program,
    /// One in which memory that pointers reach is arbitrary, and what nothing depends on is left out.
    Coarser(Rc<Transformed>),
    /// One whose loops are cut by invariants.
    CutLoops(Rc<Transformed>),
    /// The task's own, with lists folded into objects that stand for many.
    FoldedLists,
}

/// No call of a procedure (by its number in the flat form) that starts where `before` holds returns where `after` holds, or
/// fails, if there is no `after`.
#[derive(Clone, Debug)]
pub struct NotMay {
    pub procedure: usize,
    pub before: Vec<Term>,
    pub after: Option<Vec<Term>>,
    pub regions: Vec<Vec<Vec<Term>>>,
}

/// Whether steps from number to number lead back to where they were.
pub fn has_cycle(steps: &[(u32, u32)]) -> bool {
    let count = steps.iter().map(|&(from, to)| from.max(to) as usize + 1).max().unwrap_or(0);
    !Graph::from_edges(count, steps.iter().copied()).cycles().is_empty()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Stopped(StopReason),
    /// A bound of the engine (depth, loop iterations, states) cut at least one path.
    BoundReached(String),
    Unsupported {
        what: String,
        location: String,
    },
    /// The program has undefined behaviour there that nobody asked to check; what it does from then on is unknown.
    Undefined {
        what: String,
        location: String,
    },
    /// A solver gave no answer where one was needed.
    Solver(String),
    /// The check refused what the engine found: a violation that its replay did not show, a proof
    /// that the certifier refused. Always a fault in Fathom.
    NotConfirmed(String),
    /// Nothing was found, and nothing follows from that.
    Undecided(String),
    /// The run was not meant to decide this.
    NotAsked(String),
    /// Another property was violated first and the run stopped there.
    NotReached,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(StopReason::Timeout) => f.write_str("timeout"),
            Reason::Stopped(StopReason::OutOfMemory) => f.write_str("out of memory"),
            Reason::Stopped(StopReason::Interrupted) => f.write_str("interrupted"),
            Reason::BoundReached(bound) => write!(f, "bound reached: {bound}"),
            Reason::Unsupported { what, location } => write!(f, "unsupported {what} at {location}"),
            Reason::Undefined { what, location } => write!(f, "undefined behaviour: {what} at {location}"),
            Reason::Solver(why) => write!(f, "solver: {why}"),
            Reason::NotConfirmed(why) => write!(f, "not confirmed: {why}"),
            Reason::Undecided(why) => f.write_str(why),
            Reason::NotAsked(why) => f.write_str(why),
            Reason::NotReached => f.write_str("stopped at another violation"),
        }
    }
}

/// Counters for people and benchmarks: name and value, in the order they should be shown.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// What a user should know of how the run went, beside the verdict.
    pub notes: Vec<String>,
    pub counters: Vec<(String, u64)>,
    pub solver_time: Duration,
    /// How the paths of an exploration ended, for people; empty for engines without paths.
    pub summary: String,
    /// The execution tree, if it was asked for.
    pub tree: Vec<TreeNote>,
    /// The places that must not be reached, if each was a question of its own.
    pub targets: Vec<TargetNote>,
    /// A record per path, if they were asked for.
    pub paths: Vec<PathNote>,
    /// Source positions of statements, and whether a path came there.
    pub coverage: Vec<(Loc, bool)>,
}

/// A place that must not be reached, and whether it can be.
#[derive(Clone, Debug)]
pub struct TargetNote {
    pub place: Loc,
    pub property: Property,
    pub message: String,
    pub fate: TargetFate,
}

#[derive(Clone, Debug)]
pub enum TargetFate {
    /// A replay on the interpreter came there.
    Reached(Rc<ReplayLog>),
    /// Every path was followed to its end or to a state that is covered.
    Unreachable,
    Open,
}

/// A node of an execution tree, for people.
#[derive(Clone, Debug)]
pub struct TreeNote {
    pub number: u32,
    pub parent: Option<u32>,
    pub place: Loc,
    /// The condition under which nothing fails below it.
    pub label: Option<String>,
    pub end: TreeEnd,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TreeEnd {
    Inner,
    /// A path ended there.
    Ended,
    /// The label of this node covers it.
    Covered(u32),
    /// Nothing is known of what lies below.
    Lost,
}

/// How one path went.
#[derive(Clone, Debug)]
pub struct PathNote {
    pub end: String,
    pub place: Loc,
    pub statements: u64,
    pub forks: u64,
    /// Nobody could tell whether the path is possible.
    pub speculative: bool,
}

impl Statistics {
    /// Adds up with those of another run; what can't be added up is that of the first run that has it.
    pub fn add(&mut self, other: Statistics) {
        if self.summary.is_empty() {
            self.summary = other.summary;
        }
        if self.tree.is_empty() {
            self.tree = other.tree;
        }
        if self.targets.is_empty() {
            self.targets = other.targets;
        }
        if self.paths.is_empty() {
            (self.paths, self.coverage) = (other.paths, other.coverage);
        }
        self.notes.extend(other.notes);
        self.solver_time += other.solver_time;
        for (name, value) in other.counters {
            match self.counters.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += value,
                None => self.counters.push((name, value)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_among_steps() {
        assert!(!has_cycle(&[]) && !has_cycle(&[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]));
        assert!(has_cycle(&[(0, 1), (1, 1)]) && has_cycle(&[(0, 1), (1, 2), (2, 3), (3, 1)]));
    }
}
