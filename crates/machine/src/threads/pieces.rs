//! Copies and fills of memory that other threads may access at the same time. In C these are not atomic. They run from
//! the first byte to the last (the other way round where the target overlaps the end of the source), and threads may
//! take turns before each piece: before each byte of a short one, before each word of a long one. That is finer than on
//! most machines and coarser than what C allows, so the ledger says it. A copy is one step if no other thread can
//! observe its middle, or if an atomic section protects it.

use crate::exec::code::{Action, Expr};
use crate::exec::machine::{Machine, Mode, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::contents::WORD;
use crate::memory::resolve::Purpose;
use crate::threads::schedule::Sight;
use fathom_ir::{Assumption, InputKind};
use fathom_term::Sort;

/// Longer copies go on word by word.
const SHORT: u64 = 16;

/// How much of an action was done.
pub(crate) enum Piece {
    /// Nothing yet: it is to be done at once.
    Whole,
    /// Others may run before the next part.
    Part,
    /// The rest.
    Last,
}

/// Where a copy goes to, what it takes there, and how many bytes.
struct Range<'a> {
    to: (ObjectKey, Val),
    from: Origin<'a>,
    length: u64,
}

enum Origin<'a> {
    Memory((ObjectKey, Val)),
    Byte(Val),
    /// Each piece is an input of its own, a replay's too.
    Anything(Option<&'a InputKind>),
}

impl Machine {
    pub(crate) fn run_piece(&mut self, state: &mut State, action: &Action, sight: Sight) -> Step<Piece> {
        let is_range = matches!(action, Action::Copy { .. } | Action::Set { .. });
        // Arbitrary values are asked for in the same pieces wherever others take their turns.
        let is_asking = matches!(action, Action::Set { fill: None, .. }) && self.is_divisible(state, sight);
        if !is_range || !(is_asking || self.is_interrupted(state) || self.may_be_interrupted(state, sight)) {
            return Ok(Piece::Whole);
        }
        let Some(range) = self.range(state, action)? else { return Ok(Piece::Whole) };
        let Some(backwards) = self.runs_backwards(&range) else { return Ok(Piece::Whole) };
        let done = state.frame().bytes_done as u64;
        let next = match &self.mode {
            Mode::Replay { .. } => self.scheduled_stop(state),
            Mode::Symbolic(_) if !self.may_be_interrupted(state, sight) => None,
            Mode::Symbolic(_) => Some(self.next_stop(state, &range, done, backwards)).filter(|&next| next < range.length),
        };
        if next.is_none() && done == 0 && !is_asking {
            return Ok(Piece::Whole);
        }
        let upto = next.unwrap_or(range.length);
        match range.from {
            Origin::Anything(input) => self.ask_for_pieces(state, &range, input, done, upto)?,
            _ => {
                let first = if backwards { range.length - upto } else { done };
                self.do_piece(state, &range, first, upto - done);
            }
        }
        state.frame_mut().bytes_done = if next.is_some() { upto as u32 } else { 0 };
        Ok(if next.is_some() { Piece::Part } else { Piece::Last })
    }

    /// In the middle of it, or about to be, in a replay.
    fn is_interrupted(&self, state: &State) -> bool {
        state.frame().bytes_done > 0 || self.scheduled_stop(state).is_some()
    }

    fn may_be_interrupted(&self, state: &State, sight: Sight) -> bool {
        self.is_divisible(state, sight) && matches!(self.mode, Mode::Symbolic(_))
    }

    fn is_divisible(&self, state: &State, sight: Sight) -> bool {
        let Some(threads) = &state.threads else { return false };
        threads.current().sections == 0 && threads.is_interruptible() && sight != Sight::None
    }

    /// Where a replay has to leave this copy.
    fn scheduled_stop(&self, state: &State) -> Option<u64> {
        let (Mode::Replay { schedule, .. }, Some(threads)) = (&self.mode, &state.threads) else { return None };
        let next = schedule.front().filter(|next| next.event == threads.events && next.bytes > state.frame().bytes_done);
        next.map(|next| next.bytes as u64)
    }

