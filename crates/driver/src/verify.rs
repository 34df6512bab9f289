//! Answers a question, with the chosen engine or the portfolio.

use crate::answer::Verified;
use crate::boogie::is_boogie;
use crate::config::VerifyConfig;
use crate::decide::Nobody;
use crate::engines::{self, Choice};
use crate::error::Error;
use crate::portfolio;
use crate::prepare::{C_SOLVER, prepare};
use crate::session::Session;
use crate::solvers::other_linked;
use crate::stack::on_large_stack;

/// Decides the properties of a program. What was found is checked again before it is told, and the files that the
/// configuration asks for are written. The portfolio forks a process per engine: call it while no other thread of this
/// process holds a lock that an engine needs.
pub fn verify(config: &VerifyConfig, session: &Session) -> Result<Verified, Error> {
    on_large_stack(|| {
        let choice = engines::chosen(config).map_err(Error::Usage)?;
        let prepared = prepare(config, session, false)?;
        let answer = match choice {
            Choice::One(engine) => prepared.answer(engine.name(), &prepared.decide(engine.as_ref(), session, &mut Nobody)),
            Choice::Portfolio => portfolio::run(&prepared)?,
        };
        prepared.finish(answer)
    })
}

/// The question with the other linked solver, and a note that says so: for a run that crashed, which a solver library is the
/// likeliest to have caused. None where that is no help, or where only the program decides which solver is asked.
pub fn with_other_solver(config: &VerifyConfig, signal: i32) -> Option<(VerifyConfig, String)> {
    let is_c = !is_boogie(&config.input.files).unwrap_or(true);
    let solver = config.solver.clone().or_else(|| is_c.then(|| C_SOLVER.to_string()))?;
    let other = other_linked(&solver)?;
    let note = format!("the run with {solver} crashed (signal {signal}) and was started again with {other}");
    Some((VerifyConfig { solver: Some(other.to_string()), ..config.clone() }, note))
}
