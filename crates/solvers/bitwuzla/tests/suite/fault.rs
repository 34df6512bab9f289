//! A crash inside a solver library costs the query that it was working on: the oracle goes on with a new solver.

use super::Subject;
use fathom_base::Budget;
use fathom_smt::{Oracle, OracleConfig, Verdict, Why};
use fathom_term::{Sort, Term, TermStore};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// `x * y = product` for factors that are not 1: hours of work for a large product of two primes.
fn factored(store: &TermStore, width: u32, product: u64) -> Term {
    let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Bv(width)));
    let half = store.bv(1 << (width / 2), width);
    let is_product = store.eq(store.bv_mul(x, y), store.bv(product, width));
    let one = store.bv(1, width);
    let proper = [x, y].map(|factor| store.and(store.bv_ult(one, factor), store.bv_ult(factor, half)));
    store.and(is_product, store.and(proper[0], proper[1]))
}

pub fn costs_one_query(subject: Subject) {
    let Subject { store, backend, .. } = subject;
    let mut oracle = Oracle::new(store.clone(), backend, OracleConfig::default());
    let (nothing, budget) = (oracle.no_constraints(), Budget::unlimited());
    for round in 0..3u64 {
        let before = factored(&store, 16, 15 + 20 * round);
        assert!(matches!(oracle.check(&nothing, before, None, &budget), Verdict::Sat(_)), "round {round}");
        // SAFETY: names the calling thread.
        let thread = unsafe { libc::pthread_self() };
        let (over, is_over) = std::sync::mpsc::channel::<()>();
        // A signal that comes while the solver allocates memory is not heeded; the next one may be.
        let killer = std::thread::spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = is_over.recv_timeout(Duration::from_millis(300)) {
                // SAFETY: the thread waits for this one below. To the solver it is as if it had read from nowhere.
                unsafe { libc::pthread_kill(thread, libc::SIGSEGV) };
            }
        });
        let start = Instant::now();
        let verdict = oracle.check(&nothing, factored(&store, 62, 1_500_450_271 * 1_610_612_741), None, &budget);
        drop(over);
        killer.join().unwrap();
        assert!(matches!(&verdict, Verdict::Unknown(Why::Failed(why)) if why.contains("crashed")), "{verdict:?}");
        assert!(start.elapsed() < Duration::from_secs(5));
        let after = factored(&store, 16, 21 + 12 * round);
        assert!(matches!(oracle.check(&nothing, after, None, &budget), Verdict::Sat(_)), "round {round}");
    }
}
