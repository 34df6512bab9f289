//! The arena of hash-consed terms. Interior mutability lets every layer hold a shared reference; no borrow of the
//! inside outlives a method, so building terms while walking others is fine. Nothing here recurses.

mod constants;
mod ranges;
mod sorts;
mod symbols;
mod theories;

use self::constants::BigConst;
use self::symbols::{Function, NamedSort};
use self::theories::Theories;
use crate::bounds::Bounds;
use crate::build::chains::Chain;
use crate::op::Op;
use crate::sort::{ArraySortId, OpaqueSortId, Sort};
use fathom_base::{FxHasher, FxMap};
use hashbrown::HashTable;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A term of some `TermStore`. Equal terms of one store have equal ids.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// The index of the term, below `TermStore::len`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A variable of a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);
/// An uninterpreted function of a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(pub u32);
/// A quantifier's variables and triggers in a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuantifierId(pub u32);

/// What a quantifier binds and its instantiation hints; the body is the node's argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantifier {
    /// The variables that the quantifier binds.
    pub bound: Vec<VarId>,
    /// Alternative patterns for instantiation, each of several terms; hints for solvers.
    pub triggers: Vec<Vec<Term>>,
}

/// Arguments of a node: up to three inline, more in the store's side table.
pub type Args = SmallVec<[Term; 3]>;

/// A term as it is stored.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The operation, with what belongs to it (an index, a width, a name).
    pub op: Op,
    /// The sort of the value.
    pub sort: Sort,
    count: u32,
    inline: [Term; 3],
}

#[derive(Default)]
struct Inner {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    spill: Vec<Term>,
    /// Of terms that can't have every value of their sort; those of constants are not kept.
    bounds: FxMap<Term, Bounds>,
    vars: Vec<NamedSort>,
    var_ids: FxMap<Rc<str>, VarId>,
    fresh_counters: FxMap<Rc<str>, u32>,
    functions: Vec<Function>,
    function_ids: FxMap<Rc<str>, FnId>,
    big: Vec<BigConst>,
    big_ids: FxMap<BigConst, u32>,
    array_sorts: Vec<(Sort, Sort)>,
    array_sort_ids: FxMap<(Sort, Sort), ArraySortId>,
    opaque_sorts: Vec<Rc<str>>,
    opaque_ids: FxMap<Rc<str>, OpaqueSortId>,
    quantifiers: Vec<Rc<Quantifier>>,
    quantifier_ids: FxMap<Rc<Quantifier>, QuantifierId>,
}

/// The arena that owns all terms.
pub struct TermStore {
    inner: RefCell<Inner>,
    truth: [Term; 2],
    rule_depth: Cell<u32>,
    rules: Cell<Rules>,
    lambdas: RefCell<FxMap<FnId, Rc<Lambda>>>,
    /// Tables of long chains of writes.
    chains: RefCell<FxMap<Term, Rc<Chain>>>,
    theories: RefCell<Theories>,
}

/// The definition of the map `f(captured)`: its element at `index` is the body.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// Variables of the definition's surroundings that the body mentions.
    pub captured: Vec<VarId>,
    /// The variable in the body that stands for the index.
    pub index: VarId,
    /// The element at `index`.
    pub body: Term,
}

/// Which simplification rules the constructors apply besides constant folding. All of them, unless one is switched off to
/// measure its effect; the meaning of terms never depends on this.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The rules that rewrite single operations.
    pub simplify: bool,
    /// Reads and writes of maps look through writes at other constants.
    pub maps_at_constants: bool,
    /// The same for `x + 1` and `x + 2`.
    pub maps_at_offsets: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { simplify: true, maps_at_constants: true, maps_at_offsets: true }
    }
}

/// How deep rules may call each other; beyond that, terms are built without simplification.
const MAX_RULE_DEPTH: u32 = 64;

/// Counts one level of rules while it lives.
pub(crate) struct RuleGuard<'a>(&'a Cell<u32>);

impl Drop for RuleGuard<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Default for TermStore {
    fn default() -> Self {
        Self::new()
    }
}

impl TermStore {
    /// An empty store with all rules.
    pub fn new() -> Self {
        let mut store = TermStore {
            inner: RefCell::default(),
            truth: [Term(0); 2],
            rule_depth: Cell::new(0),
            rules: Cell::default(),
            lambdas: RefCell::default(),
            chains: RefCell::default(),
            theories: RefCell::default(),
        };
        store.truth = [store.small_const(0, Sort::Bool), store.small_const(1, Sort::Bool)];
        store
    }

