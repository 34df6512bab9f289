//! The rest of the contract: levels, assumptions, models of arrays and functions, budgets, depth, errors.

use super::Subject;
use fathom_base::Budget;
use fathom_smt::Answer;
use fathom_term::{Evaluator, FloatFormat, Op, Sort, Term, Value};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

fn unlimited() -> Budget {
    Budget::unlimited()
}

/// What every solver does, as far as that takes no special question.
pub fn the_contract_is_kept(subject: &Subject) {
    levels_are_taken_back(subject);
    failed_assumptions_contradict(subject);
    array_models_hold(subject);
    function_models_hold(subject);
    float_bits_are_tied(subject);
    quantifiers_are_understood(subject);
    many_solvers_share_terms(subject);
}

fn levels_are_taken_back(subject: &Subject) {
    let s = &subject.store;
    let x = s.var("level-x", Sort::Bv(8));
    let mut solver = subject.backend.new_solver().unwrap();
    solver.assert(s.bv_ult(x, s.bv(10, 8))).unwrap();
    solver.push().unwrap();
    solver.assert(s.bv_ult(s.bv(5, 8), x)).unwrap();
    solver.push().unwrap();
    solver.assert(s.bv_ult(s.bv(20, 8), x)).unwrap();
    assert_eq!(solver.check(&[], &unlimited()), Answer::Unsat);
    solver.pop(1).unwrap();
    assert_eq!(solver.check(&[], &unlimited()), Answer::Sat);
    let model = solver.model(&[s.as_var(x).unwrap()]).unwrap();
    let value = model.get(s, s.as_var(x).unwrap()).to_u64().unwrap();
    assert!((6..10).contains(&value));
    solver.pop(1).unwrap();
    solver.assert(s.eq(x, s.bv(0, 8))).unwrap();
    assert_eq!(solver.check(&[], &unlimited()), Answer::Sat);
    assert!(solver.pop(7).is_err());
}

fn failed_assumptions_contradict(subject: &Subject) {
    let s = &subject.store;
    let (x, y) = (s.var("assume-x", Sort::Bv(16)), s.var("assume-y", Sort::Bv(16)));
    let mut solver = subject.backend.new_solver().unwrap();
    solver.assert(s.bv_ult(x, y)).unwrap();
    let harmless = s.bv_ult(s.bv(3, 16), x);
    let culprits = [s.eq(y, s.bv(7, 16)), s.bv_ult(s.bv(8, 16), x)];
    let assumptions = [harmless, culprits[0], culprits[1]];
    assert_eq!(solver.check(&assumptions, &unlimited()), Answer::Unsat);
    let failed = solver.failed_assumptions().unwrap();
    assert!(failed.iter().all(|term| assumptions.contains(term)));
    assert!(culprits.iter().all(|term| failed.contains(term)));
    assert_eq!(solver.check(&[harmless], &unlimited()), Answer::Sat);
}

/// Arrays with symbolic indices, equality of arrays included.
fn array_models_hold(subject: &Subject) {
    let s = &subject.store;
    let sort = s.array_sort(Sort::Bv(32), Sort::Bv(8));
    let (a, b) = (s.var("array-a", sort), s.var("array-b", sort));
    let (i, j) = (s.var("array-i", Sort::Bv(32)), s.var("array-j", Sort::Bv(32)));
    let everywhere = s.const_array(sort, s.bv(9, 8));
    let conditions = [
        s.eq(s.select(a, i), s.bv(42, 8)),
        s.eq(s.select(a, j), s.bv(43, 8)),
        s.eq(b, s.store(a, i, s.bv(1, 8))),
        s.ne(s.select(b, j), s.select(a, s.bv(77, 32))),
        s.ne(a, everywhere),
        s.eq(s.select(s.store(everywhere, i, s.bv(5, 8)), j), s.bv(9, 8)),
    ];
    model_satisfies(subject, &conditions, &[a, b, i, j]);
}

