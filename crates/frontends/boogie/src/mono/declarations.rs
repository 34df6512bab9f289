//! Declarations of instances: everything without type parameters once, everything else as often as it is used.

use super::{Env, Mono, Unsupported, note};
use crate::ast::BinaryOp;
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;

impl Mono<'_> {
    pub(super) fn translate(&mut self) -> Result<(), Unsupported> {
        let src = self.src;
        self.out.unsupported = src.unsupported.clone();
        for (at, ctor) in src.ctors.iter().enumerate() {
            if ctor.arity == 0 && !self.is_record(CtorId(at as u32)) {
                self.ctor(CtorId(at as u32), &[], ctor.span)?;
            }
        }
        for var in src.constants.iter().chain(&src.globals) {
            let parts = self.copy_var(*var, &Env::default())?;
            self.globals.insert(*var, parts.clone());
            let list = if src.var(*var).kind == VarKind::Global { &mut self.out.globals } else { &mut self.out.constants };
            list.extend(parts);
        }
        for var in src.constants.iter().chain(&src.globals) {
            self.where_clause(*var, &Env::default())?;
        }
        self.unique_lists();
        for (at, function) in src.functions.iter().enumerate() {
            if function.type_params.is_empty() && function.kind == FunctionKind::Plain {
                self.function(FunctionId(at as u32), &[], function.span)?;
            }
        }
        for axiom in &src.axioms {
            let body = self.single(axiom.body, &Env { fact: true, ..Env::default() })?;
            let attributes = self.attributes(&axiom.attributes);
            self.out.axioms.push(Axiom { body, attributes, span: axiom.span });
        }
        for (at, procedure) in src.procedures.iter().enumerate() {
            // Bodies of polymorphic procedures are looked at for types that stay arbitrary.
            if procedure.type_params.is_empty() || !procedure.implementations.is_empty() {
                let args: Vec<TypeId> =
                    procedure.type_params.iter().map(|var| self.opaque(&format!("any {}", src.type_vars[var.index()]))).collect();
                let instance = self.procedure(ProcedureId(at as u32), &args, procedure.span)?;
                // This is the one that people mean by the procedure's name.
                self.out.procedures[instance.index()].name = procedure.name.clone();
            }
        }
        self.work_off()
    }

    /// Unique constants that are lists of components differ as lists, not in every component.
    fn unique_lists(&mut self) {
        let src = self.src;
        // A record of one field has one component, whose type has unique constants of its own.
        let is_list = |mono: &Self, var: VarId| {
            let record = matches!(mono.types.get(src.var(var).ty), Type::Ctor { ctor, .. } if mono.is_record(*ctor));
            record || mono.globals.get(&var).is_some_and(|parts| parts.len() > 1)
        };
        let unique = src.constants.iter().filter(|var| src.var(**var).kind == VarKind::Constant { unique: true });
        let lists: Vec<VarId> = unique.copied().filter(|var| is_list(self, *var)).collect();
        for (at, var) in lists.iter().enumerate() {
            for part in self.globals[var].clone() {
                self.out.vars[part.index()].kind = VarKind::Constant { unique: false };
            }
            for other in lists[..at].iter().filter(|other| src.var(**other).ty == src.var(*var).ty) {
                let span = src.var(*var).span;
                let (xs, ys) = (self.globals[var].clone(), self.globals[other].clone());
                let body = self.different(&xs, &ys, span);
                self.out.axioms.push(Axiom { body, attributes: Vec::new(), span });
            }
        }
    }

    fn different(&mut self, xs: &[VarId], ys: &[VarId], span: Span) -> ExprId {
        let mut all = None;
        for (x, y) in xs.iter().zip(ys) {
            let ty = self.out.var(*x).ty;
            let (x, y) = (self.node(ExprKind::Var(*x), ty, span), self.node(ExprKind::Var(*y), ty, span));
            let one = self.node(ExprKind::Binary(BinaryOp::Ne, x, y), Types::BOOL, span);
            all = Some(match all {
                None => one,
                Some(before) => self.node(ExprKind::Binary(BinaryOp::Or, before, one), Types::BOOL, span),
            });
        }
        all.expect("every type has a component")
    }

    /// Bodies of instances, which may ask for more instances.
    fn work_off(&mut self) -> Result<(), Unsupported> {
        loop {
            if let Some((function, args)) = self.open_functions.pop() {
                self.function_body(function, &args)?;
            } else if let Some((procedure, args)) = self.open_procedures.pop() {
                self.procedure_body(procedure, &args)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Attributes keep their texts and numbers; expressions in them are not translated.
    pub(super) fn attributes(&self, attributes: &[Attribute]) -> Vec<Attribute> {
        let param = |param: &AttributeParam| match param {
            AttributeParam::Expr(expr) => AttributeParam::Text(self.src.sources.slice(self.src.expr(*expr).span).into()),
            other => other.clone(),
        };
        let copy = |attribute: &Attribute| Attribute { params: attribute.params.iter().map(param).collect(), ..attribute.clone() };
        attributes.iter().map(copy).collect()
    }

    // Variables

    /// New variables for the components of a variable.
    fn copy_var(&mut self, var: VarId, env: &Env) -> Result<Vec<VarId>, Unsupported> {
        let source = self.src.var(var).clone();
        let ty = self.ground(source.ty, env);
        let attributes = self.attributes(&source.attributes);
        let mut all = Vec::new();
        for part in self.components(ty, source.span)?.iter() {
            let name = format!("{}{}", source.name, part.suffix).into();
            self.out.vars.push(Var { name, ty: part.ty, where_clause: None, attributes: attributes.clone(), ..source.clone() });
            all.push(VarId(self.out.vars.len() as u32 - 1));
        }
        Ok(all)
    }

    /// New variables, entered into the environment.
    pub(super) fn bind(&mut self, vars: &[VarId], env: &mut Env) -> Result<Vec<VarId>, Unsupported> {
        let mut all = Vec::new();
        for var in vars {
            let parts = self.copy_var(*var, env)?;
            all.extend(&parts);
            env.vars.insert(*var, parts);
        }
        Ok(all)
    }

    /// The where clause goes to the first component: it holds for all of them together.
    fn where_clause(&mut self, var: VarId, env: &Env) -> Result<(), Unsupported> {
        if let Some(clause) = self.src.var(var).where_clause {
            let clause = self.single(clause, env)?;
            let first = env.vars.get(&var).or_else(|| self.globals.get(&var)).and_then(|parts| parts.first());
            if let Some(first) = first.copied() {
                self.out.vars[first.index()].where_clause = Some(clause);
            }
        }
        Ok(())
    }

    pub(super) fn where_clauses(&mut self, vars: &[VarId], env: &Env) -> Result<(), Unsupported> {
        vars.iter().try_for_each(|var| self.where_clause(*var, env))
    }

    // Functions

    /// The instance of a function: one function for each component of its result.
    pub(super) fn function(&mut self, function: FunctionId, args: &[TypeId], span: Span) -> Result<Vec<FunctionId>, Unsupported> {
        let key = (function, args.to_vec());
        if let Some(known) = self.functions.get(&key) {
            return Ok(known.clone());
        }
        self.check_depth(args, span)?;
        if !args.is_empty() {
            note(&mut self.found.functions, function, args);
        }
        let source = self.src.function(function).clone();
        let env = Env::default().with(&source.type_params, args);
        let result = self.ground(source.result, &env);
        let name = self.instance_name(&source.name, args);
        let attributes = self.attributes(&source.attributes);
        let mut all = Vec::new();
        for part in self.components(result, span)?.iter() {
            let params = self.bind(&source.params, &mut env.clone())?;
            let name = format!("{name}{}", part.suffix).into();
            self.out.functions.push(Function {
                name,
                kind: FunctionKind::Plain,
                type_params: Vec::new(),
                params,
                result: part.ty,
                body: None,
                builtin: source.builtin.clone(),
                attributes: attributes.clone(),
                span: source.span,
            });
            all.push(FunctionId(self.out.functions.len() as u32 - 1));
        }
        self.functions.insert(key.clone(), all.clone());
        if source.body.is_some() {
            self.open_functions.push(key);
        }
        Ok(all)
    }

    fn function_body(&mut self, function: FunctionId, args: &[TypeId]) -> Result<(), Unsupported> {
        let source = self.src.function(function).clone();
        let Some((kind, body)) = source.body else { return Ok(()) };
        let instances = self.functions.get(&(function, args.to_vec())).cloned().unwrap_or_default();
        for (at, instance) in instances.into_iter().enumerate() {
            let mut env = Env::default().with(&source.type_params, args);
            // The parameters were made with the function, in the same order.
            let mut params = self.out.function(instance).params.clone().into_iter();
            for param in &source.params {
                let ty = self.ground(self.src.var(*param).ty, &env);
                let count = self.components(ty, source.span)?.len();
                env.vars.insert(*param, params.by_ref().take(count).collect());
            }
            let body = self.translate_expr(body, &env)?[at];
            self.out.functions[instance.index()].body = Some((kind, body));
        }
        Ok(())
    }

    // Procedures

    pub(super) fn procedure(&mut self, procedure: ProcedureId, args: &[TypeId], span: Span) -> Result<ProcedureId, Unsupported> {
        let key = (procedure, args.to_vec());
        if let Some(known) = self.procedures.get(&key) {
            return Ok(*known);
        }
        self.check_depth(args, span)?;
        if self.procedures.len() > super::MAX_INSTANCES {
            return Err(Unsupported { what: "polymorphism whose instances have no end".to_string(), span });
        }
        let source = self.src.procedure(procedure).clone();
        let name = self.instance_name(&source.name, args);
        let id = ProcedureId(self.out.procedures.len() as u32);
        let empty = Procedure {
            name,
            type_params: Vec::new(),
            ins: Vec::new(),
            outs: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            attributes: Vec::new(),
            implementations: Vec::new(),
            ..source
        };
        self.out.procedures.push(empty);
        self.procedures.insert(key.clone(), id);
        self.open_procedures.push(key);
        Ok(id)
    }

    fn procedure_body(&mut self, procedure: ProcedureId, args: &[TypeId]) -> Result<(), Unsupported> {
        let source = self.src.procedure(procedure).clone();
        let id = self.procedures[&(procedure, args.to_vec())];
        let mut env = Env::default().with(&source.type_params, args);
        let ins = self.bind(&source.ins, &mut env)?;
        let outs = self.bind(&source.outs, &mut env)?;
        self.where_clauses(&source.ins, &env)?;
        self.where_clauses(&source.outs, &env)?;
        let requires = self.conditions(&source.requires, &env)?;
        let ensures = self.conditions(&source.ensures, &env)?;
        let modifies = source.modifies.iter().flat_map(|var| self.globals.get(var).cloned().unwrap_or_default()).collect();
        let attributes = self.attributes(&source.attributes);
        let mut implementations = Vec::new();
        for at in &source.implementations {
            implementations.push(self.implementation(*at, id, args)?);
        }
        let entry = &mut self.out.procedures[id.index()];
        (entry.ins, entry.outs, entry.requires, entry.ensures, entry.modifies) = (ins, outs, requires, ensures, modifies);
        (entry.attributes, entry.implementations) = (attributes, implementations);
        Ok(())
    }

    fn conditions(&mut self, conditions: &[Condition], env: &Env) -> Result<Vec<Condition>, Unsupported> {
        let copy = |c: &Condition| {
            Ok(Condition { condition: self.single(c.condition, env)?, attributes: self.attributes(&c.attributes), ..c.clone() })
        };
        conditions.iter().map(copy).collect()
    }

    fn implementation(&mut self, at: usize, procedure: ProcedureId, args: &[TypeId]) -> Result<usize, Unsupported> {
        let src = self.src;
        let source = &src.implementations[at];
        let args = self.matching_args(source, args);
        let mut env = Env::default().with(&source.type_params, &args);
        let ins = self.bind(&source.ins, &mut env)?;
        let outs = self.bind(&source.outs, &mut env)?;
        let locals = self.bind(&source.locals, &mut env)?;
        self.where_clauses(&source.locals, &env)?;
        let blocks = self.blocks(&source.blocks, &env)?;
        let attributes = self.attributes(&source.attributes);
        self.out.implementations.push(Implementation {
            procedure,
            type_params: Vec::new(),
            ins,
            outs,
            locals,
            blocks,
            attributes,
            span: source.span,
        });
        Ok(self.out.implementations.len() - 1)
    }

    pub(super) fn blocks(&mut self, source: &[Block], env: &Env) -> Result<Vec<Block>, Unsupported> {
        let mut blocks = Vec::new();
        for block in source {
            let mut stmts = Vec::new();
            for stmt in &block.stmts {
                let kind = self.statement(stmt, env)?;
                stmts.push(Stmt { kind, attributes: self.attributes(&stmt.attributes), span: stmt.span });
            }
            let end = match &block.end {
                Terminator::Branch { condition, then, otherwise } => {
                    Terminator::Branch { condition: self.single(*condition, env)?, then: *then, otherwise: *otherwise }
                }
                other => other.clone(),
            };
            blocks.push(Block { label: block.label.clone(), stmts, end, end_span: block.end_span });
        }
        Ok(blocks)
    }

    /// The procedure's type arguments in the order of the implementation's type parameters, which may be another: they
    /// correspond by where they occur in the parameters.
    fn matching_args(&mut self, source: &Implementation, args: &[TypeId]) -> Vec<TypeId> {
        let procedure = self.src.procedure(source.procedure);
        let theirs = self.occurrences(&[&procedure.ins[..], &procedure.outs[..]].concat());
        let ours = self.occurrences(&[&source.ins[..], &source.outs[..]].concat());
        let find = |var: &TypeVarId| {
            let at = ours.iter().position(|v| v == var);
            let other = at.and_then(|at| theirs.get(at));
            let index = other.and_then(|other| procedure.type_params.iter().position(|v| v == other));
            args[index.unwrap_or(0)]
        };
        source.type_params.iter().map(find).collect()
    }

    fn occurrences(&mut self, vars: &[VarId]) -> Vec<TypeVarId> {
        let mut all: Vec<TypeVarId> = Vec::new();
        for var in vars {
            let found = self.types.variables(self.src.var(*var).ty);
            all.extend(found.into_iter().filter(|var| !all.contains(var)).collect::<Vec<_>>());
        }
        all
    }

    fn statement(&mut self, stmt: &Stmt, env: &Env) -> Result<StmtKind, Unsupported> {
        Ok(match &stmt.kind {
            StmtKind::Assign { targets, values } => {
                let values = self.flatten(values, env)?;
                // Of a polymorphic map only the instance that is written changes.
                let changes = self
                    .places(targets, env)
                    .into_iter()
                    .zip(values)
                    .filter(|(target, value)| !matches!(self.out.expr(*value).kind, ExprKind::Var(var) if var == *target));
                let (targets, values) = changes.unzip();
                StmtKind::Assign { targets, values }
            }
            StmtKind::Havoc(vars) => StmtKind::Havoc(self.places(vars, env)),
            StmtKind::Assert(kind, condition) => StmtKind::Assert(*kind, self.single(*condition, env)?),
            StmtKind::Assume(condition) => StmtKind::Assume(self.single(*condition, env)?),
            StmtKind::Call(call) => StmtKind::Call(self.call_statement(call, env, stmt.span)?),
            StmtKind::Unsupported(what) => StmtKind::Unsupported(what.clone()),
        })
    }

    fn places(&self, vars: &[VarId], env: &Env) -> Vec<VarId> {
        let parts = |var: &VarId| env.vars.get(var).or_else(|| self.globals.get(var)).cloned().unwrap_or_default();
        vars.iter().flat_map(parts).collect()
    }

    fn call_statement(&mut self, call: &Call, env: &Env, span: Span) -> Result<Call, Unsupported> {
        let type_args = self.ground_all(&call.type_args, env);
        let procedure = self.procedure(call.procedure, &type_args, span)?;
        let source = self.src.procedure(call.procedure);
        let callee = Env::default().with(&source.type_params, &type_args);
        let mut args = Vec::new();
        for (param, arg) in source.ins.iter().zip(&call.args) {
            let ty = self.ground(self.src.var(*param).ty, &callee);
            match arg {
                Some(arg) => args.extend(self.translate_expr(*arg, env)?.into_iter().map(Some)),
                None => args.extend(self.components(ty, span)?.iter().map(|_| None)),
            }
        }
        let mut outs = Vec::new();
        for (param, out) in source.outs.iter().zip(&call.outs) {
            let ty = self.ground(self.src.var(*param).ty, &callee);
            match out {
                Some(out) => outs.extend(self.places(&[*out], env).into_iter().map(Some)),
                None => outs.extend(self.components(ty, span)?.iter().map(|_| None)),
            }
        }
        Ok(Call { procedure, type_args: Vec::new(), args, outs, free: call.free, forall: call.forall })
    }
}
