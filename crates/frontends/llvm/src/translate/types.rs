//! How LLVM types look in the IR: a scalar is one term, an aggregate or vector the list of its scalars (*leaves*) in
//! order. Memory holds bytes only, so each leaf also knows its bit-vector form in memory: floats by their interchange
//! encoding, `i1` and odd widths zero-extended to whole bytes, x87 floats with their explicit integer bit.

use super::{Translated, Translator, unsupported};
use crate::llvm::{Type, TypeKind};
use fathom_term::{FloatFormat, Op, Sort, Term};
use smallvec::SmallVec;

/// The scalars of a value.
pub type Leaves = SmallVec<[Term; 1]>;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    Int(u32),
    Pointer,
    Float(FloatFormat),
}

/// A scalar inside a type, and its byte offset there.
#[derive(Copy, Clone, Debug)]
pub struct Leaf {
    pub scalar: Scalar,
    pub offset: u64,
}

/// Types with more scalars than this are not kept in registers by any front end we know.
const MAX_LEAVES: u64 = 4096;

pub const BFLOAT: FloatFormat = FloatFormat { exponent: 8, significand: 8 };

/// The float format of an LLVM type.
pub fn float_format(ty: Type) -> Option<FloatFormat> {
    Some(match ty.kind() {
        TypeKind::LLVMHalfTypeKind => FloatFormat::HALF,
        TypeKind::LLVMBFloatTypeKind => BFLOAT,
        TypeKind::LLVMFloatTypeKind => FloatFormat::SINGLE,
        TypeKind::LLVMDoubleTypeKind => FloatFormat::DOUBLE,
        TypeKind::LLVMX86_FP80TypeKind => FloatFormat::X87,
        TypeKind::LLVMFP128TypeKind => FloatFormat::QUAD,
        _ => return None,
    })
}