fn function_models_hold(subject: &Subject) {
    let s = &subject.store;
    let opaque = s.opaque_sort("Thing");
    let f = s.function("function-f", &[Sort::Bv(8), opaque], Sort::Bv(8));
    let g = s.function("function-g", &[Sort::Bv(8)], opaque);
    let x = s.var("function-x", Sort::Bv(8));
    let thing = s.var("function-thing", opaque);
    let g_x = s.build(Op::Apply(g), &[x]);
    let f_x = s.build(Op::Apply(f), &[x, thing]);
    let f_f = s.build(Op::Apply(f), &[f_x, g_x]);
    let conditions = [s.ne(g_x, thing), s.eq(f_x, s.bv_add(x, s.bv(1, 8))), s.eq(f_f, s.bv(200, 8)), s.bv_ult(s.bv(3, 8), x)];
    model_satisfies(subject, &conditions, &[x, thing]);
    let mut solver = subject.backend.new_solver().unwrap();
    solver.assert(s.ne(f_x, s.build(Op::Apply(f), &[s.bv(4, 8), thing]))).unwrap();
    assert_eq!(solver.check(&[s.eq(x, s.bv(4, 8))], &unlimited()), Answer::Unsat);
}

/// The bits of the result of an operation, asserted, assumed, and gone with their level.
fn float_bits_are_tied(subject: &Subject) {
    let s = &subject.store;
    let float = Sort::Float(FloatFormat::SINGLE);
    let x = s.var("bits-x", float);
    let negated = s.build(Op::FpNeg, &[x]);
    let bits = s.build(Op::FpToBits, &[negated]);
    let one = s.bv(u64::from(1.0f32.to_bits()), 32);
    let question = s.eq(bits, one);
    let is_minus_one = s.build(Op::FpEq, &[x, s.constant(&Value::Bits(u64::from((-1.0f32).to_bits())), float)]);
    let mut solver = subject.backend.new_solver().unwrap();
    assert_eq!(solver.check(&[question, s.not(is_minus_one)], &unlimited()), Answer::Unsat);
    solver.push().unwrap();
    solver.assert(question).unwrap();
    assert_eq!(solver.check(&[s.not(is_minus_one)], &unlimited()), Answer::Unsat);
    solver.pop(1).unwrap();
    solver.push().unwrap();
    solver.assert(s.not(is_minus_one)).unwrap();
    assert_eq!(solver.check(&[], &unlimited()), Answer::Sat);
    assert_eq!(solver.check(&[question], &unlimited()), Answer::Unsat);
    model_satisfies(subject, &[question], &[x]);
    // NaN has one encoding.
    let is_nan = s.build(Op::FpIsNan, &[x]);
    let mut solver = subject.backend.new_solver().unwrap();
    solver.assert(is_nan).unwrap();
    assert_eq!(solver.check(&[s.ne(bits, s.bv(0x7fc0_0000, 32))], &unlimited()), Answer::Unsat);
}

fn quantifiers_are_understood(subject: &Subject) {
    let s = &subject.store;
    let x = s.var("quantified-x", Sort::Bv(8));
    let y = s.var("quantified-y", Sort::Bv(8));
    let (x_id, y_id) = (s.as_var(x).unwrap(), s.as_var(y).unwrap());
    // Some x is at least every y; x occurs free as well.
    let largest = s.exists(vec![x_id], vec![], s.forall(vec![y_id], vec![], s.bv_ule(y, x)));
    let mut solver = subject.backend.new_solver().unwrap();
    solver.assert(largest).unwrap();
    solver.assert(s.eq(x, s.bv(3, 8))).unwrap();
    assert_eq!(solver.check(&[], &unlimited()), Answer::Sat);
    let beyond = s.exists(vec![x_id], vec![], s.forall(vec![y_id], vec![], s.bv_ult(y, x)));
    solver.assert(beyond).unwrap();
    assert_eq!(solver.check(&[], &unlimited()), Answer::Unsat);
}

/// `x * y = c` for the product of two primes: too hard for a moment.
pub fn hard_question(subject: &Subject, prefix: &str) -> Vec<Term> {
    let s = &subject.store;
    let (x, y) = (s.var(&format!("{prefix}-x"), Sort::Bv(128)), s.var(&format!("{prefix}-y"), Sort::Bv(128)));
    let half = s.bv(u64::MAX, 128);
    let product = Value::bits(num_bigint::BigUint::from(2915696333923769447u64) * 4219262503184953739u64, 128);
    vec![
        s.eq(s.bv_mul(x, y), s.constant(&product, Sort::Bv(128))),
        s.bv_ult(x, half),
        s.bv_ult(y, half),
        s.bv_ult(s.bv(1, 128), x),
        s.bv_ult(s.bv(1, 128), y),
    ]
}

