//! Which symbols a term mentions: free variables, uninterpreted functions and uninterpreted sorts. Two constraints
//! without a common symbol cannot influence each other (Symbooglix, section IV, "Constraint independence": used
//! variables *and* functions). Sorts count because a quantified axiom may bound how many elements a sort has, which
//! every disequality over the sort depends on; interpreted sorts have a fixed size and need no entry.
//!
//! Sets are memoised per term and a parent shares its child's set when they are equal. A chain of n additions over n
//! variables would still need quadratic memory, so sets above `SMALL` symbols are kept for every `STRIDE`-th node only
//! and put together again from those. Nothing here recurses on the depth of a term.

use crate::{FnId, Op, OpaqueSortId, Sort, Term, TermStore, VarId};
use fathom_base::{FxMap, FxSet};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// A symbol through which constraints can depend on each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// A free variable.
    Var(VarId),
    /// An uninterpreted function.
    Function(FnId),
    /// An uninterpreted sort.
    Sort(OpaqueSortId),
}

impl From<VarId> for Symbol {
    fn from(var: VarId) -> Self {
        Symbol::Var(var)
    }
}

/// A sorted set of symbols, shared between terms.
pub type SymbolSet = Rc<[Symbol]>;

/// The largest set that every node remembers.
const SMALL: usize = 128;
/// Of nodes with larger sets, one in this many remembers its set.
const STRIDE: usize = 256;

#[derive(Clone)]
struct Entry {
    /// None: more than `SMALL` symbols (possibly counting bound ones), see `VarSets::large`.
    set: Option<SymbolSet>,
    quantified: bool,
    floats: bool,
}

/// Memoised symbol sets of the terms of one store.
pub struct VarSets {
    memo: RefCell<FxMap<Term, Entry>>,
    large: RefCell<FxMap<Term, SymbolSet>>,
    empty: SymbolSet,
    /// Nothing is memoised, to measure the effect of memoisation.
    forgetful: bool,
}

impl Default for VarSets {
    fn default() -> Self {
        Self { memo: RefCell::default(), large: RefCell::default(), empty: Rc::from([]), forgetful: false }
    }
}

impl VarSets {
    /// Sets that are not memoised.
    pub fn forgetful() -> Self {
        Self { forgetful: true, ..Self::default() }
    }

    /// The symbols of a term, sorted; variables bound by a quantifier are not among them.
    pub fn of(&self, store: &TermStore, term: Term) -> SymbolSet {
        match self.entry(store, term).set {
            Some(set) => set,
            None => self.large_set(store, term),
        }
    }

    /// The symbols of a term, if they are few; then the set is memoised or cheap to compute.
    pub fn few(&self, store: &TermStore, term: Term) -> Option<SymbolSet> {
        self.entry(store, term).set
    }

    /// The free variables of a term, in order.
    pub fn vars(&self, store: &TermStore, term: Term) -> Vec<VarId> {
        vars_of(&self.of(store, term)).collect()
    }

    /// Whether a quantifier occurs in the term, so that it may have no value under a model.
    pub fn is_quantified(&self, store: &TermStore, term: Term) -> bool {
        self.entry(store, term).quantified
    }

    /// Whether a float occurs in the term.
    pub fn has_floats(&self, store: &TermStore, term: Term) -> bool {
        self.entry(store, term).floats
    }

