//! The main loop: take a state, run it, and put the resulting states back. The searcher in the frontier chooses the
//! state; the length of a turn is limited, so that a path that neither forks nor ends does not block the others for
//! ever.

use crate::config::Searcher;
use crate::explorer::Explorer;
use crate::frontier::Frontier;
use crate::limits::Limits;
use crate::listener::Appetite;
use crate::merging::Group;
use crate::pruning::{Follow, UNTRACKED};
use crate::recurrences::Recurrences;
use crate::tally::{Tally, violation_key};
use fathom_engine::{Cx, Depth, Progress, Reason, Task, confirmed, cut_reason};
use fathom_machine::{Advance, Machine, PathEnd, State};
use fathom_smt::{Oracle, OracleConfig};
use std::ops::ControlFlow;
use std::time::Instant;

/// What a state may use before another one gets its turn, where that is the strategy.
struct Turn {
    statements: u64,
    queries: u64,
    forks: u64,
}

impl Turn {
    fn begin(machine: &mut Machine, state: &State) -> Turn {
        Turn { statements: state.search.steps, queries: queries(machine), forks: state.search.depth }
    }

    fn is_over(&self, machine: &mut Machine, state: &State, limits: &Limits) -> bool {
        state.search.steps > self.statements + limits.slice || queries(machine) > self.queries + limits.queries_of_turn
    }

    fn has_forks_left(&self, state: &State, limits: &Limits) -> bool {
        state.search.depth < self.forks + limits.forks_of_turn && state.search.steps < self.statements + limits.slice
    }
}

fn queries(machine: &mut Machine) -> u64 {
    machine.oracle().map_or(0, |oracle| oracle.statistics().queries())
}

