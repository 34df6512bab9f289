//! Guesses at invariants of a loop: bounds by the values on entry and by constants of the procedure, equal low bits,
//! orders of two subjects, pointers inside their objects. Most are wrong and are dropped at the first model against them;
//! what survives was proved (see `inductor`). Sums and differences are found by `relations`.

use crate::limits::Limits;
use crate::relations::Column;
use fathom_base::FxSet;
use fathom_ir::{Invariant, MemoryCell};
use fathom_machine::{Changes, Machine, ObjectKey, Shape, Snapshot, Spot, State, Val};
use fathom_term::{Op, Sort, Term, TermStore, VarId, VarSets};

/// A condition that may be an invariant of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub invariant: Invariant,
    /// Symbols in the condition that stand for the values that variables and cells had when the loop was entered.
    pub entries: Vec<(VarId, Spot)>,
    /// For a linear relation: it is kept by an iteration if these multiples of the changes of its variables add up to zero.
    pub steps: Vec<(Column, i128)>,
}

impl From<Invariant> for Candidate {
    fn from(invariant: Invariant) -> Self {
        Candidate { invariant, entries: Vec::new(), steps: Vec::new() }
    }
}

/// What stands for the value that a variable, or the cell that it stands for, had when the loop was entered.
pub fn value_on_entry(store: &TermStore, var: VarId) -> Term {
    let name = format!("{} on entry", store.var_name(var));
    store.var(&name, store.sort(store.var_term(var)))
}

/// The candidate that a given invariant is in this state: the values on entry that it mentions are found by their names.
pub fn given(machine: &mut Machine, state: &State, invariant: Invariant) -> Candidate {
    let (program, store) = (machine.program.clone(), machine.store.clone());
    let mentioned = VarSets::default().vars(&store, invariant.condition);
    let mut entries = Vec::new();
    let mut add = |var: VarId, spot: Spot| {
        let symbol = store.as_var(value_on_entry(&store, var)).filter(|symbol| mentioned.contains(symbol));
        entries.extend(symbol.map(|symbol| (symbol, spot)));
    };
    let is_any = mentioned.iter().any(|&var| store.var_name(var).ends_with(" on entry"));
    if is_any {
        let locals = &program.procedures[state.frame().proc as usize].locals;
        (0..).zip(locals).for_each(|(slot, local)| add(local.id, Spot::Local(slot)));
        (0..).zip(&program.globals).for_each(|(slot, global)| add(global.id, Spot::Global(slot)));
        for cell in invariant.cells.iter().filter(|cell| cell.index.is_none()) {
            if let Some((object, offset)) = machine.place_in(state, cell.pointer, &[])
                && let Some(Val::Bits(size)) = state.memory.get(object).map(|known| known.size)
                && offset.checked_add(cell.bytes).is_some_and(|end| end <= size)
            {
                add(cell.var, Spot::Cell { object, offset, length: cell.bytes });
            }
        }
    }
    Candidate { invariant, entries, steps: Vec::new() }
}

/// A variable or memory cell that a condition can mention, and its value on entry: a number, or a symbol that stands for it.
pub struct Subject {
    pub term: Term,
    pub cells: Vec<MemoryCell>,
    pub entry: Option<Term>,
    pub entries: Vec<(VarId, Spot)>,
    pub width: u32,
    pub changes: bool,
}

/// What may hold at the head of a loop, by comparing what it changes.
pub fn guess(machine: &mut Machine, state: &State, base: &Snapshot, changes: &Changes, limits: &Limits) -> Vec<Candidate> {
    let entry = machine.restored(state, base);
    let mut found = Vec::new();
    let subjects = subjects(machine, state, &entry, changes, limits.subjects, &mut found);
    let constants = constants(machine, state.frame().proc);
    for subject in subjects.iter().filter(|subject| subject.changes) {
        alone(machine, subject, &constants, limits.constants, &mut found);
    }
    for (number, one) in subjects.iter().enumerate() {
        for two in &subjects[number + 1..] {
            if one.width == two.width && (one.changes || two.changes) {
                together(machine, one, two, &mut found);
            }
        }
    }
    found.truncate(limits.candidates);
    found
}

/// What the loop changes, and variables that it may compare that with. Pointers give their own candidates.
pub fn subjects(
    machine: &mut Machine,
    state: &State,
    entry: &State,
    changes: &Changes,
    most: usize,
    found: &mut Vec<Candidate>,
) -> Vec<Subject> {
    let program = machine.program.clone();
    let store = machine.store.clone();
    let locals = &program.procedures[state.frame().proc as usize].locals;
    let mut subjects = Vec::new();
    for (&spot, shape) in changes.spots.iter().take(most) {
        let Some((term, cell)) = named(machine, state, spot) else { continue };
        let cells: Vec<MemoryCell> = cell.into_iter().collect();
        let Sort::Bv(width) = store.sort(term) else { continue };
        if let Shape::Pointers { objects, null: false } = shape {
            let inside = objects.keys().filter_map(|&object| {
                let start = pointer_to(machine, state, object, 0)?;
                let Val::Bits(size) = state.memory.get(object)?.size else { return None };
                Some(store.bv_ule(store.bv_sub(term, start), store.bv(size, width)))
            });
            let inside: Vec<Term> = inside.collect();
            if inside.len() == objects.len() {
                found.push(Invariant { condition: store.or_all(inside), cells }.into());
            }
            continue;
        }
        let mut entries = Vec::new();
        let number = machine.value_at(entry, spot).filter(|value| store.const_bits(*value).is_some());
        let entry = number.or_else(|| on_entry(&store, term, spot, &mut entries));
        subjects.push(Subject { term, cells, entry, entries, width, changes: true });
    }
    let fixed = machine.live_slots(state).into_iter().filter(|&slot| !changes.spots.contains_key(&Spot::Local(slot)));
    for slot in fixed.take(most) {
        let Sort::Bv(width) = locals[slot as usize].sort else { continue };
        if !matches!(state.frame().locals[slot as usize], Val::Pointer { .. }) {
            let term = store.var_term(locals[slot as usize].id);
            subjects.push(Subject { term, cells: Vec::new(), entry: None, entries: Vec::new(), width, changes: false });
        }
    }
    subjects
}

