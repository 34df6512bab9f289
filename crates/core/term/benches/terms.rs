//! How long it takes to build a term that exists, one that is new, and to evaluate: `cargo bench -p fathom-term`.

use fathom_term::{Evaluator, Model, Sort, TermStore, Value};
use std::hint::black_box;
use std::time::Instant;

const COUNT: u64 = 1_000_000;

fn nanoseconds(name: &str, mut work: impl FnMut(u64)) {
    let start = Instant::now();
    for i in 0..COUNT {
        work(i);
    }
    println!("{name}: {:.0} ns", start.elapsed().as_nanos() as f64 / COUNT as f64);
}

fn main() {
    let store = TermStore::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(32)));
    nanoseconds("a known sum", |_| {
        black_box(store.bv_add(x, y));
    });
    nanoseconds("a constant sum", |i| {
        black_box(store.bv_add(store.bv(i & 0xff, 32), store.bv(7, 32)));
    });
    let mut chain = x;
    nanoseconds("a new product and sum", |i| {
        chain = store.bv_add(store.bv_mul(chain, y), store.bv(i | 1, 32));
    });
    let mut model = Model::default();
    for (term, bits) in [(x, 3), (y, 5)] {
        if let Some(var) = store.as_var(term) {
            model.values.insert(var, Value::Bits(bits));
        }
    }
    let evaluator = Evaluator::new(model);
    let start = Instant::now();
    black_box(evaluator.eval(&store, chain));
    println!("a node evaluated first: {:.0} ns", start.elapsed().as_nanos() as f64 / (2 * COUNT) as f64);
    nanoseconds("a node evaluated again", |_| {
        black_box(evaluator.eval(&store, chain));
    });
}