/// A search at work.
pub(crate) struct Search<'a> {
    pub explorer: &'a Explorer,
    pub machine: Machine,
    pub frontier: Frontier,
    pub tally: Tally,
    /// The states of the loop-free region that is being walked, where states are joined.
    pub group: Option<Group>,
    task: &'a Task,
    cx: &'a Cx<'a>,
    recurrences: Recurrences,
    looked: Instant,
    told: Instant,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(explorer: &'a Explorer, machine: Machine, tally: Tally, task: &'a Task, cx: &'a Cx<'a>) -> Self {
        let frontier = Frontier::new(explorer.config.searcher, explorer.config.seed ^ cx.seed, &explorer.config.limits);
        let group = machine.unwinding().is_some().then(|| Group::new(explorer.config.limits.join_attempts));
        let now = Instant::now();
        Search { explorer, machine, frontier, tally, group, task, cx, recurrences: Recurrences::default(), looked: now, told: now }
    }

    /// Searches until nothing is left, a violation was found or the budget is used up.
    pub fn run(mut self) -> (Machine, Tally) {
        self.begin();
        self.search();
        self.close_books();
        (self.machine, self.tally)
    }

    fn search(&mut self) {
        while let Some(mut state) = self.next() {
            match self.follows(&mut state) {
                Follow::Now => {
                    if self.take_turn(state).is_break() {
                        break;
                    }
                }
                Follow::Later => self.frontier.put_off(state),
                Follow::Never => self.prune(state),
            }
        }
    }

    /// A search that shares its paths with others is only complete if none was lost on the way.
    fn close_books(&mut self) {
        let Some(shared) = &self.tally.shared else { return };
        if self.tally.is_complete() && self.tally.violated.is_empty() && shared.has_open_places() {
            self.tally.reasons.note(Reason::Undecided("the way to a part can't be followed: no path leads there".into()));
        }
    }

    fn begin(&mut self) {
        self.tally.begin();
        match self.machine.initial_state() {
            Ok(mut state) => {
                if let Some(inputs) = &self.explorer.config.start_with {
                    state.follow(inputs.clone());
                }
                if let Some(pruning) = &mut self.tally.pruning {
                    pruning.begin(&self.machine, &mut state);
                }
                self.frontier.add(state);
            }
            Err(end) => {
                self.tally.ends.never_started += u64::from(matches!(end, PathEnd::Discarded));
                self.tally.close(0);
                self.path_ended(end);
            }
        }
    }

    /// Runs a state, and those that it becomes, until others get their turn. Breaks if the search is over.
    fn take_turn(&mut self, first: State) -> ControlFlow<()> {
        let turn = Turn::begin(&mut self.machine, &first);
        let mut current = Some(first);
        while let Some(mut state) = current.take() {
            if self.must_yield(&turn, &state) {
                match self.group.is_some() {
                    true => self.end_group(Some(state)),
                    false => self.frontier.add(state),
                }
                break;
            }
            if self.looked.elapsed() >= self.explorer.config.limits.look_every {
                if let Some(reason) = self.must_stop() {
                    self.stop(state, reason);
                    return ControlFlow::Break(());
                }
                self.tell_progress(&mut state);
                self.look_at_others();
            }
            current = self.run_slice(state, &turn)?;
            if current.is_none() && self.group.is_some() {
                current = self.next_of_group();
            }
            self.tally.most_states = self.tally.most_states.max(self.frontier.len() + 1);
        }
        ControlFlow::Continue(())
    }

    /// A path that neither forks nor ends must not keep the others waiting for ever.
    fn must_yield(&mut self, turn: &Turn, state: &State) -> bool {
        self.takes_turns()
            && self.frontier.len() > 0
            && !state.follows_seed()
            && turn.is_over(&mut self.machine, state, &self.explorer.config.limits)
    }

    fn must_stop(&mut self) -> Option<Reason> {
        self.looked = Instant::now();
        let enough = self.explorer.listener.as_ref().is_some_and(|listener| listener.appetite() == Appetite::Nothing);
        let stop = self.cx.budget.exhausted().map(Reason::Stopped);
        let stop = stop.or_else(|| self.tally.shared.as_ref()?.broken.clone());
        stop.or_else(|| enough.then(|| Reason::BoundReached("number of tests".into())))
    }

    fn stop(&mut self, state: State, reason: Reason) {
        if let (Some(mut shared), Some(sharing)) = (self.tally.shared.take(), &self.explorer.sharing) {
            shared.keep(&**sharing, &mut self.machine, &self.tally);
            self.tally.shared = Some(shared);
        }
        self.tally.reasons.note(reason);
        self.frontier.add(state);
        self.tell_first_comers();
        // Freeing a million states takes seconds that a run out of time doesn't have.
        let frontier = std::mem::replace(&mut self.frontier, Frontier::new(self.explorer.config.searcher, 0, &self.explorer.config.limits));
        std::mem::forget((frontier, self.group.take()));
    }

    fn tell_progress(&mut self, state: &mut State) {
        if self.told.elapsed() >= self.explorer.config.limits.tell_every {
            self.tell_left(state);
            state.search.covers_new = false;
            self.tell_first_comers();
            self.told = Instant::now();
        }
        let queries = queries(&mut self.machine);
        let (covered, all) = (self.machine.covered_parts().0 as u64, self.machine.coverage.covered.len() as u64);
        self.cx.progress.report(&Progress {
            depth: Some(Depth::Branches(state.search.depth)),
            paths: self.tally.ended,
            states: self.frontier.len() as u64 + 1,
            queries,
            coverage: Some((covered, all)),
        });
    }

    /// Gives work to others who ask for it, and notes how far this search is.
    fn look_at_others(&mut self) {
        if let (Some(mut shared), Some(sharing)) = (self.tally.shared.take(), &self.explorer.sharing) {
            shared.look(&**sharing, &mut self.frontier, &mut self.machine, &self.tally);
            self.tally.shared = Some(shared);
        }
    }

    /// Lets the state run for a while: what goes on now, if that is one of the states it became. Breaks if the search is over.
    fn run_slice(&mut self, mut state: State, turn: &Turn) -> ControlFlow<(), Option<State>> {
        if let Some(group) = &self.group {
            group.prepare(&mut self.machine);
        }
        let steps = state.search.steps;
        let advance = self.machine.advance(&mut state, self.explorer.config.limits.slice);
        if self.found_violation() {
            self.tally.ends.note(&self.machine, &state, &PathEnd::Violated);
            return ControlFlow::Break(());
        }
        if self.machine.relied_in_vain().is_some() {
            return ControlFlow::Break(());
        }
        let cut = !self.machine.found.cuts.is_empty();
        for cut in std::mem::take(&mut self.machine.found.cuts) {
            self.tally.cut += 1;
            self.tally.reasons.note(cut_reason(&cut, &self.task.program.files));
        }
        let mut siblings = std::mem::take(&mut self.machine.forked);
        self.tally.tell_pruning(&mut self.machine, &mut state, &mut siblings, &advance, cut);
        let is_own = self.tally.note_step(&mut state, &mut siblings);
        self.frontier.worked(state.search.steps - steps, siblings.len() as u64);
        if !is_own {
            siblings.into_iter().for_each(|state| self.add(state));
            return ControlFlow::Continue(None);
        }
        self.after(advance, state, siblings, turn)
    }

    /// What becomes of a state that has run, and of those that forked from it.
    fn after(&mut self, advance: Advance, mut state: State, siblings: Vec<State>, turn: &Turn) -> ControlFlow<(), Option<State>> {
        let goes_on = match advance {
            Advance::Ended(end) => {
                self.tally.ends.note(&self.machine, &state, &end);
                self.tally.close(state.search.node);
                self.tell_end(&end, &state);
                self.path_ended(end);
                match &mut self.group {
                    Some(group) => group.take(&self.machine, siblings),
                    None => siblings.into_iter().for_each(|state| self.add(state)),
                }
                None
            }
            Advance::LoopHead if self.goes_round(&mut state) => return ControlFlow::Break(()),
            Advance::LoopHead if self.tally.pruning.is_some() => match self.follows(&mut state) {
                Follow::Now => Some(state),
                Follow::Later => {
                    self.frontier.put_off(state);
                    None
                }
                Follow::Never => {
                    self.prune(state);
                    None
                }
            },
            Advance::LoopHead if self.comes_back(&mut state) => {
                self.tally.close(state.search.node);
                self.tally.ended += 1;
                self.tally.ends.record(&self.machine, &state, "an equal state was followed before".into());
                self.tell_left(&state);
                None
            }
            Advance::LoopHead | Advance::AtBound => Some(state),
            Advance::Running | Advance::Forked | Advance::Join => match &mut self.group {
                Some(group) if !siblings.is_empty() || !group.is_empty() => {
                    group.take(&self.machine, std::iter::once(state).chain(siblings).collect());
                    None
                }
                _ => self.go_on(state, siblings, turn),
            },
        };
        ControlFlow::Continue(goes_on)
    }

    /// Whether a state at its node needs to be followed, as far as the pruning tells.
    fn follows(&mut self, state: &mut State) -> Follow {
        self.tally.follows(&mut self.machine, state, &self.frontier)
    }

    fn tell_left(&self, state: &State) {
        self.explorer.tell_left(&self.machine, state);
    }

    /// Whether the path was found, and confirmed, to come back to where it was.
    fn goes_round(&mut self, state: &mut State) -> bool {
        if !self.machine.config().pauses.all_loop_heads || state.has_company() {
            return false;
        }
        self.machine.look_for_cycle(state);
        if self.machine.found.violations.is_empty() {
            self.look_for_recurrence(state);
        }
        self.found_violation()
    }

    /// Reports a violation if some run of the path never leaves a set of states, where it is time to look for one.
    fn look_for_recurrence(&mut self, state: &State) {
        let limits = &self.explorer.config.limits;
        if !self.recurrences.is_due(&self.machine, state, limits) {
            return;
        }
        let (store, cx) = (&self.task.program.terms, self.cx);
        let config = OracleConfig { query_time: limits.recurrence_query, ..OracleConfig::default() };
        let new_oracle = || Oracle::new(store.clone(), (cx.backend)(), config.clone());
        let began = Instant::now();
        self.machine.look_for_recurrence(state, &new_oracle);
        self.recurrences.took(began.elapsed());
    }

    /// Whether an equal state was followed before; folded first, where that is the way.
    fn comes_back(&mut self, state: &mut State) -> bool {
        if self.tally.shared.as_ref().is_some_and(|shared| shared.tree.is_on_the_way(state)) {
            return false;
        }
        if self.explorer.config.folds_lists {
            self.machine.fold(state);
        }
        self.tally.visited.is_repeated(&mut self.machine, state)
    }

    fn takes_turns(&self) -> bool {
        matches!(self.explorer.config.searcher, Searcher::Mixed | Searcher::Closing)
    }

    /// Which state of a fork runs now; the others wait.
    fn go_on(&mut self, state: State, mut siblings: Vec<State>, turn: &Turn) -> Option<State> {
        let mut state = state;
        if self.explorer.config.searcher == Searcher::LoopEscape
            && let Some(best) = (0..siblings.len()).min_by_key(|&i| self.machine.loop_depth(&siblings[i]))
            && self.machine.loop_depth(&siblings[best]) < self.machine.loop_depth(&state)
        {
            std::mem::swap(&mut state, &mut siblings[best]);
        }
        let follow = self.follows(&mut state);
        let forked = !siblings.is_empty();
        siblings.into_iter().for_each(|s| self.add(s));
        match follow {
            Follow::Now => {}
            Follow::Later => {
                self.frontier.put_off(state);
                return None;
            }
            Follow::Never => {
                self.prune(state);
                return None;
            }
        }
        if self.too_deep(&state) {
            self.tally.lose(&mut self.machine, &state);
            self.tell_left(&state);
            self.tally.cut += 1;
            self.tally.ended += 1;
            self.tally.reasons.note(Reason::BoundReached(format!("depth {}", self.explorer.config.max_depth.unwrap_or(0))));
            return None;
        }
        // The mixed strategy lets another state run after a fork; plain depth-first order goes on.
        let goes_on = match self.explorer.config.searcher {
            _ if state.follows_seed() => true,
            Searcher::Mixed => !forked,
            Searcher::Closing => !forked || self.frontier.is_closing(),
            Searcher::CoverageRandom => self.frontier.goes_on_after_forks() && turn.has_forks_left(&state, &self.explorer.config.limits),
            _ => self.frontier.keeps_running(),
        };
        if goes_on {
            return Some(state);
        }
        self.frontier.add(state);
        None
    }

    fn too_deep(&self, state: &State) -> bool {
        self.explorer.config.max_depth.is_some_and(|most| state.search.depth > most)
    }

    pub(crate) fn add(&mut self, state: State) {
        let bound = if self.too_deep(&state) {
            self.explorer.config.max_depth.map(|most| format!("depth {most}"))
        } else {
            self.explorer.config.max_states.filter(|most| self.frontier.len() as u64 >= *most).map(|most| format!("{most} states"))
        };
        match bound {
            Some(bound) => {
                self.tally.lose(&mut self.machine, &state);
                self.tally.cut += 1;
                self.tally.ended += 1;
                self.tally.reasons.note(Reason::BoundReached(bound));
            }
            None => self.frontier.add(state),
        }
    }

    fn path_ended(&mut self, end: PathEnd) {
        self.tally.ended += 1;
        if let PathEnd::Cut(cut) = end {
            self.tally.cut += 1;
            let reason = cut_reason(&cut, &self.machine.program.files);
            self.tally.reasons.note(reason);
        }
    }

    fn tell_end(&self, end: &PathEnd, state: &State) {
        let Some(listener) = &self.explorer.listener else { return };
        match end {
            PathEnd::Finished if state.search.covers_new || listener.appetite() == Appetite::All => {
                listener.path(self.machine.path_record(state, true));
            }
            // What comes after an unsupported statement is unknown, what came before is worth a test. A violation
            // was reported, if it was the first at its location; this path may be another one.
            PathEnd::Cut(_) | PathEnd::Violated if state.search.covers_new => listener.path(self.machine.path_record(state, false)),
            PathEnd::Finished | PathEnd::Cut(_) | PathEnd::Discarded | PathEnd::Violated => {}
        }
    }

    /// A path that needs not be followed: what it reached on the way here may be new all the same.
    fn prune(&mut self, state: State) {
        self.frontier.pruned();
        if self.wants_every_path() && self.tally.passed_over.len() < self.explorer.config.limits.passed_over {
            self.tally.passed_over.push(state);
        } else {
            self.tell_left(&state);
        }
    }

    fn wants_every_path(&self) -> bool {
        self.explorer.listener.as_ref().is_some_and(|listener| listener.appetite() == Appetite::All)
    }

    /// The state that runs next: one that waits, one that turned out not to be covered, or one whose end was only left out
    /// because it covers nothing new.
    fn next(&mut self) -> Option<State> {
        if self.tally.covered_all && !self.wants_every_path() {
            self.tally.reasons.note(Reason::BoundReached("number of tests".into()));
            return None;
        }
        let next = self.frontier.next(&self.machine).or_else(|| self.tally.next_after_all(&mut self.machine, &mut self.frontier));
        if next.is_some() || !self.wants_every_path() {
            return next;
        }
        self.tally.covered_all |= self.tally.is_complete();
        let mut state = self.tally.passed_over.pop()?;
        self.tally.started += 1;
        self.tally.followed_after_all += 1;
        state.search.node = UNTRACKED;
        Some(state)
    }

    fn tell_first_comers(&mut self) {
        if let Some(listener) = &self.explorer.listener {
            self.frontier.take_first_comers(&self.machine).into_iter().for_each(|path| listener.path(path));
        }
    }

    fn goes_on_after_violations(&self) -> bool {
        self.explorer.listener.is_some() || self.explorer.config.targets
    }

    /// Replays what the machine reports. Unless all are wanted, the first confirmed violation ends the run.
    fn found_violation(&mut self) -> bool {
        for trace in std::mem::take(&mut self.machine.found.violations) {
            if self.explorer.config.folds_lists {
                let what = format!("{} could fail in lists that the loops may never build", trace.violation.property);
                self.tally.reasons.note(Reason::Undecided(what));
                return true;
            }
            let key = violation_key(&trace.violation);
            if self.goes_on_after_violations() && self.tally.failed.contains(&key) {
                continue;
            }
            // A listener replays it itself, and once is enough.
            let confirmation = match &self.explorer.listener {
                Some(listener) => listener.violation(&trace).map_err(Reason::NotConfirmed),
                None => confirmed(self.task, &trace),
            };
            match confirmation {
                Ok(()) => {
                    if !self.goes_on_after_violations() {
                        self.tally.violated.push(trace);
                        return true;
                    }
                    self.tally.failed.insert(key);
                    if self.explorer.config.targets {
                        self.tally.reached.push(trace.clone());
                    }
                    if !self.tally.violated.iter().any(|known| known.violation.property == trace.violation.property) {
                        self.tally.violated.push(trace);
                    }
                }
                Err(reason) => {
                    self.tally.cut += 1;
                    self.tally.reasons.note(reason);
                }
            }
        }
        false
    }
}
