//! For leaked memory: the variable or location that pointed to it last, and where that pointer was lost. Pointers are
//! followed along the reported steps of the run, so ones without a name in the source are missed.

use super::names::Names;
use fathom_base::Loc;
use fathom_machine::{ObjectKey, ReplayLog, TraceStep};
use std::collections::BTreeMap;

/// Who holds a pointer to the object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    /// A variable of a call, by thread and depth.
    Variable(u32, usize, String),
    Memory(ObjectKey, u64),
}

/// `text`, and where something else was put there, if that is so. A place that was written over says more than a local variable whose
/// function has returned.
pub fn last_pointer(object: ObjectKey, log: &ReplayLog, names: &Names<'_>) -> Option<(String, Option<Loc>)> {
    let mut holders: BTreeMap<Holder, usize> = BTreeMap::new();
    let mut depths: BTreeMap<u32, usize> = BTreeMap::new();
    let (mut running, mut lost, mut replaced) = (1, None, None);
    for (number, step) in log.steps.iter().enumerate() {
        let depth = *depths.entry(running).or_default();
        let (mut gone, mut loc) = (Vec::new(), None);
        let mut come = Vec::new();
        match step {
            TraceStep::Value { watched, loc: at } => {
                let holder = Holder::Variable(running, depth, watched.variable.clone());
                match watched.pointer.filter(|place| place.object == object) {
                    Some(_) => come.push(holder),
                    None => gone.push(holder),
                }
                // Without a type: the variable has gone out of scope.
                loc = Some(*at).filter(|_| !watched.type_name.is_empty());
            }
            TraceStep::Store { object: to, offset, length, bytes, loc: at } => {
                gone.extend((*offset..offset + length).map(|at| Holder::Memory(*to, at)).filter(|holder| holders.contains_key(holder)));
                let pointing = bytes.pointers.iter().filter(|(_, place)| place.object == object);
                come.extend(pointing.map(|(at, _)| Holder::Memory(*to, offset + at)));
                loc = Some(*at);
            }
            TraceStep::Enter { .. } => *depths.entry(running).or_default() += 1,
            TraceStep::Leave { .. } => {
                gone.extend(holders.keys().filter(|holder| is_of_call(holder, running, depth)).cloned());
                depths.insert(running, depth.saturating_sub(1));
            }
            TraceStep::Switch { thread, .. } => running = *thread,
            TraceStep::Skipped { .. } => return None,
            _ => {}
        }
        for holder in gone {
            if holders.remove(&holder).is_some() {
                replaced = loc.map(|loc| (holder.clone(), Some(loc))).or(replaced);
                lost = Some((holder, loc));
            }
        }
        holders.extend(come.into_iter().map(|holder| (holder, number)));
    }
    // Holders that are left end with the run; the newest of them counts as the last.
    let last = holders.into_iter().max_by_key(|(_, since)| *since).map(|(holder, _)| (holder, None));
    let (holder, until) = last.or_else(|| replaced.or(lost))?;
    let until = until.filter(|loc| loc.is_known() && !names.is_library(*loc));
    let name = match holder {
        Holder::Variable(_, _, name) => name,
        Holder::Memory(object, offset) => {
            let width = u64::from(names.scene.pointer_bits / 8);
            names.spot(object, offset, width).filter(|spot| spot.rest == 0)?.path
        }
    };
    Some((name, until))
}

fn is_of_call(holder: &Holder, thread: u32, depth: usize) -> bool {
    matches!(holder, Holder::Variable(of, at, _) if (*of, *at) == (thread, depth))
}
