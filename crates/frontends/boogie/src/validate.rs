//! Checks the promises of `typed::Program` that lowering relies on: children come before parents, operands have the types
//! that operators need, arguments fit parameters, and, after `monomorphise`, no type variable is left. For tests; a
//! failure is a bug in this crate.

use crate::ast::{BinaryOp, UnaryOp};
use crate::typed::*;
use crate::types::Types;

/// The first broken promise of a program; `monomorphic` says that `monomorphise` made it.
pub fn validate(program: &Program, monomorphic: bool) -> Result<(), String> {
    let validator = Validator { program, monomorphic };
    for at in 0..program.exprs.len() {
        let id = ExprId(at as u32);
        validator.expr(id).map_err(|what| format!("expression {at} ({}): {what}", program.sources.slice(program.expr(id).span)))?;
    }
    for var in &program.vars {
        validator.closed(var.ty).map_err(|what| format!("variable {}: {what}", var.name))?;
    }
    program.implementations.iter().try_for_each(|implementation| validator.implementation(implementation))
}

struct Validator<'a> {
    program: &'a Program,
    monomorphic: bool,
}

type Checked = Result<(), String>;

fn ensure(condition: bool, what: &str) -> Checked {
    if condition { Ok(()) } else { Err(what.to_string()) }
}

