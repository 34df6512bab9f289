//! The properties of each solver: its command line, and the features that it lacks.

/// Which constant arrays a solver accepts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ConstantArrays {
    /// The solver has none.
    None,
    /// Every element is the same constant.
    OfValues,
    /// Every element is the same term.
    OfTerms,
}

/// What a solver program supports and how it is driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The name people use.
    pub name: &'static str,
    /// The program that is run, as it is found on the PATH.
    pub executable: &'static str,
    /// What the program needs to read SMT-LIB from standard input.
    pub arguments: &'static [&'static str],
    /// The logic to set; None for a solver that needs none.
    pub logic: Option<&'static str>,
    /// `check-sat-assuming`; without it, assumptions are asserted in a level of their own.
    pub assumptions: bool,
    /// `get-unsat-assumptions`; without it, there are no cores.
    pub unsat_assumptions: bool,
    /// The theory of floats; without it, floats become bit-vectors.
    pub floats: bool,
    /// Integers and real numbers.
    pub numbers: bool,
    /// Quantifiers.
    pub quantifiers: bool,
    /// Which constant arrays it takes.
    pub constant_arrays: ConstantArrays,
    /// Uninterpreted sorts and functions.
    pub uninterpreted: bool,
    /// The option that limits one check, in milliseconds, where it can be set between checks.
    pub time_option: Option<&'static str>,
}

/// Everything that a solver may know; entries of the table say what theirs lacks.
const FULL: Dialect = Dialect {
    name: "",
    executable: "",
    arguments: &[],
    logic: Some("ALL"),
    assumptions: true,
    unsat_assumptions: true,
    floats: true,
    numbers: true,
    quantifiers: true,
    constant_arrays: ConstantArrays::OfTerms,
    uninterpreted: true,
    time_option: None,
};

/// The solvers that Fathom knows how to drive.
pub const KNOWN: [Dialect; 6] = [
    Dialect { name: "z3", executable: "z3", arguments: &["-in", "-smt2"], logic: None, time_option: Some(":timeout"), ..FULL },
    Dialect {
        name: "cvc5",
        executable: "cvc5",
        // Formats of floats other than single and double, and constant arrays, are called experimental.
        arguments: &["--incremental", "--lang=smt2", "--fp-exp", "--arrays-exp"],
        constant_arrays: ConstantArrays::OfValues,
        ..FULL
    },
    Dialect { name: "bitwuzla", executable: "bitwuzla", arguments: &["--lang=smt2"], numbers: false, ..FULL },
    Dialect {
        name: "boolector",
        executable: "boolector",
        arguments: &["--smt2", "--incremental", "--output-format=smt2"],
        logic: Some("QF_AUFBV"),
        assumptions: false,
        unsat_assumptions: false,
        floats: false,
        numbers: false,
        quantifiers: false,
        constant_arrays: ConstantArrays::None,
        uninterpreted: false,
        ..FULL
    },
    Dialect {
        name: "yices",
        executable: "yices-smt2",
        arguments: &["--incremental", "--smt2-model-format"],
        logic: Some("QF_AUFBV"),
        floats: false,
        numbers: false,
        quantifiers: false,
        constant_arrays: ConstantArrays::None,
        ..FULL
    },
    Dialect { name: "mathsat", executable: "mathsat", arguments: &["-input=smt2"], quantifiers: false, ..FULL },
];

impl Dialect {
    /// The solver of this name.
    pub fn by_name(name: &str) -> Option<Dialect> {
        KNOWN.into_iter().find(|dialect| dialect.name == name)
    }
}
