//! Addresses that are computed: `getelementptr`. What the place in an object does not tell any more is checked by the
//! indices, where something is done at the address:
//! - An index that is so large that its distance in bytes does not fit the width of a pointer wraps round and may hit the
//!   object again. C gives an access there no meaning.
//! - An index outside an array that is a part of an object leads to another part of it. C gives that no meaning either,
//!   except that an array at the end of a structure may be meant to go on.

use super::constant::is_a;
use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, Translator, unsupported};
use crate::llvm::{Opcode, Type, TypeKind, Value};
use fathom_ir::Property;
use fathom_term::Term;
use llvm_sys::core::*;

/// A part of the way from a base to an address.
enum Step {
    /// Of a field.
    Bytes(u64),
    Elements(Elements),
}

struct Elements {
    index: Term,
    size: u64,
    /// The length of the array, where it is known and binding.
    length: Option<u64>,
}

/// Under what conditions an address is where its indices say.
#[derive(Copy, Clone)]
pub struct Reach {
    fits: Term,
    /// That each index is inside its array.
    inside: Term,
    /// How many indices are in it.
    indices: u32,
}

impl Translator<'_> {
    /// The address that a `getelementptr` computes: offsets of the data layout, indices sign-extended.
    pub fn element_address(&self, source: Type, base: Term, indices: &[Term]) -> Translated<Term> {
        let (t, bits) = (&self.terms, self.pointer_bits);
        Ok(self.steps(source, indices, false)?.into_iter().fold(base, |address, step| match step {
            Step::Bytes(bytes) => t.bv_add(address, t.bv(bytes, bits)),
            Step::Elements(Elements { index, size, .. }) => {
                let index = t.resize_signed(index, bits);
                t.bv_add(address, t.bv_mul(index, t.bv(size, bits)))
            }
        }))
    }

    /// `is_binding`: whether the length of an array at the base is.
    fn steps(&self, source: Type, indices: &[Term], mut is_binding: bool) -> Translated<Vec<Step>> {
        let mut ty = source;
        let mut steps = Vec::new();
        for (position, &index) in indices.iter().enumerate() {
            let mut length = None;
            if position > 0 {
                if matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
                    let Some(field) = self.terms.const_bits(index) else { return unsupported("a field chosen at run time") };
                    steps.push(Step::Bytes(self.layout.field_offset(ty, field as u32)));
                    let fields = ty.fields();
                    is_binding = field as usize + 1 < fields.len();
                    ty = fields[field as usize];
                    continue;
                }
                // Old C has arrays of length 0 that go on.
                length = Some(ty.length()).filter(|&length| is_binding && length > 0);
                ty = ty.element();
                is_binding = true;
            }
            steps.push(Step::Elements(Elements { index: self.to_bits(index), size: self.layout.alloc_size(ty), length }));
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
        let base = instruction.operand(0);
        let mut reach = self.reach_of(base);
        for (&operand, step) in operands.iter().zip(self.steps(source, indices, is_binding(base, source))?) {
            if let Step::Elements(elements) = step
                && self.terms.const_bits(elements.index).is_none()
            {
                reach = self.further(reach, operand, &elements);
            }
        }
        if reach.indices > 0 {
            self.reaches.insert(instruction, reach);
            if instruction.users().into_iter().any(|user| carries_on(instruction, user)) {
                self.require_fit(instruction);
            }
        }
        Ok(())
    }

    /// With one more index: the distance is less than half of the address space, for each further index half of that
    /// again, so that no sum of them comes round.
    fn further(&self, reach: Reach, operand: Value, elements: &Elements) -> Reach {
        let t = &self.terms;
        let farthest = (1u64 << (self.pointer_bits - 1 - reach.indices.min(8))) / elements.size.max(1);
        let width = t.sort(elements.index).width();
        let bound = |number: u64| t.bv(number & fathom_term::mask(width), width);
        let between = |lowest: u64, end: u64| t.and(t.bv_sle(bound(lowest), elements.index), t.bv_slt(elements.index, bound(end)));
        // Signed numbers of the index's width or of what it was extended from.
        let is_any = |end: u64| end.max(1).ilog2() + 1 >= significant_bits(operand, width);
        let fits = if is_any(farthest) || width > 64 { t.bool(true) } else { between(farthest.wrapping_neg(), farthest.max(1)) };
        let inside = match elements.length {
            Some(length) if width <= 64 && length.ilog2() + 1 < width => between(0, length),
            Some(_) => t.bv_sle(bound(0), elements.index),
            None => t.bool(true),
        };
        Reach {
            fits: t.and_all([reach.fits, self.reach_of(operand).fits, fits]),
            inside: t.and(reach.inside, inside),
            indices: reach.indices + 1,
        }
    }

    /// Of a product that is an index.
    pub fn note_product(&mut self, product: Value, fits: Term) {
        self.reaches.insert(product, Reach { fits, inside: self.terms.bool(true), indices: 0 });
    }

    fn reach_of(&self, value: Value) -> Reach {
        let anywhere = self.terms.bool(true);
        self.reaches.get(&value).copied().unwrap_or(Reach { fits: anywhere, inside: anywhere, indices: 0 })
    }

    /// The address is read or written.
    pub fn require_reach(&mut self, address: Value) {
        self.require_fit(address);
        let inside = self.reach_of(address).inside;
        self.assert_that(inside, Property::Bounds, "an index outside its array".to_string());
    }

    /// The address goes to where nobody knows its indices; the end of an array may.
    pub fn require_fit(&mut self, address: Value) {
        let fits = self.reach_of(address).fits;
        self.assert_that(fits, Property::ValidDeref, "an index outside the address space".to_string());
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

/// Whether an array of this type at the base is a part of something, and not one that may go on behind the end of its
/// structure. A whole object has bounds of its own.
fn is_binding(base: Value, array: Type) -> bool {
    let is_constant = is_a(base, LLVMIsAConstantExpr) && unsafe { LLVMGetConstOpcode(base.0) } == Opcode::LLVMGetElementPtr;
    if is_constant || is_a(base, LLVMIsAGetElementPtrInst) {
        return selects_a_part(base);
    }
    let whole = match () {
        () if is_a(base, LLVMIsAAllocaInst) => Type(unsafe { LLVMGetAllocatedType(base.0) }),
        () if is_a(base, LLVMIsAGlobalVariable) => base.value_type(),
        () => return false,
    };
    is_first_in(whole, array)
}

/// The address of the first part of an object is written as that of the object.
fn is_first_in(whole: Type, part: Type) -> bool {
    let mut ty = whole;
    let mut is_binding = false;
    while ty != part {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind if !ty.fields().is_empty() => {
                is_binding = ty.fields().len() > 1;
                ty = ty.fields()[0];
            }
            TypeKind::LLVMArrayTypeKind => {
                is_binding = true;
                ty = ty.element();
            }
            _ => return false,
        }
    }
    is_binding
}

fn selects_a_part(address: Value) -> bool {
    let mut ty = Type(unsafe { LLVMGetGEPSourceElementType(address.0) });
    let mut is_part = matches!(ty.kind(), TypeKind::LLVMArrayTypeKind);
    for index in 2..address.operand_count() {
        let fields = if matches!(ty.kind(), TypeKind::LLVMStructTypeKind) { ty.fields() } else { Vec::new() };
        match address.operand(index).as_constant_int().and_then(|field| Some((field as usize, *fields.get(field as usize)?))) {
            Some((field, inner)) => (ty, is_part) = (inner, field + 1 < fields.len()),
            None => (ty, is_part) = (ty.element(), true),
        }
    }
    is_part
}
