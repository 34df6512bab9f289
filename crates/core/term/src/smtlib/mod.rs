//! SMT-LIB 2.6: terms and scripts as text, and back. The text form of programs, the log of queries and the adapters
//! that talk to solver processes all use it. What is printed and read again in the same store is the same term.
//! Neither direction recurses on nesting, so terms of any depth are fine; shared subterms are printed once (`let`).

mod apply;
mod binders;
mod derived;
mod elaborate;
mod names;
mod print;
mod read;
mod script;
mod sexp;
mod sorts;
mod symbols;
mod total;
mod value;

pub use names::symbol;
pub use print::{Names, Printer, print_sort, print_term, print_value};
pub use read::{Command, Reader, read_script, read_sort, read_symbol, read_term};
pub use script::Script;
pub use sexp::{Position, ReadError};
pub use symbols::Symbols;
pub use total::Totalizer;
pub use value::{read_value, read_values};
