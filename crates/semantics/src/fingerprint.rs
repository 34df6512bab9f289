//! A fingerprint of everything that decides how a state goes on: call stack, live locals, globals, memory, and the
//! constraints on the symbols that these mention. Symbols are numbered in the order of their first occurrence, so two
//! states with one fingerprint are equal up to the names of their symbols and have the same futures: a safety property
//! that is violated from one is violated from the other. What is left out can't matter: constraints on other symbols
//! are satisfiable by themselves (they are independent), addresses of future objects are not C's to know.
//! 128 bits of a strong hash stand for the state.

use crate::contents::Base;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Val;
use crate::address::AddressBook;
use fathom_base::FxMap;
use fathom_smt::Symbol;
use fathom_term::{Op, Term, TermStore};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::Hash;

/// States with more term nodes than this are not worth the trouble.
const MAX_NODES: usize = 4_000;

struct Digest<'a> {
    store: &'a TermStore,
    book: &'a AddressBook,
    hasher: SipHasher13,
    nodes: FxMap<Term, u32>,
    vars: u32,
    /// Everything that constraints may speak of.
    symbols: Vec<Symbol>,
    work: &'a mut u64,
}

impl Machine {
    /// None if the state is too large to be compared this way.
    pub fn fingerprint(&mut self, state: &State) -> Option<u128> {
        // An equal state that is possible must not end because of one that is not.
        if !state.is_certain() {
            return None;
        }
        let store = self.store.clone();
        let mut work = 0;
        let fingerprint = self.digest(&store, state, &mut work);
        self.fingerprint_work += work;
        fingerprint
    }

    fn digest(&mut self, store: &TermStore, state: &State, work: &mut u64) -> Option<u128> {
        let live: Vec<Vec<u32>> = (0..state.frames.len()).map(|level| self.live_locals(state, level)).collect();
        let mut digest = Digest { store, book: &self.book, hasher: SipHasher13::new(), nodes: FxMap::default(), vars: 0, symbols: Vec::new(), work };
        let top = state.frames.len() - 1;
        for (level, frame) in state.frames.iter().enumerate() {
            // A caller goes on behind its call, and its targets are written before anything is read.
            let index = if level == top { frame.index } else { frame.index + 1 };
            (frame.proc, frame.block, index).hash(&mut digest.hasher);
            for &slot in &live[level] {
                slot.hash(&mut digest.hasher);
                digest.value(frame.locals[slot as usize])?;
            }
            frame.stack_objects.as_slice().hash(&mut digest.hasher);
        }
        for &value in state.globals.iter() {
            digest.value(value)?;
        }
        for (key, object) in state.memory.sorted() {
            if object.kind == crate::memory::ObjectKind::Code || (object.read_only && object.contents.is_untouched()) {
                continue;
            }
            key.hash(&mut digest.hasher);
            digest.value(object.size)?;
            match object.contents.base {
                Base::Zero => 0u8.hash(&mut digest.hasher),
                Base::Uninitialised => 1u8.hash(&mut digest.hasher),
                Base::Array { term, element } => {
                    (2u8, element).hash(&mut digest.hasher);
                    digest.term(term)?;
                }
            }
            *digest.work += 50 + object.contents.hash_concrete(&mut digest.hasher);
            let mut cells: Vec<_> = object.contents.cells().collect();
            cells.sort_by_key(|(offset, _)| *offset);
            for (offset, cell) in cells {
                *digest.work += 50;
                (offset, cell.length).hash(&mut digest.hasher);
                digest.value(cell.value)?;
            }
        }
        // Constraints may bring in further symbols, but their groups are complete.
        for constraint in state.constraints.relevant(&digest.symbols.clone()) {
            digest.term(constraint)?;
        }
        Some(digest.hasher.finish128().as_u128())
    }
}

impl Digest<'_> {
    fn value(&mut self, value: Val) -> Option<()> {
        *self.work += 10;
        match value {
            Val::Bits(bits) => (0u8, bits).hash(&mut self.hasher),
            Val::Pointer { object, offset } => (1u8, object, offset).hash(&mut self.hasher),
            Val::Term(term) => {
                2u8.hash(&mut self.hasher);
                self.term(term)?;
            }
        }
        Some(())
    }

    /// Writes the nodes that are new, arguments first, each with the numbers of its arguments.
    fn term(&mut self, root: Term) -> Option<()> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.nodes.contains_key(&term) {
                continue;
            }
            let (op, args) = (self.store.op(term), self.store.args(term));
            if !ready && !args.is_empty() {
                stack.push((term, true));
                stack.extend(args.iter().rev().map(|&arg| (arg, false)));
                continue;
            }
            match op {
                Op::Var(var) => match self.book.object_of(var) {
                    Some(object) => (5u8, object).hash(&mut self.hasher),
                    None => {
                        (3u8, self.vars, self.store.sort(term)).hash(&mut self.hasher);
                        self.vars += 1;
                        self.symbols.push(Symbol::Var(var));
                    }
                },
                Op::Forall(_) | Op::Exists(_) => return None,
                op => {
                    if let Op::Apply(function) = op {
                        self.symbols.push(Symbol::Function(function));
                    }
                    (4u8, op, self.store.sort(term)).hash(&mut self.hasher);
                    for arg in &args {
                        self.nodes[arg].hash(&mut self.hasher);
                    }
                }
            }
            let number = self.nodes.len() as u32;
            if number as usize >= MAX_NODES {
                return None;
            }
            *self.work += 40;
            self.nodes.insert(term, number);
        }
        self.nodes[&root].hash(&mut self.hasher);
        Some(())
    }
}