    /// The rules that constructors apply.
    pub fn rules(&self) -> Rules {
        self.rules.get()
    }

    /// Sets the rules for terms that are built from now on.
    pub fn set_rules(&self, rules: Rules) {
        self.rules.set(rules);
    }

    /// Registers a function whose results are maps as a lambda: from now on reads of its maps are replaced by the body. If such
    /// maps can be compared with others, the caller must state an axiom, too.
    pub fn define_lambda(&self, function: FnId, lambda: Lambda) {
        self.lambdas.borrow_mut().insert(function, Rc::new(lambda));
    }

    pub(crate) fn chain(&self, map: Term) -> Option<Rc<Chain>> {
        self.chains.borrow().get(&map).cloned()
    }

    pub(crate) fn keep_chain(&self, map: Term, chain: Rc<Chain>) {
        self.chains.borrow_mut().insert(map, chain);
    }

    /// The definition of a function whose maps are lambdas.
    pub fn lambda(&self, function: FnId) -> Option<Rc<Lambda>> {
        self.lambdas.borrow().get(&function).cloned()
    }

    pub(crate) fn enter_rule(&self) -> Option<RuleGuard<'_>> {
        let depth = self.rule_depth.get();
        (depth < MAX_RULE_DEPTH).then(|| {
            self.rule_depth.set(depth + 1);
            RuleGuard(&self.rule_depth)
        })
    }

    /// How many terms exist; ids are below this.
    pub fn len(&self) -> usize {
        self.inner.borrow().nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The operation, sort and arguments of a term.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        self.inner.borrow().nodes[term.index()]
    }

    /// The operation of a term.
    #[inline]
    pub fn op(&self, term: Term) -> Op {
        self.inner.borrow().nodes[term.index()].op
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.inner.borrow().nodes[term.index()].sort
    }

    /// The arguments of a term.
    pub fn args(&self, term: Term) -> Args {
        let inner = self.inner.borrow();
        inner.args(&inner.nodes[term.index()])
    }

    /// The first argument; every non-leaf has one.
    #[inline]
    pub fn arg(&self, term: Term, index: usize) -> Term {
        let inner = self.inner.borrow();
        let node = &inner.nodes[term.index()];
        if node.count <= 3 { node.inline[index] } else { inner.spill[node.inline[0].index() + index] }
    }

    /// The term exactly as given, without simplification. Constructors end here; rule tests start here.
    pub fn intern(&self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let mut inner = self.inner.borrow_mut();
        let inner = &mut *inner;
        let hash = hash_of(op, sort, args);
        let (nodes, spill) = (&inner.nodes, &inner.spill);
        let same = |&id: &u32| {
            let node = &nodes[id as usize];
            node.op == op && node.sort == sort && node.args_in(spill) == args
        };
        if let Some(&id) = inner.table.find(hash, same) {
            return Term(id);
        }
        let id = u32::try_from(inner.nodes.len()).expect("more than 2^32 terms");
        let mut inline = [Term(0); 3];
        if args.len() <= 3 {
            inline[..args.len()].copy_from_slice(args);
        } else {
            inline[0] = Term(inner.spill.len() as u32);
            inner.spill.extend_from_slice(args);
        }
        inner.nodes.push(Node { op, sort, count: args.len() as u32, inline });
        let (nodes, spill) = (&inner.nodes, &inner.spill);
        inner.table.insert_unique(hash, id, |&other| {
            let node = &nodes[other as usize];
            hash_of(node.op, node.sort, node.args_in(spill))
        });
        if let Some(width) = inner.bounded_width(sort)
            && !args.is_empty()
            && let Some(bounds) = inner.bounds_of_parts(op, width, args)
        {
            inner.bounds.insert(Term(id), bounds);
        }
        Term(id)
    }
}

impl Inner {
    fn args(&self, node: &Node) -> Args {
        Args::from_slice(node.args_in(&self.spill))
    }
}

impl Node {
    fn args_in<'a>(&'a self, spill: &'a [Term]) -> &'a [Term] {
        if self.count <= 3 {
            &self.inline[..self.count as usize]
        } else {
            let start = self.inline[0].index();
            &spill[start..start + self.count as usize]
        }
    }
}

fn hash_of(op: Op, sort: Sort, args: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}
