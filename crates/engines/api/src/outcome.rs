//! Answers, per property, with everything that they rest on.

use crate::interference::Interference;
use crate::ranking::Ranking;
use fathom_base::{Loc, StopReason};
use fathom_flow::Graph;
use fathom_interpolants::ClaimGraph;
use fathom_ir::{Invariant, Ledger, LoopHead, LoopLabel, Property, Transformed};
use fathom_machine::{ReplayLog, Trace};
use fathom_paths::{Prefix, Tree};
use fathom_smt::Refutations;
use fathom_term::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

/// What an engine says about a task.
#[derive(Default)]
pub struct Outcome {
    /// One for each property that was asked for.
    pub verdicts: BTreeMap<Property, Verdict>,
    /// What was assumed on the way: printed beside every verdict.
    pub ledger: Ledger,
    /// How much work it was, for people.
    pub statistics: Statistics,
}

/// A part of an exploration that several share: below its beginning nothing is violated, but for the parts that were handed on. It says
/// nothing of the whole program; all parts together do (`fathom_paths::cover`).
#[derive(Clone, Debug)]
pub struct Part {
    /// Where it begins.
    pub prefix: Prefix,
    /// What was done, and what was handed on.
    pub tree: Tree,
    /// What is not violated in it.
    pub properties: BTreeSet<Property>,
    /// Paths that began.
    pub started: u64,
    /// Paths that came to an end.
    pub ended: u64,
    /// Paths that ended in a state equal to one that was followed.
    pub repeated: u64,
    /// Paths that were given up; there are none if it counts.
    pub cut: u64,
    /// What a second solver can confirm.
    pub refutations: Refutations,
}

/// An engine's answer about one property.
pub enum Verdict {
    /// Several properties may share one proof, which is then checked once.
    Holds(Rc<Proof>),
    /// A run that violates the property.
    Violated(Box<Trace>),
    /// The engine could not decide it.
    Unknown(Reason),
}

/// How many paths, or states, a walk through the program began and what became of them. A proof has books that balance: all that began
/// came to an end or became part of another, and none was given up.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Those that began: the first one, and one per fork.
    pub started: u64,
    /// Those that came to an end: of the program, in an infeasible state, at an assumption that does not hold, or in a repeated state.
    pub ended: u64,
    /// Those that became part of another.
    pub merged: u64,
    /// Of the ended ones, those whose last state is equal to one that was followed, or satisfies an interpolant.
    pub repeated: u64,
    /// Those of which something was given up.
    pub cut: u64,
}

