//! Derives the answer that a verifier must give from native runs and from what the template states.

use crate::corner::{Corner, Question};
use crate::native::Run;
use crate::property::{Event, Property};

/// What compilers say about a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// No run violates the property.
    Holds,
    /// The run violates the property.
    Violated,
    /// Another event comes first, or C leaves it open.
    Open,
}

/// A template that the machine contradicts is wrong itself.
pub fn contradiction(corner: &Corner, runs: &[Run]) -> Option<String> {
    if let Some(stated) = &corner.stated {
        let violates = |events: &[Event], property: Property| events.iter().any(|&e| property.violated_by(e) == Some(true));
        for run in runs {
            for &(way, event) in &run.events {
                let unexpected = stated.is_empty() || corner.properties.iter().any(|&p| violates(&[event], p) && !violates(stated, p));
                if unexpected {
                    return Some(format!("{way} saw {event:?} on {:?}, the template states {stated:?}", run.inputs));
                }
            }
        }
    }
    let clean = corner.stated.as_ref().is_none_or(Vec::is_empty);
    runs.iter().filter(|run| clean && run.events.is_empty() && !corner.values_open).find_map(|run| run.disagreement.clone())
}

/// A question that suits the corner, if there is one.
pub fn question(corner: &Corner, runs: &[Run]) -> Option<Question> {
    let mut rng = corner.chooser();
    let observed: Vec<u64> = runs.iter().filter(|run| run.events.is_empty()).flat_map(|run| run.observed.iter().copied()).collect();
    let values = !observed.is_empty() && !corner.values_open;
    if values && (corner.properties.is_empty() || rng.chance(45)) {
        let property = if rng.chance(70) { Property::UnreachCall } else { Property::Assertion };
        let seen = *rng.pick(&observed);
        let value = *rng.pick(&[seen, seen, seen.wrapping_add(1), seen.wrapping_sub(1), seen ^ 1 << 63, seen & 0xffff_ffff, 0]);
        return Some(Question { property, value });
    }
    if corner.properties.is_empty() {
        return None;
    }
    Some(Question { property: *rng.pick(&corner.properties), value: 0 })
}

/// What the right answer is.
pub fn truth(corner: &Corner, runs: &[Run], question: &Question) -> Truth {
    if question.property.is_about_values() {
        return truth_of_value(corner, runs, question.value);
    }
    let events: Vec<Event> = match &corner.stated {
        Some(stated) => stated.clone(),
        None => runs.iter().flat_map(|run| run.events.iter().map(|&(_, event)| event)).collect(),
    };
    let judged: Vec<Option<bool>> = events.iter().map(|&event| question.property.violated_by(event)).collect();
    if judged.contains(&Some(true)) {
        Truth::Violated
    } else if judged.contains(&None) {
        Truth::Open
    } else {
        Truth::Holds
    }
}

fn truth_of_value(corner: &Corner, runs: &[Run], value: u64) -> Truth {
    let clean = |run: &&Run| run.events.is_empty() && run.disagreement.is_none();
    if runs.iter().filter(clean).any(|run| run.observed.contains(&value)) {
        // A template that knows of undefined runs does not say which, and those may have been silent.
        let certain = corner.stated.as_ref().is_none_or(|stated| stated.is_empty() || runs.iter().any(|run| !run.events.is_empty()));
        return if certain { Truth::Violated } else { Truth::Open };
    }
    let undefined = corner.stated.as_ref().is_some_and(|stated| stated.iter().any(|&e| e != Event::Leak));
    if undefined || !runs.iter().all(|run| clean(&run)) { Truth::Open } else { Truth::Holds }
}
