//! What functions mean: a built-in operation, a body to put in place of the call, or nothing but what axioms say. A
//! function with a body that isn't marked is equal to its body; unless it is recursive or a trigger names it, calls are
//! replaced by the body, which saves the solver a quantifier.
//!
//! Axioms `f(1, 0) == 0` about constants are also kept as tables: an application to constants, or to choices between
//! constants, is computed here. SMACK says `and` and `or` of flags that way.

use super::expr::{children, unsupported};
use super::{Definition, Lowered, Lowerer, OldContext};
use crate::ast::BinaryOp;
use crate::source::Span;
use crate::typed::{AttributeParam, BodyKind, ExprId, ExprKind, FunctionId, FunctionKind};
use fathom_base::FxSet;
use fathom_term::smtlib::Reader;
use fathom_term::{FnId, Op, Sort, Substitution, Term, VarId};
use std::rc::Rc;

#[derive(Clone)]
pub(super) enum Meaning {
    /// The body, in which arguments take the place of parameters.
    Macro {
        params: Vec<VarId>,
        body: Term,
    },
    Uninterpreted(FnId),
    /// An uninterpreted function without parameters.
    Constant(Term),
}

/// Floats with more bits of exponent may have so many digits as numbers that no memory holds them.
const MAX_NUMBER_EXPONENT: u16 = 15;

/// Combinations of arms of if-then-elses that a table is asked about.
const MAX_CASES: usize = 16;

/// A name with its indices as SMT-LIB writes them.
fn head_of(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let indexed = words.len() > 1 && words[1..].iter().all(|word| word.parse::<u32>().is_ok());
    if indexed && !name.starts_with('(') { format!("(_ {name})") } else { name.to_string() }
}

