//! The state of one path (or, after a join, of several): call stack, memory, path condition and a model that satisfies
//! it. Cloning shares everything that is large.

use crate::compare::cycle::CycleWatch;
use crate::exec::value::{ObjectKey, Val};
use crate::induction::havoc::Havocked;
use crate::induction::laws::Law;
use crate::joins::history::History;
use crate::joins::unwinding::{LoopAt, Pause};
use crate::lists::counters::Arrivals;
use crate::memory::objects::Memory;
use crate::replay::seed::Seed;
use crate::retrace::Retraced;
use crate::search::subpath::Decisions;
use crate::threads::table::Threads;
use fathom_paths::Decision;
use fathom_smt::Constraints;
use fathom_term::{Evaluator, VarId};
use rpds::HashTrieMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasherDefault;
use std::rc::Rc;

pub(crate) type Counts = HashTrieMap<u32, u32, archery::RcK, BuildHasherDefault<fathom_base::FxHasher>>;

/// An active call.
#[derive(Clone)]
pub struct Frame {
    /// The number of the procedure.
    pub proc: u32,
    /// The block that runs.
    pub block: u32,
    /// The next action of the block.
    pub index: u32,
    /// Of the copy or fill that this action is: the bytes that other threads can see already (`pieces`).
    pub bytes_done: u32,
    /// By their numbers in the procedure.
    pub locals: Rc<Vec<Val>>,
    /// Objects that end with this call.
    pub stack_objects: SmallVec<[ObjectKey; 4]>,
    /// How often each loop head was entered, when a bound asks for it.
    pub visits: Rc<BTreeMap<u32, u64>>,
    /// The loops that the frame is in, outermost first, when the program is unwound.
    pub loops: SmallVec<[LoopAt; 2]>,
    /// Calls of the same procedure below this one that count against the bound.
    pub recursion: u64,
    /// Inputs and forks of the state when the call began.
    pub marks: (u32, u64),
    /// Bytes of the stack that the calls below need, where that is asked for.
    pub stack_below: u64,
}

/// Numbers along a path, such as choices at many-way gotos; newest first.
#[derive(Clone, Default)]
pub struct Choices(Option<Rc<(u32, Choices)>>);

impl Choices {
    /// Appends a number.
    pub fn push(&mut self, choice: u32) {
        let rest = std::mem::take(self);
        self.0 = Some(Rc::new((choice, rest)));
    }

    /// All of them, the oldest first.
    pub fn to_vec(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.newest_first().collect();
        all.reverse();
        all
    }

    /// All of them, the newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = u32> {
        let mut at = self;
        std::iter::from_fn(move || {
            let link = at.0.as_ref()?;
            at = &link.1;
            Some(link.0)
        })
    }
}

impl PartialEq for Choices {
    fn eq(&self, other: &Self) -> bool {
        let (mut one, mut two) = (self, other);
        while let (Some(left), Some(right)) = (&one.0, &two.0) {
            if Rc::ptr_eq(left, right) {
                return true;
            }
            if left.0 != right.0 {
                return false;
            }
            (one, two) = (&left.1, &right.1);
        }
        one.0.is_none() && two.0.is_none()
    }
}

impl Drop for Choices {
    /// Unlinks in a loop: a long list must not be dropped recursively.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            next = match Rc::try_unwrap(link) {
                Ok((_, mut rest)) => rest.0.take(),
                Err(_) => None,
            };
        }
    }
}

/// How a run gets here: the path condition, a model of it, and what else is known of the values.
#[derive(Clone)]
pub struct Path {
    pub constraints: Constraints,
    /// No solver could tell whether the constraints are satisfiable: the path may be infeasible.
    pub speculative: bool,
    /// The same, of the constraints that share symbols with quantifiers alone.
    pub quantified_speculation: bool,
    /// Satisfies `constraints`, unless the state is speculative or not verified; with `quantified_speculation`, those without ties to quantifiers.
    pub model: Rc<Evaluator>,
    /// False: it has not been asked yet whether the constraints are satisfiable (see `Unwinding::lazy_above`).
    pub verified: bool,
    /// How many inputs and other arbitrary values were asked for.
    pub inputs: u32,
    pub choices: Choices,
    /// Inputs that have the value of the state's model and no other.
    pub(crate) fixed: Rc<BTreeSet<VarId>>,
    /// What holds for every element of arrays that a loop made arbitrary.
    pub laws: Rc<Vec<Rc<Law>>>,
    /// Objects whose addresses the path condition speaks of.
    pub(crate) mentioned: Rc<BTreeSet<ObjectKey>>,
}

/// What comparing the state with others at loop heads needs.
#[derive(Clone)]
pub struct Comparison {
    /// The state has just come to a loop head, or to a choice of a thread, and could be compared with others there.
    pub at_loop_head: bool,
    /// Where lists are folded: what the path had when it was at its loop heads last.
    pub(crate) arrivals: Rc<Arrivals>,
    /// Inputs and forks when it was last compared, and visits of loop heads since.
    pub compared_at: (u32, u64),
    pub idle_visits: u64,
    /// The fewest calls that were open since the state was remembered that `watch` or a replay compares with.
    pub(crate) lowest: usize,
    /// When runs without end are looked for.
    pub watch: Option<CycleWatch>,
}

