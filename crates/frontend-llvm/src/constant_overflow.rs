//! Signed overflow between constants. clang computes `2147483647 + 1` while it translates, so the bitcode has no trace
//! of it; what remains is clang's warning. The first statement of every function at a line of which clang says so gets
//! an assertion that fails. If the expression is in a part of the line that is not evaluated, the native replay shows
//! no overflow and the verdict is withdrawn.

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
        for procedure in &mut program.procedures {
            let Some(body) = &mut procedure.body else { continue };
            let at_place = |statement: &Statement| {
                statement.loc.line == line && files.path(statement.loc.file).is_some_and(|p| same_file(p, path))
            };
            let found = body.blocks.iter_mut().find_map(|block| {
                let index = block.statements.iter().position(at_place)?;
                Some((block, index))
            });
            if let Some((block, index)) = found {
                let loc = block.statements[index].loc;
                let message = "signed overflow in a constant expression".to_string();
                let kind = StatementKind::Assert { condition: refuted, property: Property::NoOverflow, message };
                block.statements.insert(index, Statement { kind, loc });
            }
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

/// Debug information may name a file by its full path where diagnostics do not.
fn same_file(known: &Path, named: &str) -> bool {
    known == Path::new(named) || known.ends_with(named)
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
