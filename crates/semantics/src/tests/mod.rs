//! Tests that look inside the machine.

mod fingerprint;
mod joins;
mod memory;
mod merge;
mod programs;
mod wp;
