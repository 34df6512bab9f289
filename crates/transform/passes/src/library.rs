//! Functions of the C library that the program calls, that it doesn't define, and that no model stands for. Taking
//! them for arbitrary would give false alarms (strerror never returns a wild pointer) and taking them for nothing
//! would hide bugs, so reaching one is `unsupported`, by name. Functions that only return a number and leave the
//! program's memory alone are not listed: an arbitrary result covers them.

use fathom_base::{FxSet, name_in_source};
use fathom_ir::{Block, BlockId, Body, Program, Statement, StatementKind, Terminator, TerminatorKind};

/// Public names of the GNU C and math library without the harmless ones, a line each.
const NAMES: &str = include_str!("library-names.txt");

/// How mangled names of the C++ library and of run-time support begin.
const PREFIXES: [&str; 10] =
    ["_ZSt", "_ZNSt", "_ZNKSt", "_ZTVN10__cxx", "_ZN9__gnu_cxx", "__cxa_", "_Unwind_", "__atomic_", "__sync_", "__builtin_"];

/// How members of what has a short form in mangled names begin: allocators, strings and streams.
const CPP_SHORT_FORMS: [char; 6] = ['a', 'b', 's', 'i', 'o', 'd'];

/// Whether a function without a body is one of the library's that an arbitrary result would not do for.
pub fn is_unmodelled(name: &str) -> bool {
    is_of_cpp(name) || NAMES.lines().any(|known| known == name)
}

fn is_of_cpp(name: &str) -> bool {
    let member = ["_ZNS", "_ZNKS"].iter().find_map(|prefix| name.strip_prefix(prefix));
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || member.is_some_and(|rest| rest.starts_with(CPP_SHORT_FORMS))
}

/// Gives library functions that no model stands for a body that is unsupported.
pub fn refuse_unmodelled(program: &mut Program) {
    let names: FxSet<&str> = NAMES.lines().collect();
    for procedure in &mut program.procedures {
        if procedure.body.is_some() || !(is_of_cpp(&procedure.name) || names.contains(procedure.name.as_str())) {
            continue;
        }
        let what = format!("the library function {}", name_in_source(&procedure.name));
        let reached = Statement { kind: StatementKind::Unsupported(what), loc: procedure.loc };
        let end = Terminator { kind: TerminatorKind::Return, loc: procedure.loc };
        let block = Block { label: "entry".to_string(), statements: vec![reached], terminator: end };
        procedure.body = Some(Body { entry: BlockId(0), blocks: vec![block] });
    }
}