/// A subject as a condition names it: a variable, or one that stands for a memory cell.
pub fn named(machine: &mut Machine, state: &State, spot: Spot) -> Option<(Term, Option<MemoryCell>)> {
    let store = machine.store.clone();
    match spot {
        Spot::Local(slot) => {
            let locals = &machine.program.procedures[state.frame().proc as usize].locals;
            Some((store.var_term(locals[slot as usize].id), None))
        }
        Spot::Global(slot) => Some((store.var_term(machine.program.globals[slot as usize].id), None)),
        Spot::Cell { object, offset, length } => {
            let pointer = pointer_to(machine, state, object, offset)?;
            let term = store.var(&format!("cell.{}.{offset}.{length}", object.0), Sort::Bv(length as u32 * 8));
            let var = store.as_var(term)?;
            Some((term, Some(MemoryCell { var, pointer, bytes: length, index: None })))
        }
    }
}

/// The symbol for what a subject had on entry.
pub fn on_entry(store: &TermStore, term: Term, spot: Spot, entries: &mut Vec<(VarId, Spot)>) -> Option<Term> {
    let symbol = value_on_entry(store, store.as_var(term)?);
    entries.push((store.as_var(symbol)?, spot));
    Some(symbol)
}

/// A term over program variables for an address: that of a global object, or a live variable that points there.
pub fn pointer_to(machine: &mut Machine, state: &State, object: ObjectKey, offset: u64) -> Option<Term> {
    let program = machine.program.clone();
    let store = machine.store.clone();
    let width = program.layout.pointer_bits;
    if let Some(at) = machine.program_object(object) {
        return Some(store.bv_add(program.objects[at].address, store.bv(offset, width)));
    }
    let locals = &program.procedures[state.frame().proc as usize].locals;
    machine.live_slots(state).into_iter().find_map(|slot| match state.frame().locals[slot as usize] {
        Val::Pointer { object: known, offset: start } if known == object => {
            let difference = store.bv(offset.wrapping_sub(start as u64), width);
            Some(store.bv_add(store.var_term(locals[slot as usize].id), difference))
        }
        _ => None,
    })
}

/// Numbers in the procedure's statements, with their widths, small ones first.
pub fn constants(machine: &Machine, proc: u32) -> Vec<(u64, u32)> {
    let store = &machine.store;
    let program = &machine.program;
    let (mut seen, mut numbers) = (FxSet::default(), FxSet::default());
    let Some(body) = &program.procedures[proc as usize].body else { return Vec::new() };
    for block in &body.blocks {
        let mut open: Vec<Term> = Vec::new();
        block.statements.iter().for_each(|statement| statement.kind.for_each_term(&mut |term| open.push(term)));
        block.terminator.kind.for_each_term(&mut |term| open.push(term));
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                if let (Some(bits), Sort::Bv(width)) = (store.const_bits(term), store.sort(term)) {
                    numbers.insert((bits, width));
                }
                open.extend(store.args(term));
            }
        }
    }
    let mut numbers: Vec<(u64, u32)> = numbers.into_iter().collect();
    let magnitude = |(bits, width): &(u64, u32)| fathom_term::sign_extend(*bits, *width).unsigned_abs();
    numbers.sort_by_key(|number| (magnitude(number), *number));
    numbers
}

fn alone(machine: &Machine, subject: &Subject, constants: &[(u64, u32)], most: usize, found: &mut Vec<Candidate>) {
    let store = &machine.store;
    let v = subject.term;
    let mut add = |condition: Term| {
        let invariant = Invariant { condition, cells: subject.cells.clone() };
        found.push(Candidate { invariant, entries: subject.entries.clone(), steps: Vec::new() });
    };
    if let Some(entry) = subject.entry {
        add(store.bv_sle(entry, v));
        add(store.bv_sle(v, entry));
        add(store.bv_ule(entry, v));
        add(store.bv_ule(v, entry));
        for low in [1, 3] {
            let low = store.bv(low, subject.width);
            add(store.eq(store.build(Op::BvAnd, &[v, low]), store.build(Op::BvAnd, &[entry, low])));
        }
    }
    let own = constants.iter().filter(|(_, width)| *width == subject.width).take(most);
    for &(bits, width) in own {
        let c = store.bv(bits, width);
        add(store.bv_sle(c, v));
        add(store.bv_sle(v, c));
        add(store.bv_ule(v, c));
    }
}

fn together(machine: &Machine, one: &Subject, two: &Subject, found: &mut Vec<Candidate>) {
    let store = &machine.store;
    let cells: Vec<MemoryCell> = one.cells.iter().chain(&two.cells).cloned().collect();
    let mut add = |condition: Term| found.push(Invariant { condition, cells: cells.clone() }.into());
    let (a, b) = (one.term, two.term);
    add(store.eq(a, b));
    add(store.bv_sle(a, b));
    add(store.bv_sle(b, a));
    add(store.bv_ule(a, b));
    add(store.bv_ule(b, a));
}
