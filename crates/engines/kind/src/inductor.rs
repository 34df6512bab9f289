//! What happens at loop heads in the inductive step. A loop first runs as it is, from the start. A state that has used
//! its k iterations becomes the middle of the loop: everything the loop may change is arbitrary, within the invariants
//! that are known at the head; it runs k more iterations, of which the first k - 1 assume their checks and may not be
//! left, and the last one checks and may be left. Behind that it ends.
//!
//! Why that is sound, with several and with nested loops. Take a run of the program up to its first violation (or its
//! end), and a loop instance in it. If that instance never uses up its k iterations, the walk follows it as it is.
//! Otherwise let n >= k be the number of the iteration in which the run leaves the instance or fails. The state at the
//! start of iteration n - (k - 1), which is not the first, is covered by the middle state: it differs from the state on
//! entry only in what the loop may change (`machine::induction::havoc`), and satisfies the invariants (below). From there the
//! walk follows the run's last k iterations: the checks of the first k - 1 held, because the violation is the first, so
//! assuming them loses nothing, and the run does not leave in them. Inner loops of these iterations are instances of
//! their own, to which the same applies; what follows the loop continues from the covered state. So the walk
//! meets the violation, in an iteration that checks at every level. Undefined or unsupported behaviour counts as a
//! violation here: it spoils the proof where it is checked.
//!
//! Invariants are candidates until a whole walk went by in which each held on entry into the loop (for the runs that came
//! as far as the middle) and again after one iteration from the middle with all of them assumed. The set of changes
//! is complete when the same iterations added nothing. Whatever is corrected after it was used makes the walk `stale`:
//! it proves nothing and is repeated with what was learned.

use crate::candidates::{self, Candidate};
use crate::clauses::strongest;
use crate::limits::Limits;
use crate::relations::{Samples, is_kept};
use crate::sweeps;
use fathom_base::FxMap;
use fathom_ir::{BlockId, Invariant, Invariants, LoopHead, ProcId};
use fathom_machine::{AddressBook, Changes, Cut, Law, Machine, PathEnd, Snapshot, State};
use fathom_smt::Validity;
use fathom_term::Term;
use fathom_unroll::{Director, Tally};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// How candidates about arrays are treated.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Laws {
    Proved,
    /// They need not hold in this state, which the middle covers, and after many iterations the question is a hard one.
    Tried,
}

/// What a loop changes, and its candidates and invariants.
#[derive(Default)]
pub struct Learned {
    pub changes: Changes,
    /// None until the loop is first entered in the middle.
    pub candidates: Option<Vec<Candidate>>,
    samples: Samples,
    relations: Vec<Candidate>,
    /// It was seen to run this often with constant tests: no need to follow that again.
    at_least: u64,
    /// Candidates about arrays were made when so many objects were known to change.
    swept: Option<usize>,
    /// Relations for the next walk: this one did not assume them, so it can't tell whether they are kept.
    next_relations: Option<Vec<Candidate>>,
}

impl Learned {
    /// Adds candidates about arrays, again whenever more objects turn out to change as a whole.
    fn look_at_arrays(&mut self, machine: &mut Machine, state: &State, base: &Snapshot, limits: &Limits) {
        let objects = self.changes.objects.len();
        if self.swept.is_some_and(|known| known >= objects) {
            return;
        }
        self.swept = Some(objects);
        let entry = machine.restored(state, base);
        let subjects = candidates::subjects(machine, state, &entry, &self.changes, limits.subjects, &mut Vec::new());
        let new = sweeps::guess(machine, state, &subjects, limits);
        let known = self.candidates.get_or_insert_default();
        let new: Vec<Candidate> = new.into_iter().filter(|one| !known.contains(one)).collect();
        known.extend(new);
    }

    fn all(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().flatten().chain(&self.relations)
    }
}

/// Kept over all walks of all k.
#[derive(Default)]
pub struct LoopInvariants {
    pub loops: BTreeMap<LoopHead, Learned>,
    pub given: Invariants,
    pub guess: bool,
    pub limits: Rc<Limits>,
    /// The addresses of the walks so far, so that objects keep their names.
    pub book: Option<AddressBook>,
}

/// Enters loops in the middle, and finds out what they change and which candidates are invariants.
pub struct Inductor {
    pub k: u64,
    pub invariants: LoopInvariants,
    /// Loops that were entered in the middle in this walk.
    used: FxMap<LoopHead, ()>,
    /// Loops with others inside, as far as they were asked for.
    nested: FxMap<(u32, u32), bool>,
    /// Something was corrected after it was used.
    pub stale: bool,
    /// There are new candidates for the next walk.
    pub gained: bool,
    /// Why there is no inductive step.
    pub off: Option<String>,
}

