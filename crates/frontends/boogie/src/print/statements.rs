//! Bodies and statements.

use super::Printer;
use crate::ast::{Body, Call, Guard, Step, Stmt, StmtId, StmtKind, Target};

impl Printer<'_> {
    pub(super) fn body(&mut self, body: &Body) {
        self.line_start();
        self.put("{\n");
        self.inside(body);
        self.line_start();
        self.put("}\n");
    }

    /// A code expression, which is written on lines of its own as well.
    pub(super) fn code(&mut self, body: &Body) {
        self.put("|{\n");
        self.inside(body);
        self.line_start();
        self.put("}|");
    }

    fn inside(&mut self, body: &Body) {
        self.indent += 1;
        for local in &body.locals {
            self.line_start();
            self.put("var ");
            self.attributes(&local.attributes);
            self.typed_name(local);
            self.put(";\n");
        }
        self.statements(&body.stmts);
        self.indent -= 1;
    }

    fn statements(&mut self, stmts: &[StmtId]) {
        let program = self.program;
        for id in stmts {
            crate::deep(|| self.statement(program.stmt(*id)));
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        if let StmtKind::Label(label) = &stmt.kind {
            self.put(&"  ".repeat(self.indent.saturating_sub(1).min(40)));
            self.name(&label.name);
            return self.put(":\n");
        }
        self.line_start();
        match &stmt.kind {
            StmtKind::If { .. } => self.if_chain(stmt),
            StmtKind::While { guard, invariants, body } => {
                self.put("while ");
                self.attributes(&stmt.attributes);
                self.guard(*guard);
                self.put("\n");
                for invariant in invariants {
                    self.line_start();
                    self.put(if invariant.free { "  free invariant " } else { "  invariant " });
                    self.attributes(&invariant.attributes);
                    self.expr(invariant.condition);
                    self.put(";\n");
                }
                self.line_start();
                self.block(body);
                self.put("\n");
            }
            kind => {
                self.simple(kind, stmt);
                self.put(";\n");
            }
        }
    }

    fn simple(&mut self, kind: &StmtKind, stmt: &Stmt) {
        match kind {
            StmtKind::Assign { targets, values } => {
                self.list(targets, ", ", |p, target| p.target(target));
                self.put(" := ");
                self.attributes(&stmt.attributes);
                self.list(values, ", ", |p, value| p.expr(*value));
            }
            StmtKind::Unpack { constructor, vars, value } => {
                self.name(&constructor.name);
                self.put("(");
                self.names(vars);
                self.put(") := ");
                self.attributes(&stmt.attributes);
                self.expr(*value);
            }
            StmtKind::Havoc(names) => self.word_names("havoc ", stmt, names),
            StmtKind::Goto(labels) => self.word_names("goto ", stmt, labels),
            StmtKind::Assert(condition) => self.word_expr("assert ", stmt, *condition),
            StmtKind::Assume(condition) => self.word_expr("assume ", stmt, *condition),
            StmtKind::ReturnValue(value) => self.word_expr("return ", stmt, *value),
            StmtKind::Call(call) => {
                self.put(if call.free { "free call " } else { "call " });
                self.call(call);
            }
            StmtKind::Break(None) => self.put("break"),
            StmtKind::Break(Some(label)) => self.word_names("break ", stmt, std::slice::from_ref(label)),
            StmtKind::Return => {
                self.put("return ");
                self.attributes(&stmt.attributes);
            }
            StmtKind::Hint { text, args } => {
                self.put(text);
                self.put(" ");
                self.attributes(&stmt.attributes);
                self.list(args, ", ", |p, arg| p.expr(*arg));
            }
            StmtKind::Concurrent { what, calls } => {
                self.put(match &**what {
                    "async call" => "async call ",
                    "parallel call" => "call ",
                    "par" => "par ",
                    _ => "yield",
                });
                self.list(calls, " | ", |p, call| p.call(call));
            }
            StmtKind::Label(_) | StmtKind::If { .. } | StmtKind::While { .. } => unreachable!("printed by the caller"),
        }
    }

    fn word_names(&mut self, word: &str, stmt: &Stmt, names: &[crate::ast::Ident]) {
        self.put(word);
        self.attributes(&stmt.attributes);
        self.names(names);
    }

    fn word_expr(&mut self, word: &str, stmt: &Stmt, expr: crate::ast::ExprId) {
        self.put(word);
        self.attributes(&stmt.attributes);
        self.expr(expr);
    }

    fn target(&mut self, target: &Target) {
        self.name(&target.name.name);
        for step in &target.path {
            match step {
                Step::Index(args, _) => {
                    self.put("[");
                    self.list(args, ", ", |p, arg| p.expr(*arg));
                    self.put("]");
                }
                Step::Field(field) => {
                    self.put("->");
                    self.name(&field.name);
                }
            }
        }
    }

    fn call(&mut self, call: &Call) {
        self.attributes(&call.attributes);
        self.put(if call.forall { "forall " } else { "" });
        if !call.outs.is_empty() {
            self.list(&call.outs, ", ", |p, out| match out {
                Some(out) => p.name(&out.name),
                None => p.put("*"),
            });
            self.put(" := ");
        }
        self.name(&call.procedure.name);
        self.put("(");
        self.list(&call.args, ", ", |p, arg| match arg {
            Some(arg) => p.expr(*arg),
            None => p.put("*"),
        });
        self.put(")");
    }

    /// `if … else if … else …`: an else branch that is only another `if` continues the chain, in a loop, since chains
    /// may be long.
    fn if_chain(&mut self, stmt: &Stmt) {
        let program = self.program;
        let mut stmt = stmt;
        while let StmtKind::If { guard, then, otherwise } = &stmt.kind {
            self.put("if ");
            self.attributes(&stmt.attributes);
            self.guard(*guard);
            self.put(" ");
            self.block(then);
            let Some(otherwise) = otherwise else { break };
            self.put(" else ");
            match &otherwise[..] {
                [only] if matches!(program.stmt(*only).kind, StmtKind::If { .. }) => stmt = program.stmt(*only),
                _ => {
                    self.block(otherwise);
                    break;
                }
            }
        }
        self.put("\n");
    }

    fn guard(&mut self, guard: Guard) {
        self.put("(");
        match guard {
            Some(guard) => self.expr(guard),
            None => self.put("*"),
        }
        self.put(")");
    }

    fn block(&mut self, stmts: &[StmtId]) {
        self.put("{\n");
        self.indent += 1;
        self.statements(stmts);
        self.indent -= 1;
        self.line_start();
        self.put("}");
    }
}
