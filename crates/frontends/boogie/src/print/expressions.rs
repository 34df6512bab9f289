//! Expressions, with as few parentheses as the grammar allows.

use super::Printer;
use crate::ast::{BinaryOp, Binder, Decimal, ExprId, ExprKind, FloatLit, FloatValue, Rounding, UnaryOp, VarDecl};

/// How tightly an expression binds, as in the parser; an operand that binds less gets parentheses.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Iff,
    Implies,
    Logical,
    Relation,
    Concat,
    Sum,
    Product,
    Power,
    Is,
    Unary,
    Coercion,
    Atom,
}

fn strength_of(op: BinaryOp) -> Strength {
    use BinaryOp::*;
    match op {
        Iff => Strength::Iff,
        Implies => Strength::Implies,
        And | Or => Strength::Logical,
        Eq | Ne | Lt | Le | Gt | Ge | Below => Strength::Relation,
        Concat => Strength::Concat,
        Add | Sub => Strength::Sum,
        Mul | Div | Mod | RealDiv => Strength::Product,
        Pow => Strength::Power,
    }
}

fn strength(kind: &ExprKind) -> Strength {
    match kind {
        ExprKind::Binary(op, ..) => strength_of(*op),
        ExprKind::Is { .. } => Strength::Is,
        ExprKind::Unary(..) => Strength::Unary,
        ExprKind::Typed { .. } => Strength::Coercion,
        // The part behind `else` extends as far as possible.
        ExprKind::Ite(..) => Strength::Iff,
        // A minus sign before it could be read as part of it, and the other way round.
        ExprKind::Float(FloatLit { value: FloatValue::Hex { negative: true, .. }, .. }) => Strength::Unary,
        _ => Strength::Atom,
    }
}

