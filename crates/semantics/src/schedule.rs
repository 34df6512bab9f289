//! Interleaving under sequential consistency. Threads take turns at *visible* actions only: accesses to objects that
//! more than one thread can reach, and waiting. What lies between two visible actions of a thread commutes with
//! whatever the others do, so running it at once loses no behaviour. Before each visible action the state forks once
//! for every thread that could go on; engines compare states there, which joins interleavings that come to the same.
//!
//! Of the shared objects, accesses that no other thread can ever conflict with (`footprint`) are not visible either.
//!
//! An assumption that may fail and the end of the program also stop the other threads. They are visible when the
//! thread has changed something since it was chosen; otherwise the others can't tell whether it was chosen at all, and
//! the fork where it was not covers what they do. A loop without visible action is interrupted after a while, so that
//! a thread that spins for ever starves nobody.
//!
//! A schedule is the list of switches, each with the number of events (actions that others might see) before it.
//! A replay switches as soon as the number is reached: what the thread still does before its next event commutes.

use crate::code::{Action, Expr, ThreadAction};
use crate::machine::{Advance, Machine, Mode, PathEnd, Step};
use crate::state::State;
use crate::step::Flow;
use crate::threads::Phase;
use crate::trace::TraceStep;
use crate::value::Val;

/// Loop heads that a thread passes without a visible action before others may run, and at each doubling.
const PATIENCE: u64 = 16;

/// How others see an action.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Not at all.
    None,
    /// It sees what others do.
    Reads,
    /// Others see it.
    Changes,
    /// It ends what others do.
    Stops,
}

impl Machine {
    /// Does an action of a state with threads, or lets them take turns first.
    pub(crate) fn run_interleaved(&mut self, state: &mut State, action: &Action) -> Step<Flow> {
        let sight = self.sight(state, action);
        if !self.may_proceed(state, sight) {
            return Ok(Flow::Elsewhere);
        }
        if let Flow::Elsewhere = self.run_action(state, action)? {
            return Ok(Flow::Elsewhere);
        }
        if !is_event(action) {
            return Ok(Flow::Next);
        }
        let before = state.running_thread();
        state.frame_mut().index += 1;
        self.proceeded(state, sight);
        Ok(if state.running_thread() == before { Flow::Next } else { Flow::Elsewhere })
    }

    /// Whether the running thread may do something that others see like this. If not, the state stands at the start of
    /// the statement and waits for a choice.
    pub(crate) fn may_proceed(&mut self, state: &mut State, sight: Sight) -> bool {
        let Some(threads) = &mut state.threads else { return true };
        let is_free = sight == Sight::None || threads.phase == Phase::Chosen || !threads.is_interruptible();
        if is_free || (sight == Sight::Stops && !threads.dirty) || matches!(self.mode, Mode::Replay { .. }) {
            return true;
        }
        self.wait_for_choice(state);
        false
    }

    fn wait_for_choice(&mut self, state: &mut State) {
        let frame = state.frame_mut();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        // Scratch values do not outlive a change of threads.
        frame.index = block.starts[frame.index as usize];
        if let Some(threads) = &mut state.threads {
            threads.phase = Phase::Choosing;
            state.at_loop_head = true;
        }
    }

    /// An event is over: what that means for the others.
    pub(crate) fn proceeded(&mut self, state: &mut State, sight: Sight) {
        let Some(threads) = &mut state.threads else { return };
        threads.events += 1;
        if matches!(sight, Sight::Reads | Sight::Changes) {
            threads.phase = Phase::Running;
            threads.quiet_loop_heads = 0;
            threads.dirty |= sight == Sight::Changes;
            let current = threads.current_mut();
            current.entered = current.sections > 0;
        }
        if matches!(self.mode, Mode::Replay { .. }) {
            self.follow_schedule(state);
        }
    }

    fn sight(&mut self, state: &State, action: &Action) -> Sight {
        let when = |is_shared: bool, sight: Sight| if is_shared { sight } else { Sight::None };
        match action {
            Action::Load { pointer, .. } => {
                when(self.is_shared(state, pointer) && self.is_contested(state, pointer, false), Sight::Reads)
            }
            Action::Store { pointer, .. } => {
                when(self.is_shared(state, pointer) && self.is_contested(state, pointer, true), Sight::Changes)
            }
            Action::ObjectSize { pointer, .. } => when(self.is_shared(state, pointer), Sight::Reads),
            Action::Set { pointer, .. } | Action::Free { pointer, .. } | Action::Forget { pointer } => {
                when(self.is_shared(state, pointer), Sight::Changes)
            }
            Action::Copy { target, source, .. } => match self.is_shared(state, target) {
                true => Sight::Changes,
                false => when(self.is_shared(state, source), Sight::Reads),
            },
            Action::EndScope { target } => {
                let pointer = self.get(state, crate::code::Operand::Place(*target));
                when(pointer != Val::Bits(0) && self.is_shared_value(state, pointer), Sight::Changes)
            }
            // In a section of its own (of the library's pthread_create) it shows nothing but the new thread; in one of
            // the program's the new thread has to wait for its end.
            Action::Thread(ThreadAction::Start { .. }) => {
                let sections = state.threads.as_ref().map_or(0, |threads| threads.current().sections);
                when(sections > 1, Sight::Changes)
            }
            Action::Assume(condition) => when(self.expr_value(state, condition) != Val::TRUE, Sight::Stops),
            _ => Sight::None,
        }
    }

