//! Finds the parameters of functions without a body that are pointers to const. LLVM's pointers have no types and debug
//! information describes only functions with a body, so the prototypes are read from clang's syntax tree. That is done
//! only if the program passes a pointer to a function without a body. Without source code or libclang, every pointer is
//! taken to be writable, which is the safe choice.

#![allow(non_upper_case_globals, reason = "constants of libclang in patterns")]

use crate::Options;
use crate::syntax::{Unit, children, kind, mangled, type_of};
use clang_sys::*;
use fathom_base::{FxMap, FxSet};
use std::path::PathBuf;

/// For each function, whether each parameter is a pointer to const.
pub type Constness = FxMap<String, Vec<bool>>;

/// The prototypes of the wanted functions, as far as these files have them.
pub fn read(files: &[PathBuf], options: &Options, wanted: &FxSet<String>) -> Constness {
    let mut found = Constness::default();
    let sources = files.iter().filter(|file| !matches!(file.extension().and_then(|e| e.to_str()), Some("bc" | "ll")));
    for file in sources {
        if found.len() == wanted.len() {
            break;
        }
        if let Ok(unit) = Unit::parse(file, options) {
            unit.declarations().into_iter().for_each(|declaration| add(declaration, wanted, &mut found));
        }
    }
    found
}

fn add(declaration: CXCursor, wanted: &FxSet<String>, found: &mut Constness) {
    match kind(declaration) {
        CXCursor_Namespace | CXCursor_LinkageSpec => children(declaration).into_iter().for_each(|inner| add(inner, wanted, found)),
        CXCursor_FunctionDecl => {
            let name = mangled(declaration);
            if wanted.contains(&name) {
                let ty = type_of(declaration);
                // SAFETY: asks about a type of a live tree; -1 stands for a function without a prototype.
                let count = unsafe { clang_getNumArgTypes(ty) };
                // SAFETY: as above, and there are so many parameters.
                let parameters = (0..count.max(0)).map(|at| is_pointer_to_const(unsafe { clang_getArgType(ty, at as u32) }));
                found.entry(name).or_insert_with(|| parameters.collect());
            }
        }
        _ => {}
    }
}

/// A pointer to something constant that is no pointer itself: what lies behind a second one may be written.
fn is_pointer_to_const(parameter: CXType) -> bool {
    // SAFETY: asks about types of a live tree.
    unsafe {
        let pointee = clang_getCanonicalType(clang_getPointeeType(parameter));
        parameter.kind == CXType_Pointer && clang_isConstQualifiedType(pointee) != 0 && pointee.kind != CXType_Pointer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prototypes() {
        let text = "typedef int t; typedef const char *text;\nextern int f(const char *s, char *to, int n);\nstruct s { int (*f)(char *); };\n\
                    void g(struct s const * const x, const char **names, const int a[3], t (*cb)(const t *), text last, char *const *);\n\
                    int main(void) { return f(\"(\", 0, 1); }\nvoid h();\n";
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("prototypes.c");
        std::fs::write(&file, text).unwrap();
        let wanted = ["f", "g", "h"].map(String::from).into_iter().collect();
        let found = read(&[file], &Options::default(), &wanted);
        assert_eq!(found["f"], [true, false, false]);
        assert_eq!(found["g"], [true, false, true, false, true, false]);
        assert!(found["h"].is_empty());
    }
}
