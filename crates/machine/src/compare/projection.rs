//! Removes constraints on symbols that nothing in a state mentions any more. A loop that compares an input with
//! something and then forgets the input adds a constraint in every iteration. Often such constraints say nothing about
//! the symbols that are still in use, because some value of the forgotten symbol always satisfies them. That is so for
//!
//! - a symbol of which all constraints say that it differs from something, fewer things than it has values;
//! - a symbol in a single constraint that says what it equals, or that it is not less or not greater than something;
//! - a symbol in a single constraint that says that it is less or greater than something, which then is not the least
//!   or the greatest number.
//!
//! The remaining constraints have the same solutions for the other symbols: for every `t` there is an `x` with `x = t`.
//! The symbol may also occur under bijective operations (`x + t`).

use fathom_base::{FxMap, FxSet};
use fathom_term::{Op, Sort, Symbol, Term, TermStore, VarId, VarSets};

/// A comparison or its negation.
struct Literal {
    op: Op,
    sides: [Term; 2],
    holds: bool,
}

struct Projection<'a> {
    store: &'a TermStore,
    sets: &'a VarSets,
    constraints: Vec<Option<Term>>,
    /// Where forgotten symbols occur; some of these constraints may be gone.
    places: FxMap<VarId, Vec<usize>>,
}

/// What constraints say about the symbols in use and others that are to be kept, in the same order.
pub(crate) fn projected(
    store: &TermStore,
    sets: &VarSets,
    constraints: Vec<Term>,
    in_use: &[Symbol],
    is_kept: impl Fn(VarId) -> bool,
) -> Vec<Term> {
    let mut in_use: FxSet<Symbol> = in_use.iter().copied().collect();
    let mut places: FxMap<VarId, Vec<usize>> = FxMap::default();
    let mut open = Vec::new();
    for (at, &constraint) in constraints.iter().enumerate() {
        for &symbol in sets.of(store, constraint).iter() {
            match symbol {
                _ if in_use.contains(&symbol) => {}
                Symbol::Var(var) if is_kept(var) => {
                    in_use.insert(symbol);
                }
                Symbol::Var(var) if matches!(store.var_sort(var), Sort::Bv(_)) => {
                    open.push(var);
                    places.entry(var).or_default().push(at);
                }
                _ => {}
            }
        }
    }
    if open.is_empty() {
        return constraints;
    }
    let mut projection = Projection { store, sets, constraints: constraints.into_iter().map(Some).collect(), places };
    while let Some(var) = open.pop() {
        projection.eliminate(var, &mut open);
    }
    projection.about(in_use)
}

