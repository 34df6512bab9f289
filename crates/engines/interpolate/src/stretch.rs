//! One stretch of the tree: it is run again over variables, which turns the children's interpolants into that of the
//! node. Stretches on cycles of the tree are kept, because their labels are computed more than once.

use crate::backwards::Backwards;
use crate::limits::Limits;
use crate::tree::Node;
use fathom_interpolants::{Inexpressible, Interpolant, point_of};
use fathom_machine::{Machine, Rerunning, Retrace};
use fathom_smt::Refutations;
use std::rc::Rc;

/// A stretch that was run again.
pub struct Summary {
    retrace: Box<Retrace>,
    rerun: Rerunning,
    pinned: bool,
}

/// How much is done for one stretch.
#[derive(Copy, Clone)]
pub struct Effort<'a> {
    /// The stretch will be needed again.
    pub keep: bool,
    /// See `InterpolateConfig`.
    pub only_cores: bool,
    pub limits: &'a Limits,
}

/// Computes the interpolant of a node from those of its children.
pub fn interpolant(
    machine: &mut Machine,
    node: &mut Node,
    wants: &[Option<Rc<Interpolant>>],
    refutations: &mut Refutations,
    effort: Effort<'_>,
) -> Result<Interpolant, Inexpressible> {
    if let Some(mut summary) = node.summary.take() {
        machine.resume_retrace(summary.retrace);
        let result = backwards(machine, node, &summary.rerun, wants, refutations, effort);
        if let Some(retrace) = machine.end_retrace() {
            summary.retrace = retrace;
            match &result {
                Err(Inexpressible("too many conditions")) if !summary.pinned => {}
                _ => {
                    node.summary = Some(summary);
                    return result;
                }
            }
        }
    }
    let length = node.end_steps.saturating_sub(node.start.search.steps);
    if length > effort.limits.longest_stretch {
        return Err(Inexpressible("a long stretch"));
    }
    if length <= effort.limits.long_stretch {
        match attempt(machine, node, wants, refutations, false, effort) {
            Err(Inexpressible("too many conditions")) => {}
            result => return result,
        }
    }
    attempt(machine, node, wants, refutations, true, effort)
}

fn attempt(
    machine: &mut Machine,
    node: &mut Node,
    wants: &[Option<Rc<Interpolant>>],
    refutations: &mut Refutations,
    pinned: bool,
    effort: Effort<'_>,
) -> Result<Interpolant, Inexpressible> {
    let length = node.end_steps.saturating_sub(node.start.search.steps);
    let rerun = machine.begin_retrace(&node.start, (*node.log).clone(), pinned, length * 2 + 10_000);
    let result = match &rerun {
        Some(rerun) => backwards(machine, node, rerun, wants, refutations, effort),
        None => Err(Inexpressible("a stretch that can't be run again")),
    };
    let retrace = machine.end_retrace();
    if let (true, Some(rerun), Some(retrace)) = (effort.keep, rerun, retrace) {
        node.summary = Some(Box::new(Summary { retrace, rerun, pinned }));
    }
    result
}

fn backwards(
    machine: &mut Machine,
    node: &Node,
    rerun: &Rerunning,
    wants: &[Option<Rc<Interpolant>>],
    refutations: &mut Refutations,
    effort: Effort<'_>,
) -> Result<Interpolant, Inexpressible> {
    if rerun.states.len() != node.children.len() {
        return Err(Inexpressible("a stretch that went another way"));
    }
    let Effort { only_cores, limits, .. } = effort;
    let mut back = Backwards { machine, start: &node.start, refutations, only_cores, limits, result: Interpolant::default() };
    for (index, ((state, child), want)) in rerun.states.iter().zip(&node.children).zip(wants).enumerate() {
        let ended = index == 0 && rerun.end.is_some();
        match (&child.point, want) {
            (None, None) if ended => back.way(&mut state.clone(), None)?,
            (Some(point), Some(want)) if !ended && *point == point_of(state) => back.way(&mut state.clone(), Some(want))?,
            _ => return Err(Inexpressible("a stretch that ended elsewhere")),
        }
    }
    for end in &rerun.ends {
        back.end(end)?;
    }
    Ok(back.result)
}
