//! Guesses at what loops that sweep over arrays have done so far: `for every k from the start up to i, a[k] ...`, and
//! what is left to do, `for every k from i up to the end, a[k] ...`. What the elements have in common is taken from the
//! program's own text: the values that it stores at an index, the conditions under which it branches, asserts and calls
//! after it has read an element, with the index generalised. (The candidates of Houdini-like tools for array programs.)
//! All of that is heuristics: a candidate counts when it was proved.
//!
//! `engine-deduce` guesses at sweeps over Boogie's maps (`swept`). The two share the idea and nothing else: here arrays are bytes of
//! objects that pointers of a state lead to, indices wrap around, and the index stays a free variable; there a map is a term,
//! indices are mathematical integers, and the guess is a quantified formula over a loop that was cut.

use crate::candidates::{Candidate, Subject, constants, named, pointer_to};
use crate::limits::Limits;
use crate::rows::{Row, ends, in_rows};
use fathom_base::FxSet;
use fathom_ir::{Block, Invariant, MemoryCell, StatementKind};
use fathom_machine::{Machine, ObjectKey, Spot, State};
use fathom_term::{Op, Sort, Substitution, Term, TermStore, VarId, sign_extend};

/// A load or store at `array[stride * x + first]`.
pub struct Access {
    object: ObjectKey,
    bytes: u64,
    /// The variable in the index.
    pub x: VarId,
    stride: u64,
    /// The element that `x` leads to where it is zero.
    pub first: i64,
    /// If it is an element of a row.
    pub row: Option<Row>,
    /// The variable that a load sets.
    target: Option<VarId>,
    /// What a store writes.
    value: Option<Term>,
}

/// Something that may hold for an element, by `any_index`.
struct Body {
    condition: Term,
    cells: Vec<MemoryCell>,
}

/// Candidates about the arrays that the procedure goes through, and the objects that they speak of.
pub fn guess(machine: &mut Machine, state: &State, subjects: &[Subject], limits: &Limits) -> Vec<Candidate> {
    let program = machine.program.clone();
    let Some(procedure) = &program.procedures[state.frame().proc as usize].body else { return Vec::new() };
    let accesses = accesses(machine, state, &procedure.blocks, limits);
    if accesses.is_empty() {
        return Vec::new();
    }
    let mut strides: Vec<u64> = accesses.iter().map(|access| access.stride).filter(|&stride| stride > 1).collect();
    strides.sort_unstable();
    strides.dedup();
    let bodies = bodies(machine, state, &procedure.blocks, &accesses, subjects, limits);
    let mut found: Vec<Candidate> = Vec::new();
    let changes = |term: Term| subjects.iter().any(|subject| subject.changes && subject.term == term);
    for end in ends(machine, &program, &accesses, &changes) {
        let range = up_to(machine, end);
        for body in &bodies {
            let condition = machine.store.or(machine.store.not(range), body.condition);
            found.push(Invariant { condition, cells: body.cells.clone() }.into());
        }
    }
    for counter in subjects.iter().filter(|subject| subject.changes && subject.width >= 16).take(limits.counters) {
        for (range, cells) in ranges(machine, state, counter, &procedure.blocks, &strides, limits.ends) {
            for body in &bodies {
                let condition = machine.store.or(machine.store.not(range), body.condition);
                let cells = cells.iter().chain(&body.cells).cloned().collect();
                let invariant = Invariant { condition, cells };
                found.push(Candidate { invariant, entries: counter.entries.clone(), steps: Vec::new() });
            }
        }
    }
    found.truncate(limits.swept);
    found
}

/// The objects that a candidate speaks of by index, with the sizes of their elements.
pub fn arrays_of(machine: &mut Machine, state: &State, candidate: &Candidate) -> Vec<(ObjectKey, u64)> {
    let cells = candidate.invariant.cells.iter().filter(|cell| cell.index.is_some());
    cells.filter_map(|cell| Some((machine.place_in(state, cell.pointer, &[])?.0, cell.bytes))).collect()
}

// ---- ranges of indices

