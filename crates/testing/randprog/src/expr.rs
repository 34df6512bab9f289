//! Expressions of a wanted type without side effects and without undefined behaviour.
//!
//! Every function returns text in parentheses (or atomic) whose C type is exactly the wanted one, so that callers can
//! reason about promotions.

use crate::rng::Rng;
use crate::scope::Variable;
use crate::types::{I8, I16, I32, I64, INTEGERS, Ty, U8, U32};

/// Reads what `scope` holds.
pub struct Exprs<'a> {
    pub rng: &'a mut Rng,
    pub scope: &'a [Variable],
    pub floats: bool,
}

impl Exprs<'_> {
    pub fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 || self.rng.chance(12) {
            return self.leaf(ty);
        }
        if ty.is_float() { self.float(ty, depth - 1) } else { self.integer(ty, depth - 1) }
    }

    /// An int that is 0 or 1.
    pub fn condition(&mut self, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        match self.rng.below(8) {
            0 => {
                let (a, b) = (self.condition_or_leaf(depth), self.condition_or_leaf(depth));
                format!("({a} {} {b})", self.rng.pick(&["&&", "||"]))
            }
            1 => format!("(!{})", self.condition_or_leaf(depth)),
            // Types may differ: the usual arithmetic conversions decide what is compared.
            2 => {
                let (t, u) = (self.any_type(), self.any_type());
                self.comparison(t, u, depth)
            }
            _ => {
                let ty = self.any_type();
                self.comparison(ty, ty, depth)
            }
        }
    }

    /// An index below `n`, a power of two.
    pub fn index(&mut self, n: usize) -> String {
        if self.rng.chance(40) {
            return self.rng.below(n).to_string();
        }
        let ty = *self.rng.pick(&INTEGERS);
        let at = self.scalar(ty);
        format!("{at} & {}", n - 1)
    }

    fn condition_or_leaf(&mut self, depth: usize) -> String {
        if depth == 0 { format!("({} != 0)", self.leaf(I32)) } else { self.condition(depth) }
    }

    fn comparison(&mut self, left: Ty, right: Ty, depth: usize) -> String {
        let (a, b) = (self.expr(left, depth), self.expr(right, depth));
        format!("({a} {} {b})", self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]))
    }

    fn any_type(&mut self) -> Ty {
        Ty::random(self.rng, self.floats)
    }

    /// A literal or something from the scope, converted.
    fn leaf(&mut self, ty: Ty) -> String {
        if self.scope.is_empty() || self.rng.chance(25) {
            return ty.random_literal(self.rng);
        }
        let variable = self.rng.pick(self.scope);
        let scope = self.scope;
        let floats = self.floats;
        let lvalue = variable.lvalue(self.rng, &mut |rng, n| Exprs { rng, scope, floats }.index(n));
        if lvalue.ty == ty && !lvalue.bitfield { lvalue.text } else { convert(&lvalue.text, lvalue.ty, ty) }
    }

    /// Like a leaf, but without an index in it: indices of indices would grow without bound.
    fn scalar(&mut self, ty: Ty) -> String {
        use crate::scope::Kind::Scalar;
        let scalars: Vec<(String, Ty)> = self
            .scope
            .iter()
            .filter_map(|v| if let Scalar(t) = v.kind { (!t.is_float()).then(|| (v.name.clone(), t)) } else { None })
            .collect();
        if scalars.is_empty() {
            return ty.random_literal(self.rng);
        }
        let (name, from) = self.rng.pick(&scalars).clone();
        convert(&name, from, ty)
    }

    fn integer(&mut self, ty: Ty, depth: usize) -> String {
        let name = ty.name();
        match self.rng.below(12) {
            0..=2 => self.wrapping(ty, depth),
            3 => self.division(ty, depth),
            4 => self.shift(ty, depth),
            5 => format!("(({name}){})", self.condition(depth)),
            6 => {
                let (c, a, b) = (self.condition(depth.min(1)), self.expr(ty, depth), self.expr(ty, depth));
                format!("(({name})({c} ? {a} : {b}))")
            }
            7 => {
                let from = self.any_type();
                convert(&self.expr(from, depth), from, ty)
            }
            8 => format!("(({name})~{})", self.expr(ty, depth)),
            9 if ty.signed() => format!("(({name})-({} >> 1))", self.expr(ty, depth)),
            9 => format!("(({name})-({}){})", ty.wide().name(), self.expr(ty, depth)),
            _ => self.exact(ty, depth),
        }
    }

    /// Wrap-around arithmetic, done in an unsigned type.
    fn wrapping(&mut self, ty: Ty, depth: usize) -> String {
        let (name, wide) = (ty.name(), ty.wide().name());
        let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        if ty == ty.wide() {
            return format!("({a} {op} {b})");
        }
        format!("(({name})(({wide}){a} {op} ({wide}){b}))")
    }

    /// Arithmetic in the promoted type, signed where the type is, with operands small enough.
    fn exact(&mut self, ty: Ty, depth: usize) -> String {
        let name = ty.name();
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        let sum = *self.rng.pick(&["+", "-"]);
        match ty {
            I8 | I16 | U8 => {
                let op = *self.rng.pick(&["+", "-", "*"]);
                format!("(({name})({a} {op} {b}))")
            }
            I32 if self.rng.chance(40) => format!("(({a} % 1000) * ({b} % 1000))"),
            I64 if self.rng.chance(40) => {
                let (a, b) = (self.expr(I32, depth), self.expr(I32, depth));
                format!("((i64){a} * {b})")
            }
            I32 | I64 if self.rng.chance(50) => format!("(({a} >> 1) {sum} ({b} >> 1))"),
            I32 | I64 => format!("(({a} / 2) {sum} ({b} / 2))"),
            _ => format!("(({name})({a} {sum} {b}))"),
        }
    }

    /// Unsigned divisors are made odd; signed ones lie in 1..16 or -17..-2.
    fn division(&mut self, ty: Ty, depth: usize) -> String {
        let name = ty.name();
        let op = *self.rng.pick(&["/", "%"]);
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        if !ty.signed() {
            format!("(({name})({a} {op} ({b} | 1)))")
        } else if self.rng.chance(60) {
            format!("(({name})({a} {op} (({b} & 15) + 1)))")
        } else {
            format!("(({name})({a} {op} (-({b} & 15) - 2)))")
        }
    }

    /// Left shifts are unsigned; right shifts of signed values copy the sign.
    fn shift(&mut self, ty: Ty, depth: usize) -> String {
        let (name, wide, mask) = (ty.name(), ty.wide().name(), ty.bits() - 1);
        let (a, n) = (self.expr(ty, depth), self.expr(U32, depth.min(1)));
        if self.rng.chance(50) {
            format!("(({name})(({wide}){a} << ({n} & {mask})))")
        } else {
            format!("(({name})({a} >> ({n} & {mask})))")
        }
    }

    fn float(&mut self, ty: Ty, depth: usize) -> String {
        let name = ty.name();
        match self.rng.below(8) {
            0..=3 => {
                let op = *self.rng.pick(&["+", "-", "*"]);
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                format!("({a} {op} {b})")
            }
            4 => {
                let divisor = if ty == Ty::Float { "3.5f" } else { "7.25" };
                format!("({} / {divisor})", self.expr(ty, depth))
            }
            5 => format!("(-{})", self.expr(ty, depth)),
            6 => {
                let (c, a, b) = (self.condition(depth.min(1)), self.expr(ty, depth), self.expr(ty, depth));
                format!("({c} ? {a} : {b})")
            }
            _ => {
                let from = *self.rng.pick(&INTEGERS);
                format!("(({name}){})", self.expr(from, depth))
            }
        }
    }
}

/// The conversion of `text`; floats become integers through a function that checks the range.
pub fn convert(text: &str, from: Ty, to: Ty) -> String {
    if from == to && text.starts_with('(') {
        text.to_owned()
    } else if from.is_float() && !to.is_float() {
        format!("(({})to_int({text}))", to.name())
    } else {
        format!("(({}){text})", to.name())
    }
}
