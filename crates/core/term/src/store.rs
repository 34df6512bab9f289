//! The arena of hash-consed terms. Interior mutability lets every layer hold a shared reference; no borrow of the
//! inside outlives a method, so building terms while walking others is fine. Nothing here recurses.

use crate::bounds::{self, Bounds};
use crate::build::chains::Chain;
use crate::op::Op;
use crate::sort::{ArraySortId, OpaqueSortId, Sort};
use crate::value::Value;
use fathom_base::{FxHasher, FxMap};
use hashbrown::HashTable;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
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
    pub bound: Vec<VarId>,
    pub triggers: Vec<Vec<Term>>,
}

/// Arguments of a node: up to three inline, more in the store's side table.
pub type Args = SmallVec<[Term; 3]>;

/// A term as it is stored.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub op: Op,
    pub sort: Sort,
    count: u32,
    inline: [Term; 3],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum BigConst {
    Bits(num_bigint::BigUint),
    Int(BigInt),
    Real(BigRational),
}

struct NamedSort {
    name: Rc<str>,
    sort: Sort,
}

struct Function {
    name: Rc<str>,
    arguments: Vec<Sort>,
    result: Sort,
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

/// Sorts and functions of solvers' theories that terms have no operations for (sequences, strings, regular expressions,
/// ...), as SMT-LIB writes them. To us they are opaque sorts and functions; a solver that knows the theory takes them as
/// they are, every other one refuses them.
#[derive(Default)]
struct Theories {
    sorts: FxMap<OpaqueSortId, (Rc<str>, Rc<[Sort]>)>,
    heads: FxMap<FnId, Rc<str>>,
}

/// The definition of the map `f(captured)`: its element at `index` is the body.
#[derive(Clone, Debug)]
pub struct Lambda {
    pub captured: Vec<VarId>,
    pub index: VarId,
    pub body: Term,
}

/// Which simplification rules the constructors apply besides constant folding. All of them, unless one is switched off to
/// measure its effect; the meaning of terms never depends on this.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Rules {
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

impl Inner {
    fn bounded_width(&self, sort: Sort) -> Option<u32> {
        bounds::bounded_width(sort, |id| self.array_sorts[id.0 as usize].1)
    }

    fn bounds(&self, term: Term, width: u32) -> Bounds {
        match self.nodes[term.0 as usize].op {
            Op::Const(bits) => Bounds::exactly(bits, width),
            _ => self.bounds.get(&term).copied().unwrap_or(Bounds::everything(width)),
        }
    }