/// Why a property holds, in a form that `certify` can check again.
#[derive(Clone, Debug)]
pub enum Proof {
    /// Symbolic execution followed every path to its end, to a state that is equal, up to the names of symbols, to one that was followed,
    /// or until it became part of another state, which was followed for both. `refutations` are the conjunctions behind every side of a
    /// branch that was not followed and every check that can't fail.
    AllPathsEnded {
        /// Which program the paths are of.
        explored: Explored,
        /// The numbers of paths.
        books: Books,
        /// What a second solver can confirm.
        refutations: Refutations,
    },
    /// The same with interpolation: the repeated paths came to a state that satisfies the condition under which
    /// another node's subtree is known to be right. `labels` are these conditions at the heads of the loops that some
    /// path goes round, for people: together they are an invariant of the loop. `refutations` are what the conditions
    /// and the subsumptions rest on, as far as a solver was needed.
    Interpolated {
        /// The numbers of paths.
        books: Books,
        /// The invariants of loops, for people.
        labels: Vec<(LoopHead, Vec<LoopLabel>)>,
        /// Where the first loop begins: which values other than their own the variables could have there.
        slack: Option<(Loc, Vec<String>)>,
        /// What a second solver can confirm.
        refutations: Refutations,
        /// What the conditions claim, node by node.
        graph: Option<Rc<ClaimGraph>>,
    },
    /// Induction over the iterations of the loops (see `engine-kind`): no check fails in the first `k` iterations of a
    /// loop, nor in one that follows `k - 1` good ones from any state in which what the loop may change is arbitrary
    /// within the invariants.
    Inductive {
        /// How many iterations the step assumes to be good.
        k: u64,
        /// Loops that needed it, and the invariants that were assumed at their heads after they were proved there.
        loops: Vec<(LoopHead, Vec<Invariant>)>,
        /// The numbers of states.
        books: Books,
        /// What a second solver can confirm.
        refutations: Refutations,
    },
    /// No formula that some assertion fails has a model (see `engine-deduce`): one per entry, with loops cut by their
    /// invariants and, if `contracts`, calls by contracts. `refutations` are these formulas.
    Deduced {
        /// How many formulas were refuted.
        formulas: u64,
        /// How many loops were cut by their invariants.
        loops: u64,
        /// Whether calls were replaced by contracts.
        contracts: bool,
        /// What a second solver can confirm.
        refutations: Refutations,
        /// Instances of theorems beyond first-order logic that the refutations rest on.
        lemmas: Vec<Term>,
    },
    /// The same as `AllPathsEnded` for termination, where it isn't enough that an equal state was followed: that state may be on the way
    /// here. States that others were compared with are numbered, from 0 for the start; `steps` are the ways from each
    /// to the next, by number. An infinite run would take infinitely many of them, so they must have no cycle.
    AllPathsEnd {
        /// The numbers of paths.
        books: Books,
        /// From and to, by the numbers of states.
        steps: Vec<(u32, u32)>,
    },
    /// The program was unwound completely within this bound. `refutations` are the conjunctions that a solver called contradictory on
    /// the way.
    UnwindingComplete {
        /// The largest number of iterations that any loop was unwound.
        bound: u64,
        /// The numbers of states.
        books: Books,
        /// What a second solver can confirm.
        refutations: Refutations,
    },
    /// Of the program's flat form (`fathom-flat`): for each block the regions that its states lie in, each a conjunction.
    /// Every state at the start lies in a region of the first block, every exit leads from a region into regions of its
    /// target, and no exit to a place can be taken. `joined`: the form in which small diamonds are one block.
    /// `summaries` say what calls of recursive procedures can't do; each has a partition of its own, and is proved while
    /// all of them are assumed for the calls inside, which are shorter.
    Partition {
        /// Which of the two flat forms it is of.
        joined: bool,
        /// For each block its regions, each a conjunction.
        regions: Rc<Vec<Vec<Vec<Term>>>>,
        /// What calls of recursive procedures can't do.
        summaries: Rc<Vec<NotMay>>,
        /// The regions at the heads of loops, for people: one of them holds there.
        labels: Vec<(LoopHead, Vec<LoopLabel>)>,
    },
    /// Every run of the program's flat form ends: ranking functions between its cut points, and what they rest on.
    Ranked(Rc<Ranking>),
    /// No thread comes to an error location, whatever the others do: see [`Interference`].
    Interference(Rc<Interference>),
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
    /// Index in the flat program's procedures.
    pub procedure: usize,
    /// The procedure's name.
    pub name: String,
    /// Over the procedure's entry variables: which calls are meant.
    pub before: Vec<Term>,
    /// Over entry and exit variables: no such call returns there. None: no such call fails.
    pub after: Option<Vec<Term>>,
    /// The partition that proves it: for each block its regions, each a conjunction.
    pub regions: Vec<Vec<Vec<Term>>>,
}

/// Whether steps from number to number lead back to where they were.
pub fn has_cycle(steps: &[(u32, u32)]) -> bool {
    let count = steps.iter().map(|&(from, to)| from.max(to) as usize + 1).max().unwrap_or(0);
    !Graph::from_edges(count, steps.iter().copied()).cycles().is_empty()
}

