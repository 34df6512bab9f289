//! Preconditions that a function states itself: `assert` at its start. A library is not to blame for calls that violate
//! them, so when such a function is an entry, the assertions are assumed. Only those count that are reached before the
//! function has written anything or called another function: they can only be about its arguments. Callers within the
//! code base are still checked against them, wherever they are explored.

use fathom_ir::{BlockId, Body, Program, Property, StatementKind};
use std::collections::BTreeSet;

/// Where the program's entry is called from, if that is not the program's start itself.
const CALLER: &str = ".caller";

/// The program with the assertions at the start of its entry assumed, and what they say.
pub(crate) fn assuming_asserts(program: &Program) -> Option<(Program, Vec<String>)> {
    let name = program.procedure(program.entry).name.strip_suffix(CALLER)?;
    let number = program.procedures.iter().position(|procedure| procedure.name == name)?;
    let mut changed = program.clone();
    let body = changed.procedures[number].body.as_mut()?;
    let at_start = at_start(body);
    let no = program.terms.bool(false);
    let mut said = Vec::new();
    for block in at_start {
        for statement in &mut body.blocks[block.0 as usize].statements {
            let StatementKind::Assert { condition, property: Property::Assertion, message } = &statement.kind else { continue };
            if *condition == no {
                said.push(message.clone());
                statement.kind = StatementKind::Assume(no);
                break;
            }
        }
    }
    (!said.is_empty()).then_some((changed, said))
}

/// The blocks that can be reached before anything is written or called.
fn at_start(body: &Body) -> BTreeSet<BlockId> {
    let (mut seen, mut waiting) = (BTreeSet::from([body.entry]), vec![body.entry]);
    while let Some(id) = waiting.pop() {
        let block = &body.blocks[id.0 as usize];
        if block.statements.iter().any(|statement| has_effects(&statement.kind)) {
            continue;
        }
        let fresh = block.terminator.kind.successors().into_iter().filter(|next| seen.insert(*next));
        waiting.extend(fresh);
    }
    // A block that writes first may fail later, for what it wrote.
    seen.retain(|id| !body.blocks[id.0 as usize].statements.iter().any(|statement| has_effects(&statement.kind)));
    seen
}

fn has_effects(kind: &StatementKind) -> bool {
    use StatementKind as S;
    !matches!(
        kind,
        S::Assign(_) | S::Assume(_) | S::Assert { .. } | S::Alloc { .. } | S::Load { .. } | S::Use { .. } | S::Look { .. } | S::Watch(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = r#"program pointer 64 entry f.caller
file "a.c"
procedure f (f.n!1) -> ()
  local f.n!1 (_ BitVec 32) "n"
  begin b0
  b0 "entry":
    branch (bvslt f.n!1 #x00000010) b1 b2
  b1 "if.then":
    assert no-overflow (bvslt f.n!1 #x00000009) "overflow"
    call g ()
    branch (bvslt f.n!1 #x00000008) b3 b4
  b2 "if.else":
    assert assertion false "n < 16"
    stop abort
  b3 "if.then1":
    return
  b4 "if.else1":
    assert assertion false "n < 8"
    stop abort
procedure g () -> ()
  begin b0
  b0 "entry":
    return
procedure f.caller ()
  local f.caller.n!1 (_ BitVec 32) "n"
  begin b0
  b0 "entry":
    havoc f.caller.n!1 input "argument n" "int" signed
    call f (f.caller.n!1)
    return
"#;

    #[test]
    fn only_asserts_at_the_start_are_promises() {
        let program = fathom_ir::parse_program(PROGRAM).unwrap();
        let (changed, said) = assuming_asserts(&program).unwrap();
        assert_eq!(said, ["n < 16"]);
        let text = fathom_ir::print_program(&changed);
        assert!(text.contains("assume false") && text.contains("\"n < 8\"") && text.contains("\"overflow\""), "{text}");
    }
}
