//! The terminators of blocks: where control goes next, and how states fork.

use crate::exec::code::{Action, BlockCode, End, Expr};
use crate::exec::machine::{Cut, Decision, Machine, Mode, PathEnd, Step};
use crate::exec::state::{Frame, State};
use crate::exec::value::Val;
use crate::replay::trace::TraceStep;
use crate::threads::schedule::Sight;
use fathom_ir::Assumption;
use fathom_term::{Sort, Term};
use std::rc::Rc;

impl Machine {
    pub(crate) fn run_end(&mut self, state: &mut State, block: &BlockCode) -> Step<()> {
        match &block.end {
            End::Goto(targets) => self.goto(state, targets),
            End::Branch { condition, then, otherwise } => self.branch(state, block, condition, [*then, *otherwise]),
            End::Switch { value, cases, table, default } => {
                let sort = value.sort;
                let value = self.expr_value(state, value);
                let value = self.determinate(state, value, sort, "the value that is switched on")?;
                self.statistics.branches += 1;
                state.search.branches += 1;
                match self.number_of(value) {
                    Some(bits) => self.jump(state, table.get(&bits).copied().unwrap_or(*default)),
                    None => self.symbolic_switch(state, value, sort, cases, *default),
                }
            }
            End::Return => self.return_from(state),
            End::Stop(kind) => match self.may_proceed(state, Sight::Stops) {
                true => Err(self.stop(state, kind)),
                false => Ok(()),
            },
            End::Unsupported(what) => Err(self.unsupported(state, what.as_str())),
        }
    }

