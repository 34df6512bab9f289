//! Statements over a scope, written as indented text.

use crate::calls::Function;
use crate::expr::Exprs;
use crate::rng::Rng;
use crate::scope::{Kind, Lvalue, Variable};
use crate::types::{I32, StructTy, Ty, U32};

/// Loops stop nesting when their bodies would run more often than this.
const MOST_ROUNDS: usize = 40;

pub struct Stmts<'a> {
    pub rng: &'a mut Rng,
    pub scope: Vec<Variable>,
    pub functions: &'a [Function],
    pub structs: &'a [StructTy],
    pub floats: bool,
    pub text: String,
    pub indent: usize,
    /// How often the current statement runs.
    pub rounds: usize,
    /// Calls are made where the current statement runs at most this often.
    pub call_rounds: usize,
    /// For names of loop counters and labels.
    pub fresh: usize,
    /// Statements at the top level of a function, and how deep they nest.
    pub size: (usize, usize),
}

impl Stmts<'_> {
    pub fn line(&mut self, line: &str) {
        self.text += &"  ".repeat(self.indent);
        self.text += line;
        self.text.push('\n');
    }

    pub fn exprs(&mut self) -> Exprs<'_> {
        Exprs { rng: self.rng, scope: &self.scope, floats: self.floats }
    }

    pub fn expr(&mut self, ty: Ty, depth: usize) -> String {
        self.exprs().expr(ty, depth)
    }

    fn condition(&mut self) -> String {
        self.exprs().condition(2)
    }

    /// A random lvalue that may be written, if there is one.
    pub fn target(&mut self) -> Option<Lvalue> {
        let writable: Vec<usize> = (0..self.scope.len()).filter(|&i| self.scope[i].writable).collect();
        if writable.is_empty() {
            return None;
        }
        let variable = self.scope[*self.rng.pick(&writable)].clone();
        let (scope, floats) = (&self.scope, self.floats);
        Some(variable.lvalue(self.rng, &mut |rng, n| Exprs { rng, scope, floats }.index(n)))
    }

    pub fn block(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn body(&mut self, depth: usize) {
        self.indent += 1;
        let count = self.rng.between(1, 3);
        self.block(count, depth);
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        let nested = depth > 0;
        match self.rng.below(24) {
            0..=6 => self.assign(),
            7..=9 => self.update(),
            10 | 11 if nested => self.if_else(depth - 1),
            12 | 13 if nested => self.for_loop(depth - 1),
            14 if nested => self.while_loop(depth - 1),
            15 if nested => self.switch(depth - 1),
            16 if nested => self.skip(depth - 1),
            17 | 18 => self.retarget(),
            19 | 20 => self.call(),
            21 => self.call_helper(),
            22 => self.block_operation(),
            23 => self.mix(),
            _ => self.assign(),
        }
    }

    pub fn assign(&mut self) {
        if let Some(lvalue) = self.target() {
            let depth = self.rng.between(1, 3);
            let value = self.expr(lvalue.ty, depth);
            self.line(&format!("{} = {value};", lvalue.text));
        }
    }

    /// Compound assignment and increments, where they cannot overflow.
    fn update(&mut self) {
        let Some(lvalue) = self.target() else { return };
        let text = lvalue.text;
        let small = lvalue.ty.bits() < 32;
        let line = if lvalue.ty.is_float() {
            format!("{text} {}= {};", self.rng.pick(&["+", "-", "*"]).to_owned(), self.expr(lvalue.ty, 1))
        } else if (!lvalue.ty.signed() || small) && self.rng.chance(30) {
            let op = *self.rng.pick(&["++", "--"]);
            if self.rng.chance(50) { format!("{text}{op};") } else { format!("{op}{text};") }
        } else if lvalue.ty.signed() {
            let op = *self.rng.pick(&["&", "|", "^"]);
            format!("{text} {op}= {};", self.expr(lvalue.ty, 2))
        } else {
            let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
            format!("{text} {op}= {};", self.expr(lvalue.ty.wide(), 2))
        };
        self.line(&line);
    }

    fn if_else(&mut self, depth: usize) {
        let condition = self.condition();
        self.line(&format!("if {condition} {{"));
        self.body(depth);
        if self.rng.chance(50) {
            self.line("} else {");
            self.body(depth);
        }
        self.line("}");
    }

    fn bound(&mut self) -> usize {
        self.rng.between(1, (MOST_ROUNDS / self.rounds).clamp(1, 7))
    }

    pub fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn for_loop(&mut self, depth: usize) {
        let (bound, counter) = (self.bound(), self.name("k"));
        let ty = if self.rng.chance(70) { I32 } else { Ty::random(self.rng, false) };
        let header = if self.rng.chance(70) {
            format!("for ({} {counter} = 0; {counter} < {bound}; {counter}++) {{", ty.name())
        } else {
            format!("for ({} {counter} = {bound}; {counter} > 0; {counter}--) {{", ty.name())
        };
        self.line(&header);
        self.scope.push(Variable { name: counter, kind: Kind::Scalar(ty), writable: false });
        self.rounds *= bound;
        self.body(depth);
        if self.rng.chance(25) {
            let condition = self.condition();
            let exit = *self.rng.pick(&["break", "continue"]);
            self.indent += 1;
            self.line(&format!("if {condition} {exit};"));
            self.assign();
            self.indent -= 1;
        }
        self.rounds /= bound;
        self.scope.pop();
        self.line("}");
    }

    /// A loop that ends by a counter or earlier by a condition.
    fn while_loop(&mut self, depth: usize) {
        let (bound, counter) = (self.bound(), self.name("w"));
        let condition = self.condition();
        let at_end = self.rng.chance(40);
        self.line(&format!("u32 {counter} = {bound};"));
        self.line(&if at_end { "do {".to_owned() } else { format!("while ({counter} > 0 && {condition}) {{") });
        self.rounds *= bound;
        self.body(depth);
        self.rounds /= bound;
        self.indent += 1;
        self.line(&format!("{counter}--;"));
        self.indent -= 1;
        self.line(&if at_end { format!("}} while ({counter} > 0 && {condition});") } else { "}".to_owned() });
    }

    /// Cases in random order, some falling through, the default somewhere.
    fn switch(&mut self, depth: usize) {
        let ty = Ty::random(self.rng, false);
        let on = self.expr(ty, 2);
        self.line(&format!("switch ({on} & 7) {{"));
        let default_at = self.rng.below(6);
        let mut values: Vec<usize> = (0..8).collect();
        for position in 0..4 {
            if position == default_at {
                self.case("default", depth);
            }
            let value = values.remove(self.rng.below(values.len()));
            self.case(&format!("case {value}"), depth);
        }
        self.line("}");
    }

    fn case(&mut self, label: &str, depth: usize) {
        self.line(&format!("{label}: {{"));
        self.body(depth);
        let end = if self.rng.chance(75) { "} break;" } else { "}" };
        self.line(end);
    }

    /// A goto over some statements.
    fn skip(&mut self, depth: usize) {
        let (condition, label) = (self.condition(), self.name("skip"));
        self.line(&format!("if {condition} goto {label};"));
        self.line("{");
        self.body(depth);
        self.line("}");
        self.line(&format!("{label}:;"));
    }

    /// Lets a pointer point to something else of its type.
    fn retarget(&mut self) {
        let pointers: Vec<Variable> =
            self.scope.iter().filter(|v| matches!(v.kind, Kind::Pointer(_) | Kind::StructPointer(_))).cloned().collect();
        if pointers.is_empty() {
            return self.assign();
        }
        let pointer = self.rng.pick(&pointers).clone();
        let first = self.address_for(&pointer.kind);
        let second = self.address_for(&pointer.kind);
        let (Some(first), Some(second)) = (first, second) else {
            return;
        };
        let line = if self.rng.chance(50) {
            format!("{} = {first};", pointer.name)
        } else {
            format!("{} = {} ? {first} : {second};", pointer.name, self.condition())
        };
        self.line(&line);
    }

    /// An address that a variable of this pointer kind may hold.
    pub fn address_for(&mut self, kind: &Kind) -> Option<String> {
        match kind {
            Kind::Pointer(ty) => self.scalar_address(*ty),
            Kind::StructPointer(ty) => {
                let candidates: Vec<String> = self.scope.iter().filter_map(|v| struct_address(v, ty)).collect();
                (!candidates.is_empty()).then(|| self.rng.pick(&candidates).clone())
            }
            _ => None,
        }
    }

    /// Loop counters are left out: they are not writable. So is what only lives as long as a block.
    fn scalar_address(&mut self, ty: Ty) -> Option<String> {
        for _ in 0..30 {
            let lvalue = self.target()?;
            if lvalue.ty == ty && lvalue.addressable {
                return Some(format!("&{}", lvalue.text));
            }
        }
        None
    }

    /// memset, memmove with a computed length, or a struct assignment.
    fn block_operation(&mut self) {
        let arrays: Vec<(String, Ty, usize)> = self
            .scope
            .iter()
            .filter_map(|v| match v.kind {
                Kind::Array(ty, n) if !ty.is_float() => Some((v.name.clone(), ty, n)),
                _ => None,
            })
            .collect();
        if arrays.is_empty() {
            return;
        }
        let (to, ty, n) = self.rng.pick(&arrays).clone();
        let (from, other, m) = self.rng.pick(&arrays).clone();
        let bytes = (n * ty.bits() as usize / 8).min(m * other.bits() as usize / 8);
        let length = format!("({} & {})", self.expr(U32, 1), bytes - 1);
        let line = match self.rng.below(3) {
            0 => format!("memset({to}, {}, {length});", self.expr(I32, 1)),
            1 => format!("memmove({to}, {from}, {length});"),
            _ => format!("memmove({to} + 1, {to}, {} * sizeof {to}[0]);", n - 1),
        };
        self.line(&line);
    }

    pub fn mix(&mut self) {
        let value = self.expr(U32, 2);
        self.line(&format!("mix({value});"));
    }
}

fn struct_address(variable: &Variable, ty: &StructTy) -> Option<String> {
    match &variable.kind {
        Kind::Struct(t) if t.name == ty.name => Some(format!("&{}", variable.name)),
        Kind::StructArray(t, n) if t.name == ty.name => Some(format!("&{}[{}]", variable.name, n - 1)),
        Kind::StructPointer(t) if t.name == ty.name => Some(variable.name.clone()),
        _ => None,
    }
}
