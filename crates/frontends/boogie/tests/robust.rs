//! Bad and hostile input: nothing panics, hangs or overflows the stack. Mutations of the test programs (bytes flipped,
//! cut, tokens deleted, doubled and swapped) are read, checked and instantiated; whatever is accepted keeps the promises
//! of a typed program.

use fathom_frontend_boogie::*;
use std::path::Path;

fn accept(text: &str) -> Result<TypedProgram, Rejected> {
    parse_texts([(Path::new("test.bpl"), text.to_string())]).and_then(|program| check(program, false))
}

fn messages(text: &str) -> String {
    match accept(text) {
        Ok(_) => String::new(),
        Err(rejected) => show_all(&rejected.diagnostics, &rejected.sources),
    }
}

/// Everything there is to do with a text.
fn exercise(text: &str) {
    let Ok(program) = parse_texts([(Path::new("test.bpl"), text.to_string())]) else { return };
    let printed = print(&program);
    let again = parse_texts([(Path::new("printed.bpl"), printed.clone())])
        .unwrap_or_else(|r| panic!("{}{text}", show_all(&r.diagnostics, &r.sources)));
    assert!(same(&program, &again), "printed as another program:\n{text}\n{printed}");
    let Ok(typed) = check(program, false) else { return };
    validate(&typed, false).unwrap_or_else(|what| panic!("{what}\n{text}"));
    if let Ok(mono) = monomorphise(typed) {
        validate(&mono, true).unwrap_or_else(|what| panic!("{what}\n{text}"));
    }
}

/// Numbers that are the same on every run.
struct Numbers(fathom_base::Random);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }
}

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut all = Vec::new();
    for part in ["programs", "rejected"] {
        for entry in std::fs::read_dir(folder.join(part)).expect("the folder exists") {
            let path = entry.expect("readable").path();
            if path.extension().is_some_and(|e| e == "bpl") {
                all.push(String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned());
            }
        }
    }
    all.sort();
    all
}

/// Words, numbers and single signs; white space goes with what is before it.
fn pieces(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let same = c.is_alphanumeric() && previous.is_alphanumeric() || c.is_whitespace();
        if at > start && !same {
            all.push(&text[start..at]);
            start = at;
        }
        previous = c;
    }
    all.push(&text[start..]);
    all
}

