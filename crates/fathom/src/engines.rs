//! The engines that the command line knows, a line each.

use crate::args::VerifyArgs;
use fathom_engine::Engine;
use fathom_engine_explore::{Explore, ExploreConfig};

type Make = fn(&VerifyArgs) -> Box<dyn Engine>;

const ENGINES: &[(&str, Make)] = &[("explore", explore)];

/// Every engine of the portfolio, the one that answers most first.
const PORTFOLIO: &[&str] = &["explore"];
pub const AUTO: &str = "auto";

/// The engines that are to run: one by its name, or all of the portfolio.
pub fn chosen(arguments: &VerifyArgs) -> Result<Vec<Box<dyn Engine>>, String> {
    let name = arguments.engine.as_str();
    let names = if name == AUTO { PORTFOLIO } else { &[name] };
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
    let own = &arguments.explore;
    let default = ExploreConfig::default();
    Box::new(Explore {
        config: ExploreConfig {
            searcher: own.searcher.unwrap_or(default.searcher),
            max_depth: own.max_depth.or(default.max_depth),
            max_loop: own.max_loop.or(default.max_loop),
            max_states: own.max_states.or(default.max_states),
            seed: arguments.seed,
        },
        listener: None,
    })
}