/// The elements before an end.
fn up_to(machine: &Machine, end: Term) -> Term {
    let store = &machine.store;
    let any = machine.any_index();
    store.and_all([store.bv_sle(store.bv(0, width_of(store, any)), any), store.bv_slt(any, end)])
}

/// What the counter has gone through, upwards and downwards, one or several elements at a time, and what is before it.
fn ranges(
    machine: &mut Machine,
    state: &State,
    counter: &Subject,
    blocks: &[Block],
    strides: &[u64],
    ends: usize,
) -> Vec<(Term, Vec<MemoryCell>)> {
    let store = machine.store.clone();
    let any = machine.any_index();
    let Some(entry) = counter.entry else { return Vec::new() };
    let wide = |term: Term| store.resize_signed(term, width_of(&store, any));
    let (now, entry) = (wide(counter.term), wide(entry));
    let both = |one, two| store.and_all([one, two]);
    let up = both(store.bv_sle(entry, any), store.bv_slt(any, now));
    let down = both(store.bv_slt(now, any), store.bv_sle(any, entry));
    // The first elements are often dealt with before the loop.
    let number = |number: u64| store.bv(number, width_of(&store, any));
    let (rises, falls) = directions(&store, counter.term, blocks);
    let mut ranges = Vec::new();
    if rises {
        ranges.extend([(up, counter.cells.clone()), (up_to(machine, now), counter.cells.clone())]);
        for &stride in strides {
            let done = store.bv_mul(store.bv_sub(now, entry), number(stride));
            ranges.push((up_to(machine, done), counter.cells.clone()));
        }
    }
    if falls {
        ranges.push((down, counter.cells.clone()));
    }
    for limit in ends_of(&store, counter.term, blocks).into_iter().take(ends) {
        let (limit, mut cells) = read_again(machine, state, limit, blocks);
        cells.extend_from_slice(&counter.cells);
        ranges.push((both(store.bv_sle(now, any), store.bv_slt(any, wide(limit))), cells.clone()));
        // The whole range up to the limit: an earlier loop may have swept over it already.
        for &stride in strides {
            ranges.push((up_to(machine, store.bv_mul(wide(limit), number(stride))), cells.clone()));
        }
    }
    ranges
}

/// A term of the program with what it loads from known addresses replaced by the contents there now.
fn read_again(machine: &mut Machine, state: &State, term: Term, blocks: &[Block]) -> (Term, Vec<MemoryCell>) {
    let store = machine.store.clone();
    let mentioned = variables(&store, term);
    let (mut images, mut cells) = (Vec::new(), Vec::new());
    for statement in blocks.iter().flat_map(|block| &block.statements) {
        let StatementKind::Load { target, pointer, volatile: false } = &statement.kind else { continue };
        if !mentioned.contains(target) {
            continue;
        }
        let length = u64::from(width_of(&store, store.var_term(*target)) / 8);
        let Some((object, offset)) = machine.place_in(state, *pointer, &[]) else { continue };
        if let Some((now, cell)) = named(machine, state, Spot::Cell { object, offset, length }) {
            images.push((*target, now));
            cells.extend(cell);
        }
    }
    (Substitution::new(images).apply(&store, term), cells)
}

/// Whether the counter may go up, and down: what a constant is added to goes one way.
fn directions(store: &TermStore, counter: Term, blocks: &[Block]) -> (bool, bool) {
    let assigned = blocks.iter().flat_map(|block| &block.statements).filter_map(|statement| match &statement.kind {
        StatementKind::Assign(pairs) => Some(pairs),
        _ => None,
    });
    let values = assigned.flatten().filter(|(var, _)| store.as_var(counter) == Some(*var)).map(|(_, value)| *value);
    let steps = values.filter_map(|value| match (store.op(value), &*store.args(value)) {
        (Op::BvAdd, &[a, b]) if a == counter => store.const_bits(b),
        (Op::BvAdd, &[a, b]) if b == counter => store.const_bits(a),
        _ => None,
    });
    let signs: Vec<bool> = steps.map(|step| sign_extend(step, width_of(store, counter)) > 0).collect();
    (signs.is_empty() || signs.contains(&true), signs.is_empty() || signs.contains(&false))
}

