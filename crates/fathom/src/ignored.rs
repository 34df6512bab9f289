//! Warns about flags that the chosen engine ignores, because a user who gives one expects an effect.

use fathom_driver::AUTO;

/// Engines that follow paths.
const EXPLORERS: &[&str] = &["explore", "interpolate", "coarse", "lists", "invariants"];

/// The name of an argument, its flag, and the engines that look at it (`auto` runs all of them).
const FLAGS: &[(&str, &str, &[&str])] = &[
    ("unwind", "--unwind", &["bmc", "kind"]),
    ("unwind_loop", "--unwind-loop", &["bmc"]),
    ("unwinding", "--unwinding", &["bmc", "explore", "interpolate", "coarse", "lists", "invariants"]),
    ("bmc_mode", "--bmc-mode", &["bmc"]),
    ("merge", "--merge", &["bmc", "explore"]),
    ("searcher", "--searcher", EXPLORERS),
    ("max_depth", "--max-depth", EXPLORERS),
    ("max_loop", "--max-loop", EXPLORERS),
    ("context_bound", "--context-bound", EXPLORERS),
    ("max_states", "--max-states", EXPLORERS),
    ("start_with", "--start-with", EXPLORERS),
    ("targets", "--targets", EXPLORERS),
    ("interpolate", "--interpolate", &["explore", "interpolate"]),
    ("interpolant_memory", "--interpolant-memory", &["explore", "interpolate"]),
    ("max_k", "--max-k", &["kind"]),
    ("no_bkind", "--no-bkind", &["kind"]),
    ("no_invariants", "--no-invariants", &["kind"]),
    ("plain", "--plain", &["dash"]),
    ("max_refinements", "--max-refinements", &["dash"]),
    ("agree", "--agree", &[AUTO]),
    ("portfolio", "--portfolio", &[AUTO]),
    ("cores", "--cores", &[AUTO]),
];

/// A warning for each flag that was given in vain.
pub fn ignored(engine: &str, given: &dyn Fn(&str) -> bool) -> Vec<String> {
    let in_vain = |(_, _, engines): &&(&str, &str, &[&str])| engine != AUTO && !engines.contains(&engine);
    let told = |(_, flag, engines): &(&str, &str, &[&str])| {
        format!("{flag} has no effect with --engine {engine}; it is for {}", engines.join(", "))
    };
    FLAGS.iter().filter(|(name, ..)| given(name)).filter(in_vain).map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_flags_exist() {
        let command = Cli::command();
        let verify = command.find_subcommand("verify").unwrap();
        for (name, flag, _) in FLAGS {
            let argument = verify.get_arguments().find(|argument| argument.get_id() == name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(argument.get_long(), flag.strip_prefix("--"));
        }
    }

    #[test]
    fn only_what_is_in_vain_is_told() {
        let told = |engine: &str| ignored(engine, &|name| name == "unwind" || name == "agree").len();
        assert_eq!((told("bmc"), told("explore"), told(AUTO)), (1, 2, 0));
    }
}
