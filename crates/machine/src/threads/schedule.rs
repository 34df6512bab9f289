//! The scheduler with partial-order reduction, under sequential consistency or with store buffers (`buffers`).
//!
//! Threads take turns at *visible* actions only: accesses to objects that more than one thread can reach and that another
//! thread may still touch in a way that does not commute (`escape`, `footprint`). Every other action commutes with all
//! that other threads can do before the thread's next visible one. Before each visible action the state forks once for
//! every thread that can go on; engines compare states there, which joins interleavings that come to the same.
//!
//! Why no behaviour is lost. Take a run that goes wrong, and its visible actions in their order. Choosing threads in this
//! order, each time for the invisible actions up to its next visible one, that one, and the invisible ones after it, is
//! the same run but for the order of actions that commute. It has to be shown that the search offers each of these choices:
//! - A thread exists in time, because its start happens as early as can be: it comes with the turn of the visible action
//!   before it, and nothing that others do could come before it only. The start itself shows nothing else. But it ends
//!   the turn of a thread that was chosen: the new thread may act before its maker's next visible action, which nobody
//!   could have chosen when the maker was. In an atomic section of the program's, it is visible: the section begins with it,
//!   and the new thread waits for its end.
//! - A thread's end is as early, too; all it does to others is to let those go on that wait for it, and it offers a choice.
//!   What ends with it (its stack, its thread-local objects) is visible if others can reach it.
//! - A join is invisible: it has no effect and happens, at the latest, when its thread is chosen after the other's end.
//! - The invisible actions after a visible one may go further than the run did. They may fail: then this is found instead.
//!   They may go on for ever: a loop that shows nothing is interrupted after a while, so a thread that spins starves
//!   nobody. They may end everything, by an assumption that fails (waiting for a mutex is one) or by the program's end: these
//!   are visible (`Sight::Stops`) if the thread has changed something or started a thread since it was chosen. If it hasn't,
//!   the run without this turn goes wrong as well, for others can't tell the difference, and it was offered where the
//!   thread was chosen.
//! - What a lock protects is not seen, and nor is its release, as long as nobody breaks the rules (`discipline`). The release is as early as
//!   a thread's end; it ends the turn of a thread that was chosen, since nobody who waited for the lock could have been chosen.
//! - An atomic section begins with its first visible action; until its end no other thread is chosen. What it does before that
//!   commutes, as ever. A section in which an assumption fails never took place, as above.
//! - A copy or fill that others may see in the middle is several visible actions (`pieces`).
//!
//! A schedule is the list of switches, each with the number of events (actions that others might see) before it, and the
//! bytes of a copy that is under way. A replay switches as soon as the number is reached: what the thread still does
//! before its next event commutes.

