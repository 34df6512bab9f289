//! Fingerprints: equal for states that are equal up to the names of symbols, dead locals and constraints on symbols
//! that nothing mentions; different as soon as a value, pointer, byte, size or constraint that matters differs.

use super::programs::*;
use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use fathom_ir::{BlockId, TerminatorKind as T};
use fathom_term::sample::Random;
use fathom_term::{Op, Sort, Term};
use std::rc::Rc;

const BYTE: Sort = Sort::Bv(8);

/// Two global bytes, a local that is read later, one that isn't.
fn machine() -> (Machine, State) {
    let mut b = Builder::new(2);
    let [x, _] = ["x", "y"].map(|name| b.global(name, BYTE));
    let [live, dead] = ["live", "dead"].map(|name| b.local(name, BYTE));
    let first = [live, dead].map(|local| assign(&b, local, b.store.bv(0, 8))).to_vec();
    b.block(first, T::Goto(vec![BlockId(1)]));
    let last = vec![assign(&b, x, live), assign(&b, dead, x), assign(&b, x, dead)];
    b.block(last, T::Return);
    let mut machine = symbolic(&b.finish(), &[]);
    let mut state = start(&mut machine);
    machine.advance(&mut state, 1);
    assert_eq!(state.frame().block, 1);
    (machine, state)
}

fn set_global(state: &mut State, slot: usize, value: Val) {
    Rc::make_mut(&mut state.globals)[slot] = value;
}

fn set_local(state: &mut State, slot: usize, value: Val) {
    Rc::make_mut(&mut state.frame_mut().locals)[slot] = value;
}

/// A state over these symbols; always the same up to their names.
fn over(machine: &Machine, base: &State, symbols: &[Term; 4]) -> State {
    let store = machine.store.clone();
    let mut state = base.clone();
    let [a, b, c, d] = *symbols;
    set_global(&mut state, 0, Val::Term(store.bv_add(a, b)));
    set_global(&mut state, 1, Val::Term(a));
    set_local(&mut state, 0, Val::Term(c));
    let contents = &mut state.memory.get_mut(ObjectKey(0)).expect("an object").contents;
    contents.write_cell(4, 1, Val::Term(store.build(Op::BvXor, &[c, a])), true);
    for term in [store.bv_ult(a, store.bv(9, 8)), store.ne(b, c), store.ne(c, d)] {
        state.path.constraints.push(&store, term);
    }
    state
}

#[test]
fn names_of_symbols_do_not_matter() {
    let (mut machine, base) = machine();
    let mut random = Random::new(1);
    let mut found = Vec::new();
    for _ in 0..20 {
        // Other symbols come in between. The order of creation stays: it decides how operands of `+` are arranged,
        // and inputs are created in the order in which the program asks for them.
        let symbols = [0; 4].map(|_| {
            for _ in 0..random.below(3) {
                machine.store.fresh("gap", BYTE);
            }
            machine.store.fresh("s", BYTE)
        });
        let state = over(&machine, &base, &symbols);
        found.push(machine.fingerprint(&state).expect("small"));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn what_matters_makes_a_difference() {
    let (mut machine, base) = machine();
    let store = machine.store.clone();
    let symbols: [Term; 4] = [0; 4].map(|_| store.fresh("s", BYTE));
    let [a, b, c, d] = symbols;
    let original = over(&machine, &base, &symbols);
    type Change<'a> = Box<dyn Fn(&mut State) + 'a>;
    let object = |size, base| {
        let contents = Contents::new(base);
        Object { size: Val::Bits(size), kind: ObjectKind::Heap, read_only: false, contents, chain: None }
    };
    let contents = |state: &mut State, change: &dyn Fn(&mut Contents)| {
        change(&mut state.memory.get_mut(ObjectKey(0)).expect("an object").contents);
    };
    let changes: Vec<Change> = vec![
        Box::new(|_| {}),
        Box::new(|s| set_global(s, 0, Val::Bits(3))),
        Box::new(|s| set_global(s, 0, Val::Bits(4))),
        Box::new(|s| set_global(s, 0, Val::Pointer { object: ObjectKey(0), offset: 3 })),
        Box::new(|s| set_global(s, 0, Val::Pointer { object: ObjectKey(1), offset: 3 })),
        Box::new(|s| set_global(s, 0, Val::Pointer { object: ObjectKey(0), offset: 4 })),
        // The same shape, but one symbol is another.
        Box::new(|s| set_global(s, 1, Val::Term(b))),
        Box::new(|s| set_global(s, 1, Val::Term(d))),
        Box::new(|s| set_local(s, 0, Val::Term(a))),
        Box::new(|s| s.path.constraints.push(&store, store.bv_ult(c, store.bv(7, 8)))),
        Box::new(|s| s.path.constraints.push(&store, store.bv_ult(c, store.bv(8, 8)))),
        // Connected to a value through another constraint only.
        Box::new(|s| s.path.constraints.push(&store, store.bv_ult(d, store.bv(7, 8)))),
        Box::new(|s| contents(s, &|c| c.write_concrete(0, &[1]))),
        Box::new(|s| contents(s, &|c| c.write_concrete(0, &[2]))),
        Box::new(|s| contents(s, &|c| c.write_concrete(1, &[1]))),
        Box::new(|s| contents(s, &|c| c.write_cell(5, 1, Val::Term(a), true))),
        Box::new(|s| contents(s, &|c| c.base = Base::Uninitialised)),
        Box::new(|s| s.memory.insert(ObjectKey(9), object(4, Base::Zero))),
        Box::new(|s| s.memory.insert(ObjectKey(9), object(5, Base::Zero))),
        Box::new(|s| s.memory.insert(ObjectKey(9), object(4, Base::Uninitialised))),
        Box::new(|s| s.frame_mut().stack_objects.push(ObjectKey(1))),
        Box::new(|s| s.frame_mut().index = 1),
    ];
    let mut seen = std::collections::BTreeMap::new();
    for (number, change) in changes.iter().enumerate() {
        let mut state = original.clone();
        change(&mut state);
        let known = seen.insert(machine.fingerprint(&state).expect("small"), number);
        assert_eq!(known, None, "change {number} looks like that one");
    }
}

#[test]
fn dead_locals_and_unrelated_constraints_do_not_matter() {
    let (mut machine, base) = machine();
    let store = machine.store.clone();
    let symbols: [Term; 4] = [0; 4].map(|_| store.fresh("s", BYTE));
    let original = over(&machine, &base, &symbols);
    let expected = machine.fingerprint(&original);
    let mut state = original.clone();
    set_local(&mut state, 1, Val::Bits(77));
    let unrelated = store.fresh("u", BYTE);
    state.path.constraints.push(&store, store.bv_ult(unrelated, store.bv(3, 8)));
    (state.path.inputs, state.search.steps, state.search.depth) = (99, 99, 99);
    assert_eq!(machine.fingerprint(&state), expected);
    // Behind its assignment it is alive.
    state.frame_mut().index = 2;
    let mut other = state.clone();
    set_local(&mut other, 1, Val::Bits(78));
    assert_ne!(machine.fingerprint(&state), machine.fingerprint(&other));
}
