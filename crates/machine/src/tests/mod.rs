//! Tests that look inside the machine.

mod coverage;
mod fingerprint;
mod havoc;
mod joins;
mod memory;
mod merge;
mod programs;
mod sprint;
mod standing;
