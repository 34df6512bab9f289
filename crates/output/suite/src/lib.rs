//! Test suites: a test consists of the inputs of one run of the program, in the order in which it asks for them, and of
//! the outcome that it promises. `testcomp`, `ktest`, `driver` and `project` write them for other tools, `read` reads
//! any of these formats (and traces and witnesses), `coverage` measures the coverage of a suite, `path` checks that a
//! run took the path that its test promises.

mod case;
pub mod coverage;
pub mod driver;
mod export;
pub mod ktest;
mod llvm_tools;
pub mod path;
pub mod project;
mod read;
pub mod testcomp;
mod trace_json;
mod values;
mod witness;

pub use case::{Input, Promise, TestCase};
pub use read::{ReadError, Readable, read_test};
pub use values::parse as parse_value;
