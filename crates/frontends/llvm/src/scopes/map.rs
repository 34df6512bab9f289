//! A function's blocks and the scopes of the source that its instructions belong to: where control enters a part of the source,
//! and where it leaves it.

use super::{Pass, position, scope_at};
use crate::llvm::{BasicBlock, Opcode, Value};
use crate::metadata::Metadata;
use crate::syntax::Span;
use fathom_base::{FxMap, FxSet};
use llvm_sys::core::*;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where in the source an object lives.
#[derive(Copy, Clone)]
pub(super) enum Region {
    Block(Metadata),
    Part(Span),
}

/// An object of a part of a function.
pub(super) struct Scoped {
    pub(super) alloca: Value,
    /// Its number among the dynamic ones, if it is one.
    pub(super) dynamic: Option<u64>,
}

/// A function's blocks and the scopes in them, so that a function with many scopes is read once.
pub(super) struct Map {
    pub(super) function: Value,
    /// With the instructions at which another scope begins than that of the one before.
    pub(super) blocks: Vec<(BasicBlock, Vec<(Value, Metadata)>)>,
    pub(super) numbers: FxMap<BasicBlock, usize>,
    /// The scopes, each in front of those inside it, with the blocks that it occurs in.
    pub(super) scopes: Vec<Vec<usize>>,
    /// For each scope its index among these and the end of those inside it.
    pub(super) inside: FxMap<Metadata, (usize, usize)>,
    /// The blocks of which no instruction has a scope.
    pub(super) silent: Rc<FxSet<BasicBlock>>,
    /// Blocks that this pass put on the way out of another one.
    pub(super) edges: FxMap<BasicBlock, BasicBlock>,
}

impl Map {
    /// The block from which all computed gotos of a function jump.
    fn is_computed(block: BasicBlock) -> bool {
        block.terminator().is_some_and(|last| last.opcode() == Opcode::LLVMIndirectBr)
    }

    /// The ways to a block from those in front of it that have a position in the source, and whether all of these jump there
    /// themselves: a computed goto jumps by way of a block that all of a function share.
    pub(super) fn ways_to(&self, block: BasicBlock, silent: &FxSet<BasicBlock>) -> (Vec<Way>, bool) {
        let (mut ways, mut is_direct) = (Vec::new(), true);
        let (mut open, mut known) = (vec![block], FxSet::default());
        while let Some(to) = open.pop() {
            for from in predecessors(to) {
                if Self::is_computed(from) {
                    is_direct = false;
                    ways.extend(predecessors(from).into_iter().map(|from| Way { from, to }));
                } else if silent.contains(&from) {
                    open.extend(known.insert(from).then_some(from));
                } else {
                    ways.push(Way { from, to });
                }
            }
        }
        (ways, is_direct)
    }

    /// The blocks behind one, likewise.
    fn ways_from(&self, block: BasicBlock, silent: &FxSet<BasicBlock>) -> Vec<BasicBlock> {
        let (mut found, mut open, mut known) = (Vec::new(), vec![block], FxSet::default());
        while let Some(from) = open.pop() {
            let around = |to: BasicBlock| if Self::is_computed(to) { to.successors() } else { vec![to] };
            for to in from.successors().into_iter().flat_map(around) {
                if silent.contains(&to) {
                    open.extend(known.insert(to).then_some(to));
                } else {
                    found.push(to);
                }
            }
        }
        found
    }

