//! Fathom's own alarms when the exploration of an entry is incomplete: the checks that abstract interpretation cannot
//! prove. They are open alarms; the others are not reported. This only shows what remains to be done and is no proof:
//! the abstract states are not checked again, and leaks and uninitialised values are not examined.

use crate::prepare::Prepared;
use crate::scan::entry_run::Files;
use fathom_base::Loc;
use fathom_scan::{Alarm, Class, INTERVALS, Place, class_of_property};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the analysis of one entry may take.
pub(crate) const TIME: Duration = Duration::from_secs(2);

/// What abstract interpretation says of the checks of an entry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Suspicions {
    /// The first check of a property on each line that may fail.
    pub places: Vec<(Place, String)>,
    /// How many checks there are; none if the analysis did not come to its end.
    pub checks: Option<usize>,
}

impl Suspicions {
    /// What to say of an entry of whose checks intervals exclude every violation.
    pub fn exclude_everything(&self) -> &'static str {
        match (self.checks, self.places.is_empty()) {
            (Some(1..), true) => "; intervals exclude all but leaks and values that were never written, which was not checked again",
            _ => "",
        }
    }
}

/// The alarm for a check that may fail.
pub(crate) fn alarm(place: &Place, property: &str, function: Option<String>) -> Alarm {
    Alarm {
        tool: INTERVALS.into(),
        rule: property.to_string(),
        class: property.parse().map_or(Class::Other, class_of_property),
        place: place.clone(),
        function,
        message: format!("{property} may be violated"),
        flow: Vec::new(),
    }
}

impl Prepared<'_> {
    /// The checks that may fail, as far as intervals tell.
    pub(crate) fn suspicions(&self) -> Suspicions {
        let files = Files::of(&self.program.files);
        let is_own = |loc: Loc| files.path(loc).is_some();
        let Ok(checks) = fathom_absint::checks(&self.program, &is_own, &self.budget.computing_at_most(TIME)) else {
            return Suspicions::default();
        };
        let mut places: BTreeMap<(&str, u32, &str), u32> = BTreeMap::new();
        for check in checks.iter().filter(|check| check.may_fail && self.properties.contains(&check.property)) {
            let Some(file) = files.path(check.loc) else { continue };
            places.entry((file, check.loc.line, check.property.name())).or_insert(check.loc.column);
        }
        let place = |((file, line, property), column): ((&str, u32, &str), u32)| {
            (Place { file: file.to_string(), line, column }, property.to_string())
        };
        Suspicions { places: places.into_iter().map(place).collect(), checks: Some(checks.len()) }
    }
}
