//! Checks a proof about threads: the program is made flat and cut into segments again, and every claim is put to a
//! solver. Only the cut points, the conditions and the pairs of cut points come from the engine. `Flat::segments`
//! checks that there is a cut point wherever other threads may run. See `fathom_engine::Interference` for what is
//! claimed and why it is enough.

use crate::claims::{Claims, wrong};
use crate::proof::Recheck;
use fathom_base::{Budget, FxMap};
use fathom_engine::{Interference, Reason};
use fathom_flat::{Concurrent, Flat, Form, Segment, Target, flatten};
use fathom_ir::{Program, Property};
use fathom_smt::Backend;
use fathom_term::Term;
use std::collections::BTreeSet;

/// More segments are not looked at.
const MOST_SEGMENTS: usize = 100_000;

struct Checker<'a> {
    flat: &'a Flat,
    concurrent: &'a Concurrent,
    segments: &'a [Segment],
    at: FxMap<usize, Vec<Term>>,
    together: BTreeSet<(usize, usize)>,
    claims: Claims<'a>,
}

/// What to say of it, or why the proof does not stand.
pub fn check(
    interference: &Interference,
    program: &Program,
    properties: &BTreeSet<Property>,
    second: Option<&dyn Backend>,
    budget: &Budget,
) -> Result<Recheck, Reason> {
    let flat = flatten(program, properties, Form::Interleaved).map_err(|not| wrong(&format!("the program has no flat form: {not}")))?;
    let concurrent = flat.concurrent.as_ref().ok_or_else(|| wrong("the flat form has no threads"))?;
    let cuts: Vec<usize> = interference.cuts.iter().map(|(cut, _)| *cut).collect();
    let segments = flat.segments(&cuts, MOST_SEGMENTS).ok_or_else(|| wrong("the cut points leave a cycle or a step whole"))?;
    let at = interference.cuts.iter().cloned().collect();
    let together = interference.together.iter().map(|&(one, other)| Interference::pair(one, other)).collect();
    let claims = Claims::new(&flat, second, budget, "threads", "a step that breaks what is said of a thread");
    let mut checker = Checker { flat: &flat, concurrent, segments: &segments, at, together, claims };
    for (cut, conditions) in &interference.cuts {
        if *cut == 0 && !conditions.is_empty() {
            return Err(wrong("a condition about the start of the program"));
        }
        conditions.iter().try_for_each(|&condition| checker.is_of_states(condition))?;
    }
    for segment in &segments {
        match segment.to {
            Target::Block(to) => checker.step(segment, to)?,
            Target::Error(_) => checker.claims.refute(&checker.context(segment))?,
            Target::End | Target::Return => {}
        }
    }
    Ok(checker.claims.told())
}

impl Checker<'_> {
    /// A step of one thread from place to place.
    fn step(&mut self, segment: &Segment, to: usize) -> Result<(), Reason> {
        let store = &*self.flat.terms;
        let behind = segment.before(store, store.and_all(self.at[&to].iter().copied()));
        let mut question = self.context(segment);
        question.push(store.not(behind));
        self.claims.refute(&question)?;
        self.start(segment, to)?;
        let places: Vec<usize> =
            self.at.keys().copied().filter(|&place| self.are_together(place, segment.from)).collect::<BTreeSet<_>>().into_iter().collect();
        for place in places {
            self.step_beside(segment, to, place)?;
        }
        Ok(())
    }

    /// A new thread may be wherever its maker may be then.
    fn start(&mut self, segment: &Segment, to: usize) -> Result<(), Reason> {
        let child = self.concurrent.forks.iter().find(|(block, _)| *block == segment.from).map(|(_, child)| *child);
        if child != Some(to) {
            return Ok(());
        }
        let segments = self.segments;
        for maker in segments.iter().filter(|maker| maker.from == segment.from) {
            let Some(place) = maker.to.block().filter(|&place| place != to) else { continue };
            if !self.are_together(place, to) {
                // No two threads are at these places at once, so one of the two segments can't be taken.
                self.claims.refute_any(&[&self.context(segment), &self.context(maker)])?;
            }
        }
        Ok(())
    }

    /// The same step while another thread rests at the place.
    fn step_beside(&mut self, segment: &Segment, to: usize, place: usize) -> Result<(), Reason> {
        let store = &*self.flat.terms;
        let mut context = self.at[&place].clone();
        context.extend(self.context(segment).into_iter().map(|term| self.flat.of_another(term)));
        context.push(self.flat.are_two());
        if !self.are_together(place, to) {
            return self.claims.refute(&context);
        }
        let conditions = &self.at[&place];
        let behind: Vec<Term> = conditions.iter().map(|&condition| self.flat.before_another(segment, condition)).collect();
        let changed = behind.iter().zip(conditions).filter(|(after, before)| after != before).map(|(&after, _)| after);
        let behind = store.and_all(changed);
        if store.const_bool(behind) == Some(true) {
            return Ok(());
        }
        context.push(store.not(behind));
        self.claims.refute(&context)
    }

    fn context(&self, segment: &Segment) -> Vec<Term> {
        self.at[&segment.from].iter().chain(&segment.guard).copied().collect()
    }

    fn are_together(&self, one: usize, other: usize) -> bool {
        self.together.contains(&Interference::pair(one, other))
    }

    /// Inputs have another meaning behind each segment, and what nobody reads is written at any time.
    fn is_of_states(&self, term: Term) -> Result<(), Reason> {
        self.claims.is_of_states(term)?;
        match self.flat.vars(term).iter().any(|var| self.concurrent.unread.contains(var)) {
            true => Err(wrong("a condition about what nobody reads")),
            false => Ok(()),
        }
    }
}
