//! Bitwuzla under the common suite.

mod suite;

use fathom_smt::{Answer, FloatsAsBits, SolverError, Why};
use fathom_smt_bitwuzla::BitwuzlaBackend;
use fathom_term::sample::Theories;
use fathom_term::{FloatFormat, Op, Sort, TermStore};
use std::rc::Rc;
use std::time::Duration;
use suite::{Subject, fault, floats, operations, stack, terms};

fn knows(op: Op, sorts: &[Sort]) -> bool {
    use Op::*;
    // Formats with subnormal roots.
    if let (FpSqrt, [_, Sort::Float(format)]) = (op, sorts)
        && 1 << (format.exponent - 1) <= format.significand
    {
        return false;
    }
    !matches!(
        op,
        IntAdd
            | IntMul
            | IntNeg
            | IntDiv
            | IntMod
            | IntLt
            | IntLe
            | RealAdd
            | RealMul
            | RealNeg
            | RealDiv
            | RealLt
            | RealLe
            | IntToReal
            | RealToInt
            | BvToInt
            | IntToBv(_)
            | FpToReal
            | FpFromReal(_)
    )
}

fn subject() -> Subject {
    let store = Rc::new(TermStore::new());
    let backend = Box::new(BitwuzlaBackend::new(store.clone()).unwrap());
    Subject { store, backend, knows, arithmetic_width: 32 }
}

/// Bitwuzla below the translation of floats to bit-vectors, which must look like any other solver.
fn without_native_floats() -> Subject {
    let Subject { store, backend, .. } = subject();
    let backend = Box::new(FloatsAsBits::new(backend, store.clone()));
    let knows = |op, sorts: &[Sort]| op == Op::FpSqrt || knows(op, sorts);
    Subject { store, backend, knows, arithmetic_width: 8 }
}

#[test]
fn operations_agree_with_their_definition() {
    operations::agree_with_fold(&subject(), 1, 100, 6);
}

#[test]
fn tiny_floats_agree_with_their_definition() {
    operations::agree_with_fold_on_all_tiny_floats(&subject());
}

/// Without rewriting, the bit-blaster itself computes what the test above lets the rewriter compute.
#[test]
fn operations_agree_without_rewriting() {
    let store = Rc::new(TermStore::new());
    let options = [("rewrite-level", "0"), ("preprocess", "false")];
    let backend = Box::new(BitwuzlaBackend::with_options(store.clone(), &options).unwrap());
    operations::agree_with_fold(&Subject { store, backend, knows, arithmetic_width: 8 }, 2, 3, 3);
}

#[test]
fn random_terms_agree() {
    let theories = Theories { arrays: true, floats: false, numbers: false };
    terms::random_terms_agree(&subject(), theories, 0..600);
}

#[test]
fn random_float_terms_agree() {
    let theories = Theories { arrays: false, floats: true, numbers: false };
    terms::random_terms_agree(&subject(), theories, 0..300);
}

#[test]
fn the_contract_is_kept() {
    stack::the_contract_is_kept(&subject());
}

#[test]
fn floats_as_bits_agree() {
    operations::agree_with_fold(&without_native_floats(), 5, 5, 0);
    let theories = Theories { arrays: true, floats: true, numbers: false };
    terms::random_terms_agree(&without_native_floats(), theories, 0..100);
    floats::native_equals_bits(&subject(), FloatFormat { exponent: 4, significand: 4 });
}

#[test]
fn floats_as_bits_keep_the_contract() {
    let subject = without_native_floats();
    stack::the_contract_is_kept(&subject);
    stack::depth_does_not_matter(&subject, 100_000, Duration::from_secs(30));
}

#[test]
fn budgets_end_checks() {
    stack::budgets_end_checks(&subject());
}

#[test]
fn depth_does_not_matter() {
    stack::depth_does_not_matter(&subject(), 100_000, Duration::from_secs(30));
}

#[test]
fn integers_are_refused() {
    let subject = subject();
    let s = &subject.store;
    let x = s.var("x", Sort::Int);
    let mut solver = subject.backend.new_solver().unwrap();
    let condition = s.eq(x, s.int(3));
    assert!(matches!(solver.assert(condition), Err(SolverError::Unsupported(_))));
    let answer = solver.check(&[condition], &fathom_base::Budget::unlimited());
    assert!(matches!(answer, Answer::Unknown(Why::Unsupported(_))));
    // The refusal left the solver usable.
    assert_eq!(solver.check(&[], &fathom_base::Budget::unlimited()), Answer::Sat);
    assert!(subject.backend.name().starts_with("Bitwuzla 0.8"));
}

#[test]
fn a_fault_costs_one_query() {
    fault::costs_one_query(subject());
}
