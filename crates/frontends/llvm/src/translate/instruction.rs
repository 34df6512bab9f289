//! One instruction: dispatches to the part of the translation that handles it, and stores its result.

use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, unsupported};
use crate::dialect::PREFIXES;
use crate::llvm::{Opcode, Value};
use fathom_ir::{Property, StatementKind};
use llvm_sys::core::*;

/// Variables of the GNU C library that have no model.
const LIBRARY_VARIABLES: [&str; 33] = [
    "program_invocation_name",
    "program_invocation_short_name",
    "__progname",
    "__progname_full",
    "timezone",
    "daylight",
    "tzname",
    "__timezone",
    "__daylight",
    "__tzname",
    "signgam",
    "h_errno",
    "getdate_err",
    "error_message_count",
    "error_one_per_line",
    "error_print_progname",
    "argp_err_exit_status",
    "argp_program_bug_address",
    "argp_program_version",
    "argp_program_version_hook",
    "obstack_alloc_failed_handler",
    "obstack_exit_failure",
    "re_syntax_options",
    "sys_errlist",
    "sys_nerr",
    "sys_siglist",
    "in6addr_any",
    "in6addr_loopback",
    "rpc_createerr",
    "_nl_msg_cat_cntr",
    "__libc_single_threaded",
    "_res",
    "__fpu_control",
];

impl FunctionTranslator<'_, '_> {
    pub fn instruction(&mut self, instruction: Value) -> Translated<()> {
        use Opcode::*;
        if let Some(name) = instruction.operands().find_map(foreign_variable) {
            return unsupported(name);
        }
        if self.options.checks.contains(&Property::Dangling) {
            self.use_pointers(instruction)?;
        }
        let leaves = match instruction.opcode() {
            LLVMPHI => return Ok(()),
            LLVMAlloca => return self.alloca(instruction),
            LLVMLoad => return self.load(instruction),
            LLVMStore => return self.store(instruction),
            LLVMCall => return self.call(instruction),
            LLVMFence => {
                self.fence(instruction);
                return Ok(());
            }
            LLVMAtomicRMW => return self.atomic_update(instruction),
            LLVMAtomicCmpXchg => return self.compare_exchange(instruction),
            LLVMVAArg => return self.va_arg(instruction),
            _ => self.pure(instruction)?,
        };
        self.bind(instruction, leaves);
        Ok(())
    }

    /// The pointers that an instruction uses by value: compares, computes with, stores or passes on.
    fn use_pointers(&mut self, instruction: Value) -> Translated<()> {
        use Opcode::*;
        let is_own = || {
            let name = Value(unsafe { LLVMGetCalledValue(instruction.0) }).name();
            ["llvm.", "__fathom_"].iter().any(|prefix| name.starts_with(prefix))
        };
        let operands: Vec<Value> = match instruction.opcode() {
            LLVMICmp | LLVMPtrToInt => instruction.operands().collect(),
            LLVMGetElementPtr | LLVMStore => vec![instruction.operand(0)],
            LLVMCall if !is_own() => instruction.operands().take(instruction.operand_count() as usize - 1).collect(),
            _ => return Ok(()),
        };
        for operand in operands.into_iter().filter(|operand| operand.ty().is_pointer() && !operand.is_constant()) {
            if unsafe { LLVMIsAAllocaInst(operand.0).is_null() } {
                let pointer = self.single(operand)?;
                self.emit(StatementKind::Use { pointer });
            }
        }
        Ok(())
    }

    /// Instructions that only compute.
    fn pure(&mut self, instruction: Value) -> Translated<Leaves> {
        use Opcode::*;
        match instruction.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr
            | LLVMXor => self.binary(instruction),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => self.float_binary(instruction),
            LLVMFNeg => self.float_negation(instruction),
            LLVMICmp => self.integer_comparison(instruction),
            LLVMFCmp => self.float_comparison(instruction),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast => {
                self.integer_cast(instruction)
            }
            LLVMFPTrunc | LLVMFPExt | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP => self.float_cast(instruction),
            LLVMSelect => self.select(instruction),
            LLVMFreeze => self.value(instruction.operand(0)),
            LLVMGetElementPtr => self.address(instruction),
            LLVMExtractValue => self.extract_value(instruction),
            LLVMInsertValue => self.insert_value(instruction),
            LLVMExtractElement => self.extract_element(instruction),
            LLVMInsertElement => self.insert_element(instruction),
            LLVMShuffleVector => self.shuffle(instruction),
            other => unsupported(format!("the instruction {other:?}")),
        }
    }

    /// Where the leaves that an index path leads to start, and how many they are.
    fn path(&self, instruction: Value) -> Translated<(usize, usize)> {
        let count = unsafe { LLVMGetNumIndices(instruction.0) } as usize;
        let indices = unsafe { std::slice::from_raw_parts(LLVMGetIndices(instruction.0), count) };
        let mut ty = instruction.operand(0).ty();
        let mut start = 0;
        for &index in indices {
            let (before, inner) = self.leaf_position(ty, index)?;
            start += before;
            ty = inner;
        }
        Ok((start, self.leaf_count(ty)?))
    }

    fn extract_value(&mut self, instruction: Value) -> Translated<Leaves> {
        let (start, count) = self.path(instruction)?;
        let whole = self.value(instruction.operand(0))?;
        Ok(Leaves::from_slice(&whole[start..start + count]))
    }

    fn insert_value(&mut self, instruction: Value) -> Translated<Leaves> {
        let (start, count) = self.path(instruction)?;
        let mut whole = self.base_of_insertion(instruction.operand(0))?;
        let part = self.value(instruction.operand(1))?;
        whole[start..start + count].copy_from_slice(&part);
        Ok(whole)
    }

    /// An `undef` that is about to be overwritten is not an input, so traces need not record it.
    pub fn base_of_insertion(&mut self, value: Value) -> Translated<Leaves> {
        if value.is_undef() { self.unrecorded(value.ty()) } else { self.value(value) }
    }
}

/// A variable that only another verifier has, or the system's C library, where it has a value of its own: any other would accuse
/// the program of what it never does.
fn foreign_variable(operand: Value) -> Option<String> {
    let name = operand.as_global().filter(|global| global.is_declaration())?.name();
    if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return Some(format!("{name}, a variable of another verifier"));
    }
    LIBRARY_VARIABLES.contains(&name.as_str()).then(|| format!("{name}, a variable of the C library"))
}
