//! The threads of a state. The running thread's call stack is part of the state itself, so a program without threads
//! has no overhead; the stacks of the other threads are kept here. Every thread has its own counts of inputs and
//! allocations, so the names of symbols and the addresses of objects do not depend on the interleaving.

use crate::exec::state::{Choices, Counts, Frame, State};
use crate::exec::value::{ObjectKey, Val};
use crate::replay::trace::Switch;
use crate::threads::buffers::Delayed;
use crate::threads::discipline::Lock;
use crate::threads::races::Poised;
use fathom_ir::SectionKind;
use rpds::HashTrieMap;
use std::collections::BTreeSet;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

/// Threads beyond this are not followed; their number is part of the number of an allocation.
pub(crate) const MAX_THREADS: usize = 1 << 10;
/// Allocations of one site in one thread.
const OCCURRENCES: u32 = 1 << 22;

/// A thread of the program.
#[derive(Clone)]
pub struct Thread {
    /// Empty while it runs and after it has ended.
    pub(crate) frames: Vec<Frame>,
    pub(crate) inputs: u32,
    pub(crate) allocations: Counts,
    pub(crate) ended: bool,
    /// The object whose address is its name; None for the first thread.
    pub(crate) name: Option<ObjectKey>,
    /// What it returned.
    pub(crate) result: Val,
    /// The thread that has waited for its end.
    pub(crate) joined_by: Option<u32>,
    /// Locks that it has, in order, where that is of interest.
    pub(crate) held: Vec<Lock>,
    /// The lock that the library accesses for it.
    pub(crate) in_hand: Option<Lock>,
    /// Atomic sections that were begun and not ended.
    pub(crate) sections: u32,
    /// What the outermost of them means to its stores.
    pub(crate) section_kind: SectionKind,
    /// What it has stored and others do not see yet, the oldest first.
    pub(crate) buffer: Rc<Vec<Delayed>>,
    /// Under partial store order: objects of its own that it wrote to since the last fence.
    pub(crate) unordered: Rc<BTreeSet<ObjectKey>>,
    /// The section has done something that others can see, so that no other thread may run now.
    pub(crate) entered: bool,
    /// The thread that it waits for.
    pub(crate) waits_for: Option<u32>,
    /// Where its outermost atomic section began: depth of the stack, block and action.
    pub(crate) section_start: Option<(usize, u32, u32)>,
    /// It can't go on unless something has changed since then (`Threads::changes`).
    pub(crate) stuck_at: Option<u32>,
    /// The access that it is about to make, where races are looked for.
    pub(crate) poised: Option<Rc<Poised>>,
    /// Its own copies of thread-local objects, which end with it.
    pub(crate) locals: Vec<(ObjectKey, ObjectKey)>,
}

impl Thread {
    /// A thread that has not run.
    pub(crate) fn new() -> Thread {
        Thread {
            frames: Vec::new(),
            inputs: 0,
            allocations: Counts::new_with_hasher_and_ptr_kind(BuildHasherDefault::default()),
            ended: false,
            name: None,
            result: Val::Bits(0),
            joined_by: None,
            held: Vec::new(),
            in_hand: None,
            sections: 0,
            section_kind: SectionKind::default(),
            buffer: Rc::default(),
            unordered: Rc::default(),
            entered: false,
            waits_for: None,
            section_start: None,
            stuck_at: None,
            poised: None,
            locals: Vec::new(),
        }
    }
}

/// Where the running thread stands between two choices of a thread.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Before the next visible action the thread that goes on is chosen.
    Running,
    /// The thread that goes on is chosen now.
    Choosing,
    /// It was chosen: the next visible action is its own.
    Chosen,
}

pub(crate) type Owners = HashTrieMap<ObjectKey, u32, archery::RcK, BuildHasherDefault<fathom_base::FxHasher>>;

/// All threads of a state, and whose turn it is.
#[derive(Clone)]
pub struct Threads {
    pub(crate) running: u32,
    pub(crate) all: Vec<Thread>,
    pub(crate) phase: Phase,
    /// The running thread has changed what others see since it was chosen.
    pub(crate) dirty: bool,
    /// Objects that one thread alone can reach; all others are shared.
    pub(crate) owners: Owners,
    /// How often something visible was changed.
    pub(crate) changes: u32,
    /// Actions so far that others might see: the clock of the schedule.
    pub(crate) events: u32,
    /// When the thread changed and to which: event, bytes, thread and store of each `Switch`; and the last of these threads.
    pub(crate) schedule: Choices,
    pub(crate) scheduled: u32,
    /// How often a thread was left that could have gone on.
    pub(crate) preemptions: u32,
    /// Loop heads since the last choice.
    pub(crate) quiet_loop_heads: u64,
}

impl Threads {
    /// The first thread, running in so many atomic sections.
    pub(crate) fn first(sections: u32) -> Threads {
        Threads {
            running: 0,
            all: vec![Thread { sections, ..Thread::new() }],
            phase: Phase::Running,
            dirty: false,
            owners: Owners::new_with_hasher_and_ptr_kind(BuildHasherDefault::default()),
            changes: 0,
            events: 0,
            schedule: Choices::default(),
            scheduled: 0,
            preemptions: 0,
            quiet_loop_heads: 0,
        }
    }

