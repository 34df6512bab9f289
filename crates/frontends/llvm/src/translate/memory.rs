//! Loads, stores, stack objects and atomics. Atomic updates are a load and a store
//! in a section that no other thread interrupts.

use super::function::{FunctionTranslator, internal_choice};
use super::standing::is_passed_out;
use super::types::{Leaf, Leaves, Scalar};
use super::{Translated, unsupported};
use crate::llvm::{BasicBlock, Opcode, Type, Value};
use crate::scopes::{self, END_DYNAMIC};
use fathom_ir::{AllocKind, Aspect, Assumption, StatementKind, TerminatorKind};
use fathom_term::{Op, Sort, Term, VarId};
use llvm_sys::LLVMAtomicRMWBinOp;
use llvm_sys::core::*;

/// A local object whose scope has marks.
#[derive(Clone)]
pub struct Scoped {
    alloc: StatementKind,
    /// Where its address goes, if that is used after its end: the variable of the object itself becomes null then.
    last: Option<(VarId, Term)>,
}

impl FunctionTranslator<'_, '_> {
    pub fn alloca(&mut self, instruction: Value) -> Translated<()> {
        let ty = Type(unsafe { LLVMGetAllocatedType(instruction.0) });
        let count = self.single(instruction.operand(0))?;
        let (bits, t) = (self.pointer_bits, self.terms.clone());
        let count = t.resize_unsigned(count, bits);
        let each = self.layout.alloc_size(ty);
        // An array of this many elements exists or not; one whose size wraps round does not.
        let most = fathom_term::mask(bits) / each.max(1);
        let size = t.ite(t.bv_ult(t.bv(most, bits), count), t.bv(fathom_term::mask(bits), bits), t.bv_mul(count, t.bv(each, bits)));
        let align = unsafe { LLVMGetAlignment(instruction.0) } as u64;
        let name = self.name_of(instruction);
        let (target, address) = self.local_term(&name, Sort::Bv(bits));
        self.set_value(instruction, Self::one(address));
        self.note_type_of_local(instruction, target);
        let alloc = StatementKind::Alloc { target, size, align, kind: AllocKind::Stack, zeroed: false, name };
        if let Some(&handle) = self.ended_allocas.get(&instruction) {
            self.emit(alloc);
            self.emit(StatementKind::Assign(vec![(handle, address)]));
        } else if scopes::has_start(instruction) {
            self.emit(StatementKind::Assign(vec![(target, t.bv(0, bits))]));
            let is_named_late = scopes::is_outlived(instruction) || is_passed_out(instruction);
            let last = is_named_late.then(|| self.local_term("address", Sort::Bv(bits)));
            if let Some((_, term)) = last {
                self.set_value(instruction, Self::one(term));
            }
            self.scoped.insert(instruction, Scoped { alloc, last: last.map(|(var, _)| (var, address)) });
        } else {
            self.emit(alloc);
        }
        Ok(())
    }

    /// Variables that name the dynamic objects of which the end of the scope is marked; null while there is none.
    pub fn declare_ended_allocas(&mut self) {
        let ends = |i: Value| i.opcode() == Opcode::LLVMCall && Value(unsafe { LLVMGetCalledValue(i.0) }).name() == END_DYNAMIC;
        let marked: Vec<u64> = (self.function.blocks().flat_map(BasicBlock::instructions))
            .filter(|i| ends(*i))
            .filter_map(|i| i.operand(0).as_constant_int())
            .collect();
        if marked.is_empty() {
            return;
        }
        self.dynamic = scopes::dynamic_allocas(self.function);
        for (number, alloca) in self.dynamic.clone().into_iter().enumerate().filter(|(number, _)| marked.contains(&(*number as u64))) {
            let (handle, _) = self.local_term(&format!("dynamic{number}"), Sort::Bv(self.pointer_bits));
            self.emit(StatementKind::Assign(vec![(handle, self.terms.bv(0, self.pointer_bits))]));
            self.ended_allocas.insert(alloca, handle);
        }
    }

    pub fn end_dynamic(&mut self, call: Value) {
        let number = call.operand(0).as_constant_int().and_then(|number| self.dynamic.get(number as usize));
        if let Some(&variable) = number.and_then(|alloca| self.ended_allocas.get(alloca)) {
            self.emit(StatementKind::EndScope { variable });
        }
    }

    /// The block of the source that declares a variable is entered (a new object) or left (the object ends).
    pub fn scope(&mut self, variable: Value, entered: bool) {
        let Some(Scoped { alloc, last }) = self.scoped.get(&variable).cloned() else { return };
        if let StatementKind::Alloc { target, .. } = alloc {
            self.emit(StatementKind::EndScope { variable: target });
        }
        if entered {
            self.emit(alloc);
            if let Some(assignment) = last {
                self.emit(StatementKind::Assign(vec![assignment]));
            }
        }
    }

