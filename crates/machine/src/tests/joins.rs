//! Joins of two states, case by case: what is refused, what keeps its shape, and what traces and leaks need.

use super::merge::run;
use super::programs::*;
use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::joins::states::Obstacle;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use crate::replay::interpreter::replay;
use crate::replay::trace::{ReplayEnd, Trace, Violation};
use fathom_base::Loc;
use fathom_ir::{AllocKind, BlockId, Program, Property, StatementKind as S, TerminatorKind as T};
use fathom_term::{ArrayValue, Evaluator, Model, Op, Sort, Term, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

const BYTE: Sort = Sort::Bv(8);

/// A pointer variable, and two states that differ in an input bit.
fn two_states(checks: &[Property]) -> (Machine, State, State, Term) {
    let mut b = Builder::new(2);
    b.global("p", POINTER);
    let local = b.local("l", BYTE);
    let statement = assign(&b, local, b.store.bv(0, 8));
    b.block(vec![statement], T::Return);
    let mut machine = symbolic(&b.finish(), checks);
    let mut one = start(&mut machine);
    let input = machine.store.var("input", Sort::Bool);
    let mut two = one.clone();
    let var = machine.store.as_var(input).expect("a variable");
    let values = [(var, Value::TRUE)].into_iter().collect();
    let model = Rc::new(Evaluator::new(Model { values, ..Model::default() }));
    machine.take_side(&mut one, input, true, Some(model));
    machine.keep_side(&mut two, input, false);
    (machine, one, two, input)
}

fn set_pointer(state: &mut State, value: Val) {
    Rc::make_mut(&mut state.globals)[0] = value;
}

fn heap_object(base: Base) -> Object {
    Object { size: Val::Bits(8), kind: ObjectKind::Heap, read_only: false, contents: Contents::new(base), chain: None }
}

/// An object of the book, as if it had been allocated.
fn allocate(machine: &mut Machine, site: u32) -> ObjectKey {
    let origin = crate::memory::address::Origin { site, occurrence: 0 };
    machine.book.object(origin, Some(8), 8).expect("room")
}

fn refusal(machine: &mut Machine, one: State, two: State) -> Option<Obstacle> {
    machine.merge(one, two).err().map(|refused| refused.why)
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let (mut machine, one, two, _) = two_states(&[]);
    let mut elsewhere = two.clone();
    elsewhere.frame_mut().index = 1;
    assert_eq!(refusal(&mut machine, one.clone(), elsewhere), Some(Obstacle::CallStacks));
    let mut more_stack = two.clone();
    more_stack.frame_mut().stack_objects.push(ObjectKey(0));
    assert_eq!(refusal(&mut machine, one.clone(), more_stack), Some(Obstacle::StackObjects));
    let heap = allocate(&mut machine, 100);
    let mut with_heap = two.clone();
    with_heap.memory.insert(heap, heap_object(Base::Zero));
    set_pointer(&mut with_heap, Val::Pointer { object: heap, offset: 4 });
    assert_eq!(refusal(&mut machine, one.clone(), with_heap.clone()), Some(Obstacle::Objects(heap)));
    assert_eq!(refusal(&mut machine, with_heap.clone(), one.clone()), Some(Obstacle::Objects(heap)));
    // Nothing points to it any more: only a check for leaks would still want it.
    set_pointer(&mut with_heap, Val::Bits(0));
    assert_eq!(refusal(&mut machine, with_heap.clone(), one.clone()), None);
    machine.checks.insert(Property::ValidMemtrack);
    assert_eq!(refusal(&mut machine, with_heap, one.clone()), Some(Obstacle::Objects(heap)));
    let array = |machine: &Machine, state: &mut State, element: u64| {
        let sort = machine.store.array_sort(POINTER, Sort::Bv(element as u32 * 8));
        let term = machine.store.fresh("array", sort);
        state.memory.get_mut(ObjectKey(0)).expect("an object").contents.base = Base::Array { term, element };
    };
    let (mut one, mut two) = (one, two);
    array(&machine, &mut one, 1);
    array(&machine, &mut two, 4);
    assert_eq!(refusal(&mut machine, one, two), Some(Obstacle::Elements(ObjectKey(0))));
}

#[test]
fn the_branch_is_the_selector_and_needs_no_constraint() {
    let (mut machine, mut one, mut two, input) = two_states(&[]);
    set_pointer(&mut one, Val::Bits(1));
    set_pointer(&mut two, Val::Bits(2));
    let joined = machine.merge(one.clone(), two.clone()).ok().expect("a join");
    assert!(joined.path.constraints.is_empty());
    let store = &machine.store;
    assert_eq!(joined.globals[0], Val::Term(store.ite(input, store.bv(1, 32), store.bv(2, 32))));
    // What one side knows beyond the branch is kept under it.
    let extra = store.var("extra", Sort::Bool);
    two.path.constraints.push(store, extra);
    let joined = machine.merge(one, two).ok().expect("a join");
    assert_eq!(joined.path.constraints.to_vec(), [machine.store.or(input, extra)]);
}

#[test]
fn pointers_keep_their_objects() {
    let (mut machine, mut one, mut two, input) = two_states(&[]);
    let at = |object: u32, offset: i64| Val::Pointer { object: ObjectKey(object), offset };
    set_pointer(&mut one, at(0, 4));
    set_pointer(&mut two, at(0, 8));
    let joined = machine.merge(one.clone(), two.clone()).ok().expect("a join");
    let store = machine.store.clone();
    let offset = store.ite(input, store.bv(4, 32), store.bv(8, 32));
    assert_eq!(joined.globals[0], Val::Term(store.bv_add(machine.book.symbol(ObjectKey(0)), offset)));
    set_pointer(&mut two, at(1, 8));
    let mut joined = machine.merge(one, two).ok().expect("a join");
    let Val::Term(term) = joined.globals[0] else { panic!("a choice") };
    assert_eq!(store.op(term), Op::Ite);
    // An access splits the state again.
    let found = machine.resolve(&mut joined, Val::Term(term), Val::Bits(1), crate::memory::resolve::Purpose::Read);
    assert!(matches!(found, Ok((ObjectKey(0), Val::Bits(4)))));
    assert_eq!(machine.forked.len(), 1);
}

#[test]
fn paths_that_overlap_get_a_selector_of_their_own() {
    let (mut machine, one, _, _) = two_states(&[]);
    let (mut one, mut two) = (one.clone(), one);
    set_pointer(&mut one, Val::Bits(1));
    set_pointer(&mut two, Val::Bits(2));
    one.path.choices.push(0);
    two.path.choices.push(1);
    let joined = machine.merge(one, two).ok().expect("a join");
    let Val::Term(term) = joined.globals[0] else { panic!("a choice") };
    let selector = machine.store.as_var(machine.store.arg(term, 0)).expect("a symbol");
    assert_eq!(joined.path.model.model().values.get(&selector), Some(&Value::TRUE));
    for (value, choice) in [(Value::TRUE, 0), (Value::FALSE, 1)] {
        let values = [(selector, value)].into_iter().collect();
        let model = Evaluator::new(Model { values, ..Model::default() });
        assert_eq!(machine.trace_of(&joined, &model, no_violation()).choices, [choice]);
    }
}

fn no_violation() -> Violation {
    Violation { property: Property::Assertion, message: String::new(), loc: Loc::UNKNOWN, stack: Vec::new() }
}

#[test]
fn zeroed_and_arbitrary_bytes_can_be_joined() {
    for size in [8, 1000] {
        let (mut machine, mut one, mut two, input) = two_states(&[]);
        let heap = allocate(&mut machine, 100);
        for (state, base) in [(&mut one, Base::Zero), (&mut two, Base::Uninitialised)] {
            state.memory.insert(heap, Object { size: Val::Bits(size), ..heap_object(base) });
        }
        let mut joined = machine.merge(one, two).ok().expect("a join");
        let value = machine.read(&mut joined, heap, Val::Bits(4), 4);
        let Val::Term(term) = value else { panic!("{value:?} is no term") };
        let var = machine.store.as_var(input).expect("a variable");
        let values = [(var, Value::TRUE)].into_iter().collect();
        let zeroed = Evaluator::new(Model { values, ..Model::default() });
        assert_eq!(zeroed.eval(&machine.store, term), Some(Value::Bits(0)));
        assert!(!joined.path.constraints.sets().vars(&machine.store, term).is_empty());
    }
}

/// `main` allocates two objects, keeps one or both of them (by an input), and ends.
fn keeper(keep: impl Fn(&Builder, Term, Term, Term) -> (Term, Term)) -> Rc<Program> {
    let mut b = Builder::new(0);
    let [p, q] = ["p", "q"].map(|name| b.global(name, POINTER));
    let [one, two] = ["one", "two"].map(|name| b.local(name, POINTER));
    let input = b.local("input", Sort::Bool);
    let size = b.store.bv(4, 32);
    let alloc = |b: &Builder, target| {
        let name = "heap".to_string();
        S::Alloc { target: b.id(target), size, align: 4, kind: AllocKind::Heap, zeroed: true, name }
    };
    let first = vec![alloc(&b, one), alloc(&b, two), havoc(&b, input)];
    b.block(first, T::Branch { condition: input, then: BlockId(1), otherwise: BlockId(2) });
    for side in [true, false] {
        let side = b.store.bool(side);
        let (left, right) = keep(&b, side, one, two);
        let statements = vec![assign(&b, p, left), assign(&b, q, right)];
        b.block(statements, T::Goto(vec![BlockId(3)]));
    }
    b.block(Vec::new(), T::Return);
    b.finish()
}

#[test]
fn leaks_on_one_side_of_a_join_are_seen() {
    let checks = [Property::ValidMemtrack];
    let leak_expected = [
        // One is kept, the other is lost.
        (true, keeper(|b, side, one, two| (b.store.ite(side, one, two), b.store.bv(0, 32)))),
        (true, keeper(|b, side, one, two| (one, b.store.ite(side, one, two)))),
        // Both are kept, either way round.
        (false, keeper(|b, side, one, two| (b.store.ite(side, one, two), b.store.ite(side, two, one)))),
        (false, keeper(|_, _, one, two| (one, two))),
    ];
    for (number, (expected, program)) in leak_expected.into_iter().enumerate() {
        for joining in [false, true] {
            let mut machine = symbolic(&program, &checks);
            let seen = run(&mut machine, joining);
            assert_eq!(seen.joins, joining as u32);
            assert_eq!(!seen.violations.is_empty(), expected, "program {number}, joining: {joining}");
            for trace in &seen.violations {
                let log = replay(&program, &checks.into_iter().collect(), trace, 1000);
                assert!(matches!(log.end, ReplayEnd::Violated(_)), "{:?}", log.end);
            }
        }
    }
}

/// The symbolic run may know uninitialised memory as an array; a replay reads bytes.
#[test]
fn a_replay_finds_uninitialised_bytes_in_arrays_and_in_other_pieces() {
    let mut b = Builder::new(0);
    let [p, index] = ["p", "index"].map(|name| b.local(name, POINTER));
    let x = b.local("x", Sort::Bv(16));
    let name = "buffer".to_string();
    let alloc = S::Alloc { target: b.id(p), size: b.store.bv(8, 32), align: 4, kind: AllocKind::Stack, zeroed: false, name };
    let load = S::Load { target: b.id(x), pointer: b.store.bv_add(p, index), volatile: false };
    let check = assertion(b.store.ne(x, b.store.bv(0x0506, 16)), "found");
    b.block(vec![alloc, havoc(&b, index), load, check], T::Return);
    let program = b.finish();
    let checks: BTreeSet<Property> = [Property::Assertion].into_iter().collect();
    let array = |entries: &[(u64, u64)]| {
        let entries = entries.iter().map(|&(index, value)| (Value::Bits(index), Value::Bits(value))).collect();
        Value::Array(Rc::new(ArrayValue { default: Value::Bits(0), entries }))
    };
    let known = [
        ("mem1.0@2.2", Value::Bits(0x0506)),
        ("mem1.0@1.4", Value::Bits(0x7705_0677)),
        ("mem1.0.1", array(&[(2, 6), (3, 5)])),
        ("mem1.0.2", array(&[(1, 0x0506)])),
        ("mem1.0.4", array(&[(0, 0x0506_0000)])),
    ];
    for (name, value) in known {
        let symbols = [("in0.bv32".to_string(), Value::Bits(2)), (name.to_string(), value)].into_iter().collect();
        let trace = Trace {
            symbols,
            functions: Vec::new(),
            choices: Vec::new(),
            schedule: Vec::new(),
            cycle: None,
            layout: Vec::new(),
            branches: 0,
            violation: no_violation(),
        };
        let log = replay(&program, &checks, &trace, 1000);
        assert!(matches!(log.end, ReplayEnd::Violated(_)), "{name}: {:?}", log.end);
    }
}

/// Also if they are written on some paths only.
#[test]
fn locals_that_nobody_wrote_are_arbitrary() {
    let mut b = Builder::new(0);
    let [x, y] = ["x", "y"].map(|name| b.local(name, Sort::Bv(2)));
    let set = assign(&b, y, b.store.bv(1, 2));
    let is_one = b.store.eq(y, b.store.bv(1, 2));
    b.block(Vec::new(), T::Branch { condition: b.store.eq(x, b.store.bv(2, 2)), then: BlockId(1), otherwise: BlockId(2) });
    b.block(vec![set], T::Goto(vec![BlockId(3)]));
    b.block(Vec::new(), T::Goto(vec![BlockId(3)]));
    b.block(vec![assertion(is_one, "y was set")], T::Return);
    let program = b.finish();
    let checks = [Property::Assertion];
    let mut machine = symbolic(&program, &checks);
    assert_eq!(machine.code.procs[0].unset, [0, 1]);
    let seen = run(&mut machine, true);
    let [trace] = &seen.violations[..] else { panic!("{} violations", seen.violations.len()) };
    let log = replay(&program, &checks.into_iter().collect(), trace, 1000);
    assert!(matches!(log.end, ReplayEnd::Violated(_)), "{:?}", log.end);
}

/// Joining must cost what the sides changed since they forked, not what they have in common.
#[test]
fn a_long_chain_of_joins_is_cheap() {
    const DIAMONDS: u32 = 2_000;
    let mut b = Builder::new(40);
    let (x, input) = (b.global("x", BYTE), b.local("input", Sort::Bool));
    let store = b.store.clone();
    let more = assign(&b, x, store.bv_add(x, store.bv(1, 8)));
    let first = vec![assign(&b, x, store.bv(0, 8)), havoc(&b, input)];
    for number in 0..DIAMONDS {
        let [then, next] = [3 * number + 1, 3 * number + 3].map(BlockId);
        let statements = if number == 0 { first.clone() } else { vec![havoc(&b, input)] };
        b.block(statements, T::Branch { condition: input, then, otherwise: BlockId(3 * number + 2) });
        // One side asks for another input, so that histories are kept.
        b.block(vec![more.clone(), havoc(&b, input)], T::Goto(vec![next]));
        let object = b.objects[number as usize % 40];
        b.block(vec![S::Store { pointer: object, value: x }], T::Goto(vec![next]));
    }
    let wrong = store.ne(x, store.bv(0, 8));
    b.block(vec![assertion(wrong, "never counted")], T::Return);
    let program = b.finish();
    let checks = [Property::Assertion];
    let mut machine = symbolic(&program, &checks);
    let seen = run(&mut machine, true);
    assert_eq!(seen.joins, DIAMONDS);
    assert!(!seen.violations.is_empty() && seen.violations.iter().all(|trace| replays(&program, trace)));
}

fn replays(program: &Rc<Program>, trace: &Trace) -> bool {
    let log = replay(program, &[trace.violation.property].into_iter().collect(), trace, 100_000);
    matches!(log.end, ReplayEnd::Violated(_))
}