impl Lowerer<'_> {
    pub(super) fn apply_function(&mut self, function: FunctionId, args: &[Term], span: Span) -> Lowered<Term> {
        let typed = self.typed;
        let declared = typed.function(function);
        if let Some(name) = declared.builtin.as_deref().filter(|name| name.starts_with("str.") || *name == "int.to.str") {
            let result = self.sort(declared.result, span)?;
            if let Some(known) = self.string_function(name, args, result) {
                return Ok(known);
            }
        }
        let meaning = match self.functions.get(&function) {
            Some(known) => known.clone(),
            None => {
                let meaning = self.meaning(function, span);
                self.functions.insert(function, meaning.clone());
                meaning
            }
        };
        match meaning.map_err(|problem| super::Unsupported { span, ..problem })? {
            Meaning::Macro { params, body } => {
                let pairs = params.into_iter().zip(args.iter().copied());
                Ok(Substitution::new(pairs).apply(&self.store, body))
            }
            Meaning::Constant(term) => {
                self.use_function(function);
                Ok(term)
            }
            Meaning::Uninterpreted(id) => Ok(self.looked_up(id, args).unwrap_or_else(|| {
                self.use_function(function);
                self.store.apply(id, args)
            })),
        }
    }

    fn use_function(&mut self, function: FunctionId) {
        if self.used.functions.insert(function) {
            self.use_type(self.typed.function(function).result);
        }
    }

    fn meaning(&mut self, function: FunctionId, span: Span) -> Lowered<Meaning> {
        let typed = self.typed;
        let declared = typed.function(function);
        if let FunctionKind::Constructor { .. } = declared.kind {
            return unsupported("datatypes", span);
        }
        if let Some(builtin) = &declared.builtin {
            return self.builtin(function, &builtin.clone(), span);
        }
        if let Some(body) = self.inlined_body(function) {
            let defined = self.defined.get(&function).filter(|_| declared.body.is_none());
            let params = defined.map_or_else(|| declared.params.clone(), |definition| definition.params.clone());
            let params = self.bound(&params, span)?;
            let body = crate::deep(|| self.term(body, OldContext::Nothing))?;
            return Ok(Meaning::Macro { params, body });
        }
        let result = self.sort(declared.result, span)?;
        let params = self.bound(&declared.params, span)?;
        if params.is_empty() {
            let (id, term) = self.new_var(&declared.name, result);
            self.globals.push(fathom_ir::Variable { id, name: declared.name.to_string(), sort: result });
            return Ok(Meaning::Constant(term));
        }
        let sorts: Vec<Sort> = params.iter().map(|&var| self.store.var_sort(var)).collect();
        Ok(Meaning::Uninterpreted(self.named_function(function, &sorts, result)))
    }

    fn named_function(&mut self, function: FunctionId, sorts: &[Sort], result: Sort) -> FnId {
        let declared = self.typed.function(function);
        // Instances of one polymorphic function may share a name.
        let owner = *self.function_names.entry(declared.name.clone()).or_insert(function);
        let name = if owner == function { declared.name.to_string() } else { format!("{}@{}", declared.name, function.0) };
        self.function_like(name, sorts, result)
    }

    /// A function of this name, or nearly so: another lowering of the program may have given the name to another one.
    pub(super) fn function_like(&self, mut name: String, sorts: &[Sort], result: Sort) -> FnId {
        while self.store.find_function(&name).is_some_and(|known| self.store.function_sorts(known) != (sorts.to_vec(), result)) {
            name.push('\'');
        }
        self.store.function(&name, sorts, result)
    }

    /// The body that takes the place of calls, if the function is such a one.
    pub(super) fn inlined_body(&self, function: FunctionId) -> Option<ExprId> {
        if let Some(definition) = self.defined.get(&function) {
            return Some(definition.body);
        }
        let (kind, body) = self.typed.function(function).body.as_ref()?;
        let replaces = match kind {
            BodyKind::Inline | BodyKind::Define => true,
            BodyKind::Axiom => !self.is_recursive(function) && !self.is_in_trigger(function),
        };
        replaces.then_some(*body)
    }

    /// Whether the body leads back to the function.
    fn is_recursive(&self, function: FunctionId) -> bool {
        let mut seen = FxSet::default();
        let mut open = vec![function];
        while let Some(next) = open.pop() {
            let Some((_, body)) = &self.typed.function(next).body else { continue };
            let mut exprs = vec![*body];
            let mut visited = FxSet::default();
            while let Some(expr) = exprs.pop() {
                if !visited.insert(expr) {
                    continue;
                }
                let kind = &self.typed.expr(expr).kind;
                exprs.extend(children(kind));
                if let ExprKind::Call { function: called, .. } = kind {
                    if *called == function {
                        return true;
                    }
                    if seen.insert(*called) {
                        open.push(*called);
                    }
                }
            }
        }
        false
    }

    fn is_in_trigger(&self, function: FunctionId) -> bool {
        self.is_in_some_trigger(function, None)
    }

    /// Whether a trigger of another quantifier than this names the function.
    fn is_in_trigger_beside(&self, function: FunctionId, quantifier: ExprId) -> bool {
        self.is_in_some_trigger(function, Some(quantifier))
    }

    fn is_in_some_trigger(&self, function: FunctionId, beside: Option<ExprId>) -> bool {
        let exprs = self.typed.exprs.iter().enumerate();
        let others = exprs.filter(|(index, _)| beside.is_none_or(|beside| beside.index() != *index)).map(|(_, expr)| expr);
        others.into_iter().any(|expr| match &expr.kind {
            ExprKind::Quantifier { triggers, .. } => triggers.iter().flat_map(|trigger| &trigger.terms).any(|&term| {
                let mut open = vec![term];
                while let Some(term) = open.pop() {
                    let kind = &self.typed.expr(term).kind;
                    if matches!(kind, ExprKind::Call { function: called, .. } if *called == function) {
                        return true;
                    }
                    open.extend(children(kind));
                }
                false
            }),
            _ => false,
        })
    }

    /// The axiom that a function with a body stands for, unless calls are replaced.
    pub(super) fn definition(&mut self, function: FunctionId) -> Lowered<Option<Term>> {
        let declared = self.typed.function(function);
        let Some((_, body)) = declared.body.filter(|_| self.inlined_body(function).is_none()) else { return Ok(None) };
        let span = declared.span;
        let params = self.bound(&declared.params, span)?;
        let body = self.term(body, OldContext::Nothing)?;
        let args: Vec<Term> = params.iter().map(|&var| self.store.var_term(var)).collect();
        let call = self.apply_function(function, &args, span)?;
        Ok(Some(self.close(true, params, vec![vec![call]], self.store.eq(call, body))))
    }

    /// An operation of SMT-LIB by its name, such as `bvadd` or `zero_extend 24`.
    fn builtin(&mut self, function: FunctionId, name: &Rc<str>, span: Span) -> Lowered<Meaning> {
        let declared = self.typed.function(function);
        let store = self.store.clone();
        let result = self.sort(declared.result, span)?;
        let params = self.bound(&declared.params, span)?;
        let args: Vec<Term> = params.iter().map(|&var| store.var_term(var)).collect();
        let is = |sort: Sort| args.iter().all(|&arg| store.sort(arg) == sort);
        let is_huge = |&arg: &Term| matches!(store.sort(arg), Sort::Float(format) if format.exponent > MAX_NUMBER_EXPONENT);
        if args.iter().any(is_huge) && !matches!(result, Sort::Bool | Sort::Float(_)) {
            return unsupported("numbers from floats with so large exponents", span);
        }
        let body = match (&**name, args.as_slice()) {
            ("div", &[a, b]) if is(Sort::Int) => self.divided(Op::IntDiv, a, b),
            ("mod", &[a, b]) if is(Sort::Int) => self.divided(Op::IntMod, a, b),
            ("rem", &[a, b]) if is(Sort::Int) => self.remainder(a, b),
            ("/", &[a, b]) if is(Sort::Real) => self.divided(Op::RealDiv, a, b),
            ("MapConst", &[element]) if matches!(result, Sort::Array(_)) => store.const_array(result, element),
            (operation, args) if operation.starts_with("Map") => self.pointwise(operation, args, &params, result, span)?,
            _ => self.read_builtin(name, &args).unwrap_or_else(|| {
                // None of our operations: the solver knows it, or says that it doesn't.
                let sorts: Vec<Sort> = args.iter().map(|&arg| store.sort(arg)).collect();
                store.apply(store.theory_function(&head_of(name), &sorts, result), &args)
            }),
        };
        if store.sort(body) != result {
            return unsupported(&format!("the built-in function {name} with this result"), span);
        }
        Ok(Meaning::Macro { params, body })
    }

    /// The name may come with indices and with a rounding mode behind it.
    fn read_builtin(&self, name: &str, args: &[Term]) -> Option<Term> {
        let mut reader = Reader::new(&self.store).simplifying();
        let names: Vec<String> = (0..args.len()).map(|index| format!("arg{index}")).collect();
        for (name, &arg) in names.iter().zip(args) {
            reader.define(name, arg);
        }
        reader.term(&format!("({} {})", head_of(name), names.join(" "))).ok()
    }

    /// Finds axioms `forall x, y :: f(x, y) == body` where the body does without `f`. A function that is the body
    /// everywhere needs no axiom: calls are replaced by the body, and the solver is spared a quantifier.
    pub(super) fn read_definitions(&mut self) {
        let typed = self.typed;
        for (index, axiom) in typed.axioms.iter().enumerate() {
            let ExprKind::Quantifier { forall: true, vars, body, .. } = &typed.expr(axiom.body).kind else { continue };
            let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) = typed.expr(*body).kind else { continue };
            for (call, value) in [(left, right), (right, left)] {
                let ExprKind::Call { function, args, .. } = &typed.expr(call).kind else { continue };
                let names: Vec<_> = args
                    .iter()
                    .filter_map(|&arg| match typed.expr(arg).kind {
                        ExprKind::Var(var) if vars.contains(&var) => Some(var),
                        _ => None,
                    })
                    .collect();
                let all_once = names.len() == args.len() && names.len() == vars.len() && vars.iter().all(|var| names.contains(var));
                let declared = typed.function(*function);
                let open = declared.builtin.is_none() && declared.body.is_none() && declared.kind == FunctionKind::Plain;
                // Boogie's `==` of floats is not identity.
                let is_float = matches!(typed.types.get(declared.result), crate::typed::Type::Float { .. });
                if all_once
                    && open
                    && !is_float
                    && !self.defined.contains_key(function)
                    && !self.leads_to(value, *function)
                    && !self.is_in_trigger_beside(*function, axiom.body)
                {
                    self.defined.insert(*function, Definition { axiom: index, params: names, body: value });
                    break;
                }
            }
        }
    }

    /// Whether an expression calls a function, also through bodies that take the place of calls.
    fn leads_to(&self, root: ExprId, function: FunctionId) -> bool {
        let mut seen = FxSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = &self.typed.expr(id).kind;
            open.extend(children(kind));
            if let ExprKind::Call { function: called, .. } = kind {
                if *called == function {
                    return true;
                }
                open.extend(self.typed.function(*called).body.as_ref().map(|(_, body)| *body));
                open.extend(self.defined.get(called).map(|definition| definition.body));
            }
        }
        false
    }

    // ---- tables

    /// Collects `f(constants) == constant` from the axioms.
    pub(super) fn read_tables(&mut self) {
        let typed = self.typed;
        for axiom in &typed.axioms {
            let ExprKind::Binary(BinaryOp::Eq, left, right) = typed.expr(axiom.body).kind else { continue };
            let (call, value) = match (&typed.expr(left).kind, &typed.expr(right).kind) {
                (ExprKind::Call { .. }, _) => (left, right),
                (_, ExprKind::Call { .. }) => (right, left),
                _ => continue,
            };
            let ExprKind::Call { function, args, .. } = &typed.expr(call).kind else { continue };
            let declared = typed.function(*function);
            if declared.builtin.is_some() || declared.body.is_some() || declared.kind != FunctionKind::Plain {
                continue;
            }
            let args: Option<Vec<Term>> = args.iter().map(|&arg| self.literal(arg)).collect();
            let (Some(args), Some(value)) = (args, self.literal(value)) else { continue };
            if let Ok(Meaning::Uninterpreted(id)) = self.meaning(*function, declared.span) {
                self.tables.entry(id).or_default().insert(args, value);
            }
        }
    }

    fn literal(&mut self, id: ExprId) -> Option<Term> {
        match &self.typed.expr(id).kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::BitVec { .. } => self.term(id, OldContext::Nothing).ok(),
            ExprKind::Unary(crate::ast::UnaryOp::Neg, inner) if matches!(self.typed.expr(*inner).kind, ExprKind::Int(_)) => {
                self.term(id, OldContext::Nothing).ok()
            }
            _ => None,
        }
    }

    /// The value of an application that a table has for every combination of constants that the arguments may be.
    fn looked_up(&self, function: FnId, args: &[Term]) -> Option<Term> {
        let table = self.tables.get(&function).filter(|_| self.uses_tables)?;
        let mut cases: Vec<(Term, Vec<Term>)> = vec![(self.store.bool(true), Vec::new())];
        for &arg in args {
            let arms = self.constant_arms(arg)?;
            let next: Vec<_> = cases
                .iter()
                .flat_map(|(condition, chosen)| {
                    arms.iter().map(move |&(when, constant)| {
                        let chosen = chosen.iter().copied().chain([constant]).collect();
                        (self.store.and(*condition, when), chosen)
                    })
                })
                .collect();
            if next.len() > MAX_CASES {
                return None;
            }
            cases = next;
        }
        let (_, last) = cases.last()?;
        let mut result = *table.get(last)?;
        for (condition, chosen) in cases.iter().rev().skip(1) {
            result = self.store.ite(*condition, *table.get(chosen)?, result);
        }
        Some(result)
    }

    /// The constants that a term may be, and when: a constant, or an if-then-else between two.
    fn constant_arms(&self, term: Term) -> Option<Vec<(Term, Term)>> {
        let store = &self.store;
        if store.op(term).is_const() {
            return Some(vec![(store.bool(true), term)]);
        }
        if store.op(term) != Op::Ite {
            return None;
        }
        let (condition, then, otherwise) = (store.arg(term, 0), store.arg(term, 1), store.arg(term, 2));
        let constants = store.op(then).is_const() && store.op(otherwise).is_const();
        constants.then(|| vec![(condition, then), (store.not(condition), otherwise)])
    }

    /// `{:name "text", ...}`: strings and numbers of an attribute.
    pub(super) fn attribute_texts(params: &[AttributeParam]) -> Vec<String> {
        params
            .iter()
            .map(|param| match param {
                AttributeParam::Str(text) | AttributeParam::Text(text) => text.to_string(),
                AttributeParam::Int(number) => number.to_string(),
                AttributeParam::Bool(value) => value.to_string(),
                AttributeParam::Expr(_) => String::new(),
            })
            .collect()
    }
}