use crate::exec::code::{Access, Action, CalleeCode, Expr, Extent, Operand, ThreadAction};
use crate::exec::machine::{Advance, Cut, Machine, Mode, Step};
use crate::exec::state::{Frame, State};
use crate::exec::step::Flow;
use crate::exec::value::{ObjectKey, Val};
use crate::replay::trace::{Switch, TraceStep};
use crate::threads::pieces::Piece;
use crate::threads::table::Phase;
use fathom_ir::{AccessKind, AllocKind, Assumption, Property};

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
        if self.meet_again(state, action)? || !self.poise(state, action, sight)? || !self.may_proceed(state, sight) {
            return Ok(Flow::Elsewhere);
        }
        let own = self.own_access(state, action, sight)?;
        let piece = self.run_piece(state, action, sight)?;
        let flow = if let Piece::Whole = piece { self.run_action(state, action)? } else { Flow::Next };
        if let Some(own) = own {
            self.compare_with_poised(state, &own)?;
        }
        if let Piece::Part = piece {
            self.shown(state, sight);
            self.pause_in_copy(state);
            return Ok(Flow::Elsewhere);
        }
        let is_call = matches!(action, Action::Call { .. });
        if let Flow::Elsewhere = flow {
            if is_call {
                self.shown(state, sight);
            }
            return Ok(Flow::Elsewhere);
        }
        // A call that entered no procedure called code outside of the program.
        if !is_call && !is_event(action) {
            return Ok(Flow::Next);
        }
        let before = state.running_thread();
        if let Some(threads) = &mut state.threads {
            threads.current_mut().poised = None;
        }
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

    /// Scratch values do not outlive a change of threads.
    pub(crate) fn back_to_statement(&self, state: &mut State) {
        let frame = state.frame_mut();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        frame.index = block.starts[frame.index as usize];
    }

    fn pause_in_copy(&mut self, state: &mut State) {
        if matches!(self.mode, Mode::Replay { .. }) {
            self.back_to_statement(state);
            return self.follow_schedule(state);
        }
        self.wait_for_choice(state);
    }

    pub(crate) fn wait_for_choice(&mut self, state: &mut State) {
        self.back_to_statement(state);
        if let Some(threads) = &mut state.threads {
            threads.phase = Phase::Choosing;
            state.comparison.at_loop_head = true;
        }
    }

    /// An event is over: what that means for the others.
    pub(crate) fn proceeded(&mut self, state: &mut State, sight: Sight) {
        let Some(threads) = &mut state.threads else { return };
        threads.events += 1;
        self.shown(state, sight);
        if matches!(self.mode, Mode::Replay { .. }) {
            self.follow_schedule(state);
        }
    }

    /// The running thread has done something that others see like this.
    fn shown(&self, state: &mut State, sight: Sight) {
        let Some(threads) = &mut state.threads else { return };
        if matches!(sight, Sight::Reads | Sight::Changes) {
            threads.phase = Phase::Running;
            threads.dirty |= sight == Sight::Changes;
            threads.changes += u32::from(sight == Sight::Changes);
            let current = threads.current_mut();
            current.entered = current.sections > 0;
        }
    }

    fn sight(&mut self, state: &State, action: &Action) -> Sight {
        let when = |is_shared: bool, sight: Sight| if is_shared { sight } else { Sight::None };
        match action {
            // The program's end sees which blocks there are, whichever thread has them.
            Action::Alloc { kind: AllocKind::Heap, .. } if self.counts_blocks() => Sight::Changes,
            Action::Free { .. } if self.counts_blocks() => {
                self.sight_of_accesses(state, action);
                Sight::Changes
            }
            Action::EndScope { target } => {
                let pointer = self.get(state, Operand::Variable(*target));
                let is_seen = pointer != Val::Bits(0) && self.is_shared_value(state, pointer);
                if is_seen {
                    self.is_protected(state, pointer, Extent::Object);
                }
                when(is_seen, Sight::Changes)
            }
            Action::Thread(operation) if self.empties_buffer(state, operation) => Sight::Changes,
            // In a section of its own (of the library's pthread_create) it shows nothing but the new thread; in one of
            // the program's the new thread has to wait for its end.
            Action::Thread(ThreadAction::Start { .. }) => {
                let sections = state.threads.as_ref().map_or(state.sections, |threads| threads.current().sections);
                when(sections > 1, Sight::Changes)
            }
            Action::Thread(ThreadAction::Exit { .. }) => when(self.leaves_shared(state, &state.frames), Sight::Changes),
            // Code that is not in the program, which may write to what its arguments point to.
            Action::Call { callee: CalleeCode::Indirect(pointer), .. } => {
                let is_unknown = !self.has_known_body(state, pointer);
                if is_unknown {
                    self.lose_sight();
                }
                when(is_unknown, Sight::Changes)
            }
            Action::Assume(condition) => when(self.expr_value(state, condition) != Val::TRUE, Sight::Stops),
            other => self.sight_of_accesses(state, other),
        }
    }

    /// Whether the end of the program is asked which blocks are left.
    fn counts_blocks(&self) -> bool {
        self.checks.contains(&Property::ValidMemcleanup)
    }

    /// How others see what an action does to memory.
    fn sight_of_accesses(&mut self, state: &State, action: &Action) -> Sight {
        let mut sight = Sight::None;
        action.for_each_access(&mut |access| {
            let (seen, is_write) = match access.kind {
                AccessKind::Read | AccessKind::Look => (Sight::Reads, false),
                AccessKind::Write | AccessKind::Free => (Sight::Changes, true),
                // Whether the object is alive is not checked.
                AccessKind::Alive if !self.checks.contains(&Property::Dangling) => return,
                AccessKind::Alive => (Sight::Reads, false),
            };
            if !self.is_visible(state, &access, is_write) || sight == Sight::Changes {
                return;
            }
            sight = seen;
            if let Extent::Bytes(bytes) = access.extent {
                self.note_width(state, bytes);
            }
        });
        sight
    }

    /// Others may see an access to so many bytes.
    fn note_width(&mut self, state: &State, bytes: u64) {
        let is_protected = || state.threads.as_ref().is_some_and(|threads| threads.current().sections > 0);
        let word = u64::from(self.book.pointer_bits()) / 8;
        if bytes > word && !is_protected() {
            self.ledger.note(Assumption::WideAccessAtOnce { word });
        }
    }

    /// Whether the pointer surely leads to a function of the program.
    fn has_known_body(&mut self, state: &State, pointer: &Expr) -> bool {
        let Val::Pointer { object, .. } = self.expr_value(state, pointer) else { return false };
        self.image.procs_by_object.get(&object).is_some_and(|&proc| self.code.procs[proc as usize].has_body)
    }

    /// Whether an access may conflict with what another thread does.
    fn is_visible(&mut self, state: &State, access: &Access, is_write: bool) -> bool {
        let pointer = self.get(state, access.pointer);
        self.is_shared_value(state, pointer)
            && !self.is_protected(state, pointer, access.extent)
            && self.is_contested(state, access.pointer, is_write)
    }

    /// Whether another thread may access what a pointer points to; always for a pointer without a known object.
    pub(crate) fn is_shared_value(&self, state: &State, pointer: Val) -> bool {
        let (Some(threads), Val::Pointer { object, .. }) = (&state.threads, pointer) else { return true };
        let is_constant = state.memory.get(object).is_some_and(|found| found.read_only);
        !is_constant && threads.owners.get(&object) != Some(&threads.running)
    }

    /// How others see the return from the top frame: its objects end, or the program does.
    pub(crate) fn sight_of_return(&mut self, state: &State) -> Sight {
        if state.frames.len() == 1 && state.running_thread() == 0 {
            return Sight::Stops;
        }
        let waits = state.threads.as_ref().is_some_and(|threads| !threads.current().buffer.is_empty());
        if state.frames.len() == 1 && waits {
            return Sight::Changes;
        }
        let left = &state.frames[state.frames.len().saturating_sub(1)..];
        if self.leaves_shared(state, left) { Sight::Changes } else { Sight::None }
    }

    /// Whether objects that others can reach end with these frames, or with the thread if its first frame is among them.
    fn leaves_shared(&mut self, state: &State, frames: &[Frame]) -> bool {
        let ends_thread = frames.len() == state.frames.len();
        let locals = state.threads.iter().filter(|_| ends_thread).flat_map(|threads| &threads.current().locals);
        let own = frames.iter().flat_map(|frame| &frame.stack_objects).chain(locals.map(|(_, copy)| copy));
        let whole = |&object: &ObjectKey| Val::Pointer { object, offset: 0 };
        let shared: Vec<Val> = own.map(whole).filter(|&pointer| self.is_shared_value(state, pointer)).collect();
        shared.iter().for_each(|&pointer| _ = self.is_protected(state, pointer, Extent::Object));
        !shared.is_empty()
    }

    /// At a loop head with other threads around; they are let in when the loop shows them nothing for long.
    pub(crate) fn note_quiet_loop_head(&self, state: &mut State) {
        let Some(threads) = &mut state.threads else { return };
        threads.quiet_loop_heads += 1;
        let heads = threads.quiet_loop_heads;
        if heads >= PATIENCE && heads.is_power_of_two() && threads.is_interruptible() {
            threads.phase = Phase::Choosing;
            state.comparison.at_loop_head = true;
        }
    }

    /// If it is time to choose: a state for every thread that can go on, and for every store that may become visible. This one goes
    /// on with the running thread if that is one of them.
    pub(crate) fn choose_thread(&mut self, state: &mut State) -> Option<Advance> {
        let threads = state.threads.as_mut().filter(|threads| threads.phase == Phase::Choosing && !state.comparison.at_loop_head)?;
        let ready = threads.ready();
        let running = threads.running;
        let stays = ready.contains(&running);
        let mut turns: Vec<Turn> = ready.iter().map(|&number| Turn::Runs(number)).collect();
        turns.extend(threads.next_visible(self.program.memory_model).into_iter().map(|(number, at)| Turn::Shows(number, at)));
        let Some(first) = turns.iter().position(|turn| *turn == Turn::Runs(running)).or((!turns.is_empty()).then_some(0)) else {
            return Some(Advance::Ended(self.deadlocked(state)));
        };
        threads.dirty = false;
        threads.quiet_loop_heads = 0;
        state.search.depth += (turns.len() > 1) as u64;
        let bound = self.config.context_bound.filter(|&most| stays && threads.preemptions >= most);
        if let (Some(most), true) = (bound, ready.len() > 1) {
            self.found.cuts.push(Cut::Bound(format!("{most} interruptions of threads")));
        }
        let place = self.what(state, 1);
        let is_left_out = |turn: Turn| bound.is_some() && matches!(turn, Turn::Runs(_));
        for (side, &turn) in turns.iter().enumerate().filter(|&(side, turn)| side != first && !is_left_out(*turn)) {
            let mut sibling = state.clone();
            self.note_choice(place, &mut sibling, turns.len(), side);
            self.take_turn(&mut sibling, turn, stays);
            self.add_fork(sibling);
        }
        if turns.len() > 1 {
            self.note_choice(place, state, turns.len(), first);
        }
        self.take_turn(state, turns[first], stays);
        (!self.forked.is_empty()).then_some(Advance::Forked)
    }

    fn take_turn(&mut self, state: &mut State, turn: Turn, stays: bool) {
        match turn {
            Turn::Runs(number) => switch(state, number, stays),
            Turn::Shows(number, at) => {
                schedule(state, number, Some(at));
                self.show(state, number, at);
                // After that another choice is made.
                state.comparison.at_loop_head = true;
            }
        }
    }

    // ---- replays

    /// Runs the threads that the schedule wants now: the last of several that took a turn without an event.
    pub(crate) fn follow_schedule(&mut self, state: &mut State) {
        let before = state.running_thread();
        while self.follow_switch(state) {}
        let number = state.running_thread();
        if number == before {
            return;
        }
        let procedure = state.frames.first().map(|frame| self.code.procs[frame.proc as usize].name.clone());
        let loc = self.location(state);
        if let (Some(procedure), Some(recorder)) = (procedure, self.recorder(state)) {
            recorder.step(TraceStep::Switch { thread: number + 1, procedure, loc });
        }
    }

    /// Whether a switch was due.
    fn follow_switch(&mut self, state: &mut State) -> bool {
        let Mode::Replay { schedule, .. } = &mut self.mode else { return false };
        let Some(threads) = &state.threads else { return false };
        let bytes = state.frames.last().map_or(0, |frame| frame.bytes_done);
        if schedule.front().is_none_or(|next| (next.event, next.bytes) != (threads.events, bytes)) {
            return false;
        }
        let Some(Switch { thread: number, store, .. }) = schedule.pop_front() else { return false };
        if let Some(at) = store {
            self.show(state, number, at as usize);
            return true;
        }
        if threads.all.get(number as usize).is_some_and(|thread| !thread.ended) {
            state.run_thread(number);
        }
        true
    }
}

