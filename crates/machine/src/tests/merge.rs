//! Random loop-free programs, path by path and with states joined wherever they meet: both must see the same
//! violations and the same final values, every trace must replay, and a joined state's values under a model must be
//! those of the concrete run that the model stands for.

use super::programs::*;
use crate::exec::machine::{Advance, Machine, PathEnd};
use crate::exec::state::State;
use crate::exec::value::Val;
use crate::replay::interpreter::replay;
use crate::replay::trace::{ReplayEnd, Trace, Violation};
use fathom_base::Loc;
use fathom_ir::{AllocKind, BlockId, Fill, Program, Property, StatementKind as S, Switch, TerminatorKind as T};
use fathom_term::sample::Random;
use fathom_term::{Evaluator, Model, Sort, Term, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const CHECKS: [Property; 3] = [Property::Assertion, Property::ValidDeref, Property::ValidMemtrack];
const BYTE: Sort = Sort::Bv(8);

struct Generator {
    b: Builder,
    random: Random,
    bytes: Vec<Term>,
    pointers: Vec<Term>,
    heap: Term,
    input: Term,
    inputs_left: u32,
    asserts: u32,
}

impl Generator {
    fn byte(&mut self) -> Term {
        let x = self.random.pick(&self.bytes);
        let store = self.b.store.clone();
        let other = self.random.pick(&self.bytes);
        let constant = store.bv(self.random.below(4), 8);
        match self.random.below(6) {
            0 => constant,
            1 => store.bv_add(x, constant),
            2 => store.bv_mul(x, other),
            3 => store.ite(store.bv_ult(x, other), x, constant),
            4 => store.build(fathom_term::Op::BvXor, &[x, other]),
            _ => x,
        }
    }

    fn condition(&mut self) -> Term {
        let (x, y) = (self.byte(), self.byte());
        let store = self.b.store.clone();
        match self.random.below(5) {
            0 => store.eq(x, y),
            1 => store.and(store.bv_ult(x, y), store.ne(x, store.bv(1, 8))),
            2 => store.eq(self.random.pick(&self.pointers), self.random.pick(&self.pointers)),
            _ => store.bv_ult(x, store.bv(1 + self.random.below(3), 8)),
        }
    }

    /// Somewhere in the first 8 of 16 bytes.
    fn place(&mut self) -> Term {
        let store = self.b.store.clone();
        let object = self.random.pick(&self.b.objects);
        match self.random.below(4) {
            0 => store.bv_add(object, store.bv(self.random.below(8), 32)),
            1 => {
                let byte = self.byte();
                let index = store.build(fathom_term::Op::BvAnd, &[byte, store.bv(7, 8)]);
                store.bv_add(object, store.resize_unsigned(index, 32))
            }
            _ => self.random.pick(&self.pointers),
        }
    }

    fn statements(&mut self) -> Vec<S> {
        let mut out = Vec::new();
        for _ in 0..=self.random.below(3) {
            self.statement(&mut out);
        }
        out
    }

    fn statement(&mut self, out: &mut Vec<S>) {
        let store = self.b.store.clone();
        let x = self.random.pick(&self.bytes);
        let p = self.random.pick(&self.pointers);
        let bytes = |count| store.bv(count, 32);
        match self.random.below(15) {
            0 | 1 if self.inputs_left > 0 => {
                self.inputs_left -= 1;
                out.push(havoc(&self.b, self.input));
                out.push(assign(&self.b, x, store.resize_unsigned(self.input, 8)));
            }
            2 => {
                let offset = store.bv(self.random.below(8), 32);
                let object = self.random.pick(&self.b.objects);
                out.push(assign(&self.b, p, store.bv_add(object, offset)));
            }
            3 | 4 => {
                let (pointer, value) = (self.place(), self.byte());
                let value = if self.random.chance(40) { store.resize_unsigned(value, 32) } else { value };
                out.push(S::Store { pointer, value });
            }
            5 | 6 => out.push(S::Load { target: self.b.id(x), pointer: self.place(), volatile: false }),
            7 => {
                let (target, source) = (self.place(), self.place());
                out.push(S::Copy { target, source, length: bytes(1 + self.random.below(8)) });
            }
            8 => {
                let (pointer, fill) = (self.place(), Fill::Byte(self.byte()));
                out.push(S::Set { pointer, fill, length: bytes(1 + self.random.below(8)) });
            }
            9 => {
                self.asserts += 1;
                let condition = store.ne(x, store.bv(self.random.below(6), 8));
                out.push(assertion(condition, &format!("assertion {}", self.asserts)));
            }
            10 => {
                let condition = self.condition();
                out.push(S::Assume(store.or(condition, store.bv_ult(x, store.bv(3, 8)))));
            }
            11 => self.heap_use(x, out),
            12 => {
                let y = self.random.pick(&self.bytes);
                let (first, second) = (self.byte(), self.byte());
                let mut pairs = vec![(self.b.id(x), first)];
                if y != x {
                    pairs.push((self.b.id(y), second));
                }
                out.push(S::Assign(pairs));
            }
            _ => {
                let value = self.byte();
                out.push(assign(&self.b, x, value));
            }
        }
    }

    /// Takes memory, uses it and gives it back (nearly always), so that counts of allocations differ between paths.
    fn heap_use(&mut self, x: Term, out: &mut Vec<S>) {
        let store = self.b.store.clone();
        let target = self.b.id(self.heap);
        let size = store.bv(4, 32);
        out.push(S::Alloc { target, size, align: 4, kind: AllocKind::Heap, zeroed: true, name: "heap".to_string() });
        let value = self.byte();
        out.push(S::Store { pointer: self.heap, value });
        out.push(S::Load { target: self.b.id(x), pointer: self.heap, volatile: false });
        if self.random.chance(90) {
            out.push(S::Free { pointer: self.heap, family: fathom_ir::Family::C });
        }
        out.push(assign(&self.b, self.heap, store.bv(0, 32)));
    }

    fn end(&mut self, from: usize, count: usize) -> T {
        let store = self.b.store.clone();
        let mut later = || BlockId((from + 1 + self.random.below((count - from - 1).min(3) as u64) as usize) as u32);
        let (one, two, three) = (later(), later(), later());
        match self.random.below(10) {
            0 | 1 => T::Goto(vec![one, two]),
            2 | 3 => {
                let cases = vec![(store.bv(0, 8), one), (store.bv(2, 8), two)];
                T::Switch(Switch { value: self.byte(), cases, default: three })
            }
            _ => T::Branch { condition: self.condition(), then: one, otherwise: two },
        }
    }
}

fn random_program(seed: u64) -> Rc<Program> {
    let mut b = Builder::new(2);
    let mut bytes: Vec<Term> = (0..3).map(|i| b.global(&format!("x{i}"), BYTE)).collect();
    bytes.push(b.local("y", BYTE));
    let pointers: Vec<Term> = (0..2).map(|i| b.local(&format!("p{i}"), POINTER)).collect();
    let (heap, input) = (b.global("heap", POINTER), b.local("input", Sort::Bv(2)));
    let first: Vec<S> = bytes.iter().map(|&x| assign(&b, x, b.store.bv(0, 8))).collect();
    let mut g = Generator { b, random: Random::new(seed), bytes, pointers, heap, input, inputs_left: 4, asserts: 0 };
    let count = 9;
    for number in 0..count {
        let mut statements = if number == 0 { first.clone() } else { Vec::new() };
        if number == 0 {
            statements.push(assign(&g.b, g.heap, g.b.store.bv(0, 32)));
            for p in g.pointers.clone() {
                statements.push(assign(&g.b, p, g.b.objects[0]));
            }
            statements.push(havoc(&g.b, g.input));
            statements.push(assign(&g.b, g.bytes[0], g.b.store.resize_unsigned(g.input, 8)));
        }
        statements.extend(g.statements());
        let end = if number + 1 == count { T::Return } else { g.end(number, count) };
        g.b.block(statements, end);
    }
    g.b.finish()
}

/// What came out of a program.
#[derive(Default)]
pub(super) struct Seen {
    finished: Vec<State>,
    pub(super) violations: Vec<Trace>,
    pub(super) joins: u32,
    refusals: BTreeMap<String, u32>,
}

pub(super) fn run(machine: &mut Machine, joining: bool) -> Seen {
    let mut seen = Seen::default();
    let place = |state: &State| (state.frame().block, state.frame().index);
    let mut waiting: BTreeMap<(u32, u32), Vec<State>> = BTreeMap::new();
    let first = start(machine);
    waiting.insert(place(&first), vec![first]);
    while let Some((_, mut states)) = waiting.pop_first() {
        let mut done: Vec<State> = Vec::new();
        'next: while let Some(mut state) = states.pop() {
            if joining {
                for index in 0..done.len() {
                    match machine.merge(done.swap_remove(index), state) {
                        Ok(joined) => {
                            seen.joins += 1;
                            states.push(joined);
                            continue 'next;
                        }
                        Err(refused) => {
                            *seen.refusals.entry(refused.why.to_string()).or_default() += 1;
                            done.push(refused.a);
                            let last = done.len() - 1;
                            done.swap(index, last);
                            state = refused.b;
                        }
                    }
                }
            }
            done.push(state);
        }
        for mut state in done {
            let constraints = state.path.constraints.to_vec();
            assert!(constraints.iter().all(|&c| state.path.model.holds(&machine.store, c) == Some(true)), "the model is none");
            let end = machine.advance(&mut state, 1);
            for sibling in std::mem::take(&mut machine.forked) {
                waiting.entry(place(&sibling)).or_default().push(sibling);
            }
            match end {
                Advance::Ended(PathEnd::Finished) => seen.finished.push(state),
                Advance::Ended(PathEnd::Cut(cut)) => panic!("{cut}"),
                Advance::Ended(_) => {}
                _ => waiting.entry(place(&state)).or_default().push(state),
            }
        }
    }
    assert!(machine.found.cuts.is_empty(), "{:?}", machine.found.cuts);
    seen.violations = std::mem::take(&mut machine.found.violations);
    seen
}

