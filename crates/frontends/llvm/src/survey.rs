//! Lists what a file defines and what each definition refers to, without translating anything. Scans of a code base use
//! it to find entries, the files of a program, and changes. The text of a function is LLVM's without metadata numbers,
//! but with lines and columns, so it stays the same as long as the function and its position do. Types are recorded
//! separately, because the layout of a structure may change while its name stays the same.

use crate::error::FrontendError;
use crate::llvm::{Context, Value, take_message};
use crate::metadata::Metadata;
use crate::{Options, link};
use llvm_sys::core::{
    LLVMGetDebugLocColumn, LLVMGetDebugLocLine, LLVMGetFirstGlobal, LLVMGetNextGlobal, LLVMIsGlobalConstant, LLVMPrintModuleToString,
};
use llvm_sys::debuginfo::{LLVMDISubprogramGetLine, LLVMGetSubprogram, LLVMMetadataKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A function or variable that a file defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// Its symbol.
    pub name: String,
    /// Only its own file may name it.
    pub is_internal: bool,
    /// It is a function, and not a variable.
    pub is_function: bool,
    /// Of a variable: nothing writes to it.
    pub is_constant: bool,
    /// Of a function: what its result holds is known to be held where it is explored as an entry.
    pub holds_result: bool,
    /// Of a function: a parameter leads to a structure.
    pub takes_structures: bool,
    /// Where it is in the source, as the compiler names the file.
    pub file: String,
    /// Where a function begins; 0 if unknown.
    pub line: u32,
    /// The last line of a function.
    pub last_line: u32,
    /// Symbols that it mentions.
    pub mentions: BTreeSet<String>,
    /// What it says, as text.
    pub text: String,
}

/// What a file defines.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Functions and variables.
    pub definitions: Vec<Definition>,
    /// Its types, as text.
    pub types: String,
}

/// Looks what a source file defines, `static` functions without a caller included.
pub fn survey(file: &Path, options: &Options) -> Result<Survey, FrontendError> {
    let context = Context::new();
    let mut options = options.clone();
    options.clang_args.push("-femit-all-decls".into());
    let (module, _) = link::read_program(&context, &[PathBuf::from(file)], &options)?;
    let first = Value::new(unsafe { LLVMGetFirstGlobal(module.raw()) });
    let variables = std::iter::successors(first, |v| Value::new(unsafe { LLVMGetNextGlobal(v.0) }));
    let functions = module.functions().filter(|f| !f.is_declaration()).map(|f| function(&context, f));
    let definitions = functions.chain(variables.filter(|v| !v.is_declaration()).map(variable)).collect();
    let whole = take_message(unsafe { LLVMPrintModuleToString(module.raw()) });
    Ok(Survey { definitions, types: types(&whole) })
}

fn function(context: &Context, function: Value) -> Definition {
    let subprogram = Metadata::new(unsafe { LLVMGetSubprogram(function.0) });
    let line = subprogram.map_or(0, |node| unsafe { LLVMDISubprogramGetLine(node.0) });
    let (mut last_line, mut mentions, mut text) = (line, BTreeSet::new(), without_metadata(&function.show()));
    for instruction in function.blocks().flat_map(|block| block.instructions().collect::<Vec<_>>()) {
        let (line, column) = unsafe { (LLVMGetDebugLocLine(instruction.0), LLVMGetDebugLocColumn(instruction.0)) };
        last_line = last_line.max(line);
        text.push_str(&format!("{line}:{column} "));
        instruction.operands().for_each(|operand| note(operand, &mut mentions, 0));
    }
    let result = function.value_type().result();
    let holds_result = result.is_void() || result.is_integer() || result.is_pointer();
    let file = subprogram.and_then(Metadata::file_path).unwrap_or_default();
    Definition {
        name: function.name(),
        is_internal: function.is_internal(),
        is_function: true,
        holds_result,
        takes_structures: subprogram.is_none_or(|node| takes_structures(context, node)),
        file,
        line,
        last_line,
        mentions,
        text,
        ..Definition::default()
    }
}

/// Operand positions in LLVM's debug nodes, and DWARF's tags of structures, classes and unions.
const SUBPROGRAM_TYPE: usize = 4;
const TYPES_OF_SUBROUTINE: usize = 3;
const BASE_TYPE: usize = 3;
const COMPOSED: [u16; 3] = [0x13, 0x02, 0x17];

