//! Settings of the engine.

use std::str::FromStr;

/// Which state runs next.
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
    /// Coverage and random walks in turn: for test suites.
    CoverageRandom,
}

impl Searcher {
    pub const NAMES: [(&'static str, Searcher); 7] = [
        ("dfs", Searcher::Dfs),
        ("bfs", Searcher::Bfs),
        ("random-path", Searcher::RandomPath),
        ("coverage", Searcher::Coverage),
        ("loop-escape", Searcher::LoopEscape),
        ("mixed", Searcher::Mixed),
        ("coverage-random", Searcher::CoverageRandom),
    ];
}

impl FromStr for Searcher {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Searcher::NAMES.iter().find(|(known, _)| *known == name).map(|(_, searcher)| *searcher).ok_or_else(|| {
            let known: Vec<&str> = Searcher::NAMES.iter().map(|(name, _)| *name).collect();
            format!("unknown searcher `{name}`; known are: {}", known.join(", "))
        })
    }
}

#[derive(Clone, Debug)]
pub struct ExploreConfig {
    pub searcher: Searcher,
    /// Forks on one path.
    pub max_depth: Option<u64>,
    /// Visits of one loop head in one call.
    pub max_loop: Option<u64>,
    /// States alive at once; further ones are dropped.
    pub max_states: Option<u64>,
    pub seed: u64,
}

impl Default for ExploreConfig {
    fn default() -> Self {
        ExploreConfig { searcher: Searcher::Mixed, max_depth: None, max_loop: None, max_states: None, seed: 0 }
    }
}
