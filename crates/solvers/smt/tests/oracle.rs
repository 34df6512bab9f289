//! The oracle against brute force: random paths that fork, with queries along them, under several settings. Every
//! answer is compared with a brute-force solver over all constraints, and every model is evaluated on all of them.

mod common;

use common::{Random, condition, variables};
use fathom_base::Budget;
use fathom_smt::{
    Answer, Backend, Brute, Constraints, Layer, Oracle, OracleConfig, PoolConfig, Solver, SolverError, Validity, Verdict, Why,
};
use fathom_term::{Evaluator, FloatFormat, Model, Op, RoundingMode, Sort, Term, TermStore, VarId};
use std::rc::Rc;

fn truth(store: &Rc<TermStore>, constraints: &Constraints, condition: Term) -> bool {
    let mut solver = Brute::new(store.clone(), 24).new_solver().unwrap();
    for term in constraints.iter() {
        solver.assert(term).unwrap();
    }
    match solver.check(&[condition], &Budget::unlimited()) {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown(why) => panic!("{why}"),
    }
}

fn satisfies(store: &TermStore, model: &Evaluator, constraints: &Constraints, condition: Term) -> bool {
    let mut terms = constraints.iter().chain([condition]);
    // A fresh evaluator, so that no memo of the oracle's can hide a wrong value.
    let fresh = Evaluator::new(model.model().clone());
    terms.all(|term| fresh.holds(store, term) == Some(true) && model.holds(store, term) == Some(true))
}

/// A state of a path: what holds on it, and a model.
type State = (Constraints, Rc<Evaluator>);

fn explore(seed: u64, config: OracleConfig, with_hint: bool) -> Oracle {
    let store = Rc::new(TermStore::new());
    let mut random = Random::new(seed);
    let vars = variables(&store, 4);
    // Two variables at a time, so that independent groups appear; a few conditions only, so that questions repeat.
    let mut branches = Vec::new();
    for _ in 0..14 {
        let pair = [random.pick(&vars), random.pick(&vars)];
        branches.push(condition(&store, &mut random, &pair));
    }
    let mut oracle = Oracle::new(store.clone(), Box::new(Brute::new(store.clone(), 24)), config);
    let mut states: Vec<State> = vec![(oracle.no_constraints(), Rc::new(Evaluator::new(Model::default())))];
    for _ in 0..40 {
        let (constraints, model) = states[random.below(states.len() as u64) as usize].clone();
        let branch = random.pick(&branches);
        let hint = with_hint.then_some(&model);
        for side in [branch, store.not(branch)] {
            let expected = truth(&store, &constraints, side);
            match oracle.check(&constraints, side, hint, &Budget::unlimited()) {
                Verdict::Sat(model) => {
                    assert!(expected, "seed {seed}: sat for an unsatisfiable query");
                    assert!(satisfies(&store, &model, &constraints, side), "seed {seed}: a model that is none");
                    let mut child = constraints.clone();
                    child.push(&store, side);
                    states.push((child, model));
                }
                Verdict::Unsat => assert!(!expected, "seed {seed}: unsat for a satisfiable query"),
                Verdict::Unknown(why) => panic!("seed {seed}: {why}"),
            }
        }
    }
    oracle
}

#[test]
fn verdicts_agree_with_brute_force() {
    let tiny =
        OracleConfig { recent_models: 1, cache_entries: 4, pool: PoolConfig { solvers: 1, checks: 3, pops: 3 }, ..OracleConfig::default() };
    let mut answered = [0; Layer::ALL.len()];
    for seed in 0..25 {
        for with_hint in [true, false] {
            let oracle = explore(seed, OracleConfig::default(), with_hint);
            for layer in Layer::ALL {
                answered[layer as usize] += oracle.statistics().answered(layer);
            }
            explore(seed, tiny.clone(), with_hint);
        }
    }
    let unused: Vec<Layer> = Layer::ALL.into_iter().filter(|&l| l < Layer::Intervals && answered[l as usize] == 0).collect();
    assert!(unused.is_empty(), "layers that were not tested: {unused:?}");
}

