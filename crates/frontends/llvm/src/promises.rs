//! Results that the C library specifies only partly: `strcmp` returns a sign, `isdigit` zero or non-zero. The exact
//! value differs between the library and compilers, which evaluate some calls themselves. Only a program that uses more
//! than what is specified notices; it gets models that leave the exact value open. Results are followed through
//! variables, copies and returns of the program's functions; any other use counts as using the exact value.

use crate::llvm::{Module, Opcode, Value};
use fathom_base::FxSet;
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
use llvm_sys::core::*;

/// Functions that promise a sign.
const ORDERING: [&str; 3] = ["strcmp", "strncmp", "memcmp"];
/// Functions that promise whether they give zero.
const DECIDING: [&str; 2] = ["bcmp", "isdigit"];
/// Functions that only ask whether their argument is zero, where no header makes them macros.
const TRUTHS: [&str; 5] = ["assert", "__VERIFIER_assume", "__VERIFIER_assert", "__CPROVER_assume", "__ESBMC_assume"];
/// Library functions that ask a function of the program for an order.
const CALLING_BACK: [&str; 5] = ["qsort", "qsort_r", "bsearch", "lfind", "lsearch"];

/// Whether the program looks at more of a result than is promised.
pub fn are_exceeded(program: &Module) -> bool {
    let declared = |name: &&str| program.function(name).filter(|f| f.is_declaration());
    ORDERING.iter().filter_map(declared).any(|f| Results::new(true).exceed(f))
        || DECIDING.iter().filter_map(declared).any(|f| Results::new(false).exceed(f))
}

/// Values that are results, and those of them whose uses are still to be looked at.
struct Results {
    has_sign: bool,
    seen: FxSet<Value>,
    open: Vec<Value>,
}

impl Results {
    fn new(has_sign: bool) -> Self {
        Self { has_sign, seen: FxSet::default(), open: Vec::new() }
    }

    fn exceed(mut self, function: Value) -> bool {
        if !self.add_calls(function) {
            return true;
        }
        while let Some(value) = self.open.pop() {
            if !value.users().into_iter().all(|user| self.is_kept(value, user)) {
                return true;
            }
        }
        false
    }

    fn add(&mut self, value: Value) -> bool {
        if self.seen.insert(value) {
            self.open.push(value);
        }
        true
    }

    /// What calls of a function give are results, too. False if it goes where calls are not seen.
    fn add_calls(&mut self, function: Value) -> bool {
        function.users().into_iter().all(|user| {
            let called = (user.opcode() == Opcode::LLVMCall).then(|| user.operand(user.operand_count() - 1));
            match called {
                Some(called) if called == function => self.add(user),
                Some(called) => CALLING_BACK.contains(&called.name().as_str()) && called.is_declaration(),
                None => false,
            }
        })
    }

    /// Whether a use looks at nothing but what is promised; where it hands the value on, that is looked at later.
    fn is_kept(&mut self, value: Value, user: Value) -> bool {
        match user.opcode() {
            Opcode::LLVMICmp => {
                let is_equality = matches!(unsafe { LLVMGetICmpPredicate(user.0) }, LLVMIntEQ | LLVMIntNE);
                user.operands().any(Value::is_null) && (self.has_sign || is_equality)
            }
            Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMSExt => self.add(user),
            Opcode::LLVMStore => user.operand(0) == value && self.add_loads(user.operand(1)),
            Opcode::LLVMRet => {
                let function = Value(unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(user.0)) });
                !self.seen.insert(function) || self.add_calls(function)
            }
            Opcode::LLVMCall => TRUTHS.contains(&user.operand(user.operand_count() - 1).name().as_str()),
            _ => false,
        }
    }

    /// What is read from a variable may be a result. False if the variable is more than written and read.
    fn add_loads(&mut self, variable: Value) -> bool {
        if unsafe { LLVMIsAAllocaInst(variable.0) }.is_null() {
            return false;
        }
        variable.users().into_iter().all(|user| match user.opcode() {
            Opcode::LLVMLoad => self.add(user),
            Opcode::LLVMStore => user.operand(1) == variable,
            Opcode::LLVMCall => user.operand(user.operand_count() - 1).name().starts_with("llvm."),
            _ => false,
        })
    }
}
