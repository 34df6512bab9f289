//! A condition on the states at one location of the program (TracerX, section 5): a conjunction of sets for single slots and
//! for sums of them, of terms over the variables of slots, and of what must be there (objects, and contents of objects as a
//! whole).

use crate::point::Point;
use fathom_domains::{ValueSet, as_set_of_term};
use fathom_machine::{Bytes, Machine, Object, ObjectKey, ObjectKind, Slot, State, Val, describe};
use fathom_smt::Verdict;
use fathom_term::{Sort, Substitution, Term, TermStore, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Contents that an object must have, except at some bytes.
#[derive(Clone, Debug)]
pub struct Whole {
    /// An object with these contents.
    pub object: Rc<Object>,
    /// The bytes that may differ.
    pub except: Bytes,
}

/// A condition on the states at one point: a conjunction.
#[derive(Clone, Debug, Default)]
pub struct Interpolant {
    /// The value of each slot is in its set.
    pub sets: BTreeMap<Slot, ValueSet>,
    /// The value of each of these terms over the variables of slots, sums above all, is in its set. Two conditions on one sum
    /// are one set, which keeps the conditions of a long row of branches from doubling at each (TracerX, Table 2).
    pub sums: BTreeMap<Term, ValueSet>,
    /// Other conditions over the variables of slots.
    pub terms: BTreeSet<Term>,
    /// These objects exist, with this size and kind, and are read-only or not.
    pub objects: BTreeMap<ObjectKey, (u64, ObjectKind, bool)>,
    /// These objects have these contents.
    pub whole: BTreeMap<ObjectKey, Whole>,
}

/// Whether all that a state stands for satisfies an interpolant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Subsumption {
    /// Yes, because this follows from the state's constraints.
    Always(Term),
    /// Some of what the state stands for does not satisfy it.
    NotAlways,
    /// No solver could tell.
    Unknown,
}

