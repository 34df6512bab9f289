//! DASH (LCTD): tests and an abstraction of regions work on the same error trace. A test that gets further along it
//! grows what is known to be reachable; where no test gets further, the abstraction shrinks. `false` is a test that
//! fails, `true` an abstraction in which nothing leads to a failure. Calls of recursive procedures are subgoals of the
//! same kind (`objectives`), and the answers are summaries.

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