impl Translator<'_> {
    pub fn leaves_of(&self, ty: Type) -> Translated<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, 0, &mut leaves)?;
        Ok(leaves)
    }

    fn collect_leaves(&self, ty: Type, offset: u64, leaves: &mut Vec<Leaf>) -> Translated<()> {
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind => {}
            TypeKind::LLVMIntegerTypeKind => leaves.push(Leaf { scalar: Scalar::Int(ty.integer_bits()), offset }),
            TypeKind::LLVMPointerTypeKind => leaves.push(Leaf { scalar: Scalar::Pointer, offset }),
            TypeKind::LLVMStructTypeKind => {
                for (index, field) in ty.fields().into_iter().enumerate() {
                    self.collect_leaves(field, offset + self.layout.field_offset(ty, index as u32), leaves)?;
                }
            }
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                let element = ty.element();
                let stride = if ty.is_vector() { self.layout.bit_size(element) / 8 } else { self.layout.alloc_size(element) };
                if leaves.len() as u64 + ty.length() > MAX_LEAVES {
                    return unsupported(format!("a value of type {} in a register", ty.show()));
                }
                for index in 0..ty.length() {
                    self.collect_leaves(element, offset + index * stride, leaves)?;
                }
            }
            _ => match float_format(ty) {
                Some(format) => leaves.push(Leaf { scalar: Scalar::Float(format), offset }),
                None => return unsupported(format!("a value of type {}", ty.show())),
            },
        }
        Ok(())
    }

    /// How many leaves a type has, and where field `index` of it starts.
    pub fn leaf_count(&self, ty: Type) -> Translated<usize> {
        Ok(self.leaves_of(ty)?.len())
    }

    /// Leaves before element `index` of an aggregate, and the element's type.
    pub fn leaf_position(&self, ty: Type, index: u32) -> Translated<(usize, Type)> {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                let fields = ty.fields();
                let mut before = 0;
                for field in &fields[..index as usize] {
                    before += self.leaf_count(*field)?;
                }
                Ok((before, fields[index as usize]))
            }
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                Ok((index as usize * self.leaf_count(ty.element())?, ty.element()))
            }
            _ => unsupported(format!("an element of {}", ty.show())),
        }
    }

    pub fn sort_of(&self, scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Int(1) => Sort::Bool,
            Scalar::Int(bits) => Sort::Bv(bits),
            Scalar::Pointer => self.pointer_sort(),
            Scalar::Float(format) => Sort::Float(format),
        }
    }

    /// Bits that a load or store of the scalar moves.
    pub fn memory_bits(&self, scalar: Scalar) -> u32 {
        match scalar {
            Scalar::Int(bits) => bits.next_multiple_of(8),
            Scalar::Pointer => self.pointer_bits,
            Scalar::Float(FloatFormat::X87) => 80,
            Scalar::Float(format) => format.width(),
        }
    }

    /// The bytes that memory holds for a register's value.
    pub fn to_memory(&self, scalar: Scalar, value: Term) -> Term {
        let bits = self.to_bits(value);
        match scalar {
            Scalar::Float(_) => bits,
            _ => self.terms.resize_unsigned(bits, self.memory_bits(scalar)),
        }
    }

    /// A register's value from the bytes that memory holds.
    pub fn value_in_memory(&self, scalar: Scalar, bits: Term) -> Term {
        let t = &self.terms;
        match scalar {
            Scalar::Int(1) => t.eq(t.extract(bits, 0, 0), t.bv(1, 1)),
            Scalar::Int(width) => t.resize_unsigned(bits, width),
            Scalar::Pointer => bits,
            Scalar::Float(format) => self.float_from_bits(format, bits),
        }
    }

    /// The raw bits of any scalar; an x87 float has 80, with its integer bit.
    pub fn to_bits(&self, value: Term) -> Term {
        let t = &self.terms;
        match t.sort(value) {
            Sort::Bool => t.bool_to_bv(value, 1),
            Sort::Float(FloatFormat::X87) => {
                let bits = self.float_bits(value);
                let exponent = t.extract(bits, 77, 63);
                let integer = t.ite(t.eq(exponent, t.bv(0, 15)), t.bv(0, 1), t.bv(1, 1));
                t.concat(t.extract(bits, 78, 63), t.concat(integer, t.extract(bits, 62, 0)))
            }
            Sort::Float(_) => self.float_bits(value),
            _ => value,
        }
    }

    pub fn float_from_bits(&self, format: FloatFormat, bits: Term) -> Term {
        match format {
            FloatFormat::X87 => self.x87_from_bits(bits),
            _ => self.terms.build(Op::FpFromBits(format), &[bits]),
        }
    }

    /// An x87 float from 80 bits. The integer bit is set unless the exponent is zero. Memory may hold anything: with an
    /// exponent of zero a set bit means the exponent one (a pseudo-denormal), and a missing bit elsewhere makes an operand
    /// that the processor takes for no number.
    fn x87_from_bits(&self, bits: Term) -> Term {
        let t = &self.terms;
        let float = |encoding: Term| t.build(Op::FpFromBits(FloatFormat::X87), &[encoding]);
        let (sign, exponent, fraction) = (t.extract(bits, 79, 79), t.extract(bits, 78, 64), t.extract(bits, 62, 0));
        let no_exponent = t.eq(exponent, t.bv(0, 15));
        let regular = t.eq(t.extract(bits, 63, 63), t.ite(no_exponent, t.bv(0, 1), t.bv(1, 1)));
        let pseudo_denormal = float(t.concat(sign, t.concat(t.bv(1, 15), fraction)));
        let nan = float(t.concat(t.bv(0x7fff, 16), t.bv(1 << 62, 63)));
        let value = float(t.concat(t.extract(bits, 79, 64), fraction));
        t.ite(regular, value, t.ite(no_exponent, pseudo_denormal, nan))
    }

    /// Raw bits as a value of this sort: cut or zero-extended, then reinterpreted.
    pub fn reinterpret(&self, value: Term, sort: Sort) -> Term {
        let t = &self.terms;
        if t.sort(value) == sort {
            return value;
        }
        let bits = self.to_bits(value);
        match sort {
            Sort::Bool => t.ne(bits, t.bv(0, t.sort(bits).width())),
            Sort::Bv(width) => t.resize_unsigned(bits, width),
            Sort::Float(format) => {
                let width = if format == FloatFormat::X87 { 80 } else { format.width() };
                self.float_from_bits(format, t.resize_unsigned(bits, width))
            }
            _ => value,
        }
    }
}
