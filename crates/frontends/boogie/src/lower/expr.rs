//! Expressions to terms: a table filled children first, without recursion, so that nesting of any depth is fine. Bound
//! variables are variables of their own everywhere, so `let` and functions with bodies are plain substitutions.

use super::{Lowered, Lowerer, OldContext, Unsupported};
use crate::ast::{BinaryOp, UnaryOp};
use crate::source::Span;
use crate::typed::{Expr, ExprId, ExprKind, VarId, VarKind};
use fathom_ir as ir;
use fathom_term::{Op, Sort, Substitution, Term};

impl Lowerer<'_> {
    /// The term of an expression; `context` says what `old` means in it.
    pub(super) fn term(&mut self, root: ExprId, context: OldContext) -> Lowered<Term> {
        let mut stack = vec![(root, false, false)];
        while let Some((id, old, ready)) = stack.pop() {
            if self.exprs.contains_key(&(id, old)) {
                continue;
            }
            let typed = self.typed;
            let expr = typed.expr(id);
            let flat = self.flat_access(id);
            let below = flat.as_ref().map_or_else(|| children(&expr.kind), |access| access.children());
            let old_below = old || matches!(expr.kind, ExprKind::Old(_));
            if !ready && !below.is_empty() {
                stack.push((id, old, true));
                stack.extend(below.into_iter().map(|child| (child, old_below, false)));
                continue;
            }
            let term = match flat {
                Some(access) => self.flat_term(&access, old_below),
                None => self.combine(expr, old_below, context),
            };
            self.exprs.insert((id, old), term);
        }
        self.exprs[&(root, false)].clone()
    }

    fn flat_term(&self, access: &super::flat::FlatAccess, old: bool) -> Lowered<Term> {
        let get = |id: ExprId| self.exprs[&(id, old)].clone();
        let indices = access.indices.iter().map(|&id| get(id)).collect::<Lowered<Vec<Term>>>()?;
        let (map, index) = (get(access.map)?, self.flat_index(&indices).expect("a map has an index"));
        Ok(match access.value {
            Some(value) => self.store.store(map, index, get(value)?),
            None => self.store.select(map, index),
        })
    }

    /// The term of an expression whose children have theirs.
    fn combine(&mut self, expr: &Expr, old: bool, context: OldContext) -> Lowered<Term> {
        let store = self.store.clone();
        let span = expr.span;
        let get = |lowerer: &Self, id: ExprId| lowerer.exprs[&(id, old)].clone();
        let all = |lowerer: &Self, ids: &[ExprId]| ids.iter().map(|&id| get(lowerer, id)).collect::<Lowered<Vec<Term>>>();
        match &expr.kind {
            ExprKind::Bool(value) => Ok(store.bool(*value)),
            ExprKind::Int(value) => Ok(self.integer(value)),
            ExprKind::Real(decimal) => self.real(decimal, span),
            ExprKind::BitVec { value, width } => self.bit_vector(value, *width, span),
            ExprKind::Float(literal) => self.float(literal, expr.ty, span),
            ExprKind::Rounding(mode) => Ok(self.rounding(*mode)),
            ExprKind::Str(text) => {
                // The same string may be written in several ways with these.
                if text.contains("\\u") || text.contains("\\x") {
                    return unsupported("an escape in a string", span);
                }
                let sort = self.sort(expr.ty, span)?;
                Ok(self.string(text, sort))
            }
            ExprKind::Var(var) if old && self.typed.var(*var).kind == VarKind::Global => self.old_value(*var, context, span),
            ExprKind::Var(var) => self.variable(*var, span),
            ExprKind::Call { function, args, .. } => {
                let args = all(self, args)?;
                self.apply_function(*function, &args, span)
            }
            ExprKind::Unary(op, a) => {
                let a = get(self, *a)?;
                self.unary(*op, a, span)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (get(self, *a)?, get(self, *b)?);
                self.binary(*op, a, b, span)
            }
            ExprKind::Ite(condition, then, otherwise) => Ok(store.ite(get(self, *condition)?, get(self, *then)?, get(self, *otherwise)?)),
            ExprKind::Old(inner) => get(self, *inner),
            ExprKind::ToInt(inner) => {
                let inner = get(self, *inner)?;
                match store.sort(inner) {
                    Sort::Int => Ok(inner),
                    Sort::Real => Ok(store.build(Op::RealToInt, &[inner])),
                    _ => unsupported("this conversion to int", span),
                }
            }
            ExprKind::ToReal(inner) => {
                let inner = get(self, *inner)?;
                match store.sort(inner) {
                    Sort::Real => Ok(inner),
                    Sort::Int => Ok(store.build(Op::IntToReal, &[inner])),
                    _ => unsupported("this conversion to real", span),
                }
            }
            ExprKind::Select { map, args, .. } => {
                let (map, args) = (get(self, *map)?, all(self, args)?);
                Ok(args.into_iter().fold(map, |map, index| store.select(map, index)))
            }
            ExprKind::Store { map, args, value, .. } => {
                let (map, args, value) = (get(self, *map)?, all(self, args)?, get(self, *value)?);
                Ok(self.updated(map, &args, value))
            }
            ExprKind::Extract { high, low, .. } if high <= low => unsupported("bit-vectors of width 0", span),
            ExprKind::Extract { value, high, low } => Ok(store.extract(get(self, *value)?, high - 1, *low)),
            // Monomorphisation has made other things of datatypes.
            ExprKind::Is { .. } | ExprKind::Field { .. } | ExprKind::FieldUpdate { .. } => unsupported("datatypes", span),
            ExprKind::Quantifier { forall, vars, triggers, body, .. } => {
                let body = get(self, *body)?;
                let triggers = triggers.iter().filter(|trigger| trigger.positive);
                let triggers: Vec<Vec<Term>> = triggers.filter_map(|trigger| all(self, &trigger.terms).ok()).collect();
                self.quantified(*forall, vars, triggers, body, span)
            }
            ExprKind::Lambda { vars, body, .. } => {
                let body = get(self, *body)?;
                self.lambda(vars, body, span)
            }
            ExprKind::Let { vars, values, body } => {
                let (values, body) = (all(self, values)?, get(self, *body)?);
                let mut pairs = Vec::new();
                for (&var, value) in vars.iter().zip(values) {
                    let term = self.variable(var, span)?;
                    pairs.extend(store.as_var(term).map(|id| (id, value)));
                }
                Ok(Substitution::new(pairs).apply(&store, body))
            }
            ExprKind::Code(code) => self.code(code, old, context, span),
            ExprKind::Unsupported(what) => unsupported(what, span),
        }
    }

    /// `map[args := value]`: inner maps are read, changed and put back.
    fn updated(&self, map: Term, args: &[Term], value: Term) -> Term {
        let store = &self.store;
        let Some((&last, outer)) = args.split_last() else { return value };
        let mut inner = vec![map];
        for &index in outer {
            inner.push(store.select(*inner.last().unwrap_or(&map), index));
        }
        let mut result = store.store(*inner.last().unwrap_or(&map), last, value);
        for (&index, &map) in outer.iter().zip(&inner).rev() {
            result = store.store(map, index, result);
        }
        result
    }

    /// The term of a variable; constants and globals become variables of the program when they are first mentioned.
    pub(super) fn variable(&mut self, var: VarId, span: Span) -> Lowered<Term> {
        if let Some(&known) = self.vars.get(&var) {
            return Ok(known);
        }
        let declared = self.typed.var(var);
        let sort = self.sort(declared.ty, span)?;
        let (id, term) = self.new_var(&declared.name, sort);
        self.vars.insert(var, term);
        if matches!(declared.kind, VarKind::Constant { .. } | VarKind::Global) {
            self.globals.push(ir::Variable { id, name: declared.name.to_string(), sort });
            self.mentioned.push(var);
            self.used.vars.insert(var);
        }
        if declared.kind != VarKind::Bound {
            self.use_type(declared.ty);
        }
        Ok(term)
    }

    /// The value that a global had at the entry.
    fn old_value(&mut self, var: VarId, context: OldContext, span: Span) -> Lowered<Term> {
        if context == OldContext::Nothing {
            return unsupported("old outside of a procedure", span);
        }
        // The global itself is mentioned, too: its value is copied into the snapshot.
        let now = self.variable(var, span)?;
        if let Some(&known) = self.olds.get(&(context, var)) {
            return Ok(known);
        }
        let name = format!("old({})", self.typed.var(var).name);
        let (_, term) = self.new_var(&name, self.store.sort(now));
        self.olds.insert((context, var), term);
        Ok(term)
    }

    fn unary(&self, op: UnaryOp, a: Term, span: Span) -> Lowered<Term> {
        let store = &self.store;
        match (op, store.sort(a)) {
            (UnaryOp::Not, _) => Ok(store.not(a)),
            (UnaryOp::Neg, Sort::Int) => Ok(store.build(Op::IntNeg, &[a])),
            (UnaryOp::Neg, Sort::Real) => Ok(store.build(Op::RealNeg, &[a])),
            (UnaryOp::Neg, Sort::Float(_)) => Ok(store.build(Op::FpNeg, &[a])),
            (UnaryOp::Neg, _) => unsupported("this negation", span),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Term, b: Term, span: Span) -> Lowered<Term> {
        let store = self.store.clone();
        Ok(match op {
            // On floats it is identity: IEEE's equality is the function with {:builtin "fp.eq"}.
            BinaryOp::Iff | BinaryOp::Eq => store.eq(a, b),
            BinaryOp::Implies => store.implies(a, b),
            BinaryOp::And => store.and(a, b),
            BinaryOp::Or => store.or(a, b),
            BinaryOp::Ne => store.ne(a, b),
            BinaryOp::Concat => store.concat(a, b),
            BinaryOp::Below => self.below(a, b),
            _ => return self.arithmetic(op, a, b, span),
        })
    }

    /// Notes that values of an uninterpreted type occur.
    pub(super) fn use_type(&mut self, ty: crate::typed::TypeId) {
        super::symbols::add_ctors(&self.typed.types, ty, &mut self.used.ctors);
    }
}

