//! Random C programs with an oracle.
//!
//! [`generate`] makes a program without undefined behaviour that reads a few inputs, computes with integers of all
//! widths, floats, arrays, structs, bit-fields, unions, pointers, calls and variable arguments, and folds everything it knows into a 32-bit
//! checksum. A compiler is the oracle: run [`TestProgram::native_source`], which has the inputs baked in and prints the
//! checksum `c`. Then a verifier must find
//!
//! - [`TestProgram::concrete_source`]`(c)` safe: the inputs are baked in, so an interpreter will do;
//! - [`TestProgram::safe_source`]`(c)` safe: the inputs are assumed to have those values, and `checksum != c` is an error;
//! - [`TestProgram::unsafe_source`]`(c)` unsafe: `checksum == c` is an error;
//! - [`TestProgram::symbolic_source`]`(c)` unsafe: all inputs are arbitrary, and those that
//!   [`TestProgram::inputs_source`] prints lead to the error.
//!
//! Some inputs stay unconstrained, or range over three values. The program uses those only in ways that give the same
//! result for all of their values (see `harmless.rs`), so the oracle stays right while the verifier has to reason.
//!
//! How undefined behaviour is avoided: signed arithmetic goes through unsigned types or has operands small enough,
//! divisors are never zero (nor -1), shift amounts and indices are masked, floats are tested before they become
//! integers and their bits are never looked at, calls are statements of their own, and pointers only ever point to
//! globals or to locals of the running function. The same seed gives the same program.
//!
//! [`generate_threads`] makes programs with threads, which no compiler can judge; they come with an oracle of their own.

mod calls;
mod expr;
mod harmless;
mod parts;
mod program;
mod rng;
mod scope;
mod stmt;
mod threads;
mod types;
mod variants;

pub use program::{Options, generate};
pub use rng::Rng;
pub use threads::{ThreadProgram, generate_locked_threads, generate_ordered_threads, generate_threads};
pub use variants::TestProgram;