impl Inductor {
    /// For a walk of this k.
    pub fn new(k: u64, invariants: LoopInvariants) -> Self {
        Inductor { k, invariants, used: FxMap::default(), nested: FxMap::default(), stale: false, gained: false, off: None }
    }

    /// The loops that this walk took by induction, with their invariants.
    pub fn loops(&self) -> Vec<(LoopHead, Vec<Invariant>)> {
        let mut heads: Vec<LoopHead> = self.used.keys().copied().collect();
        heads.sort();
        let invariants = |head: &LoopHead| -> Vec<Invariant> {
            let known = self.invariants.loops.get(head);
            known.into_iter().flat_map(Learned::all).map(|candidate| candidate.invariant.clone()).collect()
        };
        heads.iter().map(|head| (*head, invariants(head))).collect()
    }

    /// Iterations of the loop that are followed although only constants decide it.
    fn constant_iterations(&mut self, machine: &Machine, state: &State) -> u64 {
        let (proc, head) = (state.frame().proc, state.frame().block);
        let is_nested = *self.nested.entry((proc, head)).or_insert_with(|| {
            let blocks = &machine.code.procs[proc as usize].blocks;
            blocks.iter().any(|block| block.loops.contains(&head) && block.loops.last() != Some(&head))
        });
        let most = if is_nested { self.invariants.limits.nested_iterations } else { self.invariants.limits.constant_iterations };
        most[(self.k as usize - 1).min(2)].max(self.k)
    }

    /// Whether a loop that constants decide runs too often to be followed to its end, as far as this iteration tells.
    fn is_long(&mut self, machine: &Machine, state: &State, iteration: u64) -> bool {
        let most = self.constant_iterations(machine, state);
        let head = LoopHead { procedure: ProcId(state.frame().proc), block: BlockId(state.frame().block) };
        let learned = self.invariants.loops.entry(head).or_default();
        if iteration >= most {
            learned.at_least = learned.at_least.max(iteration);
        }
        learned.at_least >= most
    }

    fn give_up(&mut self, machine: &Machine, state: &State, why: &str) {
        let frame = state.frame();
        let block = &machine.code.procs[frame.proc as usize].blocks[frame.block as usize];
        let loc = block.locs.first().copied().unwrap_or(block.end_loc);
        self.off.get_or_insert_with(|| format!("{why} (loop at {})", machine.program.files.show(loc)));
    }

    /// Goes from the start of the loop to its middle. None if the state ends.
    fn go_to_the_middle(&mut self, machine: &mut Machine, mut state: State) -> Option<State> {
        let frame = state.frame();
        let head = LoopHead { procedure: ProcId(frame.proc), block: BlockId(frame.block) };
        if machine.code.procs[frame.proc as usize].blocks[frame.block as usize].has_side_entry {
            self.give_up(machine, &state, "a loop can be entered beside its head");
            return None;
        }
        let base = frame.loops.last().and_then(|at| at.base.clone())?;
        if !self.note_changes(machine, &base, &mut state, head) {
            return None;
        }
        let learned = self.invariants.loops.entry(head).or_default();
        if learned.candidates.is_none() {
            let given = self.invariants.given.of(head).iter().cloned();
            let mut all: Vec<Candidate> = given.map(|invariant| candidates::given(machine, &state, invariant)).collect();
            if self.invariants.guess {
                all.extend(candidates::guess(machine, &state, &base, &learned.changes, &self.invariants.limits));
            }
            learned.candidates = Some(all);
        }
        let was_used = self.used.contains_key(&head);
        if self.invariants.guess && !was_used {
            learned.look_at_arrays(machine, &state, &base, &self.invariants.limits);
        }
        self.find_relations(machine, &state, &base, head, was_used);
        if !was_used
            && let Some(learned) = self.invariants.loops.get_mut(&head)
            && let Some(relations) = learned.next_relations.take()
        {
            learned.relations = relations;
        }
        // Candidates must hold on entry and in the state that the first iterations led to.
        let entry = machine.restored(&state, &base);
        for (at, laws) in [(&entry, Laws::Proved), (&state, Laws::Tried)] {
            self.stale |= self.drop_failing(machine, at, head, laws, None) && was_used;
        }
        let entry = Some(entry);
        self.used.insert(head, ());
        let learned = self.invariants.loops.entry(head).or_default();
        machine.havoc(&mut state, &learned.changes);
        let (mut conditions, mut laws) = (Vec::new(), Vec::new());
        let known = learned.all().filter_map(|candidate| Some((candidate, condition(machine, &state, entry.as_ref(), candidate)?)));
        let (known, said): (Vec<&Candidate>, Vec<Term>) = known.unzip();
        let needed = strongest(&machine.store, &said);
        for ((candidate, condition), _) in known.into_iter().zip(said).zip(needed).filter(|(_, needed)| *needed) {
            match sweeps::arrays_of(machine, &state, candidate) {
                arrays if arrays.is_empty() => conditions.push(condition),
                arrays => laws.extend(arrays.into_iter().map(|(object, element)| Law { object, element, says: condition })),
            }
        }
        let changes = &learned.changes;
        machine.set_laws(&mut state, |object| changes.objects.contains_key(&object), laws);
        let all = machine.store.and_all(conditions);
        match machine.restrict(&mut state, all) {
            Ok(true) => {}
            // The invariants hold in every reachable state, and no state satisfies them: the loop's middle is unreachable.
            Ok(false) => return None,
            Err(end) => {
                machine.found.cuts.push(cut_of(end));
                return None;
            }
        }
        let base = Rc::new(machine.snapshot(&state));
        let at = state.frame_mut().loops.last_mut()?;
        (at.from_the_middle, at.iteration, at.counted, at.base) = (true, 0, 0, Some(base));
        Some(state)
    }

