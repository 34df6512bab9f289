//! Every installed solver through the same questions. A solver that is missing is reported and skipped.

use fathom_base::Budget;
use fathom_smt::{Answer, Backend, Solver, SolverError};
use fathom_smt_pipe::{KNOWN, PipeBackend, find};
use fathom_term::smtlib::read_term;
use fathom_term::{Evaluator, FloatFormat, Op, RoundingMode, Sort, Term, TermStore, Value};
use std::rc::Rc;
use std::time::Duration;

fn budget() -> Budget {
    Budget::new(Some(Duration::from_secs(60)), None, Default::default())
}

/// Runs a test with every solver that is there.
fn with_each(test: impl Fn(&Rc<TermStore>, &PipeBackend)) {
    for dialect in KNOWN {
        let store = Rc::new(TermStore::new());
        match find(dialect.name, &store) {
            Ok(backend) => {
                println!("with {}", backend.name());
                test(&store, &backend);
            }
            Err(error) => println!("skipped {}: {error}", dialect.name),
        }
    }
}

fn start(backend: &PipeBackend) -> Box<dyn Solver> {
    backend.new_solver().unwrap()
}

#[test]
fn stack_assumptions_and_models() {
    with_each(|store, backend| {
        let mut solver = start(backend);
        let x = store.var("x", Sort::Bv(32));
        let y = store.var("and", Sort::Bv(32));
        let p = store.var("p", Sort::Bool);
        let product = store.bv_mul(x, y);
        solver.assert(store.eq(product, store.bv(35, 32))).unwrap();
        solver.assert(store.bv_ult(x, y)).unwrap();
        solver.assert(store.bv_ult(y, store.bv(20, 32))).unwrap();
        assert_eq!(solver.check(&[], &budget()), Answer::Sat);
        let vars: Vec<_> = [x, y, p].iter().map(|&term| store.as_var(term).unwrap()).collect();
        let model = solver.model(&vars).unwrap();
        assert_eq!(model.values.get(&vars[0]).unwrap().to_u64().unwrap() * model.values.get(&vars[1]).unwrap().to_u64().unwrap(), 35);

        solver.push().unwrap();
        solver.assert(store.implies(p, store.eq(x, store.bv(2, 32)))).unwrap();
        let odd = store.eq(store.extract(x, 0, 0), store.bv(1, 1));
        let small = store.bv_ult(product, store.bv(1000, 32));
        assert_eq!(solver.check(&[small, p, odd], &budget()), Answer::Unsat);
        let failed = solver.failed_assumptions().unwrap();
        assert!(failed.contains(&p), "{failed:?}");
        assert_eq!(solver.check(&failed, &budget()), Answer::Unsat);
        assert_eq!(solver.check(&[store.not(p), odd], &budget()), Answer::Sat);
        assert_eq!(solver.model(&vars).unwrap().values.get(&vars[2]), Some(&Value::FALSE));
        assert_eq!(solver.check(&[], &budget()), Answer::Sat);
        solver.pop(1).unwrap();

        // The variable p and the definitions of the popped level are gone, and come back.
        assert_eq!(solver.check(&[p, odd, small], &budget()), Answer::Sat);
        solver.push().unwrap();
        solver.push().unwrap();
        solver.assert(store.ne(product, store.bv(35, 32))).unwrap();
        assert_eq!(solver.check(&[], &budget()), Answer::Unsat);
        assert_eq!(solver.failed_assumptions().unwrap(), vec![]);
        assert!(solver.model(&vars).is_err());
        solver.pop(2).unwrap();
        assert_eq!(solver.check(&[], &budget()), Answer::Sat);
        assert!(solver.pop(1).is_err());
    });
}