/// Final values: global variables (addresses as numbers) and the bytes of the objects.
fn results(machine: &mut Machine, state: &mut State) -> Vec<Term> {
    let sorts = machine.code.global_sorts.clone();
    let mut values: Vec<(Val, Sort)> = state.globals.iter().copied().zip(sorts).collect();
    for (key, object) in state.clone().memory.sorted() {
        if object.kind == crate::memory::objects::ObjectKind::Global {
            for offset in 0..OBJECT_SIZE {
                values.push((machine.read(state, key, Val::Bits(offset), 1), BYTE));
            }
        }
    }
    let terms = values.into_iter().map(|(value, sort)| {
        let term = machine.term_of(value, sort);
        machine.book.ground(term)
    });
    terms.collect()
}

fn evaluated(machine: &Machine, terms: &[Term], model: &Evaluator) -> Vec<u64> {
    let values = terms.iter().map(|&term| model.eval(&machine.store, term).and_then(|value| value.to_u64()));
    values.map(|value| value.expect("a value")).collect()
}

/// All models of the symbols of a state and its results.
fn models(machine: &Machine, state: &State, results: &[Term]) -> Vec<Evaluator> {
    let mut vars: BTreeSet<VarId> = BTreeSet::new();
    for term in state.path.constraints.iter().chain(results.iter().copied()) {
        vars.extend(state.path.constraints.sets().vars(&machine.store, term));
    }
    let total: u32 = vars.iter().map(|&var| machine.store.var_sort(var).bits().expect("small")).sum();
    assert!(total <= 18, "{total} bits");
    let mut found = Vec::new();
    for mut code in 0..1u64 << total {
        let mut model = Model::default();
        for &var in &vars {
            let bits = machine.store.var_sort(var).bits().expect("small");
            model.values.insert(var, Value::Bits(code & fathom_term::mask(bits)));
            code >>= bits;
        }
        let model = Evaluator::new(model);
        if state.path.constraints.iter().all(|c| model.holds(&machine.store, c) == Some(true)) {
            found.push(model);
        }
    }
    found
}

