//! Replacement of variables by terms. The memo lives as long as the substitution, so replacing the same variables in
//! many terms that share structure costs each node once. Explicit stacks keep deep terms off the machine's stack.
//!
//! A quantifier's bound variables are not replaced, and are renamed where an image mentions them, so that nothing is
//! captured. Its body (and triggers) is a scope of its own, with a memo of its own: the same node means another thing
//! there.

use crate::op::Op;
use crate::smtlib::Symbols;
use crate::store::{Args, Quantifier, Term, TermStore, VarId};
use fathom_base::{FxMap, FxSet};

/// A simultaneous replacement of variables by terms.
#[derive(Default, Clone)]
pub struct Substitution {
    images: FxMap<VarId, Term>,
    memo: FxMap<Term, Term>,
}

/// A quantifier whose inside is being rewritten.
struct Scope {
    images: FxMap<VarId, Term>,
    memo: FxMap<Term, Term>,
    stack: Vec<(Term, bool)>,
    quantified: Term,
    bound: Vec<VarId>,
}

impl Substitution {
    /// The replacement of each variable by its term.
    pub fn new(pairs: impl IntoIterator<Item = (VarId, Term)>) -> Self {
        Self { images: pairs.into_iter().collect(), memo: FxMap::default() }
    }

    /// Adds a replacement for a variable that was created after every term rewritten so far, so that no memo entry is invalidated.
    pub fn extend(&mut self, var: VarId, image: Term) {
        self.images.insert(var, image);
    }

    /// The term with all replacements made.
    pub fn apply(&mut self, store: &TermStore, root: Term) -> Term {
        if self.images.is_empty() {
            return root;
        }
        let mut stack = vec![(root, false)];
        while let Some(quantified) = run(store, &self.images, &mut self.memo, &mut stack) {
            let image = rewrite_quantifier(store, &self.images, quantified);
            self.memo.insert(quantified, image);
        }
        self.memo[&root]
    }
}

/// Rewrites what is on the stack until it is done or a quantifier has to be entered.
fn run(store: &TermStore, images: &FxMap<VarId, Term>, memo: &mut FxMap<Term, Term>, stack: &mut Vec<(Term, bool)>) -> Option<Term> {
    while let Some((term, ready)) = stack.pop() {
        if memo.contains_key(&term) {
            continue;
        }
        let op = store.op(term);
        let args = store.args(term);
        if let Op::Forall(_) | Op::Exists(_) = op {
            return Some(term);
        }
        if args.is_empty() {
            let image = match op {
                Op::Var(var) => images.get(&var).copied().unwrap_or(term),
                _ => term,
            };
            memo.insert(term, image);
        } else if ready {
            let image_args: Args = args.iter().map(|arg| memo[arg]).collect();
            let image = if image_args == args { term } else { store.build(op, &image_args) };
            memo.insert(term, image);
        } else {
            stack.push((term, true));
            stack.extend(args.iter().map(|&arg| (arg, false)));
        }
    }
    None
}

fn rewrite_quantifier(store: &TermStore, images: &FxMap<VarId, Term>, quantified: Term) -> Term {
    let mut scopes = vec![enter(store, images, quantified)];
    loop {
        let Some(scope) = scopes.last_mut() else { return quantified };
        if let Some(inner) = run(store, &scope.images, &mut scope.memo, &mut scope.stack) {
            let inner = enter(store, &scope.images, inner);
            scopes.push(inner);
            continue;
        }
        let image = leave(store, scope);
        let finished = scope.quantified;
        scopes.pop();
        match scopes.last_mut() {
            Some(outer) => outer.memo.insert(finished, image),
            None => return image,
        };
    }
}

