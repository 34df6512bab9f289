//! Whole programs: types, globals, functions and `main`.

use std::fmt::Write;

use crate::calls::{Function, Returned};
use crate::expr::Exprs;
use crate::harmless::{Freedom, Input, use_harmlessly};
use crate::parts::{declaration, initialiser};
use crate::rng::Rng;
use crate::scope::{Kind, Variable};
use crate::stmt::Stmts;
use crate::types::{StructTy, Ty, U32};
use crate::variants::TestProgram;

/// A function of arguments of four types, one after the other, as many as its first argument says.
const VARIADIC: &str = "\
static u32 variadic(u32 count, ...) {
  va_list rest;
  u32 sum = count;
  va_start(rest, count);
  for (u32 i = 0; i < count; i++) {
    sum = sum * 31u;
    switch (i & 3) {
    case 0: sum += va_arg(rest, u32); break;
    case 1: sum ^= (u32)(va_arg(rest, u64) >> 7); break;
    case 2: sum += (u32)to_int(va_arg(rest, double)); break;
    default: sum ^= *va_arg(rest, const u32 *); break;
    }
  }
  va_end(rest);
  return sum;
}

";

/// How large programs are and what is in them.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many inputs there are that assumptions fix to one value.
    pub inputs: usize,
    /// How many more inputs stay unconstrained or range over three values.
    pub loose_inputs: usize,
    /// How many functions besides `main`.
    pub functions: usize,
    /// Statements at the top level of each function.
    pub statements: usize,
    /// How deep statements nest.
    pub depth: usize,
    /// Whether there are variables of floating-point types.
    pub floats: bool,
    /// At most this many paths come from loose inputs.
    pub paths: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { inputs: 4, loose_inputs: 2, functions: 3, statements: 6, depth: 2, floats: true, paths: 12 }
    }
}

/// The program of a seed.
pub fn generate(seed: u64, options: &Options) -> TestProgram {
    let mut rng = Rng::new(seed);
    let mut builder = Builder { rng: &mut rng, options, text: String::new(), structs: vec![], globals: vec![] };
    builder.types_and_globals();
    let inputs = builder.inputs();
    builder.helpers();
    let functions = builder.functions();
    let main = builder.main(&inputs, &functions);
    TestProgram { inputs, before: builder.text, main }
}

struct Builder<'a> {
    rng: &'a mut Rng,
    options: &'a Options,
    text: String,
    structs: Vec<StructTy>,
    globals: Vec<Variable>,
}

