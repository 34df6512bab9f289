//! Replaces complicated parts of a precondition by simple atoms that it implies: comparisons of two variables, or of a
//! variable and a constant. `b > x and a mod b = 0` after a path with `a = x` becomes `b > x and a != x`, which is
//! unchanged after two more steps, while preconditions of preconditions would pile up remainders. The implied
//! comparisons are found by counterexamples: a model of the precondition refutes all that are false in it, until none
//! is left to refute (Houdini).
//!
//! The result contains the precondition because each part of it is implied, and it is used only if it contradicts the
//! test's path: so it is suitable.

use crate::limits::Limits;
use crate::regions::{Position, RegionId};
use crate::session::Session;
use crate::solving::{Context, Reply};
use fathom_base::FxSet;
use fathom_flat::Flat;
use fathom_term::{Evaluator, Op, Sort, Substitution, Term, TermStore, Value, VarId};

impl Session<'_> {
    /// The same contradiction with plain atoms in place of the hard parts; None if nothing is hard or no atoms do it.
    pub fn with_atoms(&mut self, from: RegionId, test: Position, needed: &[Term], context: &mut Context) -> Option<Term> {
        let flat = self.flat;
        let (hard, plain): (Vec<Term>, Vec<Term>) =
            needed.iter().copied().partition(|&part| is_hard(flat, part, self.config.limits.plain_nodes));
        let speaks_of_inputs = |part: &Term| flat.vars(*part).iter().any(|&var| flat.inputs.ahead(var).is_some());
        if hard.is_empty() || needed.iter().any(speaks_of_inputs) || !self.comes_back(from) {
            return None;
        }
        let implied = self.implied(needed)?;
        let (run, path) = (&self.runs[test.0 as usize], &mut self.paths[test.0 as usize]);
        let all: Vec<Term> = plain.iter().chain(&implied).copied().collect();
        let there = path.at(flat, run, test.1, &all);
        let core = self.queries.contradiction(&flat.terms, context, &there)?;
        let mut atoms: Vec<Term> = core.into_iter().map(|part| all[part]).collect();
        // No test in the region may satisfy the predicate: one more atom for each that would.
        let chosen = |atoms: &[Term]| flat.terms.and_all(plain.iter().chain(atoms).copied());
        for &(number, step) in &self.regions.get(from).members {
            let run = &self.runs[number as usize];
            if run.holds(flat, step, chosen(&atoms)) == Some(true) {
                atoms.push(implied.iter().copied().find(|&atom| run.holds(flat, step, atom) == Some(false))?);
            }
        }
        Some(chosen(&atoms))
    }

    /// Whether the region's block was split before: elsewhere the effort is not worth it.
    fn comes_back(&self, from: RegionId) -> bool {
        self.regions.leaves(self.regions.get(from).block).len() > 1
    }

    /// The precondition with variables replaced that can have one value only: what is left is often plain.
    pub fn with_fixed_values(&mut self, from: RegionId, parts: Vec<Term>) -> Vec<Term> {
        let flat = self.flat;
        if !parts.iter().any(|&part| is_hard(flat, part, self.config.limits.plain_nodes)) || !self.comes_back(from) {
            return parts;
        }
        let Some((mut context, vars, model)) = self.model_of(&parts) else { return parts };
        let mut fixed: Vec<(VarId, Term)> = Vec::new();
        for var in vars {
            let sort = flat.terms.var_sort(var);
            let value = flat.terms.constant(&model.get(&flat.terms, var), sort);
            let is_it = flat.terms.eq(flat.terms.var_term(var), value);
            if matches!(sort, Sort::Bv(1..=64)) && self.queries.contradiction(&flat.terms, &mut context, &[flat.terms.not(is_it)]).is_some()
            {
                fixed.push((var, value));
            }
        }
        if fixed.is_empty() {
            return parts;
        }
        let mut images = Substitution::new(fixed.iter().copied());
        let mut simpler: Vec<Term> = fixed.iter().map(|&(var, value)| flat.terms.eq(flat.terms.var_term(var), value)).collect();
        for part in parts {
            fathom_flat::add_conjuncts(&flat.terms, images.apply(&flat.terms, part), &mut simpler);
        }
        simpler
    }

    /// A solver that knows the parts, their variables (a few) and a model.
    fn model_of(&mut self, parts: &[Term]) -> Option<(Context, Vec<VarId>, fathom_term::Model)> {
        let flat = self.flat;
        let mut vars: Vec<VarId> = parts.iter().flat_map(|&part| flat.vars(part)).filter(|&var| flat.inputs.ahead(var).is_none()).collect();
        vars.sort();
        vars.dedup();
        vars.truncate(self.config.limits.atom_variables);
        let mut context = self.queries.context(parts).ok()?;
        match self.queries.ask_briefly(&flat.terms, &mut context, &[], &vars) {
            Reply::Sat(model) => Some((context, vars, model)),
            _ => None,
        }
    }

    /// Comparisons that these conditions imply.
    fn implied(&mut self, needed: &[Term]) -> Option<Vec<Term>> {
        let flat = self.flat;
        let store: &TermStore = &flat.terms;
        let (vars, mut atoms) = comparisons(flat, needed, &self.config.limits);
        let mut context = self.queries.context(needed).ok()?;
        for _ in 0..self.config.limits.atom_rounds {
            if atoms.is_empty() {
                return None;
            }
            let some_fails = store.or_all(atoms.iter().map(|&atom| store.not(atom)));
            match self.queries.ask_briefly(store, &mut context, &[some_fails], &vars) {
                Reply::Unsat(_) => return Some(atoms),
                Reply::Unknown(_) => return None,
                Reply::Sat(model) => {
                    let evaluator = Evaluator::new(model);
                    let before = atoms.len();
                    atoms.retain(|&atom| evaluator.holds(store, atom) == Some(true));
                    if atoms.len() == before {
                        return None;
                    }
                }
            }
        }
        None
    }
}

