//! The variants of a program that are printed: they differ in where inputs come from and in the last statement.

use std::fmt::Write;

use crate::harmless::{Freedom, Input};
use crate::rng::Rng;
use crate::types::TYPEDEFS;

/// A generated program; see the documentation of the crate.
pub struct TestProgram {
    pub(crate) inputs: Vec<Input>,
    /// Types, globals and functions.
    pub(crate) before: String,
    pub(crate) main: String,
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

impl TestProgram {
    /// A program that prints its checksum as a decimal number.
    pub fn native_source(&self) -> String {
        self.concrete("#include <stdio.h>\n", "printf(\"%u\\n\", checksum);")
    }

    /// The same program for an interpreter: safe if that computes `checksum`.
    pub fn concrete_source(&self, checksum: u32) -> String {
        let oracle = format!("if (checksum != {checksum}u) reach_error();");
        self.concrete("extern void reach_error(void);\n", &oracle)
    }

    /// A program that prints the baked-in inputs in the order in which the program asks, as a test case of Test-Comp.
    pub fn inputs_source(&self) -> String {
        let mut text = format!("#include <stdio.h>\n{TYPEDEFS}int main(void) {{\n  puts(\"<testcase>\");\n");
        for input in &self.inputs {
            let (format, widest) = match input.source {
                "float" | "double" => ("%.2f", "double"),
                "bool" | "uchar" | "ushort" | "uint" | "ulong" | "ulonglong" => ("%llu", "unsigned long long"),
                _ => ("%lld", "long long"),
            };
            let (c_type, value) = (input.c_type, &input.value);
            let _ = writeln!(text, "  printf(\"<input type=\\\"{c_type}\\\">{format}</input>\\n\", ({widest})({c_type})({value}));");
        }
        text + "  puts(\"</testcase>\");\n  return 0;\n}\n"
    }

    /// A program with arbitrary inputs that is unsafe because with the baked-in ones its checksum is `checksum`, and for no
    /// other reason.
    pub fn symbolic_source(&self, checksum: u32) -> String {
        let mut text = String::from("extern void reach_error(void);\n");
        for (source, c_type) in self.sources() {
            let _ = writeln!(text, "extern {c_type} __VERIFIER_nondet_{source}(void);");
        }
        self.start(&mut text);
        let mut condition = format!("checksum == {checksum}u");
        for Input { name, source, c_type, value, .. } in &self.inputs {
            let _ = writeln!(text, "static {c_type} seen_{name};");
            let _ = writeln!(text, "static {c_type} read_{name}(void) {{ return seen_{name} = __VERIFIER_nondet_{source}(); }}");
            let _ = write!(condition, " && seen_{name} == ({c_type})({value})");
        }
        self.finish(text, &format!("if ({condition}) reach_error();"))
    }

    fn concrete(&self, first: &str, last: &str) -> String {
        let mut text = String::from(first);
        self.start(&mut text);
        for input in &self.inputs {
            let _ = writeln!(text, "static {} read_{}(void) {{ return {}; }}", input.c_type, input.name, input.value);
        }
        self.finish(text, last)
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
        let mut text = String::from("extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n");
        for (source, c_type) in self.sources() {
            let _ = writeln!(text, "extern {c_type} __VERIFIER_nondet_{source}(void);");
        }
        self.start(&mut text);
        for input in &self.inputs {
            let _ = writeln!(text, "static {} read_{}(void) {{", input.c_type, input.name);
            let _ = writeln!(text, "  {} x = __VERIFIER_nondet_{}();", input.c_type, input.source);
            let assumptions = match input.freedom {
                Freedom::Fixed => vec![format!("x == {}", input.value)],
                Freedom::Range => vec![format!("x >= {}", input.value), format!("x <= {}", input.last)],
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
        for (source, c_type) in self.sources() {
            let values: Vec<String> = self.inputs.iter().filter(|i| i.source == source).map(|i| i.allowed_value(&mut rng)).collect();
            let _ = writeln!(text, "{c_type} __VERIFIER_nondet_{source}(void) {{");
            let _ = writeln!(text, "  static const {c_type} values[] = {{ {} }};", values.join(", "));
            let _ = writeln!(text, "  static int next;\n  return values[next++];\n}}");
        }
        format!("{TYPEDEFS}{text}")
    }

    fn start(&self, text: &mut String) {
        *text += "#include <stdarg.h>\n#include <stdlib.h>\n#include <string.h>\n\n";
        *text += TYPEDEFS;
        *text += HELPERS;
        *text += &self.before;
    }

    fn finish(&self, text: String, last: &str) -> String {
        format!("{text}\nint main(void) {{\n{}  {last}\n  return 0;\n}}\n", self.main)
    }

    /// The input functions that are used, each once, with what they return.
    fn sources(&self) -> Vec<(&str, &str)> {
        let mut sources: Vec<_> = self.inputs.iter().map(|i| (i.source, i.c_type)).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}
