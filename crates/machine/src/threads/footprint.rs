//! Computes what a thread may still read and write, as far as the code tells. A global whose address is used only for
//! loads, stores, copies and fills is accessed only where the code names it. So the code that a thread may still
//! execute (the rest of each procedure on its stack, and everything that this calls or starts) tells whether the thread
//! will ever access it. An access with which no other thread can conflict, now or later, commutes with all their
//! actions: it is not visible (`schedule`).
//!
//! If a pointer reaches such a global in any other way, it was guessed, and the path is unsupported (`check_guess`).

use crate::exec::code::{Access, Action, CalleeCode, Code, End, Extent, Operand, Part, ThreadAction};
use crate::exec::machine::{Machine, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use fathom_base::{FxMap, FxSet};
use fathom_ir::AccessKind;
use std::rc::Rc;

#[derive(Clone, Default, PartialEq, Eq)]
struct Touch {
    reads: FxSet<ObjectKey>,
    writes: FxSet<ObjectKey>,
}

impl Touch {
    fn add(&mut self, other: &Touch) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }
}

/// Made when the first thread starts.
pub(crate) struct Footprints {
    /// Globals that only code that names them can touch.
    tracked: FxSet<ObjectKey>,
    /// What a whole procedure may touch, with all that it calls or starts.
    procs: Vec<Touch>,
    /// What may follow at a place.
    places: FxMap<(u32, u32, u32), Rc<Touch>>,
    named: Vec<u32>,
}

impl Machine {
    pub(crate) fn make_footprints(&mut self) {
        if self.analyses.footprints.is_some() {
            return;
        }
        let code = self.code.clone();
        let globals: Vec<(ObjectKey, crate::memory::objects::Object)> = self.image.globals.clone();
        let is_plain = |index: usize| self.program.objects.get(index).is_some_and(|object| !object.thread_local);
        let mut tracked: FxSet<ObjectKey> = (0..globals.len()).filter(|&i| is_plain(i)).map(|i| globals[i].0).collect();
        let mut named: FxSet<ObjectKey> = FxSet::default();
        for (_, object) in &globals {
            named.extend(self.objects_in(object));
        }
        for block in code.procs.iter().flat_map(|proc| &proc.blocks) {
            for action in &block.actions {
                loose_addresses(action, &mut |object| {
                    named.insert(object);
                });
            }
            if let End::Branch { condition: expr, .. } | End::Switch { value: expr, .. } = &block.end
                && let Some(object) = address(expr.operand)
            {
                named.insert(object);
            }
        }
        tracked.retain(|object| !named.contains(object));
        let mut procedures: Vec<u32> = named.iter().filter_map(|object| self.image.procs_by_object.get(object).copied()).collect();
        procedures.sort_unstable();
        let mut footprints =
            Footprints { tracked, procs: vec![Touch::default(); code.procs.len()], places: FxMap::default(), named: procedures };
        footprints.complete(&code, &self.image.procs_by_object);
        self.analyses.footprints = Some(Box::new(footprints));
    }

    /// Whether another thread may touch what an operand names in a way that does not commute.
    pub(crate) fn is_contested(&mut self, state: &State, pointer: Operand, is_write: bool) -> bool {
        let (Some(object), Some(threads)) = (address(pointer), &state.threads) else { return true };
        let Some(mut footprints) = self.analyses.footprints.take() else { return true };
        let mut contested = !footprints.tracked.contains(&object) || threads.others_delay(object);
        for (number, thread) in threads.all.iter().enumerate() {
            if contested || number as u32 == threads.running || thread.ended || threads.awaits_running(number as u32) {
                continue;
            }
            for (level, frame) in thread.frames.iter().enumerate() {
                let index = if level + 1 == thread.frames.len() { frame.index } else { frame.index + 1 };
                let touch = footprints.after(&self.code, &self.image.procs_by_object, (frame.proc, frame.block, index));
                contested |= touch.writes.contains(&object) || (is_write && touch.reads.contains(&object));
            }
        }
        self.analyses.footprints = Some(footprints);
        contested
    }

