//! Checks each verdict of an outcome: proofs by `proof`, violations by a replay on the interpreter and natively.

use crate::part;
use crate::proof::{self, Question};
use crate::recurring;
use fathom_base::Budget;
use fathom_engine::{Assurance, Certificate, Outcome, Proof, Reason, Verdict};
use fathom_ir::{Program, Property};
use fathom_machine::{ReplayEnd, ReplayLog, Trace, Violation};
use fathom_native::{self as native, Claim, NativeResult, NativeSetup};
use fathom_smt::Backend;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Steps of the interpreter that one replay may take.
const REPLAY_STEPS: u64 = 10_000_000_000;

/// Whether and how violations are replayed natively.
pub enum NativeMode<'a> {
    /// They are compiled and run.
    Run(&'a NativeSetup),
    /// Why not: switched off by the user, or nothing that can be compiled.
    Skip(String),
}

/// A checked outcome, and the results of the checks.
#[derive(Default)]
pub struct Certified {
    /// Verdicts that failed a check are `Unknown` here.
    pub outcome: Outcome,
    /// The concrete replay of each violation, also of one that was withdrawn.
    pub replays: BTreeMap<Property, ReplayLog>,
    /// How each verdict was checked.
    pub certificates: BTreeMap<Property, Certificate>,
    /// The native run of each violation that has one.
    pub natives: BTreeMap<Property, NativeResult>,
    /// How the part of an exploration that others share was checked. One that failed its check is gone.
    pub part: Option<Certificate>,
}

impl Certified {
    /// Adds the answers to other properties.
    pub fn add(&mut self, other: Certified) {
        self.outcome.verdicts.extend(other.outcome.verdicts);
        self.outcome.ledger.merge(&other.outcome.ledger);
        self.outcome.statistics.add(other.outcome.statistics);
        self.replays.extend(other.replays);
        self.certificates.extend(other.certificates);
        self.natives.extend(other.natives);
        self.part = self.part.take().or(other.part);
    }
}

/// Checks every verdict of an outcome. `second` is a solver that the engine didn't use.
pub fn check(
    outcome: Outcome,
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    native: &NativeMode<'_>,
    second: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) -> Certified {
    let replay = |trace: &Trace| fathom_machine::replay(program, properties, trace, REPLAY_STEPS);
    let minimise =
        |trace: &Trace| tracing::info_span!("minimise").in_scope(|| fathom_machine::minimise(program, properties, trace, budget));
    let interpreter = Interpreter { replay: &replay, minimise: &minimise };
    check_with(outcome, program, properties, &interpreter, native, second, budget)
}

/// Proofs that were checked, and what came of it.
type CheckedProofs = Vec<(Rc<Proof>, Result<Certificate, Reason>)>;

/// The check of a proof that several properties may share. A partition says something else for each of them.
fn checked_once(
    known: &mut CheckedProofs,
    proof: &Rc<Proof>,
    check: impl FnOnce() -> Result<Certificate, Reason>,
) -> Result<Certificate, Reason> {
    let is_shared = !matches!(**proof, Proof::Partition { .. } | Proof::NothingToCheck);
    if let Some((_, result)) = known.iter().find(|(other, _)| is_shared && Rc::ptr_eq(other, proof)) {
        return result.clone();
    }
    let result = check();
    known.push((proof.clone(), result.clone()));
    result
}

/// Runs traces.
pub struct Interpreter<'a> {
    /// The run of a trace on the interpreter.
    pub replay: &'a dyn Fn(&Trace) -> ReplayLog,
    /// The same violation with inputs that are easier on the reader, if there are any.
    pub minimise: &'a dyn Fn(&Trace) -> Option<Trace>,
}