/// Satisfiable formulas of every theory: the model must make them true.
#[test]
fn models_of_every_theory_hold() {
    let declare = |store: &TermStore| {
        store.var("a", store.array_sort(Sort::Bv(8), Sort::Bv(8)));
        store.var("b", store.array_sort(Sort::Bv(8), Sort::Bv(8)));
        store.var("x", Sort::Bv(8));
        store.var("w", Sort::Bv(100));
        store.var("f", Sort::Float(FloatFormat::SINGLE));
        store.var("h", Sort::Float(FloatFormat::HALF));
        store.var("m", Sort::RoundingMode);
        store.var("i", Sort::Int);
        store.var("r", Sort::Real);
        let node = store.opaque_sort("Node");
        store.var("n", node);
        store.var("o", node);
        store.function("next", &[node], node);
        store.function("g", &[Sort::Bv(8), Sort::Bool], Sort::Bv(8));
    };
    let formulas = [
        "(and (= (select a x) #x05) (= b (store a #x01 #x09)) (not (= a b)) (= (select b x) #x09))",
        "(= (bvmul w (_ bv7 100)) (_ bv1267650600228229401496703205375 100))",
        "(and (fp.lt f (fp.neg f)) (fp.isSubnormal f))",
        "(and (= (fp.add m h (fp #b0 #b00000 #b0000000001)) h) (fp.isNormal h) (not (= m RNE)))",
        "(and (= x (fp.to_ieee_bv ((_ to_fp 3 5) RNE f))) (fp.isNaN f))",
        "(and (= ((_ fp.to_sbv 8) RTZ f) #xf3) (not (= ((_ fp.to_ubv 8) RNE f) #x01)))",
        "(and (< (* 3 i) (- 10)) (= (mod i 4) 3) (= (div i 0) 0) (= r (/ (to_real i) 7.0)))",
        "(and (= (to_int r) 2) (not (= r 2.0)) (= (bv2nat x) (+ i 3)))",
        "(and (not (= n o)) (= (next n) o) (= (next o) n))",
        "(and (= (g x true) #x05) (not (= (g #x02 (= x #x07)) #x05)))",
        "(and (bvsmulo x #x02) (not (bvumulo x #x02)) (= (fp.min f (_ -zero 8 24)) (_ -zero 8 24)) (fp.isZero f))",
        "(= ((as const (Array (_ BitVec 8) (_ BitVec 8))) x) (store a x #x03))",
    ];
    with_each(|store, backend| {
        declare(store);
        let vars: Vec<_> = (0..store.var_count()).map(|i| fathom_term::VarId(i as u32)).collect();
        for text in formulas {
            let term = read_term(store, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let mut solver = start(backend);
            match solver.assert(term) {
                Err(SolverError::Unsupported(what)) => {
                    println!("  no {what}");
                    continue;
                }
                other => other.unwrap(),
            }
            match solver.check(&[], &budget()) {
                Answer::Sat => {}
                other => panic!("{}: {other:?}\n{text}", backend.name()),
            }
            let model = solver.model(&vars).unwrap_or_else(|error| panic!("{}: {error}\n{text}", backend.name()));
            assert_eq!(Evaluator::new(model.clone()).holds(store, term), Some(true), "{text}\n{model:?}");
        }
    });
}

#[test]
fn quantifiers_with_triggers() {
    with_each(|store, backend| {
        if !backend.dialect().quantifiers || !backend.dialect().numbers {
            return;
        }
        store.function("h", &[Sort::Int], Sort::Int);
        store.var("k", Sort::Int);
        let axiom = read_term(store, "(forall ((x Int)) (! (< (h x) (h (+ x 1))) :pattern ((h x))))").unwrap();
        let goal = read_term(store, "(not (< (h k) (h (+ k 2))))").unwrap();
        let mut solver = start(backend);
        solver.assert(axiom).unwrap();
        solver.assert(goal).unwrap();
        solver.assert(read_term(store, "(= (h (+ k 1)) (h (+ k 1)))").unwrap()).unwrap();
        assert_eq!(solver.check(&[], &budget()), Answer::Unsat, "{}", backend.name());
    });
}

/// 100,000 levels, and the same terms over and over: no solver's parser may overflow.
#[test]
fn deep_and_shared_terms() {
    with_each(|store, backend| {
        let x = store.var("x", Sort::Bv(16));
        let p = store.var("p", Sort::Bool);
        let (mut choice, mut shared) = (x, x);
        for i in 0..2_000u64 {
            let condition = store.eq(store.build(Op::BvXor, &[choice, store.bv(i, 16)]), x);
            choice = store.intern(Op::Ite, Sort::Bv(16), &[store.and(p, condition), store.bv(7, 16), choice]);
        }
        for _ in 0..100 {
            shared = store.bv_add(store.build(Op::BvNot, &[shared]), shared);
        }
        let mut solver = start(backend);
        solver.assert(store.not(p)).unwrap();
        solver.assert(store.eq(choice, store.bv(3, 16))).unwrap();
        assert_eq!(solver.check(&[], &budget()), Answer::Sat, "{}", backend.name());
        let model = solver.model(&[store.as_var(x).unwrap()]).unwrap();
        assert_eq!(model.values.get(&store.as_var(x).unwrap()), Some(&Value::Bits(3)));
        solver.push().unwrap();
        solver.assert(store.eq(shared, choice)).unwrap();
        assert!(!matches!(solver.check(&[], &budget()), Answer::Unknown(_)));
    });
}

/// A multiplication that no solver finishes: the deadline holds, and the solver is usable afterwards.
#[test]
fn deadlines_hold_and_do_no_harm() {
    with_each(|store, backend| {
        let mut solver = start(backend);
        let (x, y) = (store.var("x", Sort::Bv(96)), store.var("y", Sort::Bv(96)));
        let one = store.bv(1, 96);
        let wide = |term| store.build(Op::BvZeroExtend(192), &[term]);
        let square = |term: Term| store.bv_mul(wide(term), wide(term));
        solver.push().unwrap();
        solver.assert(store.eq(square(x), store.bv_add(store.bv_mul(store.bv(2, 192), square(y)), store.bv(7, 192)))).unwrap();
        solver.assert(store.bv_ult(store.bv_mul(one, store.bv(1 << 60, 96)), x)).unwrap();
        let began = std::time::Instant::now();
        let short = Budget::new(Some(Duration::from_millis(300)), None, Default::default());
        let answer = solver.check(&[], &short);
        assert!(began.elapsed() < Duration::from_secs(5), "{}: {:?}", backend.name(), began.elapsed());
        println!("  {answer:?} after {:?}", began.elapsed());
        solver.pop(1).unwrap();
        solver.assert(store.bv_ult(x, y)).unwrap();
        assert_eq!(solver.check(&[], &budget()), Answer::Sat, "{}", backend.name());
    });
}

/// Conversions and rounding on constants: the solver must agree with `fold`.
#[test]
fn floats_agree_with_fold() {
    with_each(|store, backend| {
        if !backend.dialect().floats {
            return;
        }
        let half = Sort::Float(FloatFormat::HALF);
        let f = store.var("f", half);
        for mode in RoundingMode::ALL {
            let mode = store.rounding_mode(mode);
            for bits in [0x3c01u64, 0x8001, 0x7bff, 0xfbff, 0x7c00, 0x3800, 0xc200] {
                let value = store.small_const(bits, half);
                for op in [Op::FpToSigned(5), Op::FpToUnsigned(3), Op::FpRoundToIntegral, Op::FpSqrt] {
                    let folded = store.build(op, &[mode, value]);
                    let sort = store.result_sort(op, &[mode, f]);
                    let open = store.intern(op, sort, &[mode, f]);
                    let mut solver = start(backend);
                    solver.assert(store.eq(f, value)).unwrap();
                    solver.assert(store.ne(open, folded)).unwrap();
                    assert_eq!(solver.check(&[], &budget()), Answer::Unsat, "{} {op:?} {bits:x}", backend.name());
                }
            }
        }
    });
}
