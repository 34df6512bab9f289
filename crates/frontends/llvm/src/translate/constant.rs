//! Constants as terms: numbers, null, addresses of globals and functions, aggregates, and constant expressions over
//! them. The caller chooses the meaning of `undef`: an arbitrary local in a function, zero in an initialiser; and also
//! where the bits of a NaN are kept, which float terms do not have (see `nan`).

use super::nan::is_nan_constant;
use super::types::{Leaves, float_format};
use super::{Translated, Translator, unsupported};
use crate::llvm::{BasicBlock, Opcode, Type, TypeKind, Value};
use fathom_term::{FloatFormat, Op, Sort, Term};
use llvm_sys::core::*;
use num_bigint::BigUint;
use smallvec::smallvec;

/// A scalar that is not simply a term.
pub enum Special {
    Undef(Sort),
    Nan { format: FloatFormat, bits: Term },
}

/// Supplies a value for each special scalar.
pub type OnSpecial<'a> = &'a mut dyn FnMut(Special) -> Term;

impl Translator<'_> {
    pub fn constant(&mut self, value: Value, on_special: OnSpecial) -> Translated<Leaves> {
        let ty = value.ty();
        if value.is_undef() {
            let leaves = self.leaves_of(ty)?;
            return Ok(leaves.into_iter().map(|leaf| on_special(Special::Undef(self.sort_of(leaf.scalar)))).collect());
        }
        if value.is_null() {
            return self.zero(ty);
        }
        match ty.kind() {
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => self.aggregate(value, on_special),
            _ if self.is_defined_in_assembly(value) => unsupported(format!("{}, which assembly defines", value.name())),
            _ if self.is_defined_by_linker(value) => unsupported(format!("{}, which the linker defines", value.name())),
            _ if value.as_function().is_some() => Ok(smallvec![self.address_of_function(value)]),
            _ if value.as_alias().is_some() => {
                let target = Value(unsafe { LLVMAliasGetAliasee(value.0) });
                self.constant(target, on_special)
            }
            _ if value.as_global().is_some() && self.is_missing(value) => Ok(smallvec![self.terms.bv(0, self.pointer_bits)]),
            _ if value.as_global().is_some() && self.is_end_of_section(value) => {
                unsupported(format!("{}, which the linker defines", value.name()))
            }
            _ if value.as_global().is_some() => Ok(smallvec![self.address_of_global(value)]),
            _ if is_a(value, LLVMIsAConstantInt) => Ok(smallvec![self.integer(value, ty)]),
            _ if is_a(value, LLVMIsAConstantFP) => Ok(smallvec![self.float_constant(value, ty, on_special)?]),
            _ if is_a(value, LLVMIsAConstantExpr) => self.expression(value, on_special),
            _ if is_a(value, LLVMIsABlockAddress) => {
                let label = BasicBlock(unsafe { LLVMGetBlockAddressBasicBlock(value.0) });
                Ok(smallvec![self.label_number(label)])
            }
            _ => unsupported(format!("the constant {}", value.show())),
        }
    }

    fn zero(&mut self, ty: Type) -> Translated<Leaves> {
        let leaves = self.leaves_of(ty)?;
        Ok(leaves.into_iter().map(|leaf| self.reinterpret(self.terms.bv(0, 1), self.sort_of(leaf.scalar))).collect())
    }

    fn aggregate(&mut self, value: Value, on_special: OnSpecial) -> Translated<Leaves> {
        if is_a(value, LLVMIsAConstantExpr) {
            return self.expression(value, on_special);
        }
        let ty = value.ty();
        let count = match ty.kind() {
            TypeKind::LLVMStructTypeKind => ty.fields().len() as u64,
            _ => ty.length(),
        };
        self.leaf_count(ty)?;
        let mut leaves = Leaves::new();
        for index in 0..count {
            match Value::new(unsafe { LLVMGetAggregateElement(value.0, index as u32) }) {
                Some(element) => leaves.extend(self.constant(element, on_special)?),
                None => return unsupported(format!("the constant {}", value.show())),
            }
        }
        Ok(leaves)
    }

    fn integer(&self, value: Value, ty: Type) -> Term {
        let width = ty.integer_bits();
        match value.as_constant_int() {
            Some(bits) if width == 1 => self.terms.bool(bits != 0),
            Some(bits) => self.terms.bv(bits, width),
            None => {
                let shown = value.show();
                let digits = shown.rsplit(' ').next().unwrap_or("0");
                let magnitude: BigUint = digits.trim_start_matches('-').parse().unwrap_or_default();
                let bits = if digits.starts_with('-') { (BigUint::from(1u8) << width) - magnitude } else { magnitude };
                self.terms.constant(&fathom_term::Value::bits(bits, width), Sort::Bv(width))
            }
        }
    }

    fn float_constant(&self, value: Value, ty: Type, on_special: OnSpecial) -> Translated<Term> {
        let Some(format) = float_format(ty) else {
            return unsupported(format!("a constant of type {}", ty.show()));
        };
        if is_nan_constant(value) {
            let shown = value.show();
            let bits = nan_bits(&shown, format).ok_or_else(|| super::Unsupported(format!("the constant {shown}")))?;
            let sort = Sort::Bv(format.width());
            let bits = self.terms.constant(&fathom_term::Value::bits(bits, format.width()), sort);
            return Ok(on_special(Special::Nan { format, bits }));
        }
        let bits = match ty.kind() {
            TypeKind::LLVMX86_FP80TypeKind | TypeKind::LLVMFP128TypeKind => {
                let shown = value.show();
                wide_float_bits(&shown).ok_or_else(|| super::Unsupported(format!("the constant {shown}")))?
            }
            _ => {
                let mut loses = 0;
                let double = unsafe { LLVMConstRealGetDouble(value.0, &mut loses) };
                let bits = self.terms.bv(double.to_bits(), 64);
                let double = self.terms.build(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]);
                let mode = self.nearest_even();
                return Ok(self.terms.build(Op::FpToFp(format), &[mode, double]));
            }
        };
        let width = if format == FloatFormat::X87 { 80 } else { format.width() };
        let bits = self.terms.constant(&fathom_term::Value::bits(bits, width), Sort::Bv(width));
        Ok(self.float_from_bits(format, bits))
    }

    fn expression(&mut self, value: Value, on_special: OnSpecial) -> Translated<Leaves> {
        let opcode = unsafe { LLVMGetConstOpcode(value.0) };
        let mut operands = Vec::new();
        for operand in value.operands() {
            operands.push(self.constant(operand, on_special)?);
        }
        use Opcode::*;
        match opcode {
            LLVMGetElementPtr => {
                let source = Type(unsafe { LLVMGetGEPSourceElementType(value.0) });
                let [base] = operands[0][..] else { return unsupported("a vector of addresses") };
                let mut indices = Vec::new();
                for index in &operands[1..] {
                    let [index] = index[..] else { return unsupported("a vector of addresses") };
                    indices.push(index);
                }
                Ok(smallvec![self.element_address(source, base, &indices)?])
            }
            LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast | LLVMTrunc | LLVMZExt | LLVMSExt => {
                self.cast(opcode, &operands[0], value.operand(0).ty(), value.ty())
            }
            LLVMAdd | LLVMSub | LLVMMul | LLVMXor | LLVMAnd | LLVMOr | LLVMShl | LLVMLShr | LLVMAShr => {
                self.map_leaves(&operands[0], &operands[1], |t, a, b| t.integer_operation(opcode, a, b))
            }
            LLVMICmp => {
                let predicate = unsafe { LLVMGetICmpPredicate(value.0) };
                self.map_leaves(&operands[0], &operands[1], |t, a, b| t.compare_integers(predicate, a, b))
            }
            _ => unsupported(format!("the constant expression {}", value.show())),
        }
    }

    /// Applies an operation to each pair of leaves (scalars have one, vectors several).
    pub fn map_leaves(
        &self,
        a: &[Term],
        b: &[Term],
        mut operation: impl FnMut(&Self, Term, Term) -> Translated<Term>,
    ) -> Translated<Leaves> {
        a.iter().zip(b).map(|(&a, &b)| operation(self, a, b)).collect()
    }
}