pub(super) fn unsupported<T>(what: &str, span: Span) -> Lowered<T> {
    Err(Unsupported { what: what.to_string(), span })
}

/// The expressions directly below.
pub(super) fn children(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::BitVec { .. }
        | ExprKind::Float(_)
        | ExprKind::Rounding(_)
        | ExprKind::Str(_)
        | ExprKind::Var(_)
        | ExprKind::Unsupported(_) => Vec::new(),
        ExprKind::Call { args, .. } => args.clone(),
        ExprKind::Unary(_, a) | ExprKind::Old(a) | ExprKind::ToInt(a) | ExprKind::ToReal(a) => vec![*a],
        ExprKind::Binary(_, a, b) => vec![*a, *b],
        ExprKind::Ite(a, b, c) => vec![*a, *b, *c],
        ExprKind::Select { map, args, .. } => std::iter::once(*map).chain(args.iter().copied()).collect(),
        ExprKind::Store { map, args, value, .. } => [*map, *value].into_iter().chain(args.iter().copied()).collect(),
        ExprKind::Extract { value, .. } | ExprKind::Is { value, .. } | ExprKind::Field { value, .. } => vec![*value],
        ExprKind::FieldUpdate { value, to, .. } => vec![*value, *to],
        ExprKind::Quantifier { triggers, body, .. } => {
            let terms = triggers.iter().filter(|trigger| trigger.positive).flat_map(|trigger| trigger.terms.iter().copied());
            terms.chain([*body]).collect()
        }
        ExprKind::Lambda { body, .. } => vec![*body],
        ExprKind::Code(code) => code.exprs(),
        ExprKind::Let { values, body, .. } => values.iter().copied().chain([*body]).collect(),
    }
}
