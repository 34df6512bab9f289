//! Random terms. A term as the constructors simplify it and as it was put together must be equal to the solver, which
//! tests the rules of the constructors and the translation at once; and a model of either must be one to the evaluator.

use super::Subject;
use fathom_base::Budget;
use fathom_smt::Answer;
use fathom_term::sample::{Sampler, Theories};
use fathom_term::smtlib::{Symbols, print_term};
use fathom_term::{Evaluator, Op, Sort};
use std::time::Duration;

pub fn random_terms_agree(subject: &Subject, theories: Theories, seeds: std::ops::Range<u64>) {
    let store = &*subject.store;
    let budget = || Budget::unlimited().at_most(Duration::from_secs(3));
    let (mut decided, mut satisfied) = (0, 0);
    for seed in seeds.clone() {
        let mut sampler = Sampler::new(store, seed, theories, 24);
        let sort = sampler.any_sort();
        let pair = sampler.term(sort, 4);
        let equal = store.intern(Op::Eq, Sort::Bool, &[pair.simplified, pair.raw]);
        let mut solver = subject.backend.new_solver().unwrap();
        if solver.assert(store.intern(Op::Not, Sort::Bool, &[equal])).is_err() {
            continue;
        }
        let answer = solver.check(&[], &budget());
        assert!(answer != Answer::Sat, "seed {seed}: {} is not {}", print_term(store, pair.raw), print_term(store, pair.simplified));
        decided += (answer == Answer::Unsat) as u64;
        // Some value of the term, other than the one it has when all variables are zero.
        let zero = Evaluator::new(Default::default()).eval(store, pair.raw);
        let Some(zero) = zero else { continue };
        let elsewhere = store.ne(pair.raw, store.constant(&zero, sort));
        let mut solver = subject.backend.new_solver().unwrap();
        solver.assert(elsewhere).unwrap();
        if solver.check(&[], &budget()) != Answer::Sat {
            continue;
        }
        let symbols = Symbols::of(store, &[elsewhere]);
        let model = match solver.model(&symbols.vars) {
            Ok(model) => model,
            Err(error) if error.to_string().contains("irrational") => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let shown = format!("{model:?}");
        let holds = Evaluator::new(model).holds(store, elsewhere);
        assert!(holds != Some(false), "seed {seed}: {} under {shown}", print_term(store, elsewhere));
        satisfied += 1;
    }
    let all = seeds.end - seeds.start;
    assert!(decided * 10 > all * 6 && satisfied * 10 > all * 2, "of {all}: {decided} equal, {satisfied} satisfied");
}
