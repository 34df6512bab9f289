//! What every crate of Fathom needs and that belongs to none of them: source positions, budgets and cancellation,
//! and hash maps whose iteration order never depends on the run (a fixed hasher; results still never iterate them).

mod budget;
mod names;
mod native;
pub mod process;
mod random;
mod source;
mod unit;

pub use budget::{Budget, StopReason, processor_time};
pub use names::name_in_source;
pub use native::NativeParts;
pub use random::Random;
pub use source::{FileId, Loc, SourceFiles};
pub use unit::{UnitFlags, Units};

/// Hash map with a fixed, fast hasher.
pub type FxMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// Hash set with a fixed, fast hasher.
pub type FxSet<K> = rustc_hash::FxHashSet<K>;
pub use rustc_hash::FxHasher;