fn enter(store: &TermStore, images: &FxMap<VarId, Term>, quantified: Term) -> Scope {
    let quantifier = quantifier_of(store, quantified);
    let mut stack: Vec<(Term, bool)> = quantifier.triggers.iter().flatten().map(|&term| (term, false)).collect();
    let body = store.arg(quantified, 0);
    stack.push((body, false));
    // Only what occurs inside matters; that also keeps renaming to the cases that need it.
    let inside: FxSet<VarId> = Symbols::of(store, &[quantified]).vars.into_iter().collect();
    let mut images: FxMap<VarId, Term> = images.iter().filter(|(var, _)| inside.contains(var)).map(|(&var, &image)| (var, image)).collect();
    if images.is_empty() {
        let memo = stack.iter().map(|&(term, _)| (term, term)).collect();
        return Scope { images, memo, stack: Vec::new(), quantified, bound: quantifier.bound.clone() };
    }
    let roots: Vec<Term> = images.values().copied().collect();
    let mentioned: FxSet<VarId> = Symbols::of(store, &roots).vars.into_iter().collect();
    let bound = quantifier.bound.iter().map(|&var| {
        if !mentioned.contains(&var) {
            return var;
        }
        let renamed = store.fresh(&store.var_name(var), store.var_sort(var));
        images.insert(var, renamed);
        store.as_var(renamed).unwrap_or(var)
    });
    let bound = bound.collect();
    Scope { images, memo: FxMap::default(), stack, quantified, bound }
}

fn leave(store: &TermStore, scope: &Scope) -> Term {
    let quantifier = quantifier_of(store, scope.quantified);
    let body = scope.memo[&store.arg(scope.quantified, 0)];
    let image = |trigger: &Vec<Term>| trigger.iter().map(|part| scope.memo[part]).collect();
    let triggers: Vec<Vec<Term>> = quantifier.triggers.iter().map(image).collect();
    let bound = scope.bound.clone();
    match store.op(scope.quantified) {
        Op::Forall(_) => store.forall(bound, triggers, body),
        _ => store.exists(bound, triggers, body),
    }
}

fn quantifier_of(store: &TermStore, term: Term) -> std::rc::Rc<Quantifier> {
    match store.op(term) {
        Op::Forall(id) | Op::Exists(id) => store.quantifier(id),
        other => panic!("quantifier expected, found {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::{print_term, read_term};
    use crate::sort::Sort;

    #[test]
    fn quantifiers_bind() {
        let store = TermStore::new();
        let vars = ["x", "y", "z"].map(|name| store.var(name, Sort::Int));
        store.function("f", &[Sort::Int], Sort::Int);
        let cases = [
            ("(forall ((x Int)) (< x y))", "(forall ((x Int)) (< x 3))"),
            ("(forall ((y Int)) (< x y))", "(forall ((y!1 Int)) (< y (+ y!1 (- 1))))"),
            ("(forall ((z Int)) (! (< (f y) z) :pattern ((f y))))", "(forall ((z Int)) (! (< (f 3) z) :pattern ((f 3))))"),
            ("(and (< x z) (exists ((x Int)) (< x z)))", "(and (exists ((x Int)) (< x z)) (< y (+ z (- 1))))"),
            ("(exists ((z Int)) (forall ((x Int)) (< x y z)))", "(exists ((z Int)) (forall ((x Int)) (and (< x 3) (not (< z 4)))))"),
        ];
        for (before, after) in cases {
            let pairs = [(0, store.build(Op::IntAdd, &[vars[1], store.int(1)])), (1, store.int(3))];
            let mut substitution = Substitution::new(pairs.map(|(i, image)| (store.as_var(vars[i]).unwrap(), image)));
            let term = read_term(&store, before).unwrap();
            assert_eq!(print_term(&store, substitution.apply(&store, term)), after, "{before}");
        }
    }

    #[test]
    fn deep_terms_and_deep_quantifiers() {
        let store = TermStore::new();
        let (p, q) = (store.var("p", Sort::Bool), store.var("q", Sort::Bool));
        let bound = store.var("b", Sort::Bool);
        let (mut deep, mut nested) = (p, p);
        for i in 0..100_000 {
            deep = store.build(Op::Xor, &[deep, store.var(&format!("d{}", i % 7), Sort::Bool)]);
            deep = store.intern(Op::Not, Sort::Bool, &[deep]);
        }
        for _ in 0..300 {
            nested = store.forall(vec![store.as_var(bound).unwrap()], vec![], store.build(Op::Xor, &[nested, bound]));
        }
        for term in [deep, nested] {
            let swap = |from: Term, to: Term, term: Term| Substitution::new([(store.as_var(from).unwrap(), to)]).apply(&store, term);
            let there = swap(p, q, term);
            assert_ne!(there, term);
            assert!(!Symbols::of(&store, &[there]).vars.contains(&store.as_var(p).unwrap()));
        }
    }
}
