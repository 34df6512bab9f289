//! The settings of single engines on the command line.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fathom_driver::{LoopBound, Merging, Optimisation, Purpose, Searcher, SeedInputs, WhenBounded};

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine explore")]
pub struct ExploreArgs {
    /// Which path to follow next: dfs, bfs, random-path, coverage, loop-escape, mixed,
    /// coverage-random, closing [default: mixed; for tests coverage-random; with --interpolate closing]
    #[arg(long, value_name = "NAME")]
    pub searcher: Option<Searcher>,
    /// Cut paths after this many branches
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
    /// Cut paths after this many iterations of a loop
    #[arg(long, value_name = "N")]
    pub max_loop: Option<u64>,
    /// Cut paths on which threads are interrupted more often than this (switches from threads that wait or end do not
    /// count)
    #[arg(long, value_name = "K")]
    pub context_bound: Option<u32>,
    /// Cut paths when more than this many are open
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Follow the path of this test before all others: any file that `fathom replay` accepts, except a C driver
    #[arg(long, value_name = "TEST", value_parser = run_to_start_with)]
    pub start_with: Option<SeedInputs>,
    /// Prune states with interpolants: conditions of explored states under which nothing fails
    #[arg(long)]
    pub interpolate: bool,
    /// With --interpolate: explore a sample of the pruned states, to check that nothing fails there
    #[arg(long)]
    pub audit: bool,
    /// With --interpolate: report the size of the table of interpolants over time
    #[arg(long)]
    pub table_series: bool,
    /// Decide for each error location whether it can be reached, instead of stopping at the first
    #[arg(long)]
    pub targets: bool,
    /// With --interpolate: memory limit of the interpolants, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 512)]
    pub interpolant_memory: usize,
    /// Answer `unknown` instead of `true` if axioms and preconditions contradict each other, so that nothing is
    /// executed
    #[arg(long)]
    pub check_assumptions: bool,
    /// Switch an optimisation off, to measure its effect
    #[arg(long, value_name = "OPTIMISATION", value_parser = optimisations())]
    pub without: Vec<Optimisation>,
}

/// The inputs of a test.
fn run_to_start_with(path: &str) -> Result<SeedInputs, String> {
    fathom_driver::inputs_of_test(path.as_ref()).map_err(|error| error.to_string())
}

/// The names that `--without` takes.
fn optimisations() -> impl TypedValueParser<Value = Optimisation> {
    let values = Optimisation::ALL.iter().map(|(_, name, what)| PossibleValue::new(name).help(what.trim()));
    let by_name = |name: String| Optimisation::ALL.iter().find(|(_, known, _)| *known == name).map(|(optimisation, ..)| *optimisation);
    PossibleValuesParser::new(values).try_map(move |name| by_name(name).ok_or("no such optimisation"))
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine bmc")]
pub struct UnwindingArgs {
    /// Unwind loops and recursion this often [default: rising, until nothing is left to unwind]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub unwind: Option<u64>,
    /// A bound for one loop: FUNCTION.N=K (the N-th of the function, from 0) or FILE:LINE=K
    #[arg(long, value_name = "LOOP=K")]
    pub unwind_loop: Vec<LoopBound>,
    /// The meaning of a path beyond --unwind or --max-loop: assert (there is no proof), assume (it is assumed not to
    /// exist) [default: assert]
    #[arg(long, value_name = "HOW")]
    pub unwinding: Option<WhenBounded>,
    /// falsification (violations only), termination (do all loops end?), incremental (both) [default: incremental]
    #[arg(long, value_name = "MODE")]
    pub bmc_mode: Option<Purpose>,
    /// Where paths that meet are merged into one state, in bmc and explore: none, regions (inside loop-free code), all
    /// [default: all in bmc, none in explore]
    #[arg(long, value_name = "WHERE")]
    pub merge: Option<Merging>,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine kind")]
pub struct InductionArgs {
    /// Begin the inductive step with this k [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub first_k: Option<u64>,
    /// The largest k, and the largest bound of the base case [default: no limit]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_k: Option<u64>,
    /// Plain k-induction: counterexamples of the inductive step are no targets of the base case
    #[arg(long)]
    pub no_bkind: bool,
    /// No invariants: neither from interval analysis nor guessed
    #[arg(long)]
    pub no_invariants: bool,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine dash")]
pub struct DashArgs {
    /// DASH as originally published: impossible exits stay until they are split away, predicates are whole
    /// preconditions
    #[arg(long)]
    pub plain: bool,
    /// Give up after this many refinements of the abstraction [default: no limit]
    #[arg(long, value_name = "N")]
    pub max_refinements: Option<u64>,
}