    fn entry(&self, store: &TermStore, root: Term) -> Entry {
        let mut memo = self.memo.borrow_mut();
        if self.forgetful {
            memo.clear();
            self.large.borrow_mut().clear();
        }
        if let Some(known) = memo.get(&root) {
            return known.clone();
        }
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if memo.contains_key(&term) {
                continue;
            }
            let args = store.args(term);
            if !ready && !args.is_empty() {
                stack.push((term, true));
                stack.extend(args.iter().filter(|arg| !memo.contains_key(arg)).map(|&arg| (arg, false)));
                continue;
            }
            let entry = self.combine(store, term, &args, &memo);
            memo.insert(term, entry);
        }
        memo[&root].clone()
    }

    /// The entry of a node whose arguments have theirs.
    fn combine(&self, store: &TermStore, term: Term, args: &[Term], memo: &FxMap<Term, Entry>) -> Entry {
        let op = store.op(term);
        let mut quantified = matches!(op, Op::Forall(_) | Op::Exists(_));
        let mut floats = matches!(store.sort(term), Sort::Float(_));
        let mut set = Some(self.empty.clone());
        for arg in args {
            let entry = &memo[arg];
            quantified |= entry.quantified;
            floats |= entry.floats;
            set = match (set, &entry.set) {
                (Some(left), Some(right)) => Some(union(&left, right)),
                _ => None,
            };
        }
        let set = set.map(|set| own_symbols(store, op, set)).filter(|set| set.len() <= SMALL);
        Entry { set, quantified, floats }
    }

    fn large_set(&self, store: &TermStore, root: Term) -> SymbolSet {
        if let Some(known) = self.large.borrow().get(&root) {
            return known.clone();
        }
        for (position, term) in self.large_region(store, root).into_iter().enumerate() {
            // A quantifier takes symbols away, so it cannot be seen through from above.
            let binds = matches!(store.op(term), Op::Forall(_) | Op::Exists(_));
            if binds || term == root || position % STRIDE == STRIDE - 1 {
                let set = self.collect(store, term);
                self.large.borrow_mut().insert(term, set);
            }
        }
        self.large.borrow()[&root].clone()
    }

    /// Nodes below `root` that have large sets and don't remember them, children before parents.
    fn large_region(&self, store: &TermStore, root: Term) -> Vec<Term> {
        let (memo, large) = (self.memo.borrow(), self.large.borrow());
        let mut seen = FxSet::default();
        let mut order = Vec::new();
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if ready {
                order.push(term);
            } else if memo[&term].set.is_none() && !large.contains_key(&term) && seen.insert(term) {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        order
    }

    /// The set of one node from the nearest nodes below that remember theirs.
    fn collect(&self, store: &TermStore, root: Term) -> SymbolSet {
        let (memo, large) = (self.memo.borrow(), self.large.borrow());
        let mut seen = FxSet::default();
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(set) = memo[&term].set.as_ref().or_else(|| large.get(&term)) {
                symbols.extend_from_slice(set);
                continue;
            }
            if term != root {
                symbols.extend_from_slice(&own_symbols(store, store.op(term), self.empty.clone()));
            }
            stack.extend(store.args(term));
        }
        symbols.sort_unstable();
        symbols.dedup();
        own_symbols(store, store.op(root), Rc::from(symbols))
    }
}

/// The variables among symbols.
pub fn vars_of(symbols: &[Symbol]) -> impl Iterator<Item = VarId> {
    symbols.iter().filter_map(|symbol| match symbol {
        Symbol::Var(var) => Some(*var),
        _ => None,
    })
}

/// The set of a node from the union of its arguments' sets.
pub fn own_symbols(store: &TermStore, op: Op, below: SymbolSet) -> SymbolSet {
    let mut own: SmallVec<[Symbol; 4]> = SmallVec::new();
    match op {
        Op::Var(var) => {
            own.push(Symbol::Var(var));
            push_opaque(store, store.var_sort(var), &mut own);
        }
        Op::Apply(function) => {
            own.push(Symbol::Function(function));
            push_opaque(store, store.function_sorts(function).1, &mut own);
        }
        Op::Forall(id) | Op::Exists(id) => {
            let bound = &store.quantifier(id).bound;
            for &var in bound {
                push_opaque(store, store.var_sort(var), &mut own);
            }
            let is_bound = |symbol: &Symbol| matches!(symbol, Symbol::Var(var) if bound.contains(var));
            let free: SmallVec<[Symbol; 8]> = below.iter().copied().filter(|symbol| !is_bound(symbol)).collect();
            own.sort_unstable();
            own.dedup();
            return if free.len() == below.len() { union(&below, &Rc::from(&own[..])) } else { merge(&free, &own) };
        }
        _ => return below,
    }
    own.sort_unstable();
    own.dedup();
    union(&below, &Rc::from(&own[..]))
}

fn push_opaque(store: &TermStore, sort: Sort, into: &mut SmallVec<[Symbol; 4]>) {
    match sort {
        Sort::Opaque(id) => into.push(Symbol::Sort(id)),
        Sort::Array(id) => {
            let (index, element) = store.array_sort_parts(id);
            push_opaque(store, index, into);
            push_opaque(store, element, into);
        }
        _ => {}
    }
}

/// The union of two sets; shares one of them if it equals the union.
fn union(left: &SymbolSet, right: &SymbolSet) -> SymbolSet {
    if Rc::ptr_eq(left, right) || is_subset(right, left) {
        left.clone()
    } else if is_subset(left, right) {
        right.clone()
    } else {
        merge(left, right)
    }
}

fn is_subset(small: &[Symbol], big: &[Symbol]) -> bool {
    if small.len() > big.len() {
        return false;
    }
    let mut rest = big.iter();
    small.iter().all(|symbol| rest.by_ref().any(|other| other == symbol))
}

fn merge(left: &[Symbol], right: &[Symbol]) -> SymbolSet {
    let mut all: SmallVec<[Symbol; 32]> = SmallVec::with_capacity(left.len() + right.len());
    all.extend_from_slice(left);
    all.extend_from_slice(right);
    all.sort_unstable();
    all.dedup();
    Rc::from(&all[..])
}
