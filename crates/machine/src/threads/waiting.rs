//! Waiting threads, and deadlock. A join simply waits. A thread that waits for something else (a mutex, a signal)
//! assumes in an atomic section that it need not wait (`pthread.c`); runs in which it would have to are left out,
//! because those in which it arrives later are followed as well. Only for `deadlock` and `termination` is a waiting
//! thread kept: it returns to the start of the section and is blocked until another thread changes something. A state
//! in which every thread waits or is blocked is a deadlock.

use crate::exec::machine::{Cut, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::step::Flow;
use fathom_ir::Property;

impl Machine {
    /// A thread that waits does so at the start of its statement.
    pub(crate) fn block_thread(&mut self, state: &mut State, on: u32) -> Step<()> {
        let Some(threads) = &mut state.threads else { return Err(self.deadlocked(state)) };
        if threads.current().entered {
            // No other thread may run, and this one can't.
            return Err(self.deadlocked(state));
        }
        threads.current_mut().waits_for = Some(on);
        self.let_others_run(state)
    }

    /// At an assertion that a wait is over, beside other threads: if it isn't, the thread is stuck before it.
    pub(crate) fn stick(&mut self, state: &mut State, is_over: bool) -> Step<Flow> {
        let depth = state.frames.len();
        let Some(threads) = &mut state.threads else { return Ok(Flow::Next) };
        let changes = threads.changes;
        let current = threads.current_mut();
        if is_over {
            return Ok(Flow::Next);
        }
        let start = current.section_start.filter(|start| start.0 == depth && current.sections == 1);
        let Some((_, block, index)) = start else {
            // Without the wait being followed nothing is known of deadlocks.
            let needed = self.of_deadlocks().is_some();
            return if needed { Err(self.unsupported(state, "a wait inside an atomic section")) } else { Ok(Flow::Next) };
        };
        (current.sections, current.entered, current.stuck_at) = (0, false, Some(changes));
        current.in_hand = None;
        threads.events += 1;
        let frame = state.frame_mut();
        (frame.block, frame.index) = (block, index);
        self.let_others_run(state)?;
        Ok(Flow::Elsewhere)
    }

    fn let_others_run(&mut self, state: &mut State) -> Step<()> {
        let Mode::Replay { schedule, .. } = &self.mode else {
            self.wait_for_choice(state);
            return Ok(());
        };
        let is_over = schedule.is_empty();
        self.back_to_statement(state);
        if is_over {
            return self.run_another(state);
        }
        let left = schedule.len();
        self.follow_schedule(state);
        let goes_on = matches!(&self.mode, Mode::Replay { schedule, .. } if schedule.len() < left);
        if goes_on { Ok(()) } else { Err(self.unsupported(state, "a schedule in which a thread waits in vain")) }
    }

    /// In a replay whose running thread can't go on: where the schedule ends, everyone comes to where they wait for each
    /// other.
    pub(crate) fn run_another(&mut self, state: &mut State) -> Step<()> {
        let Mode::Replay { schedule, .. } = &self.mode else { return Ok(()) };
        if !schedule.is_empty() || self.of_deadlocks().is_none() {
            return Err(PathEnd::Cut(Cut::Bound("the end of a schedule".to_string())));
        }
        match state.threads.as_ref().and_then(|threads| threads.ready().first().copied()) {
            Some(next) => {
                state.run_thread(next);
                Ok(())
            }
            None => Err(self.deadlocked(state)),
        }
    }

    /// The property that a deadlock violates, if one is asked for that it does.
    fn of_deadlocks(&self) -> Option<Property> {
        [Property::Deadlock, Property::Termination].into_iter().find(|property| self.checks.contains(property))
    }

    /// Everyone waits for someone: nothing happens any more, and the program never ends.
    pub(crate) fn deadlocked(&mut self, state: &mut State) -> PathEnd {
        let Some(property) = self.of_deadlocks() else { return PathEnd::Finished };
        if let Err(end) = self.verify(state) {
            return end;
        }
        // It is told of the first of them, so that it does not matter who came last.
        let first = state.threads.as_ref().filter(|threads| !threads.current().entered);
        let first = first.and_then(|threads| threads.all.iter().position(|thread| !thread.ended));
        first.into_iter().for_each(|first| state.run_thread(first as u32));
        let model = state.path.model.clone();
        self.report(state, &model, property, "every thread waits for another one, for ever");
        PathEnd::Violated
    }
}
