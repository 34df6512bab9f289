//! How long runs are, and how many there are of one length before longer ones are tried.

use std::time::Duration;

/// The numbers that decide where random runs spend their time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Statements that runs of the first round may take; each round allows ten times as many. Most violations that random inputs
    /// find are near; a first limit below some thousands would cut runs that only set up their data.
    pub first: u64,
    /// Statements of the longest runs: about a minute of the interpreter.
    pub last: u64,
    /// Statements of all runs of a round, at least. With fewer, the rounds of short runs are over before they tried much.
    pub round: u64,
    /// The time that a round has at least, since statements that call library functions cost more than others.
    pub time_of_round: Duration,
    /// Runs of a round, at most: where thousands show nothing, longer ones are a better bet.
    pub runs: u64,
    /// Runs that reach their limit, while none ended, before longer ones are tried.
    pub enough_cut: u64,
    /// Inputs of one run that are remembered: one that asks for more is a run of a program that asks forever.
    pub inputs: usize,
    /// Constants of one width that are kept: tables of data would drown those that the program compares with.
    pub constants: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            first: 20_000,
            last: 2_000_000_000,
            round: 20_000_000,
            time_of_round: Duration::from_millis(300),
            runs: 3_000,
            enough_cut: 5,
            inputs: 1_000_000,
            constants: 500,
        }
    }
}