/// `check` with the interpreter given from outside. `second` is a solver that the engine didn't use.
pub fn check_with(
    outcome: Outcome,
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    interpreter: &Interpreter<'_>,
    native: &NativeMode<'_>,
    second: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) -> Certified {
    let _phase = tracing::info_span!("certify").entered();
    let mut certified = Certified {
        outcome: Outcome { verdicts: BTreeMap::new(), ledger: outcome.ledger, statistics: outcome.statistics },
        replays: BTreeMap::new(),
        certificates: BTreeMap::new(),
        natives: BTreeMap::new(),
        part: None,
    };
    check_part(&mut certified, program, properties, second, budget);
    let mut others = Vec::new();
    let mut proofs = Vec::new();
    for (property, verdict) in outcome.verdicts {
        let checked = match verdict {
            Verdict::Holds(proof) => {
                let question = Question { program, properties, ledger: &certified.outcome.ledger };
                match checked_once(&mut proofs, &proof, || proof::check(&proof, property, &question, second, budget)) {
                    Ok(certificate) => {
                        certified.certificates.insert(property, certificate);
                        Verdict::Holds(proof)
                    }
                    Err(reason) => Verdict::Unknown(reason),
                }
            }
            Verdict::Violated(mut trace) => {
                let stays = match recurring::check(&trace, program, properties, second, budget) {
                    Ok(note) => note,
                    Err(reason) => {
                        certified.outcome.verdicts.insert(property, Verdict::Unknown(reason));
                        continue;
                    }
                };
                let log = tracing::info_span!("replay", %property).in_scope(|| (interpreter.replay)(&trace));
                if let Some(seen) = other_violation(&trace.violation, &log.end, properties) {
                    trace.violation = seen.clone();
                }
                let shown = trace.violation.property;
                if shown != property {
                    others.push((shown, trace, log));
                    let why = format!("the replay violated {shown} instead of {property}");
                    certified.outcome.verdicts.insert(property, Verdict::Unknown(Reason::NotConfirmed(why)));
                    continue;
                }
                let small = minimised(&trace, property, interpreter, program);
                let verdict = match small.and_then(|small| confirm_small(small, property, program, native, budget, &mut certified)) {
                    Some(verdict) => verdict,
                    None => {
                        let verdict = confirm(trace, &log, property, program, native, budget, &mut certified);
                        certified.replays.insert(property, log);
                        verdict
                    }
                };
                if let Some(certificate) = certified.certificates.get_mut(&property) {
                    certificate.notes.extend(stays);
                }
                verdict
            }
            unknown @ Verdict::Unknown(_) => unknown,
        };
        certified.outcome.verdicts.insert(property, checked);
    }
    for (property, trace, log) in others {
        if !matches!(certified.outcome.verdicts.get(&property), Some(Verdict::Violated(_))) {
            let verdict = confirm(trace, &log, property, program, native, budget, &mut certified);
            certified.replays.insert(property, log);
            certified.outcome.verdicts.insert(property, verdict);
        }
    }
    certified
}

/// Checks a part of an exploration; one that does not stand says nothing any more.
fn check_part(
    certified: &mut Certified,
    program: &Rc<Program>,
    properties: &BTreeSet<Property>,
    second: Option<&Rc<dyn Backend>>,
    budget: &Budget,
) {
    let Some(part) = certified.outcome.statistics.part.take() else { return };
    let question = Question { program, properties, ledger: &certified.outcome.ledger };
    match part::check(&part, &question, second.map(|second| &**second), budget) {
        Ok(certificate) => {
            certified.part = Some(certificate);
            certified.outcome.statistics.part = Some(part);
        }
        Err(why) => certified.outcome.statistics.notes.push(why.to_string()),
    }
}

/// The violation that the replay ended in, if it is of another property that was asked for, or at another location: a
/// concrete run that fails is a violation, whatever the engine claimed. Not for properties whose replay relies on choices
/// that the trace records (assertions of Boogie, termination).
fn other_violation<'a>(claimed: &Violation, end: &'a ReplayEnd, properties: &BTreeSet<Property>) -> Option<&'a Violation> {
    let ReplayEnd::Violated(seen) = end else { return None };
    let told = [Property::BoogieAssert, Property::Termination, Property::Deadlock, Property::NoDataRace];
    let is_other = seen.property != claimed.property || seen.loc != claimed.loc;
    let counts = properties.contains(&seen.property) && !told.contains(&seen.property) && !told.contains(&claimed.property);
    (is_other && counts).then_some(seen)
}

