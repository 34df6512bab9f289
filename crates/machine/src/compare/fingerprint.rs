//! A fingerprint of everything that determines a state's future: call stack, live locals, globals, memory, and the
//! constraints on the symbols that these mention. Symbols are numbered in the order of their first occurrence, so two
//! states with the same fingerprint are equal up to renaming of symbols and have the same futures: a safety property
//! that is violated from one is violated from the other. Everything else cannot matter: constraints on other symbols
//! are independent and satisfiable, or satisfiable for all values of the state's own symbols (`projection`), and a C
//! program cannot depend on addresses of future objects. The fingerprint is 128 bits of a strong hash.

use crate::compare::projection::projected;
use crate::exec::determinate::may_be_indeterminate;
use crate::exec::machine::Machine;
use crate::exec::state::{Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::lists::chains::{Chain, Segment};
use crate::memory::address::AddressBook;
use crate::memory::contents::Base;
use crate::memory::objects::{Memory, Object, ObjectKind};
use crate::threads::buffers::Delayed;
use crate::threads::table::{Owners, Thread};
use fathom_base::FxMap;
use fathom_term::{FnId, Op, OpaqueSortId, Symbol, Term, TermStore, VarSets};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::Hash;

/// States with more term nodes than this are not worth the trouble.
const MAX_NODES: usize = 4_000;

struct Digest<'a> {
    store: &'a TermStore,
    book: &'a AddressBook,
    memory: &'a Memory,
    hasher: SipHasher13,
    nodes: FxMap<Term, u32>,
    vars: u32,
    /// Everything that constraints may speak of.
    symbols: Vec<Symbol>,
    work: &'a mut u64,
    /// Where objects have no names of their own: their numbers by the order in which they are found.
    names: Option<FxMap<ObjectKey, u32>>,
    found: Vec<ObjectKey>,
    tells_indeterminate: bool,
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
        self.counters.fingerprint_work += work;
        fingerprint
    }

    fn digest(&mut self, store: &TermStore, state: &State, work: &mut u64) -> Option<u128> {
        let stacks = state.stacks();
        let live_in = |frames: &&[Frame]| (0..frames.len()).map(|level| self.live_locals(frames, level)).collect();
        let live: Vec<Vec<Vec<u32>>> = stacks.iter().map(live_in).collect();
        let mut digest = Digest {
            store,
            book: &self.book,
            memory: &state.memory,
            hasher: SipHasher13::new(),
            nodes: FxMap::default(),
            vars: 0,
            symbols: Vec::new(),
            work,
            names: self.config.folds_lists.then(FxMap::default),
            found: Vec::new(),
            tells_indeterminate: self.indeterminate.is_checked,
        };
        for (frames, live) in stacks.iter().zip(&live) {
            digest.stack(frames, live)?;
        }
        state.sections.hash(&mut digest.hasher);
        if let Some(threads) = &state.threads {
            // Where a thread is about to be chosen it doesn't matter which one ran last.
            (threads.live() == 1).then_some(threads.running).hash(&mut digest.hasher);
            if self.config.context_bound.is_some() {
                (threads.preemptions, threads.running).hash(&mut digest.hasher);
            }
            for thread in &threads.all {
                (thread.ended, thread.sections, thread.entered, threads.is_stuck(thread), thread.poised.is_some()).hash(&mut digest.hasher);
                (thread.sections > 0).then_some(thread.section_kind).hash(&mut digest.hasher);
                digest.buffer(thread, &threads.owners)?;
                digest.value(thread.result)?;
                thread.locals.hash(&mut digest.hasher);
                if self.discipline.is_some() {
                    (&thread.held, thread.in_hand, thread.joined_by).hash(&mut digest.hasher);
                }
            }
        }
        for &value in state.globals.iter() {
            digest.value(value)?;
        }
        if self.config.folds_lists {
            digest.nameless(self.counts_objects())?;
        } else {
            for (key, object) in state.memory.sorted() {
                if let (Some(threads), true) = (&state.threads, self.discipline.is_some()) {
                    threads.owners.contains_key(&key).hash(&mut digest.hasher);
                }
                digest.object(key, object)?;
            }
        }
        let addresses = state.path.mentioned.iter().filter_map(|&object| store.as_var(self.book.symbol(object)));
        digest.symbols.extend(addresses.map(Symbol::Var));
        // Whatever the state mentions now, it may come to speak of any function and any sort of the program.
        digest.symbols.extend((0..store.function_count() as u32).map(|id| Symbol::Function(FnId(id))));
        digest.symbols.extend((0..store.opaque_sort_count() as u32).map(|id| Symbol::Sort(OpaqueSortId(id))));
        // Constraints may bring in further symbols, but their groups are complete.
        let mut constraints = state.path.constraints.relevant(&digest.symbols);
        // Another state may not have spoken of these addresses yet, but the same holds of them there.
        constraints.retain(|&constraint| !self.is_promised(state, constraint));
        *digest.work += 40 * constraints.len() as u64;
        let is_address = |var| self.book.object_of(var).is_some();
        let sets = state.path.constraints.sets();
        for constraint in projected(store, sets, constraints, &digest.symbols, is_address) {
            match sets.is_quantified(store, constraint) {
                true => digest.quantified(sets, constraint)?,
                false => digest.term(constraint)?,
            }
        }
        Some(digest.hasher.finish128().as_u128())
    }
}