/// Comparisons of the variables of these conditions with each other and with constants from them.
fn comparisons(flat: &Flat, needed: &[Term], limits: &Limits) -> (Vec<VarId>, Vec<Term>) {
    let store: &TermStore = &flat.terms;
    let mut vars: Vec<VarId> = needed.iter().flat_map(|&part| flat.vars(part)).collect();
    vars.sort();
    vars.dedup();
    vars.retain(|&var| matches!(store.var_sort(var), Sort::Bv(2..=64)));
    vars.truncate(limits.atom_variables);
    let mut constants: Vec<u64> = vec![0, 1];
    for term in store.subterms(needed.iter().copied()) {
        constants.extend(store.const_bits(term).filter(|bits| !constants.contains(bits)));
    }
    constants.truncate(limits.atom_constants);
    let mut atoms = Vec::new();
    let mut compare = |one: Term, two: Term| {
        let equal = store.eq(one, two);
        let less = |op: Op, left: Term, right: Term| store.build(op, &[left, right]);
        let each = [Op::BvSlt, Op::BvUlt].into_iter().flat_map(|op| [less(op, one, two), less(op, two, one)]);
        let each: Vec<Term> = each.collect();
        for atom in [equal].into_iter().chain(each).flat_map(|atom| [atom, store.not(atom)]) {
            if store.const_bool(atom).is_none() && !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
    };
    for (at, &var) in vars.iter().enumerate() {
        let sort = store.var_sort(var);
        let term = store.var_term(var);
        vars[at + 1..].iter().filter(|&&other| store.var_sort(other) == sort).for_each(|&other| compare(term, store.var_term(other)));
        let fits = constants.iter().filter(|&&bits| bits <= fathom_term::mask(sort.width()));
        fits.for_each(|&bits| compare(term, store.constant(&Value::Bits(bits), sort)));
    }
    (vars, atoms)
}

/// Whether a condition is large, or multiplies, divides or shifts by variables.
pub fn is_hard(flat: &Flat, part: Term, plain_nodes: usize) -> bool {
    let store: &TermStore = &flat.terms;
    let mut seen: FxSet<Term> = FxSet::default();
    let mut open = vec![part];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = store.args(term);
        let variables = args.iter().filter(|&&arg| store.const_bits(arg).is_none()).count();
        match store.op(term) {
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => return true,
            Op::BvMul if variables > 1 => return true,
            Op::BvShl | Op::BvLshr | Op::BvAshr if args.get(1).is_some_and(|&by| store.const_bits(by).is_none()) => return true,
            _ => open.extend(args),
        }
    }
    seen.len() > plain_nodes
}
