//! The registry of engines, a line each, and how the configuration becomes theirs.

use crate::boogie::is_boogie;
use crate::config::{AUTO, InputConfig, Optimisation, VerifyConfig};
use crate::share::SharedDirectory;
use fathom_base::{Budget, did_you_mean};
use fathom_engine::Engine;
use fathom_engine_bmc::{Bmc, BmcConfig, WhenBounded};
use fathom_engine_coarse::Coarse;
use fathom_engine_dash::{Dash, DashConfig};
use fathom_engine_deduce::Deduce;
use fathom_engine_explore::Explore;
use fathom_engine_horn::Horn;
use fathom_engine_interpolate::{Interpolate, InterpolateConfig};
use fathom_engine_invariants::Invariants;
use fathom_engine_kind::{Analysis, Kind, KindConfig};
use fathom_engine_lists::Lists;
use fathom_engine_modular::Modular;
use fathom_engine_random::Random;
use fathom_engine_rank::Rank;
use fathom_ir::Program;
use fathom_search::{Effort, Explorer, PathListener, SearchConfig, Searcher, Sharing};
use fathom_unroll::Merging;
use std::rc::Rc;
use std::time::Duration;

type Make = fn(&VerifyConfig) -> Box<dyn Engine>;

const ENGINES: &[(&str, Make)] = &[
    ("explore", explore),
    ("interpolate", interpolate),
    ("bmc", bmc),
    ("kind", kind),
    ("coarse", coarse),
    ("lists", lists),
    ("invariants", invariants),
    ("dash", dash),
    ("horn", horn),
    ("rank", rank),
    ("modular", modular),
    ("deduce", deduce),
    ("random", random),
];

/// Who is to decide.
pub(crate) enum Choice {
    /// This engine.
    One(Box<dyn Engine>),
    /// Engines that suit the program.
    Portfolio,
}

/// The engine that is asked for by its name, or the portfolio.
pub(crate) fn chosen(config: &VerifyConfig) -> Result<Choice, String> {
    let name = config.engine.as_str();
    let own = &config.explore;
    if (own.audit || own.table_series) && !own.interpolate && !matches!(name, AUTO | "interpolate") {
        return Err("--audit and --table-series are about interpolation: add --interpolate, or use --engine interpolate".into());
    }
    // Exploration sees whether the assumptions contradict each other; a proof by another engine could rest on the contradiction.
    let follows_assumptions = own.check_assumptions && is_boogie(&config.input.files)?;
    match name {
        AUTO if follows_assumptions => engine("explore", config).map(Choice::One),
        AUTO => Ok(Choice::Portfolio),
        name => engine(name, config).map(Choice::One),
    }
}

/// An error if there is no engine of this name.
pub fn check_engine(name: &str) -> Result<(), String> {
    if name == AUTO { Ok(()) } else { engine(name, &VerifyConfig::new(InputConfig::default())).map(drop) }
}

/// The engine of this name.
pub(crate) fn engine(name: &str, config: &VerifyConfig) -> Result<Box<dyn Engine>, String> {
    let known = ENGINES.iter().find(|(known, _)| *known == name);
    known.map(|(_, make)| make(config)).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).chain([AUTO]).collect();
        let meant = did_you_mean(name, names.iter().copied());
        format!("unknown engine `{name}`{meant}; known are: {}", names.join(", "))
    })
}

/// Every engine, for the table in the docs.
pub(crate) fn all(config: &VerifyConfig) -> impl Iterator<Item = Box<dyn Engine>> {
    ENGINES.iter().map(|(_, make)| make(config))
}

fn explore(config: &VerifyConfig) -> Box<dyn Engine> {
    match config.explore.interpolate {
        true => interpolating(explorer(config), config),
        false => {
            let sharing = config.share.clone().map(|path| Rc::new(SharedDirectory::new(path)) as Rc<dyn Sharing>);
            Box::new(Explore(Explorer { sharing, ..explorer(config) }))
        }
    }
}

/// The engine `interpolate` as a member of the portfolio.
fn interpolate(config: &VerifyConfig) -> Box<dyn Engine> {
    let mut explorer = explorer(config);
    explorer.config.searcher = config.explore.searcher.unwrap_or(Searcher::Closing);
    interpolating(explorer, config)
}

/// Interpolants are about single paths: states are not joined, even where there are no interpolants.
fn interpolating(mut explorer: Explorer, config: &VerifyConfig) -> Box<dyn Engine> {
    explorer.config.merging = Merging::None;
    Box::new(Interpolate { explorer, config: interpolation(config) })
}

fn interpolation(config: &VerifyConfig) -> InterpolateConfig {
    let own = &config.explore;
    InterpolateConfig {
        table_bytes: own.interpolant_memory << 20,
        audit: own.audit,
        draw: config.tree.is_some(),
        series: own.table_series,
        only_cores: !own.has(Optimisation::Abduction),
        limits: Default::default(),
    }
}

fn invariants(config: &VerifyConfig) -> Box<dyn Engine> {
    Box::new(Invariants(explorer(config)))
}

fn modular(_: &VerifyConfig) -> Box<dyn Engine> {
    Box::new(Modular::default())
}

fn rank(_: &VerifyConfig) -> Box<dyn Engine> {
    Box::new(Rank::default())
}

fn deduce(_: &VerifyConfig) -> Box<dyn Engine> {
    Box::new(Deduce::default())
}

fn horn(_: &VerifyConfig) -> Box<dyn Engine> {
    Box::new(Horn::default())
}

