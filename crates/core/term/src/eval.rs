//! Models and evaluation. A variable without an entry is zero, which lets a model name only what a solver constrained.
//! An `Evaluator` remembers the value of every node it saw, so a state that keeps one pays for each new node once.

use crate::assignment::Assignment;
use crate::define::{Definitions, Points};
use crate::fold;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore, VarId};
use crate::value::Value;
use fathom_base::FxMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// Values of variables (and, for solvers that give them, of uninterpreted functions at the points they were asked).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Values of variables; those that are missing may have any value.
    pub values: Assignment,
    /// Values of uninterpreted functions, by function and arguments.
    pub functions: FxMap<(crate::store::FnId, Vec<Value>), Value>,
}

impl Model {
    /// The value of a variable; zero without an entry.
    pub fn get(&self, store: &TermStore, var: VarId) -> Value {
        match self.values.get(&var) {
            Some(value) => value.clone(),
            None => Value::zero(store.var_sort(var), store),
        }
    }
}

/// Evaluates terms under one model. Quantified terms have no value here, but functions that they define may be computed.
pub struct Evaluator {
    model: Model,
    definitions: Option<Rc<Definitions>>,
    points: RefCell<Points>,
    memo: RefCell<FxMap<Term, Option<Value>>>,
}

impl Evaluator {
    /// An evaluator under this model.
    pub fn new(model: Model) -> Self {
        Self { model, definitions: None, points: RefCell::default(), memo: RefCell::default() }
    }

    /// A function with a definition is computed by it; where the definition says nothing, the model's value is used.
    pub fn with_definitions(model: Model, definitions: Rc<Definitions>) -> Self {
        Self { definitions: Some(definitions), ..Self::new(model) }
    }

    /// The model with the values of defined functions as far as they were needed, and no others of them.
    pub fn computed_model(&self) -> Model {
        let mut model = self.model.clone();
        if let Some(definitions) = &self.definitions {
            model.functions.retain(|(function, _), _| !definitions.defines(*function));
            model.functions.extend(self.points.borrow().known().iter().map(|(point, value)| (point.clone(), value.clone())));
        }
        model
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Gives the model back.
    pub fn into_model(self) -> Model {
        self.model
    }

    /// The truth value of a condition; None if it depends on a quantifier, which cannot be evaluated.
    pub fn holds(&self, store: &TermStore, condition: Term) -> Option<bool> {
        match store.const_bool(condition) {
            Some(known) => Some(known),
            None => self.eval(store, condition).map(|value| value.is_true()),
        }
    }

    /// The value of a term; None if it depends on a quantifier.
    pub fn eval(&self, store: &TermStore, root: Term) -> Option<Value> {
        let mut memo = self.memo.borrow_mut();
        if let Some(known) = memo.get(&root) {
            return known.clone();
        }
        let mut stack: Vec<(Term, bool)> = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if memo.contains_key(&term) {
                continue;
            }
            let node = store.node(term);
            let value = match node.op {
                Op::Const(_) | Op::BigConst(_) => store.const_value(term),
                Op::Var(var) => Some(self.model.get(store, var)),
                Op::Forall(_) | Op::Exists(_) => None,
                // Reads of it were replaced; the map as a whole has no finite form.
                Op::Apply(function) if store.lambda(function).is_some() => None,
                _ => {
                    let args = store.args(term);
                    if !ready {
                        stack.push((term, true));
                        stack.extend(args.iter().filter(|arg| !memo.contains_key(arg)).map(|&arg| (arg, false)));
                        continue;
                    }
                    let values: Option<SmallVec<[Value; 3]>> = args.iter().map(|arg| memo[arg].clone()).collect();
                    values.and_then(|values| match (node.op, &self.definitions) {
                        (Op::Apply(function), Some(definitions)) if definitions.defines(function) => {
                            self.points.borrow_mut().value(definitions, store, &self.model, function, &values)
                        }
                        _ => node_value(store, &self.model, term, &values),
                    })
                }
            };
            memo.insert(term, value);
        }
        memo[&root].clone()
    }
}

/// The value of an operation on values, where there is nothing to be bound or defined.
pub(crate) fn node_value(store: &TermStore, model: &Model, term: Term, values: &[Value]) -> Option<Value> {
    let (node, args) = (store.node(term), store.args(term));
    match node.op {
        Op::Const(_) | Op::BigConst(_) => store.const_value(term),
        Op::Apply(function) => {
            let known = model.functions.get(&(function, values.to_vec())).cloned();
            // A function of a theory or of the C library has its value everywhere, known to us or not; any other may be zero.
            let known = known.or_else(|| store.computed_value(function, values));
            let is_open = store.theory_head(function).is_none() && !store.is_computed(function);
            known.or_else(|| is_open.then(|| Value::zero(node.sort, store)))
        }
        Op::Eq | Op::Select if store.involves_theory(store.sort(args[0])) => values_in_theory(node.op, values),
        Op::Eq if matches!(store.sort(args[0]), Sort::Array(_)) => {
            Some(Value::bool(values[0].same(&values[1], store.sort(args[0]), store)))
        }
        op => {
            let sorts: SmallVec<[_; 3]> = args.iter().map(|&arg| store.sort(arg)).collect();
            fold::general(op, node.sort, &sorts, values)
        }
    }
}

/// Elements of a theory's sort are identified by the text that a solver printed: equal texts are equal elements, different
/// texts may be equal elements, too.
fn values_in_theory(op: Op, values: &[Value]) -> Option<Value> {
    match (op, values) {
        (Op::Eq, [a, b]) if a == b => Some(Value::TRUE),
        (Op::Select, [Value::Array(array), index]) => array.entries.get(index).cloned(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_that_list_every_index_ignore_their_default() {
        let store = TermStore::new();
        let sort = store.array_sort(Sort::Bv(1), Sort::Bv(8));
        let value = |text: &str| crate::smtlib::read_value(&store, sort, text).unwrap();
        let a = store.var("a", sort);
        let b = store.var("b", sort);
        let mut model = Model::default();
        let head = "((as const (Array (_ BitVec 1) (_ BitVec 8)))";
        model.values.insert(store.as_var(a).unwrap(), value(&format!("{head} #x01)")));
        let listed = format!("(store (store {head} #x00) #b0 #x01) #b1 #x01)");
        model.values.insert(store.as_var(b).unwrap(), value(&listed));
        assert_eq!(Evaluator::new(model).holds(&store, store.eq(a, b)), Some(true));
        let mut model = Model::default();
        model.values.insert(store.as_var(a).unwrap(), value(&format!("{head} #x01)")));
        assert_eq!(Evaluator::new(model).holds(&store, store.eq(a, b)), Some(false));
    }

    #[test]
    fn deep_terms() {
        let store = TermStore::new();
        let x = store.var("x", Sort::Bv(32));
        let mut term = x;
        for _ in 0..100_000 {
            term = store.bv_add(store.build(Op::BvMul, &[term, x]), x);
        }
        let mut model = Model::default();
        model.values.insert(store.as_var(x).unwrap(), Value::Bits(1));
        assert_eq!(Evaluator::new(model).eval(&store, term), Some(Value::Bits(100_001)));
    }
}
