//! What every crate of Fathom needs and that belongs to none of them: source positions, budgets and cancellation,
//! and the hash maps whose iteration order never depends on the run.