fn mutate(text: &str, numbers: &mut Numbers) -> String {
    if text.is_empty() {
        return "axiom".to_string();
    }
    let mut bytes = text.as_bytes().to_vec();
    match numbers.below(6) {
        0 => {
            let at = numbers.below(bytes.len());
            bytes[at] ^= 1 << numbers.below(8);
        }
        1 => bytes.truncate(numbers.below(bytes.len())),
        2 => {
            let at = numbers.below(bytes.len());
            let length = numbers.below(30).min(bytes.len() - at);
            bytes.drain(at..at + length);
        }
        kind => {
            let mut parts = pieces(text);
            let (a, b) = (numbers.below(parts.len()), numbers.below(parts.len()));
            match kind {
                3 => drop(parts.remove(a)),
                4 => parts.insert(a, parts[b]),
                _ => parts.swap(a, b),
            }
            return parts.concat();
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mutated_programs_never_panic() {
    let corpus = corpus();
    let mut numbers = Numbers(fathom_base::Random::new(1));
    for round in 0..3000 {
        let mut text = mutate(&corpus[round % corpus.len()], &mut numbers);
        for _ in 0..numbers.below(3) {
            text = mutate(&text, &mut numbers);
        }
        exercise(&text);
    }
}

fn wrap(depth: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn a_hundred_thousand_parentheses_are_read() {
    assert_eq!(messages(&format!("axiom {};", wrap(100_000, "(", "true", ")"))), "");
    assert_eq!(messages(&format!("axiom 0 == {};", wrap(100_000, "(1 + ", "0", ")"))), "");
    assert!(messages(&format!("axiom {};", wrap(100_000, "(", "", ""))).contains("expected an expression"));
}

#[test]
fn nesting_of_any_depth_is_read() {
    const DEPTH: usize = 20_000;
    for good in [
        format!("axiom {};", wrap(DEPTH, "!(", "true", ")")),
        format!("axiom 0 == {}0;", "- ".repeat(DEPTH)),
        format!("axiom 0 == 0{};", " + 1".repeat(DEPTH)),
        format!("axiom {}true;", "true ==> ".repeat(DEPTH)),
        format!("function f(int): int; axiom 0 == {};", wrap(DEPTH, "f(", "0", ")")),
        format!("const m: [int]int; axiom 0 == {};", wrap(DEPTH, "m[", "0", "]")),
        format!("axiom 0 == {}0;", "if true then 1 else ".repeat(DEPTH)),
        format!("procedure p() {{ {} }}", wrap(DEPTH, "if (*) {", "", "}")),
        format!("procedure p() {{ {} }}", wrap(DEPTH, "while (*) {", "", "}")),
        format!("procedure p() {{ if (*) {{ }} {} }}", "else if (*) { }".repeat(DEPTH)),
        format!("var x: {}int;", "[int]".repeat(DEPTH)),
        format!("var x: {};", wrap(DEPTH, "(", "int", ")")),
        format!("{} const c: int;", wrap(DEPTH, "/*", "", "*/")),
    ] {
        let answer = messages(&good);
        assert!(answer.is_empty(), "{}…: {}", &good[..60], &answer[..answer.len().min(300)]);
    }
    for bad in ["(", "axiom ((", "procedure p() { if (*) {", "/*", "{:a "] {
        assert!(!messages(&bad.repeat(DEPTH)).is_empty());
    }
}

#[test]
fn nested_quantifiers_and_triggers_are_read() {
    let depth = 5_000;
    let deep = format!("axiom {}true{};", "(forall x: int :: ".repeat(depth), ")".repeat(depth));
    assert!(messages(&deep).is_empty());
    let lets = format!("axiom 0 == {}x{};", "(var x := 1; ".repeat(depth), ")".repeat(depth));
    assert!(messages(&lets).is_empty());
}

#[test]
fn huge_numbers_are_numbers() {
    let digits = "7".repeat(100_000);
    assert!(messages(&format!("axiom {digits} > 0;")).is_empty());
    assert!(messages(&format!("axiom {digits}.{digits} > 0.0;")).is_empty());
    assert!(messages("axiom 5bv99999999999 == 5bv1;").contains("too wide"));
    assert!(messages("var x: bv99999999999;").contains("too wide"));
    assert!(messages("axiom 1e99999999999 > 0.0;").contains("too large"));
    assert!(messages(&format!("const x: bv8; axiom x[{digits}:0] == x;")).contains("extract"));
}

#[test]
fn synonyms_that_double_do_not_explode() {
    let mut text = String::from("type A0 a = [a]a;\n");
    for level in 1..60 {
        text += &format!("type A{level} a = [A{0} a]A{0} a;\n", level - 1);
    }
    text += "var x: A59 int; procedure p() { x := 1; }";
    assert!(messages(&text).contains("mismatched types"));
}

#[test]
fn polymorphic_recursion_is_unsupported_not_endless() {
    let text = "type F a; function f<a>(x: a): int; function g<a>(x: a): F a;\n\
        axiom (forall<a> x: a :: { f(x) } f(x) == f(g(x))); procedure p() { assert f(1) == 0; }";
    let Err(unsupported) = monomorphise(accept(text).unwrap_or_else(|_| panic!("well typed"))) else { panic!("it has no end") };
    assert!(unsupported.what.contains("no end"));
}

#[test]
fn strict_mode_wants_modifies_clauses() {
    let text = "var g: int; procedure q() { g := 1; } procedure p() { call q(); }";
    let program = accept(text).unwrap_or_else(|_| panic!("the clauses are inferred"));
    assert_eq!(program.warnings.len(), 2);
    assert!(program.procedures.iter().all(|p| p.modifies.len() == 1));
    let strict = parse_texts([(Path::new("t.bpl"), text.to_string())]).and_then(|program| check(program, true));
    let Err(rejected) = strict else { panic!("strict mode accepts it") };
    assert_eq!(rejected.diagnostics.len(), 2);
}

#[test]
fn concurrent_boogie_is_unsupported_by_name() {
    let text =
        "yield procedure {:layer 1} p(); requires call q(); refines atomic action A { x := 1; } { yield; }\nprocedure r() { call p(); }";
    let program = accept(text).unwrap_or_else(|r| panic!("{}", show_all(&r.diagnostics, &r.sources)));
    assert_eq!(program.unsupported[0].0, "yield procedure p");
}
