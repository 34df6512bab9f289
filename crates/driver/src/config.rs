//! What a caller can ask for, as plain data. Every structure has a `Default`, or a `new` that takes what has none, so a
//! caller names only what differs; the command line fills them from its flags.

use fathom_engine_bmc::{Purpose, WhenBounded};
use fathom_frontend_llvm::{Arguments, DataModel, Environment};
use fathom_ir::{MemoryModel, Property};
use fathom_machine::SeedInputs;
use fathom_passes::{Share, Undefined};
use fathom_search::Searcher;
use fathom_smt::FixedPoint;
use fathom_suite::testcomp::Goal;
use fathom_unroll::{LoopBound, Merging};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The engine name that stands for the whole portfolio.
pub const AUTO: &str = "auto";

/// The files of one program and how they are read.
#[derive(Clone, Debug, Default)]
pub struct InputConfig {
    /// C, C++, bitcode and LLVM assembly, or Boogie; several make one program.
    pub files: Vec<PathBuf>,
    /// A directory with a compile_commands.json whose files are part of the program.
    pub compile_commands: Option<PathBuf>,
    /// Of compile_commands.json only the files that match one of these patterns, unless there are none.
    pub target_files: Vec<String>,
    /// Of compile_commands.json only the files of this target of CMake or Meson.
    pub target: Option<String>,
    /// The sizes of C's types.
    pub model: DataModel,
    /// Where execution starts, if not in `main` (or in what a Boogie program marks).
    pub entry: Option<String>,
    /// Boogie: start in every procedure with a body, whatever is marked.
    pub all: bool,
    /// Boogie: a global that is assigned without a modifies clause is an error.
    pub strict: bool,
    /// Every read of a volatile object gives an arbitrary value.
    pub volatile_arbitrary: bool,
    /// How stores of threads become visible to others.
    pub memory_model: MemoryModel,
    /// What the program finds when it starts: arguments, standard input, files.
    pub environment: Environment,
    /// Allocations may fail.
    pub malloc_may_fail: bool,
    /// Pointer arguments of the entry function may be null; otherwise they lead to fresh objects.
    pub entry_null: bool,
    /// They may lead to one object, also in circles.
    pub entry_alias: bool,
    /// So many numbers or characters are where one of them leads; none: as many as usual.
    pub entry_elements: Option<u64>,
    /// Functions with a contract are checked against it, and stand for themselves by it at calls; loops with a contract are cut.
    pub contracts: bool,
    /// What a function without a body does.
    pub undefined: Undefined,
    /// Flags for clang.
    pub clang_args: Vec<String>,
}

