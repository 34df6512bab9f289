//! Basics that every crate needs: source positions, budgets and cancellation, and hash maps with a fixed hasher, whose
//! iteration order is the same in every run. (No result depends on that order all the same.)

mod budget;
mod digest;
mod names;
mod native;
pub mod process;
mod random;
mod running;
pub mod snippet;
mod source;
mod spelling;
mod unit;

pub use budget::{Budget, StopReason, processor_time};
pub use digest::{hex, sha256, sha256_of};
pub use names::name_in_source;
pub use native::NativeParts;
pub use random::Random;
pub use running::{SuspendedTime, count_suspension};
pub use source::{FileId, LIBRARY, Loc, SourceFiles};
pub use spelling::{did_you_mean, nearest};
pub use unit::{UnitFlags, Units};

/// Hash map with a fixed, fast hasher.
pub type FxMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// Hash set with a fixed, fast hasher.
pub type FxSet<K> = rustc_hash::FxHashSet<K>;
pub use rustc_hash::FxHasher;