/// Whether what a parameter is, or what it leads to, is a structure.
fn takes_structures(context: &Context, subprogram: Metadata) -> bool {
    let operand = |node: Metadata, index: usize| node.operands(context.raw()).get(index).copied().flatten();
    let types = operand(subprogram, SUBPROGRAM_TYPE).and_then(|node| operand(node, TYPES_OF_SUBROUTINE));
    let parameters = types.map(|node| node.operands(context.raw())).unwrap_or_default();
    parameters.into_iter().skip(1).flatten().any(|parameter| {
        let mut ty = Some(parameter);
        while let Some(node) = ty {
            let is_type =
                matches!(node.kind(), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind | LLVMMetadataKind::LLVMDICompositeTypeMetadataKind);
            if !is_type {
                return false;
            }
            if COMPOSED.contains(&node.tag()) {
                return true;
            }
            ty = operand(node, BASE_TYPE);
        }
        false
    })
}

fn variable(variable: Value) -> Definition {
    let mut mentions = BTreeSet::new();
    variable.operands().for_each(|operand| note(operand, &mut mentions, 0));
    Definition {
        name: variable.name(),
        is_internal: variable.is_internal(),
        is_constant: unsafe { LLVMIsGlobalConstant(variable.0) } != 0,
        mentions,
        text: without_metadata(&variable.show()),
        ..Definition::default()
    }
}

/// Constants nest, but never deeply where they mention symbols.
const DEEPEST: u32 = 40;

fn note(value: Value, mentions: &mut BTreeSet<String>, depth: u32) {
    if value.as_function().is_some() || value.as_global().is_some() || value.as_alias().is_some() {
        mentions.insert(value.name());
    } else if value.is_constant() && depth < DEEPEST {
        value.operands().for_each(|operand| note(operand, mentions, depth + 1));
    }
}

/// The text without `!17` and `#3`, whose numbers depend on everything else in the file.
fn without_metadata(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        plain.push(letter);
        if matches!(letter, '!' | '#') {
            while letters.peek().is_some_and(char::is_ascii_digit) {
                letters.next();
            }
        }
    }
    plain
}

/// Named structures, and what debug information says of types, without lines.
fn types(module: &str) -> String {
    let is_type = |line: &&str| line.starts_with('%') || line.contains("Type(tag:") || line.contains("!DIBasicType(");
    let without_line = |line: &str| {
        let plain = without_metadata(line);
        plain.split(", ").filter(|part| !part.starts_with("line: ")).collect::<Vec<_>>().join(", ")
    };
    let lines: BTreeSet<String> = module.lines().filter(is_type).map(without_line).collect();
    lines.into_iter().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey_of(source: &str) -> Survey {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.c");
        std::fs::write(&file, source).unwrap();
        survey(&file, &Options::default()).unwrap()
    }

    const SOURCE: &str = "int table[2];\nextern int other(int);\nstatic int inner(int x) {\n  return table[x & 1];\n}\n\
        int outer(int x) { return inner(x) + other(x); }\n";

    #[test]
    fn definitions_and_what_they_mention() {
        let survey = survey_of(SOURCE);
        let named = |name: &str| survey.definitions.iter().find(|definition| definition.name == name).unwrap();
        let (inner, outer) = (named("inner"), named("outer"));
        assert!(inner.is_internal && !outer.is_internal);
        assert_eq!((inner.line, inner.last_line), (3, 4));
        assert!(inner.mentions.contains("table"));
        assert!(["inner", "other"].iter().all(|name| outer.mentions.contains(*name)));
    }

    #[test]
    fn structures_are_seen_behind_pointers_and_names() {
        let source = "typedef struct s { int a; } S;\nint f(const S *const *p) { return p != 0; }\n\
            int g(const char *text, char **more, unsigned long n) { return text[n] + **more; }\n";
        let survey = survey_of(source);
        let takes: Vec<bool> = survey.definitions.iter().filter(|d| d.is_function).map(|d| d.takes_structures).collect();
        assert_eq!(takes, [true, false]);
    }

    #[test]
    fn a_change_is_seen_where_it_is() {
        let text = |source: &str, name: &str| survey_of(source).definitions.into_iter().find(|d| d.name == name).unwrap().text;
        let changed = SOURCE.replace("& 1", "& 3");
        assert_ne!(text(SOURCE, "inner"), text(&changed, "inner"));
        assert_eq!(text(SOURCE, "outer"), text(&changed, "outer"));
    }
}
