//! Statements that don't jump: assertions, assignments, havoc and calls.

use super::Checker;
use crate::ast::{self, StmtKind as Ast};
use crate::source::Span;
use crate::typed::*;
use fathom_base::FxSet;

impl Checker<'_> {
    /// A statement that doesn't jump; sometimes it takes two to say it.
    pub(super) fn simple_statement(&mut self, stmt: &ast::Stmt) -> Vec<Stmt> {
        let kinds = match &stmt.kind {
            Ast::Assert(condition) => {
                vec![StmtKind::Assert(AssertKind::Assert, self.condition(*condition, "an asserted expression"))]
            }
            Ast::Assume(condition) => vec![StmtKind::Assume(self.condition(*condition, "an assumed expression"))],
            Ast::Assign { targets, values } => vec![self.assign(targets, values, stmt.span)],
            Ast::Unpack { constructor, vars, value } => self.unpack(constructor, vars, *value, stmt.span),
            Ast::Havoc(names) => {
                let vars = names.iter().filter_map(|name| self.assigned(name)).collect();
                vec![StmtKind::Havoc(vars)]
            }
            Ast::Call(call) => self.call(call, stmt.span).into_iter().collect(),
            Ast::Hint { args, .. } => {
                args.iter().for_each(|arg| {
                    self.root(*arg, None);
                });
                Vec::new()
            }
            Ast::Concurrent { what, .. } => vec![StmtKind::Unsupported(what.clone())],
            _ => Vec::new(),
        };
        let attributes = match &stmt.kind {
            Ast::Call(call) => self.attributes(&call.attributes),
            _ => self.attributes(&stmt.attributes),
        };
        kinds.into_iter().map(|kind| Stmt { kind, attributes: attributes.clone(), span: stmt.span }).collect()
    }

    /// A variable that a statement changes.
    fn assigned(&mut self, name: &ast::Ident) -> Option<VarId> {
        let Some(var) = self.lookup(&name.name) else {
            self.error(name.span, format!("undeclared identifier: {}", name.name));
            return None;
        };
        if matches!(self.out.var(var).kind, VarKind::Constant { .. } | VarKind::In | VarKind::Bound | VarKind::Let) {
            self.error(name.span, format!("command assigns to an immutable variable: {}", name.name));
        }
        Some(var)
    }

    fn assign(&mut self, targets: &[ast::Target], values: &[ast::ExprId], span: Span) -> StmtKind {
        let root = self.begin_root();
        if targets.len() != values.len() {
            self.error(span, "number of left-hand sides does not match number of right-hand sides");
        }
        let mut vars = Vec::new();
        let mut new_values = Vec::new();
        let mut seen = FxSet::default();
        for (target, value) in targets.iter().zip(values) {
            let Some(var) = self.assigned(&target.name) else {
                self.expr(*value);
                continue;
            };
            if !seen.insert(var) {
                self.error(target.name.span, format!("variable {} is assigned more than once in parallel assignment", target.name.name));
            }
            vars.push(var);
            let value = self.assigned_value(var, target, *value);
            self.check_assumption(var, value, span);
            new_values.push(value);
        }
        self.end_root(root);
        StmtKind::Assign { targets: vars, values: new_values }
    }

    /// A variable marked {:assumption} is assigned once, and only gets stronger.
    fn check_assumption(&mut self, var: VarId, value: ExprId, span: Span) {
        if self.out.var(var).kind != VarKind::Local || !self.out.var(var).attributes.flag("assumption") {
            return;
        }
        let is_conjunct = match self.out.expr(value).kind {
            ExprKind::Binary(ast::BinaryOp::And, left, _) => {
                matches!(self.out.expr(left).kind, ExprKind::Var(first) if first == var)
            }
            _ => false,
        };
        let name = self.out.var(var).name.clone();
        if !is_conjunct {
            self.error(span, format!("the right-hand side of an assignment to assumption variable {name} must be {name} && …"));
        } else if !self.assumptions.insert(var) {
            self.error(span, "assumption variable may not be assigned to more than once");
        }
    }

    /// The new value of the whole variable: `m[i][j] := e` gives `m` the value `m[i := m[i][j := e]]`.
    fn assigned_value(&mut self, var: VarId, target: &ast::Target, value: ast::ExprId) -> ExprId {
        let ty = self.out.var(var).ty;
        let mut places = vec![self.node(ExprKind::Var(var), ty, target.name.span)];
        let mut indices = Vec::new();
        for (at, step) in target.path.iter().enumerate() {
            let last = at + 1 == target.path.len();
            let place = *places.last().expect("the variable itself");
            match step {
                ast::Step::Index(args, span) => {
                    let args = self.exprs(args);
                    if !last {
                        places.push(self.select_typed(place, args.clone(), *span));
                    }
                    indices.push(args);
                }
                ast::Step::Field(field) => {
                    if !last {
                        places.push(self.field(place, field, field.span));
                    }
                    indices.push(Vec::new());
                }
            }
        }
        let mut value = self.expr(value);
        if target.path.is_empty() {
            let found = self.out.type_of(value);
            if !self.unify(found, ty) {
                let message = format!("mismatched types in assignment command (cannot assign {} to {})", self.show(found), self.show(ty));
                self.error(target.name.span.to(self.out.expr(value).span), message);
            }
            return value;
        }
        for (at, step) in target.path.iter().enumerate().rev() {
            let span = self.out.expr(value).span;
            value = match step {
                ast::Step::Index(_, at_span) => {
                    self.store_typed(places[at], std::mem::take(&mut indices[at]), value, target.name.span.to(*at_span))
                }
                ast::Step::Field(field) => self.field_update(places[at], field, value, target.name.span.to(span)),
            };
        }
        value
    }

    /// `C(x, y) := e`: `e` must be built by `C`, and its fields go to the variables.
    fn unpack(&mut self, constructor: &ast::Ident, vars: &[ast::Ident], value: ast::ExprId, span: Span) -> Vec<StmtKind> {
        let root = self.begin_root();
        let value = self.expr(value);
        let ty = self.out.type_of(value);
        let found = self.functions.get(&constructor.name).map(|f| self.out.function(*f).clone());
        let Some(Function { kind: FunctionKind::Constructor { ctor, index }, result, type_params, .. }) = found else {
            self.error(constructor.span, "left side of unpack command must be a constructor application");
            self.end_root(root);
            return Vec::new();
        };
        let unknowns: Vec<TypeId> = type_params.iter().map(|_| self.unknown(span)).collect();
        let expected = self.out.types.substitute(result, &type_params, &unknowns);
        if !self.unify(ty, expected) {
            let message = format!("mismatched types in assignment command (cannot assign {} to {})", self.show(ty), self.show(expected));
            self.error(span, message);
        }
        let fields = self.out.ctor(ctor).constructors[index as usize].fields.clone();
        if fields.len() != vars.len() {
            self.error(
                span,
                format!("wrong number of arguments to function: {} ({} instead of {})", constructor.name, vars.len(), fields.len()),
            );
        }
        let mut targets = Vec::new();
        let mut values = Vec::new();
        for (field, name) in fields.iter().zip(vars) {
            let Some(var) = self.assigned(name) else { continue };
            if targets.contains(&var) {
                self.error(name.span, format!("variable {} is assigned more than once in unpack command", name.name));
            }
            let part = self.field(value, &ast::Ident { name: field.name.clone(), span: name.span }, name.span);
            let var_ty = self.out.var(var).ty;
            self.expect_type(part, var_ty, "the variable's field");
            targets.push(var);
            values.push(part);
        }
        let test = self.node(ExprKind::Is { value, ctor, index }, crate::Types::BOOL, span);
        self.end_root(root);
        vec![StmtKind::Assert(AssertKind::Unpack, test), StmtKind::Assign { targets, values }]
    }

    fn call(&mut self, call: &ast::Call, span: Span) -> Option<StmtKind> {
        let root = self.begin_root();
        let args: Vec<Option<ExprId>> = call.args.iter().map(|arg| arg.map(|arg| self.expr(arg))).collect();
        let kind = self.call_typed(call, args, span);
        let unknowns = kind.as_ref().map(|(_, type_args)| type_args.clone()).unwrap_or_default();
        // The procedure's type arguments belong to no expression, so they are read off before inference ends.
        let solved = unknowns.into_iter().map(|ty| self.solved_or_int(ty)).collect();
        self.end_root(root);
        let (mut new, _) = kind?;
        new.type_args = solved;
        Some(StmtKind::Call(new))
    }

    fn call_typed(&mut self, call: &ast::Call, args: Vec<Option<ExprId>>, span: Span) -> Option<(Call, Vec<TypeId>)> {
        let name = &call.procedure;
        let Some(procedure) = self.procedures.get(&name.name).copied() else {
            self.error(name.span, format!("call to undeclared procedure: {}", name.name));
            return None;
        };
        if self.in_pure && !self.pure_procedures.contains(&procedure) {
            self.error(span, "pure procedure may only call a pure procedure");
        }
        let callee = self.out.procedure(procedure).clone();
        if callee.ins.len() != args.len() {
            self.error(span, format!("wrong number of arguments in call to {}: {}", name.name, args.len()));
            return None;
        }
        if callee.outs.len() != call.outs.len() {
            self.error(span, format!("wrong number of result variables in call to {}: {}", name.name, call.outs.len()));
            return None;
        }
        let type_args: Vec<TypeId> = callee.type_params.iter().map(|_| self.unknown(span)).collect();
        let formal = |checker: &mut Self, var: VarId| {
            let ty = checker.out.var(var).ty;
            checker.out.types.substitute(ty, &callee.type_params, &type_args)
        };
        for (at, (param, arg)) in callee.ins.iter().zip(&args).enumerate() {
            let ty = formal(self, *param);
            if let Some(arg) = arg {
                self.expect_argument(*arg, ty, at, &format!("call to {}", name.name));
            }
        }
        let mut outs: Vec<Option<VarId>> = Vec::new();
        for (at, (param, out)) in callee.outs.iter().zip(&call.outs).enumerate() {
            let ty = formal(self, *param);
            let Some(out) = out else {
                outs.push(None);
                continue;
            };
            let var = self.assigned(out)?;
            if outs.contains(&Some(var)) {
                self.error(out.span, format!("left-hand side of call command contains variable twice: {}", out.name));
            }
            let actual = self.out.var(var).ty;
            if !self.unify(actual, ty) {
                let message = format!(
                    "invalid type for out-parameter {at} in call to {}: {} (expected: {})",
                    name.name,
                    self.show(actual),
                    self.show(ty)
                );
                self.error(out.span, message);
            }
            outs.push(Some(var));
        }
        Some((Call { procedure, type_args: Vec::new(), args, outs, free: call.free, forall: call.forall }, type_args))
    }

    fn solved_or_int(&mut self, ty: TypeId) -> TypeId {
        let ty = self.solved(ty);
        if !self.out.types.parts(ty).infer {
            return ty;
        }
        self.out.types.rewrite(ty, &mut |types, leaf, _| {
            if let Type::Infer(_) = types.get(leaf) { crate::Types::INT } else { leaf }
        })
    }
}
