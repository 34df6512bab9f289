//! Whole programs: globals, functions, `main`, and the three variants that are printed.

use std::fmt::Write;

use crate::expr::Exprs;
use crate::harmless::{Freedom, Input, use_harmlessly};
use crate::rng::Rng;
use crate::scope::{Kind, Variable};
use crate::stmt::{Function, Returned, Stmts};
use crate::types::{Shape, StructTy, TYPEDEFS, Ty, U32};

/// How large programs are and what is in them.
#[derive(Clone, Debug)]
pub struct Options {
    pub inputs: usize,
    /// How many more inputs stay unconstrained or range over three values.
    pub loose_inputs: usize,
    pub functions: usize,
    /// Statements at the top level of each function.
    pub statements: usize,
    /// How deep statements nest.
    pub depth: usize,
    pub floats: bool,
    /// At most this many paths come from loose inputs.
    pub paths: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            inputs: 4,
            loose_inputs: 2,
            functions: 3,
            statements: 6,
            depth: 2,
            floats: true,
            paths: 12,
        }
    }
}

/// A generated program; see the documentation of the crate.
pub struct TestProgram {
    inputs: Vec<Input>,
    /// Types, globals and functions.
    before: String,
    main: String,
}

const HELPERS: &str = "\
static u32 checksum = 1;

static void mix(u32 value) {
  checksum = (checksum ^ value) * 16777619u;
  checksum = checksum << 5 | checksum >> 27;
}

static i32 to_int(double d) { return d > -1e9 && d < 1e9 ? (i32)d : 77; }

union view { u32 word; u16 half[2]; u8 byte[4]; };

";

/// The program of a seed.
pub fn generate(seed: u64, options: &Options) -> TestProgram {
    let mut rng = Rng::new(seed);
    let mut builder = Builder {
        rng: &mut rng,
        options,
        text: String::new(),
        structs: vec![],
        globals: vec![],
    };
    builder.types_and_globals();
    let inputs = builder.inputs();
    builder.helpers();
    let functions = builder.functions();
    let main = builder.main(&inputs, &functions);
    TestProgram {
        inputs,
        before: builder.text,
        main,
    }
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
                self.globals
                    .push(Variable::new(input.name.clone(), Kind::Scalar(input.ty)));
            }
            inputs.push(input);
        }
        inputs
    }

    /// A table of four small functions, and one that calls itself.
    fn helpers(&mut self) {
        self.text.push('\n');
        let scope = [
            Variable::new("a".into(), Kind::Scalar(U32)),
            Variable::new("b".into(), Kind::Scalar(U32)),
        ];
        for index in 0..4 {
            let body = Exprs {
                rng: self.rng,
                scope: &scope,
                floats: false,
            }
            .expr(U32, 2);
            let _ = writeln!(
                self.text,
                "static u32 operation{index}(u32 a, u32 b) {{ return {body}; }}"
            );
        }
        self.text += "static u32 (*const operations[4])(u32, u32) = {\n";
        self.text += "  operation0, operation1, operation2, operation3,\n};\n\n";
        let step = Exprs {
            rng: self.rng,
            scope: &scope,
            floats: false,
        }
        .expr(U32, 2);
        let _ = writeln!(self.text, "static u32 recursive(u32 a, u32 b) {{");
        let _ = writeln!(
            self.text,
            "  return a == 0 ? b : recursive(a - 1, b + {step});\n}}\n"
        );
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
        Function {
            name: format!("fun{index}"),
            parameters,
            result,
        }
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
        let header = declaration(
            &format!("{}({})", function.name, parameters.join(", ")),
            &result,
        );
        let _ = writeln!(self.text, "static {header} {{");
        let heap = self.rng.chance(30);
        let mut stmts = self.stmts(scope, callable, 1);
        stmts.declare("result".into(), result);
        stmts.locals(heap);
        if stmts.rng.chance(40) {
            stmts.line("static u32 calls = 3;");
            stmts.line("calls++;");
            stmts
                .scope
                .push(Variable::new("calls".into(), Kind::Scalar(U32)));
        }
        stmts.block_of_function();
        stmts.mix();
        stmts.free(heap);
        stmts.line("return result;");
        let body = stmts.text;
        self.text += &body;
        self.text += "}\n\n";
    }

    fn stmts<'b>(
        &'b mut self,
        scope: Vec<Variable>,
        functions: &'b [Function],
        call_rounds: usize,
    ) -> Stmts<'b> {
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
            let ty = if input.freedom == Freedom::Fixed {
                String::new()
            } else {
                input.ty.name().to_owned() + " "
            };
            stmts.line(&format!(
                "{ty}{} = ({})read_{}();",
                input.name,
                input.ty.name(),
                input.name
            ));
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

