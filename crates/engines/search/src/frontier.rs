//! The states that wait, and which of them is next. Every strategy keeps its own order of ids; ids whose state was
//! taken through another order are skipped when they come up.

use crate::closing_in::ClosingIn;
use crate::config::Searcher;
use crate::limits::Limits;
use crate::merging::StatesAt;
use crate::nearest::Nearest;
use crate::pruning::Twins;
use crate::subpaths::Subpaths;
use crate::tree_order::TreeOrder;
use fathom_base::FxMap;
use fathom_machine::{Machine, PathRecord, State};
use fathom_unroll::Position;
use std::collections::{BTreeMap, VecDeque};

/// The mixed strategy: runs of depth-first picks between random ones.
const MIXED_PERIOD: u64 = 4;

/// Whom the work since the last pick is charged to.
#[derive(Default)]
struct Shares {
    closing: u64,
    others: u64,
    is_closing: bool,
}

/// The states that wait, and which of them comes next.
pub struct Frontier {
    searcher: Searcher,
    states: FxMap<u64, State>,
    next_id: u64,
    stack: Vec<u64>,
    /// The mixed strategy: states that came of picks that were not depth-first. Depth-first search takes them when it has
    /// none of its own left; on top of its stack they would keep it near the root.
    aside: Vec<u64>,
    picked_newest: bool,
    queue: VecDeque<u64>,
    by_depth: BTreeMap<u64, Vec<u64>>,
    nearest: Nearest,
    closing_in: ClosingIn,
    /// Less traveled ones, by their last few decisions and by more of them.
    subpaths: [Subpaths; 2],
    /// States with threads, by how many threads they have and how often one was interrupted.
    by_cost: BTreeMap<u64, Vec<u64>>,
    /// For the strategy with interpolation: the order of depth-first search, with each state's index in it.
    order: TreeOrder,
    in_order: FxMap<u64, u32>,
    shares: Shares,
    /// The states that may be joined, by their position.
    waiting_at: StatesAt,
    random: fastrand::Rng,
    limits: Limits,
    picks: u64,
}

impl Frontier {
    /// Without states.
    pub fn new(searcher: Searcher, seed: u64, limits: &Limits) -> Self {
        Frontier {
            searcher,
            states: FxMap::default(),
            next_id: 0,
            stack: Vec::new(),
            aside: Vec::new(),
            picked_newest: true,
            queue: VecDeque::new(),
            by_depth: BTreeMap::new(),
            nearest: Nearest::new(limits),
            closing_in: ClosingIn::default(),
            subpaths: limits.subpaths.map(Subpaths::new),
            by_cost: BTreeMap::new(),
            order: TreeOrder::default(),
            in_order: FxMap::default(),
            shares: Shares::default(),
            waiting_at: StatesAt::default(),
            random: fastrand::Rng::with_seed(seed),
            limits: limits.clone(),
            picks: 0,
        }
    }

    /// How many states wait.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether a state that forked or used its fuel goes on at once.
    pub fn keeps_running(&self) -> bool {
        matches!(self.searcher, Searcher::Dfs | Searcher::LoopEscape | Searcher::Mixed)
    }

    /// Whether the state that was picked last may follow one side of several forks before another one is picked: a walk
    /// gets somewhere then, while a state that is near new code needs to be looked at again.
    pub fn goes_on_after_forks(&self) -> bool {
        self.searcher == Searcher::CoverageRandom && [0, self.closing_turn()].contains(&(self.picks % self.limits.walk_period))
    }

    /// When in the period a state that closes in on a branch gets its walk; a random path has the other.
    fn closing_turn(&self) -> u64 {
        self.limits.walk_period / 2
    }

    /// Adds a state.
    pub fn add(&mut self, state: State) {
        let id = self.next_id;
        self.next_id += 1;
        match self.searcher {
            Searcher::Dfs | Searcher::LoopEscape => self.stack.push(id),
            Searcher::Bfs => self.queue.push_back(id),
            Searcher::RandomPath => self.by_depth.entry(state.search.depth).or_default().push(id),
            Searcher::Coverage => self.nearest.add(id, &state),
            Searcher::CoverageRandom => {
                self.closing_in.add(id, &state);
                self.subpaths.iter_mut().for_each(|order| order.add(id, &state));
                self.by_depth.entry(state.search.depth).or_default().push(id);
                self.nearest.add(id, &state);
            }
            Searcher::Closing => {
                self.in_order.insert(id, self.order.add(id));
                self.by_depth.entry(state.search.depth).or_default().push(id);
                self.nearest.add(id, &state);
            }
            Searcher::Mixed => {
                match state.thread_cost() {
                    Some(cost) => self.by_cost.entry(cost).or_default().push(id),
                    None if self.picked_newest => self.stack.push(id),
                    None => self.aside.push(id),
                }
                self.by_depth.entry(state.search.depth).or_default().push(id);
                self.nearest.add(id, &state);
            }
        }
        self.states.insert(id, state);
    }

