//! Addresses that are computed: `getelementptr`. If an index is so large that its offset in bytes exceeds the width of
//! a pointer, the address wraps around and may be inside the object again. Such an access is undefined in C, but the
//! resulting offset does not show it, so the indices are checked where the address is accessed.

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
}

/// What clang calls an index that it brings to the width of pointers, which is no conversion of the program's, and the
/// negative of one.
const CUT: [&str; 2] = ["idxprom", "idx.ext"];
const NEGATED: &str = "idx.neg";

/// What glibc calls its streams. The run-time library has its own, so what is in their fields is not known.
const STREAM: (&str, usize) = ("struct._IO_FILE", 29);

/// Under what conditions an address is where its indices say.
#[derive(Copy, Clone)]
pub struct Reach {
    fits: Term,
    /// How many indices are in it.
    indices: u32,
}

impl Translator<'_> {
    /// The address that a `getelementptr` computes: offsets of the data layout, indices sign-extended.
    pub fn element_address(&self, source: Type, base: Term, indices: &[Term]) -> Translated<Term> {
        let (t, bits) = (&self.terms, self.pointer_bits);
        Ok(self.steps(source, indices)?.into_iter().fold(base, |address, step| match step {
            Step::Bytes(bytes) => t.bv_add(address, t.bv(bytes, bits)),
            Step::Elements(Elements { index, size }) => {
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
            steps.push(Step::Elements(Elements { index: self.to_bits(index), size: self.layout.alloc_size(ty) }));
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
        if instruction.operand_count() > 2 && is_stream(source) {
            return unsupported("a field of the C library's FILE");
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
        for (&operand, step) in operands.iter().zip(self.steps(source, indices)?) {
            let Step::Elements(mut elements) = step else { continue };
            let uncut = self.uncut(operand)?;
            if let Some((_, index)) = uncut {
                elements.index = index;
            }
            if uncut.is_some() || !self.is_near(&elements) {
                reach = self.further(reach, uncut.map_or(operand, |(wide, _)| wide), &elements);
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

    /// The index as the program has it, if it is wider than a pointer: clang cuts it, and C does not.
    fn uncut(&mut self, index: Value) -> Translated<Option<(Value, Term)>> {
        let is_minus = is_a(index, LLVMIsABinaryOperator) && index.name().starts_with(NEGATED);
        let cut = if is_minus { index.operand(1) } else { index };
        if !is_a(cut, LLVMIsATruncInst) || !CUT.iter().any(|name| cut.name().starts_with(name)) {
            return Ok(None);
        }
        let wide = cut.operand(0);
        let term = self.single(wide)?;
        let term = self.to_bits(term);
        Ok((self.terms.sort(term).width() > self.pointer_bits).then_some((wide, term)))
    }

    /// Whether an address that clang computed is where its indices say.
    fn is_near_constant(&mut self, address: Value) -> bool {
        if !is_a(address, LLVMIsAConstantExpr) || unsafe { LLVMGetConstOpcode(address.0) } != Opcode::LLVMGetElementPtr {
            return true;
        }
        let source = Type(unsafe { LLVMGetGEPSourceElementType(address.0) });
        let operands: Vec<Value> = (1..address.operand_count()).map(|index| address.operand(index)).collect();
        let indices: Option<Vec<Term>> = operands.into_iter().map(|operand| self.single(operand).ok()).collect();
        let steps = indices.and_then(|indices| self.steps(source, &indices).ok()).unwrap_or_default();
        let is_near = |step: &Step| if let Step::Elements(elements) = step { self.is_near(elements) } else { true };
        steps.iter().all(is_near) && self.is_near_constant(address.operand(0))
    }

    /// A constant index whose distance in bytes fits the width of a pointer, half of it at most.
    fn is_near(&self, elements: &Elements) -> bool {
        let width = self.terms.sort(elements.index).width();
        let index = self.terms.const_bits(elements.index).map(|bits| fathom_term::sign_extend(bits, width));
        let farthest = 1u64 << (self.pointer_bits - 2);
        index.is_some_and(|index| index.unsigned_abs().checked_mul(elements.size).is_some_and(|bytes| bytes < farthest))
    }

    /// With one more index: the distance is less than half of the address space, for each further index half of that
    /// again, so that no sum of them comes round.
    fn further(&self, reach: Reach, operand: Value, elements: &Elements) -> Reach {
        let t = &self.terms;
        let farthest = (1u64 << (self.pointer_bits - 1 - reach.indices.min(8))) / elements.size.max(1);
        // Signed numbers of the index's width or of what it was extended from.
        let is_any = |end: u64| end.max(1).ilog2() + 1 >= significant_bits(operand, t.sort(elements.index).width());
        let whole = if t.sort(elements.index).width() > 64 { self.fits_pointer(elements.index) } else { t.bool(true) };
        let index = if t.sort(elements.index).width() > 64 { t.resize_signed(elements.index, 64) } else { elements.index };
        let width = t.sort(index).width();
        let bound = |number: u64| t.bv(number & fathom_term::mask(width), width);
        let between = |lowest: u64, end: u64| t.and(t.bv_sle(bound(lowest), index), t.bv_slt(index, bound(end)));
        let fits = if is_any(farthest) { t.bool(true) } else { t.and(whole, between(farthest.wrapping_neg(), farthest.max(1))) };
        Reach { fits: t.and_all([reach.fits, self.reach_of(operand).fits, fits]), indices: reach.indices + 1 }
    }

    /// Of a product that is an index.
    pub fn note_product(&mut self, product: Value, fits: Term) {
        self.reaches.insert(product, Reach { fits, indices: 0 });
    }

    fn reach_of(&self, value: Value) -> Reach {
        self.reaches.get(&value).copied().unwrap_or(Reach { fits: self.terms.bool(true), indices: 0 })
    }

    /// The address is read or written, or goes to code that does not know its indices.
    pub fn require_fit(&mut self, address: Value) {
        let fits = if self.is_near_constant(address) { self.reach_of(address).fits } else { self.terms.bool(false) };
        self.assert_that(fits, Property::ValidDeref, "an index outside the address space".to_string());
    }
}

/// Whether it is glibc's structure behind FILE, by its name and the number of its fields.
fn is_stream(ty: Type) -> bool {
    ty.struct_name().is_some_and(|name| (name.as_str(), ty.fields().len()) == STREAM)
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

/// Whether the address goes on from here to code that does not know its indices.
fn carries_on(address: Value, user: Value) -> bool {
    match user.opcode() {
        Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMRet | Opcode::LLVMInsertValue => true,
        Opcode::LLVMStore => user.operand(0) == address,
        _ => false,
    }
}
