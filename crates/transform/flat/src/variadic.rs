//! Variable arguments: each call has an object that contains them in sequence, as `ir::Procedure::variadic` describes.
//! It lives as long as the call, so when the call is repeated, the previous object ends first.

use crate::inline::Inliner;
use crate::objects::{ObjectKind, Size};
use crate::program::NotFlat;
use crate::raw::{Raw, RawKind};
use fathom_base::Loc;
use fathom_ir::{AllocKind, StatementKind};
use fathom_term::{FloatFormat, Op, Sort, Term, VarId};

impl Inliner<'_> {
    /// Puts the arguments into an object whose address the variable gets; whether all of them have a form in memory.
    pub fn pass_surplus(&mut self, block: usize, name: &str, variadic: VarId, surplus: &[Term], loc: Loc) -> Result<bool, NotFlat> {
        let bits = self.out.objects.pointer_bits;
        let slot = if bits >= 64 { 8 } else { 4 };
        let (mut offset, mut places) = (0u64, Vec::new());
        for &argument in surplus {
            let Some(value) = self.stored(argument) else { return Ok(false) };
            let bytes = self.store.sort(value).width() as u64 / 8;
            if slot == 8 && bytes > 8 {
                offset = offset.next_multiple_of(16);
            }
            places.push((offset, value));
            offset += bytes.next_multiple_of(slot);
        }
        let kind = ObjectKind::Allocated { kind: AllocKind::Stack, zeroed: false };
        let object = self.out.objects.add(format!("arguments of {name}"), Size::Constant(offset), 16, kind, loc)?;
        let size = self.store.bv(offset, bits);
        let made = [RawKind::End { object }, RawKind::Alloc { object, target: None, size, zeroed: false }];
        self.out.blocks[block].statements.extend(made.map(|kind| Raw { kind, loc }));
        let base = self.out.objects.address(self.store, object);
        for (offset, value) in places {
            let pointer = self.store.bv_add(base, self.store.bv(offset, bits));
            self.push(block, StatementKind::Store { pointer, value }, loc);
        }
        self.push(block, StatementKind::Assign(vec![(variadic, base)]), loc);
        Ok(true)
    }

    /// A value as whole bytes.
    fn stored(&self, value: Term) -> Option<Term> {
        let store = self.store;
        let bits = match store.sort(value) {
            Sort::Bv(_) => value,
            Sort::Bool => store.bool_to_bv(value, 32),
            Sort::Float(format) if format != FloatFormat::X87 => store.build(Op::FpToBits, &[value]),
            _ => return None,
        };
        Some(store.resize_unsigned(bits, store.sort(bits).width().next_multiple_of(8)))
    }
}