    /// The range that a copy or fill is about, as far as it is worth dividing.
    fn range<'a>(&mut self, state: &mut State, action: &'a Action) -> Step<Option<Range<'a>>> {
        let (target, source, length, byte, input) = match action {
            Action::Copy { target, source, length } => (target, Some(source), length, None, None),
            Action::Set { pointer, fill, length, input } => (pointer, None, length, fill.as_ref(), input.as_ref()),
            _ => return Ok(None),
        };
        let value = |machine: &mut Machine, state: &State, expr: &Expr| machine.expr_value(state, expr);
        let length = value(self, state, length);
        if matches!(length, Val::Bits(0 | 1)) {
            return Ok(None);
        }
        let from = match (source, byte) {
            (Some(source), _) => {
                let source = value(self, state, source);
                Origin::Memory(self.resolve(state, source, length, Purpose::Read)?)
            }
            (None, Some(byte)) => Origin::Byte(value(self, state, byte)),
            (None, None) => Origin::Anything(input),
        };
        let target = value(self, state, target);
        let to = self.resolve(state, target, length, Purpose::Write)?;
        let length = self.concretise(state, length, Sort::Bv(self.book.pointer_bits()))?;
        if length <= 1 || length > u32::MAX as u64 {
            return Ok(None);
        }
        self.ledger.note(Assumption::SharedCopiesInPieces { short: SHORT, word: WORD });
        Ok(Some(Range { to, from, length }))
    }

    /// None where it is unknown which of two overlapping ranges comes first.
    fn runs_backwards(&mut self, range: &Range) -> Option<bool> {
        let Origin::Memory(from) = range.from else { return Some(false) };
        match (range.to, from) {
            ((to, _), (from, _)) if to != from => Some(false),
            ((_, Val::Bits(to)), (_, Val::Bits(from))) => Some(to > from && to < from + range.length),
            _ => {
                self.ledger.note(Assumption::SharedCopyAtOnce);
                None
            }
        }
    }

    fn ask_for_pieces(&mut self, state: &mut State, range: &Range, input: Option<&InputKind>, done: u64, upto: u64) -> Step<()> {
        let mut done = done;
        while done < upto {
            let next = self.next_stop(state, range, done, false).min(upto);
            let to = (range.to.0, self.moved(range.to.1, done));
            self.fill_arbitrary(state, to, input, Val::Bits(next - done))?;
            done = next;
        }
        Ok(())
    }

    fn do_piece(&mut self, state: &mut State, range: &Range, first: u64, count: u64) {
        let to = (range.to.0, self.moved(range.to.1, first));
        match range.from {
            Origin::Memory((object, offset)) => {
                let from = (object, self.moved(offset, first));
                self.copy_fixed(state, to, from, count);
            }
            Origin::Byte(byte) => self.fill_fixed(state, to, byte, count),
            Origin::Anything(_) => {}
        }
    }

    /// How many bytes are done after the next piece.
    fn next_stop(&self, state: &State, range: &Range, done: u64, backwards: bool) -> u64 {
        let left = range.length - done;
        if range.length <= SHORT {
            return done + self.piece_length(state, range, done, backwards);
        }
        let start = if let Val::Bits(offset) = range.to.1 { offset } else { 0 };
        match backwards {
            false => (start + done + 1).next_multiple_of(WORD) - start,
            true => done + (start + left - 1) % WORD + 1,
        }
    }

    /// A byte; but pointers and what depends on inputs stay whole, since their parts have no meaning.
    fn piece_length(&self, state: &State, range: &Range, done: u64, backwards: bool) -> u64 {
        let Origin::Memory((object, Val::Bits(offset))) = range.from else { return 1 };
        let Some(found) = state.memory.get(object) else { return 1 };
        let left = range.length - done;
        let is_whole = |length: u64| {
            let start = if backwards { left - length } else { done };
            found.contents.read_cell(offset + start, length).is_some()
        };
        [8, 4, 2].into_iter().find(|&length| length <= left && is_whole(length)).unwrap_or(1)
    }
}
