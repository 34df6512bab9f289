//! A corner and the two programs made of it: the verifier's, and the native one that records what happened.
//!
//! Names at file scope end in `@`, which disappears in the verifier's program and becomes the corner's number in the
//! native one, where many corners share a translation unit.

use crate::property::{Event, Property};
use crate::values::Input;
use fathom_randprog::Rng;
use std::fmt::Write;

/// What a template made.
#[derive(Clone, Debug, Default)]
pub struct Corner {
    /// The cause it would point to; classes with a known fault are listed in [`crate::pending`].
    pub class: &'static str,
    /// Operation, types and position, for people.
    pub name: String,
    /// For 64-bit targets; otherwise for 32-bit ones.
    pub wide: bool,
    /// Text before `main`: types, globals, functions.
    pub file_scope: String,
    /// Values that are read before the body runs.
    pub inputs: Vec<Input>,
    /// The statements of `main`.
    pub body: String,
    /// What to ask, besides the observed values.
    pub properties: Vec<Property>,
    /// What some run does, if the template knows: exactly these events, over all runs together.
    pub stated: Option<Vec<Event>>,
    /// Why the template is believed more than a silent sanitizer.
    pub because: &'static str,
    /// The values can't be told by running, because C leaves them open.
    pub values_open: bool,
    /// Picks the question and the observed value.
    pub choice: u64,
}

/// One question about a corner, as it is put to the verifier.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the verifier is asked.
    pub property: Property,
    /// What `OBSERVE` must not see, for questions about values.
    pub value: u64,
}

const HEADERS: &str = "#include <stdlib.h>\n#include <string.h>\n#include <limits.h>\n#include <stdarg.h>\n#include <stddef.h>\n\
                       #include <stdio.h>\n#include <math.h>\n#include <ctype.h>\n";

impl Corner {
    /// A corner without statements.
    pub fn new(class: &'static str, name: String, wide: bool) -> Self {
        Corner { class, name, wide, ..Corner::default() }
    }

