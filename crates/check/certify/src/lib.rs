//! Nobody is told an answer that was not checked again. A violation is replayed on the concrete interpreter, which must
//! end in the same violation at the same place, and then natively (`native`): compiled with the inputs and run under
//! sanitizers. A proof's books are counted again. What fails the check becomes `unknown`; what could not be checked is
//! said beside the answer. Nothing here knows an engine, so an engine's mistake is not repeated.

mod check;
pub mod native;
mod partition;
mod proof;

pub use check::{Certified, NativeMode, check, check_with};
pub use native::{NativeResult, NativeSetup};
