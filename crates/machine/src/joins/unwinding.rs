//! The position of a state in the loops around it, for engines that unwind the program (ESBMC, section 3.7): the
//! iteration of each loop, how many iterations count against the bound, and whether the bound is reached.
//!
//! An iteration counts unless all its loop tests were decided by constants: loops with a constant number of iterations
//! are unwound completely. An iteration without any test and anything symbolic does not count either: endless concrete
//! loops are detected by comparing states, or all their iterations are made to count. Calls of a recursive procedure
//! count if something symbolic happened between them. A bound never decides anything: the state only stops there, and
//! its engine may continue it with a higher bound.

use crate::exec::machine::{Machine, PathEnd, Step};
use crate::exec::state::State;
use crate::induction::havoc::Snapshot;
use fathom_base::{FxMap, FxSet};
use std::rc::Rc;

/// One loop around a frame's position.
#[derive(Clone)]
pub struct LoopAt {
    /// The block of its head.
    pub head: u32,
    /// Arrivals at the head by a back edge since the loop was entered.
    pub iteration: u64,
    /// Those that count against the bound.
    pub counted: u64,
    /// This iteration had a symbolic test that could have left the loop; or a constant one.
    open: bool,
    tested: bool,
    /// Inputs and forks of the state at the start of the iteration.
    marks: (u32, u64),
    /// The iterations are the last ones of arbitrarily many: the loop was entered in an arbitrary state.
    pub from_the_middle: bool,
    /// What the state was like when it came into the loop (or into its middle), if it is to be compared.
    pub base: Option<Rc<Snapshot>>,
    /// What it was like on entry, also in the middle.
    pub entry: Option<Rc<Snapshot>>,
    /// The state has come to the head and was not looked at there yet.
    pub arrived: bool,
}

impl LoopAt {
    fn new(head: u32, marks: (u32, u64)) -> Self {
        LoopAt {
            head,
            iteration: 0,
            counted: 0,
            open: false,
            tested: false,
            marks,
            from_the_middle: false,
            base: None,
            entry: None,
            arrived: true,
        }
    }

    /// What two states must agree on to be joined.
    pub(crate) fn place(&self) -> (u32, u64, bool, bool, Option<*const Snapshot>) {
        let base = self.base.as_ref().map(Rc::as_ptr);
        (self.head, self.iteration, self.from_the_middle, self.arrived, base)
    }

    pub(crate) fn join(&mut self, other: &LoopAt) {
        self.counted = self.counted.max(other.counted);
        self.open |= other.open;
        self.tested |= other.tested;
        if self.marks != other.marks {
            // These are the marks of no state, so the iteration counts as one that changed something.
            self.marks = (u32::MAX, u64::MAX);
        }
    }

    fn next_iteration(&mut self, now: (u32, u64), is_endless: bool) {
        let is_free = !is_endless && !self.open && (self.tested || self.marks == now);
        self.iteration += 1;
        self.counted += !is_free as u64;
        (self.open, self.tested, self.marks, self.arrived) = (false, false, now, true);
    }
}

/// Why a state stopped between two blocks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Other states may join it here.
    Join,
    /// A bound is reached.
    Bound,
}

/// How a program is unwound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwinding {
    /// Iterations of each loop.
    pub bound: u64,
    /// Nested calls of each procedure.
    pub calls: u64,
    /// Other bounds, by procedure and head.
    pub bounds: FxMap<(u32, u32), u64>,
    /// Every iteration of these loops counts, by procedure and head: nothing would end them.
    pub endless: FxSet<(u32, u32)>,
    /// Whether states stop at the start of each block and behind each call.
    pub pause_at_joins: bool,
    /// Whether states stop at every loop head.
    pub pause_at_heads: bool,
    /// Branches on conditions with more symbols than this fork without asking whether both sides are possible.
    pub lazy_above: Option<usize>,
    /// Whether checks of large conditions, and of states that are not verified, are put off (see `obligations`).
    pub puts_off_checks: bool,
    /// In loops that were entered in the middle, iterations before this one assume what they would check.
    pub checked_iteration: u64,
}

impl Unwinding {
    /// Whether a loop that was entered in the middle is left before its last iteration. A state that leaves there has another
    /// run that leaves in the last one, because there were enough iterations before the middle.
    pub(crate) fn leaves_too_early(&self, left: &[LoopAt]) -> bool {
        left.iter().any(|at| at.from_the_middle && at.iteration < self.checked_iteration)
    }

    fn bound_of(&self, proc: u32, head: u32) -> u64 {
        self.bounds.get(&(proc, head)).copied().unwrap_or(self.bound)
    }
}

impl Machine {
    /// How far the program is unwound by now.
    pub fn unwinding(&self) -> Option<&Unwinding> {
        self.unwinding.as_ref()
    }

    /// From now on loops may run for this many iterations.
    pub fn unwind_loops(&mut self, bound: u64) {
        if let Some(unwinding) = &mut self.unwinding {
            unwinding.bound = bound;
        }
    }