    fn bounds_of_parts(&self, op: Op, width: u32, args: &[Term]) -> Option<Bounds> {
        if matches!(op, Op::BvExtract { .. }) && self.bounded_width(self.nodes[args[0].0 as usize].sort).is_none() {
            return None;
        }
        // What takes no part (conditions, indices) has a width of no meaning.
        let known = args.iter().map(|&arg| {
            let width = self.bounded_width(self.nodes[arg.0 as usize].sort);
            width.map_or((Bounds::everything(1), 1), |width| (self.bounds(arg, width), width))
        });
        bounds::bounds(op, width, &known.collect::<SmallVec<[_; 3]>>())
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

    /// The sort of a theory that SMT-LIB writes with this head, such as `Seq` of the sort `Int`.
    pub fn theory_sort(&self, head: &str, arguments: &[Sort]) -> Sort {
        let words: Vec<String> = arguments.iter().map(|&sort| format!(" {}", crate::smtlib::print_sort(self, sort))).collect();
        // No name of a program has a space in it.
        let sort = self.opaque_sort(&format!("theory {head}{}", words.concat()));
        if let Sort::Opaque(id) = sort {
            self.theories.borrow_mut().sorts.insert(id, (Rc::from(head), arguments.into()));
        }
        sort
    }

    /// Head and arguments of an opaque sort that is a theory's.
    pub fn theory_sort_parts(&self, sort: OpaqueSortId) -> Option<(Rc<str>, Rc<[Sort]>)> {
        self.theories.borrow().sorts.get(&sort).cloned()
    }

    /// Whether values of this sort contain elements of a theory's sort.
    pub fn involves_theory(&self, sort: Sort) -> bool {
        let mut open = vec![sort];
        while let Some(sort) = open.pop() {
            match sort {
                Sort::Opaque(id) if self.theories.borrow().sorts.contains_key(&id) => return true,
                Sort::Array(id) => {
                    let (index, element) = self.array_sort_parts(id);
                    open.extend([index, element]);
                }
                _ => {}
            }
        }
        false
    }

    /// The function of a theory that SMT-LIB writes like this, such as `seq.len`, or `"abc"` without arguments.
    pub fn theory_function(&self, head: &str, arguments: &[Sort], result: Sort) -> FnId {
        let sorts: Vec<String> = arguments.iter().chain([&result]).map(|&sort| crate::smtlib::print_sort(self, sort)).collect();
        let function = self.function(&format!("theory {head}: {}", sorts.join(" ")), arguments, result);
        self.theories.borrow_mut().heads.insert(function, Rc::from(head));
        function
    }

    /// How SMT-LIB writes a function that is a theory's.
    pub fn theory_head(&self, function: FnId) -> Option<Rc<str>> {
        self.theories.borrow().heads.get(&function).cloned()
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

    /// The truth value of a comparison for all values of its variables, if the bounds of its sides decide it.
    pub(crate) fn decided_by_bounds(&self, op: Op, a: Term, b: Term) -> Option<bool> {
        let Sort::Bv(width) = self.sort(a) else { return None };
        if width > 64 {
            return None;
        }
        let inner = self.inner.borrow();
        // Without any there is nothing to compare.
        if [a, b].iter().all(|term| !inner.nodes[term.0 as usize].op.is_const() && !inner.bounds.contains_key(term)) {
            return None;
        }
        Bounds::compare(op, inner.bounds(a, width), inner.bounds(b, width), width)
    }

    // ---- constants

    /// A truth value.
    #[inline]
    pub fn bool(&self, value: bool) -> Term {
        self.truth[value as usize]
    }

    /// A constant of a small sort from its bits; the caller has masked them, and NaN is canonical.
    pub fn small_const(&self, bits: u64, sort: Sort) -> Term {
        self.intern(Op::Const(bits), sort, &[])
    }

    /// The constant of this sort with this value.
    pub fn constant(&self, value: &Value, sort: Sort) -> Term {
        match value {
            Value::Bits(bits) => self.small_const(*bits, sort),
            Value::Wide(bits) => self.big_const(BigConst::Bits((**bits).clone()), sort),
            Value::Int(int) => match int.to_i64() {
                Some(small) => self.small_const(small as u64, sort),
                None => self.big_const(BigConst::Int((**int).clone()), sort),
            },
            Value::Real(real) => self.big_const(BigConst::Real((**real).clone()), sort),
            Value::Array(array) => {
                let Sort::Array(id) = sort else { panic!("array value of sort {sort:?}") };
                let (index_sort, element_sort) = self.array_sort_parts(id);
                let default = self.constant(&array.default, element_sort);
                let mut term = self.const_array(sort, default);
                for (index, element) in &array.entries {
                    let index = self.constant(index, index_sort);
                    let element = self.constant(element, element_sort);
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    fn big_const(&self, value: BigConst, sort: Sort) -> Term {
        let id = {
            let mut inner = self.inner.borrow_mut();
            let inner = &mut *inner;
            let next = inner.big.len() as u32;
            *inner.big_ids.entry(value).or_insert_with_key(|value| {
                inner.big.push(value.clone());
                next
            })
        };
        self.intern(Op::BigConst(id), sort, &[])
    }

    /// The value of a constant; None for every other term.
    pub fn const_value(&self, term: Term) -> Option<Value> {
        let inner = self.inner.borrow();
        match inner.nodes[term.index()].op {
            Op::Const(bits) if inner.nodes[term.index()].sort == Sort::Int => Some(Value::int(bits as i64)),
            Op::Const(bits) => Some(Value::Bits(bits)),
            Op::BigConst(id) => Some(match &inner.big[id as usize] {
                BigConst::Bits(bits) => Value::Wide(Rc::new(bits.clone())),
                BigConst::Int(int) => Value::Int(Rc::new(int.clone())),
                BigConst::Real(real) => Value::Real(Rc::new(real.clone())),
            }),
            _ => None,
        }
    }

    /// The bits of a small constant.
    #[inline]
    pub fn const_bits(&self, term: Term) -> Option<u64> {
        match self.op(term) {
            Op::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// The truth value that a term is, if it is a constant.
    pub fn const_bool(&self, term: Term) -> Option<bool> {
        if term == self.truth[1] {
            Some(true)
        } else if term == self.truth[0] {
            Some(false)
        } else {
            None
        }
    }

    // ---- symbols

    /// The variable of this name; its sort is fixed by the first use. Panics if asked for under another sort.
    pub fn var(&self, name: &str, sort: Sort) -> Term {
        let id = {
            let mut inner = self.inner.borrow_mut();
            match inner.var_ids.get(name) {
                Some(&id) => {
                    assert_eq!(inner.vars[id.0 as usize].sort, sort, "variable {name} used with two sorts");
                    id
                }
                None => inner.add_var(name, sort),
            }
        };
        self.intern(Op::Var(id), sort, &[])
    }

    /// A fresh variable, named `prefix!N`.
    pub fn fresh(&self, prefix: &str, sort: Sort) -> Term {
        let id = {
            let mut inner = self.inner.borrow_mut();
            loop {
                let counter = match inner.fresh_counters.get_mut(prefix) {
                    Some(counter) => counter,
                    None => inner.fresh_counters.entry(Rc::from(prefix)).or_insert(0),
                };
                *counter += 1;
                let name = format!("{prefix}!{counter}");
                if !inner.var_ids.contains_key(name.as_str()) {
                    break inner.add_var(&name, sort);
                }
            }
        };
        self.intern(Op::Var(id), sort, &[])
    }

    /// The term that is this variable.
    pub fn var_term(&self, var: VarId) -> Term {
        self.intern(Op::Var(var), self.var_sort(var), &[])
    }

    /// The variable that a term is, if it is one.
    pub fn as_var(&self, term: Term) -> Option<VarId> {
        match self.op(term) {
            Op::Var(id) => Some(id),
            _ => None,
        }
    }

    /// The variable of this name, if there is one.
    pub fn find_var(&self, name: &str) -> Option<VarId> {
        self.inner.borrow().var_ids.get(name).copied()
    }

    /// The uninterpreted function of this name, if there is one.
    pub fn find_function(&self, name: &str) -> Option<FnId> {
        self.inner.borrow().function_ids.get(name).copied()
    }

    /// The uninterpreted sort of this name, if there is one.
    pub fn find_opaque_sort(&self, name: &str) -> Option<Sort> {
        self.inner.borrow().opaque_ids.get(name).map(|&id| Sort::Opaque(id))
    }

    /// The name of a variable.
    pub fn var_name(&self, var: VarId) -> Rc<str> {
        self.inner.borrow().vars[var.0 as usize].name.clone()
    }

    /// The sort of a variable.
    pub fn var_sort(&self, var: VarId) -> Sort {
        self.inner.borrow().vars[var.0 as usize].sort
    }

    /// How many functions there are.
    pub fn function_count(&self) -> usize {
        self.inner.borrow().functions.len()
    }

    /// How many uninterpreted sorts there are.
    pub fn opaque_sort_count(&self) -> usize {
        self.inner.borrow().opaque_sorts.len()
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.inner.borrow().vars.len()
    }

    /// Declares (or finds) an uninterpreted function.
    pub fn function(&self, name: &str, arguments: &[Sort], result: Sort) -> FnId {
        let mut inner = self.inner.borrow_mut();
        if let Some(&id) = inner.function_ids.get(name) {
            let known = &inner.functions[id.0 as usize];
            assert!(known.arguments == arguments && known.result == result, "function {name} declared twice");
            return id;
        }
        let id = FnId(inner.functions.len() as u32);
        let name: Rc<str> = Rc::from(name);
        inner.functions.push(Function { name: name.clone(), arguments: arguments.to_vec(), result });
        inner.function_ids.insert(name, id);
        id
    }

    /// The name of a function.
    pub fn function_name(&self, function: FnId) -> Rc<str> {
        self.inner.borrow().functions[function.0 as usize].name.clone()
    }

    /// The argument sorts and the result sort of a function.
    pub fn function_sorts(&self, function: FnId) -> (Vec<Sort>, Sort) {
        let inner = self.inner.borrow();
        let found = &inner.functions[function.0 as usize];
        (found.arguments.clone(), found.result)
    }

    // ---- composite sorts

    /// The sort of arrays with this index and element sort.
    pub fn array_sort(&self, index: Sort, element: Sort) -> Sort {
        let mut inner = self.inner.borrow_mut();
        let next = ArraySortId(inner.array_sorts.len() as u32);
        let id = *inner.array_sort_ids.entry((index, element)).or_insert(next);
        if id == next {
            inner.array_sorts.push((index, element));
        }
        Sort::Array(id)
    }

    /// Index and element sort.
    pub fn array_sort_parts(&self, id: ArraySortId) -> (Sort, Sort) {
        self.inner.borrow().array_sorts[id.0 as usize]
    }

    /// The uninterpreted sort of this name; made if it is new.
    pub fn opaque_sort(&self, name: &str) -> Sort {
        let mut inner = self.inner.borrow_mut();
        if let Some(&id) = inner.opaque_ids.get(name) {
            return Sort::Opaque(id);
        }
        let id = OpaqueSortId(inner.opaque_sorts.len() as u32);
        let name: Rc<str> = Rc::from(name);
        inner.opaque_sorts.push(name.clone());
        inner.opaque_ids.insert(name, id);
        Sort::Opaque(id)
    }

    /// The name of an uninterpreted sort.
    pub fn opaque_sort_name(&self, id: OpaqueSortId) -> Rc<str> {
        self.inner.borrow().opaque_sorts[id.0 as usize].clone()
    }

    // ---- quantifiers

    /// Interns a quantifier's variables and triggers.
    pub fn quantifier_id(&self, quantifier: Quantifier) -> QuantifierId {
        let mut inner = self.inner.borrow_mut();
        let next = QuantifierId(inner.quantifiers.len() as u32);
        let quantifier = Rc::new(quantifier);
        let id = *inner.quantifier_ids.entry(quantifier.clone()).or_insert(next);
        if id == next {
            inner.quantifiers.push(quantifier);
        }
        id
    }

    /// A quantifier's variables and triggers.
    pub fn quantifier(&self, id: QuantifierId) -> Rc<Quantifier> {
        self.inner.borrow().quantifiers[id.0 as usize].clone()
    }
}

impl Inner {
    fn args(&self, node: &Node) -> Args {
        Args::from_slice(node.args_in(&self.spill))
    }

    fn add_var(&mut self, name: &str, sort: Sort) -> VarId {
        let id = VarId(self.vars.len() as u32);
        let name: Rc<str> = Rc::from(name);
        self.vars.push(NamedSort { name: name.clone(), sort });
        self.var_ids.insert(name, id);
        id
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