    /// Adds a line to the body.
    pub fn line(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// `OBSERVE(e)` of a value that fits 64 bits.
    pub fn observe(&mut self, expression: &str) {
        self.line(&format!("OBSERVE({expression});"));
    }

    /// Adds properties that the verifier is asked about.
    pub fn ask(&mut self, properties: &[Property]) {
        self.properties.extend(properties);
    }

    /// Says which events occur where compilers can't tell, and why that is known.
    pub fn state(&mut self, events: &[Event], because: &'static str) {
        self.stated = Some(events.to_vec());
        self.because = because;
    }

    /// Every combination of the inputs' values.
    pub fn vectors(&self) -> Vec<Vec<u128>> {
        let mut all = vec![Vec::new()];
        for input in &self.inputs {
            all = all.iter().flat_map(|v: &Vec<u128>| input.values.iter().map(move |x| [v.as_slice(), &[x.bits]].concat())).collect();
        }
        all
    }

    fn main_function(&self, name: &str) -> String {
        let mut text = format!("int {name}(void) {{\n");
        for input in &self.inputs {
            text.push_str(&input.declaration());
        }
        let _ = write!(text, "{}return 0;\n}}\n", self.body);
        text
    }

    /// The program for the verifier. Headers are the program's own: what it does not use is not declared.
    pub fn source(&self, question: &Question) -> String {
        let code = format!("{}{}", self.file_scope, self.main_function("main")).replace('@', "");
        let mut text = String::new();
        for line in HEADERS.lines() {
            let header = line.trim_start_matches("#include <").trim_end_matches('>');
            if uses_header(&code, header) {
                let _ = writeln!(text, "{line}");
            }
        }
        if question.property == Property::Assertion {
            text.push_str("#include <assert.h>\n");
        } else if question.property == Property::UnreachCall {
            text.push_str("extern void reach_error(void);\n");
        }
        for nondet in self.inputs.iter().map(Input::prototype) {
            if !text.contains(&nondet) {
                text.push_str(&nondet);
            }
        }
        text.push_str(&expand_observations(&code, question));
        text
    }

    /// The corner as part of a native translation unit.
    pub fn native_source(&self, number: usize) -> String {
        let main = self.main_function("corner@");
        format!("{}{main}", self.file_scope).replace('@', &format!("_{number}"))
    }

    /// The prelude of a native translation unit.
    pub fn native_prelude() -> String {
        let mut text = String::from(HEADERS);
        text.push_str("extern void corner_observe(unsigned long long);\n#define OBSERVE(e) corner_observe((unsigned long long)(e))\n");
        for prototype in Input::all_prototypes() {
            text.push_str(&prototype);
        }
        text.push_str("#ifdef __SIZEOF_INT128__\nextern __int128 __VERIFIER_nondet_int128(void);\n");
        text.push_str("extern unsigned __int128 __VERIFIER_nondet_uint128(void);\n#endif\n");
        text
    }

    /// A generator of its own for the choice of questions, so that it does not depend on how templates draw.
    pub fn chooser(&self) -> Rng {
        Rng::new(self.choice)
    }
}

/// Each `OBSERVE(e)` as what the question makes of it: a statement without its semicolon.
fn expand_observations(code: &str, question: &Question) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some((before, behind)) = rest.split_once("OBSERVE(") {
        let (inside, after) = behind.split_at(closing(behind));
        let value = question.value;
        text.push_str(before);
        text += &match question.property {
            Property::UnreachCall => format!("do {{ if ((unsigned long long)({inside}) == {value}ULL) reach_error(); }} while (0)"),
            Property::Assertion => format!("assert((unsigned long long)({inside}) != {value}ULL)"),
            _ => format!("(void)({inside})"),
        };
        rest = &after[1..];
    }
    text.push_str(rest);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Where the parenthesis is closed that was opened before this text.
fn closing(text: &str) -> usize {
    let mut open = 1;
    let step = |c: char| match c {
        '(' => 1,
        ')' => -1,
        _ => 0,
    };
    let end = text.char_indices().find(|&(_, c)| {
        open += step(c);
        open == 0
    });
    end.map(|(at, _)| at).expect("an observation has an end")
}

fn uses_header(code: &str, header: &str) -> bool {
    let words: &[&str] = match header {
        "stdlib.h" => &["malloc(", "calloc(", "realloc(", "free(", "abs(", "strto", "ato", "qsort(", "bsearch(", "div(", "exit(", "abort("],
        "string.h" => &["mem", "str"],
        "limits.h" => &["_MAX", "_MIN", "CHAR_BIT"],
        "stdarg.h" => &["va_"],
        "stddef.h" => &["offsetof(", "size_t", "ptrdiff_t", "NULL"],
        "stdio.h" => &["printf(", "sscanf(", "puts(", "stdout"],
        "math.h" => &[
            "isnan",
            "isinf",
            "signbit",
            "fabs",
            "floor",
            "ceil",
            "trunc",
            "round",
            "sqrt",
            "fmod",
            "fmin",
            "fmax",
            "copysign",
            "fma(",
            "INFINITY",
            "NAN",
            "ldexp",
            "frexp",
            "modf",
            "rint",
            "fdim",
            "remainder",
        ],
        "ctype.h" => {
            &["isdigit(", "isalpha(", "toupper(", "tolower(", "isspace(", "isxdigit(", "isalnum(", "isupper(", "islower(", "ispunct("]
        }
        _ => &[],
    };
    words.iter().any(|word| code.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_observation_of_a_line_is_expanded() {
        let ask = |property| expand_observations("if (a) OBSERVE(f(1)); else OBSERVE((b));", &Question { property, value: 7 });
        assert_eq!(
            ask(Property::Assertion),
            "if (a) assert((unsigned long long)(f(1)) != 7ULL); else assert((unsigned long long)((b)) != 7ULL);\n"
        );
        assert_eq!(ask(Property::Shift), "if (a) (void)(f(1)); else (void)((b));\n");
        let reached = ask(Property::UnreachCall);
        assert!(reached.ends_with("else do { if ((unsigned long long)((b)) == 7ULL) reach_error(); } while (0);\n"), "{reached}");
    }
}