    fn branch(&mut self, state: &mut State, block: &BlockCode, condition: &Expr, [then, otherwise]: [u32; 2]) -> Step<()> {
        let value = self.expr_value(state, condition);
        let value = self.determinate(state, value, Sort::Bool, "the condition")?;
        self.statistics.branches += 1;
        state.search.branches += 1;
        let taken = match value {
            Val::Bits(bits) => {
                if self.config.only_known_paths {
                    self.note_near_miss(state, block);
                }
                if block.leaves_loop && self.unwinding.is_some() {
                    self.tested_exit(state, if bits != 0 { otherwise } else { then }, false);
                }
                state.search.plain_exits += u64::from(block.leaves_loop && block.is_loop_head);
                bits != 0
            }
            _ => {
                // Worth a fork only as long as one of its sides is missing in what the paths cover.
                let is_covered = self.config.notes_decisions || self.covered_sides(state) == BOTH_SIDES;
                if block.has_idle_branch && self.unwinding.is_none() && is_covered {
                    return self.jump(state, otherwise);
                }
                let condition = self.condition(state, value)?;
                if block.leaves_loop && self.unwinding.is_some() {
                    self.tested_exit(state, then, true);
                    self.tested_exit(state, otherwise, true);
                }
                let stays = if block.leaves_loop { self.staying_side(state, then, otherwise) } else { None };
                if let Some((taken, sibling)) = self.fork_lazily(state, condition, stays) {
                    self.add_jumped(sibling, if taken { otherwise } else { then });
                    return self.jump(state, if taken { then } else { otherwise });
                }
                match self.decide(state, condition)? {
                    Decision::Always(taken) => taken,
                    Decision::Both { now, other } => {
                        let mut sibling = self.twin(state);
                        self.note_sides(state, &mut sibling, condition, now);
                        self.take_side(&mut sibling, condition, !now, other);
                        self.keep_side(state, condition, now);
                        sibling.search.covers_new = self.cover_side(state, !now);
                        self.add_jumped(sibling, if now { otherwise } else { then });
                        now
                    }
                }
            }
        };
        state.search.covers_new |= self.cover_side(state, taken);
        let loc = block.end_loc;
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Branch { taken, loc });
        }
        self.jump(state, if taken { then } else { otherwise })
    }

    /// Every target that is possible gets a state; cases with one target share it.
    fn symbolic_switch(&mut self, state: &mut State, value: Val, sort: Sort, cases: &[(Term, u32)], default: u32) -> Step<()> {
        let term = self.term_of(value, sort);
        let term = self.placed(state, term)?;
        if self.unwinding.is_some() {
            cases.iter().for_each(|(_, target)| self.tested_exit(state, *target, true));
            self.tested_exit(state, default, true);
        }
        let mut targets: Vec<(u32, Term)> = Vec::new();
        let mut none = self.store.bool(true);
        for &(constant, target) in cases {
            let here = self.store.eq(term, constant);
            // The first match wins; constants of a switch are distinct, so earlier cases need no exclusion.
            match targets.iter_mut().find(|(known, _)| *known == target) {
                Some((_, condition)) => *condition = self.store.or(*condition, here),
                None => targets.push((target, here)),
            }
            none = self.store.and(none, self.store.not(here));
        }
        match targets.iter_mut().find(|(known, _)| *known == default) {
            Some((_, condition)) => *condition = self.store.or(*condition, none),
            None => targets.push((default, none)),
        }
        // One of them holds: where all others don't, no query is needed for the last.
        let Some((last, _)) = targets.pop() else { return self.jump(state, default) };
        for (target, condition) in targets {
            match self.decide(state, condition)? {
                Decision::Always(true) => return self.jump(state, target),
                Decision::Always(false) => {}
                Decision::Both { now, other } => {
                    // This state stays on the side that its model takes; the other side becomes a sibling.
                    let mut sibling = self.twin(state);
                    self.note_sides(state, &mut sibling, condition, now);
                    sibling.search.covers_new = false;
                    self.take_side(&mut sibling, condition, !now, other);
                    self.keep_side(state, condition, now);
                    if now {
                        // The sibling has the remaining cases: it runs the end of the block again.
                        self.add_fork(self.restarted(sibling));
                        return self.jump(state, target);
                    }
                    self.add_jumped(sibling, target);
                }
            }
        }
        self.jump(state, last)
    }

    /// The state at the first action of the statement it is at.
    fn restarted(&self, mut state: State) -> State {
        let frame = state.frame_mut();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        frame.index = block.starts[frame.index as usize];
        state
    }

    fn goto(&mut self, state: &mut State, targets: &[u32]) -> Step<()> {
        let [first, rest @ ..] = targets else { return Err(PathEnd::Discarded) };
        if rest.is_empty() {
            return self.jump(state, *first);
        }
        self.statistics.branches += 1;
        state.search.branches += 1;
        if let Mode::Replay { choices, chosen, .. } = &mut self.mode {
            let choice = choices.next().or_else(|| Some(chosen.as_mut()?.choice(targets.len()))).unwrap_or(0) as usize;
            return self.jump(state, *targets.get(choice).unwrap_or(first));
        }
        if self.unwinding.is_some() {
            targets.iter().for_each(|&target| self.tested_exit(state, target, true));
        }
        // Goto-assume look-ahead (Symbooglix, section IV): a target whose first assumptions can't hold gets no state.
        let mut possible: Vec<State> = Vec::new();
        let place = self.what(state, 0);
        for (choice, &target) in targets.iter().enumerate() {
            let mut sibling = self.twin(state);
            self.note_choice(place, &mut sibling, targets.len(), choice);
            sibling.search.covers_new &= choice == 0;
            sibling.path.choices.push(choice as u32);
            sibling.search.depth += 1;
            let entered = self.jump(&mut sibling, target).and_then(|()| match self.config.look_ahead {
                true => self.run_first_assumptions(&mut sibling),
                false => Ok(()),
            });
            match entered {
                Ok(()) => possible.push(sibling),
                Err(PathEnd::Cut(cut)) => self.found.cuts.push(cut),
                Err(_) => {}
            }
        }
        let mut possible = possible.into_iter();
        match possible.next() {
            Some(first) => *state = first,
            None => return Err(PathEnd::Discarded),
        }
        possible.for_each(|sibling| self.add_fork(sibling));
        Ok(())
    }

    /// Runs the assumptions that the state's block begins with.
    fn run_first_assumptions(&mut self, state: &mut State) -> Step<()> {
        let code = self.code.clone();
        let frame = state.frame();
        let block = &code.procs[frame.proc as usize].blocks[frame.block as usize];
        let mut start = 0;
        loop {
            let length = block.starts[start..block.actions.len()].iter().take_while(|&&first| first as usize == start).count();
            let statement = &block.actions[start..start + length];
            let Some((Action::Assume(_), _)) = statement.split_last() else { return Ok(()) };
            for (offset, action) in statement.iter().enumerate() {
                match action {
                    Action::Compute(instr) => {
                        let value = self.compute(state, instr);
                        self.set(state, instr.target, value);
                    }
                    _ => {
                        state.frame_mut().index = (start + offset) as u32;
                        self.run_action(state, action)?;
                    }
                }
            }
            start += length;
            state.frame_mut().index = start as u32;
        }
    }

    /// A sibling that goes to another block; one that a bound stops there is cut.
    fn add_jumped(&mut self, mut sibling: State, target: u32) {
        match self.jump(&mut sibling, target) {
            Ok(()) => self.add_fork(sibling),
            Err(PathEnd::Cut(cut)) => self.found.cuts.push(cut),
            Err(_) => {}
        }
    }

    /// Where iterations are bounded: counts those of the loops around the target of a jump.
    fn count_iteration(&mut self, frame: &mut Frame, target: u32) -> Step<()> {
        let Some(most) = self.config.max_loop else { return Ok(()) };
        let blocks = &self.code.procs[frame.proc as usize].blocks;
        let around = &blocks[target as usize].loops;
        if frame.visits.keys().any(|head| !around.contains(head)) {
            Rc::make_mut(&mut frame.visits).retain(|head, _| around.contains(head));
        }
        if !blocks[target as usize].is_loop_head {
            return Ok(());
        }
        let is_repeated = blocks[frame.block as usize].loops.contains(&target);
        // A procedure may begin with the head of a loop.
        let visits = Rc::make_mut(&mut frame.visits).entry(target).or_insert(1);
        *visits = if is_repeated { *visits + 1 } else { 1 };
        if *visits <= most + 1 {
            return Ok(());
        }
        if self.config.assumes_max_loop {
            self.ledger.note(Assumption::Unwinding { bound: most, own: false });
            return Err(PathEnd::Discarded);
        }
        Err(PathEnd::Cut(Cut::Bound(format!("{most} loop iterations"))))
    }

    pub(crate) fn jump(&mut self, state: &mut State, target: u32) -> Step<()> {
        self.count_iteration(state.frame_mut(), target)?;
        let frame = state.frame_mut();
        frame.block = target;
        frame.index = 0;
        let proc = &self.code.procs[frame.proc as usize];
        let entered = (proc.first_block + target) as usize;
        let is_loop_head = proc.blocks[target as usize].is_loop_head;
        let is_join = self.config.pauses.joins && proc.blocks[target as usize].is_join;
        let meets_others = self.config.pauses.where_paths_meet && proc.blocks[target as usize].is_join;
        let is_new = self.enter(entered);
        state.search.covers_new |= is_new;
        if self.unwinding.is_some() {
            self.entered_block(state, target)?;
        }
        let has_company = state.has_company();
        if has_company {
            if is_loop_head && self.config.pauses.loop_heads {
                self.note_quiet_loop_head(state);
            }
        } else if (is_loop_head && self.config.pauses.loop_heads) || is_join {
            note_loop_head(state);
        } else if meets_others {
            note_meeting(state);
        }
        state.comparison.at_loop_head |= is_loop_head && !has_company && (self.config.pauses.all_loop_heads || self.config.folds_lists);
        Ok(())
    }

    /// Notes that a side of the branch at the end of the state's block was taken; whether it is the first time.
    fn cover_side(&mut self, state: &State, taken: bool) -> bool {
        let frame = state.frame();
        let block = self.code.procs[frame.proc as usize].first_block + frame.block;
        let sides = &mut self.coverage.sides[block as usize];
        let before = *sides;
        *sides |= 1 << u8::from(taken);
        *sides != before
    }

    /// The sides of the branch at the end of the state's block that some path took.
    fn covered_sides(&self, state: &State) -> u8 {
        let frame = state.frame();
        self.coverage.sides[(self.code.procs[frame.proc as usize].first_block + frame.block) as usize]
    }
}

pub(crate) const BOTH_SIDES: u8 = 3;

/// A state is worth comparing when it read an input or forked since the last time. One that did neither may be in a
/// loop without end: it is compared at visits 1, 2, 4, 8 and so on, which costs little and meets any cycle in the end.
fn note_loop_head(state: &mut State) {
    let now = (state.path.inputs, state.search.depth);
    if state.comparison.compared_at != now {
        state.comparison.compared_at = now;
        state.comparison.idle_visits = 0;
    }
    state.comparison.idle_visits += 1;
    state.comparison.at_loop_head = state.comparison.idle_visits.is_power_of_two();
}

/// The first join since the state read an input or forked.
fn note_meeting(state: &mut State) {
    let now = (state.path.inputs, state.search.depth);
    state.comparison.at_loop_head |= std::mem::replace(&mut state.joins.met_at, now) != now;
}
