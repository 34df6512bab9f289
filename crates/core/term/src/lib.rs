//! Terms: the language of conditions and values that every engine, solver and front end of Fathom shares.
//!
//! A `Term` is a small copyable id into a `TermStore`. Terms are hash-consed (equal terms have equal ids) and are
//! simplified while they are built; no solver owns them. `fold` is the only place that says what an operation
//! computes on constants: the constructors, the evaluator and the concrete interpreter all use it.

mod assignment;
mod bounds;
mod build;
mod computed;
pub mod define;
mod dyadic;
mod encoding;
pub mod eval;
pub mod float;
pub mod fold;
mod op;
pub mod pigeonhole;
mod rearranged;
pub mod sample;
pub mod smtlib;
mod sort;
mod store;
mod subst;
mod symbols;
mod value;
mod walk;

pub use assignment::Assignment;
pub use bounds::Bounds;
pub use encoding::{FloatBits, float_bits};
pub use eval::{Evaluator, Model};
pub use op::{Op, RoundingMode};
pub use rearranged::Rearranged;
pub use sort::{ArraySortId, FloatFormat, OpaqueSortId, Sort, mask, sign_extend};
pub use store::{FnId, Lambda, Node, Quantifier, QuantifierId, Rules, Term, TermStore, VarId};
pub use subst::Substitution;
pub use symbols::{Symbol, SymbolSet, VarSets, own_symbols, vars_of};
pub use value::{ArrayValue, Value};
pub use walk::{Rewrite, Shared, Subterms, rewrite};
