//! Checks a proof of termination: the program is made flat and cut into segments again, and every claim is put to a
//! solver. Only the cut points, the conditions and the measures come from the engine. `Flat::segments` checks that
//! every cycle contains a cut point. That the phases cover every cycle of segments is checked here: the segments that
//! remain after the steps of a phase are divided into components, each of which needs a phase of its own. See
//! `fathom_engine::Ranking` for why that is enough.

use crate::claims::{Claims, wrong};
use crate::proof::Recheck;
use fathom_base::{Budget, FxMap};
use fathom_engine::{Measure, Phase, Ranking, Reason, Step};
use fathom_flat::{ErrorKind, Flat, Form, Segment, Target, flatten, instances};
use fathom_flow::Graph;
use fathom_ir::{Program, Property};
use fathom_smt::Backend;
use fathom_term::{Term, VarId};
use std::collections::BTreeSet;

/// More segments are not looked at.
const MOST_SEGMENTS: usize = 100_000;

struct Checker<'a> {
    flat: &'a Flat,
    rigid: &'a [VarId],
    segments: &'a [Segment],
    claims: Claims<'a>,
}

/// Facts that hold from some point on in a run that stays in a phase.
#[derive(Clone, Default)]
struct PhaseFacts {
    /// Segments that it may take.
    left: Vec<usize>,
    /// Conditions at cut points.
    at: FxMap<usize, Vec<Term>>,
    /// Conditions of single segments, over their start.
    of: FxMap<usize, Vec<Term>>,
}

/// What to say of it, or why the proof does not stand.
pub fn check(
    ranking: &Ranking,
    program: &Program,
    properties: &BTreeSet<Property>,
    second: Option<&dyn Backend>,
    budget: &Budget,
) -> Result<Recheck, Reason> {
    let flat = flatten(program, properties, Form::Endless).map_err(|not| wrong(&format!("the program has no flat form: {not}")))?;
    let cuts: Vec<usize> = ranking.cuts.iter().map(|(cut, _)| *cut).collect();
    let segments = flat.segments(&cuts, MOST_SEGMENTS).ok_or_else(|| wrong("the cut points leave a cycle whole"))?;
    let claims = Claims::new(&flat, second, budget, "ranking functions", "a step that a ranking function excludes");
    let mut checker = Checker { flat: &flat, rigid: &ranking.rigid, segments: &segments, claims };
    checker.rigid_variables()?;
    let mut known = PhaseFacts::default();
    for (cut, conditions) in &ranking.cuts {
        if *cut == 0 && !conditions.is_empty() {
            return Err(wrong("a condition about the start of the program"));
        }
        conditions.iter().try_for_each(|&condition| checker.claims.is_of_states(condition))?;
        known.at.insert(*cut, conditions.clone());
    }
    for (number, segment) in segments.iter().enumerate() {
        match segment.to {
            Target::Block(to) => {
                known.left.push(number);
                checker.leaves(&known, number, &known.at[&to].clone())?;
            }
            Target::Error(error) if !may_end(&flat.errors[error].kind, ranking.assumes_no_overflow) => {
                checker.refute(&known, number, None)?;
            }
            _ => {}
        }
    }
    let whole = Phase { heads: cuts, steps: Vec::new(), rest: ranking.phases.clone() };
    checker.phase(&whole, known)?;
    Ok(checker.claims.told())
}

/// Whether a run may come to this error location and the claim still stands: it ends there, by the meaning of the property or by
/// an assumption of the ledger.
fn may_end(kind: &ErrorKind, assumes_no_overflow: bool) -> bool {
    match kind {
        ErrorKind::Violation { property, .. } => *property != Property::Termination,
        ErrorKind::Undefined { property, .. } => *property == Property::NoOverflow && assumes_no_overflow,
        ErrorKind::Unsupported(_) | ErrorKind::Within(_) => false,
    }
}

