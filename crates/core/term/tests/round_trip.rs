//! What is printed and read again is the same term; what can't be read says where; nothing panics or recurses.

use fathom_term::sample::{Random, Sampler, Theories};
use fathom_term::smtlib::{self, Command, read_script, read_term, read_value};
use fathom_term::{ArrayValue, FloatFormat, Op, Sort, Term, TermStore, Value};

const ALL: Theories = Theories { arrays: true, floats: true, numbers: true };

fn assert_round_trip(store: &TermStore, term: Term) {
    let text = smtlib::print_term(store, term);
    match read_term(store, &text) {
        Ok(read) if read == term => {}
        Ok(read) => panic!("{text}\nbecame\n{}", smtlib::print_term(store, read)),
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[test]
fn simplified_terms_survive() {
    let store = TermStore::new();
    let mut sampler = Sampler::new(&store, 1, ALL, 130);
    for round in 0..4000 {
        if round % 20 == 0 {
            sampler.forget();
        }
        let sort = sampler.any_sort();
        let term = sampler.term(sort, 4);
        assert_round_trip(&store, term.simplified);
        // Raw terms may hold negated literals, which are literals when read: one more round settles that.
        let text = smtlib::print_term(&store, term.raw);
        let read = read_term(&store, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_round_trip(&store, read);
    }
}

#[test]
fn constants_of_every_sort() {
    let store = TermStore::new();
    let mut sampler = Sampler::new(&store, 2, ALL, 130);
    let opaque = store.opaque_sort("my sort");
    let formats = [FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::X87, FloatFormat::QUAD];
    for _ in 0..2000 {
        let mut sort = sampler.any_sort();
        match sampler.random.below(10) {
            0 => sort = Sort::RoundingMode,
            1 => sort = Sort::Float(sampler.random.pick(&formats)),
            2 => sort = opaque,
            3 => sort = store.array_sort(Sort::Int, store.array_sort(Sort::Bv(3), Sort::Real)),
            _ => {}
        }
        let value = sampler.value(sort);
        let text = smtlib::print_value(&store, &value, sort);
        assert_eq!(read_value(&store, sort, &text), Ok(value.clone()), "{text}");
        if !matches!(sort, Sort::Array(_)) {
            assert_round_trip(&store, store.constant(&value, sort));
        }
    }
}

#[test]
fn quantifiers_scopes_and_odd_names() {
    let store = TermStore::new();
    let names = ["select", "?1", "a|b", "", "x y", "and", "let", "größe", "esc:x"];
    let mut all = store.bool(true);
    for name in names {
        let x = store.var(name, Sort::Bv(8));
        let sum = store.bv_add(x, store.var("free", Sort::Bv(8)));
        let twice = store.bv_mul(sum, store.build(Op::BvNot, &[sum]));
        let condition = store.bv_ult(twice, store.build(Op::BvXor, &[twice, x]));
        let bound = store.as_var(x).unwrap();
        let function = store.function(&format!("f {name}"), &[Sort::Bv(8)], Sort::Bool);
        let applied = store.build(Op::Apply(function), &[x]);
        // The same term occurs bound and free.
        let inner = store.exists(vec![bound], vec![], store.or(condition, applied));
        let body = store.and(store.or(condition, applied), inner);
        let quantified = store.forall(vec![bound], vec![vec![applied], vec![sum, applied]], body);
        all = store.and(all, store.and(condition, quantified));
        assert_round_trip(&store, all);
    }
    let script = smtlib::Script::new(&store).assert(all).to_text();
    let commands = read_script(&store, &script).unwrap_or_else(|error| panic!("{error}\n{script}"));
    assert!(commands.contains(&Command::Assert(all)));
    assert_eq!(commands.last(), Some(&Command::CheckSat));
}

#[test]
fn shared_terms_stay_short() {
    let store = TermStore::new();
    let mut term = store.var("x", Sort::Bv(32));
    for _ in 0..200 {
        let other = store.build(Op::BvNot, &[term]);
        term = store.bv_mul(term, other);
    }
    let text = smtlib::print_term(&store, term);
    assert!(text.len() < 20_000, "{}", text.len());
    assert_round_trip(&store, term);
}

#[test]
fn a_hundred_thousand_levels() {
    let store = TermStore::new();
    let x = store.var("x", Sort::Bv(32));
    let p = store.var("p", Sort::Bool);
    let var = store.as_var(p).unwrap();
    let mut sum = x;
    let mut choice = x;
    let mut quantified = p;
    for i in 0..100_000u64 {
        sum = store.bv_mul(sum, store.build(Op::BvNot, &[sum]));
        choice = store.ite(store.eq(choice, x), store.bv(i, 32), choice);
        if i < 20_000 {
            quantified = store.forall(vec![var], vec![], store.build(Op::Xor, &[quantified, p]));
        }
    }
    for term in [sum, choice, quantified] {
        assert_round_trip(&store, term);
    }
    let deep = format!("{}true{}", "(not ".repeat(100_000), ")".repeat(100_000));
    assert!(read_term(&store, &deep).is_ok());
    let deep_sort = format!("{}Int{}", "(Array Int ".repeat(100_000), ")".repeat(100_000));
    let sort = smtlib::read_sort(&store, &deep_sort).unwrap();
    assert_eq!(smtlib::print_sort(&store, sort), deep_sort);
    assert!(read_term(&store, &"(".repeat(100_000)).is_err());
}

#[test]
fn scripts_of_others() {
    let store = TermStore::new();
    let text = r#"
        (set-logic QF_AUFBV) ; a comment
        (set-info :source |somebody
wrote this|)
        (declare-sort Node 0)
        (define-sort Word () (_ BitVec 8))
        (declare-const x Word)
        (declare-fun f (Word Node) Node)
        (declare-fun n () Node)
        (define-fun twice ((a Word)) Word (bvadd a a))
        (define-fun limit () Word (_ bv300 8))
        (assert (! (bvule (twice x) limit) :named small))
        (assert (=> small (distinct (f x n) n)))
        (push 1)
        (declare-const y Bool)
        (assert (let ((x y) (z x)) (and x (= z #x0f))))
        (check-sat-assuming (y (not y)))
        (pop 1)
        (declare-const y Int)
        (assert (< 0 y 5))
        (check-sat)
        (get-value (x (select ((as const (Array Int Word)) x) 5)))
        (exit)
    "#;
    let commands = read_script(&store, text).unwrap();
    let asserts: Vec<String> = commands
        .iter()
        .filter_map(|command| match command {
            Command::Assert(term) => Some(smtlib::print_term(&store, *term)),
            _ => None,
        })
        .collect();
    assert_eq!(asserts[0], "(not (bvult #x2c (bvadd x x)))");
    assert_eq!(asserts[2], "(and y (= x #x0f))");
    assert_eq!(asserts[3], "(and (< 0 y!1) (< y!1 5))");
}

#[test]
fn errors_say_where() {
    let store = TermStore::new();
    store.var("x", Sort::Bv(8));
    let cases = [
        ("(bvadd x\n  #x0000)", "1:1: sorts differ: (_ BitVec 8) and (_ BitVec 16)"),
        ("(and true\n  y)", "2:3: unknown symbol `y`"),
        ("(foo x)", "1:2: unknown function `foo`"),
        ("(not x)", "1:1: expected Boolean, found (_ BitVec 8)"),
        ("((_ extract 9 0) x)", "1:1: no such bits in a vector of 8"),
        ("(let ((a x)) a", "1:1: `(` is never closed"),
        ("x)", "1:2: unexpected `)`"),
        ("x x", "1:3: unexpected text after the end"),
        ("((_ zero_extend 4294967295) x)", "1:1: 4294967303 is no width between 1 and 1048576"),
        ("\u{7f}", "1:1: unexpected character `\\u{7f}`"),
        ("(_ NaN 200 3)", "1:1: the float format (200, 3) is not supported"),
    ];
    for (text, message) in cases {
        assert_eq!(read_term(&store, text).unwrap_err().to_string(), message);
    }
}

#[test]
fn model_values_of_several_solvers() {
    let store = TermStore::new();
    let bytes = store.array_sort(Sort::Bv(8), Sort::Bv(8));
    let expected = Value::Array(std::rc::Rc::new(ArrayValue {
        default: Value::Bits(5),
        entries: [(Value::Bits(1), Value::Bits(2))].into_iter().collect(),
    }));
    for text in [
        "(store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x05) #x01 #x02)",
        "(store (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #b00000101) #b00000001 #b00000011) #x01 #x02)",
        "(store ((as const (Array (_ BitVec 8) (_ BitVec 8))) (_ bv5 8)) (_ bv1 8) (_ bv2 8))",
        "(lambda ((x!1 (_ BitVec 8))) (ite (= x!1 #x01) #x02 #x05))",
    ] {
        assert_eq!(read_value(&store, bytes, text), Ok(expected.clone()), "{text}");
    }
    assert!(read_value(&store, bytes, "@fun_9").is_err());
    let third = |sign: i64| Value::real(num_rational::BigRational::new(sign.into(), 3.into()));
    for text in ["(- (/ 1.0 3.0))", "(/ (- 1) 3)", "(- (/ 1 3))", "(/ (- 1.0) 3.0)"] {
        assert_eq!(read_value(&store, Sort::Real, text), Ok(third(-1)), "{text}");
    }
    let node = store.opaque_sort("Node");
    for text in ["Node!val!7", "(as @Node_7 Node)", "@const_7"] {
        assert_eq!(read_value(&store, node, text), Ok(Value::Bits(7)), "{text}");
    }
    let sorts = [Sort::Bool, Sort::Int];
    let values = smtlib::read_values(&store, &sorts, "((p true)\n ((+ 1 2) (- 3)))");
    assert_eq!(values, Ok(vec![Value::TRUE, Value::int(-3)]));
}

/// Random and mutated texts: an answer or an error, never a panic.
#[test]
fn rubbish_is_refused_calmly() {
    let store = TermStore::new();
    let mut random = Random::new(3);
    let mut sampler = Sampler::new(&store, 4, ALL, 40);
    let words = [
        "(",
        ")",
        "let",
        "forall",
        "((x Int))",
        "(_ bv5 8)",
        "_",
        "!",
        ":pattern",
        "as",
        "const",
        "Array",
        "#x",
        "#b1",
        "1.5",
        "7",
        "bvadd",
        "fp",
        "to_fp",
        "RNE",
        "x",
        "|",
        "\"",
        "declare-fun",
        "assert",
        "push",
        "pop",
        "define-fun",
        "-1",
        "(_ +oo 3 4)",
        "extract",
        "0",
        "ite",
        "true",
        "=",
        "concat",
        "repeat",
        "99999999999999999999",
        "select",
        "é",
    ];
    for round in 0..20_000 {
        let mut text = String::new();
        if round % 2 == 0 {
            for _ in 0..random.below(30) {
                text.push_str(random.pick(&words));
                text.push(' ');
            }
        } else {
            sampler.forget();
            let sort = sampler.any_sort();
            let term = sampler.term(sort, 3).raw;
            let printed = format!("(assert {})(check-sat)", smtlib::print_term(&store, term));
            let mut bytes = printed.into_bytes();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len() as u64) as usize;
                match random.below(3) {
                    0 => bytes[at] = random.bits() as u8,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, random.pick(b"()|_#0129 \"x")),
                }
            }
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        let _ = smtlib::Reader::new(&store).with_store_symbols().script(&text);
        let _ = smtlib::Reader::new(&store).with_store_symbols().simplifying().term(&text);
        let _ = read_value(&store, Sort::Int, &text);
    }
}
