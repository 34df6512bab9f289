//! Which objects each variable and each cell of memory may point to, and where into them: sets of offsets, or any. One
//! answer for the whole run, whatever the order of statements (Andersen's analysis with offsets). Sound because every
//! statement's effect is added to what is there and never taken away; numbers that are no addresses of objects are
//! `null` or `other`, and offsets that become many become any.
//!
//! This is not the analysis of `absint`: there pointers are part of the values of an analysis that follows control flow and
//! knows numbers at each place, and it runs on the program as it is. Here addresses are numbers already (objects have been
//! placed), calls are gone, and one answer for all places is needed, because a cell of memory becomes one variable.

use crate::objects::ObjectKind;
use crate::raw::{Inlined, RawEnd, RawKind};
use crate::values::{Offsets, Values};
use fathom_base::FxMap;
use fathom_ir::{AccessKind, Fill, Initializer, Program, StatementKind, Use};
use fathom_term::{Op, Sort, Term, TermStore, VarId, sign_extend};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// How far outside an object a constant address may lie and still be meant for it.
const NEAR: u64 = 4096;

/// What an object may hold: cells of pointer width by offset, and what may stand anywhere.
#[derive(Default)]
struct Contents {
    cells: BTreeMap<i64, (u64, Values)>,
    anywhere: Values,
}

/// What variables and memory may point to.
pub(crate) struct PointsTo {
    store: Rc<TermStore>,
    pointer_bits: u32,
    /// Objects and their sizes by address.
    bases: BTreeMap<u64, (usize, u64)>,
    /// Where procedures are.
    code: Range<u64>,
    variables: FxMap<VarId, Values>,
    memory: Vec<Contents>,
    memo: FxMap<Term, Values>,
    changed: bool,
    /// Nothing will be added any more: what is unknown now comes from elsewhere.
    settled: bool,
}

/// Analyses a program whose calls are inlined.
pub(crate) fn points_to(program: &Program, inlined: &Inlined) -> PointsTo {
    let objects = &inlined.objects;
    let mut analysis = PointsTo {
        store: program.terms.clone(),
        pointer_bits: objects.pointer_bits,
        bases: objects.all.iter().enumerate().map(|(at, object)| (object.base, (at, objects.room_of(at)))).collect(),
        code: objects.code.clone(),
        variables: FxMap::default(),
        memory: objects.all.iter().map(|_| Contents::default()).collect(),
        memo: FxMap::default(),
        changed: true,
        settled: false,
    };
    for &var in &inlined.arbitrary {
        analysis.variables.insert(var, Values::other());
    }
    let mut ground = fathom_term::Substitution::new(inlined.addresses.iter().map(|(&var, &term)| (var, term)));
    for (at, object) in objects.all.iter().enumerate() {
        let contents = match &object.kind {
            ObjectKind::Global(number) => match &program.objects[*number].init {
                Initializer::Zero => Values::null(),
                Initializer::External => Values::other(),
                Initializer::Bytes { relocations, .. } => {
                    for relocation in relocations {
                        let value = ground.apply(&program.terms, relocation.value);
                        let values = analysis.of(value);
                        let bytes = program.terms.sort(value).width() as u64 / 8;
                        analysis.write(at, Some(relocation.offset as i64), bytes, &values);
                    }
                    Values { null: true, other: true, ..Values::default() }
                }
            },
            ObjectKind::Allocated { zeroed: true, .. } => Values::null(),
            ObjectKind::Allocated { zeroed: false, .. } => Values::other(),
        };
        analysis.memory[at].anywhere.join(&contents);
    }
    while std::mem::take(&mut analysis.changed) {
        analysis.memo.clear();
        for block in &inlined.blocks {
            for statement in &block.statements {
                analysis.statement(&statement.kind);
            }
            if let RawEnd::Call { procedure, args, targets, .. } = &block.end {
                let called = &inlined.apart[*procedure];
                let results = called.results.iter().map(|&result| program.terms.var_term(result));
                let passed = called.params.iter().copied().zip(args.iter().copied());
                for (var, term) in passed.chain(targets.iter().copied().zip(results)) {
                    analysis.memo.clear();
                    let values = analysis.of(term);
                    analysis.assign(var, &values);
                }
            }
        }
    }
    analysis.memo.clear();
    analysis.settled = true;
    analysis
}