impl Stmts<'_> {
    fn declare(&mut self, name: String, kind: Kind) {
        let initial = match &kind {
            Kind::Scalar(ty) => self.expr(*ty, 1),
            Kind::Pointer(_) | Kind::StructPointer(_) => match self.address_for(&kind) {
                Some(address) => address,
                None => return,
            },
            _ => initialiser(self.rng, &kind),
        };
        self.line(&format!("{} = {initial};", declaration(&name, &kind)));
        self.scope.push(Variable::new(name, kind));
    }

    /// Scalars, an array, pointers, sometimes a block of the heap. Pointers come last: they may point to the others.
    fn locals(&mut self, heap: bool) {
        for index in 0..self.rng.between(1, 3) {
            let ty = Ty::random(self.rng, self.floats);
            self.declare(format!("v{index}"), Kind::Scalar(ty));
        }
        if self.rng.chance(50) {
            let ty = Ty::random(self.rng, self.floats);
            self.declare("local".into(), Kind::Array(ty, 4));
        }
        if self.rng.chance(40) {
            let ty = self.rng.pick(self.structs).clone();
            self.declare("record".into(), Kind::Struct(ty));
        }
        if heap {
            self.line("u32 *heap = malloc(4 * sizeof *heap);");
            self.line("if (!heap) abort();");
            self.line("for (u32 i = 0; i < 4; i++) heap[i] = i * 17u;");
            self.scope
                .push(Variable::new("heap".into(), Kind::Array(U32, 4)));
        }
        let scalars: Vec<Ty> = self
            .scope
            .iter()
            .filter_map(|v| {
                if let Kind::Scalar(ty) = v.kind {
                    Some(ty)
                } else {
                    None
                }
            })
            .collect();
        for index in 0..self.rng.below(3) {
            let ty = *self.rng.pick(&scalars);
            self.declare(format!("ptr{index}"), Kind::Pointer(ty));
        }
        let structs: Vec<StructTy> = self
            .scope
            .iter()
            .filter_map(|v| {
                if let Kind::Struct(ty) = &v.kind {
                    Some(ty.clone())
                } else {
                    None
                }
            })
            .collect();
        if !structs.is_empty() && self.rng.chance(50) {
            let ty = self.rng.pick(&structs).clone();
            self.declare("link".into(), Kind::StructPointer(ty));
        }
    }

    fn block_of_function(&mut self) {
        let (statements, depth) = self.size;
        let count = self.rng.between(statements / 2, statements);
        self.block(count, depth);
    }

    fn free(&mut self, heap: bool) {
        if heap {
            self.line("free(heap);");
        }
    }

    /// Folds every part of a variable into the checksum.
    fn mix_all(&mut self, variable: &Variable) {
        let name = &variable.name;
        match &variable.kind {
            Kind::Scalar(ty) => self.mix_value(name, *ty),
            Kind::Pointer(ty) => self.mix_value(&format!("*{name}"), *ty),
            Kind::Array(ty, n) => {
                self.line(&format!("for (u32 i = 0; i < {n}; i++)"));
                self.indent += 1;
                self.mix_value(&format!("{name}[i]"), *ty);
                self.indent -= 1;
            }
            Kind::Matrix(ty, n, m) => {
                self.line(&format!("for (u32 i = 0; i < {}; i++)", n * m));
                self.indent += 1;
                self.mix_value(&format!("{name}[i / {m}][i % {m}]"), *ty);
                self.indent -= 1;
            }
            Kind::View => self.mix_value(&format!("{name}.word"), U32),
            Kind::Struct(ty) => self.mix_struct(name, ty),
            Kind::StructPointer(ty) => self.mix_struct(&format!("(*{name})"), ty),
            Kind::StructArray(ty, n) => {
                (0..*n).for_each(|i| self.mix_struct(&format!("{name}[{i}]"), ty))
            }
        }
    }

    fn mix_struct(&mut self, name: &str, ty: &StructTy) {
        for field in &ty.fields {
            let suffix = if matches!(field.shape, Shape::Array(_)) {
                "[1]"
            } else {
                ""
            };
            self.mix_value(&format!("{name}.{}{suffix}", field.name), field.ty);
        }
    }

    fn mix_value(&mut self, text: &str, ty: Ty) {
        let line = match ty {
            t if t.is_float() => format!("mix((u32)to_int({text}));"),
            t if t.bits() == 64 => format!("mix((u32){text} ^ (u32)({text} >> 32));"),
            _ => format!("mix((u32){text});"),
        };
        self.line(&line);
    }
}

fn declaration(name: &str, kind: &Kind) -> String {
    match kind {
        Kind::Scalar(ty) => format!("{} {name}", ty.name()),
        Kind::Array(ty, n) => format!("{} {name}[{n}]", ty.name()),
        Kind::Matrix(ty, n, m) => format!("{} {name}[{n}][{m}]", ty.name()),
        Kind::Struct(ty) => format!("struct {} {name}", ty.name),
        Kind::StructArray(ty, n) => format!("struct {} {name}[{n}]", ty.name),
        Kind::View => format!("union view {name}"),
        Kind::Pointer(ty) => format!("{} *{name}", ty.name()),
        Kind::StructPointer(ty) => format!("struct {} *{name}", ty.name),
    }
}

