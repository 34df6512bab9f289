//! Variadic functions. A call packs its extra arguments into the object that `Procedure::variadic` describes; the
//! callee's `va_list` points there. On x86-64 the list's register counters say that all registers are used up, so that
//! the code which clang wrote for `va_arg` reads everything from the overflow area, which is that object.

use super::calls::Request;
use super::constant::is_a;
use super::function::FunctionTranslator;
use super::types::{Leaves, Scalar};
use super::{Translated, unsupported};
use crate::llvm::{Type, Value};
use fathom_ir::StatementKind;
use fathom_term::{Sort, Term};
use llvm_sys::core::{LLVMGetAlignment, LLVMGetCalledFunctionType, LLVMIsAAllocaInst, LLVMIsAGetElementPtrInst, LLVMIsALoadInst};

/// A `va_list` of x86-64 with all registers used.
const GENERAL_REGISTERS_END: u64 = 48;
const FLOAT_REGISTERS_END: u64 = 304;
const VA_LIST_BYTES: u64 = 24;
/// Structures that are passed by value to variadic functions may have this many bytes.
const MAX_STRUCT: u64 = 4096;

impl FunctionTranslator<'_, '_> {
    /// Appends an extra argument as bits that fill whole slots.
    pub fn push_variadic(&mut self, call: Value, index: u32, request: &Request, args: &mut Vec<Term>) -> Translated<()> {
        if let Some(ty) = call.call_byval_type(index) {
            return self.push_struct(request.arg(index as usize)?, self.layout.alloc_size(ty), self.layout.align(ty), args);
        }
        let leaves = self.leaves_of(request.types[index as usize])?;
        if request.types[index as usize].is_vector() {
            // Its elements lie side by side: two floats of a structure are one argument of eight bytes.
            let parts = leaves.iter().zip(&request.args[index as usize]).map(|(leaf, &value)| self.to_memory(leaf.scalar, value));
            let whole = parts.reduce(|low, high| self.terms.concat(high, low));
            args.extend(
                whole.map(|bits| self.terms.resize_unsigned(bits, self.terms.sort(bits).width().next_multiple_of(self.pointer_bits))),
            );
            return Ok(());
        }
        if is_upper_half(call, index)
            && let (Some(low), [high]) = (args.pop(), &request.args[index as usize][..])
        {
            args.push(self.terms.concat(*high, low));
            return Ok(());
        }
        for (leaf, &value) in leaves.iter().zip(&request.args[index as usize]) {
            let bits = self.to_memory(leaf.scalar, value);
            let width = match leaf.scalar {
                Scalar::Float(fathom_term::FloatFormat::X87) if self.pointer_bits == 64 => 128,
                Scalar::Float(fathom_term::FloatFormat::X87) => 96,
                _ => self.terms.sort(bits).width().next_multiple_of(self.pointer_bits),
            };
            args.push(self.terms.resize_unsigned(bits, width));
        }
        Ok(())
    }

    /// A structure lies in the object as it lies in memory, word by word.
    fn push_struct(&mut self, pointer: Term, size: u64, align: u64, args: &mut Vec<Term>) -> Translated<()> {
        if size > MAX_STRUCT {
            return unsupported("a large structure as a variadic argument");
        }
        let word = if align > 8 { 16 } else { self.pointer_bits as u64 / 8 };
        let mut offset = 0;
        while offset < size {
            let bytes = word.min(size - offset);
            let (target, bits) = self.local_term("part", Sort::Bv(bytes as u32 * 8));
            let pointer = self.offset(pointer, offset);
            self.emit(StatementKind::Load { target, pointer, volatile: false });
            args.push(self.terms.resize_unsigned(bits, word as u32 * 8));
            offset += bytes;
        }
        Ok(())
    }

    pub fn va_start(&mut self, list: Term) -> Translated<Leaves> {
        let Some(variadic) = self.variadic else { return unsupported("va_start in a function of fixed arguments") };
        let t = self.terms.clone();
        let extra = t.var_term(variadic);
        if self.pointer_bits == 32 {
            self.emit(StatementKind::Store { pointer: list, value: extra });
            return Ok(Leaves::new());
        }
        let fields = [(0, t.bv(GENERAL_REGISTERS_END, 32)), (4, t.bv(FLOAT_REGISTERS_END, 32)), (8, extra), (16, t.bv(0, 64))];
        for (offset, value) in fields {
            let pointer = self.offset(list, offset);
            self.emit(StatementKind::Store { pointer, value });
        }
        Ok(Leaves::new())
    }

    pub fn va_copy(&mut self, to: Term, from: Term) -> Translated<Leaves> {
        let bytes = if self.pointer_bits == 32 { 4 } else { VA_LIST_BYTES };
        let length = self.terms.bv(bytes, self.pointer_bits);
        self.emit(StatementKind::Copy { target: to, source: from, length });
        Ok(Leaves::new())
    }

    /// The `va_arg` instruction, which clang emits for few targets: reads the next slot.
    pub fn va_arg(&mut self, instruction: Value) -> Translated<()> {
        let list = self.single(instruction.operand(0))?;
        let place = if self.pointer_bits == 32 { list } else { self.offset(list, 8) };
        let (target, current) = self.local_term("next", Sort::Bv(self.pointer_bits));
        self.emit(StatementKind::Load { target, pointer: place, volatile: false });
        let slot = self.pointer_bits as u64 / 8;
        let size = self.layout.alloc_size(instruction.ty()).next_multiple_of(slot);
        let mut start = current;
        if slot == 8 && size > 8 {
            let rounded = self.offset(current, 15);
            let low = self.terms.extract(rounded, self.pointer_bits - 1, 4);
            start = self.terms.concat(low, self.terms.bv(0, 4));
        }
        let leaves = self.load_type("variadic", start, instruction.ty(), false)?;
        let value = self.offset(start, size);
        self.emit(StatementKind::Store { pointer: place, value });
        self.bind(instruction, leaves);
        Ok(())
    }
}

/// What C has as one value of 16 bytes with that alignment (`__int128`) clang passes as two of 8 bytes, which it loads from a
/// place of that type. The callee looks for it at an aligned place, so both become one argument again.
fn is_upper_half(call: Value, index: u32) -> bool {
    let fixed = Type(unsafe { LLVMGetCalledFunctionType(call.0) }).params().len() as u32;
    let half = |index: u32| {
        let load = call.operand(index);
        let is_word = load.ty().is_integer() && load.ty().integer_bits() == 64;
        let from = is_a(load, LLVMIsALoadInst).then(|| load.operand(0)).filter(|from| is_word && is_a(*from, LLVMIsAGetElementPtrInst))?;
        let number = from.operand(from.operand_count() - 1).as_constant_int()?;
        let base = from.operand(0);
        let is_wide = is_a(base, LLVMIsAAllocaInst) && unsafe { LLVMGetAlignment(base.0) } >= 16;
        is_wide.then_some((base, number))
    };
    index > fixed && matches!((half(index - 1), half(index)), (Some((low, 0)), Some((high, 1))) if low == high)
}
