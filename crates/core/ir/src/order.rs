//! In which order the stores of a thread become visible to the others.

use serde::{Deserialize, Serialize};

/// What stands between a thread's stores and the memory that all threads share.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MemoryModel {
    /// Sequential consistency: nothing; every store is seen at once.
    #[default]
    Sc,
    /// Total store order, as on x86: one queue for each thread, which the thread itself looks into.
    Tso,
    /// Partial store order, as on SPARC: such a queue for each location.
    Pso,
}

impl MemoryModel {
    /// All of them.
    pub const ALL: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];

    /// How command lines name it.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
        }
    }

    /// Whether stores wait before others see them.
    pub fn has_store_buffers(self) -> bool {
        self != MemoryModel::Sc
    }
}

/// What an atomic section means to the stores of its thread that others do not see yet.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionKind {
    /// They are seen before it begins, and its own at its end: locks, updates, and stores in the total order.
    #[default]
    Ordered,
    /// An atomic load, which waits for nothing.
    Load,
    /// An atomic store that orders nothing; it waits like any other.
    Store,
    /// A releasing store: it waits like any other, and is seen behind all that come before it.
    Release,
    /// An update that does not release what comes before it.
    Update,
}

impl SectionKind {
    /// All of them.
    pub const ALL: [SectionKind; 5] =
        [SectionKind::Ordered, SectionKind::Load, SectionKind::Store, SectionKind::Release, SectionKind::Update];

    /// The word for it in the text form of programs.
    pub fn keyword(self) -> &'static str {
        match self {
            SectionKind::Ordered => "ordered",
            SectionKind::Load => "load",
            SectionKind::Store => "store",
            SectionKind::Release => "release",
            SectionKind::Update => "update",
        }
    }
}

/// What a fence orders.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fence {
    /// Stores before it are seen before anything behind it is done.
    Full,
    /// Stores before it are seen before stores behind it.
    Stores,
}

impl Fence {
    /// All of them.
    pub const ALL: [Fence; 2] = [Fence::Full, Fence::Stores];

    /// The word for it in the text form of programs.
    pub fn keyword(self) -> &'static str {
        match self {
            Fence::Full => "full",
            Fence::Stores => "stores",
        }
    }
}

/// What happens to a lock, for those who want to know which lock protects what. It changes nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockEvent {
    /// The accesses to its bytes up to the end of the atomic section are the library's own.
    Wanted,
    /// The thread has it now, and nobody else.
    Taken,
    /// The thread has it no longer.
    Released,
    /// The thread looks whether somebody has it, and goes on in either case.
    Looked,
}

impl LockEvent {
    /// All of them.
    pub const ALL: [LockEvent; 4] = [LockEvent::Wanted, LockEvent::Taken, LockEvent::Released, LockEvent::Looked];

    /// The word for it in the text form of programs.
    pub fn keyword(self) -> &'static str {
        match self {
            LockEvent::Wanted => "wanted",
            LockEvent::Taken => "taken",
            LockEvent::Released => "released",
            LockEvent::Looked => "looked",
        }
    }
}
