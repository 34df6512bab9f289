//! Finds out how a program uses the C library, in order to choose among its models: a more expensive, exact model is
//! used only for programs that can notice the difference.

use crate::llvm::{Module, Opcode, TypeKind, Value};

const SEEDING: [&str; 2] = ["srand", "srandom"];
const DRAWING: [&str; 2] = ["rand", "random"];
const MAIN: &str = "main";
/// Functions that set the handler of the signal that is their first argument.
const HANDLING: [&str; 4] = ["signal", "__sysv_signal", "bsd_signal", "sigaction"];
/// Functions that say what runs when the program ends.
const HANDLERS: [&str; 3] = ["atexit", "__cxa_atexit", "on_exit"];
/// Functions that end the thread that calls them.
const ENDING_THREADS: [&str; 2] = ["pthread_exit", "thrd_exit"];
/// SIGILL, SIGTRAP, SIGBUS, SIGFPE and SIGSEGV, which the processor sends.
pub const FAULTS: [u64; 5] = [4, 5, 7, 8, 11];
pub const ABORT: [u64; 1] = [6];

/// Whether numbers may be drawn again: the program seeds more than once, or after it drew.
pub fn may_draw_again(program: &Module) -> bool {
    let functions = SEEDING.iter().filter_map(|name| program.function(name)).filter(|f| f.is_declaration());
    let seeding: Vec<Value> = functions.flat_map(|f| f.users()).collect();
    match seeding.as_slice() {
        [] => false,
        &[only] => !is_first_of_main(program, only),
        _ => true,
    }
}

/// Whether a call comes once, and before everything that could draw numbers: in the first block of main, behind calls of
/// library functions only.
fn is_first_of_main(program: &Module, call: Value) -> bool {
    let Some(main) = program.function(MAIN).filter(|main| !main.has_uses()) else { return false };
    let Some(first) = main.blocks().next() else { return false };
    let cannot_draw = |f: Value| f.is_declaration() && !DRAWING.contains(&f.name().as_str());
    for instruction in first.instructions() {
        if instruction == call {
            return program.global("llvm.global_ctors").is_none();
        }
        let is_call = instruction.opcode() == Opcode::LLVMCall;
        let called = is_call.then(|| instruction.operand(instruction.operand_count() - 1));
        if called.is_some_and(|called| !called.as_function().is_some_and(cannot_draw)) {
            return false;
        }
    }
    false
}

/// Whether the program may handle one of these signals.
pub fn handles(program: &Module, signals: &[u64]) -> bool {
    let functions = HANDLING.iter().filter_map(|name| program.function(name)).filter(|f| f.is_declaration());
    let is_harmless = |user: Value| {
        let is_call = user.opcode() == Opcode::LLVMCall && user.operand(0) != user.operand(user.operand_count() - 1);
        is_call && user.operand(0).as_constant_int().is_some_and(|number| !signals.contains(&number))
    };
    functions.flat_map(|f| f.users()).any(|user| !is_harmless(user))
}

/// Whether threads may go on after main, and something runs when the program ends.
pub fn last_thread_may_run_handlers(program: &Module) -> bool {
    let declares = |name: &&str| program.function(name).is_some_and(|f| f.is_declaration());
    let has_handlers = HANDLERS.iter().any(declares) || program.global("llvm.global_dtors").is_some();
    has_handlers && ENDING_THREADS.iter().any(declares)
}

/// Whether the program looks at the array of its environment's variables itself.
pub fn walks_environment(program: &Module) -> bool {
    let third = program.function(MAIN).and_then(|main| main.params().get(2).copied());
    program.global("environ").is_some() || third.is_some_and(Value::has_uses)
}

/// Whether the program asks why reading stopped.
pub fn asks_for_end(program: &Module) -> bool {
    ["feof", "ferror", "feof_unlocked", "ferror_unlocked"].iter().any(|name| program.function(name).is_some())
}

/// Whether the program computes with floats, or calls a function that does.
pub fn has_float_arithmetic(program: &Module) -> bool {
    let instructions = program.functions().flat_map(|f| f.blocks()).flat_map(|block| block.instructions());
    let is_plain = |value: Value| {
        use TypeKind::*;
        matches!(
            value.ty().kind(),
            LLVMVoidTypeKind | LLVMPointerTypeKind | LLVMIntegerTypeKind | LLVMLabelTypeKind | LLVMMetadataTypeKind | LLVMFunctionTypeKind
        )
    };
    instructions.into_iter().any(|instruction| !is_plain(instruction) || !instruction.operands().all(is_plain))
}
