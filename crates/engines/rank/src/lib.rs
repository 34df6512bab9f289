//! Termination by ranking functions. The flat program is cut at its loops; between the cut points every way is one transition
//! (`fathom_flat::Segment`). Supporting invariants are guessed and kept as far as they are inductive (Flanagan and Leino's Houdini);
//! measures are guessed from what guards compare and from small templates, refuted by concrete transitions and then by a
//! solver, whose counterexamples are transitions again (counterexample-guided, as Gonnord, Monniaux and Radanne, PLDI 2015, with a list of
//! templates in place of linear programming, so that machine arithmetic stays exact). A measure that nothing increases lets only
//! transitions go on that keep it: see `fathom_engine::Ranking` for the rule and why it is sound.
//!
//! Every claim is exact for machine integers, wrap-around included: the bits decide, and templates are computed in vectors wide enough.

mod engine;
mod limits;
mod measures;
mod phases;

pub use engine::Rank;
pub use limits::Limits;
