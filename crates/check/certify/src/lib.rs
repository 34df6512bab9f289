//! Checks every answer before it is reported. A violation is replayed on the concrete interpreter, which must end in the
//! same violation at the same location, and then natively (`fathom_native`): compiled with the inputs and run under sanitizers. Of
//! a proof the counts of paths are verified, and what a solver refuted is put to a second solver (`proof`). An answer that
//! fails its check becomes `unknown`; what could not be checked is reported beside it. No engine is used here, so an
//! engine's mistake is not repeated.

mod check;
mod claims;
mod interfering;
mod part;
mod partition;
mod proof;
mod ranked;
mod recurring;
mod transformed;

pub use check::{Certified, Interpreter, NativeMode, check, check_with};
