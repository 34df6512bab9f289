//! How long the layers take that answer without a solver. `cargo bench -p fathom-smt`. A state has a few hundred
//! constraints in groups over a few variables each, as a path through a loop over an array has.

use fathom_base::Budget;
use fathom_smt::{Brute, Constraints, Layer, Oracle, OracleConfig, PoolConfig, Verdict};
use fathom_term::{Evaluator, Model, Sort, Term, TermStore, Value};
use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

const GROUPS: usize = 64;
const WIDTH: u32 = 6;

struct Setting {
    store: Rc<TermStore>,
    oracle: Oracle,
    vars: Vec<[Term; 2]>,
    constraints: Constraints,
    model: Rc<Evaluator>,
}

/// `GROUPS` pairs x < y of small variables with three more constraints each.
fn setting() -> Setting {
    let store = Rc::new(TermStore::new());
    // Brute force can't bear other groups on its stack: a new solver for each query.
    let pool = PoolConfig { checks: 1, ..PoolConfig::default() };
    let config = OracleConfig { pool, ..OracleConfig::default() };
    let oracle = Oracle::new(store.clone(), Box::new(Brute::new(store.clone(), 14)), config);
    let vars: Vec<[Term; 2]> = (0..GROUPS).map(|i| ["x", "y"].map(|name| store.var(&format!("{name}{i}"), Sort::Bv(WIDTH)))).collect();
    let mut constraints = oracle.no_constraints();
    let mut model = Model::default();
    for &[x, y] in &vars {
        constraints.push(&store, store.bv_ult(x, y));
        for excluded in [50, 51, 52] {
            constraints.push(&store, store.ne(store.bv_add(x, y), store.bv(excluded, WIDTH)));
        }
        for (var, value) in [(x, 1), (y, 2)] {
            if let Some(var) = store.as_var(var) {
                model.values.insert(var, Value::Bits(value));
            }
        }
    }
    Setting { store, oracle, vars, constraints, model: Rc::new(Evaluator::new(model)) }
}

/// Prints the median time of one call.
fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!("{name:<58} median {:>10.3?}   99% {:>10.3?}   n {}", at(50), at(99), times.len());
}

fn time<T>(times: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = black_box(work());
    times.push(start.elapsed());
    result
}

fn hint(s: &mut Setting) {
    let budget = Budget::unlimited();
    for round in ["new condition", "condition seen before"] {
        let mut times = Vec::new();
        for limit in 3..60 {
            for &[x, _] in &s.vars {
                let condition = s.store.bv_ult(x, s.store.bv(limit, WIDTH));
                time(&mut times, || s.oracle.check(&s.constraints, condition, Some(&s.model), &budget));
            }
        }
        report(&format!("hint, {round}"), times);
    }
}

/// Each question twice from the same state (cache), then from one with another constraint in the group.
fn layers(s: &mut Setting) {
    let budget = Budget::unlimited();
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); Layer::ALL.len()];
    for round in 0..3 {
        for limit in 3..40 {
            for &[x, y] in &s.vars[..16] {
                let mut constraints = s.constraints.clone();
                if round == 2 {
                    constraints.push(&s.store, s.store.ne(y, s.store.bv(62, WIDTH)));
                }
                let possible = s.store.bv_ult(s.store.bv(limit, WIDTH), x);
                let impossible = s.store.bv_ult(y, s.store.bv_add(x, s.store.bv(0, WIDTH)));
                let mixed = s.store.and(impossible, s.store.ne(x, s.store.bv(limit, WIDTH)));
                for condition in [possible, mixed] {
                    let before: Vec<u64> = Layer::ALL.map(|layer| s.oracle.statistics().answered(layer)).to_vec();
                    let start = Instant::now();
                    let verdict = s.oracle.check(&constraints, condition, Some(&s.model), &budget);
                    let elapsed = start.elapsed();
                    assert!(!matches!(verdict, Verdict::Unknown(_)));
                    for layer in Layer::ALL {
                        if s.oracle.statistics().answered(layer) > before[layer as usize] {
                            times[layer as usize].push(elapsed);
                        }
                    }
                }
            }
        }
    }
    for layer in Layer::ALL.into_iter().filter(|&layer| layer != Layer::Solver) {
        let times = std::mem::take(&mut times[layer as usize]);
        if !times.is_empty() {
            report(&format!("{layer:?} ({GROUPS} groups, {} constraints)", s.constraints.len()), times);
        }
    }
}

fn resident_kib() -> u64 {
    fathom_base::process::own_resident_bytes().unwrap_or(0) / 1024
}

/// Many states alive: every state forks from an earlier one and adds a constraint.
fn states(s: &Setting) {
    const STATES: usize = 100_000;
    let store = &s.store;
    let conditions: Vec<Term> = (0..STATES)
        .map(|i| {
            let [x, y] = s.vars[i % GROUPS];
            let sum = store.bv_add(store.build(fathom_term::Op::BvZeroExtend(32), &[x]), store.bv(i as u64, 32));
            store.bv_ult(sum, store.build(fathom_term::Op::BvZeroExtend(32), &[y]))
        })
        .collect();
    for &condition in &conditions {
        s.constraints.sets().of(store, condition);
    }
    let before = resident_kib();
    let mut alive = vec![s.constraints.clone()];
    let mut times = Vec::with_capacity(STATES);
    for (i, &condition) in conditions.iter().enumerate() {
        let parent = &alive[(i * 7919) % alive.len()];
        let child = time(&mut times, || {
            let mut child = parent.clone();
            child.push(store, condition);
            child
        });
        alive.push(child);
    }
    report("clone and push", times);
    let grown = resident_kib().saturating_sub(before);
    println!("{STATES} states alive: {} bytes each", grown * 1024 / STATES as u64);
    let mut times = Vec::new();
    for state in alive.iter().step_by(100) {
        let symbols = state.sets().of(store, s.vars[3][0]);
        time(&mut times, || state.relevant(&symbols));
    }
    report("relevant", times);
}

fn main() {
    let mut setting = setting();
    hint(&mut setting);
    layers(&mut setting);
    states(&setting);
    println!("{}", setting.oracle.statistics());
}
