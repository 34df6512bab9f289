//! What the solvers did, for the statistics of every engine.

use crate::outcome::Statistics;
use fathom_smt::{Layer, Oracle};

/// Adds the counts and times of the oracle's layers and solvers.
pub fn add_solver_counters(oracle: &Oracle, statistics: &mut Statistics) {
    let seen = oracle.statistics();
    let mut count = |name: String, value: u64| statistics.counters.push((name, value));
    count("queries".to_string(), seen.queries());
    for layer in Layer::ALL {
        count(format!("queries answered by {layer:?}").to_lowercase(), seen.answered(layer));
    }
    count("nanoseconds a query without solver (median)".to_string(), seen.layer_times.median().as_nanos() as u64);
    count("microseconds a solver call (median)".to_string(), seen.solver_times.median().as_micros() as u64);
    count("solvers made".to_string(), seen.solvers_made);
    count("solver failures".to_string(), seen.solver_failures);
    count("wrong models".to_string(), seen.models_rejected);
    count("solver contradictions".to_string(), seen.contradictions);
    statistics.solver_time = seen.solver_time();
}