    pub(crate) fn current(&self) -> &Thread {
        &self.all[self.running as usize]
    }

    pub(crate) fn current_mut(&mut self) -> &mut Thread {
        &mut self.all[self.running as usize]
    }

    pub(crate) fn live(&self) -> usize {
        self.all.iter().filter(|thread| !thread.ended).count()
    }

    /// Whether all other threads have ended, and the running one knows it because it has waited for them.
    pub(crate) fn is_behind_all(&self) -> bool {
        (0..self.all.len() as u32).all(|number| number == self.running || self.is_behind(number))
    }

    fn is_behind(&self, number: u32) -> bool {
        let mut at = number;
        for _ in 0..self.all.len() {
            let thread = &self.all[at as usize];
            match thread.joined_by.filter(|_| thread.ended) {
                Some(by) if by == self.running => return true,
                Some(by) => at = by,
                None => return false,
            }
        }
        false
    }

    pub(crate) fn is_stuck(&self, thread: &Thread) -> bool {
        thread.stuck_at == Some(self.changes)
    }

    /// Threads that can go on, as far as is known.
    pub(crate) fn ready(&self) -> Vec<u32> {
        let is_ready = |thread: &Thread| {
            !thread.ended && !self.is_stuck(thread) && thread.waits_for.is_none_or(|other| self.all[other as usize].ended)
        };
        (0..self.all.len() as u32).filter(|&number| is_ready(&self.all[number as usize])).collect()
    }

    /// Whether a thread can't go on before the running one has ended.
    pub(crate) fn awaits_running(&self, number: u32) -> bool {
        let mut at = number;
        for _ in 0..self.all.len() {
            match self.all[at as usize].waits_for {
                Some(next) if next == self.running => return true,
                Some(next) if !self.all[next as usize].ended => at = next,
                _ => return false,
            }
        }
        false
    }

    /// Whether the schedule allows others to run before the next visible action.
    pub(crate) fn is_interruptible(&self) -> bool {
        !self.current().entered && self.live() > 1
    }

    pub(crate) fn schedule(&self) -> Vec<Switch> {
        let numbers = self.schedule.to_vec();
        let switch = |of: &[u32]| Switch { event: of[0], bytes: of[1], thread: of[2], store: of[3].checked_sub(1) };
        numbers.chunks_exact(4).map(switch).collect()
    }

    /// What it costs a search to prefer this state: states with few threads and few interruptions come first.
    pub(crate) fn cost(&self) -> u64 {
        let delayed: usize = self.all.iter().map(|thread| thread.buffer.len()).sum();
        self.preemptions as u64 + (self.all.len() + delayed) as u64
    }
}

impl State {
    /// Lets another thread run.
    pub(crate) fn run_thread(&mut self, number: u32) {
        let Some(threads) = &mut self.threads else { return };
        if threads.running == number {
            return;
        }
        let left = &mut threads.all[threads.running as usize];
        std::mem::swap(&mut left.frames, &mut self.frames);
        std::mem::swap(&mut left.allocations, &mut self.allocations);
        std::mem::swap(&mut left.inputs, &mut self.path.inputs);
        threads.running = number;
        let entered = &mut threads.all[number as usize];
        std::mem::swap(&mut entered.frames, &mut self.frames);
        std::mem::swap(&mut entered.allocations, &mut self.allocations);
        std::mem::swap(&mut entered.inputs, &mut self.path.inputs);
        threads.dirty = false;
    }

    /// Whether there are other threads that have not ended.
    pub fn has_company(&self) -> bool {
        self.threads.as_ref().is_some_and(|threads| threads.live() > 1)
    }

    /// The running thread: 0 is the first.
    pub fn running_thread(&self) -> u32 {
        self.threads.as_ref().map_or(0, |threads| threads.running)
    }

    /// The call stacks of all threads in their order.
    pub(crate) fn stacks(&self) -> Vec<&[Frame]> {
        let Some(threads) = &self.threads else { return vec![&self.frames] };
        let numbered = threads.all.iter().enumerate();
        numbered.map(|(number, thread)| if number as u32 == threads.running { &self.frames[..] } else { &thread.frames }).collect()
    }

    /// Number of the next allocation at this site by the running thread; None when there are too many.
    pub(crate) fn next_occurrence(&mut self, site: u32) -> Option<u32> {
        let count = self.occurrences(site);
        let thread = self.running_thread();
        if self.threads.is_some() && count >= OCCURRENCES {
            return None;
        }
        self.allocations.insert_mut(site, count + 1);
        Some(thread * OCCURRENCES + count)
    }

    fn occurrences(&self, site: u32) -> u32 {
        self.allocations.get(&site).copied().unwrap_or(0)
    }

    /// The number that `next_occurrence` will return next.
    pub(crate) fn coming_occurrence(&self, site: u32) -> u32 {
        self.running_thread() * OCCURRENCES + self.occurrences(site)
    }
}