fn simple() -> (Rc<TermStore>, Oracle, [Term; 3]) {
    let store = Rc::new(TermStore::new());
    let oracle = Oracle::new(store.clone(), Box::new(Brute::new(store.clone(), 20)), OracleConfig::default());
    let vars = ["x", "y", "z"].map(|name| store.var(name, Sort::Bv(4)));
    (store, oracle, vars)
}

#[test]
fn the_hint_is_returned_itself() {
    let (store, mut oracle, [x, ..]) = simple();
    let hint = Rc::new(Evaluator::new(Model::default()));
    let below = store.bv_ult(x, store.bv(3, 4));
    match oracle.check(&oracle.no_constraints(), below, Some(&hint), &Budget::unlimited()) {
        Verdict::Sat(model) => assert!(Rc::ptr_eq(&model, &hint)),
        _ => panic!("not sat"),
    }
    assert_eq!(oracle.statistics().solver_calls(), 0);
}

#[test]
fn a_core_answers_without_a_solver_whatever_the_order() {
    let (store, mut oracle, [x, y, z]) = simple();
    let budget = Budget::unlimited();
    let (a, b, c) = (store.bv_ult(x, y), store.bv_ult(y, z), store.bv_ult(z, x));
    let mut first = oracle.no_constraints();
    first.push(&store, a);
    first.push(&store, b);
    assert!(matches!(oracle.check(&first, c, None, &budget), Verdict::Unsat));
    let mut second = oracle.no_constraints();
    second.push(&store, c);
    second.push(&store, store.ne(z, store.bv(5, 4)));
    second.push(&store, a);
    assert!(matches!(oracle.check(&second, b, None, &budget), Verdict::Unsat));
    assert_eq!(oracle.statistics().answered(Layer::Core), 1);
    assert_eq!(oracle.statistics().solver_calls(), 1);
}

#[test]
fn must_hold_gives_a_counterexample() {
    let (store, mut oracle, [x, y, _]) = simple();
    let budget = Budget::unlimited();
    let mut constraints = oracle.no_constraints();
    constraints.push(&store, store.bv_ult(x, y));
    let not_last = store.ne(x, store.bv(15, 4));
    assert!(matches!(oracle.must_hold(&constraints, not_last, None, &budget), Validity::Holds));
    let not_zero = store.ne(x, store.bv(0, 4));
    match oracle.must_hold(&constraints, not_zero, None, &budget) {
        Validity::Fails(model) => assert!(satisfies(&store, &model, &constraints, store.not(not_zero))),
        _ => panic!("it fails for x = 0"),
    }
}

#[test]
fn cores_are_subsets_that_contradict() {
    let (store, mut oracle, [x, y, z]) = simple();
    let soft = [store.bv_ult(x, y), store.ne(z, store.bv(1, 4)), store.bv_ult(y, z), store.bv_ult(x, store.bv(9, 4))];
    let hard = [store.bv_ult(z, x)];
    let core = oracle.unsat_core(&hard, &soft, &Budget::unlimited());
    assert_eq!(core, Some(vec![soft[0], soft[2]]));
    assert_eq!(oracle.unsat_core(&hard, &soft[..2], &Budget::unlimited()), None);
}

#[test]
fn a_spent_budget_is_said() {
    let (store, mut oracle, [x, ..]) = simple();
    let spent = Budget::unlimited().at_most(std::time::Duration::ZERO);
    let condition = store.ne(x, store.bv(0, 4));
    let verdict = oracle.check(&oracle.no_constraints(), condition, None, &spent);
    assert!(matches!(verdict, Verdict::Unknown(Why::Budget)));
    // It says nothing about the query itself.
    let verdict = oracle.check(&oracle.no_constraints(), condition, None, &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Sat(_)));
}