impl Projection<'_> {
    fn eliminate(&mut self, var: VarId, open: &mut Vec<VarId>) {
        let width = self.store.var_sort(var).width();
        let Some(places) = self.places.get(&var) else { return };
        let here: Vec<usize> =
            places.iter().copied().filter(|&at| self.constraints[at].is_some_and(|term| self.mentions(term, var))).collect();
        let differs = |&at: &usize| self.literal(at).is_some_and(|literal| self.is_different(&literal, var));
        if (width >= 32 || here.len() < 1 << width) && here.iter().all(differs) {
            here.into_iter().for_each(|at| self.replace(at, None, open));
        } else if let [at] = here[..]
            && let Some(literal) = self.literal(at)
            && let Some(rest) = self.without(&literal, var)
        {
            let rest = Some(rest).filter(|&rest| self.store.const_bool(rest) != Some(true));
            self.replace(at, rest, open);
        }
    }

    fn replace(&mut self, at: usize, with: Option<Term>, open: &mut Vec<VarId>) {
        let Some(old) = std::mem::replace(&mut self.constraints[at], with) else { return };
        // Others may have lost what kept them.
        let others = self.sets.of(self.store, old);
        open.extend(others.iter().filter_map(|symbol| match symbol {
            Symbol::Var(var) if self.places.contains_key(var) => Some(*var),
            _ => None,
        }));
    }

    fn literal(&self, at: usize) -> Option<Literal> {
        let term = self.constraints[at]?;
        let (term, holds) = if self.store.op(term) == Op::Not { (self.store.args(term)[0], false) } else { (term, true) };
        let op = self.store.op(term);
        let args = self.store.args(term);
        matches!(op, Op::Eq | Op::BvUlt | Op::BvSlt).then(|| Literal { op, sides: [args[0], args[1]], holds })
    }

    fn mentions(&self, term: Term, var: VarId) -> bool {
        self.sets.of(self.store, term).contains(&Symbol::Var(var))
    }

    /// `x != t`, or a term that has another value for each `x`.
    fn is_different(&self, literal: &Literal, var: VarId) -> bool {
        let [a, b] = literal.sides;
        let is_apart = |side, other| !self.mentions(other, var) && self.is_each_once(side, var, true);
        literal.op == Op::Eq && !literal.holds && (is_apart(a, b) || is_apart(b, a))
    }

    /// What the literal says of everything else, if some value of the symbol is always there for it.
    fn without(&self, literal: &Literal, var: VarId) -> Option<Term> {
        let (store, [a, b]) = (self.store, literal.sides);
        let is_any = |side, other| !self.mentions(other, var) && self.is_each_once(side, var, false);
        let (on_left, on_right) = (is_any(a, b), is_any(b, a));
        if !on_left && !on_right {
            return None;
        }
        let always = literal.op == Op::Eq || !literal.holds;
        if always {
            return Some(store.bool(true));
        }
        let width = store.sort(a).width();
        let least = match literal.op {
            Op::BvUlt => store.bv(0, width),
            _ => store.build(Op::BvShl, &[store.bv(1, width), store.bv(u64::from(width) - 1, width)]),
        };
        let greatest = store.build(Op::BvNot, &[least]);
        Some(if on_left { store.ne(b, least) } else { store.ne(a, greatest) })
    }

    /// Whether the term has another value for each value of the variable and, unless some values may be missing, every
    /// value for one of them.
    fn is_each_once(&self, mut term: Term, var: VarId, may_miss: bool) -> bool {
        loop {
            let op = self.store.op(term);
            let fits = match op {
                Op::Var(own) => return own == var,
                Op::BvAdd | Op::BvXor | Op::BvNeg | Op::BvNot => true,
                Op::BvZeroExtend(_) | Op::BvSignExtend(_) | Op::BvConcat => may_miss,
                _ => false,
            };
            let args = self.store.args(term);
            let mut inside = args.iter().copied().filter(|&arg| self.mentions(arg, var));
            match (fits, inside.next(), inside.next()) {
                (true, Some(only), None) => term = only,
                _ => return false,
            }
        }
    }

    /// The constraints that have to do with these symbols. The others can hold by themselves.
    fn about(self, mut symbols: FxSet<Symbol>) -> Vec<Term> {
        let (store, sets) = (self.store, self.sets);
        let mut left: Vec<(usize, Term)> = self.constraints.into_iter().flatten().enumerate().collect();
        let mut found = Vec::new();
        loop {
            let (touching, others): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|(_, term)| sets.of(store, *term).iter().any(|symbol| symbols.contains(symbol)));
            if touching.is_empty() {
                break;
            }
            touching.iter().for_each(|(_, term)| symbols.extend(sets.of(store, *term).iter().copied()));
            found.extend(touching);
            left = others;
        }
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, term)| term).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::{Evaluator, Model, Value};

    const WIDTH: u32 = 3;

    /// A random comparison of sums of variables and constants, or its negation.
    fn literal(store: &TermStore, vars: &[Term], random: &mut fastrand::Rng) -> Term {
        let mut side = || {
            let one = vars[random.usize(..vars.len())];
            match random.u8(..6) {
                0 => store.bv(random.u64(..8), WIDTH),
                1 => store.build(Op::BvAdd, &[one, store.bv(random.u64(..8), WIDTH)]),
                2 => store.build(Op::BvAdd, &[one, vars[random.usize(..vars.len())]]),
                3 => store.build(Op::BvNot, &[one]),
                _ => one,
            }
        };
        let sides = [side(), side()];
        let op = [Op::Eq, Op::Eq, Op::BvUlt, Op::BvSlt][random.usize(..4)];
        let whole = store.build(op, &sides);
        if random.bool() { store.not(whole) } else { whole }
    }

    /// Values of the first variable for which the others have some that satisfy all constraints.
    fn solutions(store: &TermStore, vars: &[Term], constraints: &[Term]) -> Vec<u64> {
        let count = vars.len() as u32;
        let holds = |code: u64| {
            let values = vars.iter().enumerate().map(|(at, &var)| (store.as_var(var).unwrap(), Value::Bits(code >> (3 * at) & 7)));
            let evaluator = Evaluator::new(Model { values: values.collect(), ..Model::default() });
            constraints.iter().all(|&constraint| evaluator.holds(store, constraint) == Some(true))
        };
        (0..8).filter(|first| (0..1u64 << (3 * (count - 1))).any(|rest| holds(rest << 3 | first))).collect()
    }

    #[test]
    fn what_is_left_has_the_same_solutions() {
        let mut random = fastrand::Rng::with_seed(11);
        let (mut shorter, mut tried) = (0, 0);
        for _ in 0..3_000 {
            let store = TermStore::new();
            let sets = VarSets::default();
            let vars: Vec<Term> = ["kept", "a", "b"].iter().map(|name| store.var(name, Sort::Bv(WIDTH))).collect();
            let all: Vec<Term> = (0..random.usize(1..5)).map(|_| literal(&store, &vars, &mut random)).collect();
            let all: Vec<Term> = all.into_iter().filter(|&term| store.const_bool(term).is_none()).collect();
            let before = solutions(&store, &vars, &all);
            // Constraints of a path have a solution.
            if before.is_empty() {
                continue;
            }
            let in_use = [Symbol::Var(store.as_var(vars[0]).unwrap())];
            let left = projected(&store, &sets, all.clone(), &in_use, |_| false);
            assert_eq!(solutions(&store, &vars, &left), before, "{all:?} became {left:?}");
            tried += 1;
            shorter += u32::from(left.len() < all.len());
        }
        assert!(tried > 500 && shorter * 3 > tried, "{shorter} of {tried}");
    }
}