/// What joining the state with others needs.
#[derive(Clone)]
pub struct Joins {
    /// The joins that made this state out of several paths; `choices` are those since the last one.
    pub history: History,
    /// Changes whenever a loop is entered, repeated or left: states with one number forked in a loop-free region.
    pub region: u64,
    /// Something an engine that unwinds wants to know before the state goes on.
    pub pause: Option<Pause>,
    /// Inputs and forks at the last join where it stopped.
    pub met_at: (u32, u64),
}

/// What engines and searchers keep about the way here. The program has no notion of it.
#[derive(Clone)]
pub struct Search {
    /// For engines: the node of the execution tree that the state comes from.
    pub node: u32,
    /// For engines: the states on the way here that others are compared with.
    pub landmarks: Choices,
    /// Forks on the way here.
    pub depth: u64,
    pub steps: u64,
    /// Tests at loop heads whether to leave the loop that constants decided.
    pub plain_exits: u64,
    /// Branches and switches that were passed.
    pub branches: u64,
    /// Entered a block or took a side of a branch as the first of all states; siblings of a fork start without it.
    pub covers_new: bool,
    /// Branches that this path, or one that it comes from, brought nearer to their other side than all others before, and
    /// how near.
    pub near_misses: Rc<BTreeMap<u32, u64>>,
    /// Where the path could have gone another way since an engine last took this, if a machine notes it.
    pub decided: Vec<Decision>,
    pub(crate) decisions: Decisions,
    /// The known run that its model follows; states that fork off follow none.
    pub(crate) seed: Option<Seed>,
}

/// What one path, or several that were joined, have led to; what the program itself sees comes first.
#[derive(Clone)]
pub struct State {
    /// The running thread's.
    pub frames: Vec<Frame>,
    /// Once the program has started a thread.
    pub threads: Option<Box<Threads>>,
    /// Atomic sections that the only thread is in.
    pub(crate) sections: u32,
    /// By their numbers in the program.
    pub globals: Rc<Vec<Val>>,
    /// The objects that live.
    pub memory: Memory,
    /// The path condition, and what is known with it.
    pub path: Path,
    /// What joining the state with others needs.
    pub joins: Joins,
    /// How often each site has allocated.
    pub allocations: Counts,
    /// The state is arbitrary since it came through a loop from the middle: what fails now may be no real failure.
    pub abstraction: Option<Rc<Havocked>>,
    /// What comparing the state with others needs.
    pub comparison: Comparison,
    /// While a stretch of a path is run again from any state (see `retrace`).
    pub retraced: Option<Box<Retraced>>,
    /// What engines and searchers keep about the path.
    pub search: Search,
}

impl State {
    /// A state without frames; the model satisfies the empty path condition.
    pub fn new(globals: Vec<Val>, model: Rc<Evaluator>) -> Self {
        State {
            frames: Vec::new(),
            threads: None,
            sections: 0,
            globals: Rc::new(globals),
            memory: Memory::default(),
            path: Path {
                constraints: Constraints::default(),
                speculative: false,
                quantified_speculation: false,
                model,
                verified: true,
                inputs: 0,
                choices: Choices::default(),
                fixed: Rc::default(),
                laws: Rc::default(),
                mentioned: Rc::default(),
            },
            joins: Joins { history: History::default(), region: 0, pause: None, met_at: (0, 0) },
            allocations: Counts::new_with_hasher_and_ptr_kind(BuildHasherDefault::default()),
            abstraction: None,
            comparison: Comparison {
                arrivals: Rc::default(),
                at_loop_head: false,
                compared_at: (0, 0),
                idle_visits: 0,
                lowest: 0,
                watch: None,
            },
            retraced: None,
            search: Search {
                node: 0,
                landmarks: Choices::default(),
                depth: 0,
                steps: 0,
                plain_exits: 0,
                branches: 0,
                covers_new: false,
                near_misses: Rc::default(),
                decided: Vec::new(),
                decisions: Decisions::default(),
                seed: None,
            },
        }
    }

    /// Whether the model shows that the path is possible.
    pub fn is_certain(&self) -> bool {
        !self.path.speculative && !self.path.quantified_speculation
    }

    /// The innermost call. A state whose path has ended has none.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a running state has a frame")
    }

    /// The innermost call, to be changed.
    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running state has a frame")
    }

    /// In how many variables and objects it differs from a state with the same call stack.
    pub fn unlikeness(&self, other: &State) -> usize {
        let locals = self.frames.iter().zip(&other.frames).filter(|(one, two)| !Rc::ptr_eq(&one.locals, &two.locals));
        let locals: usize = locals.map(|(one, two)| one.locals.iter().zip(&*two.locals).filter(|(a, b)| a != b).count()).sum();
        let globals = self.globals.iter().zip(&*other.globals).filter(|(a, b)| a != b).count();
        let found = self.memory.differences(&other.memory);
        let differs = |key: &&ObjectKey| match (self.memory.get(**key), other.memory.get(**key)) {
            (Some(one), Some(two)) => !one.contents.differences(&two.contents).is_empty(),
            _ => true,
        };
        locals + globals + found.left_only.len() + found.right_only.len() + found.changed.iter().filter(differs).count()
    }

    /// The cost of this state in a search that prefers few threads and few interruptions.
    pub fn thread_cost(&self) -> Option<u64> {
        self.threads.as_ref().map(|threads| threads.cost())
    }
}
