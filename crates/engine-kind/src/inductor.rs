//! What happens at loop heads in the inductive step. A loop first runs as it is, from the start. A state that has used
//! its k iterations becomes the middle of the loop: everything the loop may change is arbitrary, within the invariants
//! that are known at the head; it runs k more iterations, of which the first k - 1 assume their checks and may not be
//! left, and the last one checks and may be left. Behind that it ends.
//!
//! Why that is sound, with several and with nested loops. Take a run of the program up to its first violation (or its
//! end), and a loop instance in it. If that instance never uses up its k iterations, the walk follows it as it is.
//! Otherwise let n >= k be the number of the iteration in which the run leaves the instance or fails. The state at the
//! start of iteration n - (k - 1), which is not the first, is covered by the middle state: it differs from the state on
//! entry only in what the loop may change (`semantics::havoc`), and satisfies the invariants (below). From there the
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

use crate::candidates;
use fathom_base::FxMap;
use fathom_ir::{BlockId, Invariant, Invariants, LoopHead, ProcId};
use fathom_semantics::{AddressBook, Changes, Cut, Machine, PathEnd, Snapshot, State};
use fathom_smt::Validity;
use fathom_term::Term;
use fathom_unroll::{Director, Tally};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Iterations of a loop with constant tests that are followed before it is treated like any other, for k = 1 and more.
const CONSTANT_ITERATIONS: [u64; 2] = [64, 2048];

/// What was learned of one loop.
#[derive(Default)]
pub struct Learned {
    pub changes: Changes,
    /// None until the loop is first entered in the middle.
    pub candidates: Option<Vec<Invariant>>,
}

/// Kept over all walks of all k.
#[derive(Default)]
pub struct Knowledge {
    pub loops: BTreeMap<LoopHead, Learned>,
    pub given: Invariants,
    pub guess: bool,
    /// The addresses of the walks so far, so that objects keep their names.
    pub book: Option<AddressBook>,
}

pub struct Inductor<'a> {
    pub k: u64,
    pub knowledge: &'a mut Knowledge,
    /// Loops that were entered in the middle in this walk.
    used: FxMap<LoopHead, ()>,
    /// Something was corrected after it was used.
    pub stale: bool,
    /// Why there is no inductive step.
    pub off: Option<String>,
}

impl<'a> Inductor<'a> {
    pub fn new(k: u64, knowledge: &'a mut Knowledge) -> Self {
        Inductor { k, knowledge, used: FxMap::default(), stale: false, off: None }
    }

    /// The loops that this walk took by induction, with their invariants.
    pub fn loops(&self) -> Vec<(LoopHead, Vec<Invariant>)> {
        let mut heads: Vec<LoopHead> = self.used.keys().copied().collect();
        heads.sort();
        let invariants = |head: &LoopHead| self.knowledge.loops.get(head).and_then(|known| known.candidates.clone());
        heads.iter().map(|head| (*head, invariants(head).unwrap_or_default())).collect()
    }

    fn give_up(&mut self, machine: &Machine, state: &State, why: &str) {
        let frame = state.frame();
        let block = &machine.code.procs[frame.proc as usize].blocks[frame.block as usize];
        let loc = block.locs.first().copied().unwrap_or(block.end_loc);
        self.off.get_or_insert_with(|| format!("{why} (loop at {})", machine.program.files.show(loc)));
    }