impl PointsTo {
    /// What a term may point to.
    pub fn of(&mut self, term: Term) -> Values {
        let mut stack = vec![(term, false)];
        while let Some((next, ready)) = stack.pop() {
            if self.memo.contains_key(&next) {
                continue;
            }
            let is_pointer_like = matches!(self.store.sort(next), Sort::Bv(_));
            let args = self.store.args(next);
            if !is_pointer_like || args.is_empty() || ready {
                let values = if is_pointer_like { self.step(next) } else { Values::other() };
                self.memo.insert(next, values);
            } else {
                stack.push((next, true));
                stack.extend(args.into_iter().map(|arg| (arg, false)));
            }
        }
        self.memo[&term].clone()
    }

    /// The value of a term whose arguments are known.
    fn step(&self, term: Term) -> Values {
        let store = &self.store;
        let arg = |index: usize| store.arg(term, index);
        let of = |index: usize| &self.memo[&arg(index)];
        match store.op(term) {
            Op::Const(0) => Values::null(),
            Op::Const(bits) if store.sort(term).width() == self.pointer_bits => self.constant(bits),
            Op::Var(var) => self.variables.get(&var).cloned().unwrap_or(Values { other: self.settled, ..Values::default() }),
            Op::Ite => {
                let mut values = of(1).clone();
                values.join(of(2));
                values
            }
            Op::BvAdd if self.is_distance(term) => Values::other(),
            Op::BvAdd if store.sort(term).width() == self.pointer_bits => {
                let (constant, rest) = match (store.const_bits(arg(0)), store.const_bits(arg(1))) {
                    (Some(bits), _) if self.memo[&arg(0)].targets.is_empty() || !self.memo[&arg(1)].targets.is_empty() => (Some(bits), 1),
                    (_, Some(bits)) if self.memo[&arg(1)].targets.is_empty() || !self.memo[&arg(0)].targets.is_empty() => (Some(bits), 0),
                    _ => (None, 0),
                };
                match constant {
                    Some(bits) => self.moved(of(rest), sign_extend(bits, self.pointer_bits)),
                    None => {
                        let mut values = of(0).blurred();
                        values.join(&of(1).blurred());
                        values.null = false;
                        // A base plus a number stays in that object, or is undefined behaviour when it is used.
                        values.other = values.targets.is_empty() || (of(0).targets.is_empty() && of(1).targets.is_empty());
                        let bases = [of(0), of(1)].into_iter().filter(|values| !values.targets.is_empty());
                        values.other |= bases.clone().any(|values| values.other || values.null);
                        values
                    }
                }
            }
            _ => {
                let mut values = Values::other();
                for index in 0..store.args(term).len() {
                    values.join(&of(index).blurred());
                }
                values.null = true;
                values
            }
        }
    }

    /// The difference of two places of one object is a number.
    fn is_distance(&self, term: Term) -> bool {
        let negated = |at: usize| {
            let arg = self.store.arg(term, at);
            (self.store.op(arg) == Op::BvNeg).then(|| &self.memo[&self.store.arg(arg, 0)].targets)
        };
        let targets = |at: usize| &self.memo[&self.store.arg(term, at)].targets;
        let is_one = |a: &BTreeMap<usize, Offsets>, b: &BTreeMap<usize, Offsets>| a.len() == 1 && a.keys().eq(b.keys());
        // What was subtracted may have become a number.
        let subtracted = |at: usize| {
            let bits = self.store.const_bits(self.store.arg(term, at))?;
            Some(self.constant(bits.wrapping_neg() & fathom_term::mask(self.pointer_bits)).targets)
        };
        let is_wide = self.store.sort(term).width() == self.pointer_bits;
        if is_wide && (0..2).any(|at| subtracted(at).is_some_and(|other| is_one(targets(1 - at), &other))) {
            return true;
        }
        negated(1).is_some_and(|other| is_one(targets(0), other)) || negated(0).is_some_and(|other| is_one(targets(1), other))
    }

