//! A typed program for people: what checking and instantiation made of the text. Close to Boogie, but names of instances
//! are no Boogie names, so it is not meant to be read back.

use crate::ast::UnaryOp;
use crate::typed::*;
use std::fmt::Write;

/// The program as text.
pub fn print_typed(program: &Program) -> String {
    let mut printer = Typed { program, out: String::new() };
    printer.program();
    printer.out
}

struct Typed<'a> {
    program: &'a Program,
    out: String,
}

impl Typed<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn ty(&self, ty: TypeId) -> String {
        self.program.show_type(ty)
    }

    fn vars(&self, vars: &[VarId]) -> String {
        let show = |var: &VarId| format!("{}: {}", self.program.var(*var).name, self.ty(self.program.var(*var).ty));
        vars.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    fn names(&self, vars: &[VarId]) -> String {
        vars.iter().map(|var| self.program.var(*var).name.to_string()).collect::<Vec<_>>().join(", ")
    }

    fn program(&mut self) {
        let program = self.program;
        for ctor in &program.ctors {
            let constructors: Vec<String> = ctor
                .constructors
                .iter()
                .map(|c| {
                    format!(
                        "{}({})",
                        c.name,
                        c.fields.iter().map(|f| format!("{}: {}", f.name, self.ty(f.ty))).collect::<Vec<_>>().join(", ")
                    )
                })
                .collect();
            let arity = if ctor.arity > 0 { format!("/{}", ctor.arity) } else { String::new() };
            let body = if constructors.is_empty() { String::new() } else { format!(" {{ {} }}", constructors.join(", ")) };
            let _ = writeln!(self.out, "type {}{arity}{body};", ctor.name);
        }
        for var in program.constants.iter().chain(&program.globals) {
            let word = match program.var(*var).kind {
                VarKind::Constant { unique: true } => "const unique",
                VarKind::Constant { unique: false } => "const",
                _ => "var",
            };
            let text = self.vars(&[*var]);
            let _ = write!(self.out, "{word} {text}");
            self.where_clause(*var);
            self.put(";\n");
        }
        for function in program.functions.iter().filter(|function| function.kind == FunctionKind::Plain) {
            let _ = write!(self.out, "function {}({}): {}", function.name, self.vars(&function.params), self.ty(function.result));
            match function.body {
                Some((kind, body)) => {
                    let _ = write!(self.out, " /* {kind:?} */ {{ ");
                    self.expr(body);
                    self.put(" }\n");
                }
                None => self.put(";\n"),
            }
        }
        for axiom in &program.axioms {
            self.claim("axiom ", axiom.body);
        }
        program.procedures.iter().for_each(|procedure| self.procedure(procedure));
    }

    fn where_clause(&mut self, var: VarId) {
        if let Some(clause) = self.program.var(var).where_clause {
            self.put(" where ");
            self.expr(clause);
        }
    }

    fn claim(&mut self, word: &str, condition: ExprId) {
        self.put(word);
        self.expr(condition);
        self.put(";\n");
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let _ = writeln!(self.out, "procedure {}({}) returns ({})", procedure.name, self.vars(&procedure.ins), self.vars(&procedure.outs));
        for requires in &procedure.requires {
            self.claim(if requires.free { "  free requires " } else { "  requires " }, requires.condition);
        }
        if !procedure.modifies.is_empty() {
            let _ = writeln!(self.out, "  modifies {};", self.names(&procedure.modifies));
        }
        for ensures in &procedure.ensures {
            self.claim(if ensures.free { "  free ensures " } else { "  ensures " }, ensures.condition);
        }
        for at in &procedure.implementations {
            self.implementation(&self.program.implementations[*at]);
        }
    }

    fn implementation(&mut self, implementation: &Implementation) {
        let _ = writeln!(self.out, "{{ // ({}) returns ({})", self.names(&implementation.ins), self.names(&implementation.outs));
        self.body(&implementation.locals, &implementation.blocks);
        self.put("}\n");
    }

    fn body(&mut self, locals: &[VarId], blocks: &[Block]) {
        for local in locals {
            let text = self.vars(&[*local]);
            let _ = write!(self.out, "  var {text}");
            self.where_clause(*local);
            self.put(";\n");
        }
        for (at, block) in blocks.iter().enumerate() {
            let label = block.label.as_ref().map(|label| format!(" // {label}")).unwrap_or_default();
            let _ = writeln!(self.out, "  b{at}:{label}");
            block.stmts.iter().for_each(|stmt| self.stmt(stmt));
            match &block.end {
                Terminator::Goto(targets) => {
                    let targets: Vec<String> = targets.iter().map(|target| format!("b{}", target.0)).collect();
                    let _ = writeln!(self.out, "    goto {};", targets.join(", "));
                }
                Terminator::Branch { condition, then, otherwise } => {
                    self.put("    if ");
                    self.expr(*condition);
                    let _ = writeln!(self.out, " goto b{} else b{};", then.0, otherwise.0);
                }
                Terminator::Return => self.put("    return;\n"),
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, values } => {
                let _ = write!(self.out, "    {} := ", self.names(targets));
                self.exprs(values);
                self.put(";\n");
            }
            StmtKind::Havoc(vars) => {
                let _ = writeln!(self.out, "    havoc {};", self.names(vars));
            }
            StmtKind::Assert(AssertKind::Assert, condition) => self.claim("    assert ", *condition),
            StmtKind::Assert(kind, condition) => self.claim(&format!("    assert /* {kind:?} */ "), *condition),
            StmtKind::Assume(condition) => self.claim("    assume ", *condition),
            StmtKind::Call(call) => {
                let outs: Vec<&str> = call.outs.iter().map(|out| out.map_or("*", |var| &*self.program.var(var).name)).collect();
                let arrow = if outs.is_empty() { "" } else { " := " };
                let _ = write!(
                    self.out,
                    "    call {}{}{arrow}{}",
                    if call.forall { "forall " } else { "" },
                    outs.join(", "),
                    self.program.procedure(call.procedure).name
                );
                self.type_args(&call.type_args);
                self.put("(");
                for (at, arg) in call.args.iter().enumerate() {
                    self.put(if at > 0 { ", " } else { "" });
                    match arg {
                        Some(arg) => self.expr(*arg),
                        None => self.put("*"),
                    }
                }
                self.put(");\n");
            }
            StmtKind::Unsupported(what) => {
                let _ = writeln!(self.out, "    unsupported {what};");
            }
        }
    }

    fn type_args(&mut self, args: &[TypeId]) {
        if !args.is_empty() {
            let args: Vec<String> = args.iter().map(|arg| self.ty(*arg)).collect();
            let _ = write!(self.out, "<{}>", args.join(", "));
        }
    }

    fn exprs(&mut self, all: &[ExprId]) {
        for (at, expr) in all.iter().enumerate() {
            self.put(if at > 0 { ", " } else { "" });
            self.expr(*expr);
        }
    }

    fn expr(&mut self, id: ExprId) {
        crate::deep(|| self.expr_step(id));
    }

    fn expr_step(&mut self, id: ExprId) {
        let program = self.program;
        match &program.expr(id).kind {
            ExprKind::Bool(value) => self.put(&value.to_string()),
            ExprKind::Int(value) => self.put(&value.to_string()),
            ExprKind::Real(value) => self.put(&format!("{}e{}", value.mantissa, value.exponent)),
            ExprKind::BitVec { value, width } => self.put(&format!("{value}bv{width}")),
            ExprKind::Float(literal) => self.put(&super::expressions::float(literal)),
            ExprKind::Rounding(mode) => self.put(super::expressions::rounding(*mode)),
            ExprKind::Str(text) => self.put(&format!("\"{text}\"")),
            ExprKind::Var(var) => self.put(&program.var(*var).name),
            ExprKind::Call { function, type_args, args } => {
                self.put(&program.function(*function).name);
                self.type_args(type_args);
                self.around("(", args, ")");
            }
            ExprKind::Unary(op, value) => self.around(if *op == UnaryOp::Not { "!(" } else { "-(" }, &[*value], ")"),
            ExprKind::Binary(op, a, b) => {
                self.around("(", &[*a], " ");
                self.put(op.text());
                self.around(" ", &[*b], ")");
            }
            ExprKind::Ite(c, a, b) => {
                self.around("(if ", &[*c], " then ");
                self.around("", &[*a], " else ");
                self.around("", &[*b], ")");
            }
            ExprKind::Old(value) => self.around("old(", &[*value], ")"),
            ExprKind::ToInt(value) => self.around("int(", &[*value], ")"),
            ExprKind::ToReal(value) => self.around("real(", &[*value], ")"),
            ExprKind::Select { map, type_args, args } => {
                self.expr(*map);
                self.type_args(type_args);
                self.around("[", args, "]");
            }
            ExprKind::Store { map, type_args, args, value } => {
                self.expr(*map);
                self.type_args(type_args);
                self.around("[", args, " := ");
                self.around("", &[*value], "]");
            }
            ExprKind::Extract { value, high, low } => self.around("", &[*value], &format!("[{high}:{low}]")),
            ExprKind::Is { value, ctor, index } => {
                let name = program.ctor(*ctor).constructors[*index as usize].name.clone();
                self.around("(", &[*value], &format!(" is {name})"));
            }
            ExprKind::Field { value, field, .. } => self.around("", &[*value], &format!("->{field}")),
            ExprKind::FieldUpdate { value, field, to, .. } => {
                self.around("", &[*value], &format!("->({field} := "));
                self.around("", &[*to], ")");
            }
            ExprKind::Quantifier { forall, type_params, vars, triggers, body, .. } => {
                self.binder(if *forall { "(forall" } else { "(exists" }, type_params, vars);
                for trigger in triggers {
                    self.around(if trigger.positive { "{" } else { "{:nopats " }, &trigger.terms, "} ");
                }
                self.around("", &[*body], ")");
            }
            ExprKind::Lambda { type_params, vars, body } => {
                self.binder("(lambda", type_params, vars);
                self.around("", &[*body], ")");
            }
            ExprKind::Let { vars, values, body } => {
                let _ = write!(self.out, "(var {} := ", self.names(vars));
                self.around("", values, "; ");
                self.around("", &[*body], ")");
            }
            ExprKind::Code(code) => {
                self.put("|{\n");
                self.body(&code.locals, &code.blocks);
                self.put("}|");
            }
            ExprKind::Unsupported(what) => self.put(&format!("unsupported({what})")),
        }
    }

    fn around(&mut self, before: &str, args: &[ExprId], after: &str) {
        self.put(before);
        self.exprs(args);
        self.put(after);
    }

    fn binder(&mut self, word: &str, type_params: &[TypeVarId], vars: &[VarId]) {
        self.put(word);
        let params: Vec<String> = type_params.iter().map(|var| self.program.type_vars[var.index()].to_string()).collect();
        if !params.is_empty() {
            let _ = write!(self.out, "<{}>", params.join(", "));
        }
        let _ = write!(self.out, " {} :: ", self.vars(vars));
    }
}
