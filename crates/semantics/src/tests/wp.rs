//! Random straight-line programs: a precondition holds in a concrete state exactly if running the program from there
//! ends in a state where the postcondition does.

use super::programs::*;
use crate::machine::{Advance, Machine, PathEnd};
use crate::state::State;
use crate::trace::{Trace, Violation};
use crate::value::{ObjectKey, Val};
use crate::wp::{Guards, NotExpressible, Preconditions, Segment, edge_guard};
use fathom_base::Loc;
use fathom_ir::{
    AllocKind, BlockId, Callee, Fill, InputKind, ProcId, Program, Property, StatementKind as S, Switch, TerminatorKind as T,
};
use fathom_term::sample::Random;
use fathom_term::{ArrayValue, Evaluator, Model, Op, Sort, Term, TermStore, Value, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;

const BYTE: Sort = Sort::Bv(8);

struct Generator {
    b: Builder,
    random: Random,
    bytes: Vec<Term>,
    word: Term,
    pointer: Term,
    memory: Term,
}

fn generator(seed: u64) -> Generator {
    let mut b = Builder::new(2);
    let bytes = (0..3).map(|i| b.global(&format!("x{i}"), BYTE)).collect();
    let word = b.global("w", Sort::Bv(32));
    let pointer = b.global("p", POINTER);
    let sort = b.store.array_sort(POINTER, BYTE);
    let memory = b.store.var("memory", sort);
    Generator { b, random: Random::new(seed), bytes, word, pointer, memory }
}

impl Generator {
    fn byte(&mut self) -> Term {
        let store = self.b.store.clone();
        let (x, y) = (self.random.pick(&self.bytes), self.random.pick(&self.bytes));
        match self.random.below(6) {
            0 => store.bv(self.random.below(256), 8),
            1 => store.bv_add(x, store.bv(self.random.below(4), 8)),
            2 => store.build(Op::BvXor, &[x, y]),
            3 => store.extract(self.word, 15, 8),
            4 => store.ite(store.bv_ult(x, y), x, y),
            _ => x,
        }
    }

    fn word(&mut self) -> Term {
        let store = self.b.store.clone();
        let byte = self.byte();
        let wide = store.resize_unsigned(byte, 32);
        if self.random.chance(50) { store.bv_add(self.word, wide) } else { wide }
    }

    /// At most 8 bytes into an object.
    fn place(&mut self) -> Term {
        let store = self.b.store.clone();
        let object = self.random.pick(&self.b.objects);
        if self.random.chance(40) {
            return self.pointer;
        }
        let byte = self.byte();
        let index = store.build(Op::BvAnd, &[byte, store.bv(7, 8)]);
        store.bv_add(object, store.resize_unsigned(index, 32))
    }

    fn condition(&mut self) -> Term {
        let (x, y) = (self.byte(), self.byte());
        let store = self.b.store.clone();
        match self.random.below(3) {
            0 => store.ne(x, y),
            1 => store.bv_ult(x, store.bv(200, 8)),
            _ => store.bv_ule(y, x),
        }
    }

    fn post(&mut self) -> Term {
        let store = self.b.store.clone();
        let mut post = self.condition();
        for _ in 0..2 {
            let place = self.place();
            let read = store.select(self.memory, place);
            let expected = self.byte();
            let here = store.bv_ule(read, expected);
            post = if self.random.chance(50) { store.and(post, here) } else { store.or(post, here) };
        }
        if self.random.chance(30) {
            let word = self.word();
            post = store.or(post, store.eq(self.word, word));
        }
        post
    }

    fn statement(&mut self) -> S {
        let store = self.b.store.clone();
        let x = self.random.pick(&self.bytes);
        let length = store.bv(self.random.below(8), 32);
        match self.random.below(10) {
            0 => {
                let (first, second) = (self.byte(), self.word());
                S::Assign(vec![(self.b.id(x), first), (self.b.id(self.word), second)])
            }
            1 => {
                let object = self.random.pick(&self.b.objects);
                assign(&self.b, self.pointer, store.bv_add(object, store.bv(self.random.below(8), 32)))
            }
            2 => S::Load { target: self.b.id(x), pointer: self.place(), volatile: false },
            3 => S::Load { target: self.b.id(self.word), pointer: self.place(), volatile: false },
            4 => S::Store { pointer: self.place(), value: self.byte() },
            5 => S::Store { pointer: self.place(), value: self.word() },
            6 => S::Copy { target: self.place(), source: self.place(), length },
            7 => S::Set { pointer: self.place(), fill: Fill::Byte(self.byte()), length },
            8 => S::Assume(self.condition()),
            _ => assertion(self.condition(), "assertion"),
        }
    }
}

/// The values of variables and memory in a concrete state, and the addresses of objects.
fn snapshot(machine: &mut Machine, state: &mut State, objects: &[Term], memory: Term) -> Evaluator {
    let mut model = Model::default();
    let program = machine.program.clone();
    for (variable, value) in program.globals.iter().zip(state.globals.iter()) {
        model.values.insert(variable.id, Value::Bits(value.flat(&machine.book).expect("concrete")));
    }
    let mut bytes = ArrayValue { default: Value::Bits(0), entries: Default::default() };
    for (number, &object) in objects.iter().enumerate() {
        let key = ObjectKey(number as u32);
        let base = machine.book.base(key);
        model.values.insert(machine.store.as_var(object).expect("a variable"), Value::Bits(base));
        for offset in 0..OBJECT_SIZE {
            let byte = machine.read(state, key, Val::Bits(offset), 1).flat(&machine.book).expect("concrete");
            bytes = bytes.with(Value::Bits(base + offset), Value::Bits(byte));
        }
    }
    model.values.insert(machine.store.as_var(memory).expect("a variable"), Value::Array(Rc::new(bytes)));
    Evaluator::new(model)
}

/// A concrete state with random values, at the start of the program.
fn random_start(program: &Rc<Program>, random: &mut Random) -> (Machine, State) {
    let violation = Violation { property: Property::Assertion, message: String::new(), loc: Loc::UNKNOWN, stack: Vec::new() };
    let trace = Trace { symbols: BTreeMap::new(), functions: Vec::new(), choices: Vec::new(), schedule: Vec::new(), cycle: None, layout: Vec::new(), branches: 0, violation };
    let mut machine = concrete(program, &[Property::Assertion, Property::ValidDeref], &trace);
    let mut state = start(&mut machine);
    for (number, variable) in program.globals.iter().enumerate() {
        let value = match variable.name.as_str() {
            "p" => Val::Pointer { object: ObjectKey(random.below(2) as u32), offset: random.below(8) as i64 },
            _ => Val::Bits(random.bits() & fathom_term::mask(variable.sort.width())),
        };
        Rc::make_mut(&mut state.globals)[number] = value;
    }
    for object in 0..2 {
        for offset in 0..OBJECT_SIZE {
            machine.write(&mut state, ObjectKey(object), Val::Bits(offset), 1, Val::Bits(random.below(256)));
        }
    }
    (machine, state)
}

#[test]
fn a_precondition_holds_where_running_leads_to_the_postcondition() {
    let mut counts = [0u32; 4];
    for seed in 0..400 {
        let mut g = generator(seed);
        let statements: Vec<S> = (0..1 + g.random.below(8)).map(|_| g.statement()).collect();
        let post = g.post();
        g.b.block(statements, T::Return);
        let (mut random, memory, objects) = (g.random.clone(), g.memory, g.b.objects.clone());
        let program = g.b.finish();
        let store = program.terms.clone();
        let body = program.procedures[0].body.as_ref().expect("a body");
        let path = [Segment::whole(body, BlockId(0))];
        let array = store.as_var(memory).expect("a variable");
        let [wlp, image] = [Guards::Imply, Guards::Conjoin].map(|guards| {
            let mut preconditions = Preconditions::new(&store, guards).with_memory(array);
            preconditions.path(body, &path, post).expect("expressible")
        });
        for _ in 0..8 {
            let (mut machine, mut state) = random_start(&program, &mut random);
            let before = snapshot(&mut machine, &mut state, &objects, memory);
            let end = machine.advance(&mut state, 1_000_000);
            let [wlp, image] = [wlp, image].map(|term| before.holds(&store, term).expect("a value"));
            match end {
                Advance::Ended(PathEnd::Finished) => {
                    let after = snapshot(&mut machine, &mut state, &objects, memory);
                    let expected = after.holds(&store, post).expect("a value");
                    assert_eq!((wlp, image), (expected, expected), "seed {seed}");
                    counts[expected as usize] += 1;
                }
                Advance::Ended(PathEnd::Discarded) => {
                    assert_eq!((wlp, image), (true, false), "seed {seed}: stopped by an assumption");
                    counts[2] += 1;
                }
                Advance::Ended(PathEnd::Violated) => {
                    assert_eq!((wlp, image), (false, false), "seed {seed}: an assertion failed");
                    counts[3] += 1;
                }
                _ => panic!("seed {seed}: the run did not end"),
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn guards_of_edges_cover_and_exclude_each_other() {
    let store = TermStore::new();
    let x = store.var("x", Sort::Bv(2));
    let value = |bits| store.bv(bits, 2);
    let [one, two, three] = [1, 2, 3].map(BlockId);
    let cases = vec![(value(0), one), (value(1), two), (value(0), two), (value(2), one)];
    let ends = [
        T::Switch(Switch { value: x, cases, default: three }),
        T::Branch { condition: store.eq(x, value(1)), then: one, otherwise: two },
        T::Branch { condition: store.eq(x, value(1)), then: one, otherwise: one },
    ];
    let taken = [[one, two, one, three], [two, one, two, two], [one; 4]];
    for (end, taken) in ends.iter().zip(taken) {
        for (bits, expected) in taken.into_iter().enumerate() {
            let model = [(store.as_var(x).expect("a variable"), Value::Bits(bits as u64))];
            let model = Evaluator::new(Model { values: model.into_iter().collect(), ..Model::default() });
            for target in end.successors() {
                let guard = edge_guard(&store, end, target).expect("a successor");
                assert_eq!(model.holds(&store, guard), Some(target == expected));
            }
        }
        assert!(edge_guard(&store, end, BlockId(9)).is_err());
    }
}

#[test]
fn paths_go_through_edges() {
    let mut b = Builder::new(0);
    let x = b.global("x", BYTE);
    let store = b.store.clone();
    let double = assign(&b, x, store.bv_add(x, x));
    let small = store.bv_ult(x, store.bv(10, 8));
    b.block(vec![double], T::Branch { condition: small, then: BlockId(1), otherwise: BlockId(2) });
    let increment = assign(&b, x, store.bv_add(x, store.bv(1, 8)));
    b.block(vec![increment.clone(), increment], T::Goto(vec![BlockId(2)]));
    b.block(Vec::new(), T::Return);
    let program = b.finish();
    let body = program.procedures[0].body.as_ref().expect("a body");
    // Through the branch, and only the first increment.
    let path = [Segment::whole(body, BlockId(0)), Segment { block: BlockId(1), statements: 0..1 }];
    let post = store.bv_ult(store.bv(6, 8), x);
    for (guards, holds_when_stopped) in [(Guards::Imply, true), (Guards::Conjoin, false)] {
        let condition = Preconditions::new(&store, guards).path(body, &path, post).expect("expressible");
        for start in 0..256u64 {
            let doubled = start * 2 % 256;
            let expected = if doubled < 10 { doubled + 1 > 6 } else { holds_when_stopped };
            let values = [(store.as_var(x).expect("a variable"), Value::Bits(start))].into_iter().collect();
            let model = Evaluator::new(Model { values, ..Model::default() });
            assert_eq!(model.holds(&store, condition), Some(expected), "from {start}");
        }
    }
}

#[test]
fn arbitrary_values_are_fresh_and_can_be_bound() {
    let mut b = Builder::new(0);
    let [x, y] = ["x", "y"].map(|name| b.global(name, BYTE));
    let post = b.store.bv_ult(x, y);
    let statement = havoc(&b, x);
    for guards in [Guards::Imply, Guards::Conjoin] {
        let mut preconditions = Preconditions::new(&b.store, guards);
        let condition = preconditions.statement(&statement, post).expect("expressible");
        let [fresh] = preconditions.fresh() else { panic!("one fresh variable") };
        assert_eq!(condition, b.store.bv_ult(b.store.var_term(*fresh), y));
        let is_quantified = match b.store.op(preconditions.closed(condition)) {
            Op::Forall(_) => guards == Guards::Imply,
            Op::Exists(_) => guards == Guards::Conjoin,
            _ => false,
        };
        assert!(is_quantified);
        assert_eq!(preconditions.closed(y), y);
    }
}

#[test]
fn allocation_and_validity() {
    let g = generator(0);
    let store = g.b.store.clone();
    let array = g.b.id(g.memory);
    let alloc = |size| {
        let target = g.b.id(g.pointer);
        S::Alloc { target, size, align: 1, kind: AllocKind::Heap, zeroed: true, name: String::new() }
    };
    let zero_there = store.eq(store.select(g.memory, store.bv_add(g.pointer, store.bv(3, 32))), store.bv(0, 8));
    let mut preconditions = Preconditions::new(&store, Guards::Imply).with_memory(array);
    assert_eq!(preconditions.statement(&alloc(store.bv(4, 32)), zero_there), Ok(store.bool(true)));
    assert_ne!(preconditions.statement(&alloc(store.bv(3, 32)), zero_there), Ok(store.bool(true)));
    let valid = |store: &TermStore, pointer: Term, bytes: u64| store.bv_ult(pointer, store.bv(1000 - bytes, 32));
    let mut checked = Preconditions::new(&store, Guards::Imply).with_memory(array).with_valid(&valid);
    let load = S::Load { target: g.b.id(g.word), pointer: g.pointer, volatile: false };
    let condition = checked.statement(&load, store.bool(true));
    assert_eq!(condition, Ok(store.bv_ult(g.pointer, store.bv(996, 32))));
    assert!(checked.statement(&alloc(store.bv(4, 32)), zero_there).is_err());
    assert!(checked.statement(&S::Free { pointer: g.pointer, family: fathom_ir::Family::C }, zero_there).is_err());
}

#[test]
fn what_has_no_precondition_says_so() {
    let g = generator(0);
    let store = g.b.store.clone();
    let post = store.eq(store.select(g.memory, g.pointer), g.bytes[0]);
    let length = g.word;
    let input = InputKind { source: String::new(), type_name: String::new(), signed: false };
    let call = S::Call { targets: Vec::new(), callee: Callee::Direct(ProcId(0)), args: Vec::new() };
    let refused = [
        S::Copy { target: g.pointer, source: g.pointer, length },
        S::Set { pointer: g.pointer, fill: Fill::Arbitrary(input), length },
        S::ObjectSize { target: g.b.id(g.word), pointer: g.pointer },
        S::Unsupported("inline assembly".to_string()),
        call,
    ];
    let mut preconditions = Preconditions::new(&store, Guards::Imply).with_memory(g.b.id(g.memory));
    for statement in &refused {
        assert!(preconditions.statement(statement, post).is_err(), "{statement:?}");
    }
    let load = S::Load { target: g.b.id(g.bytes[0]), pointer: g.pointer, volatile: false };
    let without_memory: Result<Term, NotExpressible> = Preconditions::new(&store, Guards::Imply).statement(&load, post);
    assert!(without_memory.is_err());
    // A bound variable must not be caught.
    let bound: VarId = g.b.id(g.bytes[1]);
    let quantified = store.forall(vec![bound], Vec::new(), store.bv_ule(g.bytes[0], g.bytes[1]));
    let statement = assign(&g.b, g.bytes[0], g.bytes[1]);
    assert!(preconditions.statement(&statement, quantified).is_err());
}
