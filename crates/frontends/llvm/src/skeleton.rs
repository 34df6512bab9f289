//! Writes the skeleton of a harness for a function: C code that creates arguments and calls the function, with marked
//! places for preconditions and postconditions, and a corresponding contract in a comment. It includes the source file,
//! so that `static` functions and all types are available. Users edit it; Fathom does not rely on its form.

use crate::error::FrontendError;
use crate::syntax::{Unit, children, kind, mangled, spelling, type_text};
use crate::{Options, nearest_entry};
use clang_sys::{CXCursor, CXCursor_FunctionDecl, CXCursor_ParmDecl};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Elements of arrays, until users say otherwise.
const ELEMENTS: u32 = 16;

/// A harness for the function, which one of the files defines.
pub fn harness(files: &[PathBuf], options: &Options, entry: &str) -> Result<String, FrontendError> {
    let mut defined = Vec::new();
    for file in files {
        let unit = Unit::parse(file, options)?;
        for declaration in unit.declarations().into_iter().filter(|declaration| is_definition(*declaration)) {
            if mangled(declaration) == entry || spelling(declaration) == entry {
                return Ok(written(file, declaration, files));
            }
            defined.push(spelling(declaration));
        }
    }
    Err(nearest_entry(entry, defined))
}

fn is_definition(declaration: CXCursor) -> bool {
    // SAFETY: asks about a cursor of a live tree.
    let defines = unsafe { clang_sys::clang_isCursorDefinition(declaration) } != 0;
    kind(declaration) == CXCursor_FunctionDecl && defines && !crate::syntax::is_in_system_header(declaration)
}

/// A parameter, as C writes it.
struct Parameter {
    name: String,
    ty: String,
}

impl Parameter {
    /// What it points to, without `const`.
    fn pointee(&self) -> Option<String> {
        let inner = self.ty.strip_suffix('*').filter(|inner| !inner.contains('(') && !inner.contains('['))?.trim();
        Some(inner.strip_prefix("const ").unwrap_or(inner).to_string())
    }

    fn is_text(&self) -> bool {
        self.pointee().is_some_and(|inner| inner == "char")
    }

    fn count(&self, pointee: &str) -> u32 {
        if pointee.starts_with("struct ") || pointee.starts_with("union ") || pointee.contains('*') { 1 } else { ELEMENTS }
    }

    /// Makes the argument.
    fn made(&self) -> String {
        let Parameter { name, ty } = self;
        let Some(pointee) = self.pointee() else {
            let declared = if ty.contains('(') || ty.contains('[') { format!("__typeof__({ty}) {name}") } else { format!("{ty} {name}") };
            return format!("    {declared};\n    klee_make_symbolic(&{name}, sizeof {name}, \"{name}\");\n");
        };
        let count = self.count(&pointee);
        let (pointee, size) = match pointee.as_str() {
            "void" => ("unsigned char".to_string(), count.to_string()),
            _ => (pointee.clone(), format!("{count} * sizeof *{name}")),
        };
        let mut text = format!("    {pointee} *{name} = malloc({size});\n    klee_make_symbolic({name}, {size}, \"{name}\");\n");
        if self.is_text() {
            let _ = writeln!(text, "    {name}[{}] = 0;", count - 1);
        } else if count == 1 {
            let _ = writeln!(text, "    /* Pointers in *{name} lead nowhere until you set them. */");
        }
        text
    }

    /// What a contract asks for it.
    fn required(&self) -> Option<String> {
        let pointee = self.pointee()?;
        let kind = if self.ty.starts_with("const ") { "readable" } else { "writable" };
        let size = if pointee == "void" { ELEMENTS.to_string() } else { format!("{} * sizeof *{}", self.count(&pointee), self.name) };
        Some(format!(" *     fathom_requires(fathom_{kind}({}, {size}))\n", self.name))
    }

    /// What a contract may say that the function writes there.
    fn assigned(&self) -> Option<String> {
        let pointee = self.pointee().filter(|_| !self.ty.starts_with("const "))?;
        Some(match self.count(&pointee) {
            1 => format!("*{}", self.name),
            _ => format!("fathom_object({})", self.name),
        })
    }
}

fn written(file: &Path, function: CXCursor, files: &[PathBuf]) -> String {
    let name = spelling(function);
    let parameters: Vec<Parameter> = children(function)
        .into_iter()
        .filter(|child| kind(*child) == CXCursor_ParmDecl)
        .enumerate()
        .map(|(number, parameter)| {
            let given = spelling(parameter);
            Parameter { name: if given.is_empty() { format!("argument{number}") } else { given }, ty: type_text(parameter) }
        })
        .collect();
    let whole = type_text(function);
    let result = whole.split('(').next().unwrap_or("int").trim().to_string();
    let declared: Vec<String> = parameters.iter().map(|Parameter { name, ty }| format!("{ty} {name}")).collect();
    let others: String = files.iter().filter(|other| *other != file).map(|other| format!(" {}", other.display())).collect();
    let required: String = parameters.iter().filter_map(Parameter::required).collect();
    let assigned: Vec<String> = parameters.iter().filter_map(Parameter::assigned).collect();
    let mut text = format!(
        "/* A harness for {name}, to be edited: make arguments as callers do, and say what the function must give. Then\n *\n \
         *     fathom verify HARNESS.c{others}\n *\n * For a proof without bounds put a contract behind the function's parameters instead, and use --contracts:\n *\n \
         *     {result} {name}({})\n{required} *     fathom_assigns({})\n",
        declared.join(", "),
        assigned.join(", ")
    );
    if result != "void" {
        text.push_str(" *     fathom_ensures(fathom_result == fathom_result)\n");
    }
    let _ = write!(
        text,
        " */\n#define main original_main\n#include \"{}\"\n#undef main\n#include <assert.h>\n#include <stdlib.h>\n\n\
         void klee_make_symbolic(void *object, size_t size, const char *name);\nvoid __VERIFIER_assume(int condition);\n\nint main(void) {{\n",
        file.display()
    );
    parameters.iter().for_each(|parameter| text.push_str(&parameter.made()));
    text.push_str("    /* What callers promise, such as __VERIFIER_assume(length <= 16); */\n\n");
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let call = format!("{name}({});", names.join(", "));
    match result.as_str() {
        "void" => _ = writeln!(text, "    {call}"),
        _ => _ = writeln!(text, "    __auto_type result = {call}\n    (void)result;"),
    }
    text.push_str("    /* What the function must give, such as assert(result >= 0); */\n\n");
    for parameter in parameters.iter().filter(|parameter| parameter.pointee().is_some()) {
        let _ = writeln!(text, "    free({});", parameter.name);
    }
    text.push_str("    return 0;\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_there_and_one_that_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("lib.c");
        std::fs::write(
            &file,
            "struct s { int x; };\nstatic int scan(const char *text, struct s *to, unsigned long n) { return to->x + text[n]; }\n",
        )
        .unwrap();
        let files = [file];
        let text = harness(&files, &Options::default(), "scan").unwrap();
        for part in
            ["struct s *to = malloc(1 * sizeof *to);", "text[15] = 0;", "unsigned long n;", "scan(text, to, n);", "fathom_assigns(*to)"]
        {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        let error = harness(&files, &Options::default(), "scn").unwrap_err().to_string();
        assert!(error.contains("scan"), "{error}");
    }
}