fn coarse(config: &VerifyConfig) -> Box<dyn Engine> {
    let mut explorer = explorer(config);
    explorer.config.searcher = config.explore.searcher.unwrap_or(Searcher::Dfs);
    explorer.config.compare_at_joins = true;
    explorer.config.assumes_valid_accesses = true;
    Box::new(Coarse(explorer))
}

fn lists(config: &VerifyConfig) -> Box<dyn Engine> {
    let mut explorer = explorer(config);
    explorer.config.searcher = config.explore.searcher.unwrap_or(Searcher::Dfs);
    explorer.config.folds_lists = true;
    Box::new(Lists(explorer))
}

fn explorer(config: &VerifyConfig) -> Explorer {
    Explorer { config: search_config(config, SearchConfig::default().searcher), listener: None, sharing: None }
}

/// Exploration for a listener's sake, which wants to get everywhere. If `once` is enough, it leaves out what an interpolant
/// covers: such runs take only sides of branches that were taken before.
pub(crate) fn explore_for(listener: Rc<dyn PathListener>, config: &VerifyConfig, once: bool) -> Box<dyn Engine> {
    // A hard query must not keep the search from everything that is easy.
    let query_time = (config.timeout / 200).clamp(Duration::from_millis(100), Duration::from_millis(300));
    let common = search_config(config, Searcher::CoverageRandom);
    let searcher = config.explore.searcher.unwrap_or(Searcher::CoverageRandom);
    let search = SearchConfig { record_paths: false, query_time, searcher, ..common };
    let explorer = Explorer { config: search, listener: Some(listener), sharing: None };
    match once && config.explore.has(Optimisation::Pruning) {
        true => interpolating(explorer, config),
        false => Box::new(Explore(explorer)),
    }
}

/// Exploration that goes on after violations and tells the listener of each, with all the time that a query needs.
pub(crate) fn explore_all(listener: Rc<dyn PathListener>, config: &VerifyConfig) -> Box<dyn Engine> {
    let search = SearchConfig { record_paths: true, ..search_config(config, SearchConfig::default().searcher) };
    Box::new(Explore(Explorer { config: search, listener: Some(listener), sharing: None }))
}

/// Exploration that stops at the first violation.
pub(crate) fn plain_explorer(config: &VerifyConfig) -> Box<dyn Engine> {
    Box::new(Explore(explorer(config)))
}

fn search_config(config: &VerifyConfig, searcher: Searcher) -> SearchConfig {
    let own = &config.explore;
    let default = SearchConfig::default();
    let searcher = if own.interpolate { Searcher::Closing } else { searcher };
    SearchConfig {
        searcher: match own.searcher.unwrap_or(searcher) {
            Searcher::LoopEscape if !own.has(Optimisation::LoopEscape) => Searcher::Dfs,
            searcher => searcher,
        },
        max_depth: own.max_depth.or(default.max_depth),
        max_loop: own.max_loop.or(default.max_loop),
        assumes_max_loop: config.unwinding.unwinding == Some(WhenBounded::Assume),
        context_bound: own.context_bound.or(default.context_bound),
        max_states: own.max_states.or(default.max_states),
        seed: config.seed,
        query_time: default.query_time,
        effort: Effort {
            look_ahead: own.has(Optimisation::LookAhead),
            independence: own.has(Optimisation::Independence),
            remember_symbols: own.has(Optimisation::SymbolCache),
            cheap_copies: own.has(Optimisation::CheapCopies),
            shortcuts: own.has(Optimisation::Shortcuts),
        },
        record_paths: config.out.is_some() || config.explain,
        check_assumptions: own.check_assumptions,
        compare_at_joins: false,
        folds_lists: false,
        assumes_valid_accesses: false,
        merging: config.unwinding.merge.unwrap_or(default.merging),
        start_with: own.start_with.clone(),
        targets: own.targets,
        explored: default.explored,
        limits: default.limits,
    }
}

fn bmc(config: &VerifyConfig) -> Box<dyn Engine> {
    let own = &config.unwinding;
    let default = BmcConfig::default();
    Box::new(Bmc {
        config: BmcConfig {
            unwind: own.unwind.or(default.unwind),
            loops: own.unwind_loop.clone(),
            when_bounded: own.unwinding.unwrap_or(default.when_bounded),
            purpose: own.bmc_mode.unwrap_or(default.purpose),
            merging: own.merge.unwrap_or(default.merging),
            limits: default.limits,
        },
    })
}

fn kind(config: &VerifyConfig) -> Box<dyn Engine> {
    let own = &config.induction;
    Box::new(Kind {
        config: KindConfig {
            first_k: own.first_k.unwrap_or(1),
            max_k: own.max_k.or(config.unwinding.unwind),
            targets: !own.no_bkind,
            guess_invariants: !own.no_invariants,
            analysis: (!own.no_invariants).then_some(intervals as Analysis),
            limits: Default::default(),
        },
    })
}

/// The engine `random`; in the portfolio it gets a part of the time.
fn random(config: &VerifyConfig) -> Box<dyn Engine> {
    Box::new(Random { percent_of_time: if config.engine == AUTO { 30 } else { 100 }, limits: Default::default() })
}

fn dash(config: &VerifyConfig) -> Box<dyn Engine> {
    let own = &config.dash;
    let dash = DashConfig {
        plain: own.plain,
        max_refinements: own.max_refinements,
        tree: config.tree.is_some(),
        share_of_loops: (config.engine == AUTO).then_some(15),
        limits: Default::default(),
    };
    Box::new(Dash { config: dash })
}

/// What interval analysis finds at loop heads; nothing if it takes too long.
fn intervals(program: &Rc<Program>, budget: &Budget) -> fathom_ir::Invariants {
    fathom_absint::invariants(program, budget).unwrap_or_default()
}