    /// From now on loops and nested calls have this bound.
    pub fn unwind(&mut self, bound: u64) {
        if let Some(unwinding) = &mut self.unwinding {
            (unwinding.bound, unwinding.calls) = (bound, bound);
        }
    }

    /// Gives single loops bounds of their own, by procedure and head; what heads there are only a machine knows.
    pub fn bound_single_loops(&mut self, bounds: FxMap<(u32, u32), u64>) {
        if let Some(unwinding) = &mut self.unwinding {
            unwinding.bounds = bounds;
        }
    }

    /// Counts every iteration of these loops, by procedure and head.
    pub fn count_all_iterations(&mut self, endless: FxSet<(u32, u32)>) {
        if let Some(unwinding) = &mut self.unwinding {
            unwinding.endless = endless;
        }
    }

    /// Whether states stop where others may join them: one without company need not.
    pub fn pause_at_joins(&mut self, pauses: bool) {
        if let Some(unwinding) = &mut self.unwinding {
            unwinding.pause_at_joins = pauses;
        }
    }

    /// Keeps the loops of the top frame up to date after a jump.
    pub(crate) fn entered_block(&mut self, state: &mut State, block: u32) -> Step<()> {
        let Some(unwinding) = &self.unwinding else { return Ok(()) };
        let now = (state.path.inputs, state.search.depth);
        let proc = state.frame().proc;
        let target = &self.code.procs[proc as usize].blocks[block as usize];
        let frame = state.frame_mut();
        let mut pause = unwinding.pause_at_joins.then_some(Pause::Join);
        let before = frame.loops.len();
        let mut region = false;
        let kept = frame.loops.iter().zip(&target.loops).take_while(|(at, head)| at.head == **head).count();
        if unwinding.leaves_too_early(&frame.loops[kept..]) {
            return Err(PathEnd::Discarded);
        }
        frame.loops.truncate(kept);
        let is_repeated = target.is_loop_head && kept == target.loops.len();
        frame.loops.extend(target.loops[kept..].iter().map(|&head| LoopAt::new(head, now)));
        if is_repeated && let Some(last) = frame.loops.last_mut() {
            last.next_iteration(now, unwinding.endless.contains(&(proc, block)));
            if last.counted > unwinding.bound_of(proc, block) {
                pause = Some(Pause::Bound);
            }
        }
        if kept < target.loops.len() || is_repeated || frame.loops.len() < before {
            region = true;
        }
        if target.is_loop_head && unwinding.pause_at_heads && pause.is_none() {
            pause = Some(Pause::Join);
        }
        if pause.is_some() {
            state.joins.pause = pause;
        }
        if region {
            self.counters.regions += 1;
            state.joins.region = self.counters.regions;
        }
        Ok(())
    }

    /// A branch could have gone to `other`, or did: loops that this leaves were tested.
    pub(crate) fn tested_exit(&mut self, state: &mut State, other: u32, is_symbolic: bool) {
        let frame = state.frame_mut();
        let target = &self.code.procs[frame.proc as usize].blocks[other as usize];
        for at in frame.loops.iter_mut().filter(|at| !target.loops.contains(&at.head)) {
            at.open |= is_symbolic;
            at.tested |= !is_symbolic;
        }
    }

    /// The side of a branch that stays in all loops of the state, if the other one doesn't. Without a state's loops to go
    /// by, neither may be taken for granted.
    pub(crate) fn staying_side(&self, state: &State, then: u32, otherwise: u32) -> Option<bool> {
        let frame = state.frame();
        let blocks = &self.code.procs[frame.proc as usize].blocks;
        let stays = |target: u32| frame.loops.iter().all(|at| blocks[target as usize].loops.contains(&at.head));
        match (stays(then), stays(otherwise)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// A frame was pushed.
    pub(crate) fn entered_procedure(&mut self, state: &mut State) {
        let Some(unwinding) = &self.unwinding else { return };
        let now = (state.path.inputs, state.search.depth);
        let proc = state.frame().proc;
        let code = &self.code.procs[proc as usize];
        let mut recursion = 0;
        if code.may_recurse {
            let below = &state.frames[..state.frames.len() - 1];
            if let Some(last) = below.iter().rev().find(|frame| frame.proc == proc) {
                recursion = last.recursion + (last.marks != now) as u64;
            }
            if recursion > unwinding.calls {
                state.joins.pause = Some(Pause::Bound);
            }
        }
        let frame = state.frame_mut();
        (frame.recursion, frame.marks) = (recursion, now);
        if code.blocks.get(code.entry as usize).is_some_and(|entry| entry.is_loop_head) {
            let entry = code.entry;
            // A new frame is in no loop, so it leaves none.
            let entered = self.entered_block(state, entry);
            debug_assert!(entered.is_ok());
        }
    }
}