impl Builder<'_> {
    fn types_and_globals(&mut self) {
        for index in 0..2 {
            let ty = StructTy::random(self.rng, index, self.options.floats);
            self.text += &ty.definition();
            self.structs.push(ty);
        }
        self.text.push('\n');
        for index in 0..self.rng.between(4, 7) {
            let kind = self.kind(index);
            self.declare_global(format!("g{index}"), kind);
        }
    }

    /// The first two are a word and an array, so that every program has them.
    fn kind(&mut self, index: usize) -> Kind {
        let ty = Ty::random(self.rng, self.options.floats);
        let structure = self.rng.pick(&self.structs).clone();
        match if index < 2 { index } else { self.rng.below(7) } {
            0 if index == 0 => Kind::Scalar(U32),
            0 | 2 => Kind::Scalar(ty),
            1 => Kind::Array(ty, 1 << self.rng.between(1, 3)),
            3 => Kind::Struct(structure),
            4 => Kind::StructArray(structure, 2),
            5 => Kind::Matrix(ty, 2, 1 << self.rng.between(1, 2)),
            _ => Kind::View,
        }
    }

    fn declare_global(&mut self, name: String, kind: Kind) {
        let declaration = declaration(&name, &kind);
        let initial = initialiser(self.rng, &kind);
        let _ = writeln!(self.text, "static {declaration} = {initial};");
        self.globals.push(Variable::new(name, kind));
    }

    /// Fixed inputs become globals that the whole program uses; loose ones stay in `main`.
    fn inputs(&mut self) -> Vec<Input> {
        let (fixed, loose) = (self.options.inputs, self.options.loose_inputs);
        let mut inputs = Vec::new();
        for index in 0..fixed + loose {
            let freedom = match index {
                i if i < fixed => Freedom::Fixed,
                _ if self.rng.chance(50) => Freedom::Free,
                _ => Freedom::Range,
            };
            let input = Input::random(self.rng, index, freedom, self.options.floats);
            if freedom == Freedom::Fixed {
                let _ = writeln!(self.text, "static {} {};", input.ty.name(), input.name);
                self.globals.push(Variable::new(input.name.clone(), Kind::Scalar(input.ty)));
            }
            inputs.push(input);
        }
        inputs
    }

    /// A table of four small functions, and one that calls itself.
    fn helpers(&mut self) {
        self.text.push('\n');
        let scope = [Variable::new("a".into(), Kind::Scalar(U32)), Variable::new("b".into(), Kind::Scalar(U32))];
        for index in 0..4 {
            let body = Exprs { rng: self.rng, scope: &scope, floats: false }.expr(U32, 2);
            let _ = writeln!(self.text, "static u32 operation{index}(u32 a, u32 b) {{ return {body}; }}");
        }
        self.text += "static u32 (*const operations[4])(u32, u32) = {\n";
        self.text += "  operation0, operation1, operation2, operation3,\n};\n\n";
        let step = Exprs { rng: self.rng, scope: &scope, floats: false }.expr(U32, 2);
        let _ = writeln!(self.text, "static u32 recursive(u32 a, u32 b) {{");
        let _ = writeln!(self.text, "  return a == 0 ? b : recursive(a - 1, b + {step});\n}}\n");
        self.text += VARIADIC;
    }

    fn functions(&mut self) -> Vec<Function> {
        let mut functions = Vec::new();
        for index in 0..self.options.functions {
            let function = self.signature(index);
            self.function(&function, &functions);
            functions.push(function);
        }
        functions
    }

    fn signature(&mut self, index: usize) -> Function {
        let array = self.globals[1].kind.clone();
        let parameters = (0..self.rng.between(1, 4))
            .map(|_| match self.rng.below(6) {
                0 => Kind::Struct(self.rng.pick(&self.structs).clone()),
                1 => array.clone(),
                _ => Kind::Scalar(Ty::random(self.rng, self.options.floats)),
            })
            .collect();
        let result = match self.rng.chance(25) {
            true => Returned::Struct(self.rng.pick(&self.structs).clone()),
            false => Returned::Scalar(Ty::random(self.rng, self.options.floats)),
        };
        Function { name: format!("fun{index}"), parameters, result }
    }

    fn function(&mut self, function: &Function, callable: &[Function]) {
        let mut scope = self.globals.clone();
        let mut parameters = Vec::new();
        for (index, kind) in function.parameters.iter().enumerate() {
            let name = format!("p{index}");
            parameters.push(declaration(&name, kind));
            scope.push(Variable::new(name, kind.clone()));
        }
        let result = match &function.result {
            Returned::Scalar(ty) => Kind::Scalar(*ty),
            Returned::Struct(ty) => Kind::Struct(ty.clone()),
        };
        let header = declaration(&format!("{}({})", function.name, parameters.join(", ")), &result);
        let _ = writeln!(self.text, "static {header} {{");
        let heap = self.rng.chance(30);
        let mut stmts = self.stmts(scope, callable, 1);
        stmts.declare("result".into(), result);
        stmts.locals(heap);
        if stmts.rng.chance(40) {
            stmts.line("static u32 calls = 3;");
            stmts.line("calls++;");
            stmts.scope.push(Variable::new("calls".into(), Kind::Scalar(U32)));
        }
        stmts.block_of_function();
        stmts.mix();
        stmts.free(heap);
        stmts.line("return result;");
        let body = stmts.text;
        self.text += &body;
        self.text += "}\n\n";
    }

    fn stmts<'b>(&'b mut self, scope: Vec<Variable>, functions: &'b [Function], call_rounds: usize) -> Stmts<'b> {
        Stmts {
            rng: self.rng,
            scope,
            functions,
            structs: &self.structs,
            floats: self.options.floats,
            text: String::new(),
            indent: 1,
            rounds: 1,
            call_rounds,
            fresh: 0,
            size: (self.options.statements, self.options.depth),
        }
    }

    fn main(&mut self, inputs: &[Input], functions: &[Function]) -> String {
        let (paths, globals) = (self.options.paths, self.globals.clone());
        let heap = self.rng.chance(40);
        let mut stmts = self.stmts(globals, functions, 4);
        for input in inputs {
            let ty = if input.freedom == Freedom::Fixed { String::new() } else { input.ty.name().to_owned() + " " };
            stmts.line(&format!("{ty}{} = ({})read_{}();", input.name, input.ty.name(), input.name));
        }
        stmts.declare("acc".into(), Kind::Scalar(U32));
        stmts.locals(heap);
        let mut left = paths;
        for input in inputs.iter().filter(|i| i.freedom != Freedom::Fixed) {
            stmts.block_of_function();
            for _ in 0..stmts.rng.between(1, 2) {
                let e = stmts.expr(U32, 1);
                let (line, factor) = use_harmlessly(stmts.rng, input, "acc", &e, left >= 4);
                left /= factor;
                stmts.line(&line);
            }
        }
        stmts.block_of_function();
        for index in 0..stmts.scope.len() {
            let variable = stmts.scope[index].clone();
            stmts.mix_all(&variable);
        }
        stmts.free(heap);
        stmts.text
    }
}
