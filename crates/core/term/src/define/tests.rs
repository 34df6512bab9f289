use super::*;
use crate::eval::{Evaluator, Model};
use crate::smtlib::Reader;
use crate::sort::Sort;
use crate::value::Value;

fn read(store: &TermStore, text: &str) -> Term {
    Reader::new(store).with_store_symbols().simplifying().term(text).unwrap()
}

fn store() -> TermStore {
    let store = TermStore::new();
    for name in ["f", "g"] {
        store.function(name, &[Sort::Int], Sort::Int);
    }
    store.function("h", &[Sort::Int, Sort::Int], Sort::Int);
    store.function("even", &[Sort::Int], Sort::Bool);
    store.var("k", Sort::Int);
    let map = store.array_sort(Sort::Int, Sort::Int);
    store.var("a", map);
    store
}

fn definitions(store: &TermStore, texts: &[&str]) -> (Definitions, usize) {
    let formulas: Vec<Term> = texts.iter().map(|text| read(store, text)).collect();
    let (definitions, others) = Definitions::among(store, &formulas, &mut ClauseMemo::default());
    (definitions, others.len())
}

#[test]
fn recursion_that_ends_is_told_from_other_recursion() {
    let cases: [(&[&str], bool); 20] = [
        (&["(forall ((n Int)) (=> (<= 1 n) (= (f n) (* n (f (- n 1))))))"], true),
        (&["(forall ((n Int)) (=> (< (- 7) n) (= (f n) (+ (f (- n 2)) (f (- n 1)) (select a n)))))"], true),
        (&["(forall ((n Int)) (= (f n) (ite (<= n 0) 0 (+ n (f (- n 1))))))"], true),
        (&["(forall ((n Int)) (=> (>= n 0) (= (f (+ n 1)) (+ 2 (f n)))))"], true),
        (&["(forall ((n Int)) (=> (> n k) (= (f n) (f (- n 1)))))"], true),
        (&["(forall ((n Int)) (=> (< n 9) (= (f n) (f (+ n 1)))))"], true),
        (&["(forall ((i Int) (j Int)) (=> (< i j) (= (h i j) (+ (h i (- j 1)) (select a j)))))"], true),
        (&["(forall ((i Int) (j Int)) (=> (< i j) (= (h i j) (+ (h (+ i 1) j) 1))))"], true),
        (&["(forall ((m Int) (n Int)) (=> (and (> m 3) (> n 0)) (= (h m n) (h (* 2 m) (- n 1)))))"], true),
        (&["(forall ((n Int)) (= (even n) (or (= n 0) (and (> n 1) (even (- n 2))))))"], true),
        (&["(forall ((n Int)) (=> (< n 1) (= (f n) 1)))", "(forall ((n Int)) (=> (> n 0) (= (f n) (f (- n 1)))))"], true),
        (&["(forall ((n Int)) (=> (> n 0) (= (f n) (g (- n 1)))))", "(forall ((n Int)) (=> (> n 0) (= (g n) (f (- n 1)))))"], true),
        (&["(forall ((n Int)) (= (f n) (f (- n 1))))"], false),
        (&["(forall ((n Int)) (=> (> n 0) (= (f n) (f (+ n 1)))))"], false),
        (&["(forall ((n Int)) (=> (> n 0) (= (f n) (+ 1 (f n)))))"], false),
        (&["(forall ((n Int)) (= (f n) (ite (= n 0) 1 (* n (f (- n 1))))))"], false),
        (&["(forall ((i Int) (j Int)) (=> (< i j) (= (h i j) (h (- i 1) (- j 1)))))"], false),
        (&["(forall ((n Int)) (=> (> n 0) (= (f n) (f (f (- n 1))))))"], false),
        (&["(forall ((n Int)) (=> (> n 0) (= (f n) 1)))", "(forall ((n Int)) (=> (> n 5) (= (f n) 2)))"], false),
        (&["(forall ((n Int)) (=> (> n 0) (= (f n) (f (- n 1)))))", "(forall ((n Int)) (> (f n) 0))"], false),
    ];
    for (texts, expected) in cases {
        let (found, others) = definitions(&store(), texts);
        assert_eq!(!found.is_empty() && others == 0, expected, "{texts:?}: {found:?}");
        assert!(expected || found.is_empty(), "{texts:?}");
    }
}

#[test]
fn values_by_definition() {
    let store = store();
    let texts = [
        "(forall ((n Int)) (=> (<= 1 n) (= (f n) (* n (f (- n 1))))))",
        "(forall ((n Int)) (= (even n) (or (= n 0) (and (> n 1) (even (- n 2))))))",
        "(forall ((i Int) (j Int)) (=> (< i j) (= (h i j) (+ (h i (- j 1)) (f j)))))",
    ];
    let (found, _) = definitions(&store, &texts);
    let mut model = Model::default();
    let f = store.find_function("f").unwrap();
    // At 3 the definition speaks, whatever the model says.
    for (at, value) in [(0, 1), (3, 17), (-5, 8)] {
        model.functions.insert((f, vec![Value::int(at)]), Value::int(value));
    }
    let evaluator = Evaluator::with_definitions(model, Rc::new(found));
    let cases = [
        ("(= (f 5) 120)", Some(true)),
        ("(= (f (- 5)) 8)", Some(true)),
        ("(even 1000)", Some(true)),
        ("(even 1001)", Some(false)),
        ("(= (h 0 4) 33)", Some(true)),
        ("(= (h 4 0) 0)", Some(true)),
        ("(> (f 1000000) 0)", None),
    ];
    for (text, expected) in cases {
        assert_eq!(evaluator.holds(&store, read(&store, text)), expected, "{text}");
    }
    assert_eq!(evaluator.computed_model().functions[&(f, vec![Value::int(3)])], Value::int(6));
}

#[test]
fn instances_of_constants_come_to_an_end() {
    let store = store();
    let (found, _) = definitions(&store, &["(forall ((n Int)) (=> (<= 1 n) (= (f n) (* n (f (- n 1))))))"]);
    let at = |text: &str, times: usize| found.instances(&store, &[read(&store, text)], times, 100).unwrap();
    let (instances, complete) = at("(= (f 4) 24)", 10);
    assert_eq!((instances.len(), complete), (4, true));
    let (instances, complete) = at("(= (f k) 24)", 10);
    assert_eq!((instances.len(), complete), (10, false));
}
