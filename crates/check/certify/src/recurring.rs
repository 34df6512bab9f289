//! Checks the claim that some run never leaves a set of states: the rounds of the loop are run again, and another
//! solver is asked whether the set has a state from which none of them leads back into it. The replay of the trace
//! shows that the set is reached.

use fathom_base::Budget;
use fathom_engine::Reason;
use fathom_ir::{Program, Property};
use fathom_machine::{Cycle, Recurs, Trace, recurs};
use fathom_smt::{Backend, Oracle, OracleConfig};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

/// Time for one question.
const QUERY_TIME: Duration = Duration::from_secs(4);

/// What is to be said of the check, if the trace makes such a claim; an error if the claim does not stand.
pub fn check(
    trace: &Trace,
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    second: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) -> Result<Option<String>, Reason> {
    let Some(Cycle::Stays(_)) = trace.cycle else { return Ok(None) };
    let Some(second) = second else {
        return Ok(Some("that no round leaves the loop was not proved again: there is no second solver".to_string()));
    };
    let config = OracleConfig { query_time: QUERY_TIME, ..OracleConfig::default() };
    let oracle = Oracle::new(program.terms.clone(), Box::new(second.clone()), config);
    let name = second.name();
    match recurs(program, properties, trace, oracle, budget) {
        Recurs::Confirmed => Ok(Some(format!("that no round leaves the loop was proved again with {name}"))),
        Recurs::Undecided => Ok(Some(format!("that no round leaves the loop was not proved again: {name} did not decide it in time"))),
        Recurs::Refuted(why) => Err(Reason::NotConfirmed(format!("a run that does not end: {why}; please report this"))),
    }
}
