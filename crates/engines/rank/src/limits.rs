//! How many measures are tried.

/// The numbers that decide how far the engine goes. None of them decides a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How much is guessed of states, and how long a query may take.
    pub guesses: fathom_inductive::Limits,
    /// Cut points of a component from which the forms of a measure at the others are derived.
    pub bases: usize,
    /// Measures in a row that let a component go on with the same segments.
    pub partial_measures: usize,
    /// Measures that a solver refutes before a component is given up.
    pub refuted_measures: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { guesses: fathom_inductive::Limits::default(), bases: 4, partial_measures: 10, refuted_measures: 60 }
    }
}