    /// An address that was computed from an object's and a constant. Inside an object it is that place; a little outside
    /// it may be meant for either neighbour, as in `a[i - 1]`.
    fn constant(&self, bits: u64) -> Values {
        let before = self.bases.range(..=bits).next_back();
        if let Some((&base, &(object, size))) = before
            && bits - base <= size
        {
            return Values::to(object, (bits - base) as i64);
        }
        let after = self.bases.range(bits..).next();
        let near = |(&base, &(object, size)): (&u64, &(usize, u64))| {
            let distance = if base > bits { base - bits } else { bits - base - size };
            (distance <= NEAR).then_some((object, None))
        };
        let targets: BTreeMap<usize, Offsets> = before.into_iter().chain(after).filter_map(near).collect();
        Values { other: targets.is_empty(), targets, null: false, code: self.code.contains(&bits) }
    }

    fn moved(&self, values: &Values, by: i64) -> Values {
        let move_all = |offsets: &Offsets| offsets.as_ref().map(|all| all.iter().map(|offset| offset + by).collect());
        let targets = values.targets.iter().map(|(&object, offsets)| (object, move_all(offsets))).collect();
        Values { targets, null: false, other: values.other || values.null, code: values.code }
    }

    fn assign(&mut self, var: VarId, values: &Values) {
        if let Sort::Bv(_) = self.store.var_sort(var) {
            self.changed |= self.variables.entry(var).or_default().join(values);
        }
    }

    fn statement(&mut self, kind: &RawKind) {
        use StatementKind as S;
        let kind = match kind {
            RawKind::Plain(kind) => kind,
            RawKind::Alloc { object, target, .. } => {
                if let Some(target) = target {
                    self.assign(*target, &Values::to(*object, 0));
                }
                return;
            }
            RawKind::End { .. } | RawKind::Save { .. } | RawKind::Restore { .. } => return,
        };
        match kind {
            S::Assign(pairs) => {
                for &(var, term) in pairs {
                    self.memo.clear();
                    let values = self.of(term);
                    self.assign(var, &values);
                }
            }
            S::Load { target, pointer, volatile } => {
                let bytes = self.store.var_sort(*target).width() as u64 / 8;
                let values = if *volatile { Values::other() } else { self.read_through(*pointer, bytes) };
                self.assign(*target, &values);
            }
            S::Store { pointer, value } => {
                let bytes = self.store.sort(*value).width() as u64 / 8;
                self.memo.clear();
                let values = self.of(*value);
                self.write_through(*pointer, bytes, &values);
            }
            S::Copy { target, source, length } => self.copy(*target, *source, self.store.const_bits(*length)),
            S::Set { pointer, fill, .. } => {
                let zero = matches!(fill, Fill::Byte(byte) if self.store.const_bits(*byte) == Some(0));
                let values = if zero { Values::null() } else { Values::other() };
                self.everywhere(*pointer, &values);
            }
            S::EndScope { variable } => self.assign(*variable, &Values::null()),
            other => self.approximate(other),
        }
    }

    /// A statement of which no more is known than what it evaluates, writes and accesses: whatever goes in may come out.
    fn approximate(&mut self, kind: &StatementKind) {
        let mut values = Values::other();
        let mut add = |from: Values| {
            values.join(&from.blurred());
            values.null = true;
        };
        kind.for_each_use(&mut |term, becomes| match becomes {
            Use::Flows | Use::Stored => {
                self.memo.clear();
                add(self.of(term));
            }
            Use::Pointer(AccessKind::Read, _) => {
                for (object, _) in self.places(term) {
                    add(self.read(object, None, 1));
                }
            }
            Use::Pointer(AccessKind::Write | AccessKind::Free | AccessKind::Look | AccessKind::Alive, _) => {}
            Use::Condition | Use::Passed | Use::Callee | Use::Measure | Use::Watched => {}
        });
        kind.for_each_target(&mut |target, _| self.assign(target, &values));
        kind.for_each_access(&mut |access| {
            if access.kind == AccessKind::Write {
                self.everywhere(access.pointer, &values);
            }
        });
    }