    /// The last state that was added may be joined with others at this position.
    pub fn note_newest_at(&mut self, position: Position) {
        self.waiting_at.note(position, self.next_id.wrapping_sub(1));
    }

    /// Takes out the newest few states at a position.
    pub fn take_at(&mut self, position: &Position) -> Vec<State> {
        self.waiting_at.take(position, self.limits.join_attempts).into_iter().filter_map(|id| self.states.remove(&id)).collect()
    }

    /// Takes the next state.
    pub fn next(&mut self, machine: &Machine) -> Option<State> {
        if self.states.is_empty() {
            self.forget_orders();
            return None;
        }
        self.picks += 1;
        self.drop_stale();
        let id = match self.searcher {
            Searcher::Dfs | Searcher::LoopEscape => self.newest(),
            Searcher::Bfs => self.oldest(),
            Searcher::RandomPath => self.random_path(),
            Searcher::Coverage => self.nearest.next(machine, &self.states, &mut self.random),
            Searcher::CoverageRandom => match self.picks % self.limits.walk_period {
                0 => self.random_path(),
                turn if turn == self.closing_turn() => {
                    let closing = self.closing_in.next(machine, &self.states, &mut self.random);
                    closing.or_else(|| self.nearest.next(machine, &self.states, &mut self.random))
                }
                turn if turn % 2 == 1 => self.subpaths[(turn / 2 % 2) as usize].next(&self.states, &mut self.random),
                _ => self.nearest.next(machine, &self.states, &mut self.random),
            },
            Searcher::Closing => self.closing_or_other(machine),
            Searcher::Mixed => {
                self.picked_newest = self.picks.is_multiple_of(2);
                match self.picks % MIXED_PERIOD {
                    1 => self.nearest.next(machine, &self.states, &mut self.random),
                    3 => self.random_path(),
                    _ => self.cheapest().or_else(|| self.newest()),
                }
            }
        }?;
        if let Some(at) = self.in_order.remove(&id) {
            self.order.take(at);
        }
        self.states.remove(&id)
    }

    /// A state that is about to close a subtree, or else one near new code and the end of a random walk in turn.
    fn closing_or_other(&mut self, machine: &Machine) -> Option<u64> {
        self.shares.is_closing = self.shares.closing <= self.limits.closing_share * self.shares.others;
        match (self.shares.is_closing, self.picks % 2) {
            (true, _) => None,
            (false, 0) => self.nearest.next(machine, &self.states, &mut self.random),
            (false, _) => self.random_path(),
        }
        .or_else(|| {
            self.shares.is_closing = true;
            self.order.last()
        })
    }

    /// A state that waits until its turn comes in the order of depth-first search.
    pub fn put_off(&mut self, state: State) {
        let id = self.next_id;
        self.next_id += 1;
        self.in_order.insert(id, self.order.add(id));
        self.states.insert(id, state);
    }

    /// Takes out the waiting states with the fewest forks, at most so many, of those that may go.
    pub fn take_shallowest(&mut self, count: usize, may_go: impl Fn(&State) -> bool) -> Vec<State> {
        let mut ids: Vec<(u64, u64)> = self.states.iter().filter(|(_, s)| may_go(s)).map(|(id, s)| (s.search.depth, *id)).collect();
        ids.sort_unstable();
        ids.truncate(count);
        let mut taken = Vec::new();
        for (_, id) in ids {
            if let Some(at) = self.in_order.remove(&id) {
                self.order.take(at);
            }
            taken.extend(self.states.remove(&id));
        }
        taken
    }

    /// What to do with a state that equals one that is being followed.
    pub fn twins(&self) -> Twins {
        match (self.searcher, self.shares.is_closing) {
            (Searcher::Closing, true) => Twins::Go,
            (Searcher::Closing, false) => Twins::Wait,
            _ => Twins::LeaveOut,
        }
    }

