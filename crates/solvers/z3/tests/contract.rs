//! Z3 under the common suite, which raises signals with `libc`.

#[path = "../../bitwuzla/tests/suite/mod.rs"]
mod suite;

use fathom_base::Budget;
use fathom_smt::{Answer, Why};
use fathom_smt_z3::{Parameter, Z3Backend, Z3Options};
use fathom_term::sample::Theories;
use fathom_term::{FloatFormat, Op, Sort, TermStore};
use std::rc::Rc;
use std::time::Duration;
use suite::{Subject, fault, floats, operations, stack, terms};

fn with(options: Z3Options) -> Subject {
    let store = Rc::new(TermStore::new());
    let backend = Box::new(Z3Backend::with_options(store.clone(), options).unwrap());
    Subject { store, backend, knows: |_, _| true, arithmetic_width: 8 }
}

fn subject() -> Subject {
    with(Z3Options::default())
}

#[test]
fn operations_agree_with_their_definition() {
    operations::agree_with_fold(&subject(), 3, 60, 1);
}

#[test]
fn tiny_floats_agree_with_their_definition() {
    operations::agree_with_fold_on_all_tiny_floats(&subject());
}

#[test]
fn native_floats_equal_their_translation() {
    floats::native_equals_bits(&subject(), FloatFormat { exponent: 3, significand: 3 });
}

#[test]
fn random_terms_agree() {
    let theories = Theories { arrays: true, floats: false, numbers: true };
    terms::random_terms_agree(&subject(), theories, 0..300);
}

#[test]
fn random_float_terms_agree() {
    let theories = Theories { arrays: false, floats: true, numbers: false };
    terms::random_terms_agree(&subject(), theories, 0..100);
}

#[test]
fn the_contract_is_kept() {
    let subject = subject();
    stack::the_contract_is_kept(&subject);
    assert!(subject.backend.name().starts_with("Z3 5."));
}

#[test]
fn budgets_end_checks() {
    stack::budgets_end_checks(&subject());
}

#[test]
fn depth_does_not_matter() {
    // Taking such terms is no trouble; deciding them takes Z3 a while.
    stack::depth_does_not_matter(&subject(), 100_000, Duration::ZERO);
    stack::depth_does_not_matter(&subject(), 10_000, Duration::from_secs(30));
}

/// A limit in Z3's own units ends a check as a budget does.
#[test]
fn resource_limits_end_checks() {
    let subject = with(Z3Options { logic: None, parameters: vec![("rlimit".into(), Parameter::Number(20_000))] });
    let mut solver = subject.backend.new_solver().unwrap();
    for condition in stack::hard_question(&subject, "resources") {
        solver.assert(condition).unwrap();
    }
    assert_eq!(solver.check(&[], &Budget::unlimited()), Answer::Unknown(Why::Budget));
}

/// Unknown parameters are reported, not ignored.
#[test]
fn wrong_parameters_are_errors() {
    let subject = with(Z3Options { logic: None, parameters: vec![("no-such".into(), Parameter::Bool(true))] });
    assert!(subject.backend.new_solver().is_err());
}

/// Axioms with triggers, as Boogie programs have them.
#[test]
fn triggers_are_used() {
    let subject = subject();
    let s = &subject.store;
    let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
    let f = s.function("f", &[Sort::Int], Sort::Int);
    let f_of = |term| s.build(Op::Apply(f), &[term]);
    let less = |a, b| s.build(Op::IntLt, &[a, b]);
    let x_id = s.as_var(x).unwrap();
    let grows = s.forall(vec![x_id], vec![vec![f_of(x)]], less(x, f_of(x)));
    // A trigger without the bound variable is only a hint lost.
    let useless = s.forall(vec![x_id], vec![vec![f_of(y)]], less(s.int(-1), s.build(Op::IntMul, &[x, x])));
    let mut solver = subject.backend.new_solver().unwrap();
    solver.assert(grows).unwrap();
    solver.assert(useless).unwrap();
    solver.assert(less(f_of(f_of(y)), s.build(Op::IntAdd, &[y, s.int(2)]))).unwrap();
    assert_eq!(solver.check(&[], &Budget::unlimited()), Answer::Unsat);
}

#[test]
fn a_fault_costs_one_query() {
    fault::costs_one_query(subject());
}