    pub fn load(&mut self, instruction: Value) -> Translated<()> {
        let pointer = self.single(instruction.operand(0))?;
        let name = self.name_of(instruction);
        let volatile = instruction.is_volatile() && self.options.volatile_arbitrary;
        self.fault_if_null(pointer);
        let is_atomic = self.begin_if_atomic(instruction);
        let place = instruction.operand(0);
        let leaves = match self.unchecked.has_reads(|| is_part_of_variable(place)) && !is_surely_there(place) {
            true => self.load_if_there(&name, pointer, instruction.ty())?,
            false => self.load_type(&name, pointer, instruction.ty(), volatile)?,
        };
        self.end_if_atomic(is_atomic);
        // Behind the access, which has more to say of an address outside the object.
        self.require_fit(instruction.operand(0));
        self.bind(instruction, leaves);
        Ok(())
    }

    pub fn load_type(&mut self, name: &str, pointer: Term, ty: Type, volatile: bool) -> Translated<Leaves> {
        self.check_memory_form(ty)?;
        let leaves = self.leaves_of(ty)?;
        Ok(leaves.into_iter().map(|leaf| self.load_leaf(name, pointer, leaf, volatile)).collect())
    }

    /// A read that is not checked: outside of every object it gives any value.
    fn load_if_there(&mut self, name: &str, pointer: Term, ty: Type) -> Translated<Leaves> {
        let (t, bits) = (self.terms.clone(), self.pointer_bits);
        let [base, size, traits] = [Aspect::Base, Aspect::Size, Aspect::Traits].map(|aspect| self.ask_object(pointer, aspect));
        let length = t.bv(self.layout.alloc_size(ty), bits);
        let starts = t.bv_ule(t.bv_sub(pointer, base), t.bv_sub(size, length));
        let condition = t.and_all([t.ne(traits, t.bv(0, bits)), t.bv_ule(length, size), starts]);
        let vars = self.locals_for(name, ty)?;
        let [then, otherwise, join] = ["there", "nowhere", "read"].map(|label| self.new_block(label.to_string()));
        self.terminate(TerminatorKind::Branch { condition, then, otherwise });
        self.switch_to(otherwise);
        if !vars.is_empty() {
            self.emit(StatementKind::Havoc { vars: vars.clone(), input: Some(internal_choice()) });
        }
        self.terminate(TerminatorKind::Goto(vec![join]));
        self.switch_to(then);
        let leaves = self.load_type(name, pointer, ty, false)?;
        let assignment: Vec<(VarId, Term)> = vars.iter().zip(leaves).map(|(&var, leaf)| self.assigned(var, leaf)).collect();
        if !assignment.is_empty() {
            self.emit(StatementKind::Assign(assignment));
        }
        self.terminate(TerminatorKind::Goto(vec![join]));
        self.switch_to(join);
        self.values_of(&vars, ty)
    }

    fn load_leaf(&mut self, name: &str, pointer: Term, leaf: Leaf, volatile: bool) -> Term {
        let width = self.memory_bits(leaf.scalar);
        let pointer = self.offset(pointer, leaf.offset);
        let step = self.width_of_access(leaf.scalar, width);
        let mut whole: Option<Term> = None;
        for low in (0..width).step_by(step as usize) {
            let (target, bits) = self.local_term(name, Sort::Bv(step));
            self.emit(StatementKind::Load { target, pointer: self.offset(pointer, u64::from(low / 8)), volatile });
            whole = Some(whole.map_or(bits, |below| self.terms.concat(bits, below)));
        }
        let bits = whole.unwrap_or_else(|| self.terms.bv(0, width));
        self.value_in_memory(leaf.scalar, bits)
    }

    /// How much of a value one access reads or writes: an integer that no register holds takes several, between which other threads
    /// may run.
    fn width_of_access(&self, scalar: Scalar, width: u32) -> u32 {
        let register = self.pointer_bits;
        let is_wide = matches!(scalar, Scalar::Int(_)) && width > register && width.is_multiple_of(register);
        if is_wide && self.module.function("pthread_create").is_some() { register } else { width }
    }

    pub fn offset(&self, pointer: Term, bytes: u64) -> Term {
        self.terms.bv_add(pointer, self.terms.bv(bytes, self.pointer_bits))
    }

    pub fn store(&mut self, instruction: Value) -> Translated<()> {
        let value = instruction.operand(0);
        let leaves = self.value(value)?;
        let pointer = self.single(instruction.operand(1))?;
        self.fault_if_null(pointer);
        let is_atomic = self.begin_if_atomic(instruction);
        self.stores_temporary = self.is_temporary(instruction.operand(1));
        let stored = self.store_type(pointer, value.ty(), &leaves);
        self.stores_temporary = false;
        stored?;
        self.end_if_atomic(is_atomic);
        self.require_fit(instruction.operand(1));
        Ok(())
    }

    /// Whether no variable of the source lies there.
    fn is_temporary(&self, place: Value) -> bool {
        place.opcode() == Opcode::LLVMAlloca && !self.names.contains_key(&place)
    }