    /// Goes from the start of the loop to its middle. None if the state ends.
    fn to_the_middle(&mut self, machine: &mut Machine, mut state: State) -> Option<State> {
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
        let learned = self.knowledge.loops.entry(head).or_default();
        if learned.candidates.is_none() {
            let mut all = self.knowledge.given.of(head).to_vec();
            if self.knowledge.guess {
                all.extend(candidates::guess(machine, &state, &base, &learned.changes));
            }
            learned.candidates = Some(all);
        }
        let entry = machine.restored(&state, &base);
        if self.drop_failing(machine, &entry, head) && self.used.contains_key(&head) {
            self.stale = true;
        }
        self.used.insert(head, ());
        let learned = self.knowledge.loops.entry(head).or_default();
        machine.havoc(&mut state, &learned.changes);
        for invariant in learned.candidates.iter().flatten() {
            let Some(condition) = machine.condition_in(&state, invariant) else { continue };
            match machine.restrict(&mut state, condition) {
                Ok(true) => {}
                // No state satisfies the invariants, which hold in every state there is.
                Ok(false) => return None,
                Err(end) => {
                    machine.cuts.push(cut_of(end));
                    return None;
                }
            }
        }
        let base = Rc::new(machine.snapshot(&state));
        let at = state.frame_mut().loops.last_mut()?;
        (at.from_the_middle, at.iteration, at.counted, at.base) = (true, 0, 0, Some(base));
        Some(state)
    }

    /// False if there is no telling what the loop changes.
    fn note_changes(&mut self, machine: &mut Machine, base: &Snapshot, state: &mut State, head: LoopHead) -> bool {
        let learned = self.knowledge.loops.entry(head).or_default();
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
    fn drop_failing(&mut self, machine: &mut Machine, state: &State, head: LoopHead) -> bool {
        let Some(candidates) = self.knowledge.loops.get_mut(&head).and_then(|known| known.candidates.as_mut()) else {
            return false;
        };
        let before = candidates.len();
        let mut kept: Vec<(Invariant, Term)> = Vec::new();
        for invariant in candidates.drain(..) {
            if let Some(condition) = machine.condition_in(state, &invariant)
                && (!state.is_certain() || state.model.holds(&machine.store, condition) != Some(false))
            {
                kept.push((invariant, condition));
            }
        }
        loop {
            let all = machine.store.and_all(kept.iter().map(|(_, condition)| *condition));
            match machine.holds_in(state, all) {
                Validity::Holds => break,
                Validity::Fails(model) => {
                    let count = kept.len();
                    kept.retain(|(_, condition)| model.holds(&machine.store, *condition) == Some(true));
                    if kept.len() == count {
                        kept.clear();
                    }
                }
                Validity::Unknown(_) => {
                    kept.retain(|(_, condition)| matches!(machine.holds_in(state, *condition), Validity::Holds));
                    break;
                }
            }
        }
        *candidates = kept.into_iter().map(|(invariant, _)| invariant).collect();
        candidates.len() < before
    }

    /// One iteration from the middle is over.
    fn check_iteration(&mut self, machine: &mut Machine, state: &mut State) -> bool {
        let frame = state.frame();
        let head = LoopHead { procedure: ProcId(frame.proc), block: BlockId(frame.block) };
        let Some(base) = frame.loops.last().and_then(|at| at.base.clone()) else { return false };
        if !self.note_changes(machine, &base, state, head) {
            return false;
        }
        self.stale |= self.drop_failing(machine, state, head);
        true
    }
}

impl Director for Inductor<'_> {
    fn arrive(&mut self, machine: &mut Machine, mut state: State, on: &mut Vec<State>) {
        if self.off.is_some() {
            return;
        }
        let Some(at) = state.frame().loops.last() else { return on.push(state) };
        let (iteration, counted, from_the_middle) = (at.iteration, at.counted, at.from_the_middle);
        let constant = CONSTANT_ITERATIONS[(self.k > 1) as usize];
        if !from_the_middle {
            if iteration == 0 {
                let base = Rc::new(machine.snapshot(&state));
                if let Some(at) = state.frame_mut().loops.last_mut() {
                    at.base = Some(base);
                }
                on.push(state);
            } else if counted >= self.k || iteration >= constant.max(self.k) {
                on.extend(self.to_the_middle(machine, state));
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

fn cut_of(end: PathEnd) -> Cut {
    match end {
        PathEnd::Cut(cut) => cut,
        _ => Cut::Solver("an invariant could not be assumed".to_string()),
    }
}