    /// Learns from what the iterations since `before` have changed. Relations that are new after the loop was used are for
    /// the next walk.
    fn find_relations(&mut self, machine: &mut Machine, state: &State, before: &Snapshot, head: LoopHead, was_used: bool) {
        if self.invariants.guess
            && let Some(learned) = self.invariants.loops.get_mut(&head)
            && learned.samples.learn(machine, state, before, &learned.changes.spots, &self.invariants.limits)
        {
            learned.next_relations = Some(learned.samples.candidates(machine, state));
            self.stale |= was_used;
            self.gained |= was_used;
        }
    }

    /// False if there is no telling what the loop changes.
    fn note_changes(&mut self, machine: &mut Machine, base: &Snapshot, state: &mut State, head: LoopHead) -> bool {
        let learned = self.invariants.loops.entry(head).or_default();
        match machine.note_changes(base, state, &mut learned.changes) {
            Ok(grew) => {
                self.stale |= grew && self.used.contains_key(&head);
                true
            }
            Err(why) => {
                self.give_up(machine, state, why);
                false
            }
        }
    }

    /// Drops the candidates that do not hold in the state for certain; true if there were any. Models of failures drop
    /// many at once.
    /// `since` is where they were assumed, if that was an iteration ago.
    fn drop_failing(&mut self, machine: &mut Machine, state: &State, head: LoopHead, laws: Laws, since: Option<&Snapshot>) -> bool {
        let Some(learned) = self.invariants.loops.get_mut(&head) else { return false };
        let entry = state.frame().loops.last().and_then(|at| at.entry.clone()).map(|entry| machine.restored(state, &entry));
        let earlier = since.map(|since| machine.restored(state, since));
        let relations = std::mem::take(&mut learned.relations);
        let candidates = learned.candidates.take().unwrap_or_default();
        let (before, before_relations) = (candidates.len(), relations.len());
        let all = candidates.into_iter().map(|one| (one, false)).chain(relations.into_iter().map(|one| (one, true)));
        let mut kept: Vec<((Candidate, bool), Term)> = Vec::new();
        let mut tried: Vec<Candidate> = Vec::new();
        for (candidate, is_relation) in all {
            let step = earlier
                .as_ref()
                .filter(|_| is_relation)
                .and_then(|earlier| is_kept(machine, state, earlier, &candidate.steps, self.invariants.limits.choices));
            let condition = step.or_else(|| condition(machine, state, entry.as_ref(), &candidate));
            let is_law = candidate.invariant.cells.iter().any(|cell| cell.index.is_some());
            if let Some(condition) = condition.map(|condition| if is_law { machine.under_laws(state, condition) } else { condition })
                && (!state.is_certain() || state.path.model.holds(&machine.store, condition) != Some(false))
            {
                match is_law && laws == Laws::Tried {
                    true => tried.push(candidate),
                    false => kept.push(((candidate, is_relation), condition)),
                }
            }
        }
        let complete = retain_valid(machine, state, &mut kept, self.invariants.limits.candidate_time);
        self.stale |= !complete;
        let kept = kept.into_iter().map(|(one, _)| one);
        let (relations, candidates): (Vec<_>, Vec<_>) = kept.partition(|(_, is_relation)| *is_relation);
        learned.relations = relations.into_iter().map(|(one, _)| one).collect();
        let candidates: Vec<Candidate> = candidates.into_iter().map(|(one, _)| one).chain(tried).collect();
        let dropped = candidates.len() < before || !complete;
        learned.candidates = Some(candidates);
        if learned.relations.len() < before_relations && learned.next_relations.is_none() {
            learned.samples.give_up();
        }
        dropped || learned.relations.len() < before_relations
    }

