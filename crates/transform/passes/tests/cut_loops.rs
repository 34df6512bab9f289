//! Loops are cut only where nothing but variables can change.

use fathom_passes::cut_loops;

const LOOP: &str = r#"program pointer 64 entry main

procedure main ()
  local x (_ BitVec 32) "x"
  local p (_ BitVec 64) "p"
  begin b0
  b0 "entry":
    BEFORE
    goto b1
  b1 "head":
    assert unreach-call (= x #x00000000) "invariant"
    goto b1, b2
  b2 "end":
    return
"#;

fn loops(before: &str) -> Option<usize> {
    let program = fathom_ir::parse_program(&LOOP.replace("BEFORE", before)).unwrap_or_else(|error| panic!("{error}"));
    cut_loops(&program).map(|cut| cut.loops)
}

#[test]
fn memory_is_not_forgotten() {
    assert_eq!(loops("x := #x00000000"), Some(1));
    for before in ["alloc p <- stack align 4 size #x0000000000000004 \"x\"", "store p <- x", "load x <- p", "end p"] {
        assert_eq!(loops(before), None, "{before}");
    }
}
