//! The step function: runs a state until it forks, ends or has used its fuel. Straight-line concrete code is executed
//! in the inner loop of `run_actions`.

use crate::exec::code::{Action, BlockCode};
use crate::exec::machine::{Advance, Machine, PathEnd, Step};
use crate::exec::state::State;
use crate::fastpath::{LEAST_FUEL, SPEED};
use crate::joins::unwinding::Pause;
use fathom_ir::Property;

impl Machine {
    /// Runs the state. After `Forked` the siblings are in `self.forked`.
    pub fn advance(&mut self, state: &mut State, fuel: u64) -> Advance {
        if let Some(chosen) = self.choose_thread(state) {
            return chosen;
        }
        let code = self.code.clone();
        let mut left = fuel as i64;
        let mut asked = self.counters.questions;
        loop {
            match state.joins.pause.take() {
                Some(Pause::Bound) => return Advance::AtBound,
                Some(Pause::Join) => return Advance::Join,
                None => {}
            }
            if state.comparison.at_loop_head {
                state.comparison.at_loop_head = false;
                return Advance::LoopHead;
            }
            let frame = state.frame();
            let block = &code.procs[frame.proc as usize].blocks[frame.block as usize];
            if block.is_loop_head && frame.index == 0 && !block.can_end && self.checks.contains(&Property::ValidMemtrack) {
                match self.finish(state) {
                    PathEnd::Finished => {}
                    end => return Advance::Ended(end),
                }
            }
            let frame = state.frame();
            if block.is_loop_head && frame.index == 0 && left >= LEAST_FUEL {
                let done = self.sprint(state, left);
                if done > 0 {
                    left -= 1 + done as i64 / SPEED;
                    continue;
                }
            }
            let before = state.frame().index as i64;
            let mut index = before as usize;
            let result = match self.tracks(state) {
                true => self.run_tracked(state, block, &mut index),
                false => self.run_actions(state, block, &mut index, block.actions.len()),
            };
            let ran = index as i64 + 1 - before;
            left -= ran;
            self.statistics.statements += ran as u64;
            state.search.steps += ran as u64;
            let result = match result {
                Ok(Flow::Next) => self.run_end(state, block),
                Ok(Flow::Elsewhere) => Ok(()),
                Err(end) => Err(end),
            };
            if let Err(end) = result {
                return Advance::Ended(end);
            }
            if !self.forked.is_empty() {
                return Advance::Forked;
            }
            left -= (self.counters.questions - std::mem::replace(&mut asked, self.counters.questions)) as i64 * FUEL_OF_A_QUESTION;
            if left <= 0 && !state.comparison.at_loop_head && state.joins.pause.is_none() {
                return Advance::Running;
            }
        }
    }

    /// `run_actions` and `run_end`, told to the nodes of a slice.
    fn run_tracked(&mut self, state: &mut State, block: &BlockCode, index: &mut usize) -> Step<Flow> {
        while *index < block.actions.len() {
            self.track(state, &block.actions[*index]);
            let end = *index + 1;
            if let Flow::Elsewhere = self.run_actions(state, block, index, end)? {
                return Ok(Flow::Elsewhere);
            }
        }
        self.track_end(state, block);
        self.run_actions(state, block, index, *index)
    }

    /// Runs the actions from this one on, up to the end; `index` is then the one that was not passed.
    fn run_actions(&mut self, state: &mut State, block: &BlockCode, index: &mut usize, end: usize) -> Step<Flow> {
        while let Some(action) = block.actions[..end].get(*index) {
            match action {
                Action::Compute(instr) => {
                    let value = self.compute(state, instr);
                    self.set(state, instr.target, value);
                }
                Action::Move { target, source } => {
                    let value = self.get(state, *source);
                    self.set(state, *target, value);
                }
                Action::ComputeIf { condition, instrs } => self.compute_if(state, *condition, instrs),
                _ => {
                    state.frame_mut().index = *index as u32;
                    let has_threads = state.threads.is_some() || matches!(action, Action::Thread(_));
                    let flow = if has_threads { self.run_interleaved(state, action)? } else { self.run_action(state, action)? };
                    if let Flow::Elsewhere = flow {
                        return Ok(Flow::Elsewhere);
                    }
                }
            }
            *index += 1;
        }
        state.frame_mut().index = *index as u32;
        Ok(Flow::Next)
    }
}

/// Statements that take as long as one question to a solver, about.
const FUEL_OF_A_QUESTION: i64 = 500;

/// Where control goes after an action.
pub(crate) enum Flow {
    Next,
    /// Another procedure was entered, another thread runs or will be chosen.
    Elsewhere,
}
