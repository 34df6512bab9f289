//! Replacement of variables by terms. The memo lives as long as the substitution, so replacing the same variables in
//! many terms that share structure costs each node once. An explicit stack keeps deep terms off the machine's stack.

use crate::op::Op;
use crate::store::{Args, Term, TermStore, VarId};
use fathom_base::FxMap;

#[derive(Default, Clone)]
pub struct Substitution {
    images: FxMap<VarId, Term>,
    memo: FxMap<Term, Term>,
}

impl Substitution {
    pub fn new(pairs: impl IntoIterator<Item = (VarId, Term)>) -> Self {
        Self { images: pairs.into_iter().collect(), memo: FxMap::default() }
    }

    /// Adds a replacement for a variable that is younger than every term rewritten so far, so the memo stays right.
    pub fn extend(&mut self, var: VarId, image: Term) {
        self.images.insert(var, image);
    }

    pub fn apply(&mut self, store: &TermStore, root: Term) -> Term {
        if self.images.is_empty() {
            return root;
        }
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            let op = store.op(term);
            let args = store.args(term);
            if args.is_empty() {
                let image = match op {
                    Op::Var(var) => self.images.get(&var).copied().unwrap_or(term),
                    _ => term,
                };
                self.memo.insert(term, image);
            } else if ready {
                let image = self.rebuild(store, term, op, &args);
                self.memo.insert(term, image);
            } else {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
            }
        }
        self.memo[&root]
    }

    fn rebuild(&self, store: &TermStore, term: Term, op: Op, args: &Args) -> Term {
        let images: Args = args.iter().map(|arg| self.memo[arg]).collect();
        if images == *args { term } else { store.build(op, &images) }
    }
}
