//! Calls: of generated functions, through the table of functions, of the recursive one. Each is a statement of its own,
//! so the order in which operands are evaluated never matters.

use crate::expr::convert;
use crate::scope::{Kind, Lvalue, Variable};
use crate::stmt::Stmts;
use crate::types::{StructTy, Ty, U32};

/// A function that later ones can call.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Kind>,
    pub result: Returned,
}

#[derive(Clone)]
pub enum Returned {
    Scalar(Ty),
    Struct(StructTy),
}

impl Stmts<'_> {
    pub fn call(&mut self) {
        if self.functions.is_empty() || self.rounds > self.call_rounds {
            return self.assign();
        }
        let function = self.rng.pick(self.functions).clone();
        let arguments: Vec<String> = function.parameters.iter().map(|p| self.argument(p)).collect();
        let call = format!("{}({})", function.name, arguments.join(", "));
        match function.result {
            Returned::Scalar(from) => {
                let Some(lvalue) = self.target() else { return };
                self.store_result(&call, from, lvalue);
            }
            Returned::Struct(ty) => {
                let holders: Vec<String> =
                    self.scope.iter().filter(|v| matches!(&v.kind, Kind::Struct(t) if t.name == ty.name)).map(|v| v.name.clone()).collect();
                if !holders.is_empty() {
                    let holder = self.rng.pick(&holders).clone();
                    self.line(&format!("{holder} = {call};"));
                }
            }
        }
    }

    fn argument(&mut self, kind: &Kind) -> String {
        match kind {
            Kind::Scalar(ty) => self.expr(*ty, 2),
            Kind::Struct(ty) => {
                let candidates: Vec<String> = self.scope.iter().filter_map(|v| struct_value(v, ty)).collect();
                let literal = format!("(struct {}){{ 0 }}", ty.name);
                if candidates.is_empty() { literal } else { self.rng.pick(&candidates).clone() }
            }
            Kind::Array(ty, n) => {
                let candidates: Vec<String> = self
                    .scope
                    .iter()
                    .filter(|v| matches!(v.kind, Kind::Array(t, m) if t == *ty && m >= *n))
                    .map(|v| v.name.clone())
                    .collect();
                self.rng.pick(&candidates).clone()
            }
            _ => unreachable!("parameters are scalars, structs and arrays"),
        }
    }

    /// A call through the table of functions, or of the recursive one.
    pub fn call_helper(&mut self) {
        if self.rounds > 8 {
            return self.assign();
        }
        let Some(lvalue) = self.target() else { return };
        let (a, b) = (self.expr(U32, 2), self.expr(U32, 2));
        let call = if self.rng.chance(60) {
            format!("operations[{a} & 3]({b}, {})", self.expr(U32, 1))
        } else if self.rng.chance(50) {
            format!("recursive({a} & 7, {b})")
        } else {
            self.variadic_call(&a, &b)
        };
        self.store_result(&call, U32, lvalue);
    }

    /// Up to six arguments whose types go round: u32, u64, double, pointer.
    fn variadic_call(&mut self, first: &str, second: &str) -> String {
        let count = self.rng.between(0, 6);
        let mut arguments = format!("variadic({count}u");
        for index in 0..count {
            let value = if index % 2 == 0 { first.to_owned() } else { second.to_owned() };
            arguments += &match index % 4 {
                0 => format!(", (u32)({value})"),
                1 => format!(", (u64)({value}) << 9"),
                2 => format!(", (double)(i32)(({value}) & 0xFFFFu) / 3"),
                _ => format!(", (const u32[]){{ {value} }}"),
            };
        }
        arguments + ")"
    }

    /// The result has a variable of its own: the call may change what the indices of the target read.
    fn store_result(&mut self, call: &str, from: Ty, lvalue: Lvalue) {
        let result = self.name("r");
        self.line(&format!("{} {result} = {call};", from.name()));
        self.line(&format!("{} = {};", lvalue.text, convert(&result, from, lvalue.ty)));
    }
}

fn struct_value(variable: &Variable, ty: &StructTy) -> Option<String> {
    match &variable.kind {
        Kind::Struct(t) if t.name == ty.name => Some(variable.name.clone()),
        Kind::StructArray(t, _) if t.name == ty.name => Some(format!("{}[0]", variable.name)),
        Kind::StructPointer(t) if t.name == ty.name => Some(format!("*{}", variable.name)),
        _ => None,
    }
}
