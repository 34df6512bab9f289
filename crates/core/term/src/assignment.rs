//! Assignments of values to variables. A path makes thousands of queries, and each model differs from the last in a few
//! values out of thousands, so copies share their common parts.

use crate::store::VarId;
use crate::value::Value;
use fathom_base::FxMap;
use std::rc::Rc;

/// Differences from the shared table that a copy may have before it gets a table of its own.
const MOST_CHANGES: usize = 48;

/// A map from variables to values whose copies share their entries.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    shared: Rc<FxMap<VarId, Value>>,
    /// Overrides of the shared table; `None` marks a variable that has a value there and none here.
    changes: FxMap<VarId, Option<Value>>,
}

impl Assignment {
    /// The value of a variable.
    pub fn get(&self, var: &VarId) -> Option<&Value> {
        match self.changes.is_empty() {
            true => self.shared.get(var),
            false => self.changes.get(var).map_or_else(|| self.shared.get(var), Option::as_ref),
        }
    }

    /// Whether a variable has a value.
    pub fn contains_key(&self, var: &VarId) -> bool {
        self.get(var).is_some()
    }

    /// Sets the value of a variable.
    pub fn insert(&mut self, var: VarId, value: Value) {
        self.change(var, Some(value));
    }

    /// Removes the value of a variable.
    pub fn remove(&mut self, var: &VarId) {
        if self.contains_key(var) {
            self.change(*var, None);
        }
    }

    fn change(&mut self, var: VarId, value: Option<Value>) {
        self.changes.insert(var, value);
        // The table is not shared, or there are so many changes that it is worth copying.
        if self.changes.len() > MOST_CHANGES || Rc::get_mut(&mut self.shared).is_some() {
            let table = Rc::make_mut(&mut self.shared);
            for (var, value) in self.changes.drain() {
                match value {
                    Some(value) => table.insert(var, value),
                    None => table.remove(&var),
                };
            }
        }
    }

    /// All variables with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&VarId, &Value)> {
        let unchanged = self.shared.iter().filter(|(var, _)| !self.changes.contains_key(var));
        let changed = self.changes.iter().filter_map(|(var, value)| Some((var, value.as_ref()?)));
        unchanged.chain(changed)
    }

    /// Keeps only entries for which `keeps` is true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&VarId, &Value) -> bool) {
        let kept = self.iter().filter(|(var, value)| keeps(var, value)).map(|(&var, value)| (var, value.clone()));
        *self = kept.collect();
    }

    /// The number of variables with a value.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl PartialEq for Assignment {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(var, value)| other.get(var) == Some(value))
    }
}

impl Extend<(VarId, Value)> for Assignment {
    fn extend<I: IntoIterator<Item = (VarId, Value)>>(&mut self, all: I) {
        all.into_iter().for_each(|(var, value)| self.insert(var, value));
    }
}

impl FromIterator<(VarId, Value)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (VarId, Value)>>(all: I) -> Self {
        Assignment { shared: Rc::new(all.into_iter().collect()), changes: FxMap::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Copies of copies against ordinary maps, with values changed and removed on either side.
    #[test]
    fn copies_go_their_own_ways() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut all: Vec<(Assignment, BTreeMap<VarId, Value>)> = vec![Default::default()];
        for round in 0..5_000u64 {
            let at = random.usize(..all.len());
            let var = VarId(random.u32(..200));
            let (assignment, plain) = &mut all[at];
            match random.u8(..8) {
                0 => {
                    assignment.remove(&var);
                    plain.remove(&var);
                }
                1 if at < 6 => {
                    let copy = all[at].clone();
                    all.truncate(6);
                    all.push(copy);
                }
                _ => {
                    assignment.insert(var, Value::Bits(round));
                    plain.insert(var, Value::Bits(round));
                }
            }
            let (assignment, plain) = &all[random.usize(..all.len())];
            let listed: BTreeMap<VarId, Value> = assignment.iter().map(|(&var, value)| (var, value.clone())).collect();
            assert_eq!(&listed, plain);
            assert_eq!(assignment.get(&var), plain.get(&var));
            assert_eq!(assignment.len(), plain.len());
        }
    }
}