/// A condition that is false in every state, or that can't be written down.
#[derive(Debug)]
pub struct Inexpressible(pub &'static str);

/// The conjuncts of a condition that say something, the last first.
pub fn conjuncts(store: &TermStore, condition: Term) -> impl Iterator<Item = Term> {
    store.conjuncts(condition).into_iter().rev().filter(|&part| store.const_bool(part) != Some(true))
}

impl Interpolant {
    /// Adds a condition over slots alone.
    pub fn add(&mut self, machine: &Machine, condition: Term) -> Result<(), Inexpressible> {
        let store = machine.store.clone();
        let mut result = Ok(());
        for part in conjuncts(&store, condition) {
            if store.const_bool(part) == Some(false) {
                result = Err(Inexpressible("a condition that never holds"));
            }
            match as_set_of_term(&store, part) {
                Some((of, set)) => match store.as_var(of).and_then(|var| machine.slot_of(var)) {
                    Some(slot) => self.add_set(slot, set),
                    None => self.add_sum(part, of, set),
                },
                None => {
                    self.terms.insert(part);
                }
            }
        }
        result
    }

    /// Adds the condition that a sum is in a set. A set of too many ranges stays the conditions that it would be made of.
    fn add_sum(&mut self, condition: Term, sum: Term, set: ValueSet) {
        let both = self.sums.get(&sum).map_or_else(|| set.clone(), |known| known.and(&set));
        if both.is_small() {
            self.sums.insert(sum, both);
        } else {
            self.terms.insert(condition);
        }
    }

    /// Adds the condition that a slot's value is in a set.
    pub fn add_set(&mut self, slot: Slot, set: ValueSet) {
        if set.is_all() {
            return;
        }
        match self.sets.get_mut(&slot) {
            Some(known) => *known = known.and(&set),
            None => {
                self.sets.insert(slot, set);
            }
        }
    }

    /// Conjoins another interpolant; an error where their demands on objects contradict each other.
    pub fn join(&mut self, other: Interpolant) -> Result<(), Inexpressible> {
        for (slot, set) in other.sets {
            self.add_set(slot, set);
        }
        for (sum, set) in other.sums {
            match self.sums.get_mut(&sum) {
                Some(known) => *known = known.and(&set),
                None => {
                    self.sums.insert(sum, set);
                }
            }
        }
        self.terms.extend(other.terms);
        for (object, shape) in other.objects {
            if self.objects.insert(object, shape).is_some_and(|known| known != shape) {
                return Err(Inexpressible("objects of two sizes"));
            }
        }
        for (key, whole) in other.whole {
            match self.whole.get_mut(&key) {
                None => {
                    self.whole.insert(key, whole);
                }
                Some(known) if !same_contents(&known.object, &whole.object, &Bytes::default()) => {
                    return Err(Inexpressible("an object of two contents"));
                }
                Some(known) => {
                    // Both are demanded: only bytes that both leave out are left out.
                    let mut both = Bytes::default();
                    for &(start, end) in known.except.ranges() {
                        if whole.except.covers(start, end - start) {
                            both.add(start, end - start);
                        }
                    }
                    both.all = known.except.all && whole.except.all;
                    known.except = both;
                }
            }
        }
        Ok(())
    }

    /// A set may have grown many ranges; those around the state's own value are kept.
    pub fn trim(&mut self, machine: &Machine, slot: Slot) {
        if let Some(set) = self.sets.get_mut(&slot)
            && !set.is_small()
            && let Some(Val::Bits(bits)) = machine.original_value(slot)
        {
            *set = set.clone().small_around(bits);
        }
    }

    /// Bytes that it takes, roughly: maps are trees of nodes with room for eleven.
    pub fn size(&self) -> usize {
        let tree = |entries: usize, each: usize| if entries == 0 { 0 } else { (1 + entries / 8) * (11 * each + 16) };
        let maps = tree(self.sets.len(), size_of::<(Slot, ValueSet)>())
            + tree(self.sums.len(), size_of::<(Term, ValueSet)>())
            + tree(self.terms.len(), size_of::<Term>())
            + tree(self.objects.len(), size_of::<(ObjectKey, (u64, ObjectKind, bool))>())
            + tree(self.whole.len(), size_of::<(ObjectKey, Whole)>());
        // 400 bytes for the entry of the table and its key.
        size_of::<Self>() + 400 + maps
    }

    /// Whether everything that satisfies the other satisfies this one, as far as that is plain to see.
    pub fn is_weaker_than(&self, other: &Interpolant) -> bool {
        self.sets.iter().all(|(slot, set)| other.sets.get(slot).is_some_and(|known| known.is_within(set)))
            && self.sums.iter().all(|(sum, set)| other.sums.get(sum).is_some_and(|known| known.is_within(set)))
            && self.terms.is_subset(&other.terms)
            && self.objects.keys().all(|object| other.objects.contains_key(object))
            && self.whole.is_empty()
    }

    /// The slots whose variables occur in the conditions that are terms.
    pub fn slots_of_terms(&self, machine: &Machine, state: &State) -> BTreeMap<VarId, Slot> {
        let sets = state.path.constraints.sets();
        let terms = self.sums.keys().chain(&self.terms);
        let vars = terms.flat_map(|&term| sets.vars(&machine.store, term));
        vars.filter_map(|var| Some((var, machine.slot_of(var)?))).collect()
    }

    /// Whether a state satisfies it: what differs plainly first, then the state's model, then one query. The query is
    /// returned, so that others can ask it again.
    pub fn subsumes(&self, machine: &mut Machine, state: &mut State) -> Option<Term> {
        match self.subsumption(machine, state) {
            Subsumption::Always(shown) => Some(shown),
            Subsumption::NotAlways | Subsumption::Unknown => None,
        }
    }

    /// The same, but tells a state that does not satisfy it from one for which no solver decides it.
    pub fn subsumption(&self, machine: &mut Machine, state: &mut State) -> Subsumption {
        match self.condition(machine, state, true) {
            Ok(condition) => self.implied(machine, state, condition),
            Err(otherwise) => otherwise,
        }
    }

    /// What it says of a state, as a condition on the state's inputs. If `plainly`, nothing is said of a state whose model
    /// does not satisfy it.
    pub fn condition(&self, machine: &mut Machine, state: &mut State, plainly: bool) -> Result<Term, Subsumption> {
        let store = machine.store.clone();
        let mut rest = store.bool(true);
        for (&key, shape) in &self.objects {
            if state.memory.get(key).and_then(|object| describe(object)) != Some(*shape) {
                return Err(Subsumption::NotAlways);
            }
        }
        let mut add = |machine: &Machine, state: &State, condition: Term| {
            if plainly && state.path.model.holds(&machine.store, condition) != Some(true) {
                return Err(Subsumption::NotAlways);
            }
            rest = machine.store.and(rest, condition);
            Ok(())
        };
        for (&slot, set) in &self.sets {
            match machine.slot_value(state, slot).ok_or(Subsumption::NotAlways)? {
                Val::Bits(bits) if set.contains(bits) => {}
                Val::Bits(_) => return Err(Subsumption::NotAlways),
                value if machine.mentions_address(value) => return Err(Subsumption::Unknown),
                value => {
                    let sort = machine.slot_sort(state, slot).ok_or(Subsumption::Unknown)?;
                    let term = machine.grounded(value, sort);
                    add(machine, state, set.holds(&store, term))?;
                }
            }
        }
        for (key, whole) in &self.whole {
            let object = state.memory.get(*key).ok_or(Subsumption::NotAlways)?;
            if !same_contents(&whole.object, object, &whole.except) {
                return Err(Subsumption::Unknown);
            }
        }
        let mut images = Vec::new();
        for (var, slot) in self.slots_of_terms(machine, state) {
            let value = machine.slot_value(state, slot).ok_or(Subsumption::NotAlways)?;
            if machine.mentions_address(value) {
                return Err(Subsumption::Unknown);
            }
            images.push((var, machine.grounded(value, store.var_sort(var))));
        }
        let mut substitution = Substitution::new(images);
        for (&sum, set) in &self.sums {
            let value = substitution.apply(&store, sum);
            match store.const_bits(value) {
                Some(bits) if set.contains(bits) => {}
                Some(_) => return Err(Subsumption::NotAlways),
                None => add(machine, state, set.holds(&store, value))?,
            }
        }
        for &term in &self.terms {
            add(machine, state, substitution.apply(&store, term))?;
        }
        Ok(rest)
    }

    fn implied(&self, machine: &mut Machine, state: &State, condition: Term) -> Subsumption {
        let store = machine.store.clone();
        if store.const_bool(condition) == Some(true) {
            return Subsumption::Always(condition);
        }
        let budget = machine.budget.clone();
        let Some(oracle) = machine.oracle() else { return Subsumption::Unknown };
        match oracle.check(&state.path.constraints, store.not(condition), Some(&state.path.model), &budget) {
            Verdict::Unsat => Subsumption::Always(condition),
            Verdict::Sat(_) => Subsumption::NotAlways,
            Verdict::Unknown(_) => Subsumption::Unknown,
        }
    }

    /// For people; the point is where it stands.
    pub fn describe(&self, machine: &Machine, point: &Point) -> Vec<String> {
        let sets = self.sets.iter().map(|(slot, set)| format!("{} in {set}", slot_name(machine, point, slot)));
        let print = |term: Term| fathom_term::smtlib::print_term(&machine.store, term);
        let sums = self.sums.iter().map(|(&sum, set)| format!("{} in {set}", print(sum)));
        let terms = self.terms.iter().map(|&term| print(term));
        let whole = self.whole.keys().map(|&key| format!("contents of {} as they were", machine.object_name(key)));
        sets.chain(sums).chain(terms).chain(whole).collect()
    }

    /// Which other values than its own the known variables of a state could have.
    pub fn slack(&self, machine: &mut Machine, state: &mut State, point: &Point) -> Vec<String> {
        let mut found = Vec::new();
        for (slot, set) in self.sets.iter().filter(|(_, set)| set.single().is_none()) {
            let (Some(Val::Bits(bits)), Some(Sort::Bv(width))) = (machine.slot_value(state, *slot), machine.slot_sort(state, *slot)) else {
                continue;
            };
            let value = fathom_term::sign_extend(bits, width.min(64));
            let ranges: Vec<String> = set.signed_ranges().map(|(first, last)| format!("{first}..{last}")).collect();
            found.push(format!("{} is {value}, {} would do", slot_name(machine, point, slot), ranges.join(" or ")));
        }
        found
    }
}

fn slot_name(machine: &Machine, point: &Point, slot: &Slot) -> String {
    match *slot {
        Slot::Local { level, slot } => {
            let procedure = point.get(level as usize).and_then(|place| machine.program.procedures.get(place.procedure as usize));
            let name = procedure.and_then(|procedure| procedure.locals.get(slot as usize)).map(|variable| variable.name.as_str());
            name.filter(|name| !name.is_empty()).map_or_else(|| format!("local {slot} of frame {level}"), |name| format!("`{name}`"))
        }
        Slot::Global(slot) => machine.code.global_names.get(slot as usize).cloned().unwrap_or_default(),
        Slot::Cell { object, offset, .. } => match (machine.object_name(object), offset) {
            (name, 0) => name,
            (name, offset) => format!("{name}+{offset}"),
        },
    }
}

/// Whether two objects of plain bytes hold the same, except at some bytes.
fn same_contents(one: &Rc<Object>, two: &Rc<Object>, except: &Bytes) -> bool {
    if Rc::ptr_eq(one, two) {
        return true;
    }
    two.contents.is_untouched()
        && one.contents.is_untouched()
        && one.contents.differences(&two.contents).iter().all(|d| {
            (d.offset..d.offset + d.length).all(|at| {
                except.covers(at, 1) || one.contents.read_concrete(at, 1).unwrap_or(0) == two.contents.read_concrete(at, 1).unwrap_or(0)
            })
        })
}

/// The condition that a slot has one value.
pub fn pinned(machine: &mut Machine, slot: Slot, sort: Sort, value: Val) -> Term {
    let variable = machine.slot_variable(slot, sort);
    let value = machine.grounded(value, sort);
    machine.store.eq(variable, value)
}