/// What the program compares the counter with.
fn ends_of(store: &TermStore, counter: Term, blocks: &[Block]) -> Vec<Term> {
    let mut limits = Vec::new();
    for block in blocks {
        block.terminator.kind.for_each_term(&mut |term| {
            for part in store.subterms([term]) {
                if let (Op::BvUlt | Op::BvSlt | Op::Eq, &[a, b]) = (store.op(part), &*store.args(part)) {
                    let other = if a == counter {
                        b
                    } else if b == counter {
                        a
                    } else {
                        continue;
                    };
                    if !limits.contains(&other) {
                        limits.push(other);
                    }
                }
            }
        });
    }
    limits
}

// ---- what may hold for elements

fn bodies(machine: &mut Machine, state: &State, blocks: &[Block], accesses: &[Access], subjects: &[Subject], limits: &Limits) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut seen = FxSet::default();
    let mut add = |machine: &Machine, bodies: &mut Vec<Body>, condition: Term, cells: Vec<MemoryCell>| {
        if machine.store.const_bool(condition).is_none() && seen.insert(condition) {
            bodies.push(Body { condition, cells });
        }
    };
    let store = machine.store.clone();
    for access in accesses.iter().filter(|access| access.value.is_some()) {
        if let (Some(value), 1, Some((cell, own))) = (access.value, access.stride, element(machine, state, access))
            && let Some((value, mut cells)) = generalised(machine, state, value, access, accesses)
        {
            cells.push(own);
            add(machine, &mut bodies, store.eq(cell, value), cells);
        }
    }
    let from_text = bodies.len();
    let mut guards: Vec<Term> = Vec::new();
    let conditions = conditions(&store, blocks);
    for &condition in &conditions {
        let mentioned = variables(&store, condition);
        match accesses.iter().find(|access| access.target.is_some_and(|target| mentioned.contains(&target))) {
            Some(access) => {
                if let Some((condition, cells)) = generalised(machine, state, condition, access, accesses) {
                    add(machine, &mut bodies, condition, cells.clone());
                    add(machine, &mut bodies, store.not(condition), cells);
                }
            }
            None => {
                if let Some(access) = accesses.iter().find(|access| mentioned.contains(&access.x) && mentioned.len() == 1)
                    && let Some((guard, _)) = generalised(machine, state, condition, access, accesses)
                {
                    guards.extend([guard, store.not(guard)]);
                }
            }
        }
    }
    // The program writes only every `stride`-th element: a guess may be about these alone.
    let any = machine.any_index();
    for access in accesses.iter().filter(|access| access.stride > 1 && access.value.is_some()) {
        let number = |number: u64| store.bv(number, width_of(&store, any));
        let rest = access.first.rem_euclid(access.stride as i64) as u64;
        guards.push(store.eq(store.build(Op::BvUrem, &[any, number(access.stride)]), number(rest)));
    }
    guards.sort();
    guards.dedup();
    // A comparison of the index with a bound is what ranges are for.
    guards.retain(|&guard| store.subterms([guard]).any(|part| matches!(store.op(part), Op::BvUrem | Op::BvSrem | Op::BvAnd | Op::Eq)));
    let paired: Vec<(Term, Vec<MemoryCell>)> =
        bodies[from_text..].iter().take(limits.paired).map(|body| (body.condition, body.cells.clone())).collect();
    for (number, (one, cells)) in paired.iter().enumerate() {
        for (two, more) in &paired[number + 1..] {
            let cells = cells.iter().chain(more).cloned().collect();
            add(machine, &mut bodies, store.or(*one, *two), cells);
        }
    }
    let plain: Vec<(Term, Vec<MemoryCell>)> = bodies.iter().map(|body| (body.condition, body.cells.clone())).collect();
    for &guard in guards.iter().take(limits.guards) {
        for (condition, cells) in &plain {
            add(machine, &mut bodies, store.or(store.not(guard), *condition), cells.clone());
        }
    }
    simple_bodies(machine, state, accesses, subjects, &mut |machine, condition, cells| {
        add(machine, &mut bodies, condition, cells);
    });
    bodies.truncate(limits.bodies);
    bodies
}

