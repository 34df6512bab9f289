//! The program as constrained Horn clauses (Grebenshchikov and others, PLDI 2012; Komuravelli, Gurfinkel and Chaki, CAV 2014): one
//! predicate per block of the flat program over the variables that are live there, one clause per exit, and no state may reach an
//! error location. A solver of such clauses (Z3's Spacer, which is IC3 for them) gives each predicate an interpretation: an
//! invariant of its block.
//!
//! Spacer is good at linear arithmetic over mathematical numbers and weak at bit-vectors, so the clauses are about integers: a
//! bit-vector becomes its signed value (`integers`). First sums are taken not to wrap around, which is not true but keeps the clauses
//! small; then wrapping is expressed exactly. What cannot be expressed becomes arbitrary.
//!
//! None of this has to be right for a verdict to be right. The interpretations are only candidates: they are translated back into
//! conditions over bit-vectors (`back`), conjuncts that are not inductive are dropped (`inductive`), and the rest must exclude every
//! error location, bit by bit. The result is a partition with one region per block, which `certify` proves again. A counterexample of
//! the clauses says nothing about the program, so this engine never says `false`.

mod back;
mod clauses;
mod horn;
mod inductive;
mod integers;
mod limits;

pub use horn::Horn;
pub use limits::Limits;

#[cfg(test)]
mod tests;