    /// A state that was picked ran for so many statements, and forked into so many.
    pub fn worked(&mut self, statements: u64, forks: u64) {
        let work = statements + forks * self.limits.fork_cost;
        match self.shares.is_closing {
            true => self.shares.closing += work,
            false => self.shares.others += work,
        }
    }

    /// An interpolant subsumed the state that was picked. Where that happens all the time nothing is gained by picking others.
    pub fn pruned(&mut self) {
        if self.is_closing() {
            self.shares.others += 2 * self.limits.fork_cost;
        }
    }

    /// Whether the state that was picked last is to close its subtree.
    pub fn is_closing(&self) -> bool {
        self.searcher == Searcher::Closing && self.shares.is_closing
    }

    /// Paths to the waiting states that were the first to reach something, each once.
    pub fn take_first_comers(&mut self, machine: &Machine) -> Vec<PathRecord> {
        let mut ids: Vec<u64> = self.states.iter().filter(|(_, s)| s.search.covers_new).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        let mut paths = Vec::new();
        for id in ids {
            if let Some(state) = self.states.get_mut(&id) {
                state.search.covers_new = false;
                paths.push(machine.path_record(state, false));
            }
        }
        paths
    }

    fn newest(&mut self) -> Option<u64> {
        loop {
            let id = self.stack.pop().or_else(|| self.aside.pop())?;
            if self.states.contains_key(&id) {
                return Some(id);
            }
        }
    }

    /// Few threads and few interruptions show most bugs (context bounding), and there are fewest such states.
    fn cheapest(&mut self) -> Option<u64> {
        while let Some(mut entry) = self.by_cost.first_entry() {
            match entry.get_mut().pop() {
                Some(id) if self.states.contains_key(&id) => return Some(id),
                Some(_) => {}
                None => {
                    entry.remove();
                }
            }
        }
        None
    }

    fn oldest(&mut self) -> Option<u64> {
        loop {
            let id = self.queue.pop_front()?;
            if self.states.contains_key(&id) {
                return Some(id);
            }
        }
    }

    /// A leaf at depth d of a binary tree is the end of a random walk with probability 2^-d.
    fn random_path(&mut self) -> Option<u64> {
        loop {
            let lowest = *self.by_depth.keys().next()?;
            let mut total = 0.0;
            let mut chosen = lowest;
            for (&depth, ids) in self.by_depth.iter().take_while(|(depth, _)| **depth < lowest + 60) {
                let weight = ids.len() as f64 * (0.5f64).powi((depth - lowest) as i32);
                total += weight;
                if self.random.f64() * total < weight {
                    chosen = depth;
                }
            }
            let ids = self.by_depth.get_mut(&chosen)?;
            let id = ids.swap_remove(self.random.usize(..ids.len()));
            if ids.is_empty() {
                self.by_depth.remove(&chosen);
            }
            if self.states.contains_key(&id) {
                return Some(id);
            }
        }
    }

    /// Orders of the mixed strategy collect ids that were taken elsewhere: tidy up when most are stale.
    fn drop_stale(&mut self) {
        let limit = 4 * self.states.len() + 1024;
        let states = &self.states;
        for stack in [&mut self.stack, &mut self.aside] {
            if stack.len() > limit {
                stack.retain(|id| states.contains_key(id));
            }
        }
        if self.picks.is_multiple_of(4096) {
            self.nearest.drop_stale(states);
            self.closing_in.drop_stale(states);
            self.subpaths.iter_mut().for_each(|order| order.drop_stale(states));
        }
        if self.picks.is_multiple_of(4096) && matches!(self.searcher, Searcher::Mixed | Searcher::CoverageRandom | Searcher::Closing) {
            for order in [&mut self.by_depth, &mut self.by_cost] {
                order.values_mut().for_each(|ids| ids.retain(|id| states.contains_key(id)));
                order.retain(|_, ids| !ids.is_empty());
            }
        }
    }

    fn forget_orders(&mut self) {
        self.stack.clear();
        self.aside.clear();
        self.queue.clear();
        self.by_depth.clear();
        self.nearest.clear();
        self.closing_in.clear();
        self.subpaths.iter_mut().for_each(Subpaths::clear);
        self.by_cost.clear();
        self.order = TreeOrder::default();
        self.in_order.clear();
        self.waiting_at = StatesAt::default();
    }
}