impl InputConfig {
    /// The configuration for these files, with defaults for everything else.
    pub fn new(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { files: files.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Bits of a pointer.
    pub(crate) fn pointer_bits(&self) -> u32 {
        match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The arguments that the caller fixed.
    pub(crate) fn fixed_arguments(&self) -> Vec<String> {
        match &self.environment.arguments {
            Arguments::Given(texts) => texts.clone(),
            Arguments::Any | Arguments::Symbolic(_) => Vec::new(),
        }
    }
}

/// A question about a program, and how it is to be decided.
#[derive(Clone, Debug)]
pub struct VerifyConfig {
    /// The program.
    pub input: InputConfig,
    /// Names of properties (or lists of them with commas), groups of them, or property files (.prp); without any, everything
    /// that is wrong in any program.
    pub properties: Vec<String>,
    /// Further properties, beside those.
    pub checks: Vec<Property>,
    /// The file that settings come from, for the report.
    pub config_file: Option<PathBuf>,
    /// The name of an engine, or [`AUTO`] for the portfolio.
    pub engine: String,
    /// In the portfolio: wait for every engine and compare their answers.
    pub agree: bool,
    /// In the portfolio: the file that states engines, their order and their turns, if it isn't Fathom's own.
    pub portfolio: Option<PathBuf>,
    /// In the portfolio: how many engines work at a time, if not one on each core.
    pub cores: Option<NonZeroUsize>,
    /// Stop at the first violation, instead of deciding the other properties as well.
    pub first: bool,
    /// The time for everything.
    pub timeout: Duration,
    /// Bytes that the run may use; the members of the portfolio share them.
    pub memory: u64,
    /// Write a witness of the answer into each of these files (.yml: YAML 2.0, .graphml: GraphML 1.0).
    pub witness_out: Vec<PathBuf>,
    /// Tell what proofs rest on, and which lines paths came to.
    pub explain: bool,
    /// Draw the engine's tree into this file (.dot, or .html).
    pub tree: Option<PathBuf>,
    /// Write reports, drivers and records of paths into this directory.
    pub out: Option<PathBuf>,
    /// The solver; without a name, the one that suits the program.
    pub solver: Option<String>,
    /// What solvers get in place of floats.
    pub fp: FloatEncoding,
    /// Ask two solvers and stop where they contradict each other.
    pub cross_check: bool,
    /// Time for each question to a solver; without it, engines decide.
    pub query_time: Option<Duration>,
    /// Write every query that reaches a solver into this directory.
    pub dump_queries: Option<PathBuf>,
    /// Compile and run the program to confirm a violation.
    pub native: bool,
    /// For every choice that is made at random.
    pub seed: u64,
    /// Share the exploration with other processes through this directory (see `share`).
    pub share: Option<PathBuf>,
    /// Take what other runs proved of this program from this directory, and leave there what this one proves.
    pub facts: Option<PathBuf>,
    /// Decide a share of the checks; other runs decide the others.
    pub share_of_checks: Option<Share>,
    /// Settings of exploration.
    pub explore: ExploreOptions,
    /// Settings of bounded model checking.
    pub unwinding: UnwindingOptions,
    /// Settings of k-induction.
    pub induction: InductionOptions,
    /// Settings of tests with abstraction refinement.
    pub dash: DashOptions,
}

impl VerifyConfig {
    /// The usual question about this program: the portfolio, a minute, 4 GiB.
    pub fn new(input: InputConfig) -> Self {
        Self {
            input,
            properties: Vec::new(),
            checks: Vec::new(),
            config_file: None,
            engine: AUTO.into(),
            agree: false,
            portfolio: None,
            cores: None,
            first: false,
            timeout: Duration::from_secs(60),
            memory: 4 << 30,
            witness_out: Vec::new(),
            explain: false,
            tree: None,
            out: None,
            solver: None,
            fp: FloatEncoding::Native,
            cross_check: false,
            query_time: None,
            dump_queries: None,
            native: true,
            seed: 0,
            share: None,
            facts: None,
            share_of_checks: None,
            explore: ExploreOptions::default(),
            unwinding: UnwindingOptions::default(),
            induction: InductionOptions::default(),
            dash: DashOptions::default(),
        }
    }
}

/// Settings of the engine `explore` and of those that are built on it.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// Which path to follow next.
    pub searcher: Option<Searcher>,
    /// Cut paths after this many branches.
    pub max_depth: Option<u64>,
    /// Cut paths after this many iterations of a loop.
    pub max_loop: Option<u64>,
    /// Cut paths on which threads were interrupted more often than this.
    pub context_bound: Option<u32>,
    /// Cut paths when more than this many are open.
    pub max_states: Option<u64>,
    /// Follow the path of these inputs before all others.
    pub start_with: Option<SeedInputs>,
    /// Keep interpolants, and follow no state that satisfies one.
    pub interpolate: bool,
    /// With interpolants: follow a sample of the pruned states after all, to see whether something fails there.
    pub audit: bool,
    /// With interpolants: say how large their table was over time.
    pub table_series: bool,
    /// Decide for each place that must not be reached whether it can be, instead of stopping at the first.
    pub targets: bool,
    /// Megabytes that interpolants may take.
    pub interpolant_memory: usize,
    /// `unknown` instead of `true` if axioms and preconditions contradict each other.
    pub check_assumptions: bool,
    /// Optimisations that are switched off.
    pub without: Vec<Optimisation>,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self {
            searcher: None,
            max_depth: None,
            max_loop: None,
            context_bound: None,
            max_states: None,
            start_with: None,
            interpolate: false,
            audit: false,
            table_series: false,
            targets: false,
            interpolant_memory: 512,
            check_assumptions: false,
            without: Vec::new(),
        }
    }
}

impl ExploreOptions {
    /// Whether an optimisation is on.
    pub fn has(&self, optimisation: Optimisation) -> bool {
        !self.without.contains(&optimisation)
    }
}

/// Settings of the engine `bmc`; the bound is also one for `kind`.
#[derive(Clone, Debug, Default)]
pub struct UnwindingOptions {
    /// Unwind loops and recursion this often, instead of more and more often.
    pub unwind: Option<u64>,
    /// Bounds for single loops.
    pub unwind_loop: Vec<LoopBound>,
    /// What a path beyond the bound means.
    pub unwinding: Option<WhenBounded>,
    /// What to look for.
    pub bmc_mode: Option<Purpose>,
    /// Where paths that meet become one state, in `bmc` and `explore`.
    pub merge: Option<Merging>,
}

/// Settings of the engine `kind`.
#[derive(Clone, Debug, Default)]
pub struct InductionOptions {
    /// The first k.
    pub first_k: Option<u64>,
    /// The largest k, and the largest bound of the base case.
    pub max_k: Option<u64>,
    /// Plain k-induction: counterexamples of the inductive step are no targets of the base case.
    pub no_bkind: bool,
    /// No invariants: neither from interval analysis nor guessed.
    pub no_invariants: bool,
}

/// Settings of the engine `dash`.
#[derive(Clone, Debug, Default)]
pub struct DashOptions {
    /// DASH as first published.
    pub plain: bool,
    /// Give up after this many refinements of the abstraction.
    pub max_refinements: Option<u64>,
}

/// What solvers get in place of floats.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FloatEncoding {
    /// The solver's own theory, where it has one.
    Native,
    /// Bit-vectors.
    Bv,
    /// An approximation by fixed point.
    Fixed(FixedPoint),
}