/// Comparisons of elements with constants and variables.
fn simple_bodies(
    machine: &mut Machine,
    state: &State,
    accesses: &[Access],
    subjects: &[Subject],
    add: &mut impl FnMut(&Machine, Term, Vec<MemoryCell>),
) {
    let store = machine.store.clone();
    let mut done = Vec::new();
    for access in accesses {
        if done.contains(&access.object) {
            continue;
        }
        done.push(access.object);
        let Some((cell, own)) = element(machine, state, access) else { continue };
        let width = access.bytes as u32 * 8;
        let numbers = constants(machine, state.frame().proc).into_iter().filter(|(_, own)| *own == width).take(4);
        for (number, _) in numbers.collect::<Vec<_>>() {
            let number = store.bv(number, width);
            add(machine, store.eq(cell, number), vec![own.clone()]);
        }
        for subject in subjects.iter().filter(|subject| subject.width == width).take(6) {
            let cells: Vec<MemoryCell> = subject.cells.iter().cloned().chain([own.clone()]).collect();
            if subject.changes {
                add(machine, store.bv_sle(cell, subject.term), cells.clone());
                add(machine, store.bv_sle(subject.term, cell), cells);
            } else {
                add(machine, store.eq(cell, subject.term), cells);
            }
        }
    }
}

/// Truth values that the program branches on, asserts, or hands to others.
fn conditions(store: &TermStore, blocks: &[Block]) -> Vec<Term> {
    let (mut found, mut seen) = (Vec::new(), FxSet::default());
    let mut note = |term: Term| {
        for part in outermost_conditions(store, term) {
            if seen.insert(part) {
                found.push(part);
            }
        }
    };
    for block in blocks {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assert { condition, .. } | StatementKind::Assume(condition) => note(*condition),
                StatementKind::Call { args, .. } => args.iter().copied().for_each(&mut note),
                StatementKind::Assign(pairs) => pairs.iter().for_each(|&(_, value)| note(value)),
                _ => {}
            }
        }
        block.terminator.kind.for_each_term(&mut note);
    }
    found
}

/// The parts of a term that are conditions, from the top; conjunctions and disjunctions are taken apart.
fn outermost_conditions(store: &TermStore, term: Term) -> Vec<Term> {
    let (mut found, mut open) = (Vec::new(), vec![term]);
    while let Some(term) = open.pop() {
        match store.op(term) {
            Op::Not | Op::And | Op::Or => open.extend(store.args(term)),
            _ if store.sort(term) == Sort::Bool => found.push(term),
            _ => open.extend(store.args(term)),
        }
    }
    found
}

// ---- reading the program

/// Loads and stores whose pointer is linear in one variable, or in two that count rows and elements of rows.
fn accesses(machine: &mut Machine, state: &State, blocks: &[Block], limits: &Limits) -> Vec<Access> {
    let store = machine.store.clone();
    let mut found = Vec::new();
    for statement in blocks.iter().flat_map(|block| &block.statements) {
        let (pointer, bytes, target, value) = match &statement.kind {
            StatementKind::Load { target, pointer, .. } => (*pointer, width_of(&store, store.var_term(*target)) / 8, Some(*target), None),
            StatementKind::Store { pointer, value } => (*pointer, width_of(&store, *value) / 8, None, Some(*value)),
            _ => continue,
        };
        if found.len() >= limits.accesses || !bytes.is_power_of_two() || bytes > 8 {
            continue;
        }
        let bytes = u64::from(bytes);
        let in_rows = in_rows(machine, state, pointer, bytes);
        let access = in_rows.map(|(object, x, row, first)| Access { object, bytes, x, stride: 1, first, row: Some(row), target, value });
        found.extend(access.or_else(|| {
            variables(&store, pointer).into_iter().find_map(|x| {
                let (object, stride, first) = linear(machine, state, pointer, x, bytes, limits.stride)?;
                Some(Access { object, bytes, x, stride, first, row: None, target, value })
            })
        }));
    }
    found
}

