//! Writes an `ast::Program` so that it parses back to the same program: names that are keywords get their backslash,
//! operators get parentheses where the grammar needs them and no others.

mod declarations;
mod expressions;
mod statements;
mod typed;

use crate::ast::{Attribute, AttributeParam, Ident, Program, Trigger, TypeId, TypeKind};
use crate::token::Keyword;
pub use typed::print_typed;

/// The program as text.
pub fn print(program: &Program) -> String {
    write(program, false)
}

/// Whether two programs are the same but for places in the text: they are when they are written the same with all
/// parentheses.
pub fn same(a: &Program, b: &Program) -> bool {
    write(a, true) == write(b, true)
}

fn write(program: &Program, all_parentheses: bool) -> String {
    let mut printer = Printer { program, out: String::new(), indent: 0, all_parentheses };
    for decl in &program.decls {
        printer.declaration(decl);
    }
    printer.out
}

struct Printer<'a> {
    program: &'a Program,
    out: String,
    indent: usize,
    all_parentheses: bool,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line_start(&mut self) {
        self.out.push_str(&"  ".repeat(self.indent.min(40)));
    }

    /// A name, with a backslash if it would be read as something else.
    fn name(&mut self, name: &str) {
        const WORDS: [&str; 28] = [
            "RNE",
            "RNA",
            "RTP",
            "RTN",
            "RTZ",
            "roundNearestTiesToEven",
            "roundNearestTiesToAway",
            "roundTowardPositive",
            "roundTowardNegative",
            "roundTowardZero",
            "finite",
            "extends",
            "complete",
            "yield",
            "left",
            "right",
            "both",
            "atomic",
            "action",
            "revealed",
            "hideable",
            "measure",
            "push",
            "pop",
            "hide",
            "reveal",
            "par",
            "refines",
        ];
        if Keyword::of(name).is_some() || WORDS.contains(&name) {
            self.out.push('\\');
        }
        self.out.push_str(name);
    }

    fn names(&mut self, names: &[Ident]) {
        self.list(names, ", ", |p, name| p.name(&name.name));
    }

    fn list<T>(&mut self, items: &[T], between: &str, mut item: impl FnMut(&mut Self, &T)) {
        for (at, each) in items.iter().enumerate() {
            if at > 0 {
                self.put(between);
            }
            item(self, each);
        }
    }

    /// `<a, b>`, or nothing.
    fn type_params(&mut self, params: &[Ident]) {
        if !params.is_empty() {
            self.put("<");
            self.names(params);
            self.put(">");
        }
    }

    fn ty(&mut self, id: TypeId) {
        crate::deep(|| {
            let program = self.program;
            match &program.ty(id).kind {
                TypeKind::Bool => self.put("bool"),
                TypeKind::Int => self.put("int"),
                TypeKind::Real => self.put("real"),
                TypeKind::Named { name, args } => {
                    self.name(name);
                    for arg in args {
                        self.put(" ");
                        self.type_atom(*arg);
                    }
                }
                TypeKind::Map { type_params, args, result } => {
                    self.type_params(type_params);
                    self.put("[");
                    self.list(args, ", ", |p, arg| p.ty(*arg));
                    self.put("]");
                    self.ty(*result);
                }
            }
        });
    }

    /// A type as an argument of a type constructor.
    fn type_atom(&mut self, id: TypeId) {
        let program = self.program;
        let plain = match &program.ty(id).kind {
            TypeKind::Named { args, .. } => args.is_empty(),
            TypeKind::Map { .. } => false,
            _ => true,
        };
        if plain {
            return self.ty(id);
        }
        self.put("(");
        self.ty(id);
        self.put(")");
    }

    /// Attributes, each with a space after it.
    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.put("{:");
            self.put(&attribute.name.name);
            for (at, param) in attribute.params.iter().enumerate() {
                self.put(if at == 0 { " " } else { ", " });
                match param {
                    AttributeParam::Str(text) => {
                        self.put("\"");
                        self.put(text);
                        self.put("\"");
                    }
                    AttributeParam::Expr(expr) => self.expr(*expr),
                }
            }
            self.put("} ");
        }
    }

    fn triggers(&mut self, triggers: &[Trigger]) {
        for trigger in triggers {
            self.put(if trigger.positive { "{ " } else { "{:nopats " });
            self.list(&trigger.terms, ", ", |p, term| p.expr(*term));
            self.put(" } ");
        }
    }
}
