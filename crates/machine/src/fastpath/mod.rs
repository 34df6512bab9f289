//! Sprints: a fast interpreter for loops that compute with plain numbers. It keeps variables in registers and is about
//! ten times as fast as the machine. The result is identical: the same values, the same counts, the same coverage. As
//! long as the path is concrete, a loop of a hundred million iterations takes a second, in a search as well as in a
//! replay.
//!
//! A sprint begins at a loop head that was visited several times. It ends when the loop is left, when a statement needs
//! the machine (an input, a call of a large procedure, a failing check, memory that is not plain numbers), or where the
//! machine would have stopped: when the fuel is used up, or at a visit of a loop head at which states are compared.

mod code;
mod kinds;
mod reader;
mod run;
mod window;
mod writer;

use crate::exec::code::{End, Operand};
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use code::Track;
use kinds::Kind;
use run::{Finish, Pace, Registers};
use window::Window;

/// Visits of a loop head before its loop is made ready.
const VISITS: u32 = 16;
/// Statements of a sprint that take as long as one elsewhere, at least.
pub(crate) const SPEED: i64 = 16;
/// With less fuel than this the caller wants control back after every block, so a sprint is not worth its start.
pub(crate) const LEAST_FUEL: i64 = 256;
/// Runs after which a loop has to have shown that it is worth it, and statements of each.
const TRIALS: u32 = 16;
const WORTH: u64 = 100;
/// How often a loop is made ready for other pointers.
const ATTEMPTS: u32 = 8;

#[derive(Default)]
pub(crate) struct Sprints {
    /// By number of the block among all of the program.
    loops: Vec<Loop>,
    registers: Option<Box<Registers>>,
    /// That were done in all sprints.
    pub statements: u64,
}

#[derive(Default)]
struct Loop {
    visits: u32,
    attempts: u32,
    runs: u32,
    statements: u64,
    is_hopeless: bool,
    track: Option<Box<Track>>,
}

impl Machine {
    /// Whether no step has to be recorded.
    fn may_sprint(&self, state: &State) -> bool {
        let now = (state.path.inputs, state.search.depth);
        let is_watched = self.unwinding.is_some()
            || self.config.max_loop.is_some()
            || self.config.folds_lists
            || self.config.only_known_paths
            || self.config.pauses.joins
            || self.asked.is_some()
            || self.is_retracing()
            || state.threads.is_some();
        let is_compared = (self.config.pauses.where_paths_meet && state.joins.met_at != now)
            || (self.config.pauses.loop_heads && state.comparison.compared_at != now);
        self.config.fast_path && !is_watched && !is_compared
    }

    /// Runs the loop at whose head the state stands; the statements that were done.
    pub(crate) fn sprint(&mut self, state: &mut State, fuel: i64) -> u64 {
        // A visit that is recorded or compared must not count as evidence that the loop is worth a sprint: sprints are neither.
        if self.heads_unseen(state) == 0 {
            return 0;
        }
        let frame = state.frame();
        let (proc, head) = (frame.proc as usize, frame.block);
        let number = (self.code.procs[proc].first_block + head) as usize;
        if self.analyses.sprints.loops.is_empty() {
            self.analyses.sprints.loops.resize_with(self.code.block_count as usize, Loop::default);
        }
        let known = &mut self.analyses.sprints.loops[number];
        known.visits = known.visits.saturating_add(1);
        if known.is_hopeless || known.visits < VISITS || !self.may_sprint(state) {
            return 0;
        }
        let mut registers = self.analyses.sprints.registers.take().unwrap_or_else(run::registers);
        let mut known = std::mem::take(&mut self.analyses.sprints.loops[number]);
        let done = self.sprint_on(state, &mut known, &mut registers, fuel);
        if done > 0 {
            known.runs += 1;
            known.statements += done;
        }
        if known.runs == TRIALS {
            known.is_hopeless = known.statements < WORTH * TRIALS as u64;
            (known.runs, known.statements) = (0, 0);
        }
        known.is_hopeless |= known.attempts > ATTEMPTS;
        if known.is_hopeless {
            known.track = None;
        }
        self.analyses.sprints.loops[number] = known;
        self.analyses.sprints.statements += done;
        self.analyses.sprints.registers = Some(registers);
        done
    }

