//! The last steps of a run with several threads: both accesses of a data race, or the locations at which deadlocked
//! threads wait. The run ends before they are executed, but a reader expects to see them.

use super::environment::Environment;
use super::names::Names;
use super::place_of;
use crate::model::{LIFETIME, StepReport};
use crate::source::SourceText;
use fathom_base::Loc;
use fathom_ir::Property;
use fathom_machine::{Deed, RaceAccess, ReplayLog, Violation};

/// What stands at the end of the threads that the violation is about.
pub fn ending(violation: &Violation, log: &ReplayLog, environment: &Environment<'_>, text: &mut SourceText<'_>) -> Vec<StepReport> {
    let names = environment.names;
    let mut words: Vec<(u32, String, String, String, Loc)> = Vec::new();
    match violation.property {
        Property::NoDataRace => {
            // The first is the one that the run ends at.
            for access in log.scene.race.iter().flat_map(|race| race.accesses.iter().rev()) {
                let loc = names.user_place(&access.places).unwrap_or(Loc::UNKNOWN);
                let verb = match access.deed {
                    Deed::Read => "is read",
                    Deed::Write => "is written",
                    Deed::Free => "is freed",
                };
                words.push((access.thread, access.start.clone(), accessed(names, access), verb.into(), loc));
            }
        }
        Property::Deadlock if environment.waiting().len() > 1 => {
            for (thread, start, loc) in environment.waiting() {
                words.push((thread, start.into(), "the thread".into(), "waits".into(), loc));
            }
        }
        _ => {}
    }
    let steps = words.into_iter().flat_map(|(number, function, variable, value, loc)| {
        let place = place_of(loc, names.files, text);
        let goes_on = StepReport::Thread { number, function, place: place.clone() };
        [goes_on, StepReport::Value { variable, type_name: LIFETIME.into(), value, memory: true, object: None, place }]
    });
    steps.collect()
}

/// What an access is to, in the program's names.
pub fn accessed(names: &Names<'_>, access: &RaceAccess) -> String {
    let RaceAccess { deed, place, length, .. } = access;
    let spot = names.spot(place.object, u64::try_from(place.offset).unwrap_or(0), *length).filter(|_| *deed != Deed::Free);
    match spot {
        Some(spot) if spot.rest == 0 && spot.size == *length => spot.path,
        Some(spot) if *length == 1 => format!("byte {} of {}", spot.rest, spot.path),
        Some(spot) => format!("bytes {}..{} of {}", spot.rest, spot.rest + length.saturating_sub(1), spot.path),
        None => names.object(place.object),
    }
}
