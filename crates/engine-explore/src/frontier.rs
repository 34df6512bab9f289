//! The states that wait, and which of them is next. Every strategy keeps its own order of ids; ids whose state was
//! taken through another order are skipped when they come up.

use crate::config::Searcher;
use crate::merging::Places;
use fathom_base::FxMap;
use fathom_semantics::{Machine, PathRecord, State};
use fathom_unroll::Position;
use std::collections::{BTreeMap, VecDeque};

/// States that the coverage strategy draws before it takes the one nearest to new code.
const TOURNAMENT: usize = 16;
/// Picks between two computations of distances to uncovered code, while coverage grows.
const DISTANCE_AGE: u64 = 256;
/// The mixed strategy: runs of depth-first picks between random ones.
const MIXED_PERIOD: u64 = 4;

pub struct Frontier {
    searcher: Searcher,
    states: FxMap<u64, State>,
    next_id: u64,
    stack: Vec<u64>,
    queue: VecDeque<u64>,
    by_depth: BTreeMap<u64, Vec<u64>>,
    list: Vec<u64>,
    /// States with threads, by how many threads they have and how often one was interrupted.
    by_cost: BTreeMap<u64, Vec<u64>>,
    /// Where states wait that may be joined.
    places: Places,
    random: Random,
    picks: u64,
    distances: Vec<u32>,
    to_return: Vec<u32>,
    /// How often a state at each block was picked since coverage last grew, plus one.
    tried: Vec<u32>,
    distances_at: u64,
    covered_then: usize,
}

