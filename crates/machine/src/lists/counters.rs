//! Numbers that a loop keeps changing. Even when lists are folded, the states of a loop that counts never repeat. The
//! program's correctness rarely depends on the count, so it becomes arbitrary after a few iterations.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::Val;
use crate::memory::access::write_value;
use crate::memory::contents::Contents;
use crate::memory::objects::{Memory, Object};
use fathom_term::{Sort, Symbol, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Arrivals at a loop head after which numbers that changed on each of the last two ways round become arbitrary.
const EXACT_VISITS: u32 = 6;

/// What a path had at its last arrival at a loop head.
#[derive(Clone)]
pub(crate) struct Arrival {
    visits: u32,
    /// The one before, which knows no other.
    earlier: Option<Rc<Arrival>>,
    locals: Rc<Vec<Val>>,
    globals: Rc<Vec<Val>>,
    memory: Memory,
}

/// By depth of the call stack, procedure and block.
pub(crate) type Arrivals = BTreeMap<(usize, u32, u32), Rc<Arrival>>;

impl Machine {
    /// Numbers that keep changing become arbitrary, once the path has been here a few times.
    pub(crate) fn let_go_of_counters(&mut self, state: &mut State) {
        let place = (state.frames.len(), state.frame().proc, state.frame().block);
        let before = state.comparison.arrivals.get(&place).cloned();
        let visits = before.as_ref().map_or(0, |arrival| arrival.visits) + 1;
        if let Some(before) = &before
            && let (Some(earlier), true) = (&before.earlier, visits > EXACT_VISITS)
        {
            self.let_go_of_changes(state, before, earlier);
            self.forget_the_dead(state);
        }
        let earlier = before.map(|arrival| Rc::new(Arrival { earlier: None, ..(*arrival).clone() }));
        let arrival =
            Arrival { visits, earlier, locals: state.frame().locals.clone(), globals: state.globals.clone(), memory: state.memory.clone() };
        Rc::make_mut(&mut state.comparison.arrivals).insert(place, Rc::new(arrival));
    }

    /// Drops what is known of live symbols only through others: a loop may add to that for ever.
    fn forget_the_dead(&mut self, state: &mut State) {
        let roots = self.live_values(state);
        let live = self.symbols_of(state, &roots);
        let sets = state.path.constraints.sets().clone();
        let symbols: Vec<Symbol> = live.iter().map(|&var| Symbol::Var(var)).collect();
        let about = state.path.constraints.relevant(&symbols);
        let kept: Vec<Term> =
            about.iter().copied().filter(|&term| sets.vars(&self.store, term).iter().all(|var| live.contains(var))).collect();
        if kept.len() < about.len() {
            state.path.constraints = state.path.constraints.with_only(&self.store, &kept);
        }
    }

    fn let_go_of_changes(&mut self, state: &mut State, before: &Arrival, earlier: &Arrival) {
        let code = self.code.clone();
        let proc = state.frame().proc as usize;
        for slot in self.live_locals(&state.frames, state.frames.len() - 1) {
            let [first, old] = [earlier, before].map(|arrival| arrival.locals[slot as usize]);
            if self.keeps_changing(first, old, state.frame().locals[slot as usize]) {
                let value = self.arbitrary(state, code.procs[proc].local_sorts[slot as usize]);
                Rc::make_mut(&mut state.frame_mut().locals)[slot as usize] = value;
            }
        }
        for slot in 0..state.globals.len() {
            if self.keeps_changing(earlier.globals[slot], before.globals[slot], state.globals[slot]) {
                let value = self.arbitrary(state, code.global_sorts[slot]);
                Rc::make_mut(&mut state.globals)[slot] = value;
            }
        }
        for key in before.memory.differences(&state.memory).changed {
            let [first, old, new] = [&earlier.memory, &before.memory, &state.memory].map(|memory| memory.get(key).cloned());
            let (Some(first), Some(old), Some(new)) = (first, old, new) else { continue };
            let is_plain = |object: &Object| object.chain.is_none() && object.contents.base == new.contents.base;
            if new.read_only || ![&first, &old, &new].into_iter().all(|object| is_plain(object)) {
                continue;
            }
            for difference in old.contents.differences(&new.contents) {
                let (offset, length) = (difference.offset, difference.length);
                let values = [&first, &old, &new].map(|object| part(&object.contents, offset, length));
                if let [Some(first), Some(old), Some(new)] = values
                    && self.keeps_changing(first, old, new)
                {
                    let value = self.arbitrary(state, Sort::Bv(length as u32 * 8));
                    if let Some(object) = state.memory.get_mut(key) {
                        write_value(&self.store, &self.book, &mut object.contents, offset, length, value);
                    }
                }
            }
        }
    }

    /// Whether a place held three numbers in turn, none of them an address.
    fn keeps_changing(&self, first: Val, old: Val, new: Val) -> bool {
        let is_number = |value: Val| match value {
            Val::Bits(bits) => self.book.object_at(bits).is_none(),
            Val::Pointer { .. } => false,
            Val::Term(term) => !self.has_address(term),
        };
        first != old && old != new && [first, old, new].into_iter().all(is_number)
    }
}

/// The value at an offset, if it is one.
fn part(contents: &Contents, offset: u64, length: u64) -> Option<Val> {
    contents.read_cell(offset, length).or_else(|| contents.read_concrete(offset, length).map(Val::Bits))
}