/// An initialiser made of literals.
fn initialiser(rng: &mut Rng, kind: &Kind) -> String {
    let mut list = |ty: Ty, n: usize| {
        let items: Vec<String> = (0..n).map(|_| ty.random_literal(rng)).collect();
        format!("{{ {} }}", items.join(", "))
    };
    match kind {
        Kind::Scalar(ty) => ty.random_literal(rng),
        Kind::Array(ty, n) => list(*ty, *n),
        Kind::Matrix(ty, n, m) => {
            let rows: Vec<String> = (0..*n).map(|_| list(*ty, *m)).collect();
            format!("{{ {} }}", rows.join(", "))
        }
        Kind::View => format!("{{ {} }}", U32.random_literal(rng)),
        Kind::Struct(ty) | Kind::StructArray(ty, _) => {
            let fields: Vec<String> = ty
                .fields
                .iter()
                .map(|field| match field.shape {
                    Shape::Plain => format!(".{} = {}", field.name, field.ty.random_literal(rng)),
                    Shape::Bits(_) => format!(".{} = 1", field.name),
                    Shape::Array(_) => {
                        format!(".{}[0] = {}", field.name, field.ty.random_literal(rng))
                    }
                })
                .collect();
            let one = format!("{{ {} }}", fields.join(", "));
            if matches!(kind, Kind::StructArray(..)) {
                format!("{{ [1] = {one} }}")
            } else {
                one
            }
        }
        Kind::Pointer(_) | Kind::StructPointer(_) => {
            unreachable!("pointers are initialised with addresses")
        }
    }
}

impl TestProgram {
    /// A program that prints its checksum as a decimal number.
    pub fn native_source(&self) -> String {
        let mut text = String::from("#include <stdio.h>\n");
        self.start(&mut text);
        for input in &self.inputs {
            let _ = writeln!(
                text,
                "static {} read_{}(void) {{ return {}; }}",
                input.c_type, input.name, input.value
            );
        }
        self.finish(text, "printf(\"%u\\n\", checksum);")
    }

    /// A program that is safe if its checksum is always `checksum`.
    pub fn safe_source(&self, checksum: u32) -> String {
        self.verifier_source(&format!("if (checksum != {checksum}u) reach_error();"))
    }

    /// A program that is unsafe if its checksum can be `checksum`.
    pub fn unsafe_source(&self, checksum: u32) -> String {
        self.verifier_source(&format!("if (checksum == {checksum}u) reach_error();"))
    }

    fn verifier_source(&self, oracle: &str) -> String {
        let mut text =
            String::from("extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n");
        let mut sources: Vec<(&str, &str)> =
            self.inputs.iter().map(|i| (i.source, i.c_type)).collect();
        sources.sort();
        sources.dedup();
        for (source, c_type) in sources {
            let _ = writeln!(text, "extern {c_type} __VERIFIER_nondet_{source}(void);");
        }
        self.start(&mut text);
        for input in &self.inputs {
            let _ = writeln!(text, "static {} read_{}(void) {{", input.c_type, input.name);
            let _ = writeln!(
                text,
                "  {} x = __VERIFIER_nondet_{}();",
                input.c_type, input.source
            );
            let assumptions = match input.freedom {
                Freedom::Fixed => vec![format!("x == {}", input.value)],
                Freedom::Range => vec![
                    format!("x >= {}", input.value),
                    format!("x <= {}", input.last),
                ],
                Freedom::Free => vec![],
            };
            for assumption in assumptions {
                let _ = writeln!(text, "  __VERIFIER_assume({assumption});");
            }
            text += "  return x;\n}\n";
        }
        self.finish(text, oracle)
    }

    /// Definitions of the input functions, to run a verifier variant natively: fixed inputs get their value, loose
    /// ones an allowed value that depends on `variation`.
    pub fn input_stubs(&self, variation: u64) -> String {
        let mut rng = Rng::new(variation);
        let mut text = String::new();
        let mut sources: Vec<(&str, &str)> =
            self.inputs.iter().map(|i| (i.source, i.c_type)).collect();
        sources.sort();
        sources.dedup();
        for (source, c_type) in sources {
            let values: Vec<String> = self
                .inputs
                .iter()
                .filter(|i| i.source == source)
                .map(|i| i.allowed_value(&mut rng))
                .collect();
            let _ = writeln!(text, "{c_type} __VERIFIER_nondet_{source}(void) {{");
            let _ = writeln!(
                text,
                "  static const {c_type} values[] = {{ {} }};",
                values.join(", ")
            );
            let _ = writeln!(text, "  static int next;\n  return values[next++];\n}}");
        }
        format!("{TYPEDEFS}{text}")
    }

    fn start(&self, text: &mut String) {
        *text += "#include <stdlib.h>\n#include <string.h>\n\n";
        *text += TYPEDEFS;
        *text += HELPERS;
        *text += &self.before;
    }

    fn finish(&self, text: String, last: &str) -> String {
        format!(
            "{text}\nint main(void) {{\n{}  {last}\n  return 0;\n}}\n",
            self.main
        )
    }
}
