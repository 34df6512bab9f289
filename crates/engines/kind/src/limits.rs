//! How the time is divided between base case and inductive step, and how many invariants are guessed.

use std::time::Duration;

/// The numbers that decide where k-induction spends its time. Fewer guesses or shorter queries lose proofs, never soundness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of the walks over the unrolled program.
    pub walk: fathom_unroll::Limits,
    /// How long base case and inductive step run before the other one gets its first turn; each turn is half as long again. Short
    /// enough that a small program is decided by an engine that can.
    pub first_turn: Duration,
    /// Turns grow up to this, only so that the number stays one.
    pub longest_turn: Duration,
    /// Where the base case has come to its end without an answer, steps of a higher k than this are not tried: what is not
    /// inductive by then hardly ever is.
    pub last_tries: u64,
    /// Time for one query at most, and the part of the whole time that it may take: one hard query must leave time for others.
    pub query_time: Duration,
    /// One query may take this part of the remaining time: 3 means a third.
    pub query_part: u32,
    /// The part of the time that the analysis for invariants may take; what it finds helps, but it is not the proof.
    pub analysis_part: u32,
    /// Up to this k, the bound of the base case rises once for every k, so that targets of the inductive step can help it.
    pub step_by_step: u64,
    /// Walks that one k may need to learn what loops change and which candidates are invariants. Each walk drops or adds some;
    /// nested loops need a few for each level.
    pub walks: u32,
    /// Iterations of a loop with constant tests that are followed before it is treated like any other, for k = 1, 2 and more.
    /// Following it is exact, and cheap while the loop is short.
    pub constant_iterations: [u64; 3],
    /// The same for a loop with others inside: their iterations multiply.
    pub nested_iterations: [u64; 3],
    /// Time for a question about candidates: what takes longer is not worth it, since there are many of them.
    pub candidate_time: Duration,
    /// Variables and cells that candidates speak of; pairs of them are compared, so candidates grow with the square.
    pub subjects: usize,
    /// Constants of the procedure that each of them is compared with, the smallest first.
    pub constants: usize,
    /// Candidates of comparisons for one loop.
    pub candidates: usize,
    /// Invariants of other runs that are tried at one loop: as many as there may be guesses.
    pub known: usize,
    /// Variables and cells of one width that linear relations are looked for among.
    pub related: usize,
    /// Choices inside of choices that the change of a variable is looked for in; each one doubles the term.
    pub choices: u32,
    /// Accesses to arrays that are looked at in one procedure.
    pub accesses: usize,
    /// Things that may hold for elements of arrays; each is tried with each range of indices.
    pub bodies: usize,
    /// Conditions of the program that are taken in pairs.
    pub paired: usize,
    /// Elements that one iteration deals with: structures of more members are rare.
    pub stride: u64,
    /// Conditions on an index alone under which something may hold for an element.
    pub guards: usize,
    /// Counters whose ranges are looked at.
    pub counters: usize,
    /// Limits that a counter is compared with.
    pub ends: usize,
    /// Candidates about arrays for one loop.
    pub swept: usize,
    /// Variables and cells that a counterexample of the step may fix to become a target: more make a target that nothing hits.
    pub target_values: usize,
    /// Targets that are kept, the newest: every state at a bound is compared with each.
    pub targets: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            walk: fathom_unroll::Limits::default(),
            first_turn: Duration::from_millis(250),
            longest_turn: Duration::from_secs(3600),
            last_tries: 16,
            query_time: Duration::from_secs(10),
            query_part: 3,
            analysis_part: 8,
            step_by_step: 4,
            walks: 60,
            constant_iterations: [64, 2048, 2048],
            nested_iterations: [4, 64, 2048],
            candidate_time: Duration::from_secs(1),
            subjects: 16,
            constants: 10,
            candidates: 400,
            known: 400,
            related: 10,
            choices: 6,
            accesses: 24,
            bodies: 48,
            paired: 6,
            stride: 16,
            guards: 6,
            counters: 3,
            ends: 4,
            swept: 500,
            target_values: 40,
            targets: 16,
        }
    }
}
