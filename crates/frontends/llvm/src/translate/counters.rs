//! Counters of clang's profile. Compiled for coverage, a program counts how often it enters each region of its source;
//! the translation gives every such counter a block of its own, so that how often the interpreter enters that block is
//! what the compiled program counts. If only the value of a condition is used (`c ? 1 : 2`), clang adds that value to
//! its counter; this becomes a branch around the counter's block. Both sides continue alike, so engines need not follow
//! it.

use super::function::FunctionTranslator;
use super::{Translated, unsupported};
use crate::llvm::Value;
use fathom_ir::{BlockId, ProcId, TerminatorKind};

/// A counter of clang's profile: it goes up by one whenever the block is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The function as the profile names it (`file.c;helper` if it is static), and the number of the counter in it.
    pub function: String,
    /// The number of the counter in its function.
    pub index: u32,
    /// The procedure of the program that counts.
    pub procedure: ProcId,
    /// The block whose executions it counts.
    pub block: BlockId,
}

impl FunctionTranslator<'_, '_> {
    /// `llvm.instrprof.increment(name, hash, counters, index)`, or with a step behind.
    pub fn count(&mut self, instruction: Value, name: &str) -> Translated<()> {
        let function = self.constant_text(instruction.operand(0));
        let index = instruction.operand(3).as_constant_int().and_then(|index| u32::try_from(index).ok());
        let (Some(function), Some(index)) = (function, index) else { return unsupported(name) };
        let counted = self.new_block(format!("counter {index}"));
        self.counted.push((function, index, counted));
        match name {
            "llvm.instrprof.increment" => self.terminate(TerminatorKind::Goto(vec![counted])),
            "llvm.instrprof.increment.step" => {
                let step = self.single(instruction.operand(4))?;
                let condition = self.is_true(step);
                let after = self.new_block("counted".to_string());
                self.terminate(TerminatorKind::Branch { condition, then: counted, otherwise: after });
                self.switch_to(counted);
                self.terminate(TerminatorKind::Goto(vec![after]));
                self.switch_to(after);
                return Ok(());
            }
            _ => return unsupported(name),
        }
        self.switch_to(counted);
        Ok(())
    }
}