    /// A pointer that is no address of an object by itself must not lead to a tracked global.
    pub(crate) fn check_guess(&mut self, state: &State, pointer: Val, object: ObjectKey) -> Step<()> {
        let is_guess = state.threads.is_some() && !matches!(pointer, Val::Pointer { .. });
        match &self.analyses.footprints {
            Some(footprints) if is_guess && footprints.tracked.contains(&object) => {
                Err(self.unsupported(state, "a guessed address in a program with threads"))
            }
            _ => Ok(()),
        }
    }
}

impl Footprints {
    /// Grows the footprints of procedures until nothing is missing.
    fn complete(&mut self, code: &Code, by_object: &FxMap<ObjectKey, u32>) {
        loop {
            let mut changed = false;
            for (number, proc) in code.procs.iter().enumerate() {
                let mut touch = self.procs[number].clone();
                for action in proc.blocks.iter().flat_map(|block| &block.actions) {
                    self.touched(action, by_object, &mut touch);
                }
                changed |= touch != self.procs[number];
                self.procs[number] = touch;
            }
            if !changed {
                return;
            }
        }
    }

    fn touched(&self, action: &Action, by_object: &FxMap<ObjectKey, u32>, touch: &mut Touch) {
        let tracked = |operand: Operand| address(operand).filter(|object| self.tracked.contains(object));
        match action {
            Action::Call { callee: CalleeCode::Direct(proc), .. } => touch.add(&self.procs[*proc as usize]),
            Action::Call { callee: CalleeCode::Indirect(_), .. } => {
                self.named.iter().for_each(|&proc| touch.add(&self.procs[proc as usize]));
            }
            Action::Thread(ThreadAction::Start { .. }) => {
                self.named.iter().for_each(|&proc| touch.add(&self.procs[proc as usize]));
            }
            other => other.for_each_access(&mut |access| match access.kind {
                AccessKind::Read | AccessKind::Look | AccessKind::Alive => touch.reads.extend(tracked(access.pointer)),
                AccessKind::Write | AccessKind::Free => touch.writes.extend(tracked(access.pointer)),
            }),
        }
        // A procedure whose address is handed on may be started or called by someone else.
        loose_addresses(action, &mut |object| {
            if let Some(&proc) = by_object.get(&object) {
                touch.add(&self.procs[proc as usize]);
            }
        });
    }

    fn after(&mut self, code: &Code, by_object: &FxMap<ObjectKey, u32>, place: (u32, u32, u32)) -> Rc<Touch> {
        if let Some(known) = self.places.get(&place) {
            return known.clone();
        }
        let (number, block, index) = place;
        let proc = &code.procs[number as usize];
        let mut touch = Touch::default();
        let rest = proc.blocks[block as usize].actions.iter().skip(index as usize);
        rest.for_each(|action| self.touched(action, by_object, &mut touch));
        let mut seen = vec![false; proc.blocks.len()];
        let mut open = proc.blocks[block as usize].end.successors();
        while let Some(next) = open.pop() {
            if std::mem::replace(&mut seen[next as usize], true) {
                continue;
            }
            let block = &proc.blocks[next as usize];
            block.actions.iter().for_each(|action| self.touched(action, by_object, &mut touch));
            open.extend(block.end.successors());
        }
        let touch = Rc::new(touch);
        self.places.insert(place, touch.clone());
        touch
    }
}

fn address(operand: Operand) -> Option<ObjectKey> {
    match operand {
        Operand::Value(Val::Pointer { object, .. }) => Some(object),
        _ => None,
    }
}

/// Addresses that an action uses for something else than to read from there or write there.
fn loose_addresses(action: &Action, found: &mut dyn FnMut(ObjectKey)) {
    action.for_each_part(&mut |part| {
        let operand = match part {
            Part::Used(operand) => operand,
            Part::Accessed(access) if is_plain(&access) => return,
            Part::Accessed(access) => access.pointer,
            // Only the reader of a trace sees it.
            Part::Watched(_) | Part::Written(_) => return,
        };
        address(operand).into_iter().for_each(&mut *found);
    });
}

/// Whether no more than some bytes are read or written.
fn is_plain(access: &Access) -> bool {
    matches!((access.kind, access.extent), (AccessKind::Read | AccessKind::Write, Extent::Bytes(_) | Extent::Length))
}