    fn sprint_on(&mut self, state: &mut State, known: &mut Loop, registers: &mut Registers, fuel: i64) -> u64 {
        let objects = match known.track.as_ref().and_then(|track| self.load(state, track, registers)) {
            Some(objects) => objects,
            // A later visit may find other values, so it is tried again at visits 1, 2, 4, 8, ...
            None if !known.visits.is_power_of_two() => return 0,
            None => {
                known.attempts += 1;
                let frame = state.frame();
                let track = Track::of(&self.code, frame.proc, frame.block, |variable| self.get(state, Operand::Variable(variable)));
                let Some(track) = track else {
                    known.is_hopeless = true;
                    return 0;
                };
                let Some(objects) = self.load(state, &track, registers) else { return 0 };
                known.track = Some(Box::new(track));
                objects
            }
        };
        let Some(track) = &known.track else { return 0 };
        let code = self.code.clone();
        let (head, proc) = (state.frame().block, &code.procs[state.frame().proc as usize]);
        let length = |block: u32| proc.blocks[block as usize].actions.len() as i64 + 1;
        // From one head to the next, where a sprint can stop, no block comes twice.
        let round: i64 =
            track.blocks.iter().map(|&(proc, block)| code.procs[proc as usize].blocks[block as usize].actions.len() as i64 + 1).sum();
        let before = fuel.saturating_mul(SPEED).min(self.statements_unseen(state) - round);
        if before <= length(head) {
            return 0;
        }
        let Some((mut windows, of_class)) = self.open_windows(state, track, &objects) else { return 0 };
        let compared = if self.config.pauses.loop_heads {
            (state.comparison.idle_visits + 1).next_power_of_two() - state.comparison.idle_visits
        } else {
            i64::MAX as u64
        };
        let heads = compared.min(self.heads_unseen(state).saturating_add(1));
        let blocks = track.blocks.len();
        let mut pace = Pace {
            statements: before,
            heads: heads as i64,
            entered: vec![0; blocks],
            sides: vec![0; blocks],
            called_at: None,
            entered_since: Vec::new(),
        };
        // The machine has counted the statements of the head already.
        pace.statements -= length(head);
        let finish = run::run(track, registers, &mut windows, &of_class, self.book.pointer_bits(), &mut pace);
        windows.into_iter().for_each(|window| window.close(state));
        self.unload(state, track, registers, &objects);
        self.account(state, track, finish, before, heads as i64, pace)
    }

    /// Statements before the recorder begins to keep steps again. Every branch is a statement.
    fn statements_unseen(&self, state: &State) -> i64 {
        match &self.mode {
            Mode::Replay { recorder, .. } => recorder.unseen_from(state.search.branches),
            Mode::Symbolic(_) => i64::MAX,
        }
    }

    /// Fills the registers; the object of each class. None if some variable holds something that the track is not made for.
    fn load(&self, state: &State, track: &Track, registers: &mut Registers) -> Option<Vec<Option<ObjectKey>>> {
        let mut objects: Vec<Option<ObjectKey>> = track.classes.iter().map(|class| class.object).collect();
        for (register, &(variable, kind)) in registers.iter_mut().zip(&track.variables) {
            *register = match (self.get(state, Operand::Variable(variable)), kind) {
                (Val::Bits(bits), Kind::Number) => bits,
                (Val::Pointer { object, offset }, Kind::Pointer(class)) if *objects[class as usize].get_or_insert(object) == object => {
                    offset as u64
                }
                // No step reads it, and none writes it.
                (Val::Term(_), Kind::Mixed) => 0,
                _ => return None,
            };
        }
        for &(register, bits) in &track.constants {
            registers[register as usize] = bits;
        }
        Some(objects)
    }

    fn unload(&mut self, state: &mut State, track: &Track, registers: &Registers, objects: &[Option<ObjectKey>]) {
        for (&register, &(variable, kind)) in registers.iter().zip(&track.variables) {
            let value = match kind {
                Kind::Number => Val::Bits(register),
                Kind::Pointer(class) => match objects[class as usize] {
                    Some(object) => Val::Pointer { object, offset: register as i64 },
                    None => continue,
                },
                Kind::Mixed | Kind::Unset => continue,
            };
            self.set(state, variable, value);
        }
    }