impl Frontier {
    pub fn new(searcher: Searcher, seed: u64) -> Self {
        Frontier {
            searcher,
            states: FxMap::default(),
            next_id: 0,
            stack: Vec::new(),
            queue: VecDeque::new(),
            by_depth: BTreeMap::new(),
            list: Vec::new(),
            by_cost: BTreeMap::new(),
            places: Places::default(),
            random: Random(seed ^ 0x9E37_79B9_7F4A_7C15),
            picks: 0,
            distances: Vec::new(),
            to_return: Vec::new(),
            tried: Vec::new(),
            distances_at: 0,
            covered_then: usize::MAX,
        }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether a state that forked or used its fuel goes on at once.
    pub fn keeps_running(&self) -> bool {
        matches!(self.searcher, Searcher::Dfs | Searcher::LoopEscape | Searcher::Mixed)
    }

    pub fn add(&mut self, state: State) {
        let id = self.next_id;
        self.next_id += 1;
        match self.searcher {
            Searcher::Dfs | Searcher::LoopEscape => self.stack.push(id),
            Searcher::Bfs => self.queue.push_back(id),
            Searcher::RandomPath => self.by_depth.entry(state.depth).or_default().push(id),
            Searcher::Coverage => self.list.push(id),
            Searcher::CoverageRandom => {
                self.by_depth.entry(state.depth).or_default().push(id);
                self.list.push(id);
            }
            Searcher::Mixed => {
                match state.thread_cost() {
                    Some(cost) => self.by_cost.entry(cost).or_default().push(id),
                    None => self.stack.push(id),
                }
                self.by_depth.entry(state.depth).or_default().push(id);
                self.list.push(id);
            }
        }
        self.states.insert(id, state);
    }

    /// The last state that was added may be joined with others at this place.
    pub fn note_newest_at(&mut self, place: Position) {
        self.places.note(place, self.next_id.wrapping_sub(1));
    }

    /// Takes out the newest few states at a place.
    pub fn take_at(&mut self, place: &Position) -> Vec<State> {
        self.places.take(place).into_iter().filter_map(|id| self.states.remove(&id)).collect()
    }

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
            Searcher::Coverage => self.nearest_to_new_code(machine),
            Searcher::CoverageRandom if self.picks % 2 == 0 => self.random_path(),
            Searcher::CoverageRandom => self.nearest_to_new_code(machine),
            Searcher::Mixed => match self.picks % MIXED_PERIOD {
                1 => self.nearest_to_new_code(machine),
                3 => self.random_path(),
                _ => self.cheapest().or_else(|| self.newest()),
            },
        }?;
        self.states.remove(&id)
    }

    /// Paths to the waiting states that were the first to reach something, each once.
    pub fn take_first_comers(&mut self, machine: &Machine) -> Vec<PathRecord> {
        let mut ids: Vec<u64> = self.states.iter().filter(|(_, s)| s.covers_new).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        let mut paths = Vec::new();
        for id in ids {
            if let Some(state) = self.states.get_mut(&id) {
                state.covers_new = false;
                paths.push(machine.path_record(state, false));
            }
        }
        paths
    }

    fn newest(&mut self) -> Option<u64> {
        loop {
            let id = self.stack.pop()?;
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
                if self.random.unit() * total < weight {
                    chosen = depth;
                }
            }
            let ids = self.by_depth.get_mut(&chosen)?;
            let id = ids.swap_remove(self.random.below(ids.len()));
            if ids.is_empty() {
                self.by_depth.remove(&chosen);
            }
            if self.states.contains_key(&id) {
                return Some(id);
            }
        }
    }

    fn nearest_to_new_code(&mut self, machine: &Machine) -> Option<u64> {
        self.refresh_distances(machine);
        let mut best: Option<(u32, usize)> = None;
        let mut drawn = 0;
        while drawn < TOURNAMENT {
            if self.list.is_empty() {
                return None;
            }
            let at = self.random.below(self.list.len());
            let id = self.list[at];
            let Some(state) = self.states.get(&id) else {
                // The last one moves here: a remembered winner may have been that one.
                self.list.swap_remove(at);
                best = best.filter(|(_, index)| *index < self.list.len());
                continue;
            };
            drawn += 1;
            let distance = machine.distance_to_uncovered(state, &self.distances, &self.to_return);
            // States in front of code that nothing enters must not win for ever.
            let score = distance.saturating_add(self.tried[machine.block_of(state)].ilog2());
            if best.is_none_or(|(known, _)| score < known) {
                best = Some((score, at));
            }
        }
        if let Some(state) = best.and_then(|(_, at)| self.states.get(&self.list[at])) {
            self.tried[machine.block_of(state)] += 1;
        }
        best.map(|(_, at)| self.list.swap_remove(at)).filter(|id| self.states.contains_key(id)).or_else(|| self.any())
    }

    fn any(&mut self) -> Option<u64> {
        while let Some(id) = self.list.pop() {
            if self.states.contains_key(&id) {
                return Some(id);
            }
        }
        None
    }

    /// Blocks to the nearest block that no path has entered, within a procedure and into its callees.
    fn refresh_distances(&mut self, machine: &Machine) {
        let covered = machine.covered.iter().filter(|c| **c).count();
        let fresh = covered == self.covered_then || self.picks < self.distances_at + DISTANCE_AGE;
        if fresh && !self.distances.is_empty() {
            return;
        }
        self.covered_then = covered;
        self.distances_at = self.picks;
        self.distances = machine.distances_to_uncovered();
        self.tried = vec![1; self.distances.len()];
        if self.to_return.is_empty() {
            self.to_return = machine.distances_to_return();
        }
    }

    /// Orders of the mixed strategy collect ids that were taken elsewhere: tidy up when most are stale.
    fn drop_stale(&mut self) {
        let limit = 4 * self.states.len() + 1024;
        let states = &self.states;
        if self.stack.len() > limit {
            self.stack.retain(|id| states.contains_key(id));
        }
        if self.list.len() > limit {
            self.list.retain(|id| states.contains_key(id));
        }
        if self.picks % 4096 == 0 && matches!(self.searcher, Searcher::Mixed | Searcher::CoverageRandom) {
            for order in [&mut self.by_depth, &mut self.by_cost] {
                order.values_mut().for_each(|ids| ids.retain(|id| states.contains_key(id)));
                order.retain(|_, ids| !ids.is_empty());
            }
        }
    }

    fn forget_orders(&mut self) {
        self.stack.clear();
        self.queue.clear();
        self.by_depth.clear();
        self.list.clear();
        self.by_cost.clear();
        self.places = Places::default();
    }
}

/// xorshift64*: reproducible and good enough to pick states.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