    /// The blocks where control may enter or leave a region, and those before them; and the blocks of which no instruction has a
    /// position in the source. Control is there where it was in the block before.
    pub(super) fn stretches(&self, region: Region) -> (Vec<Stretch>, Rc<FxSet<BasicBlock>>) {
        match region {
            Region::Block(block) => {
                let silent = Rc::clone(&self.silent);
                let Some(&(first, end)) = self.inside.get(&block) else { return (Vec::new(), silent) };
                let is_inside = |scope: &Metadata| self.inside.get(scope).is_some_and(|(at, _)| (first..end).contains(at));
                let entered: BTreeSet<usize> = self.scopes[first..end].iter().flatten().copied().collect();
                let left = entered.iter().flat_map(|&at| self.ways_from(self.blocks[at].0, &silent));
                let left: Vec<usize> = left.filter_map(|block| self.numbers.get(&block).copied()).collect();
                let mut near: BTreeSet<usize> = entered.iter().copied().chain(left).collect();
                let before = near.iter().flat_map(|&at| self.ways_to(self.blocks[at].0, &silent).0).map(|way| way.from);
                let before: Vec<usize> = before.filter_map(|p| self.numbers.get(self.edges.get(&p).unwrap_or(&p)).copied()).collect();
                near.extend(before);
                let stretch = |at: usize| {
                    let (block, runs) = &self.blocks[at];
                    Stretch { block: *block, told: runs.iter().map(|(start, scope)| (*start, is_inside(scope))).collect() }
                };
                (near.into_iter().map(stretch).collect(), silent)
            }
            Region::Part(span) => {
                let told = |block: BasicBlock| -> Vec<(Value, bool)> {
                    let instructions = block.instructions().filter(|i| i.opcode() != Opcode::LLVMPHI);
                    instructions.filter_map(|i| Some((i, span.contains(position(i)?)))).collect()
                };
                let stretches: Vec<Stretch> = self.blocks.iter().map(|(block, _)| Stretch { block: *block, told: told(*block) }).collect();
                let silent = stretches.iter().filter(|stretch| stretch.told.is_empty()).map(|stretch| stretch.block).collect();
                (stretches, Rc::new(silent))
            }
        }
    }
}

/// From the end of one block to another.
#[derive(Copy, Clone)]
pub(super) struct Way {
    pub(super) from: BasicBlock,
    pub(super) to: BasicBlock,
}

/// Whether control is inside the object's region, at the instructions that tell.
pub(super) struct Stretch {
    pub(super) block: BasicBlock,
    pub(super) told: Vec<(Value, bool)>,
}

impl Pass<'_> {
    pub(super) fn map(&mut self, function: Value) -> Map {
        let (mut blocks, mut numbers, mut occurs) = (Vec::new(), FxMap::default(), FxMap::<Metadata, Vec<usize>>::default());
        for (number, block) in function.blocks().enumerate() {
            let mut runs: Vec<(Value, Metadata)> = Vec::new();
            for instruction in block.instructions().filter(|i| i.opcode() != Opcode::LLVMPHI) {
                let Some(scope) = scope_at(instruction) else { continue };
                if runs.last().is_none_or(|(_, last)| *last != scope) {
                    runs.push((instruction, scope));
                    occurs.entry(scope).or_default().push(number);
                }
            }
            numbers.insert(block, number);
            blocks.push((block, runs));
        }
        let (mut children, mut roots) = (FxMap::<Metadata, Vec<Metadata>>::default(), Vec::new());
        let mut known: FxSet<Metadata> = FxSet::default();
        for (_, start) in blocks.iter().flat_map(|(_, runs)| runs) {
            let mut at = *start;
            while known.insert(at) {
                match self.parent(at) {
                    Some(parent) => {
                        children.entry(parent).or_default().push(at);
                        at = parent;
                    }
                    None => roots.push(at),
                }
            }
        }
        let (mut scopes, mut inside) = (Vec::new(), FxMap::default());
        let mut open: Vec<(Metadata, bool)> = roots.into_iter().map(|root| (root, false)).collect();
        while let Some((scope, is_done)) = open.pop() {
            if is_done {
                inside.entry(scope).and_modify(|(_, end)| *end = scopes.len());
                continue;
            }
            inside.insert(scope, (scopes.len(), 0));
            scopes.push(occurs.remove(&scope).unwrap_or_default());
            open.push((scope, true));
            open.extend(children.remove(&scope).into_iter().flatten().map(|child| (child, false)));
        }
        let silent = Rc::new(blocks.iter().filter(|(_, runs)| runs.is_empty()).map(|(block, _)| *block).collect());
        Map { function, blocks, numbers, scopes, inside, silent, edges: FxMap::default() }
    }
}

/// The blocks that jump to a block.
fn predecessors(block: BasicBlock) -> Vec<BasicBlock> {
    let users = Value(unsafe { LLVMBasicBlockAsValue(block.0) }).users();
    // An address of a label is a constant.
    let jumps = users.into_iter().filter(|user| unsafe { !LLVMIsAInstruction(user.0).is_null() });
    jumps.map(|jump| BasicBlock(unsafe { LLVMGetInstructionParent(jump.0) })).collect()
}