/// Why a property was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit of the run, or an interrupt.
    Stopped(StopReason),
    /// A bound of the engine (depth, loop iterations, states) cut at least one path.
    BoundReached(String),
    /// A statement that can't be executed was reached.
    Unsupported {
        /// The statement, as a noun phrase.
        what: String,
        /// Where it is, as `file:line:column`.
        location: String,
    },
    /// The engine was not asked, because the program or the property has something that is beyond it.
    BeyondEngine {
        /// What is beyond it, as a noun phrase.
        what: String,
        /// The name of the engine.
        engine: &'static str,
    },
    /// The program has undefined behaviour there, of a property that was not asked for; what it does from then on is unknown.
    Undefined {
        /// The behaviour, as a noun phrase.
        what: String,
        /// Where it is, as `file:line:column`.
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
    /// This run explored a part of the program's paths; others have the rest.
    PartOnly,
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
            Reason::BeyondEngine { what, engine } => write!(f, "unsupported {what} in the engine {engine} at the whole program"),
            Reason::Undefined { what, location } => write!(f, "undefined behaviour: {what} at {location}"),
            Reason::Solver(why) => write!(f, "solver: {why}"),
            Reason::NotConfirmed(why) => write!(f, "not confirmed: {why}"),
            Reason::Undecided(why) => f.write_str(why),
            Reason::NotAsked(why) => f.write_str(why),
            Reason::PartOnly => f.write_str("a part of an exploration: `fathom merge` puts the parts together"),
            Reason::NotReached => f.write_str("stopped at another violation"),
        }
    }
}

/// Counters for people and benchmarks: name and value, in the order they should be shown.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// What a user should know of how the run went, beside the verdict.
    pub notes: Vec<String>,
    /// Counts by name, in the order in which they are printed.
    pub counters: Vec<(String, u64)>,
    /// The time that solvers took.
    pub solver_time: Duration,
    /// How the paths of an exploration ended, for people; empty for engines without paths.
    pub summary: String,
    /// The execution tree, if it was asked for.
    pub tree: Vec<TreeNote>,
    /// The places that must not be reached, if each was a question of its own.
    pub targets: Vec<TargetNote>,
    /// Although something is violated, every path was followed to its end or its violation: nothing fails but where a
    /// violation was told.
    pub exhaustive: Option<Rc<Proof>>,
    /// What was done of an exploration that several share.
    pub part: Option<Part>,
    /// A record per path, if they were asked for.
    pub paths: Vec<PathNote>,
    /// Source positions of statements, and whether a path came there.
    pub coverage: Vec<(Loc, bool)>,
}

/// A place that must not be reached, and whether it can be.
#[derive(Clone, Debug)]
pub struct TargetNote {
    /// The error location.
    pub place: Loc,
    /// What is violated there.
    pub property: Property,
    /// What the source says about it.
    pub message: String,
    /// Whether it is reachable.
    pub fate: TargetFate,
}

/// Whether an error location is reachable.
#[derive(Clone, Debug)]
pub enum TargetFate {
    /// A replay on the interpreter came there.
    Reached(Rc<ReplayLog>),
    /// Every path was followed to its end or to a state that is subsumed.
    Unreachable,
    /// Neither: something was cut, or time ran out.
    Open,
}

/// A node of an execution tree, for people.
#[derive(Clone, Debug)]
pub struct TreeNote {
    /// Its number in the tree; 0 is the root.
    pub number: u32,
    /// The node it was forked from; None for the root.
    pub parent: Option<u32>,
    /// Where its state is.
    pub place: Loc,
    /// The condition under which nothing fails below it.
    pub label: Option<String>,
    /// What became of it.
    pub end: TreeEnd,
}

/// What became of a node of an execution tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TreeEnd {
    /// It has children.
    Inner,
    /// A path ended there.
    Ended,
    /// The label of this node subsumes it.
    Subsumed(u32),
    /// Nothing is known of what lies below.
    Lost,
}

/// The record of one path.
#[derive(Clone, Debug)]
pub struct PathNote {
    /// Why the path ended.
    pub end: String,
    /// Where it ended.
    pub place: Loc,
    /// Statements that were executed on it.
    pub statements: u64,
    /// Branches on it where both sides are feasible.
    pub forks: u64,
    /// No solver could tell whether the path is feasible.
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
        self.part = self.part.take().or(other.part);
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
