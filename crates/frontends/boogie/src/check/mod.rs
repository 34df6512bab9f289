//! Name resolution and type checking, after Boogie's rules: `ast::Program` to `typed::Program`. All declarations are
//! entered first, so their order doesn't matter; then bodies are checked, and every error is reported, not only the
//! first. What was wrong gets an unknown type that fits everything, so one mistake gives one message.

mod attributes;
mod code;
mod commands;
mod datatypes;
mod declare;
mod expressions;
mod floats;
mod functions;
mod infer;
mod maps;
mod modifies;
mod operators;
mod order;
mod procedures;
mod quantifiers;
mod recursion;
mod statements;
mod types;

use crate::ast;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Span;
use crate::typed::*;
use fathom_base::{FxMap, FxSet};
use std::rc::Rc;

/// Checks a program. If it has declarations that can't be handled (`unsupported`), the result holds nothing else. In
/// strict mode a global that is assigned without a modifies clause is an error; otherwise the clause is inferred and a
/// warning is left in the result.
pub fn check(program: ast::Program, strict: bool) -> Result<Program, crate::Rejected> {
    let mut checker = Checker::new(&program, strict);
    checker.declare();
    checker.check_bodies();
    checker.add_orders();
    let Checker { mut out, mut diagnostics, .. } = checker;
    let (mut errors, warnings): (Vec<_>, Vec<_>) = diagnostics.drain(..).partition(|d| d.severity == Severity::Error);
    if !out.unsupported.is_empty() {
        // Parts of the program were not read, so what is missing elsewhere means nothing.
        errors.clear();
        out = Program { unsupported: out.unsupported, ..Program::default() };
    }
    if !errors.is_empty() {
        errors.truncate(MAX_ERRORS);
        return Err(crate::Rejected { sources: program.sources, diagnostics: errors });
    }
    out.warnings = warnings;
    out.sources = program.sources;
    Ok(out)
}

/// Further errors would not be read.
const MAX_ERRORS: usize = 100;

/// What the names of global variables may mean in an expression.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum States {
    /// Axioms and bodies of functions: no state at all.
    None,
    /// Preconditions and where clauses: one state.
    One,
    /// Postconditions and bodies: this state and the one at entry, which `old` means.
    Two,
}

struct Checker<'a> {
    ast: &'a ast::Program,
    strict: bool,
    out: Program,
    diagnostics: Vec<Diagnostic>,
    types: types::TypeNames,
    globals: FxMap<Rc<str>, VarId>,
    /// Names of globals that were declared {:extern}: another declaration replaces them.
    externs: FxSet<Rc<str>>,
    functions: FxMap<Rc<str>, FunctionId>,
    procedures: FxMap<Rc<str>, ProcedureId>,
    /// Local names, innermost last.
    scopes: Vec<FxMap<Rc<str>, VarId>>,
    infer: infer::Inference,
    states: States,
    in_trigger: bool,
    /// Within the blocks of a code expression.
    in_code: bool,
    pure_procedures: FxSet<ProcedureId>,
    in_pure: bool,
    /// Variables marked {:assumption} that were assigned in this body.
    assumptions: FxSet<VarId>,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a ast::Program, strict: bool) -> Self {
        Self {
            ast,
            strict,
            out: Program::default(),
            diagnostics: Vec::new(),
            types: types::TypeNames::default(),
            globals: FxMap::default(),
            externs: FxSet::default(),
            functions: FxMap::default(),
            procedures: FxMap::default(),
            scopes: Vec::new(),
            infer: infer::Inference::default(),
            states: States::None,
            in_trigger: false,
            in_code: false,
            pure_procedures: FxSet::default(),
            in_pure: false,
            assumptions: FxSet::default(),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    fn show(&self, ty: TypeId) -> String {
        let solved = self.infer.peek(&self.out.types, ty);
        self.out.show_type(solved)
    }

    // Names

    fn new_var(&mut self, name: &ast::Ident, ty: TypeId, kind: VarKind) -> VarId {
        self.out.vars.push(Var { name: name.name.clone(), ty, kind, where_clause: None, attributes: Vec::new(), span: name.span });
        VarId(self.out.vars.len() as u32 - 1)
    }

    /// Enters a variable into the innermost scope.
    fn bind(&mut self, name: &ast::Ident, var: VarId) {
        let scope = self.scopes.last_mut().expect("a scope is open");
        if scope.contains_key(&name.name) {
            return self.error(name.span, format!("more than one declaration of variable name: {}", name.name));
        }
        scope.insert(name.name.clone(), var);
    }

    fn lookup(&self, name: &str) -> Option<VarId> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        local.or_else(|| self.globals.get(name)).copied()
    }

    /// A new variable in the innermost scope, with its attributes but not its where clause, which may mention others.
    fn declare_var(&mut self, decl: &ast::VarDecl, kind: VarKind) -> VarId {
        let ty = self.resolve_type(decl.ty);
        let var = self.new_var(&decl.name, ty, kind);
        self.bind(&decl.name, var);
        var
    }

    fn check_where(&mut self, decl: &ast::VarDecl, var: VarId) {
        if let Some(clause) = decl.where_clause {
            let clause = self.condition(clause, "a where clause");
            self.out.vars[var.index()].where_clause = Some(clause);
        }
    }

    /// A whole expression that must be a truth value.
    fn condition(&mut self, expr: ast::ExprId, what: &str) -> ExprId {
        self.root(expr, Some((crate::Types::BOOL, what)))
    }

    /// A whole expression, whose types are all known after it.
    fn root(&mut self, expr: ast::ExprId, expected: Option<(TypeId, &str)>) -> ExprId {
        let start = self.begin_root();
        let id = self.expr(expr);
        if let Some((ty, what)) = expected {
            self.expect_type(id, ty, what);
        }
        self.end_root(start);
        id
    }

    fn expect_type(&mut self, id: ExprId, ty: TypeId, what: &str) {
        let found = self.out.type_of(id);
        if !self.unify(found, ty) {
            let message = format!("{what} must be of type {}, not {}", self.show(ty), self.show(found));
            self.error(self.out.expr(id).span, message);
        }
    }
}
