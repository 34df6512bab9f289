//! Settings of a search.

use crate::limits::Limits;
use fathom_engine::Explored;
use fathom_machine::SeedInputs;
use fathom_smt::OracleConfig;
use fathom_unroll::Merging;
use std::str::FromStr;
use std::time::Duration;

/// The search strategy: which state runs next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Searcher {
    /// The newest state first.
    Dfs,
    /// The oldest state first.
    Bfs,
    /// As a random walk from the root of the execution tree would.
    RandomPath,
    /// States near code that no path has entered.
    Coverage,
    /// Newest first, but leave loops as soon as possible.
    LoopEscape,
    /// Depth first, interleaved with coverage and random walks.
    Mixed,
    /// Coverage, random walks and counters that near a limit, in turn: for test suites.
    CoverageRandom,
    /// What closes subtrees, interleaved with coverage and random walks: for interpolation (TracerX, section 4).
    Closing,
}

impl Searcher {
    /// Every strategy with its name on the command line.
    pub const NAMES: [(&'static str, Searcher); 8] = [
        ("dfs", Searcher::Dfs),
        ("bfs", Searcher::Bfs),
        ("random-path", Searcher::RandomPath),
        ("coverage", Searcher::Coverage),
        ("loop-escape", Searcher::LoopEscape),
        ("mixed", Searcher::Mixed),
        ("coverage-random", Searcher::CoverageRandom),
        ("closing", Searcher::Closing),
    ];
}

impl FromStr for Searcher {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Searcher::NAMES.iter().find(|(known, _)| *known == name).map(|(_, searcher)| *searcher).ok_or_else(|| {
            let known: Vec<&str> = Searcher::NAMES.iter().map(|(name, _)| *name).collect();
            let meant = fathom_base::did_you_mean(name, known.iter().copied());
            format!("unknown searcher `{name}`{meant}; known are: {}", known.join(", "))
        })
    }
}

/// How a search goes about its work.
#[derive(Clone, Debug)]
pub struct SearchConfig {
    /// Which state runs next.
    pub searcher: Searcher,
    /// Forks on one path.
    pub max_depth: Option<u64>,
    /// Iterations of a loop.
    pub max_loop: Option<u64>,
    /// Paths beyond `max_loop` are taken not to exist, instead of being cut.
    pub assumes_max_loop: bool,
    /// Interruptions of threads that could have gone on, on one path.
    pub context_bound: Option<u32>,
    /// States alive at once; further ones are dropped.
    pub max_states: Option<u64>,
    /// For random choices among states.
    pub seed: u64,
    /// The time that a solver may take for one query; what it has not answered by then is left out, and said.
    pub query_time: Duration,
    /// What is switched off to measure its worth.
    pub effort: Effort,
    /// Keep a record of every path.
    pub record_paths: bool,
    /// A program that can't even start because its assumptions contradict each other is not called right.
    pub check_assumptions: bool,
    /// States are compared wherever paths join, not only at loop heads.
    pub compare_at_joins: bool,
    /// Rows of heap objects are folded at loop heads: proofs only.
    pub folds_lists: bool,
    /// Whether accesses to memory are taken to be valid: where memory is arbitrary, many are not.
    pub assumes_valid_accesses: bool,
    /// Where paths that meet become one state.
    pub merging: Merging,
    /// Inputs of a run whose path is followed before all others.
    pub start_with: Option<SeedInputs>,
    /// Decide for each error location whether it is reachable, instead of stopping at the first.
    pub targets: bool,
    /// What the program is whose paths are followed.
    pub explored: Explored,
    /// How far it goes.
    pub limits: Limits,
}

/// What the engine does to be fast. All of it, unless what one part is worth is to be measured (Symbooglix, section V-D).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The assumptions behind a goto are looked at before a state is made.
    pub look_ahead: bool,
    /// Only constraints that share symbols with a query are sent.
    pub independence: bool,
    /// The symbols of terms are computed once.
    pub remember_symbols: bool,
    /// Copies of a state share what is large.
    pub cheap_copies: bool,
    /// Conditions that are constant or known already cost no query.
    pub shortcuts: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { look_ahead: true, independence: true, remember_symbols: true, cheap_copies: true, shortcuts: true }
    }
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            searcher: Searcher::Mixed,
            max_depth: None,
            max_loop: None,
            assumes_max_loop: false,
            context_bound: None,
            max_states: None,
            seed: 0,
            query_time: OracleConfig::default().query_time,
            effort: Effort::default(),
            record_paths: false,
            check_assumptions: false,
            compare_at_joins: false,
            folds_lists: false,
            assumes_valid_accesses: false,
            merging: Merging::None,
            start_with: None,
            targets: false,
            explored: Explored::default(),
            limits: Limits::default(),
        }
    }
}
