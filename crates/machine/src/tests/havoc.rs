//! What loops change, case by case: which places are noted, with which shapes, what has no such set, and what the
//! arbitrary state that stands for any iteration looks like.

use super::programs::*;
use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::induction::havoc::{Changes, Spot};
use crate::induction::shape::Shape;
use crate::memory::access::write_value;
use crate::memory::address::Origin;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use fathom_ir::{Property, TerminatorKind as T};
use fathom_term::{Sort, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

const BYTE: Sort = Sort::Bv(8);

/// A byte and a pointer that are read later, two global objects, and a state before that.
fn setting() -> (Machine, State) {
    let mut b = Builder::new(2);
    b.global("number", BYTE);
    b.global("pointer", POINTER);
    let (x, p) = (b.local("x", BYTE), b.local("p", POINTER));
    let reads = b.store.and(b.store.eq(x, b.store.bv(0, 8)), b.store.eq(p, b.store.bv(0, 32)));
    let check = assertion(reads, "");
    b.block(vec![check], T::Return);
    let mut machine = symbolic(&b.finish(), &[]);
    let state = start(&mut machine);
    (machine, state)
}

fn set_local(state: &mut State, slot: usize, value: Val) {
    Rc::make_mut(&mut state.frame_mut().locals)[slot] = value;
}

fn set_global(state: &mut State, slot: usize, value: Val) {
    Rc::make_mut(&mut state.globals)[slot] = value;
}

fn write(machine: &Machine, state: &mut State, object: u32, offset: u64, length: u64, value: Val) {
    let target = state.memory.get_mut(ObjectKey(object)).expect("an object");
    write_value(&machine.store, &machine.book, &mut target.contents, offset, length, value);
}

fn at(object: u32, offset: i64) -> Val {
    Val::Pointer { object: ObjectKey(object), offset }
}

fn pointers(objects: &[(u32, u64)], null: bool) -> Shape {
    Shape::Pointers { objects: objects.iter().map(|&(key, unit)| (ObjectKey(key), unit)).collect(), null }
}

/// The changes from one state to another.
fn changes(machine: &mut Machine, before: &State, after: &mut State) -> Result<Changes, &'static str> {
    let mut found = Changes::default();
    let base = machine.snapshot(before);
    machine.note_changes(&base, after, &mut found)?;
    Ok(found)
}

#[test]
fn only_what_differs_is_noted() {
    let (mut machine, before) = setting();
    let mut after = before.clone();
    assert!(changes(&mut machine, &before, &mut after).is_ok_and(|found| found.spots.is_empty() && found.objects.is_empty()));
    set_local(&mut after, 0, Val::Bits(7));
    set_global(&mut after, 0, Val::Bits(1));
    write(&machine, &mut after, 0, 4, 4, Val::Bits(9));
    let found = changes(&mut machine, &before, &mut after).expect("a set of changes");
    let cell = Spot::Cell { object: ObjectKey(0), offset: 4, length: 4 };
    let expected: Vec<Spot> = vec![Spot::Local(0), Spot::Global(0), cell];
    assert_eq!(found.spots.keys().copied().collect::<Vec<_>>(), expected);
    assert!(found.spots.values().all(|shape| *shape == Shape::Plain));
}

#[test]
fn a_set_grows_until_it_covers_every_iteration() {
    let (mut machine, mut before) = setting();
    let base = machine.snapshot(&before);
    let mut known = Changes::default();
    let mut after = before.clone();
    set_local(&mut after, 0, Val::Bits(7));
    assert_eq!(machine.note_changes(&base, &mut after, &mut known), Ok(true));
    assert_eq!(machine.note_changes(&base, &mut after.clone(), &mut known), Ok(false));
    set_global(&mut after, 0, Val::Bits(7));
    assert_eq!(machine.note_changes(&base, &mut after, &mut known), Ok(true));
    // Nothing differs any more, but what was noted stays.
    assert_eq!(machine.note_changes(&base, &mut before, &mut known), Ok(false));
    assert_eq!(known.spots.len(), 2);
}

#[test]
fn pointers_keep_the_objects_that_they_lead_to() {
    let (mut machine, mut before) = setting();
    let base_value = at(0, 0);
    set_local(&mut before, 1, base_value);
    let mut after = before.clone();
    set_local(&mut after, 1, at(1, 6));
    let found = changes(&mut machine, &before, &mut after).expect("a set of changes");
    // Offset 0 is a multiple of everything that is kept, offset 6 of 2.
    assert_eq!(found.spots.get(&Spot::Local(1)), Some(&pointers(&[(0, 8), (1, 2)], false)));
    set_local(&mut after, 1, Val::Bits(0));
    let found = changes(&mut machine, &before, &mut after).expect("a set of changes");
    assert_eq!(found.spots.get(&Spot::Local(1)), Some(&pointers(&[(0, 8)], true)));
}

#[test]
fn data_and_addresses_in_one_place_have_no_shape() {
    let (mut machine, before) = setting();
    let mut after = before.clone();
    let mut with_pointer = before;
    set_local(&mut with_pointer, 1, at(0, 4));
    set_local(&mut after, 1, Val::Bits(77));
    assert!(changes(&mut machine, &with_pointer, &mut after).is_err());
    assert!(changes(&mut machine, &after, &mut with_pointer).is_err());
}