/// What may come next where it is chosen.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Turn {
    /// This thread goes on.
    Runs(u32),
    /// This store in the thread's buffer becomes visible.
    Shows(u32, usize),
}

/// Lets a thread run in a state that was at a choice.
fn switch(state: &mut State, number: u32, stays: bool) {
    let Some(threads) = &mut state.threads else { return };
    if threads.running != number {
        threads.preemptions += stays as u32;
    }
    if threads.scheduled != number {
        schedule(state, number, None);
    }
    state.run_thread(number);
    if let Some(threads) = &mut state.threads {
        (threads.phase, threads.scheduled) = (Phase::Chosen, number);
        let current = threads.current_mut();
        (current.waits_for, current.stuck_at) = (None, None);
    }
}

/// Writes down what comes next.
fn schedule(state: &mut State, number: u32, store: Option<usize>) {
    let Some(threads) = &mut state.threads else { return };
    // After a thread's end another one's frames are there, which has not run since.
    let is_within = threads.running == threads.scheduled;
    let bytes = state.frames.last().filter(|_| is_within).map_or(0, |frame| frame.bytes_done);
    [threads.events, bytes, number, store.map_or(0, |at| at as u32 + 1)].into_iter().for_each(|part| threads.schedule.push(part));
}

/// Whether an action counts in the clock of schedules: whatever another thread could see in some state.
pub(crate) fn is_event(action: &Action) -> bool {
    let mut is_event = matches!(action, Action::Thread(_) | Action::Alloc { kind: AllocKind::Heap, .. });
    action.for_each_access(&mut |_| is_event = true);
    is_event
}
