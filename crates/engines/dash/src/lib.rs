//! DASH (LCTD): tests and an abstraction of regions work on the same error trace. A test that gets further along the
//! trace extends the set of regions that are known to be reachable; where no test gets further, the abstraction is
//! refined. `false` is a test that fails, `true` an abstraction without a path to a failure. Calls of recursive
//! procedures become subgoals of the same kind (`objectives`), whose answers are summaries.

mod answer;
mod atoms;
mod behind;
mod calls;
mod config;
mod dash;
mod guesses;
mod guided;
mod limits;
mod objectives;
mod paths;
mod project;
mod refine;
mod regions;
mod runs;
mod samples;
mod search;
mod session;
mod solving;
mod spread;
mod summaries;
mod testing;
mod told;
mod translate;
mod tree;

pub use config::DashConfig;
pub use dash::Dash;
pub use limits::Limits;

#[cfg(test)]
mod tests;
