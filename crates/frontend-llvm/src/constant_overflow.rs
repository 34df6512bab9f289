//! Signed overflow between constants. clang computes `2147483647 + 1` while it translates, so the bitcode has no trace
//! of it; what remains is clang's warning. An assertion that fails stands before the first statement at the line, or
//! after it where nothing is left of the line. If the expression is in a part that is not evaluated, the native replay
//! shows no overflow and the verdict is withdrawn.

use fathom_base::Loc;
use fathom_ir::{Program, Property, Statement, StatementKind};
use std::path::Path;

const WARNING: &str = ": warning: overflow in expression;";

/// Puts the assertions where clang's diagnostics say.
pub fn mark(program: &mut Program, diagnostics: &[String]) {
    let places: Vec<(&str, u32)> = diagnostics.iter().flat_map(|text| text.lines()).filter_map(place).collect();
    if places.is_empty() {
        return;
    }
    let refuted = program.terms.bool(false);
    for &(path, line) in &places {
        let files = &program.files;
        let is_there = |loc: Loc| files.path(loc.file).is_some_and(|known| same_file(known, path));
        // The function that the line is in: the last one that begins before it.
        let inside = program.procedures.iter_mut().filter(|p| p.body.is_some() && is_there(p.loc) && p.loc.line <= line);
        let Some(body) = inside.max_by_key(|p| p.loc.line).and_then(|p| p.body.as_mut()) else { continue };
        // Nothing may be left of the line itself; what follows it comes next.
        let found = body.blocks.iter_mut().find_map(|block| {
            let index = block.statements.iter().position(|s| s.loc.line >= line && is_there(s.loc))?;
            Some((block, index))
        });
        if let Some((block, index)) = found {
            let loc = Loc { line, column: 1, ..block.statements[index].loc };
            let message = "signed overflow in a constant expression".to_string();
            let kind = StatementKind::Assert { condition: refuted, property: Property::NoOverflow, message };
            block.statements.insert(index, Statement { kind, loc });
        }
    }
}

/// File and line of such a warning: `path:line:column: warning: ...`.
fn place(text: &str) -> Option<(&str, u32)> {
    let (position, _) = text.split_once(WARNING)?;
    let (rest, _column) = position.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    Some((path, line.parse().ok()?))
}

/// Debug information and diagnostics name files as they like: one by its full path, the other below the directory.
fn same_file(known: &Path, named: &str) -> bool {
    known.ends_with(named) || Path::new(named).ends_with(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_off_diagnostics() {
        let text = "dir/a.c:12:20: warning: overflow in expression; result is -2147483648 with type 'int'";
        assert_eq!(place(text), Some(("dir/a.c", 12)));
        assert_eq!(place("a.c:1:2: warning: unused variable 'x'"), None);
    }
}
