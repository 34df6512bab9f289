//! Vectors are kept element by element, so an element whose index is not constant is a choice among all of them. An index past
//! the last element violates `bounds` in the source (clang's check stands in front of the access); where nobody asks for that,
//! there is no element to tell the value of, and the answer is unknown.

use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, unsupported};
use crate::llvm::Value;
use fathom_ir::TerminatorKind;
use fathom_term::{Term, mask};
use llvm_sys::core::*;

impl FunctionTranslator<'_, '_> {
    pub fn extract_element(&mut self, instruction: Value) -> Translated<Leaves> {
        let whole = self.value(instruction.operand(0))?;
        let index = self.element_index(instruction.operand(1), whole.len())?;
        let Some((&last, others)) = whole.split_last() else { return unsupported("a vector without elements") };
        let chosen = others.iter().enumerate().rev().fold(last, |rest, (at, &element)| {
            let is_it = self.is_element(index, at);
            self.terms.ite(is_it, element, rest)
        });
        Ok(Self::one(chosen))
    }

    pub fn insert_element(&mut self, instruction: Value) -> Translated<Leaves> {
        let mut whole = self.base_of_insertion(instruction.operand(0))?;
        let index = self.element_index(instruction.operand(2), whole.len())?;
        let new = self.single(instruction.operand(1))?;
        for (at, element) in whole.iter_mut().enumerate() {
            let is_it = self.is_element(index, at);
            *element = self.terms.ite(is_it, new, *element);
        }
        Ok(whole)
    }

    pub fn shuffle(&mut self, instruction: Value) -> Translated<Leaves> {
        let mut all = self.base_of_insertion(instruction.operand(0))?;
        all.extend(self.base_of_insertion(instruction.operand(1))?);
        let count = unsafe { LLVMGetNumMaskElements(instruction.0) };
        // A negative mask element is undefined; the first element is as good as any.
        Ok((0..count).map(|i| all[unsafe { LLVMGetMaskValue(instruction.0, i) }.max(0) as usize]).collect())
    }

    /// An index that is in range from here on.
    fn element_index(&mut self, index: Value, length: usize) -> Translated<Term> {
        let index = self.single(index)?;
        let width = self.terms.sort(index).width();
        if length as u64 <= mask(width) {
            let is_in_range = self.terms.bv_ult(index, self.terms.bv(length as u64, width));
            self.unknown_unless(is_in_range, "a vector element past the last one");
        }
        Ok(index)
    }

    fn is_element(&self, index: Term, at: usize) -> Term {
        self.terms.eq(index, self.terms.bv(at as u64, self.terms.sort(index).width()))
    }

    /// Goes on where a condition holds; runs in which it does not are unsupported.
    fn unknown_unless(&mut self, condition: Term, what: &str) {
        if self.terms.const_bool(condition) == Some(true) {
            return;
        }
        let (then, otherwise) = (self.new_block("in range".to_string()), self.new_block("out of range".to_string()));
        self.terminate(TerminatorKind::Branch { condition, then, otherwise });
        self.switch_to(otherwise);
        self.terminate(TerminatorKind::Unsupported(what.to_string()));
        self.switch_to(then);
    }
}
