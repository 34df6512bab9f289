//! Functions of the C library that the program calls, that it doesn't define, and that no model stands for. Taking
//! them for arbitrary would give false alarms (strerror never returns a wild pointer) and taking them for nothing
//! would hide bugs, so reaching one is `unsupported`, by name. Functions that only return a number and leave the
//! program's memory alone are not listed: an arbitrary result covers them.

use fathom_base::FxSet;
use fathom_ir::{Block, BlockId, Body, Program, Statement, StatementKind, Terminator, TerminatorKind};

/// Public names of the GNU C and math library without the harmless ones, a line each.
const NAMES: &str = include_str!("library-names.txt");

/// Names of instances of templates may be longer than anybody wants to read.
const LONGEST_NAME: usize = 200;

/// How mangled names of the C++ library and its run-time support begin.
const CPP_PREFIXES: [&str; 7] = ["_ZSt", "_ZNSt", "_ZNKSt", "_ZTVN10__cxx", "_ZN9__gnu_cxx", "__cxa_", "_Unwind_"];

/// Whether a function without a body is one of the library's that an arbitrary result would not do for.
pub fn is_unmodelled(name: &str) -> bool {
    is_of_cpp(name) || NAMES.lines().any(|known| known == name)
}

fn is_of_cpp(name: &str) -> bool {
    CPP_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The name as a C++ programmer knows it.
fn as_in_source(name: &str) -> String {
    let plain = cpp_demangle::Symbol::new(name).ok().and_then(|symbol| symbol.demangle(&Default::default()).ok());
    plain.filter(|plain| plain.len() <= LONGEST_NAME).unwrap_or_else(|| name.to_string())
}

pub fn refuse_unmodelled(program: &mut Program) {
    let names: FxSet<&str> = NAMES.lines().collect();
    for procedure in &mut program.procedures {
        if procedure.body.is_some() || !(is_of_cpp(&procedure.name) || names.contains(procedure.name.as_str())) {
            continue;
        }
        let what = format!("the library function {}", as_in_source(&procedure.name));
        let reached = Statement { kind: StatementKind::Unsupported(what), loc: procedure.loc };
        let end = Terminator { kind: TerminatorKind::Return, loc: procedure.loc };
        let block = Block { label: "entry".to_string(), statements: vec![reached], terminator: end };
        procedure.body = Some(Body { entry: BlockId(0), blocks: vec![block] });
    }
}
