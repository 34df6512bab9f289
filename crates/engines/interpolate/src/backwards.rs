//! The interpolant of a node from those of its children (TracerX, Fig. 6 and 7). The stretch from the node to each child
//! was run again over the node's slots (`machine::retrace`), so a child's interpolant becomes a condition on the node
//! by substitution. With the guards of the way it must hold that
//!
//!   must_1 and (may_1 => must_2 and (may_2 => ... child))
//!
//! in every state that satisfies the result. Guards that must hold are conjuncts (rule 4b). For the others the paper abduces
//! a conjunction (rule 5b), and so does this: a conjunct that has no variable in common with the guards is kept
//! (SEPARATE); a set for one slot is widened by the values that the guards exclude, which is exact; one that holds in the
//! node's own state is kept, as it would be in the paper's core; one that the guards imply is dropped; one that speaks
//! of inputs, which the node knows nothing of, is replaced by facts of the node's state that an unsatisfiable core shows
//! to be enough (CORE). Only where all that fails the implication itself is kept.
//!
//! Sound because leaving out a guard makes a condition stronger, and every replacement was an exact operation on sets or
//! was refuted by a solver; those refutations are kept for the certifier.

use crate::limits::Limits;
use crate::narrow::{Around, Sets};
use fathom_base::FxSet;
use fathom_interpolants::{Inexpressible, Interpolant, ValueSet, Whole, as_set, conjuncts, pinned, value_set};
use fathom_machine::{Machine, Retraced, Slot, State, Val};
use fathom_smt::Refutations;
use fathom_term::{Op, Substitution, Symbol, Term, VarId};

/// How deep terms are looked into: no program nests deeper, and the walk recurses.
const DEPTH: u32 = 64;

/// Carries conditions back over a stretch.
pub struct Backwards<'a> {
    pub machine: &'a mut Machine,
    pub start: &'a State,
    pub refutations: &'a mut Refutations,
    /// See `InterpolateConfig`.
    pub only_cores: bool,
    pub limits: &'a Limits,
    pub result: Interpolant,
}

/// A guard whose other side is another node's.
struct May {
    term: Term,
    vars: FxSet<VarId>,
    set: Option<(VarId, ValueSet)>,
}

enum Conjunct {
    Set(VarId, ValueSet),
    Term(Term),
}

type Done = Result<(), Inexpressible>;