impl Validator<'_> {
    fn ty(&self, id: ExprId) -> TypeId {
        self.program.type_of(id)
    }

    fn get(&self, id: ExprId) -> &Type {
        self.program.types.get(self.ty(id))
    }

    fn closed(&self, ty: TypeId) -> Checked {
        let parts = self.program.types.parts(ty);
        ensure(!parts.infer, "an unknown type is left")?;
        if !self.monomorphic {
            return Ok(());
        }
        ensure(!parts.var && !parts.bound, "a type variable is left")?;
        let has_args = matches!(self.program.types.get(ty), Type::Ctor { args, .. } if !args.is_empty());
        ensure(!has_args, "a type constructor has arguments")
    }

    /// Equal, unless type variables could make them so.
    fn same(&self, a: TypeId, b: TypeId, what: &str) -> Checked {
        let open =
            !self.monomorphic && (self.program.types.parts(a).var || self.program.types.parts(b).var || self.program.types.parts(a).bound);
        if a == b || open {
            return Ok(());
        }
        Err(format!("{what}: {} and {}", self.program.show_type(a), self.program.show_type(b)))
    }

    fn all_same(&self, types: &[TypeId], values: &[ExprId], what: &str) -> Checked {
        ensure(types.len() == values.len(), &format!("{what}: the number is wrong"))?;
        types.iter().zip(values).try_for_each(|(ty, value)| self.same(*ty, self.ty(*value), what))
    }

    fn expr(&self, id: ExprId) -> Checked {
        let expr = self.program.expr(id);
        let mut ordered = true;
        expr.kind.children(|child| ordered &= child < id);
        ensure(ordered, "a part comes after the whole")?;
        self.closed(expr.ty)?;
        match &expr.kind {
            ExprKind::Var(var) => self.same(expr.ty, self.program.var(*var).ty, "variable"),
            ExprKind::Call { function, type_args, args } => self.call(*function, type_args, args, expr.ty),
            ExprKind::Unary(UnaryOp::Not, a) => self.same(self.ty(*a), Types::BOOL, "!"),
            ExprKind::Unary(UnaryOp::Neg, a) | ExprKind::Old(a) => self.same(self.ty(*a), expr.ty, "unary"),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, expr.ty),
            ExprKind::Ite(c, a, b) => {
                self.same(self.ty(*c), Types::BOOL, "condition")?;
                self.same(self.ty(*a), expr.ty, "then")?;
                self.same(self.ty(*b), expr.ty, "else")
            }
            ExprKind::ToInt(a) => self.same(self.ty(*a), Types::REAL, "int()"),
            ExprKind::ToReal(a) => self.same(self.ty(*a), Types::INT, "real()"),
            ExprKind::Select { map, type_args, args } => self.access(*map, type_args, args, expr.ty),
            ExprKind::Store { map, type_args, args, value } => {
                self.same(self.ty(*map), expr.ty, "store")?;
                self.access(*map, type_args, args, self.ty(*value))
            }
            ExprKind::Quantifier { type_params, body, .. } => {
                ensure(!self.monomorphic || type_params.is_empty(), "a quantifier over types is left")?;
                self.same(self.ty(*body), Types::BOOL, "body")
            }
            ExprKind::Let { vars, values, body } => {
                let types: Vec<TypeId> = vars.iter().map(|var| self.program.var(*var).ty).collect();
                self.all_same(&types, values, "let")?;
                self.same(self.ty(*body), expr.ty, "body of let")
            }
            ExprKind::Is { value, ctor, .. } | ExprKind::Field { value, ctor, .. } | ExprKind::FieldUpdate { value, ctor, .. } => {
                ensure(!self.monomorphic, "a datatype is left")?;
                ensure(matches!(self.get(*value), Type::Ctor { ctor: found, .. } if found == ctor), "the datatype is another")?;
                self.field(&expr.kind, *ctor, expr.ty)
            }
            ExprKind::Code(code) => self.blocks(&code.blocks),
            ExprKind::Lambda { vars, body, .. } if self.monomorphic => match self.program.types.get(expr.ty) {
                Type::Map { args, result, .. } => {
                    let types: Vec<TypeId> = vars.iter().map(|var| self.program.var(*var).ty).collect();
                    ensure(types == *args, "variables of lambda")?;
                    self.same(self.ty(*body), *result, "body of lambda")
                }
                _ => Err("a lambda is no map".to_string()),
            },
            _ => Ok(()),
        }
    }

    fn field(&self, kind: &ExprKind, ctor: CtorId, ty: TypeId) -> Checked {
        let (name, expected) = match kind {
            ExprKind::Field { field, .. } => (field, ty),
            ExprKind::FieldUpdate { field, to, .. } => (field, self.ty(*to)),
            _ => return Ok(()),
        };
        let entry = self.program.ctor(ctor);
        let found = entry.constructors.iter().flat_map(|c| &c.fields).find(|f| f.name == *name);
        let Some(found) = found else { return Err(format!("no field {name}")) };
        self.same(found.ty, expected, "field")
    }

    fn call(&self, function: FunctionId, type_args: &[TypeId], args: &[ExprId], ty: TypeId) -> Checked {
        let function = self.program.function(function);
        ensure(type_args.len() == function.type_params.len(), "number of type arguments")?;
        let mut types = self.program.types.clone();
        let mut formal = |ty: TypeId| types.substitute(ty, &function.type_params, type_args);
        let formals: Vec<TypeId> = function.params.iter().map(|param| formal(self.program.var(*param).ty)).collect();
        let result = formal(function.result);
        if type_args.is_empty() {
            self.all_same(&formals, args, "argument")?;
            return self.same(result, ty, "result");
        }
        ensure(formals.iter().zip(args).all(|(formal, arg)| *formal == self.ty(*arg)) && result == ty, "instance of a function")
    }

    fn access(&self, map: ExprId, type_args: &[TypeId], args: &[ExprId], value: TypeId) -> Checked {
        let Type::Map { type_params, args: keys, result } = self.get(map) else {
            return Err("access to what is no map".to_string());
        };
        ensure(*type_params as usize == type_args.len(), "number of type arguments")?;
        let mut types = self.program.types.clone();
        let keys: Vec<TypeId> = keys.iter().map(|key| types.open(*key, type_args)).collect();
        let result = types.open(*result, type_args);
        ensure(keys.len() == args.len(), "number of keys")?;
        ensure(keys.iter().zip(args).all(|(key, arg)| *key == self.ty(*arg)) && result == value, "types of a map access")
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId) -> Checked {
        use BinaryOp::*;
        match op {
            Iff | Implies | And | Or => {
                self.same(self.ty(a), Types::BOOL, "left")?;
                self.same(self.ty(b), Types::BOOL, "right")
            }
            Concat => match (self.get(a), self.get(b), self.program.types.get(ty)) {
                (Type::BitVec(m), Type::BitVec(n), Type::BitVec(sum)) => ensure(m + n == *sum, "width of ++"),
                _ => Err("++ of what is no bit-vector".to_string()),
            },
            Add | Sub | Mul | Div | Mod | RealDiv | Pow => {
                self.same(self.ty(a), ty, "left")?;
                self.same(self.ty(b), ty, "right")
            }
            Eq | Ne | Lt | Le | Gt | Ge | Below => self.same(self.ty(a), self.ty(b), "comparison"),
        }
    }

    fn implementation(&self, implementation: &Implementation) -> Checked {
        let procedure = self.program.procedure(implementation.procedure);
        ensure(
            procedure.ins.len() == implementation.ins.len() && procedure.outs.len() == implementation.outs.len(),
            "number of parameters",
        )?;
        self.blocks(&implementation.blocks)
    }

    fn blocks(&self, blocks: &[Block]) -> Checked {
        let count = blocks.len();
        for block in blocks {
            match &block.end {
                Terminator::Goto(targets) => ensure(targets.iter().all(|target| target.index() < count), "goto beyond the blocks")?,
                Terminator::Branch { condition, then, otherwise } => {
                    self.same(self.ty(*condition), Types::BOOL, "guard")?;
                    ensure(then.index().max(otherwise.index()) < count, "branch beyond the blocks")?;
                }
                Terminator::Return => {}
            }
            block.stmts.iter().try_for_each(|stmt| self.stmt(stmt))?;
        }
        Ok(())
    }

    fn stmt(&self, stmt: &Stmt) -> Checked {
        match &stmt.kind {
            StmtKind::Assign { targets, values } => {
                let types: Vec<TypeId> = targets.iter().map(|var| self.program.var(*var).ty).collect();
                self.all_same(&types, values, "assignment")
            }
            StmtKind::Assert(_, condition) | StmtKind::Assume(condition) => self.same(self.ty(*condition), Types::BOOL, "condition"),
            StmtKind::Call(call) => {
                let callee = self.program.procedure(call.procedure);
                ensure(call.args.len() == callee.ins.len() && call.outs.len() == callee.outs.len(), "number of arguments of a call")?;
                ensure(call.type_args.len() == callee.type_params.len(), "number of type arguments of a call")?;
                if !call.type_args.is_empty() {
                    return Ok(());
                }
                let ins = callee.ins.iter().zip(&call.args).filter_map(|(param, arg)| arg.map(|arg| (*param, self.ty(arg))));
                let outs = callee.outs.iter().zip(&call.outs).filter_map(|(param, out)| out.map(|out| (*param, self.program.var(out).ty)));
                ins.chain(outs).try_for_each(|(param, ty)| self.same(self.program.var(param).ty, ty, "argument of a call"))
            }
            StmtKind::Havoc(_) | StmtKind::Unsupported(_) => Ok(()),
        }
    }
}
