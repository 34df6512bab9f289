//! The engines that the command line knows, a line each.

use crate::args::{Optimisation, VerifyArgs};
use crate::boogie::is_boogie;
use fathom_base::Budget;
use fathom_engine::Engine;
use fathom_engine_bmc::{Bmc, BmcConfig};
use fathom_engine_dash::{Dash, DashConfig};
use fathom_engine_deduce::Deduce;
use fathom_engine_explore::{Coarse, Effort, Explore, ExploreConfig, InterpolateConfig, Invariants, Lists, PathListener, Searcher};
use fathom_engine_random::Random;
use fathom_engine_kind::{Analysis, Kind, KindConfig};
use fathom_ir::Program;
use std::rc::Rc;
use std::time::Duration;

type Make = fn(&VerifyArgs) -> Box<dyn Engine>;

const ENGINES: &[(&str, Make)] =
    &[("explore", explore), ("interpolate", interpolate), ("bmc", bmc), ("kind", kind), ("coarse", coarse), ("lists", lists), ("invariants", invariants), ("dash", dash), ("deduce", deduce), ("random", random)];

/// Every engine of the portfolio, the one that answers most first.
const PORTFOLIO: &[&str] = &["explore", "kind", "interpolate", "lists", "coarse", "bmc", "random", "dash"];
/// The same for Boogie, whose loops come with invariants.
const BOOGIE_PORTFOLIO: &[&str] = &["explore", "deduce", "invariants"];
pub const AUTO: &str = "auto";

/// The engines that are to run: one by its name, or all of the portfolio.
pub fn chosen(arguments: &VerifyArgs) -> Result<Vec<Box<dyn Engine>>, String> {
    let name = arguments.engine.as_str();
    let own = &arguments.explore;
    if (own.audit || own.table_series) && !own.interpolate && !matches!(name, AUTO | "interpolate") {
        return Err("--audit and --table-series are about interpolation: add --interpolate, or use --engine interpolate".into());
    }
    let boogie = is_boogie(&arguments.input.files)?;
    // Whether the assumptions contradict each other is seen by following them; a proof would only use that they do.
    let assumptions = arguments.explore.check_assumptions;
    let names = match (name == AUTO, boogie) {
        (true, true) if assumptions => &["explore"],
        (true, true) => BOOGIE_PORTFOLIO,
        (true, false) => PORTFOLIO,
        (false, _) => &[name],
    };
    names.iter().map(|name| engine(name, arguments)).collect()
}

fn engine(name: &str, arguments: &VerifyArgs) -> Result<Box<dyn Engine>, String> {
    let known = ENGINES.iter().find(|(known, _)| *known == name);
    known.map(|(_, make)| make(arguments)).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).chain([AUTO]).collect();
        format!("unknown engine `{name}`; known are: {}", names.join(", "))
    })
}

fn explore(arguments: &VerifyArgs) -> Box<dyn Engine> {
    Box::new(explorer(arguments))
}

/// What `explore --interpolate` is, beside others.
fn interpolate(arguments: &VerifyArgs) -> Box<dyn Engine> {
    let mut explore = explorer(arguments);
    explore.config.interpolate.get_or_insert_with(|| interpolation(arguments));
    explore.config.searcher = arguments.explore.searcher.unwrap_or(Searcher::Closing);
    Box::new(explore)
}

fn interpolation(arguments: &VerifyArgs) -> InterpolateConfig {
    let own = &arguments.explore;
    InterpolateConfig {
        table_bytes: own.interpolant_memory << 20,
        audit: own.audit,
        draw: arguments.tree.is_some(),
        series: own.table_series,
        only_cores: !own.has(Optimisation::Abduction),
    }
}

fn invariants(arguments: &VerifyArgs) -> Box<dyn Engine> {
    let mut explore = explorer(arguments);
    explore.config.interpolate = None;
    Box::new(Invariants { explore })
}

fn deduce(_: &VerifyArgs) -> Box<dyn Engine> {
    Box::new(Deduce)
}

fn coarse(arguments: &VerifyArgs) -> Box<dyn Engine> {
    let mut explore = explorer(arguments);
    explore.config.searcher = arguments.explore.searcher.unwrap_or(Searcher::Dfs);
    explore.config.compare_at_joins = true;
    explore.config.assumes_valid_accesses = true;
    explore.config.interpolate = None;
    Box::new(Coarse(explore))
}