/// The object, how many elements the pointer goes up when the variable goes up by one, and the first index. Other variables
/// are taken to be zero where nothing is known of them: they move the first index, which only matters with stride one.
fn linear(machine: &mut Machine, state: &State, pointer: Term, x: VarId, bytes: u64, longest: u64) -> Option<(ObjectKey, u64, i64)> {
    let store = machine.store.clone();
    let Sort::Bv(width @ 8..) = store.var_sort(x) else { return None };
    let unknown: Vec<VarId> = machine.unknown_in(state, pointer).into_iter().filter(|&var| var != x).collect();
    let zero = |var: VarId| Some((var, store.bv(0, width_of(&store, store.var_term(var)))));
    let others: Vec<(VarId, Term)> = unknown.iter().filter_map(|&var| zero(var)).collect();
    let mut at = |number: u64| {
        let further: Vec<(VarId, Term)> = others.iter().copied().chain([(x, store.bv(number, width))]).collect();
        machine.place_in(state, pointer, &further)
    };
    let spots = [at(17)?, at(18)?, at(21)?];
    let step = spots[1].1.checked_sub(spots[0].1).filter(|step| *step > 0 && step.is_multiple_of(bytes))?;
    let stride = Some(step / bytes).filter(|stride| *stride == 1 && others.is_empty() || (2..=longest).contains(stride))?;
    let same = spots.iter().all(|spot| spot.0 == spots[0].0) && spots[2].1.checked_sub(spots[0].1) == Some(4 * step);
    let first = i64::try_from(spots[0].1).ok()?.checked_sub(i64::try_from(17 * step).ok()?)?;
    let is_whole = stride > 1 || first.unsigned_abs().is_multiple_of(bytes) && (0..1 << 40).contains(&first);
    (same && is_whole).then_some((spots[0].0, stride, first.div_euclid(bytes as i64)))
}

/// A term of the program with its index taken to be any: loads at that index become elements. None if it depends on a
/// load at another address.
fn generalised(machine: &mut Machine, state: &State, term: Term, like: &Access, accesses: &[Access]) -> Option<(Term, Vec<MemoryCell>)> {
    let store = machine.store.clone();
    let (mut images, mut cells) = (Vec::new(), Vec::new());
    for var in variables(&store, term) {
        if let Some(access) = accesses.iter().find(|access| access.target == Some(var)) {
            if (access.x, access.stride, access.first, access.row) != (like.x, 1, like.first, like.row) {
                return None;
            }
            let (cell, own) = element(machine, state, access)?;
            images.push((var, cell));
            cells.push(own);
        }
    }
    if let Some(row) = like.row {
        // Which row and which element of it the index is would take divisions.
        let named = variables(&store, term);
        return (!named.contains(&like.x) && !named.contains(&row.y)).then(|| (Substitution::new(images).apply(&store, term), cells));
    }
    let any = machine.any_index();
    let index = store.bv_sub(any, store.bv(like.first as u64, width_of(&store, any)));
    images.push((like.x, store.resize_unsigned(index, width_of(&store, store.var_term(like.x)))));
    Some((Substitution::new(images).apply(&store, term), cells))
}

/// The element of an access at any index.
fn element(machine: &mut Machine, state: &State, access: &Access) -> Option<(Term, MemoryCell)> {
    let pointer = pointer_to(machine, state, access.object, 0)?;
    let store = &machine.store;
    let term = store.var(&format!("element.{}.{}", access.object.0, access.bytes), Sort::Bv(access.bytes as u32 * 8));
    let var = store.as_var(term)?;
    Some((term, MemoryCell { var, pointer, bytes: access.bytes, index: Some(machine.any_index()) }))
}

/// The variables in a term.
pub fn variables(store: &TermStore, term: Term) -> Vec<VarId> {
    let mut found: Vec<VarId> = store.subterms([term]).filter_map(|part| store.as_var(part)).collect();
    found.sort();
    found.dedup();
    found
}

/// Bits of a term's values.
pub fn width_of(store: &TermStore, term: Term) -> u32 {
    store.sort(term).bits().unwrap_or(0)
}
