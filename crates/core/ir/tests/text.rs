//! The text form survives a round trip, errors say where, and `validate` finds what is wrong.

use fathom_ir::{parse_program, print_program, validate};
use fathom_term::sample::Random;

const SAMPLE: &str = include_str!("sample.ir");

#[test]
fn printed_and_parsed_again() {
    let program = parse_program(SAMPLE).unwrap_or_else(|error| panic!("{error}"));
    validate(&program).unwrap();
    let printed = print_program(&program);
    let without_comments = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_once("  ;").map_or(line, |(code, _)| code).trim_end().to_string()).collect()
    };
    assert_eq!(without_comments(&printed), without_comments(SAMPLE));
    let again = parse_program(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(print_program(&again), printed);
    let statement = &again.procedures[0].body.as_ref().unwrap().blocks[0].statements[1];
    assert_eq!(again.files.show(statement.loc), "odd \"name\".h:2:3");
}

#[test]
fn errors_say_where() {
    let cases = [
        ("    x := (bvadd x #x00000001)", "    x := (bvadd x #x01)", ":10: sorts differ"),
        ("    free p\n", "    free q7\n", ":10: unknown symbol `q7`"),
        ("    free p\n", "    fre p\n", ":5: a statement is expected"),
        ("call helper ()", "call helpers ()", ":10: unknown procedure"),
        ("goto b4", "goto 4", ":10: a block is expected"),
        (
            "thread begin",
            "thread starts",
            ":12: `start`, `join`, `number`, `exit`, `current`, `begin`, `end`, `local`, `fence` or `lock` is expected",
        ),
        ("thread join p <- p", "thread join p <- q7", ":22: unknown symbol `q7`"),
        ("length #x0000000000000004 byte #x00", "length #x0000000000000004 bytes #x00", ":38: `byte` or `input` is expected"),
        ("length #x0000000000000004 byte #x00", "length #x0000000000000004 byte q7", ":43: unknown symbol `q7`"),
        ("alloc p <- stack", "alloc p <- shelf", ":16: `stack` or `heap` is expected"),
        ("local x (_ BitVec 32)", "local argc (_ BitVec 32)", ":9: the variable is declared twice"),
        ("entry main", "entry nobody", "no procedure \"nobody\" to start at"),
        ("unreach-call c", "unreach c", ":12: unknown property `unreach`"),
        ("\"say \\\"no\\\"; never\"", "\"say", ":28: the text is never closed"),
    ];
    for (from, to, message) in cases {
        let text = SAMPLE.replacen(from, to, 1);
        assert_ne!(text, SAMPLE, "{from}");
        let error = parse_program(&text).err().unwrap_or_else(|| panic!("{to} was accepted")).to_string();
        assert!(error.contains(message), "{error}\nwanted: {message}");
        let line = SAMPLE[..=SAMPLE.find(from).unwrap()].lines().count();
        assert!(error.starts_with(&format!("{line}:")) || !message.starts_with(':'), "{error}\nwanted: line {line}");
    }
}

#[test]
fn malformed_programs_are_found() {
    let cases = [
        ("goto b4", "goto b9", "no block b9"),
        ("begin b0", "begin b99", "no block b99"),
        ("branch (not c) b1 b2", "branch x b1 b2", "the condition has sort (_ BitVec 32) instead of Bool"),
        ("assume (bvult x #x0000000a)", "assume x", "instead of Bool"),
        ("[#x00000001 b1,", "[#x01 b1,", "a case has sort"),
        ("[#x00000001 b1,", "[x b1,", "is no constant"),
        ("    free p", "    free x", "the pointer has sort"),
        ("store @other <- ((_ extract 7 0) x)", "store @other <- ((_ extract 6 0) x)", "not whole bytes"),
        ("x, local := local,", "x, x := local,", "assigned twice"),
        ("    local := #x00000000", "    local := #x00", "`local` has sort"),
        ("main.result := x", "main.result := r", "not declared here"),
        ("main.result := x", "@main := p", "no variable of this procedure"),
        ("(q)\n  local q", "(x)\n  local q", "not among the locals"),
        ("size 3 align 1 bytes 686900", "size 4 align 1 bytes 686900", "3 bytes for a size of 4"),
        ("offset 4 (", "offset 6 (", "leaves the object"),
        ("alias @again object 2", "alias @again object 7", "names no object"),
        ("axiom (and |a b| (< |esc:select| 5))", "axiom x", "instead of Bool"),
        ("align 16 zero", "align 3 zero", "alignment 3"),
    ];
    for (from, to, message) in cases {
        let text = SAMPLE.replacen(from, to, 1);
        assert_ne!(text, SAMPLE, "{from}");
        let program = parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{to}"));
        let error = validate(&program).err().unwrap_or_else(|| panic!("{to} was accepted")).to_string();
        assert!(error.contains(message), "{error}\nwanted: {message}");
    }
}

/// Mutated programs: accepted or refused, never a panic; what is accepted prints and parses again.
#[test]
fn rubbish_is_refused_calmly() {
    let mut random = Random::new(5);
    let lines: Vec<&str> = SAMPLE.lines().collect();
    let mut accepted = 0;
    for round in 0..4000 {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        match round % 3 {
            0 => {
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len() as u64) as usize;
                    match random.below(3) {
                        0 => bytes[at] = random.bits() as u8,
                        1 => drop(bytes.remove(at)),
                        _ => bytes.insert(at, random.pick(b"()|\";,:#0 b\n[]\\\xc3")),
                    }
                }
            }
            1 => {
                let (a, b) = (random.below(lines.len() as u64) as usize, random.below(lines.len() as u64) as usize);
                let mut mixed = lines.clone();
                mixed.swap(a, b);
                bytes = mixed.join("\n").into_bytes();
            }
            _ => bytes.truncate(random.below(bytes.len() as u64) as usize),
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(program) = parse_program(&text) {
            accepted += 1;
            let _ = validate(&program);
            let printed = print_program(&program);
            let again = parse_program(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(print_program(&again), printed);
        }
    }
    assert!(accepted > 100);
}

#[test]
fn sorts_and_functions_of_theories() {
    let mut program = parse_program(SAMPLE).unwrap_or_else(|error| panic!("{error}"));
    let store = program.terms.clone();
    let ints = store.theory_sort("Seq", &[fathom_term::Sort::Int]);
    let length = store.theory_function("seq.len", &[ints], fathom_term::Sort::Int);
    let empty = store.apply(store.theory_function("seq.empty", &[], ints), &[]);
    let s = store.var("s", ints);
    let condition = store.and(store.eq(store.apply(length, &[s]), store.int(2)), store.ne(s, empty));
    // For a solver, as SMT-LIB writes them.
    let script = fathom_term::smtlib::Script::new(&store).assert(condition).to_text();
    assert!(script.contains("(declare-fun s () (Seq Int))") && script.contains("(seq.len s)"), "{script}");
    assert!(script.contains("(as seq.empty (Seq Int))") && !script.contains("declare-sort"), "{script}");
    // In a program's text, under names of their own.
    let id = store.as_var(s).unwrap();
    program.globals.push(fathom_ir::Variable { id, name: "s".into(), sort: ints });
    program.axioms.push(condition);
    let printed = print_program(&program);
    let again = parse_program(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(print_program(&again), printed);
    let length = again.terms.find_function("theory seq.len: |theory Seq Int| Int").unwrap();
    assert_eq!(again.terms.theory_head(length).as_deref(), Some("seq.len"));
}
