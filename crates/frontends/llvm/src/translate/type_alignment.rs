//! The alignment of objects in an entry's arguments: that of the type by the ABI, and no more, since a caller may pass
//! a pointer into the middle of an object. Debug information states an alignment only if the program asks for one;
//! otherwise it follows from sizes and members. Untyped memory (`void *`) is assumed to be aligned as by `malloc`.

use super::Translator;
use super::harness::{BASE_TYPE, ELEMENTS_OF_COMPOSITE, is_function_type, size_of, tag};
use crate::metadata::Metadata;
use llvm_sys::debuginfo::{LLVMDIFlagVector, LLVMDITypeGetAlignInBits, LLVMDITypeGetFlags, LLVMDITypeGetOffsetInBits};

/// What `malloc` gives.
const OF_MALLOC: u64 = 16;

impl Translator<'_> {
    /// The alignment of an object that a pointer to this type leads to.
    pub(super) fn alignment_of(&self, ty: Option<Metadata>) -> u64 {
        let Some(ty) = ty else { return OF_MALLOC };
        if is_function_type(ty) {
            return OF_MALLOC;
        }
        // SAFETY: the node is a type.
        let (asked, flags) = unsafe { (u64::from(LLVMDITypeGetAlignInBits(ty.0)) / 8, LLVMDITypeGetFlags(ty.0)) };
        if asked > 0 {
            return asked;
        }
        match ty.tag() {
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => self.alignment_of(self.debug_operand(ty, BASE_TYPE)),
            // A vector is aligned as it is large, whatever the width of pointers.
            tag::ARRAY if flags & LLVMDIFlagVector != 0 => size_of(ty).next_power_of_two(),
            tag::ARRAY => self.alignment_of(self.debug_operand(ty, BASE_TYPE)),
            tag::STRUCT | tag::CLASS | tag::UNION => self.alignment_of_members(ty),
            _ => self.alignment_of_size(size_of(ty)),
        }
    }

    /// Numbers and pointers. 32-bit programs align none of them more than a word.
    fn alignment_of_size(&self, size: u64) -> u64 {
        let most = if self.pointer_bits >= 64 { OF_MALLOC } else { u64::from(self.pointer_bits / 8) };
        // The largest power of two that divides it: a long double has 12 bytes in 32-bit programs.
        let dividing = size & size.wrapping_neg();
        dividing.clamp(1, most)
    }

    /// That of the member that wants most; 1 where members do not lie as they want to (`packed`).
    fn alignment_of_members(&self, ty: Metadata) -> u64 {
        let members = self.debug_operand(ty, ELEMENTS_OF_COMPOSITE).map(|node| node.operands(self.context.raw()));
        let mut most = 1;
        for member in members.unwrap_or_default().into_iter().flatten() {
            if is_function_type(member) || !matches!(member.tag(), tag::MEMBER | tag::INHERITANCE) {
                continue;
            }
            let inner = self.debug_operand(member, BASE_TYPE);
            // SAFETY: a member is a type node.
            let (offset, asked) = unsafe { (LLVMDITypeGetOffsetInBits(member.0) / 8, u64::from(LLVMDITypeGetAlignInBits(member.0)) / 8) };
            let wanted = if asked > 0 { asked } else { self.alignment_of(inner) };
            // A bit-field has less than its type, and lies anywhere in it.
            let is_field = inner.is_some_and(|inner| size_of(member) != size_of(inner));
            if !is_field && offset % wanted != 0 {
                return 1;
            }
            most = most.max(wanted);
        }
        if size_of(ty).is_multiple_of(most) { most } else { 1 }
    }
}