pub fn is_a(value: Value, test: unsafe extern "C" fn(llvm_sys::prelude::LLVMValueRef) -> llvm_sys::prelude::LLVMValueRef) -> bool {
    !unsafe { test(value.0) }.is_null()
}

/// LLVM writes wide floats as hexadecimal bits: `0xK` and 20 digits for x87; `0xL` and 32 digits, low half first, for
/// quads.
fn wide_float_bits(shown: &str) -> Option<BigUint> {
    let digits = shown.rsplit(' ').next()?;
    if let Some(hex) = digits.strip_prefix("0xK") {
        return BigUint::parse_bytes(hex.as_bytes(), 16);
    }
    let hex = digits.strip_prefix("0xL")?;
    let (low, high) = hex.split_at_checked(16)?;
    Some((BigUint::parse_bytes(high.as_bytes(), 16)? << 64u32) | BigUint::parse_bytes(low.as_bytes(), 16)?)
}

/// The interchange encoding of a NaN. LLVM writes those of the shorter types with all bits of a double, `half` and
/// `bfloat` with their own.
fn nan_bits(shown: &str, format: FloatFormat) -> Option<BigUint> {
    let digits = shown.rsplit(' ').next()?;
    if format == FloatFormat::X87 {
        // Without the integer bit, which memory has.
        let bits = wide_float_bits(shown)?;
        let low = &bits & ((BigUint::from(1u8) << 63u32) - 1u8);
        return Some(((bits >> 64u32) << 63u32) | low);
    }
    if digits.starts_with("0xL") {
        return wide_float_bits(shown);
    }
    if let Some(hex) = digits.strip_prefix("0xH").or(digits.strip_prefix("0xR")) {
        return BigUint::parse_bytes(hex.as_bytes(), 16);
    }
    let double = u64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?;
    let (width, fraction) = (format.width(), format.significand as u32 - 1);
    let exponent_and_fraction = (double & fathom_term::mask(52)) >> (52 - fraction) | fathom_term::mask(width - 1 - fraction) << fraction;
    Some(BigUint::from(double >> 63 << (width - 1) | exponent_and_fraction))
}
