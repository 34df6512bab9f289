//! Expressions of instances. An expression becomes as many as its type has components.

use super::{Env, Mono, Unsupported, note};
use crate::ast::BinaryOp;
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;

type Values = Vec<ExprId>;

impl Mono<'_> {
    pub(super) fn node(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.out.exprs.push(Expr { kind, ty, span });
        ExprId(self.out.exprs.len() as u32 - 1)
    }

    /// An expression of a type that has one component.
    pub(super) fn single(&mut self, id: ExprId, env: &Env) -> Result<ExprId, Unsupported> {
        Ok(self.translate_expr(id, env)?[0])
    }

    pub(super) fn flatten(&mut self, all: &[ExprId], env: &Env) -> Result<Values, Unsupported> {
        let mut out = Vec::new();
        for id in all {
            out.extend(self.translate_expr(*id, env)?);
        }
        Ok(out)
    }

    pub(super) fn translate_expr(&mut self, id: ExprId, env: &Env) -> Result<Values, Unsupported> {
        crate::deep(|| self.translate_step(id, env))
    }

    fn translate_step(&mut self, id: ExprId, env: &Env) -> Result<Values, Unsupported> {
        let src = self.src;
        let Expr { kind, ty, span } = src.expr(id);
        let span = *span;
        let ty = self.ground(*ty, env);
        // Only what hands its own truth on to its parts keeps the mark of a fact.
        let plain = if env.fact { &Env { fact: false, ..env.clone() } } else { env };
        let kind = match kind {
            ExprKind::Var(var) => return self.variable(*var, env, span),
            ExprKind::Call { function, type_args, args } => {
                return self.call(*function, type_args, args, ty, plain, span);
            }
            // What has no bits has no components, and adds nothing.
            ExprKind::BitVec { width: 0, .. } => return Ok(Vec::new()),
            ExprKind::Extract { high, low, .. } if high <= low => return Ok(Vec::new()),
            ExprKind::Binary(BinaryOp::Concat, a, b) if self.is_empty(*a, env) => return self.translate_expr(*b, plain),
            ExprKind::Binary(BinaryOp::Concat, a, b) if self.is_empty(*b, env) => return self.translate_expr(*a, plain),
            ExprKind::Binary(op, a, b) => return Ok(vec![self.binary(*op, *a, *b, ty, env, plain, span)?]),
            ExprKind::Quantifier { .. } => return Ok(vec![self.quantifier(id, env)?]),
            ExprKind::Ite(condition, then, otherwise) => {
                let condition = self.single(*condition, plain)?;
                let then = self.translate_expr(*then, plain)?;
                let otherwise = self.translate_expr(*otherwise, plain)?;
                let parts: Vec<_> = then.into_iter().zip(otherwise).collect();
                return Ok(parts.into_iter().map(|(a, b)| self.node(ExprKind::Ite(condition, a, b), self.out.type_of(a), span)).collect());
            }
            ExprKind::Old(value) => {
                let values = self.translate_expr(*value, plain)?;
                return Ok(values.into_iter().map(|value| self.node(ExprKind::Old(value), self.out.type_of(value), span)).collect());
            }
            ExprKind::Select { map, type_args, args } => return self.select(*map, type_args, args, ty, plain, span),
            ExprKind::Store { map, type_args, args, value } => {
                return self.store(*map, type_args, args, *value, plain, span);
            }
            ExprKind::Lambda { .. } => return self.lambda(id, ty, plain),
            ExprKind::Let { vars, values, body } => {
                let values = self.flatten(values, plain)?;
                let mut inner = plain.clone();
                let vars = self.bind(vars, &mut inner)?;
                let bodies = self.translate_expr(*body, &inner)?;
                let make =
                    |body| self.node(ExprKind::Let { vars: vars.clone(), values: values.clone(), body }, self.out.type_of(body), span);
                return Ok(bodies.into_iter().map(make).collect());
            }
            ExprKind::Is { value, ctor, index } => {
                return Ok(vec![self.is_made_by(*value, *ctor, *index, plain, span)?]);
            }
            ExprKind::Field { value, ctor, field } => return self.field(*value, *ctor, field, plain, span),
            ExprKind::FieldUpdate { value, ctor, field, to } => {
                return self.field_update(*value, *ctor, field, *to, plain, span);
            }
            ExprKind::Unary(op, value) => ExprKind::Unary(*op, self.single(*value, plain)?),
            ExprKind::ToInt(value) => ExprKind::ToInt(self.single(*value, plain)?),
            ExprKind::ToReal(value) => ExprKind::ToReal(self.single(*value, plain)?),
            ExprKind::Extract { value, high, low } => ExprKind::Extract { value: self.single(*value, plain)?, high: *high, low: *low },
            ExprKind::Code(code) => {
                let mut inner = plain.clone();
                let locals = self.bind(&code.locals, &mut inner)?;
                self.where_clauses(&code.locals, &inner)?;
                let blocks = self.blocks(&code.blocks, &inner)?;
                ExprKind::Code(std::rc::Rc::new(Code { locals, blocks }))
            }
            ExprKind::Unsupported(what) => return self.placeholder(what, ty, span),
            literal => literal.clone(),
        };
        let ty = self.components(ty, span)?[0].ty;
        Ok(vec![self.node(kind, ty, span)])
    }

    /// Whether an expression is a bit-vector without bits.
    fn is_empty(&mut self, id: ExprId, env: &Env) -> bool {
        let ty = self.ground(self.src.type_of(id), env);
        *self.types.get(ty) == Type::BitVec(0)
    }

    /// Something that can't be said, for each component of its type.
    fn placeholder(&mut self, what: &str, ty: TypeId, span: Span) -> Result<Values, Unsupported> {
        let parts = self.components(ty, span)?;
        Ok(parts.iter().map(|part| self.node(ExprKind::Unsupported(what.into()), part.ty, span)).collect())
    }

    fn variable(&mut self, var: VarId, env: &Env, span: Span) -> Result<Values, Unsupported> {
        let parts = env.vars.get(&var).or_else(|| self.globals.get(&var)).cloned();
        let Some(parts) = parts else {
            return Err(Unsupported { what: format!("use of {} in its own declaration", self.src.var(var).name), span });
        };
        Ok(parts.into_iter().map(|var| self.node(ExprKind::Var(var), self.out.var(var).ty, span)).collect())
    }

    fn call(
        &mut self,
        function: FunctionId,
        type_args: &[TypeId],
        args: &[ExprId],
        ty: TypeId,
        env: &Env,
        span: Span,
    ) -> Result<Values, Unsupported> {
        let type_args = self.ground_all(type_args, env);
        let args = self.flatten(args, env)?;
        if let FunctionKind::Constructor { ctor, index } = self.src.function(function).kind {
            if !type_args.is_empty() {
                note(&mut self.found.functions, function, &type_args);
            }
            return self.construct(ctor, index, &type_args, args, span);
        }
        let functions = self.function(function, &type_args, span)?;
        let parts = self.components(ty, span)?;
        let calls = functions.into_iter().zip(parts.iter());
        Ok(calls
            .map(|(function, part)| self.node(ExprKind::Call { function, type_args: Vec::new(), args: args.clone() }, part.ty, span))
            .collect())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one expression, named by the parameters")]
    fn binary(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        ty: TypeId,
        env: &Env,
        plain: &Env,
        span: Span,
    ) -> Result<ExprId, Unsupported> {
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            return self.equality(op, a, b, plain, span);
        }
        let both_facts = matches!(op, BinaryOp::And | BinaryOp::Or);
        let left = self.single(a, if both_facts { env } else { plain })?;
        let right = self.single(b, if both_facts || op == BinaryOp::Implies { env } else { plain })?;
        let ty = self.components(ty, span)?[0].ty;
        Ok(self.node(ExprKind::Binary(op, left, right), ty, span))
    }

    /// Equal in every component. Values of different types are different.
    fn equality(&mut self, op: BinaryOp, a: ExprId, b: ExprId, env: &Env, span: Span) -> Result<ExprId, Unsupported> {
        let (left, right) = (self.ground(self.src.type_of(a), env), self.ground(self.src.type_of(b), env));
        if left != right {
            return Ok(self.node(ExprKind::Bool(op == BinaryOp::Ne), Types::BOOL, span));
        }
        let (left, right) = (self.translate_expr(a, env)?, self.translate_expr(b, env)?);
        let join = if op == BinaryOp::Eq { BinaryOp::And } else { BinaryOp::Or };
        let mut all = None;
        for (x, y) in left.into_iter().zip(right) {
            let one = self.node(ExprKind::Binary(op, x, y), Types::BOOL, span);
            all = Some(match all {
                None => one,
                Some(before) => self.node(ExprKind::Binary(join, before, one), Types::BOOL, span),
            });
        }
        // Values without components are all the same.
        Ok(all.unwrap_or_else(|| self.node(ExprKind::Bool(op == BinaryOp::Eq), Types::BOOL, span)))
    }

    fn select(
        &mut self,
        map: ExprId,
        type_args: &[TypeId],
        args: &[ExprId],
        ty: TypeId,
        env: &Env,
        span: Span,
    ) -> Result<Values, Unsupported> {
        let range = self.accessed(map, type_args, env, span)?;
        let maps = self.translate_expr(map, env)?;
        let args = self.flatten(args, env)?;
        let Some(range) = range else { return self.placeholder("map instance that is not known yet", ty, span) };
        let make = |map: &ExprId| {
            let ty = self.value_type(*map);
            self.node(ExprKind::Select { map: *map, type_args: Vec::new(), args: args.clone() }, ty, span)
        };
        Ok(maps[range].iter().map(make).collect())
    }

    fn value_type(&self, map: ExprId) -> TypeId {
        match self.out.types.get(self.out.type_of(map)) {
            Type::Map { result, .. } => *result,
            _ => unreachable!("components of a map are maps"),
        }
    }

    fn store(
        &mut self,
        map: ExprId,
        type_args: &[TypeId],
        args: &[ExprId],
        value: ExprId,
        env: &Env,
        span: Span,
    ) -> Result<Values, Unsupported> {
        let range = self.accessed(map, type_args, env, span)?;
        let mut maps = self.translate_expr(map, env)?;
        let args = self.flatten(args, env)?;
        let values = self.translate_expr(value, env)?;
        let Some(range) = range else { return Ok(maps) };
        for (at, value) in range.zip(values) {
            let ty = self.out.type_of(maps[at]);
            maps[at] = self.node(ExprKind::Store { map: maps[at], type_args: Vec::new(), args: args.clone(), value }, ty, span);
        }
        Ok(maps)
    }

    /// The components of a map that an access concerns.
    fn accessed(
        &mut self,
        map: ExprId,
        type_args: &[TypeId],
        env: &Env,
        span: Span,
    ) -> Result<Option<std::ops::Range<usize>>, Unsupported> {
        let ty = self.ground(self.src.type_of(map), env);
        if type_args.is_empty() {
            return Ok(Some(0..self.components(ty, span)?.len()));
        }
        let instance = self.ground_all(type_args, env);
        self.instance_range(ty, &instance, span)
    }

    /// One lambda for each component; a polymorphic one has one more, for the types that don't occur.
    fn lambda(&mut self, id: ExprId, ty: TypeId, env: &Env) -> Result<Values, Unsupported> {
        let src = self.src;
        let Expr { kind: ExprKind::Lambda { type_params, vars, body }, span, .. } = src.expr(id) else {
            unreachable!("the caller saw a lambda")
        };
        let parts = self.components(ty, *span)?;
        let instances = if type_params.is_empty() { vec![Vec::new()] } else { self.known.maps.get(&ty).cloned().unwrap_or_default() };
        let order = self.binding_order(type_params, vars, *body);
        let mut all: Values = Vec::new();
        for instance in &instances {
            let env = env.with(&order, instance);
            let count = {
                let result = self.ground(src.type_of(*body), &env);
                self.components(result, *span)?.len()
            };
            for part in 0..count {
                // Variables of its own for each lambda.
                let mut inner = env.clone();
                let vars = self.bind(vars, &mut inner)?;
                let body = self.translate_expr(*body, &inner)?[part];
                let ty = parts[all.len()].ty;
                all.push(self.node(ExprKind::Lambda { type_params: Vec::new(), vars, body }, ty, *span));
            }
        }
        if let Some(rest) = parts.get(all.len()) {
            all.push(self.rest_of_lambda(id, rest.ty, env, *span)?);
        }
        Ok(all)
    }

    /// A polymorphic lambda at types that don't occur: nothing is known of it but that its variables determine it. The
    /// same text with the same variables is the same lambda.
    fn rest_of_lambda(&mut self, id: ExprId, ty: TypeId, env: &Env, span: Span) -> Result<ExprId, Unsupported> {
        let src = self.src;
        let mut used = Vec::new();
        let mut bound: fathom_base::FxSet<VarId> = fathom_base::FxSet::default();
        src.visit(id, |part| match &src.expr(part).kind {
            ExprKind::Var(var) => used.push((part, *var)),
            ExprKind::Quantifier { vars, .. } | ExprKind::Lambda { vars, .. } | ExprKind::Let { vars, .. } => bound.extend(vars),
            _ => {}
        });
        used.sort();
        let mut free: Vec<VarId> = Vec::new();
        for (_, var) in used {
            if !bound.contains(&var) && !free.contains(&var) {
                free.push(var);
            }
        }
        let mut args = Vec::new();
        for var in free {
            args.extend(self.variable(var, env, span)?);
        }
        let types: Vec<TypeId> = args.iter().map(|arg| self.out.type_of(*arg)).collect();
        let text: Vec<&str> = src.sources.slice(span).split_whitespace().collect();
        let key = (text.join(" "), ty, types.clone(), env.type_args.clone());
        let function = match self.lambdas.get(&key) {
            Some(known) => *known,
            None => {
                let name = format!("lambda {} at other types", self.lambdas.len());
                let function = self.new_function(name, &types, ty, span);
                self.lambdas.insert(key, function);
                function
            }
        };
        Ok(self.apply(function, args, span))
    }

    /// A lambda's type parameters in the order in which its type counts them.
    fn binding_order(&mut self, type_params: &[TypeVarId], vars: &[VarId], body: ExprId) -> Vec<TypeVarId> {
        let mut types: Vec<TypeId> = vars.iter().map(|var| self.src.var(*var).ty).collect();
        types.push(self.src.type_of(body));
        let mut order = Vec::new();
        for ty in types {
            let found = self.types.variables(ty);
            order.extend(found.into_iter().filter(|var| type_params.contains(var) && !order.contains(var)).collect::<Vec<_>>());
        }
        order
    }
}