    pub fn store_type(&mut self, pointer: Term, ty: Type, values: &[Term]) -> Translated<()> {
        self.check_memory_form(ty)?;
        for (leaf, &value) in self.leaves_of(ty)?.into_iter().zip(values) {
            let value = self.to_memory(leaf.scalar, value);
            let pointer = self.offset(pointer, leaf.offset);
            let width = self.terms.sort(value).width();
            let step = self.width_of_access(leaf.scalar, width);
            for low in (0..width).step_by(step as usize) {
                let value = self.terms.extract(value, low + step - 1, low);
                self.emit(StatementKind::Store { pointer: self.offset(pointer, u64::from(low / 8)), value });
            }
        }
        Ok(())
    }

    /// Vectors of elements that are not whole bytes are packed bit by bit in memory.
    fn check_memory_form(&self, ty: Type) -> Translated<()> {
        if ty.is_vector() && !self.layout.bit_size(ty.element()).is_multiple_of(8) {
            return unsupported(format!("a value of type {} in memory", ty.show()));
        }
        Ok(())
    }

    pub fn atomic_update(&mut self, instruction: Value) -> Translated<()> {
        let pointer = self.single(instruction.operand(0))?;
        let operand = self.single(instruction.operand(1))?;
        let ty = instruction.ty();
        self.note_order(instruction);
        self.begin_section(instruction);
        let old = self.load_type("old", pointer, ty, false)?;
        let operation = unsafe { LLVMGetAtomicRMWBinOp(instruction.0) };
        let new = self.atomic_result(operation, old[0], operand)?;
        self.store_type(pointer, ty, &[new])?;
        self.require_fit(instruction.operand(0));
        self.end_atomic();
        self.bind(instruction, old);
        Ok(())
    }

    fn atomic_result(&self, operation: LLVMAtomicRMWBinOp, old: Term, operand: Term) -> Translated<Term> {
        use LLVMAtomicRMWBinOp::*;
        let t = &self.terms;
        let integer = |opcode| self.integer_operation(opcode, old, operand);
        let smaller = |is_old_smaller: Term, want_smaller: bool| {
            if want_smaller { t.ite(is_old_smaller, old, operand) } else { t.ite(is_old_smaller, operand, old) }
        };
        Ok(match operation {
            LLVMAtomicRMWBinOpXchg => operand,
            LLVMAtomicRMWBinOpAdd => integer(Opcode::LLVMAdd)?,
            LLVMAtomicRMWBinOpSub => integer(Opcode::LLVMSub)?,
            LLVMAtomicRMWBinOpAnd => integer(Opcode::LLVMAnd)?,
            LLVMAtomicRMWBinOpOr => integer(Opcode::LLVMOr)?,
            LLVMAtomicRMWBinOpXor => integer(Opcode::LLVMXor)?,
            LLVMAtomicRMWBinOpNand => t.build(Op::BvNot, &[integer(Opcode::LLVMAnd)?]),
            LLVMAtomicRMWBinOpMax => smaller(t.bv_slt(old, operand), false),
            LLVMAtomicRMWBinOpMin => smaller(t.bv_slt(old, operand), true),
            LLVMAtomicRMWBinOpUMax => smaller(t.bv_ult(old, operand), false),
            LLVMAtomicRMWBinOpUMin => smaller(t.bv_ult(old, operand), true),
            LLVMAtomicRMWBinOpFAdd => t.build(Op::FpAdd, &[self.rounding(), old, operand]),
            LLVMAtomicRMWBinOpFSub => t.build(Op::FpSub, &[self.rounding(), old, operand]),
            other => return unsupported(format!("the atomic operation {other:?}")),
        })
    }

    pub fn compare_exchange(&mut self, instruction: Value) -> Translated<()> {
        let pointer = self.single(instruction.operand(0))?;
        let expected = self.single(instruction.operand(1))?;
        let new = self.single(instruction.operand(2))?;
        let ty = instruction.operand(2).ty();
        self.note_order(instruction);
        // SAFETY: an instruction of this kind.
        if unsafe { LLVMGetWeak(instruction.0) } != 0 {
            self.assume_for_ledger(Assumption::WeakExchange);
        }
        self.begin_section(instruction);
        let old = self.load_type("old", pointer, ty, false)?[0];
        let same = self.terms.eq(old, expected);
        let stored = self.terms.ite(same, new, old);
        self.store_type(pointer, ty, &[stored])?;
        self.require_fit(instruction.operand(0));
        self.end_atomic();
        self.bind(instruction, Leaves::from_slice(&[old, same]));
        Ok(())
    }
}

/// Whether it is a variable's own address.
fn is_surely_there(pointer: Value) -> bool {
    pointer.as_global().is_some() || unsafe { !LLVMIsAAllocaInst(pointer.0).is_null() }
}

/// Whether it is a part of a variable, found by indices and members alone.
fn is_part_of_variable(pointer: Value) -> bool {
    match unsafe { LLVMIsAGetElementPtrInst(pointer.0).is_null() } {
        false => is_part_of_variable(pointer.operand(0)),
        true => pointer.is_constant() || is_surely_there(pointer),
    }
}