    /// One iteration from the middle is over.
    fn check_iteration(&mut self, machine: &mut Machine, state: &mut State) -> bool {
        let frame = state.frame();
        let head = LoopHead { procedure: ProcId(frame.proc), block: BlockId(frame.block) };
        let Some(base) = frame.loops.last().and_then(|at| at.base.clone()) else { return false };
        if !self.note_changes(machine, &base, state, head) {
            return false;
        }
        self.find_relations(machine, state, &base, head, true);
        self.stale |= self.drop_failing(machine, state, head, Laws::Proved, Some(&base));
        true
    }
}

impl Director for Inductor {
    fn arrive(&mut self, machine: &mut Machine, mut state: State, on: &mut Vec<State>) {
        if self.off.is_some() {
            return;
        }
        let Some(at) = state.frame().loops.last() else { return on.push(state) };
        let (iteration, counted, from_the_middle) = (at.iteration, at.counted, at.from_the_middle);
        if !from_the_middle {
            if iteration == 0 {
                let base = Rc::new(machine.snapshot(&state));
                if let Some(at) = state.frame_mut().loops.last_mut() {
                    (at.entry, at.base) = (Some(base.clone()), Some(base));
                }
                on.push(state);
            } else if counted >= self.k {
                on.extend(self.go_to_the_middle(machine, state));
            } else if iteration >= self.k && self.is_long(machine, &state, iteration) {
                // More than k iterations were followed only to find out that the loop is long.
                if iteration > self.k {
                    self.stale = true;
                } else {
                    on.extend(self.go_to_the_middle(machine, state));
                }
            } else {
                on.push(state);
            }
            return;
        }
        if iteration == 1 && !self.check_iteration(machine, &mut state) {
            return;
        }
        if iteration < self.k {
            on.push(state);
        }
    }

    fn gives_up(&self, tally: &Tally) -> bool {
        self.off.is_some() || tally.cut > 0
    }
}

/// Keeps the conditions that hold in every case of the state. False if the time was over before that was known: then
/// nothing is dropped for want of an answer, and nothing may be concluded from what is left.
fn retain_valid<T>(machine: &mut Machine, state: &State, kept: &mut Vec<(T, Term)>, time: Duration) -> bool {
    loop {
        let conditions: Vec<Term> = kept.iter().map(|(_, condition)| *condition).collect();
        let needed = strongest(&machine.store, &conditions);
        let asked = conditions.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(condition, _)| *condition);
        let all = machine.store.and_all(asked.collect::<Vec<_>>());
        match holds_soon(machine, state, all, time) {
            Validity::Holds => return true,
            Validity::Fails(model) => {
                let count = kept.len();
                kept.retain(|(_, condition)| model.holds(&machine.store, *condition) == Some(true));
                if kept.len() == count {
                    kept.clear();
                }
            }
            Validity::Unknown(_) if machine.budget.exhausted().is_some() => return false,
            Validity::Unknown(_) if kept.len() < 2 => {
                kept.clear();
                return true;
            }
            // Usually only a few candidates are hard; halving finds the others.
            Validity::Unknown(_) => {
                let mut later = kept.split_off(kept.len() / 2);
                let in_time = retain_valid(machine, state, kept, time) && retain_valid(machine, state, &mut later, time);
                kept.append(&mut later);
                return in_time;
            }
        }
    }
}

/// Whether a condition holds in every case of the state, if that can be told in this time.
pub fn holds_soon(machine: &mut Machine, state: &State, condition: Term, time: Duration) -> Validity {
    machine.within(time, |machine| machine.holds_in(state, condition))
}

/// What a candidate says in a state, of which this was the entry into the loop.
fn condition(machine: &mut Machine, state: &State, entry: Option<&State>, candidate: &Candidate) -> Option<Term> {
    let mut further = Vec::new();
    for &(symbol, spot) in &candidate.entries {
        further.push((symbol, machine.value_at(entry?, spot)?));
    }
    machine.condition_in(state, &candidate.invariant, &further)
}

fn cut_of(end: PathEnd) -> Cut {
    match end {
        PathEnd::Cut(cut) => cut,
        _ => Cut::Solver("an invariant could not be assumed".to_string()),
    }
}
