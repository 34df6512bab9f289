//! The blocks of a function body, in reverse post-order, with `phi`s as parallel assignments on the edges.

use super::function::FunctionTranslator;
use super::nan::carries_bits;
use super::types::{Leaves, float_format};
use super::{Translated, Unsupported};
use crate::llvm::{BasicBlock, Opcode, Value};
use fathom_base::{FxMap, FxSet, Loc};
use fathom_flow::Graph;
use fathom_ir::{BlockId, Body, StatementKind, StopKind, Switch, TerminatorKind};
use fathom_term::{Sort, Term, VarId};
use llvm_sys::core::*;

impl FunctionTranslator<'_, '_> {
    pub fn body(&mut self) -> Body {
        let order = reverse_post_order(self.function);
        let prologue = self.new_block("entry".to_string());
        for (index, &block) in order.iter().enumerate() {
            let id = if index == 0 { prologue } else { self.new_block(block.name()) };
            self.block_ids.insert(block, id);
            self.declare_phis(block);
        }
        self.switch_to(prologue);
        let start = self.program.location_of_function(self.function);
        self.loc = start;
        if self.is_atomic() {
            self.begin_atomic();
        }
        self.copy_byval_params();
        self.check_promised_arguments();
        self.declare_ended_allocas();
        self.declare_returns();
        for &block in &order {
            self.switch_to(self.block_ids[&block]);
            self.translate_block(block);
        }
        self.finish(prologue)
    }

    /// Blocks that can be reached, renumbered.
    pub fn finish(&mut self, entry: BlockId) -> Body {
        let body = Body { entry, blocks: std::mem::take(&mut self.blocks) };
        let mut renumbered = vec![None; body.blocks.len()];
        let mut kept = Vec::new();
        let reached = Graph::of(&body).reached([entry.0]);
        for (old, block) in body.blocks.into_iter().enumerate().filter(|(old, _)| reached[*old]) {
            renumbered[old] = Some(BlockId(kept.len() as u32));
            kept.push(block);
        }
        let new = |id: BlockId| renumbered[id.0 as usize].unwrap_or(id);
        kept.iter_mut().for_each(|block| block.terminator.kind.map_targets(&mut |target| new(target)));
        self.counted.retain(|(_, _, block)| reached[block.0 as usize]);
        self.counted.iter_mut().for_each(|(_, _, block)| *block = new(*block));
        Body { entry: new(entry), blocks: kept }
    }