    fn places(&mut self, pointer: Term) -> Vec<(usize, Option<i64>)> {
        self.memo.clear();
        let values = self.of(pointer);
        let each = |(object, offsets): (usize, Offsets)| match offsets {
            None => vec![(object, None)],
            Some(offsets) => offsets.into_iter().map(|offset| (object, Some(offset))).collect(),
        };
        values.targets.into_iter().flat_map(each).collect()
    }

    fn read_through(&mut self, pointer: Term, bytes: u64) -> Values {
        let mut all = Values::default();
        for (object, offset) in self.places(pointer) {
            let read = self.read(object, offset, bytes);
            all.join(&read);
        }
        all
    }

    /// What any of its bytes may be part of.
    pub fn held_by(&self, object: usize) -> Values {
        self.read(object, None, 1)
    }

    fn read(&self, object: usize, offset: Option<i64>, bytes: u64) -> Values {
        let Contents { cells, anywhere } = &self.memory[object];
        let whole = bytes * 8 == self.pointer_bits as u64;
        let mut all = if whole { anywhere.clone() } else { anywhere.blurred() };
        for (&at, (length, values)) in cells {
            let same = whole && offset.is_none_or(|offset| offset == at) && *length == bytes;
            let overlaps = offset.is_none_or(|offset| at < offset + bytes as i64 && offset < at + *length as i64);
            match (overlaps, same) {
                (false, _) => {}
                (true, true) => _ = all.join(values),
                (true, false) => _ = all.join(&values.blurred()),
            }
        }
        all
    }

    fn write_through(&mut self, pointer: Term, bytes: u64, values: &Values) {
        for (object, offset) in self.places(pointer) {
            self.write(object, offset, bytes, values);
        }
    }

    fn write(&mut self, object: usize, offset: Option<i64>, bytes: u64, values: &Values) {
        let whole = bytes * 8 == self.pointer_bits as u64;
        let values = if whole || values.targets.is_empty() { values.clone() } else { values.blurred() };
        let contents = &mut self.memory[object];
        let changed = match offset {
            Some(offset) if whole => contents.cells.entry(offset).or_insert_with(|| (bytes, Values::default())).1.join(&values),
            _ => contents.anywhere.join(&values),
        };
        self.changed |= changed;
    }

    fn everywhere(&mut self, pointer: Term, values: &Values) {
        for (object, _) in self.places(pointer) {
            self.changed |= self.memory[object].anywhere.join(values);
        }
    }

    fn copy(&mut self, target: Term, source: Term, length: Option<u64>) {
        let (to, from) = (self.places(target), self.places(source));
        for &(source, start) in &from {
            let anywhere = self.memory[source].anywhere.clone();
            let cells: Vec<(i64, u64, Values)> = self.memory[source].cells.iter().map(|(&at, (n, v))| (at, *n, v.clone())).collect();
            for &(target, at) in &to {
                self.changed |= self.memory[target].anywhere.join(&anywhere);
                for (offset, bytes, values) in &cells {
                    let moved = start.zip(at).map(|(start, at)| offset - start + at);
                    let inside = match (start, length) {
                        (Some(start), Some(length)) => *offset >= start && offset + *bytes as i64 <= start + length as i64,
                        _ => false,
                    };
                    let outside = match (start, length) {
                        (Some(start), Some(length)) => offset + *bytes as i64 <= start || *offset >= start + length as i64,
                        _ => false,
                    };
                    match (moved, inside, outside) {
                        (_, _, true) => {}
                        (Some(at), true, _) => self.write(target, Some(at), *bytes, values),
                        _ => self.changed |= self.memory[target].anywhere.join(&values.blurred()),
                    }
                }
            }
        }
    }
}