impl Backwards<'_> {
    /// Adds what one way demands; the child has no interpolant if the path ended.
    pub fn way(&mut self, state: &mut State, child: Option<&Interpolant>) -> Done {
        let mut wanted = Vec::new();
        if let Some(child) = child {
            self.translate(state, child, &mut wanted)?;
        }
        let retraced = state.retraced.take().ok_or(Inexpressible("nothing was run again"))?;
        self.ended_way(&retraced, wanted)
    }

    /// A way without a child.
    pub fn end(&mut self, retraced: &Retraced) -> Done {
        self.ended_way(retraced, Vec::new())
    }

    fn ended_way(&mut self, retraced: &Retraced, wanted: Vec<Conjunct>) -> Done {
        self.require_objects(retraced)?;
        let store = self.machine.store.clone();
        let sets = self.start.path.constraints.sets().clone();
        let mut mays: Vec<May> = Vec::new();
        // The same condition again, behind more guards, asks for nothing new.
        let mut seen: FxSet<Term> = FxSet::default();
        for guard in &retraced.guards {
            if guard.must && !seen.insert(guard.condition) {
                continue;
            }
            if sets.is_quantified(&store, guard.condition) {
                return Err(Inexpressible("a quantifier"));
            }
            for term in conjuncts(&store, guard.condition) {
                if guard.must {
                    self.conjunct(Conjunct::Term(term), &mays)?;
                } else {
                    let vars = sets.vars(&store, term).into_iter().collect();
                    mays.push(May { term, vars, set: as_set(&store, term) });
                }
            }
        }
        for conjunct in wanted {
            self.conjunct(conjunct, &mays)?;
        }
        if self.result.terms.len() + self.result.sums.len() > self.limits.terms {
            return Err(Inexpressible("too many conditions"));
        }
        Ok(())
    }

    fn require_objects(&mut self, retraced: &Retraced) -> Done {
        for &object in retraced.objects.iter().filter(|object| !retraced.fresh.contains(object)) {
            let shape = self.machine.start_object(object).ok_or(Inexpressible("an object of symbolic size"))?;
            self.result.objects.insert(object, shape);
        }
        for &key in &retraced.whole {
            let object = self.machine.plain_start(key).ok_or(Inexpressible("symbolic contents at a symbolic offset"))?;
            let mut other = Interpolant::default();
            other.whole.insert(key, Whole { object, except: Default::default() });
            self.result.join(other)?;
        }
        Ok(())
    }

    // ---- substitution

    fn translate(&mut self, state: &mut State, child: &Interpolant, into: &mut Vec<Conjunct>) -> Done {
        const GONE: Inexpressible = Inexpressible("a slot that is not there");
        let store = self.machine.store.clone();
        for (&slot, set) in &child.sets {
            let value = self.machine.slot_value(state, slot).ok_or(GONE)?;
            let sort = self.machine.slot_sort(state, slot).ok_or(GONE)?;
            let term = self.machine.grounded(value, sort);
            match store.const_bits(term) {
                Some(bits) if set.contains(bits) => {}
                Some(_) => return Err(Inexpressible("a value that the child excludes")),
                None => match value_set(&store, term, set.clone(), DEPTH).and_then(|(of, set)| Some((store.as_var(of)?, set))) {
                    Some((var, set)) => into.push(Conjunct::Set(var, set)),
                    None => match self.around(|around| around.term(term, set.clone())) {
                        Some(sets) => into.extend(sets.into_iter().map(|(var, set)| Conjunct::Set(var, set))),
                        None => into.push(Conjunct::Term(set.holds(&store, term))),
                    },
                },
            }
        }
        let mut images = Vec::new();
        for (var, slot) in child.slots_of_terms(self.machine, state) {
            let value = self.machine.slot_value(state, slot).ok_or(GONE)?;
            images.push((var, self.machine.grounded(value, store.var_sort(var))));
        }
        let mut substitution = Substitution::new(images);
        for (&sum, set) in &child.sums {
            let here = substitution.apply(&store, sum);
            match store.const_bits(here) {
                Some(bits) if set.contains(bits) => {}
                Some(_) => return Err(Inexpressible("a value that the child excludes")),
                None => into.push(Conjunct::Term(set.holds(&store, here))),
            }
        }
        for &term in &child.terms {
            let here = substitution.apply(&store, term);
            into.extend(conjuncts(&store, here).map(Conjunct::Term));
        }
        for (&key, &shape) in &child.objects {
            let retraced = state.retraced.as_mut().ok_or(GONE)?;
            if retraced.fresh.contains(&key) {
                continue;
            }
            if self.machine.start_object(key) != Some(shape) || state.memory.get(key).is_none() {
                return Err(GONE);
            }
            retraced.objects.insert(key);
        }
        for (&key, whole) in &child.whole {
            self.translate_whole(state, key, whole, into)?;
        }
        Ok(())
    }

    /// Contents that the child needs: what the stretch wrote must be right, the rest must have been there.
    fn translate_whole(&mut self, state: &mut State, key: fathom_machine::ObjectKey, whole: &Whole, into: &mut Vec<Conjunct>) -> Done {
        const LOST: Inexpressible = Inexpressible("contents that the stretch made");
        let store = self.machine.store.clone();
        let retraced = state.retraced.as_ref().ok_or(LOST)?;
        let written = retraced.written.get(&key).cloned().unwrap_or_default();
        if written.all {
            return Err(LOST);
        }
        let mut except = whole.except.clone();
        for &(start, end) in written.ranges() {
            if end - start > 4096 {
                return Err(LOST);
            }
            for at in start..end {
                if except.covers(at, 1) {
                    continue;
                }
                let wanted = whole.object.contents.read_concrete(at, 1).unwrap_or(0);
                let slot = Slot::Cell { object: key, offset: at, length: 1 };
                let value = self.machine.slot_value(state, slot).ok_or(LOST)?;
                let term = self.machine.grounded(value, fathom_term::Sort::Bv(8));
                let same = store.eq(term, store.bv(wanted, 8));
                into.extend(conjuncts(&store, same).map(Conjunct::Term));
                except.add(at, 1);
            }
        }
        let mut other = Interpolant::default();
        other.whole.insert(key, Whole { object: whole.object.clone(), except });
        self.result.join(other)
    }

    // ---- guards

    fn conjunct(&mut self, conjunct: Conjunct, mays: &[May]) -> Done {
        let store = self.machine.store.clone();
        let conjunct = match conjunct {
            Conjunct::Term(term) => match store.const_bool(term) {
                Some(true) => return Ok(()),
                Some(false) => return self.replaced(term, mays),
                None => match as_set(&store, term) {
                    Some((var, set)) => Conjunct::Set(var, set),
                    None => Conjunct::Term(term),
                },
            },
            set => set,
        };
        match conjunct {
            Conjunct::Set(var, set) if self.only_cores => self.replaced(set.holds(&store, store.var_term(var)), mays),
            Conjunct::Term(term) if self.only_cores => self.replaced(term, mays),
            Conjunct::Set(var, set) => self.set(var, set, mays),
            Conjunct::Term(term) => self.term(term, mays),
        }
    }

    /// A set for one variable: values that the guards exclude don't matter.
    fn set(&mut self, var: VarId, set: ValueSet, mays: &[May]) -> Done {
        let mut wide = set.clone();
        for (_, allowed) in mays.iter().filter_map(|may| may.set.as_ref()).filter(|(of, _)| *of == var) {
            wide = wide.or(&allowed.not());
        }
        if wide.is_all() {
            return Ok(());
        }
        let store = self.machine.store.clone();
        let variable = store.var_term(var);
        let Some(slot) = self.machine.slot_of(var) else {
            return self.replaced(set.holds(&store, variable), mays);
        };
        // A set that not all of the state's values are in would be asked of every state above, where the guard that excludes the
        // others may not be known any more.
        if !mays.is_empty() && !self.is_in(slot, variable, &wide) {
            return self.replaced(set.holds(&store, variable), mays);
        }
        self.result.add_set(slot, wide);
        self.result.trim(self.machine, slot);
        Ok(())
    }

    /// Whether the node's own state has the slot in the set.
    fn is_in(&mut self, slot: Slot, variable: Term, set: &ValueSet) -> bool {
        match self.machine.original_value(slot) {
            Some(Val::Bits(bits)) => set.contains(bits),
            _ => self.holds_at_start(set.holds(&self.machine.store.clone(), variable)),
        }
    }

    fn term(&mut self, term: Term, mays: &[May]) -> Done {
        let store = self.machine.store.clone();
        let vars = self.start.path.constraints.sets().vars(&store, term);
        if vars.iter().any(|&var| self.machine.slot_of(var).is_none()) {
            return self.replaced(term, mays);
        }
        if let Some(sets) = self.around(|around| around.condition(term, true)) {
            return sets.into_iter().try_for_each(|(var, set)| self.set(var, set, mays));
        }
        let own: FxSet<VarId> = vars.into_iter().collect();
        let separate = !mays.iter().any(|may| self.have_to_do(term, &own, may));
        if separate || self.holds_at_start(term) {
            return self.keep(term);
        }
        self.replaced(term, mays)
    }

    /// Whether a guard may say something about a condition with these variables: they share slots, or what these held was
    /// computed from the same inputs.
    fn have_to_do(&mut self, condition: Term, vars: &FxSet<VarId>, may: &May) -> bool {
        if !vars.is_disjoint(&may.vars) {
            return true;
        }
        let sets = self.start.path.constraints.sets().clone();
        let [one, two] = [condition, may.term].map(|term| self.machine.originally(term));
        let inputs = sets.vars(&self.machine.store, one);
        !inputs.is_empty() && sets.vars(&self.machine.store, two).iter().any(|var| inputs.contains(var))
    }

    /// What the values at the start of the stretch say about terms over its slots.
    fn around(&mut self, read: impl FnOnce(&mut Around<'_>) -> Option<Sets>) -> Option<Sets> {
        let store = self.machine.store.clone();
        let machine = &mut *self.machine;
        let mut value = |term: Term| store.const_bits(machine.originally(term));
        read(&mut Around { store: &store, value: &mut value })
    }

    fn keep(&mut self, term: Term) -> Done {
        self.result.add(self.machine, term)
    }

    fn holds_at_start(&mut self, term: Term) -> bool {
        let store = self.machine.store.clone();
        let original = self.machine.originally(term);
        match store.const_bool(original) {
            Some(known) => known,
            None if self.start.path.model.holds(&store, original) != Some(true) => false,
            None => {
                let budget = self.machine.budget.at_most(self.limits.query_time);
                let Some(oracle) = self.machine.oracle() else { return false };
                let opposite = store.not(original);
                matches!(
                    oracle.check(&self.start.path.constraints, opposite, Some(&self.start.path.model), &budget),
                    fathom_smt::Verdict::Unsat
                )
            }
        }
    }

    /// A conjunct that can't stay: the guards imply it, or facts of the node's state do together with them.
    fn replaced(&mut self, term: Term, mays: &[May]) -> Done {
        let store = self.machine.store.clone();
        let hard: Vec<Term> = mays.iter().map(|may| may.term).chain([store.not(term)]).collect();
        let facts = self.facts(term, mays);
        let budget = self.machine.budget.at_most(self.limits.query_time);
        let core = self.machine.oracle().and_then(|oracle| oracle.unsat_core(&hard, &facts, &budget));
        if let Some(core) = core {
            let all: Vec<Term> = hard[..hard.len() - 1].iter().chain(&core).copied().collect();
            self.refutations.add(&all, store.not(term));
            return core.into_iter().try_for_each(|fact| self.keep(fact));
        }
        if self.only_cores {
            return Err(Inexpressible("no unsatisfiable core"));
        }
        self.implication(term, mays)
    }

    /// Facts about the slots that the term and the guards mention.
    fn facts(&mut self, term: Term, mays: &[May]) -> Vec<Term> {
        let store = self.machine.store.clone();
        let mut vars: Vec<VarId> = self.start.path.constraints.sets().vars(&store, term);
        vars.extend(mays.iter().flat_map(|may| may.vars.iter().copied()));
        vars.sort_unstable();
        vars.dedup();
        let mut facts = Vec::new();
        for var in vars {
            let Some(slot) = self.machine.slot_of(var) else { continue };
            let sort = store.var_sort(var);
            match self.machine.original_value(slot) {
                Some(value @ (Val::Bits(_) | Val::Pointer { .. })) => facts.push(pinned(self.machine, slot, sort, value)),
                Some(Val::Term(symbol)) => facts.extend(self.known_range(store.var_term(var), symbol)),
                None => {}
            }
        }
        facts
    }

    /// What the path says of a slot that holds an input plus a constant.
    fn known_range(&mut self, variable: Term, value: Term) -> Option<Term> {
        let store = self.machine.store.clone();
        let (symbol, by) = match store.op(value) {
            Op::Var(var) => (var, 0),
            Op::BvAdd => {
                let (base, by) = store.split_offset(value);
                (store.as_var(base?)?, by)
            }
            _ => return None,
        };
        let mut known: Option<ValueSet> = None;
        for constraint in self.start.path.constraints.relevant(&[Symbol::Var(symbol)]) {
            if let Some((of, set)) = as_set(&store, constraint)
                && of == symbol
            {
                known = Some(known.map_or(set.clone(), |known| known.and(&set)));
            }
        }
        Some(known?.moved(by).holds(&store, variable))
    }

    /// The last resort: the implication itself, where no input occurs in it.
    fn implication(&mut self, term: Term, mays: &[May]) -> Done {
        let store = self.machine.store.clone();
        let sets = self.start.path.constraints.sets().clone();
        let vars: FxSet<VarId> = sets.vars(&store, term).into_iter().collect();
        if vars.iter().any(|&var| self.machine.slot_of(var).is_none()) {
            return Err(Inexpressible("an input"));
        }
        let mut parts = Vec::new();
        for may in mays {
            if may.vars.iter().all(|&var| self.machine.slot_of(var).is_some()) && self.have_to_do(term, &vars, may) {
                parts.push(store.not(may.term));
            }
        }
        parts.push(term);
        let implication = store.or_all(parts);
        let original = self.machine.originally(implication);
        if self.start.path.model.holds(&store, original) != Some(true) {
            return Err(Inexpressible("a condition that does not hold here"));
        }
        self.keep(implication)
    }
}