    fn declare_phis(&mut self, block: BasicBlock) {
        for phi in block.instructions().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            let name = self.name_of(phi);
            if let Ok((vars, leaves)) = self.phi_variables(&name, phi) {
                self.set_value(phi, leaves);
                self.phi_vars.insert(phi, vars);
            }
        }
    }

    fn phi_variables(&mut self, name: &str, phi: Value) -> Translated<(Vec<VarId>, Leaves)> {
        let ty = phi.ty();
        let vars = match float_format(ty) {
            Some(format) if !carries_bits(phi) => vec![self.local(name, Sort::Float(format))],
            _ => self.locals_for(name, ty)?,
        };
        let leaves = self.values_of(&vars, ty)?;
        Ok((vars, leaves))
    }

    fn translate_block(&mut self, block: BasicBlock) {
        self.ended = false;
        self.refuse_thread_label(&block.name());
        if self.function.blocks().next() == Some(block) {
            self.refuse_quantifiers();
        }
        for instruction in block.instructions() {
            let loc = self.program.location_of(instruction);
            self.loc = if loc.is_known() { loc } else { self.loc };
            self.unchecked = self.program.unchecked_at(instruction);
            if Some(instruction) == block.terminator() {
                if let Err(Unsupported(what)) = self.terminator(block, instruction) {
                    self.terminate(TerminatorKind::Unsupported(what));
                }
                break;
            }
            if let Err(Unsupported(what)) = self.instruction(instruction) {
                self.emit(StatementKind::Unsupported(what));
            }
            if self.ended {
                break;
            }
        }
        self.loc = Loc::UNKNOWN;
        self.unchecked = Default::default();
    }

    fn terminator(&mut self, block: BasicBlock, instruction: Value) -> Translated<()> {
        match instruction.opcode() {
            Opcode::LLVMRet => {
                if instruction.operand_count() == 1 {
                    let leaves = self.value(instruction.operand(0))?;
                    if let ([status], "main") = (&leaves[..], self.name.as_str()) {
                        self.look(*status, "the exit status");
                    }
                    let results = self.results.iter().zip(leaves);
                    let assignment: Vec<(VarId, Term)> = results.map(|(&var, leaf)| self.assigned(var, leaf)).collect();
                    if !assignment.is_empty() {
                        self.emit(StatementKind::Assign(assignment));
                    }
                }
                if self.is_atomic() {
                    self.end_atomic();
                }
                self.terminate(TerminatorKind::Return);
            }
            Opcode::LLVMBr => {
                let successors = block.successors();
                if let [target] = successors[..] {
                    self.phi_assignments(block, target)?;
                    let target = self.block_ids[&target];
                    self.terminate(TerminatorKind::Goto(vec![target]));
                } else {
                    let condition = self.single(instruction.operand(0))?;
                    let then = self.edge(block, successors[0])?;
                    let otherwise = self.edge(block, successors[1])?;
                    self.terminate(TerminatorKind::Branch { condition, then, otherwise });
                }
            }
            Opcode::LLVMSwitch => self.switch_instruction(block, instruction)?,
            Opcode::LLVMUnreachable => self.terminate(TerminatorKind::Stop(StopKind::Unreachable)),
            Opcode::LLVMIndirectBr => self.computed_goto(block, instruction)?,
            Opcode::LLVMInvoke | Opcode::LLVMResume => return super::unsupported("exceptions"),
            Opcode::LLVMCallBr => return super::unsupported("asm goto"),
            other => return super::unsupported(format!("the instruction {other:?}")),
        }
        Ok(())
    }

    fn switch_instruction(&mut self, block: BasicBlock, instruction: Value) -> Translated<()> {
        let value = self.single(instruction.operand(0))?;
        let value = self.program.to_bits(value);
        let mut cases = Vec::new();
        for index in (2..instruction.operand_count()).step_by(2) {
            let constant = self.single(instruction.operand(index))?;
            let target = BasicBlock(unsafe { LLVMValueAsBasicBlock(instruction.operand(index + 1).0) });
            cases.push((self.program.to_bits(constant), self.edge(block, target)?));
        }
        let default = BasicBlock(unsafe { LLVMValueAsBasicBlock(instruction.operand(1).0) });
        let default = self.edge(block, default)?;
        self.terminate(TerminatorKind::Switch(Switch { value, cases, default }));
        Ok(())
    }

    /// `goto *p`: a switch over the numbers that stand for labels.
    fn computed_goto(&mut self, block: BasicBlock, instruction: Value) -> Translated<()> {
        let value = self.single(instruction.operand(0))?;
        let mut cases = Vec::new();
        let mut seen = FxSet::default();
        for target in block.successors() {
            if seen.insert(target) {
                let number = self.program.label_number(target);
                cases.push((number, self.edge(block, target)?));
            }
        }
        let default = self.new_block("no label".to_string());
        let before = self.current;
        self.switch_to(default);
        self.terminate(TerminatorKind::Unsupported("a computed goto to no label of the function".to_string()));
        self.switch_to(before);
        self.terminate(TerminatorKind::Switch(Switch { value, cases, default }));
        Ok(())
    }

    /// The block to jump to on an edge whose source has several successors: the target itself, or a block of its own
    /// that sets the target's `phi`s.
    fn edge(&mut self, from: BasicBlock, to: BasicBlock) -> Translated<BlockId> {
        let target = self.block_ids[&to];
        let has_phis = to.instructions().next().is_some_and(|i| i.opcode() == Opcode::LLVMPHI);
        if !has_phis {
            return Ok(target);
        }
        let label = format!("{} to {}", from.name(), to.name());
        let edge = self.new_block(label);
        let before = self.current;
        self.switch_to(edge);
        let assigned = self.phi_assignments(from, to);
        self.terminate(TerminatorKind::Goto(vec![target]));
        self.switch_to(before);
        assigned.map(|()| edge)
    }

    fn phi_assignments(&mut self, from: BasicBlock, to: BasicBlock) -> Translated<()> {
        let mut assignment = Vec::new();
        for phi in to.instructions().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            let Some(vars) = self.phi_vars.get(&phi).cloned() else {
                return super::unsupported(format!("a value of type {}", phi.ty().show()));
            };
            let count = unsafe { LLVMCountIncoming(phi.0) };
            let incoming = (0..count).find(|&i| unsafe { LLVMGetIncomingBlock(phi.0, i) } == from.0);
            let Some(index) = incoming else { continue };
            let leaves = self.value(Value(unsafe { LLVMGetIncomingValue(phi.0, index) }))?;
            for (var, leaf) in vars.into_iter().zip(leaves) {
                let (var, value) = self.assigned(var, leaf);
                if self.terms.var_term(var) != value {
                    assignment.push((var, value));
                }
            }
        }
        if !assignment.is_empty() {
            self.emit(StatementKind::Assign(assignment));
        }
        Ok(())
    }

    /// C passes structures by value: the callee works on a copy of its own.
    fn copy_byval_params(&mut self) {
        for (index, param) in self.function.params().into_iter().enumerate() {
            let Some(ty) = self.function.byval_type(index as u32) else { continue };
            let Ok(original) = self.single(param) else { continue };
            let name = self.name_of(param);
            let (copy, copy_term) = self.local_term(&name, Sort::Bv(self.pointer_bits));
            self.note_type_of_local(param, copy);
            let size = self.terms.bv(self.layout.alloc_size(ty), self.pointer_bits);
            // The stack's words align it more than its type does.
            let align = self.function.parameter_number_attribute(index as u32, "align").unwrap_or(0).max(self.layout.align(ty));
            self.emit(StatementKind::Alloc { target: copy, size, align, kind: fathom_ir::AllocKind::Stack, zeroed: false, name });
            self.emit(StatementKind::Copy { target: copy_term, source: original, length: size });
            self.set_value(param, Self::one(copy_term));
        }
    }
}

/// Reachable blocks, each before its successors except along back edges.
fn reverse_post_order(function: Value) -> Vec<BasicBlock> {
    let blocks: Vec<BasicBlock> = function.blocks().collect();
    let numbers: FxMap<BasicBlock, u32> = blocks.iter().copied().zip(0..).collect();
    let targets = |block: &BasicBlock| block.successors().iter().map(|next| numbers[next]).collect();
    let flow = Graph::new(blocks.iter().map(targets).collect());
    if flow.is_empty() {
        return Vec::new();
    }
    flow.reverse_postorder(0).into_iter().map(|number| blocks[number as usize]).collect()
}
