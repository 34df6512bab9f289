//! Flat forms of small programs in text form.

use crate::lower::{Form, flatten};
use crate::program::{ErrorKind, Flat, Target};
use fathom_ir::{Property, parse_program};
use fathom_term::{Sort, smtlib::print_term};
use std::collections::BTreeSet;

fn flat(text: &str) -> Flat {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    flatten(&program, &BTreeSet::from([Property::UnreachCall]), Form::Basic).unwrap_or_else(|error| panic!("{error}"))
}

fn unsupported(flat: &Flat) -> Vec<&str> {
    let what = flat.errors.iter().filter_map(|place| match &place.kind {
        ErrorKind::Unsupported(what) => Some(what.as_str()),
        _ => None,
    });
    what.collect()
}

const CALLS: &str = r#"program pointer 32 entry main
file "a.c"
object "g" at &g!1 size 4 align 4 zero
procedure main () -> ()
  local main.x!1 (_ BitVec 32) "x"
  local main.t!1 (_ BitVec 32) "t"
  local main.p!1 (_ BitVec 32) "p"
  begin b0
  b0 "entry":
    alloc main.p!1 <- stack align 4 size #x00000004 "a"
    store main.p!1 <- #x00000005
    call main.x!1 <- add (main.p!1)
    call main.x!1 <- add (main.p!1)
    load main.t!1 <- main.p!1
    assert unreach-call (= main.t!1 #x00000007) "seven"
    return

procedure add (add.p!1) -> (add.r!1)
  local add.p!1 (_ BitVec 32) "p"
  local add.r!1 (_ BitVec 32) "r"
  local add.t!1 (_ BitVec 32) "t"
  begin b0
  b0 "entry":
    load add.t!1 <- add.p!1
    store add.p!1 <- (bvadd add.t!1 #x00000001)
    add.r!1 := add.t!1
    return
"#;

#[test]
fn calls_and_cells_fold_into_one_block() {
    let flat = flat(CALLS);
    assert_eq!(flat.blocks.len(), 1);
    let edges: Vec<Target> = flat.blocks[0].edges.iter().map(|edge| edge.target).collect();
    assert_eq!(edges, vec![Target::End], "5 + 1 + 1 is 7, so nothing is left to check");
    assert_eq!(flat.blocks[0].origins.len(), 3);
}

#[test]
fn a_precondition_is_one_substitution_and_looks_ahead() {
    let text = r#"program pointer 32 entry main
file "a.c"
procedure main () -> ()
  local main.x!1 (_ BitVec 8) "x"
  begin b0
  b0 "entry":
    main.x!1 := #x00
    goto b1
  b1 "loop":
    havoc main.x!1
    branch (= main.x!1 #x03) b1 b2
  b2 "end":
    return
"#;
    let flat = flat(text);
    let body = flat.blocks.iter().position(|block| block.label == "loop").unwrap();
    let back = flat.blocks[body].edges.iter().position(|edge| edge.target == Target::Block(body)).unwrap();
    let store = &flat.terms;
    let x = store.var("main.x!1", Sort::Bv(8));
    let next = flat.inputs.next(store, 0, Sort::Bv(8));
    let before = flat.before(body, back, &[store.eq(x, next)]);
    let text: Vec<String> = before.iter().map(|&term| print_term(store, term)).collect();
    assert_eq!(text.len(), 2, "{text:?}");
    assert!(text[1].contains("next!0") && text[1].contains("next!1") || text[1].contains("#x03"), "{text:?}");
    assert!(!flat.keeps(body, next) && flat.keeps(body, store.var("other", Sort::Bool)));
}

#[test]
fn symbolic_offsets_make_arrays_with_bounds() {
    let text = r#"program pointer 32 entry main
file "a.c"
object "a" at &a!1 size 40 align 4 zero
procedure main () -> ()
  local main.i!1 (_ BitVec 32) "i"
  local main.t!1 (_ BitVec 32) "t"
  begin b0
  b0 "entry":
    havoc main.i!1
    store (bvadd &a!1 (bvmul main.i!1 #x00000004)) <- #x00000001
    load main.t!1 <- (bvadd &a!1 #x0000001c)
    assert unreach-call (= main.t!1 #x00000000) "zero"
    return
"#;
    let flat = flat(text);
    let kinds: Vec<&ErrorKind> = flat.errors.iter().map(|place| &place.kind).collect();
    assert!(matches!(kinds[..], [ErrorKind::Undefined { .. }, ErrorKind::Violation { .. }]), "{kinds:?}");
}

#[test]
fn what_has_no_flat_form_is_a_place() {
    let text = r#"program pointer 32 entry main
file "a.c"
procedure main () -> ()
  local main.x!1 (_ BitVec 32) "x"
  begin b0
  b0 "entry":
    havoc main.x!1
    call f (main.x!1)
    unsupported "inline assembly"
    return

procedure f (f.n!1) -> ()
  local f.n!1 (_ BitVec 32) "n"
  begin b0
  b0 "entry":
    branch (= f.n!1 #x00000000) b1 b2
  b1 "then":
    return
  b2 "else":
    call f ((bvadd f.n!1 #xffffffff))
    return
"#;
    let flat = flat(text);
    let what = unsupported(&flat);
    assert_eq!(what, ["inline assembly"]);
    // A recursive procedure is a graph of its own, which returns or calls itself.
    let [f] = &flat.procedures[..] else { panic!("one procedure") };
    let calls = flat.blocks.iter().filter(|block| block.call.is_some()).count();
    let returns = flat.blocks.iter().flat_map(|block| &block.edges).filter(|edge| edge.target == Target::Return).count();
    assert_eq!((f.name.as_str(), f.entry.len(), f.exit.len(), calls, returns), ("f", 1, 0, 2, 2));
}

const LOOPS: &str = r#"program pointer 32 entry main
file "a.c"
procedure main () -> ()
  local main.i!1 (_ BitVec 32) "i"
  local main.j!1 (_ BitVec 32) "j"
  begin b0
  b0 "entry":
    havoc main.i!1
    goto b1
  b1 "outer":
    branch (= main.i!1 #x00000000) b4 b2
  b2 "inner":
    havoc main.j!1
    branch (= main.j!1 #x00000000) b3 b2
  b3 "step":
    main.i!1 := (bvadd main.i!1 main.j!1)
    goto b1
  b4 "end":
    return
"#;

#[test]
fn cut_points_cut_every_cycle() {
    let flat = flat(LOOPS);
    let cuts = flat.cut_points(100);
    assert_eq!(cuts.len(), 3, "the start and two loops: {cuts:?}");
    let segments = flat.segments(&cuts, 100).unwrap();
    let between: Vec<(usize, Option<usize>)> = segments.iter().map(|segment| (segment.from, segment.to.block())).collect();
    for (from, to) in [(0, cuts[1]), (cuts[1], cuts[2]), (cuts[2], cuts[2]), (cuts[2], cuts[1])] {
        let (from, to) = if flat.blocks[cuts[1]].label == "outer" || from == 0 { (from, to) } else { (to, from) };
        assert!(between.contains(&(from, Some(to))) || between.contains(&(to, Some(from))), "{from} to {to}: {between:?}");
    }
    assert!(flat.segments(&[0], 100).is_none(), "a cycle is left whole");
    assert!(flat.segments(&[0, cuts[1]], 100).is_none() || flat.segments(&[0, cuts[2]], 100).is_none(), "one of the loops is left");
    assert!(flat.segments(&cuts, 2).is_none(), "there are more");
    assert!(flat.segments(&cuts[1..], 100).is_none(), "runs start at the first block");
}

#[test]
fn a_segment_is_the_composition_of_its_blocks() {
    let flat = flat(LOOPS);
    let store = &flat.terms;
    let segments = flat.segments(&flat.cut_points(100), 100).unwrap();
    let i = store.var("main.i!1", Sort::Bv(32));
    let back = segments.iter().find(|segment| segment.to.block().is_some() && segment.before(store, i) != i && segment.from != 0).unwrap();
    // Behind the way back, i is what it was and the input that j became, which is zero.
    assert_eq!(print_term(store, back.before(store, i)), "(bvadd main.i!1 |next!0.Bv(32)|)");
    assert_eq!(back.guard.iter().map(|&part| print_term(store, part)).collect::<Vec<_>>(), ["(= |next!0.Bv(32)| #x00000000)"]);
}