fn lists(arguments: &VerifyArgs) -> Box<dyn Engine> {
    let mut explore = explorer(arguments);
    explore.config.searcher = arguments.explore.searcher.unwrap_or(Searcher::Dfs);
    explore.config.folds_lists = true;
    explore.config.interpolate = None;
    Box::new(Lists(explore))
}

fn explorer(arguments: &VerifyArgs) -> Explore {
    Explore { config: explore_config(arguments, ExploreConfig::default().searcher), listener: None }
}

/// Exploration for a listener's sake, which wants to get everywhere. If `once` is enough, it leaves out what an interpolant
/// covers: such runs take only sides of branches that were taken before.
pub fn explore_for(listener: Rc<dyn PathListener>, arguments: &VerifyArgs, once: bool) -> Explore {
    // A hard query must not keep the search from everything that is easy.
    let query_time = (arguments.timeout / 200).clamp(Duration::from_millis(100), Duration::from_millis(300));
    let common = explore_config(arguments, Searcher::CoverageRandom);
    let prunes = once && arguments.explore.has(Optimisation::Pruning);
    let interpolate = prunes.then(|| interpolation(arguments));
    let searcher = arguments.explore.searcher.unwrap_or(Searcher::CoverageRandom);
    let config = ExploreConfig { record_paths: false, query_time, interpolate, searcher, ..common };
    Explore { config, listener: Some(listener) }
}

fn explore_config(arguments: &VerifyArgs, searcher: Searcher) -> ExploreConfig {
    let own = &arguments.explore;
    let default = ExploreConfig::default();
    let searcher = if own.interpolate { Searcher::Closing } else { searcher };
    ExploreConfig {
        searcher: match own.searcher.unwrap_or(searcher) {
            Searcher::LoopEscape if !own.has(Optimisation::LoopEscape) => Searcher::Dfs,
            searcher => searcher,
        },
        max_depth: own.max_depth.or(default.max_depth),
        max_loop: own.max_loop.or(default.max_loop),
        max_states: own.max_states.or(default.max_states),
        seed: arguments.seed,
        query_time: default.query_time,
        effort: Effort {
            look_ahead: own.has(Optimisation::LookAhead),
            independence: own.has(Optimisation::Independence),
            remember_symbols: own.has(Optimisation::SymbolCache),
            cheap_copies: own.has(Optimisation::CheapCopies),
            shortcuts: own.has(Optimisation::Shortcuts),
        },
        record_paths: arguments.out.is_some(),
        check_assumptions: own.check_assumptions,
        compare_at_joins: false,
        folds_lists: false,
        assumes_valid_accesses: false,
        merging: arguments.unwinding.merge.unwrap_or(default.merging),
        start_with: own.start_with.clone(),
        targets: own.targets,
        explored: default.explored,
        interpolate: own.interpolate.then(|| interpolation(arguments)),
    }
}

fn bmc(arguments: &VerifyArgs) -> Box<dyn Engine> {
    let own = &arguments.unwinding;
    let default = BmcConfig::default();
    Box::new(Bmc {
        config: BmcConfig {
            unwind: own.unwind.or(default.unwind),
            loops: own.unwind_loop.clone(),
            when_bounded: own.unwinding.unwrap_or(default.when_bounded),
            purpose: own.bmc_mode.unwrap_or(default.purpose),
            merging: own.merge.unwrap_or(default.merging),
        },
    })
}

fn kind(arguments: &VerifyArgs) -> Box<dyn Engine> {
    let own = &arguments.induction;
    Box::new(Kind {
        config: KindConfig {
            max_k: own.max_k.or(arguments.unwinding.unwind),
            targets: !own.no_bkind,
            guess_invariants: !own.no_invariants,
            analysis: (!own.no_invariants).then_some(intervals as Analysis),
        },
    })
}

/// Beside others it gets a part of the time.
fn random(arguments: &VerifyArgs) -> Box<dyn Engine> {
    Box::new(Random { percent_of_time: if arguments.engine == AUTO { 10 } else { 100 } })
}

fn dash(arguments: &VerifyArgs) -> Box<dyn Engine> {
    let own = &arguments.dash;
    let config = DashConfig {
        plain: own.plain,
        max_refinements: own.max_refinements,
        tree: arguments.tree.is_some(),
        share_of_loops: (arguments.engine == AUTO).then_some(15),
    };
    Box::new(Dash { config })
}

/// What interval analysis finds at loop heads; nothing if it takes too long.
fn intervals(program: &Rc<Program>, budget: &Budget) -> fathom_ir::Invariants {
    fathom_absint::invariants(program, budget).unwrap_or_default()
}