impl Checker<'_> {
    /// What laws say of every value of a variable holds only if nothing else speaks of it.
    fn rigid_variables(&self) -> Result<(), Reason> {
        let mentions = |term: Term| self.flat.vars(term).iter().any(|var| self.rigid.contains(var));
        let is_used = |segment: &Segment| {
            let values = segment.assigns.iter().map(|(_, value)| *value);
            let is_assigned = segment.assigns.iter().any(|(var, _)| self.rigid.contains(var));
            is_assigned || segment.guard.iter().copied().chain(values).any(mentions)
        };
        match !self.rigid.is_empty() && self.segments.iter().any(is_used) {
            true => Err(wrong("a law about a variable of the program")),
            false => Ok(()),
        }
    }

    fn phase(&mut self, phase: &Phase, mut known: PhaseFacts) -> Result<(), Reason> {
        let Phase { heads, steps, rest } = phase;
        let inside = |target: Target| target.block().is_some_and(|to| heads.contains(&to));
        known.left.retain(|&number| heads.contains(&self.segments[number].from) && inside(self.segments[number].to));
        for step in steps {
            match step {
                Step::Narrow(conditions) => self.narrow(conditions, &mut known)?,
                Step::Measure(measure) => self.measure(measure, &mut known)?,
                Step::Ends(numbers) => {
                    for &number in numbers.iter().filter(|number| known.left.contains(number)) {
                        self.refute(&known, number, None)?;
                    }
                    known.left.retain(|number| !numbers.contains(number));
                }
            }
        }
        for component in components(self.segments, &known.left) {
            let own = rest.iter().find(|phase| component.iter().all(|head| phase.heads.contains(head)));
            // Each phase has less than the one before: fewer segments, or more that is known of them.
            self.phase(own.ok_or_else(|| wrong("a cycle is left without a ranking function"))?, known.clone())?;
        }
        Ok(())
    }

    fn narrow(&mut self, conditions: &[(usize, Vec<Term>)], known: &mut PhaseFacts) -> Result<(), Reason> {
        for (cut, conditions) in conditions {
            conditions.iter().try_for_each(|&condition| self.claims.is_of_states(condition))?;
            for number in known.left.clone() {
                if self.segments[number].to == Target::Block(*cut) {
                    self.leaves(known, number, conditions)?;
                }
            }
        }
        conditions.iter().for_each(|(cut, conditions)| known.at.entry(*cut).or_default().extend(conditions));
        Ok(())
    }

    fn measure(&mut self, measure: &Measure, known: &mut PhaseFacts) -> Result<(), Reason> {
        let store = &*self.flat.terms;
        let no_order = || wrong("a measure without a well-founded order");
        measure.at.iter().try_for_each(|&(_, term)| self.claims.is_of_states(term))?;
        for number in known.left.clone() {
            let segment = &self.segments[number];
            let to = segment.to.block().ok_or_else(no_order)?;
            let before = measure.value(store, segment.from).ok_or_else(no_order)?;
            let after = segment.before(store, measure.value(store, to).ok_or_else(no_order)?);
            self.refute(known, number, Some(Measure::less(store, before, after).ok_or_else(no_order)?))?;
            known.of.entry(number).or_default().push(store.eq(before, after));
        }
        Ok(())
    }

    /// The segment leaves these conditions behind.
    fn leaves(&mut self, known: &PhaseFacts, number: usize, conditions: &[Term]) -> Result<(), Reason> {
        let store = &*self.flat.terms;
        let behind = self.segments[number].before(store, store.and_all(conditions.iter().copied()));
        self.refute(known, number, Some(store.not(behind)))
    }

    /// The segment can't be taken where the condition holds.
    fn refute(&mut self, known: &PhaseFacts, number: usize, condition: Option<Term>) -> Result<(), Reason> {
        let segment = &self.segments[number];
        let at = known.at.get(&segment.from).map_or(&[][..], Vec::as_slice);
        let of = known.of.get(&number).into_iter().flatten();
        let laws = instances(&self.flat.terms, self.rigid, at, segment);
        let question: Vec<Term> = at.iter().chain(&segment.guard).chain(of).copied().chain(laws).chain(condition).collect();
        self.claims.refute(&question)
    }
}

/// The components with a cycle that these segments form, each as its cut points.
fn components(segments: &[Segment], left: &[usize]) -> Vec<Vec<usize>> {
    let edges: Vec<(u32, u32)> =
        left.iter().filter_map(|&number| Some((segments[number].from as u32, segments[number].to.block()? as u32))).collect();
    let count = edges.iter().map(|&(from, to)| from.max(to) as usize + 1).max().unwrap_or(0);
    let cycles = Graph::from_edges(count, edges).cycles();
    cycles.into_iter().map(|component| component.into_iter().map(|node| node as usize).collect()).collect()
}
