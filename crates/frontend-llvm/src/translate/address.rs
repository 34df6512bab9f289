//! Addresses that are computed: `getelementptr`. An index that is so large that its distance in bytes does not fit the
//! width of a pointer wraps round and may hit the object again. C gives an access there no meaning, and the place in
//! the object tells nothing of it any more, so it is checked by the indices. An address alone is no access: one that
//! is only compared or never used is not checked.

use super::constant::is_a;
use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, Translator, unsupported};
use crate::llvm::{Opcode, Type, TypeKind, Value};
use fathom_ir::Property;
use fathom_term::{Term, TermStore};
use llvm_sys::core::*;

/// A part of the way from a base to an address.
enum Step {
    /// Of a field.
    Bytes(u64),
    /// Over so many elements of this size.
    Elements(Term, u64),
}

/// Under what condition an address is where its indices say.
#[derive(Copy, Clone)]
pub struct Reach {
    pub condition: Term,
    /// How many indices are in it.
    indices: u32,
}

impl Reach {
    pub fn under(condition: Term) -> Self {
        Reach { condition, indices: 0 }
    }

    fn and(self, other: Reach, store: &TermStore) -> Reach {
        Reach { condition: store.and(self.condition, other.condition), indices: self.indices + other.indices }
    }
}

impl Translator<'_> {
    /// The address that a `getelementptr` computes: offsets of the data layout, indices sign-extended.
    pub fn element_address(&self, source: Type, base: Term, indices: &[Term]) -> Translated<Term> {
        let (t, bits) = (&self.terms, self.pointer_bits);
        Ok(self.steps(source, indices)?.into_iter().fold(base, |address, step| match step {
            Step::Bytes(bytes) => t.bv_add(address, t.bv(bytes, bits)),
            Step::Elements(index, size) => {
                let index = t.resize_signed(index, bits);
                t.bv_add(address, t.bv_mul(index, t.bv(size, bits)))
            }
        }))
    }

    fn steps(&self, source: Type, indices: &[Term]) -> Translated<Vec<Step>> {
        let mut ty = source;
        let mut steps = Vec::new();
        for (position, &index) in indices.iter().enumerate() {
            if position > 0 {
                if matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
                    let Some(field) = self.terms.const_bits(index) else { return unsupported("a field chosen at run time") };
                    steps.push(Step::Bytes(self.layout.field_offset(ty, field as u32)));
                    ty = ty.fields()[field as usize];
                    continue;
                }
                ty = ty.element();
            }
            steps.push(Step::Elements(self.to_bits(index), self.layout.alloc_size(ty)));
        }
        Ok(steps)
    }
}

impl FunctionTranslator<'_, '_> {
    pub fn address(&mut self, instruction: Value) -> Translated<Leaves> {
        let source = Type(unsafe { LLVMGetGEPSourceElementType(instruction.0) });
        if instruction.ty().is_vector() {
            return unsupported("a vector of addresses");
        }
        let base = self.single(instruction.operand(0))?;
        let operands: Vec<Value> = (1..instruction.operand_count()).map(|index| instruction.operand(index)).collect();
        let mut indices = Vec::new();
        for &operand in &operands {
            indices.push(self.single(operand)?);
        }
        if unsafe { LLVMIsInBounds(instruction.0) } != 0 {
            self.note_reach(instruction, source, &operands, &indices)?;
        }
        Ok(Self::one(self.element_address(source, base, &indices)?))
    }

    fn note_reach(&mut self, instruction: Value, source: Type, operands: &[Value], indices: &[Term]) -> Translated<()> {
        let t = self.terms.clone();
        let mut reach = self.reach_of(instruction.operand(0));
        for (&operand, step) in operands.iter().zip(self.steps(source, indices)?) {
            if let Step::Elements(index, size) = step
                && t.const_bits(index).is_none()
            {
                let within = self.within(operand, index, size, reach.indices);
                reach = reach.and(self.reach_of(operand), &t).and(Reach { condition: within, indices: 1 }, &t);
            }
        }
        if reach.indices > 0 {
            self.reaches.insert(instruction, reach);
            if instruction.users().into_iter().any(|user| carries_on(instruction, user)) {
                self.require_reach(instruction);
            }
        }
        Ok(())
    }

    /// That the distance is less than half of the address space; for each further index half of that again, so that
    /// no sum of them comes round.
    fn within(&self, operand: Value, index: Term, size: u64, before: u32) -> Term {
        let t = &self.terms;
        let farthest = 1u64.checked_shl(self.pointer_bits - 1 - before.min(8)).unwrap_or(0) / size.max(1);
        let width = t.sort(index).width();
        if significant_bits(operand, width) <= farthest.checked_ilog2().unwrap_or(0) + 1 || width > 64 {
            return t.bool(true);
        }
        let bound = |number: u64| t.bv(number & fathom_term::mask(width), width);
        t.and(t.bv_sle(bound(farthest.wrapping_neg()), index), t.bv_slt(index, bound(farthest.max(1))))
    }

    fn reach_of(&self, value: Value) -> Reach {
        self.reaches.get(&value).copied().unwrap_or(Reach::under(self.terms.bool(true)))
    }

    /// Something is done at the address: it must be where its indices say.
    pub fn require_reach(&mut self, address: Value) {
        let condition = self.reach_of(address).condition;
        self.assert_that(condition, Property::ValidDeref, "an index outside the address space".to_string());
    }
}

/// How many bits a signed index has that an extension did not add.
fn significant_bits(index: Value, width: u32) -> u32 {
    let narrow = || unsafe { LLVMGetIntTypeWidth(index.operand(0).ty().0) };
    match is_a(index, LLVMIsACastInst).then(|| index.opcode()) {
        Some(Opcode::LLVMSExt) => narrow(),
        Some(Opcode::LLVMZExt) => narrow() + 1,
        _ => width,
    }
}

/// Whether the address goes on from here to where nobody knows its indices.
fn carries_on(address: Value, user: Value) -> bool {
    match user.opcode() {
        Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMRet | Opcode::LLVMInsertValue => true,
        Opcode::LLVMStore => user.operand(0) == address,
        _ => false,
    }
}