    fn is_shared(&mut self, state: &State, pointer: &Expr) -> bool {
        let pointer = self.expr_value(state, pointer);
        self.is_shared_value(state, pointer)
    }

    /// Whether another thread may access what a pointer points to; always for a pointer without a known object.
    fn is_shared_value(&self, state: &State, pointer: Val) -> bool {
        let (Some(threads), Val::Pointer { object, .. }) = (&state.threads, pointer) else { return true };
        let is_constant = state.memory.get(object).is_some_and(|found| found.read_only);
        !is_constant && threads.owners.get(&object) != Some(&threads.running)
    }

    /// How others see the return from the top frame: its objects end, or the program does.
    pub(crate) fn sight_of_return(&self, state: &State) -> Sight {
        if state.frames.len() == 1 && state.running_thread() == 0 {
            return Sight::Stops;
        }
        let objects = state.frames.last().map_or(&[][..], |frame| &frame.stack_objects);
        let is_shared = objects.iter().any(|&object| self.is_shared_value(state, Val::Pointer { object, offset: 0 }));
        if is_shared { Sight::Changes } else { Sight::None }
    }

    /// At a loop head with other threads around; they are let in when the loop shows them nothing for long.
    pub(crate) fn note_quiet_loop_head(&self, state: &mut State) {
        let Some(threads) = &mut state.threads else { return };
        threads.quiet_loop_heads += 1;
        let heads = threads.quiet_loop_heads;
        if heads >= PATIENCE && heads.is_power_of_two() && threads.is_interruptible() {
            threads.phase = Phase::Choosing;
            state.at_loop_head = true;
        }
    }

    /// If it is time to choose: a state for every thread that can go on. This one goes on with the running thread if
    /// that is one of them.
    pub(crate) fn choose_thread(&mut self, state: &mut State) -> Option<Advance> {
        let threads = state.threads.as_mut().filter(|threads| threads.phase == Phase::Choosing)?;
        let ready = threads.ready();
        let running = threads.running;
        let stays = ready.contains(&running);
        let Some(&first) = ready.iter().find(|&&number| number == running).or(ready.first()) else {
            // Everyone waits for someone: nothing happens any more.
            return Some(Advance::Ended(PathEnd::Finished));
        };
        threads.phase = Phase::Chosen;
        threads.dirty = false;
        state.depth += (ready.len() > 1) as u64;
        for &number in ready.iter().filter(|&&number| number != first) {
            let mut sibling = state.clone();
            switch(&mut sibling, number, stays);
            self.add_fork(sibling);
        }
        switch(state, first, stays);
        (!self.forked.is_empty()).then_some(Advance::Forked)
    }

    // ---- replays

    /// Runs the threads that the schedule wants now.
    pub(crate) fn follow_schedule(&mut self, state: &mut State) {
        let Mode::Replay { schedule, .. } = &mut self.mode else { return };
        let Some(threads) = &state.threads else { return };
        if schedule.front().is_none_or(|&(event, _)| event != threads.events) {
            return;
        }
        let Some((_, number)) = schedule.pop_front() else { return };
        if threads.all.get(number as usize).is_none_or(|thread| thread.ended) {
            return;
        }
        state.run_thread(number);
        let procedure = state.frames.first().map(|frame| self.code.procs[frame.proc as usize].name.clone());
        let loc = self.location(state);
        if let (Some(procedure), Some(recorder)) = (procedure, self.recorder(state)) {
            recorder.step(TraceStep::Switch { thread: number + 1, procedure, loc });
        }
    }

    /// A thread that waits does so at the start of its statement.
    pub(crate) fn block_thread(&mut self, state: &mut State, on: u32) -> Step<()> {
        if matches!(self.mode, Mode::Replay { .. }) {
            return Err(self.unsupported(state, "a schedule in which a thread waits in vain"));
        }
        let Some(threads) = &mut state.threads else { return Err(PathEnd::Finished) };
        if threads.current().entered {
            // Nobody else may run, and it can't.
            return Err(PathEnd::Finished);
        }
        threads.current_mut().waits_for = Some(on);
        self.wait_for_choice(state);
        Ok(())
    }
}

/// Lets a thread run in a state that was at a choice.
fn switch(state: &mut State, number: u32, stays: bool) {
    let Some(threads) = &mut state.threads else { return };
    if threads.running != number {
        threads.preemptions += stays as u32;
    }
    if threads.scheduled != number {
        let clock = threads.events;
        threads.schedule.push(clock);
        threads.schedule.push(number);
        threads.scheduled = number;
    }
    state.run_thread(number);
    if let Some(threads) = &mut state.threads {
        threads.current_mut().waits_for = None;
    }
}

/// Whether an action counts in the clock of schedules: whatever another thread could see in some state.
fn is_event(action: &Action) -> bool {
    match action {
        Action::Load { .. } | Action::Store { .. } | Action::Copy { .. } | Action::Set { .. } | Action::Forget { .. } => true,
        Action::Free { .. } | Action::ObjectSize { .. } | Action::EndScope { .. } | Action::Thread(_) => true,
        _ => false,
    }
}