#[test]
fn ranges_decide_floats_before_a_solver() {
    // Doubles that nobody could try out one by one, and no solver to help.
    let (store, mut oracle, _) = simple();
    let double = Sort::Float(FloatFormat::DOUBLE);
    let number = |value: f64| store.constant(&fathom_term::Value::Bits(value.to_bits()), double);
    let x = store.var("d", double);
    let mode = store.rounding_mode(RoundingMode::NearestEven);
    let cube = store.build(Op::FpMul, &[mode, store.build(Op::FpMul, &[mode, x, x]), x]);
    let value = store.build(Op::FpSub, &[mode, cube, x]);
    let mut constraints = oracle.no_constraints();
    constraints.push(&store, store.build(Op::FpLe, &[number(-1.0), x]));
    constraints.push(&store, store.build(Op::FpLe, &[x, number(1.0)]));
    let budget = Budget::unlimited();
    // The extremes of x^3 - x are 0.3849... in both directions.
    let above = |limit: f64| store.build(Op::FpLt, &[number(limit), value]);
    assert!(matches!(oracle.check(&constraints, above(0.386), None, &budget), Verdict::Unsat));
    assert!(matches!(oracle.check(&constraints, above(0.384), None, &budget), Verdict::Sat(_)));
    assert_eq!(oracle.statistics().answered(Layer::Intervals), 2);
}

#[test]
fn encodings_of_floats_are_bits() {
    let (store, mut oracle, _) = simple();
    let format = FloatFormat { exponent: 3, significand: 3 };
    let [a, b] = ["a", "b"].map(|name| store.var(name, Sort::Float(format)));
    let mode = store.rounding_mode(RoundingMode::NearestEven);
    let sum = store.build(Op::FpAdd, &[mode, a, b]);
    let bits = store.build(Op::FpToBits, &[sum]);
    let nan = store.build(Op::FpIsNan, &[sum]);
    let budget = Budget::unlimited();
    let mut constraints = oracle.no_constraints();
    constraints.push(&store, nan);
    // Only the canonical NaN is the encoding of a sum that is NaN.
    let canonical = store.bv(fathom_term::float::nan(format) as u64, 6);
    assert!(matches!(oracle.must_hold(&constraints, store.eq(bits, canonical), None, &budget), Validity::Holds));
    let mut constraints = oracle.no_constraints();
    constraints.push(&store, store.bv_ult(bits, store.bv(9, 6)));
    let odd = store.eq(store.extract(bits, 0, 0), store.bv(1, 1));
    match oracle.check(&constraints, odd, None, &budget) {
        Verdict::Sat(model) => assert!(satisfies(&store, &model, &constraints, odd)),
        _ => panic!("7 is an encoding"),
    }
    assert_eq!(oracle.statistics().models_rejected, 0);
}

/// Fails at every n-th operation.
struct Flaky {
    inner: Box<dyn Backend>,
    count: Rc<std::cell::Cell<u64>>,
}

struct FlakySolver(Box<dyn Solver>, Rc<std::cell::Cell<u64>>);

impl Flaky {
    fn fails(count: &std::cell::Cell<u64>) -> Result<(), SolverError> {
        count.set(count.get() + 1);
        if count.get().is_multiple_of(7) { Err(SolverError::Failed("out of luck".into())) } else { Ok(()) }
    }
}

impl Backend for Flaky {
    fn name(&self) -> String {
        "flaky".into()
    }
    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        Flaky::fails(&self.count)?;
        Ok(Box::new(FlakySolver(self.inner.new_solver()?, self.count.clone())))
    }
}

impl Solver for FlakySolver {
    fn push(&mut self) -> Result<(), SolverError> {
        Flaky::fails(&self.1).and_then(|_| self.0.push())
    }
    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        Flaky::fails(&self.1).and_then(|_| self.0.pop(levels))
    }
    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        Flaky::fails(&self.1).and_then(|_| self.0.assert(term))
    }
    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        match Flaky::fails(&self.1) {
            Ok(()) => self.0.check(assumptions, budget),
            Err(error) => Answer::Unknown(error.into()),
        }
    }
    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        Flaky::fails(&self.1).and_then(|_| self.0.model(vars))
    }
    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        self.0.failed_assumptions()
    }
}

