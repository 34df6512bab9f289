//! The decisions of a path at its forks, for explorations that are divided among several processes. Each decision is
//! identified by a hash that is the same in every process that runs this program. Ids of terms, symbols and objects
//! depend on what else was explored, so conditions are hashed by their structure, with the names of symbols and the
//! origins of objects. Operands of commutative operations are put into a canonical order, since the store orders them
//! by id.
//!
//! Equal hashes do not prove that conditions are equal, but a decision has a 64-bit hash and a location in the program,
//! and both must agree.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use fathom_base::FxMap;
use fathom_paths::Decision;
use fathom_term::{Op, Term};
use siphasher::sip::SipHasher13;
use std::hash::{Hash, Hasher};

/// Numbers of terms that were met.
#[derive(Default)]
pub(crate) struct Digests(FxMap<Term, u64>);

impl Machine {
    /// Both are about to be the sides of a fork on this condition, and this state is on the side where it holds if `now`.
    pub(crate) fn note_sides(&mut self, state: &mut State, sibling: &mut State, condition: Term, now: bool) {
        if !self.config.notes_decisions {
            return;
        }
        let condition = self.form_of(condition);
        let what = self.what(state, condition);
        state.search.decided.push(Decision { what, sides: 2, side: u32::from(now) });
        sibling.search.decided.push(Decision { what, sides: 2, side: u32::from(!now) });
    }

    /// The state is about to choose one of several ways at its place.
    pub(crate) fn note_choice(&self, place: u64, sibling: &mut State, sides: usize, side: usize) {
        if self.config.notes_decisions {
            sibling.search.decided.push(Decision { what: place, sides: sides as u32, side: side as u32 });
        }
    }

    /// Stands for a choice at the state's place, of this kind, where such are noted.
    pub(crate) fn what(&self, state: &State, kind: u64) -> u64 {
        if !self.config.notes_decisions {
            return 0;
        }
        let mut hasher = SipHasher13::new();
        let frame = state.frames.last().map(|frame| (frame.proc, frame.block, frame.index, frame.bytes_done));
        (state.frames.len(), frame, state.running_thread(), kind).hash(&mut hasher);
        hasher.finish()
    }

    fn form_of(&mut self, root: Term) -> u64 {
        let store = self.store.clone();
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.digests.0.contains_key(&term) {
                continue;
            }
            let args = store.args(term);
            if !ready && !args.is_empty() {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let mut hasher = SipHasher13::new();
            let op = store.op(term);
            std::mem::discriminant(&op).hash(&mut hasher);
            match op {
                Op::Var(var) => match self.book.object_of(var) {
                    Some(object) => (self.book.origin(object), self.book.size(object)).hash(&mut hasher),
                    None => store.var_name(var).hash(&mut hasher),
                },
                Op::BigConst(_) => format!("{:?}", store.const_value(term)).hash(&mut hasher),
                Op::Apply(function) => store.function_name(function).hash(&mut hasher),
                Op::Forall(quantifier) | Op::Exists(quantifier) => {
                    let variables = store.quantifier(quantifier).bound.clone();
                    variables.iter().for_each(|&variable| (store.var_name(variable), store.var_sort(variable).bits()).hash(&mut hasher));
                }
                op => op.hash(&mut hasher),
            }
            store.sort(term).bits().hash(&mut hasher);
            let mut inner: Vec<u64> = args.iter().map(|arg| self.digests.0[arg]).collect();
            if op.is_commutative() {
                inner.sort_unstable();
            }
            inner.hash(&mut hasher);
            self.digests.0.insert(term, hasher.finish());
        }
        self.digests.0[&root]
    }
}
