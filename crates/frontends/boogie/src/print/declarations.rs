//! Declarations.

use super::Printer;
use crate::ast::{Axiom, ConstDecl, Decl, DeclKind, FunctionDecl, Param, Signature, Spec, SpecKind};

impl Printer<'_> {
    pub(super) fn declaration(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::TypeCtor { name, params, finite } => {
                self.put("type ");
                self.attributes(&decl.attributes);
                self.put(if *finite { "finite " } else { "" });
                self.name(&name.name);
                for param in params {
                    self.put(" ");
                    self.name(&param.name);
                }
                self.put(";\n");
            }
            DeclKind::TypeSynonym { name, params, body } => {
                self.put("type ");
                self.attributes(&decl.attributes);
                self.name(&name.name);
                for param in params {
                    self.put(" ");
                    self.name(&param.name);
                }
                self.put(" = ");
                self.ty(*body);
                self.put(";\n");
            }
            DeclKind::Datatype { name, type_params, constructors } => {
                self.put("datatype ");
                self.attributes(&decl.attributes);
                self.name(&name.name);
                self.type_params(type_params);
                self.put(" { ");
                self.list(constructors, ", ", |p, constructor| {
                    p.name(&constructor.name.name);
                    p.put("(");
                    p.typed_names(&constructor.fields);
                    p.put(")");
                });
                self.put(" }\n");
            }
            DeclKind::Const(constants) => self.constants(decl, constants),
            DeclKind::Function(function) => self.function(decl, function),
            DeclKind::Axiom { hideable, body } => {
                self.put(if *hideable { "hideable axiom " } else { "axiom " });
                self.attributes(&decl.attributes);
                self.expr(*body);
                self.put(";\n");
            }
            DeclKind::Globals(vars) => {
                for var in vars {
                    self.put("var ");
                    self.attributes(&var.attributes);
                    self.typed_name(var);
                    self.put(";\n");
                }
            }
            DeclKind::Procedure(procedure) => {
                self.put(if procedure.pure_ { "pure procedure " } else { "procedure " });
                self.attributes(&decl.attributes);
                self.signature(&procedure.signature);
                self.put(if procedure.body.is_none() { ";\n" } else { "\n" });
                procedure.specs.iter().for_each(|spec| self.spec(spec));
                if let Some(body) = &procedure.body {
                    self.body(body);
                }
            }
            DeclKind::Implementation(implementation) => {
                self.put("implementation ");
                self.attributes(&decl.attributes);
                self.signature(&implementation.signature);
                self.put("\n");
                self.body(&implementation.body);
            }
            // What was skipped is written as it was.
            DeclKind::Unsupported { .. } => {
                let text = self.program.sources.slice(decl.span).to_string();
                self.put(&text);
                self.put("\n");
            }
        }
    }

    fn constants(&mut self, decl: &Decl, constants: &ConstDecl) {
        self.put("const ");
        self.attributes(&decl.attributes);
        self.put(if constants.unique { "unique " } else { "" });
        self.names(&constants.names);
        self.put(": ");
        self.ty(constants.ty);
        if let Some(order) = &constants.order {
            if let Some(parents) = &order.parents {
                self.put(" extends ");
                self.list(parents, ", ", |p, (unique, parent)| {
                    p.put(if *unique { "unique " } else { "" });
                    p.name(&parent.name);
                });
            }
            self.put(if order.complete { " complete" } else { "" });
        }
        if constants.uses.is_empty() {
            return self.put(";\n");
        }
        self.uses(&constants.uses);
    }

    fn uses(&mut self, axioms: &[Axiom]) {
        self.put(" uses {\n");
        for axiom in axioms {
            self.put(if axiom.hideable { "  hideable axiom " } else { "  axiom " });
            self.attributes(&axiom.attributes);
            self.expr(axiom.body);
            self.put(";\n");
        }
        self.put("}\n");
    }

    fn function(&mut self, decl: &Decl, function: &FunctionDecl) {
        self.put(if function.revealed { "revealed function " } else { "function " });
        self.attributes(&decl.attributes);
        self.name(&function.name.name);
        self.type_params(&function.type_params);
        self.put("(");
        self.list(&function.params, ", ", |p, param| p.param(param));
        self.put(") returns (");
        self.param(&function.result);
        self.put(")");
        if let Some(body) = function.body {
            self.put(" { ");
            self.expr(body);
            self.put(" }");
        }
        if !function.uses.is_empty() {
            return self.uses(&function.uses);
        }
        self.put(if function.body.is_none() { ";\n" } else { "\n" });
    }

    fn param(&mut self, param: &Param) {
        self.attributes(&param.attributes);
        if let Some(name) = &param.name {
            self.name(&name.name);
            self.put(": ");
        }
        self.ty(param.ty);
    }

    fn signature(&mut self, signature: &Signature) {
        self.name(&signature.name.name);
        self.type_params(&signature.type_params);
        self.put("(");
        self.typed_names(&signature.ins);
        self.put(")");
        if !signature.outs.is_empty() {
            self.put(" returns (");
            self.typed_names(&signature.outs);
            self.put(")");
        }
    }

    fn spec(&mut self, spec: &Spec) {
        match &spec.kind {
            SpecKind::Requires { free, condition } => {
                self.put(if *free { "  free requires " } else { "  requires " });
                self.attributes(&spec.attributes);
                self.expr(*condition);
            }
            SpecKind::Ensures { free, condition } => {
                self.put(if *free { "  free ensures " } else { "  ensures " });
                self.attributes(&spec.attributes);
                self.expr(*condition);
            }
            SpecKind::Modifies(names) => {
                self.put("  modifies ");
                self.names(names);
            }
            SpecKind::Measure(measures) => {
                self.put("  measure ");
                self.attributes(&spec.attributes);
                self.list(measures, ", ", |p, measure| p.expr(*measure));
            }
        }
        self.put(";\n");
    }
}