#[test]
fn a_solver_that_fails_costs_queries_but_no_wrong_answer() {
    let (mut known, mut unknown) = (0, 0);
    for seed in 0..20 {
        let store = Rc::new(TermStore::new());
        let mut random = Random::new(seed);
        let vars = variables(&store, 4);
        let flaky = Flaky { inner: Box::new(Brute::new(store.clone(), 20)), count: Rc::default() };
        let mut oracle = Oracle::new(store.clone(), Box::new(flaky), OracleConfig::default());
        for _ in 0..20 {
            let mut constraints = oracle.no_constraints();
            for _ in 0..random.below(4) {
                constraints.push(&store, condition(&store, &mut random, &vars));
            }
            let asked = condition(&store, &mut random, &vars);
            let expected = truth(&store, &constraints, asked);
            match oracle.check(&constraints, asked, None, &Budget::unlimited()) {
                Verdict::Unknown(_) => unknown += 1,
                verdict => {
                    known += 1;
                    assert_eq!(matches!(verdict, Verdict::Sat(_)), expected, "seed {seed}");
                }
            }
        }
        assert!(oracle.statistics().solver_failures > 0);
    }
    assert!(known > unknown && unknown > 0, "{known} known, {unknown} unknown");
}

#[test]
fn the_second_back_end_is_asked_when_the_first_does_not_know() {
    let store = Rc::new(TermStore::new());
    let weak = Brute::new(store.clone(), 4);
    let asked = weak.checks();
    let mut oracle =
        Oracle::new(store.clone(), Box::new(weak), OracleConfig::default()).with_second(Box::new(Brute::new(store.clone(), 20)));
    let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(4)));
    let mut constraints = oracle.no_constraints();
    constraints.push(&store, store.bv_ult(x, y));
    let last = store.eq(x, store.bv(15, 4));
    assert!(matches!(oracle.check(&constraints, last, None, &Budget::unlimited()), Verdict::Unsat));
    assert_eq!(asked.get(), 1);
    assert_eq!(oracle.statistics().solver_calls(), 2);
    let core = oracle.unsat_core(&[store.bv_ult(x, y)], &[last, store.ne(y, x)], &Budget::unlimited());
    assert_eq!(core, Some(vec![last]));
}

#[test]
fn other_groups_keep_the_values_of_the_hint() {
    let (store, mut oracle, [x, y, z]) = simple();
    let mut constraints = oracle.no_constraints();
    constraints.push(&store, store.bv_ult(store.bv(9, 4), x));
    constraints.push(&store, store.bv_ult(y, z));
    let budget = Budget::unlimited();
    let Verdict::Sat(hint) = oracle.check(&constraints, store.bool(true), None, &budget) else { panic!("not sat") };
    let condition = store.ne(z, store.bv(hint.eval(&store, z).and_then(|v| v.to_u64()).unwrap(), 4));
    let Verdict::Sat(model) = oracle.check(&constraints, condition, Some(&hint), &budget) else { panic!("not sat") };
    assert_eq!(model.eval(&store, x), hint.eval(&store, x));
    assert!(satisfies(&store, &model, &constraints, condition));
}

#[test]
fn counting_up_to_an_input_asks_no_solver() {
    let store = Rc::new(TermStore::new());
    let brute = Brute::new(store.clone(), 16);
    let asked = brute.checks();
    let mut oracle = Oracle::new(store.clone(), Box::new(brute), OracleConfig::default());
    let limit = store.var("limit", Sort::Bv(16));
    let mut constraints = oracle.no_constraints();
    let mut model = Rc::new(Evaluator::new(Model::default()));
    for round in 0..300 {
        let stays = store.bv_ult(store.bv(round, 16), limit);
        let Verdict::Sat(leaves) = oracle.check(&constraints, store.not(stays), Some(&model), &Budget::unlimited()) else {
            panic!("round {round} can be the last one");
        };
        assert!(satisfies(&store, &leaves, &constraints, store.not(stays)));
        let Verdict::Sat(more) = oracle.check(&constraints, stays, Some(&model), &Budget::unlimited()) else {
            panic!("there can be more rounds than {round}");
        };
        constraints.push(&store, stays);
        assert!(satisfies(&store, &more, &constraints, stays));
        model = more;
    }
    assert_eq!(asked.get(), 0);
    let answered = |layer| oracle.statistics().answered(layer);
    assert!(answered(Layer::Guess) + answered(Layer::OneUnknown) >= 300);
}