/// The trace with inputs that are easier on the reader, and its replay, which ends in the same violation.
fn minimised(trace: &Trace, property: Property, interpreter: &Interpreter<'_>, program: &Program) -> Option<(Box<Trace>, ReplayLog)> {
    let small = (interpreter.minimise)(trace)?;
    let log = (interpreter.replay)(&small);
    same_violation(&trace.violation, &log.end, property, program).ok()?;
    Some((Box::new(small), log))
}

/// Confirms a violation with minimised inputs. Where a native run is wanted and does not see it, they do not count: the inputs
/// that the engine found may do better.
fn confirm_small(
    (trace, log): (Box<Trace>, ReplayLog),
    property: Property,
    program: &Program,
    native: &NativeMode<'_>,
    budget: &Budget,
    certified: &mut Certified,
) -> Option<Verdict> {
    let verdict = confirm(trace, &log, property, program, native, budget, certified);
    let is_unseen = matches!(certified.natives.get(&property), Some(NativeResult::NotSeen { .. }));
    (matches!(verdict, Verdict::Violated(_)) && !is_unseen).then(|| {
        certified.replays.insert(property, log);
        verdict
    })
}

/// How what a contract leaves open is called among the inputs of which only bounds are known.
const OF_CONTRACT: &str = "the contract of ";

fn confirm(
    trace: Box<Trace>,
    log: &ReplayLog,
    property: Property,
    program: &Program,
    native: &NativeMode<'_>,
    budget: &Budget,
    certified: &mut Certified,
) -> Verdict {
    if let Err(why) = same_violation(&trace.violation, &log.end, property, program) {
        return Verdict::Unknown(Reason::NotConfirmed(why));
    }
    let result = match native {
        NativeMode::Run(setup) => {
            let claim = Claim { program, property, trace: &trace, log, ledger: &certified.outcome.ledger };
            native::replay(setup, &claim, budget)
        }
        NativeMode::Skip(why) => NativeResult::Skipped(why.clone()),
    };
    let notes = vec!["confirmed: the interpreter ran these inputs into this violation".to_string(), result.to_string()];
    let depends = |name: &str| match name.starts_with(OF_CONTRACT) {
        true => {
            let (what, place) = (&trace.violation.message, program.files.show(trace.violation.loc));
            Reason::Undecided(format!("{name} may be too weak: after it, {what} at {place}"))
        }
        false => Reason::Undecided(format!("a violation depends on what {name} gives, of which only bounds are known")),
    };
    let withdrawn = match (&result, native::of_bounds(log)) {
        (NativeResult::Confirmed(_), _) => None,
        // A value that the real function may not have is no violation.
        (_, Some(name)) => Some(depends(name)),
        (NativeResult::NotSeen { what, contradicts: true }, None) => Some(Reason::NotConfirmed(format!("native replay: {what}"))),
        _ => None,
    };
    let assurance = match &result {
        NativeResult::Confirmed(_) => Assurance::ReplayedNatively,
        _ => Assurance::Replayed,
    };
    certified.certificates.insert(property, Certificate { assurance, notes });
    certified.natives.insert(property, result);
    match withdrawn {
        Some(why) => Verdict::Unknown(why),
        None => Verdict::Violated(trace),
    }
}

fn same_violation(claimed: &Violation, end: &ReplayEnd, property: Property, program: &Program) -> Result<(), String> {
    let seen = match end {
        ReplayEnd::Violated(seen) => seen,
        ReplayEnd::Ended => return Err("the replay ended without a violation".into()),
        ReplayEnd::Stuck(why) => return Err(format!("the replay got stuck: {why}")),
    };
    if claimed.property != property || seen.property != property {
        return Err(format!("the replay violated {} instead of {property}", seen.property));
    }
    if seen.loc != claimed.loc {
        let (seen, claimed) = (program.files.show(seen.loc), program.files.show(claimed.loc));
        return Err(format!("the replay failed at {seen} instead of {claimed}"));
    }
    Ok(())
}