/// Whether the object was made by a statement.
fn is_made(object: &Object) -> bool {
    matches!(object.kind, ObjectKind::Heap | ObjectKind::Stack)
}

impl Digest<'_> {
    /// Objects of the program by their keys, others in the order in which they are found. Those that nothing leads to
    /// count where leaks do.
    fn nameless(&mut self, lost_count: bool) -> Option<()> {
        let (other, own): (Vec<_>, Vec<_>) = self.memory.sorted().into_iter().partition(|(_, object)| is_made(object));
        for (key, object) in own {
            self.object(key, object)?;
        }
        let mut done = 0;
        let mut rest = other.iter().filter(|_| lost_count).map(|(key, _)| *key);
        loop {
            while let Some(&key) = self.found.get(done) {
                done += 1;
                match self.memory.get(key) {
                    Some(object) => self.object(key, object)?,
                    None => 9u8.hash(&mut self.hasher),
                }
            }
            match rest.next() {
                Some(key) => self.key(key),
                None => return Some(()),
            }
        }
    }

    /// A number may be an address that the path compared something with: then it tells which object it is.
    fn number(&mut self, bits: u64) {
        if self.names.is_some()
            && let Some(object) = self.book.object_at(bits)
        {
            self.key(object);
        }
    }

    fn key(&mut self, key: ObjectKey) {
        // What the program itself names keeps its name.
        let is_own = self.memory.get(key).is_some_and(|object| !is_made(object));
        let Some(names) = self.names.as_mut().filter(|_| !is_own) else { return key.hash(&mut self.hasher) };
        let fresh = names.len() as u32;
        let number = *names.entry(key).or_insert(fresh);
        if number == fresh {
            self.found.push(key);
        }
        number.hash(&mut self.hasher);
    }

    fn object(&mut self, key: ObjectKey, object: &Object) -> Option<()> {
        if object.kind == ObjectKind::Code || (object.read_only && object.contents.is_untouched()) {
            return Some(());
        }
        self.key(key);
        self.value(object.size)?;
        match object.contents.base {
            Base::Zero => 0u8.hash(&mut self.hasher),
            Base::Uninitialised => 1u8.hash(&mut self.hasher),
            // When it was written is only a name: bytes that were read since are cells with symbols of their own.
            Base::Foreign(_) => 3u8.hash(&mut self.hasher),
            Base::Array { term, element } => {
                (2u8, element).hash(&mut self.hasher);
                self.term(term)?;
            }
        }
        match object.chain.as_deref() {
            None => {}
            Some(Chain::End(front)) => {
                7u8.hash(&mut self.hasher);
                self.key(*front);
            }
            Some(Chain::Front(Segment { link, enters, back, free, laws })) => {
                (8u8, link, enters, free, laws, back.map(|(at, _)| at)).hash(&mut self.hasher);
                back.iter().for_each(|(_, last)| self.key(*last));
            }
        }
        *self.work += 50 + object.contents.hash_concrete(&mut self.hasher);
        let mut cells: Vec<_> = object.contents.cells().collect();
        cells.sort_by_key(|(offset, _)| *offset);
        for (offset, cell) in cells {
            *self.work += 50;
            (offset, cell.length).hash(&mut self.hasher);
            self.value(cell.value)?;
        }
        Some(())
    }

    /// What a thread has stored and others do not see yet.
    fn buffer(&mut self, thread: &Thread, owners: &Owners) -> Option<()> {
        thread.buffer.len().hash(&mut self.hasher);
        for delayed in thread.buffer.iter() {
            let Delayed::Store(store) = delayed else {
                11u8.hash(&mut self.hasher);
                continue;
            };
            (12u8, store.length, store.releases).hash(&mut self.hasher);
            self.key(store.object);
            self.value(store.offset)?;
            self.value(store.value)?;
        }
        // Of shared objects, and of those that have ended, it does not matter any more.
        let unordered = thread.unordered.iter().filter(|&object| owners.contains_key(object) && self.memory.get(*object).is_some());
        for object in unordered.copied().collect::<Vec<_>>() {
            13u8.hash(&mut self.hasher);
            self.key(object);
        }
        Some(())
    }

    fn stack(&mut self, frames: &[Frame], live: &[Vec<u32>]) -> Option<()> {
        (6u8, frames.len()).hash(&mut self.hasher);
        for (level, frame) in frames.iter().enumerate() {
            // A caller goes on behind its call, and its targets are written before anything is read.
            let index = if level + 1 == frames.len() { frame.index } else { frame.index + 1 };
            (frame.proc, frame.block, index, frame.bytes_done).hash(&mut self.hasher);
            for &slot in &live[level] {
                slot.hash(&mut self.hasher);
                self.value(frame.locals[slot as usize])?;
            }
            frame.stack_objects.len().hash(&mut self.hasher);
            frame.stack_objects.iter().for_each(|&key| self.key(key));
        }
        Some(())
    }

    fn value(&mut self, value: Val) -> Option<()> {
        *self.work += 10;
        match value {
            Val::Bits(bits) => {
                (0u8, bits).hash(&mut self.hasher);
                self.number(bits);
            }
            Val::Pointer { object, offset } => {
                (1u8, offset).hash(&mut self.hasher);
                self.key(object);
            }
            Val::Term(term) => {
                2u8.hash(&mut self.hasher);
                self.term(term)?;
            }
        }
        Some(())
    }

    /// A constraint with quantifiers is the same one as in another state if it is the same term and its free variables
    /// have the same numbers.
    fn quantified(&mut self, sets: &VarSets, constraint: Term) -> Option<()> {
        (10u8, constraint).hash(&mut self.hasher);
        sets.vars(self.store, constraint).into_iter().try_for_each(|var| self.term(self.store.var_term(var)))
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
                    Some(object) => {
                        5u8.hash(&mut self.hasher);
                        self.key(object);
                    }
                    None => {
                        // What was never written is not like an arbitrary value, where somebody asks for the difference.
                        let is_indeterminate = self.tells_indeterminate && may_be_indeterminate(&self.store.var_name(var));
                        (3u8, self.vars, self.store.sort(term), is_indeterminate).hash(&mut self.hasher);
                        self.vars += 1;
                        self.symbols.push(Symbol::Var(var));
                    }
                },
                Op::Forall(_) | Op::Exists(_) => return None,
                op => {
                    if let Op::Apply(function) = op {
                        self.symbols.push(Symbol::Function(function));
                    }
                    if let Op::Const(bits) = op {
                        self.number(bits);
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
