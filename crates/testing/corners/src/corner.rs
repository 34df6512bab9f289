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
    pub wide: bool,
    pub file_scope: String,
    pub inputs: Vec<Input>,
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
    pub property: Property,
    /// What `OBSERVE` must not see, for questions about values.
    pub value: u64,
}

const HEADERS: &str = "#include <stdlib.h>\n#include <string.h>\n#include <limits.h>\n#include <stdarg.h>\n#include <stddef.h>\n\
                       #include <stdio.h>\n#include <math.h>\n#include <ctype.h>\n";

impl Corner {
    pub fn new(class: &'static str, name: String, wide: bool) -> Self {
        Corner { class, name, wide, ..Corner::default() }
    }

    pub fn line(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// `OBSERVE(e)` of a value that fits 64 bits.
    pub fn observe(&mut self, expression: &str) {
        self.line(&format!("OBSERVE({expression});"));
    }

    pub fn ask(&mut self, properties: &[Property]) {
        self.properties.extend(properties);
    }

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

/// `OBSERVE(e);` as what the question makes of it. Templates write one observation per line.
fn expand_observations(code: &str, question: &Question) -> String {
    let mut text = String::new();
    for line in code.lines() {
        let Some(start) = line.find("OBSERVE(") else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        let end = line.rfind(");").expect("an observation ends its line");
        let (before, inside, after) = (&line[..start], &line[start + 8..end], &line[end + 2..]);
        let value = question.value;
        let _ = match question.property {
            Property::UnreachCall => writeln!(text, "{before}if ((unsigned long long)({inside}) == {value}ULL) reach_error();{after}"),
            Property::Assertion => writeln!(text, "{before}assert((unsigned long long)({inside}) != {value}ULL);{after}"),
            _ => writeln!(text, "{before}(void)({inside});{after}"),
        };
    }
    text
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
