//! Functions computed by their definitions, over the values of a model. A point that depends on others waits until they
//! are known; nothing recurses. Calls next to a false conjunct, or on the side of an if-then-else that is not taken,
//! are not evaluated: exactly the conditions that `recursion` considers prevent a call, so this terminates. Large
//! arguments may still take too long, and then there is no value.

use super::{Clause, Definitions};
use crate::eval::{Model, node_value};
use crate::op::Op;
use crate::store::{FnId, Term, TermStore, VarId};
use crate::value::Value;
use fathom_base::{FxMap, FxSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// The most points at which functions are computed.
const MOST_POINTS: usize = 5_000;
/// Integers with more bits are given up.
const MOST_BITS: u64 = 1 << 16;

type Point = (FnId, Vec<Value>);

/// The values that were needed so far: computed, or those of the model where no guard holds.
#[derive(Clone, Debug, Default)]
pub struct Points {
    known: FxMap<Point, Value>,
}

/// The result of evaluating a function at one point.
enum Look {
    Value(Value),
    Needs(Vec<Point>),
    Stuck,
}

impl Points {
    /// The points that were computed.
    pub fn known(&self) -> &FxMap<Point, Value> {
        &self.known
    }

    /// A function's value at a point.
    pub(crate) fn value(
        &mut self,
        definitions: &Definitions,
        store: &TermStore,
        model: &Model,
        function: FnId,
        args: &[Value],
    ) -> Option<Value> {
        let wanted: Point = (function, args.to_vec());
        let mut open = vec![wanted.clone()];
        while let Some(point) = open.last().cloned() {
            if self.known.contains_key(&point) {
                open.pop();
                continue;
            }
            if self.known.len() + open.len() > MOST_POINTS {
                return None;
            }
            match self.look(definitions, store, model, &point) {
                Look::Value(value) if is_large(&value) => return None,
                Look::Value(value) => {
                    self.known.insert(point, value);
                    open.pop();
                }
                Look::Needs(points) => open.extend(points),
                Look::Stuck => return None,
            }
        }
        self.known.get(&wanted).cloned()
    }

    fn look(&self, definitions: &Definitions, store: &TermStore, model: &Model, point: &Point) -> Look {
        let (function, args) = point;
        for clause in definitions.clauses.get(function).into_iter().flatten() {
            let mut body = Partial::new(self, definitions, store, model, clause, args);
            let mut applies = Some(true);
            for &unless in &clause.unless {
                match body.eval(unless).map(|value| value.is_true()) {
                    Some(true) => applies = Some(false),
                    Some(false) => {}
                    None => applies = applies.filter(|applies| !applies),
                }
            }
            match applies {
                Some(false) => {}
                Some(true) => return body.look(clause.body),
                // The guard mentions a function that is not defined in this group.
                None => {
                    let needs: Vec<Point> = clause.unless.iter().flat_map(|&unless| body.needs(unless)).collect();
                    return if needs.is_empty() { Look::Stuck } else { Look::Needs(needs) };
                }
            }
        }
        let given = model.functions.get(point).cloned();
        Look::Value(given.unwrap_or_else(|| Value::zero(store.function_sorts(*function).1, store)))
    }
}

fn is_large(value: &Value) -> bool {
    matches!(value, Value::Int(number) if number.bits() > MOST_BITS)
}

/// Terms of a clause at one point, as far as known points give them a value.
struct Partial<'a> {
    points: &'a Points,
    definitions: &'a Definitions,
    store: &'a TermStore,
    model: &'a Model,
    params: FxMap<VarId, Value>,
    memo: FxMap<Term, Option<Value>>,
}

impl<'a> Partial<'a> {
    fn new(
        points: &'a Points,
        definitions: &'a Definitions,
        store: &'a TermStore,
        model: &'a Model,
        clause: &Rc<Clause>,
        args: &[Value],
    ) -> Self {
        let params = clause.params.iter().copied().zip(args.iter().cloned()).collect();
        Partial { points, definitions, store, model, params, memo: FxMap::default() }
    }

    fn look(&mut self, body: Term) -> Look {
        if let Some(value) = self.eval(body) {
            return Look::Value(value);
        }
        let needs = self.needs(body);
        if needs.is_empty() { Look::Stuck } else { Look::Needs(needs) }
    }

    /// The value of a term if it doesn't depend on points that are not known yet.
    fn eval(&mut self, root: Term) -> Option<Value> {
        let mut stack: Vec<(Term, bool)> = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            let args = self.store.args(term);
            if !ready && !args.is_empty() {
                stack.push((term, true));
                stack.extend(args.iter().filter(|arg| !self.memo.contains_key(arg)).map(|&arg| (arg, false)));
                continue;
            }
            let value = self.node(term, &args);
            self.memo.insert(term, value);
        }
        self.memo[&root].clone()
    }

    fn node(&self, term: Term, args: &[Term]) -> Option<Value> {
        let op = self.store.op(term);
        let known: SmallVec<[Option<&Value>; 3]> = args.iter().map(|arg| self.memo[arg].as_ref()).collect();
        match op {
            Op::Var(var) => return Some(self.params.get(&var).cloned().unwrap_or_else(|| self.model.get(self.store, var))),
            Op::And if known.iter().flatten().any(|value| !value.is_true()) => return Some(Value::FALSE),
            Op::Or if known.iter().flatten().any(|value| value.is_true()) => return Some(Value::TRUE),
            Op::Ite => return known[if known[0]?.is_true() { 1 } else { 2 }].cloned(),
            _ => {}
        }
        let values: SmallVec<[Value; 3]> = known.into_iter().map(|value| value.cloned()).collect::<Option<_>>()?;
        match op {
            Op::Apply(function) if self.definitions.defines(function) => self.points.known.get(&(function, values.to_vec())).cloned(),
            _ => node_value(self.store, self.model, term, &values),
        }
    }

    /// The points that keep a term from having a value.
    fn needs(&self, root: Term) -> Vec<Point> {
        let mut found = Vec::new();
        let mut seen = FxSet::default();
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if !seen.insert(term) || self.memo.get(&term).is_none_or(|value| value.is_some()) {
                continue;
            }
            let args = self.store.args(term);
            let values: Option<Vec<Value>> = args.iter().map(|arg| self.memo.get(arg)?.clone()).collect();
            match (self.store.op(term), values) {
                (Op::Apply(function), Some(values)) if self.definitions.defines(function) => found.push((function, values)),
                (Op::Ite, _) => match self.memo.get(&args[0]) {
                    Some(Some(condition)) => open.push(args[if condition.is_true() { 1 } else { 2 }]),
                    _ => open.push(args[0]),
                },
                _ => open.extend(args),
            }
        }
        found
    }
}