    /// The objects that are read or written, and which of them each class has.
    fn open_windows(&self, state: &mut State, track: &Track, objects: &[Option<ObjectKey>]) -> Option<(Vec<Window>, Vec<u8>)> {
        let (mut windows, mut of_class): (Vec<Window>, Vec<u8>) = (Vec::new(), Vec::new());
        for (class, &object) in track.classes.iter().zip(objects) {
            let is_used = class.reads || class.writes;
            let (true, Some(object)) = (is_used, object) else {
                of_class.push(0);
                continue;
            };
            let known = windows.iter().position(|window| window.object == object);
            let at = match known {
                Some(at) => at,
                None => {
                    // Another class may lead to the same object.
                    let writes = track.classes.iter().zip(objects).any(|(class, &other)| class.writes && other == Some(object));
                    match Window::open(state, object, writes) {
                        Some(window) => windows.push(window),
                        None => {
                            windows.into_iter().for_each(|window| window.close(state));
                            return None;
                        }
                    }
                    windows.len() - 1
                }
            };
            of_class.push(at as u8);
        }
        Some((windows, of_class))
    }

    /// Notes what the machine would have noted on the way, and puts the state where the sprint ended.
    fn account(&mut self, state: &mut State, track: &Track, finish: Finish, before: i64, heads: i64, pace: Pace) -> u64 {
        let code = self.code.clone();
        let proc = &code.procs[state.frame().proc as usize];
        let head = state.frame().block;
        // The block whose end was not reached, and how many of its statements were not done.
        let (unfinished, left) = match &finish {
            Finish::AtHead { step } => (Some(track.origins[*step].0), 0),
            Finish::Before { step } => {
                let (block, index) = track.origins[*step];
                (Some(block), proc.blocks[block as usize].actions.len() as i64 + 1 - index as i64)
            }
            Finish::Left { .. } => (None, 0),
        };
        for (at, &(proc, number)) in track.blocks.iter().enumerate() {
            let is_own = at < track.own_blocks;
            let proc = &code.procs[proc as usize];
            let (block, global) = (&proc.blocks[number as usize], (proc.first_block + number) as usize);
            let entered = pace.entered[at];
            if entered > 0 {
                if let Some(count) = self.coverage.visits.get_mut(global) {
                    *count += entered;
                }
                state.search.covers_new |= !std::mem::replace(&mut self.coverage.covered[global], true);
            }
            let ran = entered + u64::from(is_own && number == head) - u64::from(is_own && unfinished == Some(number));
            if matches!(block.end, End::Branch { .. } | End::Switch { .. }) {
                self.statistics.branches += ran;
                state.search.branches += ran;
            }
            if matches!(block.end, End::Branch { .. }) && block.leaves_loop && block.is_loop_head {
                state.search.plain_exits += ran;
            }
            let sides = self.coverage.sides[global] | pace.sides[at];
            state.search.covers_new |= std::mem::replace(&mut self.coverage.sides[global], sides) != sides;
        }
        let done = (before - pace.statements - left) as u64;
        self.statistics.statements += done;
        state.search.steps += done;
        if self.config.pauses.loop_heads {
            state.comparison.idle_visits += (heads - pace.heads) as u64;
            state.comparison.at_loop_head = matches!(finish, Finish::AtHead { .. }) && pace.heads == 0;
        }
        if self.config.pauses.all_loop_heads {
            state.comparison.at_loop_head = matches!(finish, Finish::AtHead { .. });
            self.pass_heads(state, (heads - pace.heads) as u64 - u64::from(state.comparison.at_loop_head));
        }
        match finish {
            Finish::AtHead { step } | Finish::Before { step } => {
                let frame = state.frame_mut();
                (frame.block, frame.index) = track.origins[step];
            }
            Finish::Left { to } => {
                let jumped = self.jump(state, to);
                debug_assert!(jumped.is_ok(), "no bound is set");
            }
        }
        done
    }
}
