//! The progress of an engine, for the progress line: a few counters, and its depth in the measure of its algorithm.

use std::fmt;

/// A snapshot for the progress line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How deep the engine is.
    pub depth: Option<Depth>,
    /// Paths that have ended; of `dash` and `random`, runs.
    pub paths: u64,
    /// States that are open; of `dash`, regions.
    pub states: u64,
    /// Questions that were put to the oracle.
    pub queries: u64,
    /// Blocks of the program that some path entered, and all of them.
    pub coverage: Option<(u64, u64)>,
}

/// How deep an engine is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Branches of the path that is followed.
    Branches(u64),
    /// The bound up to which loops are unwound.
    Bound(u64),
    /// The k of an inductive step.
    Induction(u64),
    /// How often an abstraction was refined.
    Refinements(u64),
    /// The formula that is being asked about, of so many.
    Formula(u64, u64),
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (paths, states) = match self.depth {
            Some(Depth::Refinements(_)) => (["run", "runs"], ["region", "regions"]),
            _ => (["path ended", "paths ended"], ["state open", "states open"]),
        };
        let depth = self.depth.map(|depth| match depth {
            Depth::Branches(depth) => format!("depth {depth}"),
            Depth::Bound(bound) => format!("bound {bound}"),
            Depth::Induction(k) => format!("k = {k}"),
            Depth::Refinements(count) => format!("{count} refined"),
            Depth::Formula(number, all) => format!("formula {number} of {all}"),
        });
        let counted = |count: u64, [one, many]: [&str; 2]| (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }));
        let covered = self.coverage.filter(|(_, all)| *all > 0);
        let covered = covered.map(|(covered, all)| format!("{}% covered", 100 * covered / all));
        let parts = [depth, counted(self.paths, paths), counted(self.states, states), counted(self.queries, ["query", "queries"]), covered];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// Hears how far an engine is.
pub trait ProgressSink {
    /// Takes a snapshot; often, so it should be quick.
    fn report(&self, progress: &Progress);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_told() {
        let progress = Progress { depth: Some(Depth::Bound(7)), paths: 3, states: 2, queries: 0, coverage: Some((1, 3)) };
        assert_eq!(progress.to_string(), "bound 7, 3 paths ended, 2 states open, 33% covered");
        let dash = Progress { depth: Some(Depth::Refinements(4)), paths: 1, states: 9, queries: 5, coverage: None };
        assert_eq!(dash.to_string(), "4 refined, 1 run, 9 regions, 5 queries");
        assert_eq!(Progress::default().to_string(), "");
    }
}