#[test]
fn shapes_join() {
    let join = |one: Shape, two: Shape| one.join(two);
    assert_eq!(join(Shape::Plain, Shape::Plain), Ok(Shape::Plain));
    assert_eq!(join(pointers(&[(0, 8)], false), pointers(&[(0, 4), (1, 8)], true)), Ok(pointers(&[(0, 4), (1, 8)], true)));
    assert_eq!(join(pointers(&[], true), pointers(&[], true)), Ok(Shape::Plain));
    assert!(join(Shape::Plain, pointers(&[(0, 8)], false)).is_err());
    let many: Vec<(u32, u64)> = (0..9).map(|key| (key, 1)).collect();
    assert!(join(pointers(&many[..8], false), pointers(&many[8..], false)).is_err());
}

#[test]
fn the_shape_of_terms() {
    let (mut machine, _) = setting();
    let store = machine.store.clone();
    let choice = store.var("choice", Sort::Bool);
    let address = |machine: &mut Machine, object: u32, offset: Term| store.bv_add(machine.book.symbol(ObjectKey(object)), offset);
    let index = store.build(fathom_term::Op::BvShl, &[store.var("i", POINTER), store.bv(2, 32)]);
    let (one, two) = (address(&mut machine, 0, index), address(&mut machine, 1, store.bv(4, 32)));
    assert_eq!(machine.shape_of(Val::Term(index)), Ok(Shape::Plain));
    assert_eq!(machine.shape_of(Val::Term(store.ite(choice, one, two))), Ok(pointers(&[(0, 4), (1, 4)], false)));
    assert_eq!(machine.shape_of(Val::Term(store.ite(choice, one, store.bv(0, 32)))), Ok(pointers(&[(0, 4)], true)));
    // An address as a number: doubled, or together with another.
    assert!(machine.shape_of(Val::Term(store.bv_add(one, one))).is_err());
    assert!(machine.shape_of(Val::Term(store.bv_add(one, two))).is_err());
}

fn allocate(machine: &mut Machine, state: &mut State, site: u32) -> ObjectKey {
    let key = machine.book.object(Origin { site, occurrence: 0 }, Some(8), 8).expect("room");
    let object = Object { size: Val::Bits(8), kind: ObjectKind::Heap, read_only: false, contents: Contents::new(Base::Zero), chain: None };
    state.memory.insert(key, object);
    key
}

#[test]
fn memory_that_an_iteration_makes() {
    let (mut machine, before) = setting();
    let mut after = before.clone();
    let key = allocate(&mut machine, &mut after, 100);
    // It is unreachable: it is removed.
    let found = changes(&mut machine, &before, &mut after).expect("a set of changes");
    assert!(found.spots.is_empty() && after.memory.get(key).is_none());
    let mut after = before.clone();
    let key = allocate(&mut machine, &mut after, 100);
    set_global(&mut after, 1, Val::Pointer { object: key, offset: 0 });
    assert!(changes(&mut machine, &before, &mut after.clone()).is_err());
    // The other way round, an older object is gone.
    assert!(changes(&mut machine, &after, &mut before.clone()).is_err());
    // A check for leaks needs even what is unreachable.
    machine.checks.insert(Property::ValidMemtrack);
    let mut lost = before.clone();
    allocate(&mut machine, &mut lost, 101);
    assert!(changes(&mut machine, &before, &mut lost).is_err());
}

#[test]
fn many_cells_are_the_whole_object() {
    let (mut machine, mut before) = setting();
    let key = machine.book.object(Origin { site: 7, occurrence: 0 }, Some(256), 8).expect("room");
    let contents = Contents::new(Base::Zero);
    before.memory.insert(key, Object { size: Val::Bits(256), kind: ObjectKind::Heap, read_only: false, contents, chain: None });
    set_global(&mut before, 1, Val::Pointer { object: key, offset: 0 });
    let mut after = before.clone();
    for offset in 0..32 {
        write(&machine, &mut after, key.0, offset * 8, 4, Val::Bits(offset + 1));
    }
    let found = changes(&mut machine, &before, &mut after).expect("a set of changes");
    assert_eq!(found.objects, BTreeMap::from([(key, 4)]));
    assert!(found.spots.is_empty());
    write(&machine, &mut after, key.0, 0, 4, at(0, 0));
    assert!(changes(&mut machine, &before, &mut after).is_err(), "pointers among them");
}

#[test]
fn the_arbitrary_state_differs_only_in_what_may_change() {
    let (mut machine, before) = setting();
    let mut after = before.clone();
    set_local(&mut after, 0, Val::Bits(7));
    write(&machine, &mut after, 1, 8, 4, Val::Bits(3));
    let found = changes(&mut machine, &before, &mut after).expect("a set of changes");
    let mut middle = before.clone();
    let record = machine.havoc(&mut middle, &found);
    assert_eq!(record.values.len(), 2);
    assert!(matches!(middle.frame().locals[0], Val::Term(term) if machine.store.as_var(term).is_some()));
    assert_eq!(middle.frame().locals[1], before.frame().locals[1]);
    assert_eq!(middle.globals, before.globals);
    let cell = machine.value_at(&middle, Spot::Cell { object: ObjectKey(1), offset: 8, length: 4 });
    assert!(cell.is_some_and(|term| machine.store.const_bits(term).is_none()));
    let beside = machine.value_at(&middle, Spot::Cell { object: ObjectKey(1), offset: 12, length: 4 });
    assert_eq!(beside.and_then(|term| machine.store.const_bits(term)), Some(0x0F0E_0D0C));
    assert!(middle.abstraction.is_some());
    // A second one has symbols of its own.
    let mut other = before.clone();
    machine.havoc(&mut other, &found);
    let mut third = middle.clone();
    machine.havoc(&mut third, &found);
    assert_ne!(third.frame().locals[0], middle.frame().locals[0]);
}
