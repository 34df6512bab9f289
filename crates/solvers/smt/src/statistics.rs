//! Statistics of the oracle: how often each layer answered, and how long solvers took. Times go into a histogram with
//! powers of two, so that a median costs no memory per query.

use std::time::Duration;

/// The layer that answered a query, in the order in which the layers are tried.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// A constant; the condition or its negation is a constraint; comparisons with constants rule it out.
    Syntax,
    /// The state's own model satisfies the condition.
    Hint,
    /// The same question was asked before.
    Cache,
    /// A recent model satisfies the query.
    RecentModel,
    /// The query contains a known unsatisfiable core.
    Core,
    /// Known values of variables, or other comparisons of the same term, decide the condition.
    Substitution,
    /// The query has one symbol, and exact ranges of its values decide it. (For short queries guesses are tried first.)
    OneUnknown,
    /// The state's model satisfies the query after one value was changed.
    Guess,
    /// Interval arithmetic over floats decides it.
    Intervals,
    /// A solver was asked.
    Solver,
    /// None: the budget was used up before a solver was asked.
    Nobody,
}

impl Layer {
    /// All layers, in the order in which they are tried.
    pub const ALL: [Layer; 11] = [
        Layer::Syntax,
        Layer::Hint,
        Layer::Cache,
        Layer::RecentModel,
        Layer::Core,
        Layer::Substitution,
        Layer::OneUnknown,
        Layer::Guess,
        Layer::Intervals,
        Layer::Solver,
        Layer::Nobody,
    ];
}

/// Durations in buckets of powers of two nanoseconds.
#[derive(Clone, Debug)]
pub struct Histogram {
    buckets: [u64; 48],
    total: Duration,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { buckets: [0; 48], total: Duration::ZERO }
    }
}

impl Histogram {
    /// Adds a duration.
    pub fn add(&mut self, time: Duration) {
        let nanos = time.as_nanos().max(1);
        let bucket = (nanos.ilog2() as usize).min(self.buckets.len() - 1);
        self.buckets[bucket] += 1;
        self.total += time;
    }

    /// How many durations were added.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The sum of all durations.
    pub fn total(&self) -> Duration {
        self.total
    }

    /// The time below which this share (0 to 1) of the entries lies, up to a factor of two.
    pub fn quantile(&self, share: f64) -> Duration {
        let rank = (self.count() as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Duration::from_nanos(3 << bucket >> 1);
            }
        }
        Duration::ZERO
    }

    /// The median, up to a factor of two.
    pub fn median(&self) -> Duration {
        self.quantile(0.5)
    }
}

/// Counters and times of one oracle.
#[derive(Clone, Debug, Default)]
pub struct OracleStatistics {
    answered: [u64; Layer::ALL.len()],
    /// Queries that were satisfiable.
    pub sat: u64,
    /// Queries that were contradictory.
    pub unsat: u64,
    /// Queries that were not decided.
    pub unknown: u64,
    /// Time of queries that a layer between the hint and the solver answered.
    pub layer_times: Histogram,
    /// Time of each `check` of a solver, with the assertions it needed first.
    pub solver_times: Histogram,
    /// Time of each search for an unsatisfiable core.
    pub core_times: Histogram,
    /// Solvers that were made anew.
    pub solvers_made: u64,
    /// Solvers that failed and were thrown away.
    pub solver_failures: u64,
    /// Models of a solver that do not satisfy the constraints: bugs of a solver or a translation.
    pub models_rejected: u64,
    /// Queries on which two solvers contradicted each other: bugs, too.
    pub contradictions: u64,
}

impl OracleStatistics {
    pub(crate) fn count(&mut self, layer: Layer) {
        self.answered[layer as usize] += 1;
    }

    /// How many queries a layer answered.
    pub fn answered(&self, layer: Layer) -> u64 {
        self.answered[layer as usize]
    }

    /// How many queries were asked.
    pub fn queries(&self) -> u64 {
        self.answered.iter().sum()
    }

    /// How often a solver was called.
    pub fn solver_calls(&self) -> u64 {
        self.solver_times.count()
    }

    /// The time that solvers took.
    pub fn solver_time(&self) -> Duration {
        self.solver_times.total()
    }
}

impl std::fmt::Display for OracleStatistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} queries ({} sat, {} unsat, {} unknown):", self.queries(), self.sat, self.unsat, self.unknown)?;
        for layer in Layer::ALL {
            write!(f, " {layer:?} {}", self.answered(layer))?;
        }
        write!(
            f,
            "; {} solver calls in {:?} (median {:?}, 99% {:?}), {} solvers made, {} failed",
            self.solver_calls(),
            self.solver_time(),
            self.solver_times.median(),
            self.solver_times.quantile(0.99),
            self.solvers_made,
            self.solver_failures,
        )?;
        if self.models_rejected > 0 {
            write!(f, "; WRONG MODELS: {}", self.models_rejected)?;
        }
        if self.contradictions > 0 {
            write!(f, "; SOLVERS CONTRADICT EACH OTHER: {}", self.contradictions)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_right_up_to_a_factor_of_two() {
        let mut histogram = Histogram::default();
        for micros in [1, 2, 100, 110, 120, 5000, 9000] {
            histogram.add(Duration::from_micros(micros));
        }
        let median = histogram.median().as_nanos();
        assert!((55_000..220_000).contains(&median), "{median}");
        assert_eq!(histogram.count(), 7);
        assert_eq!(Histogram::default().median(), Duration::ZERO);
    }
}