impl FromStr for FloatEncoding {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "native" => Ok(FloatEncoding::Native),
            None if text == "bv" => Ok(FloatEncoding::Bv),
            None if text == "fixed" => Ok(FloatEncoding::Fixed(FixedPoint::default())),
            Some(("fixed", widths)) => widths.parse().map(FloatEncoding::Fixed),
            _ => Err("known are: native, bv, fixed and fixed:I.F".into()),
        }
    }
}

macro_rules! optimisations {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// What makes path-by-path execution fast (Symbooglix, section IV); the answer never depends on it.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum Optimisation {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Optimisation {
            /// All of them: the optimisation, its name, what it does.
            pub const ALL: &[(Optimisation, &str, &str)] = &[$((Optimisation::$variant, $name, concat!($($doc),+)),)+];
        }
    };
}

optimisations! {
    /// Unique constants are numbered instead of being distinguished pair by pair
    UniqueNumbers = "unique-numbers",
    /// Declarations that can't influence the entry are left out
    DeadDeclarations = "dead-declarations",
    /// The assumptions at the targets of a goto are examined before a state is made
    LookAhead = "look-ahead",
    /// Expressions are simplified when they are built
    Simplification = "simplification",
    /// Queries leave out constraints without common symbols
    Independence = "independence",
    /// The symbols of expressions are remembered
    SymbolCache = "symbol-cache",
    /// Maps look through writes at other constants
    MapConstants = "map-constants",
    /// Maps look through writes at other offsets of one base
    MapOffsets = "map-offsets",
    /// States share what they have in common
    CheapCopies = "cheap-copies",
    /// Conditions that are constant or known already cost no query
    Shortcuts = "shortcuts",
    /// Loops are left as soon as possible (the searcher loop-escape; without it, dfs)
    LoopEscape = "loop-escape",
    /// Interpolants are what paths need (without it, facts of the states that unsatisfiable cores name)
    Abduction = "abduction",
    /// Tests are not looked for where interpolants show that nothing new can be covered
    Pruning = "pruning",
}

/// A test suite to be written.
#[derive(Clone, Debug)]
pub struct TestConfig {
    /// The program and the limits; `out` says where the suite goes.
    pub common: VerifyConfig,
    /// What the suite is to cover.
    pub goal: Goal,
    /// Drop tests that cover nothing that another test does not cover.
    pub min: bool,
    /// Write at most this many tests.
    pub max_tests: u64,
    /// Whether the text about the suite lists the engine's counters.
    pub statistics: bool,
}

impl TestConfig {
    /// At most a thousand tests that cover both sides of every branch.
    pub fn new(common: VerifyConfig) -> Self {
        Self { common, goal: Goal::Branches, min: false, max_tests: 1000, statistics: false }
    }
}

/// A test to be run on a program.
#[derive(Clone, Debug)]
pub struct ReplayConfig {
    /// A Test-Comp test case, a .ktest file, a C driver, a report in JSON or a GraphML witness.
    pub test: PathBuf,
    /// The program.
    pub input: InputConfig,
    /// Stop the program after this time.
    pub timeout: Duration,
    /// Stop the program above so many bytes.
    pub memory: u64,
    /// Memory that is still allocated when the program ends is an error.
    pub leaks: bool,
}

impl ReplayConfig {
    /// For ten seconds, with 2 GiB.
    pub fn new(test: impl Into<PathBuf>, input: InputConfig) -> Self {
        Self { test: test.into(), input, timeout: Duration::from_secs(10), memory: 2 << 30, leaks: false }
    }
}