pub fn budgets_end_checks(subject: &Subject) {
    let question = hard_question(subject, "budget");
    let s = &subject.store;
    let mut solver = subject.backend.new_solver().unwrap();
    solver.push().unwrap();
    for condition in question {
        solver.assert(condition).unwrap();
    }
    let started = Instant::now();
    let answer = solver.check(&[], &unlimited().at_most(Duration::from_millis(300)));
    assert_eq!(answer, Answer::Unknown(fathom_smt::Why::Budget));
    assert!(started.elapsed() < Duration::from_secs(5), "stopped after {:?}", started.elapsed());
    let budget = unlimited();
    let flag = budget.cancel_flag();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
    });
    let started = Instant::now();
    assert_eq!(solver.check(&[], &budget), Answer::Unknown(fathom_smt::Why::Budget));
    assert!(started.elapsed() < Duration::from_secs(5), "stopped after {:?}", started.elapsed());
    canceller.join().unwrap();
    // A stopped solver is as good as new.
    solver.pop(1).unwrap();
    let x = s.var("budget-after", Sort::Bv(8));
    solver.assert(s.eq(x, s.bv(3, 8))).unwrap();
    assert_eq!(solver.check(&[], &unlimited()), Answer::Sat);
}

/// Terms far deeper than any stack: a chain of sums and a chain of choices.
pub fn depth_does_not_matter(subject: &Subject, levels: u64, time: Duration) {
    let s = &subject.store;
    let x = s.var("deep-x", Sort::Bv(32));
    let (mut sum, mut choice) = (x, x);
    for i in 0..levels {
        let next = s.var(&format!("deep-{}", i % 7), Sort::Bv(32));
        sum = s.build(Op::BvXor, &[s.bv_add(sum, next), s.bv(i, 32)]);
        choice = s.ite(s.bv_ult(next, s.bv(i % 50, 32)), s.bv(i, 32), choice);
    }
    let mut solver = subject.backend.new_solver().unwrap();
    for i in 0..7 {
        solver.assert(s.eq(s.var(&format!("deep-{i}"), Sort::Bv(32)), s.bv(i, 32))).unwrap();
    }
    solver.assert(s.eq(x, s.bv(12345, 32))).unwrap();
    solver.assert(s.ne(sum, choice)).unwrap();
    let answer = solver.check(&[], &unlimited().at_most(time));
    assert!(matches!(answer, Answer::Sat | Answer::Unknown(_)), "{answer:?}");
}

/// Checks the conditions and evaluates them under the model.
pub fn model_satisfies(subject: &Subject, conditions: &[Term], variables: &[Term]) {
    let s = &subject.store;
    let mut solver = subject.backend.new_solver().unwrap();
    for &condition in conditions {
        solver.assert(condition).unwrap();
    }
    assert_eq!(solver.check(&[], &unlimited()), Answer::Sat);
    let vars: Vec<_> = variables.iter().filter_map(|&variable| s.as_var(variable)).collect();
    let model = solver.model(&vars).unwrap();
    let shown = format!("{model:?}");
    let evaluator = Evaluator::new(model);
    for &condition in conditions {
        assert_eq!(evaluator.holds(s, condition), Some(true), "{condition:?} under {shown}");
    }
}

fn many_solvers_share_terms(subject: &Subject) {
    let s = &subject.store;
    let x = s.var("shared-x", Sort::Bv(32));
    let square = s.bv_mul(x, x);
    let mut solvers: Vec<_> = (0..20).map(|_| subject.backend.new_solver().unwrap()).collect();
    for (i, solver) in solvers.iter_mut().enumerate() {
        solver.assert(s.eq(square, s.bv((i * i) as u64, 32))).unwrap();
    }
    solvers.remove(7);
    for solver in &mut solvers {
        assert_eq!(solver.check(&[], &unlimited()), Answer::Sat);
    }
}
