//! Every rewrite rule against solvers: a random term, simplified and not, and the claim that they differ must be
//! unsatisfiable. This also tests `fold` (constants are folded) and the printer. More from outside:
//! `RULE_SAMPLES=5000 RULE_SEED=7 cargo test -p fathom-smt-pipe --test rules`.

use fathom_base::Budget;
use fathom_smt::{Answer, Backend, SolverError, Why};
use fathom_smt_pipe::find;
use fathom_term::sample::{Sampler, Theories};
use fathom_term::smtlib::print_term;
use fathom_term::{Op, Sort, TermStore};
use std::rc::Rc;
use std::time::Duration;

fn from_outside(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn check(solver_name: &str, theories: Theories, max_width: u32, samples: u64) {
    let (mut asked, mut unknown, mut unsupported) = (0, 0, 0);
    let samples = from_outside("RULE_SAMPLES", samples);
    let seed = from_outside("RULE_SEED", 21);
    // A new store now and then, and a new solver with it.
    for batch in 0..samples.div_ceil(50) {
        let store = Rc::new(TermStore::new());
        let backend = match find(solver_name, &store) {
            Ok(backend) => backend,
            Err(error) => return println!("skipped: {error}"),
        };
        let mut solver = backend.new_solver().unwrap();
        let mut sampler = Sampler::new(&store, seed * 1000 + batch, theories, max_width);
        let mut made = 0;
        while made < 50 {
            sampler.forget();
            let sort = sampler.any_sort();
            let depth = 1 + sampler.random.below(4) as u32;
            let pair = sampler.term(sort, depth);
            if pair.simplified == pair.raw {
                continue;
            }
            made += 1;
            let same = store.intern(Op::Eq, Sort::Bool, &[pair.simplified, pair.raw]);
            let differ = store.intern(Op::Not, Sort::Bool, &[same]);
            solver.push().unwrap();
            match solver.assert(differ) {
                Err(SolverError::Unsupported(_)) => {
                    unsupported += 1;
                    solver.pop(1).unwrap();
                    continue;
                }
                other => other.unwrap(),
            }
            let budget = Budget::new(Some(Duration::from_millis(700)), None, Default::default());
            let (raw, simplified) = (print_term(&store, pair.raw), print_term(&store, pair.simplified));
            match solver.check(&[], &budget) {
                Answer::Unsat => asked += 1,
                Answer::Unknown(Why::Budget | Why::Incomplete(_)) => unknown += 1,
                Answer::Sat => panic!("{solver_name} can tell\n{raw}\nfrom\n{simplified}"),
                // cvc5 1.0.3 crashes on some floats; that is not what is tested here.
                Answer::Unknown(Why::Failed(how)) if how.contains("segfault") => {
                    unknown += 1;
                    solver = backend.new_solver().unwrap();
                    continue;
                }
                Answer::Unknown(why) => panic!("{solver_name}: {why}\n{raw}\nand\n{simplified}"),
            }
            solver.pop(1).unwrap();
        }
    }
    println!("{solver_name}: {asked} proved, {unknown} not decided in time, {unsupported} not supported");
    assert!(asked > (unknown + unsupported) / 2, "too little was proved");
}

const PLAIN: Theories = Theories { arrays: false, floats: false, numbers: false };

#[test]
fn bit_vectors_with_yices() {
    check("yices", PLAIN, 130, 400);
}

#[test]
fn bit_vectors_with_z3() {
    check("z3", PLAIN, 24, 400);
}

#[test]
fn bit_vectors_with_cvc5() {
    check("cvc5", PLAIN, 16, 150);
}

#[test]
fn arrays_with_z3() {
    check("z3", Theories { arrays: true, ..PLAIN }, 8, 200);
}

#[test]
fn arrays_with_yices() {
    check("yices", Theories { arrays: true, ..PLAIN }, 8, 200);
}

#[test]
fn floats_with_cvc5() {
    check("cvc5", Theories { floats: true, ..PLAIN }, 8, 100);
}

#[test]
fn floats_with_z3() {
    check("z3", Theories { floats: true, ..PLAIN }, 8, 100);
}

#[test]
fn numbers_with_z3() {
    check("z3", Theories { numbers: true, ..PLAIN }, 6, 150);
}

#[test]
fn numbers_with_cvc5() {
    check("cvc5", Theories { numbers: true, ..PLAIN }, 6, 100);
}