impl Printer<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        crate::deep(|| self.expr_step(id));
    }

    fn operand(&mut self, id: ExprId, at_least: Strength) {
        let found = strength(&self.program.expr(id).kind);
        let weak = found < at_least || self.all_parentheses && found < Strength::Atom;
        self.put(if weak { "(" } else { "" });
        self.expr(id);
        self.put(if weak { ")" } else { "" });
    }

    fn arguments(&mut self, open: &str, args: &[ExprId], close: &str) {
        self.put(open);
        self.list(args, ", ", |p, arg| p.expr(*arg));
        self.put(close);
    }

    fn expr_step(&mut self, id: ExprId) {
        let program = self.program;
        match &program.expr(id).kind {
            ExprKind::Bool(value) => self.put(if *value { "true" } else { "false" }),
            ExprKind::Int(value) => self.put(&value.to_string()),
            ExprKind::Real(value) => self.put(&decimal(value)),
            ExprKind::BitVec { value, width } => self.put(&format!("{value}bv{width}")),
            ExprKind::Float(literal) => self.put(&float(literal)),
            ExprKind::Rounding(mode) => self.put(rounding(*mode)),
            ExprKind::Str(text) => self.put(&format!("\"{text}\"")),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call { function, args } => {
                self.name(&function.name);
                self.arguments("(", args, ")");
            }
            ExprKind::Unary(op, value) => {
                self.put(if *op == UnaryOp::Not { "!" } else { "-" });
                self.unary_operand(*value);
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b),
            ExprKind::Ite(condition, then, otherwise) => {
                for (word, part) in [("if ", condition), (" then ", then), (" else ", otherwise)] {
                    self.put(word);
                    self.expr(*part);
                }
            }
            ExprKind::Old(value) => self.arguments("old(", &[*value], ")"),
            ExprKind::ToInt(value) => self.arguments("int(", &[*value], ")"),
            ExprKind::ToReal(value) => self.arguments("real(", &[*value], ")"),
            ExprKind::Select { map, args } => {
                self.operand(*map, Strength::Atom);
                self.arguments("[", args, "]");
            }
            ExprKind::Store { map, args, value } => {
                self.operand(*map, Strength::Atom);
                self.arguments("[", args, if args.is_empty() { ":= " } else { " := " });
                self.arguments("", &[*value], "]");
            }
            ExprKind::Extract { value, high, low } => {
                self.operand(*value, Strength::Atom);
                self.put(&format!("[{high}:{low}]"));
            }
            ExprKind::Typed { value, ty } => {
                // Another coercion to the left is fine, but its type would go on into this one.
                self.operand(*value, Strength::Atom);
                self.put(" : ");
                // In parentheses, so that nothing after it is taken for an argument of the type.
                self.put("(");
                self.ty(*ty);
                self.put(")");
            }
            ExprKind::Is { value, constructor } => {
                self.operand(*value, Strength::Unary);
                self.put(" is ");
                self.name(&constructor.name);
            }
            ExprKind::Field { value, field } => {
                self.operand(*value, Strength::Atom);
                self.put("->");
                self.name(&field.name);
            }
            ExprKind::FieldUpdate { value, field, to } => {
                self.operand(*value, Strength::Atom);
                self.put("->(");
                self.name(&field.name);
                self.put(" := ");
                self.expr(*to);
                self.put(")");
            }
            ExprKind::Quantifier { forall, binder, triggers, body } => {
                self.binder(if *forall { "(forall" } else { "(exists" }, binder);
                self.triggers(triggers);
                self.expr(*body);
                self.put(")");
            }
            ExprKind::Lambda { binder, body } => {
                self.binder("(lambda", binder);
                self.expr(*body);
                self.put(")");
            }
            ExprKind::Let { vars, values, attributes, body } => {
                self.put("(var ");
                self.list(vars, ", ", |p, var| {
                    p.attributes(&var.attributes);
                    p.name(&var.name.name);
                });
                self.put(" := ");
                self.arguments("", values, "; ");
                self.attributes(attributes);
                self.expr(*body);
                self.put(")");
            }
            ExprKind::Code(body) => self.code(body),
        }
    }

    /// The operand of a prefix operator. `-` before a number that begins with `0x` would become part of it.
    fn unary_operand(&mut self, id: ExprId) {
        let literal = matches!(self.program.expr(id).kind, ExprKind::Float(_));
        if literal {
            self.put("(");
            self.expr(id);
            self.put(")");
        } else {
            self.operand(id, Strength::Unary);
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) {
        let this = strength_of(op);
        let next = match this {
            Strength::Iff => Strength::Implies,
            Strength::Implies => Strength::Logical,
            Strength::Logical => Strength::Relation,
            Strength::Relation => Strength::Concat,
            Strength::Concat => Strength::Sum,
            Strength::Sum => Strength::Product,
            Strength::Product => Strength::Power,
            _ => Strength::Is,
        };
        // `==>` and `**` associate to the right, relations not at all, `&&` only with itself.
        let to_right = matches!(op, BinaryOp::Implies | BinaryOp::Pow);
        let same_logical = |id: ExprId| matches!(self.program.expr(id).kind, ExprKind::Binary(other, ..) if other == op);
        let left = match this {
            Strength::Relation => next,
            Strength::Logical if same_logical(a) => this,
            Strength::Logical => next,
            _ if to_right => next,
            _ => this,
        };
        self.operand(a, left);
        self.put(" ");
        self.put(op.text());
        self.put(" ");
        self.operand(b, if to_right { this } else { next });
    }

    fn binder(&mut self, word: &str, binder: &Binder) {
        self.put(word);
        self.type_params(&binder.type_params);
        self.put(" ");
        self.typed_names(&binder.vars);
        self.put(" :: ");
        self.attributes(&binder.attributes);
    }

    /// `x: int where e, y: bool`.
    pub(super) fn typed_names(&mut self, vars: &[VarDecl]) {
        self.list(vars, ", ", |p, var| {
            p.attributes(&var.attributes);
            p.typed_name(var);
        });
    }

    pub(super) fn typed_name(&mut self, var: &VarDecl) {
        self.name(&var.name.name);
        self.put(": ");
        self.ty(var.ty);
        if let Some(clause) = var.where_clause {
            self.put(" where ");
            self.expr(clause);
        }
    }
}

fn decimal(value: &Decimal) -> String {
    format!("{}e{}", value.mantissa, value.exponent)
}

pub(super) fn float(literal: &FloatLit) -> String {
    let FloatLit { value, significand, exponent: bits } = literal;
    match value {
        FloatValue::NaN => format!("0NaN{significand}e{bits}"),
        FloatValue::Infinity { negative } => format!("0{}oo{significand}e{bits}", if *negative { '-' } else { '+' }),
        FloatValue::Hex { negative, mantissa, fraction_digits, exponent } => {
            let digits = format!("{:0>width$}", mantissa.to_str_radix(16), width = *fraction_digits as usize + 1);
            let (whole, fraction) = digits.split_at(digits.len() - *fraction_digits as usize);
            format!("{}0x{whole}.{fraction}e{exponent}f{significand}e{bits}", if *negative { "-" } else { "" })
        }
    }
}

pub(super) fn rounding(mode: Rounding) -> &'static str {
    match mode {
        Rounding::NearestTiesToEven => "RNE",
        Rounding::NearestTiesToAway => "RNA",
        Rounding::TowardPositive => "RTP",
        Rounding::TowardNegative => "RTN",
        Rounding::TowardZero => "RTZ",
    }
}