fn outcomes(machine: &mut Machine, program: &Rc<Program>, seen: &mut Seen, replaying: bool) -> BTreeSet<Vec<u64>> {
    let mut all = BTreeSet::new();
    for state in &mut seen.finished {
        let results = results(machine, state);
        for model in models(machine, state, &results) {
            let values = evaluated(machine, &results, &model);
            if replaying {
                assert_eq!(concrete_outcome(machine, program, state, &model), values);
            }
            all.insert(values);
        }
    }
    all
}

/// The concrete run that a model of the state stands for.
fn concrete_outcome(machine: &Machine, program: &Rc<Program>, state: &State, model: &Evaluator) -> Vec<u64> {
    let none = Violation { property: Property::Assertion, message: String::new(), loc: Loc::UNKNOWN, stack: Vec::new() };
    let trace = machine.trace_of(state, model, none);
    let mut twin = concrete(program, &CHECKS[..2], &trace);
    let mut state = start(&mut twin);
    let end = twin.advance(&mut state, 1_000_000);
    assert!(matches!(end, Advance::Ended(PathEnd::Finished)), "the concrete run ended otherwise");
    let results = results(&mut twin, &mut state);
    evaluated(&twin, &results, &Evaluator::new(Model::default()))
}

fn messages(program: &Rc<Program>, checks: &[Property], seen: &Seen) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for trace in &seen.violations {
        let log = replay(program, &checks.iter().copied().collect(), trace, 100_000);
        match log.end {
            ReplayEnd::Violated(violation) => assert_eq!(violation, trace.violation),
            other => panic!("{}: {other:?}", trace.violation.message),
        }
        found.insert(trace.violation.message.clone());
    }
    found
}

#[test]
fn joined_states_stand_for_all_their_paths() {
    let (mut joins, mut refusals, mut saved) = (0, BTreeMap::new(), 0);
    for seed in 0..200 {
        let program = random_program(seed);
        // Without a check for leaks, objects that only one side has may be forgotten.
        let checks = if seed % 2 == 0 { &CHECKS[..] } else { &CHECKS[..2] };
        let mut forking = symbolic(&program, checks);
        let mut paths = run(&mut forking, false);
        let mut joining = symbolic(&program, checks);
        let mut joined = run(&mut joining, true);
        joins += joined.joins;
        saved += paths.finished.len() - joined.finished.len().min(paths.finished.len());
        for (why, count) in std::mem::take(&mut joined.refusals) {
            *refusals.entry(why).or_insert(0) += count;
        }
        assert_eq!(messages(&program, checks, &paths), messages(&program, checks, &joined), "seed {seed}");
        let expected = outcomes(&mut forking, &program, &mut paths, false);
        let found = outcomes(&mut joining, &program, &mut joined, true);
        assert_eq!(expected, found, "seed {seed}");
    }
    eprintln!("{joins} joins, {saved} paths saved, refused: {refusals:?}");
    assert!(joins > 250, "only {joins} joins");
}
