//! Where the lifetimes of local objects begin and end. clang marks most variables (`llvm.lifetime.start` and `.end`), but
//! not those whose declaration a jump can skip, compound literals and variable-length arrays. For these the debug
//! information tells: every instruction names the block of the source that it belongs to, so an object lives exactly
//! where control is inside the block that declares it (C17 6.2.4, 6.5.2.5). This pass puts the missing markers on the ways
//! into such blocks and out of them. A variable-length array begins where it is allocated and is only ended here, by
//! its number, because it need not have been allocated on every way out.
//!
//! `mem2reg` promotes a pointer variable first and then the object that it pointed to, and forgets that the object had
//! ended in between. Objects whose address is stored in a promotable variable of a wider scope are kept in memory.

use crate::llvm::{BasicBlock, Context, Module, Opcode, Value};
use crate::metadata::Metadata;
use crate::passes::is_promotable;
use fathom_base::FxMap;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

/// Ends the dynamic alloca of this number in its function.
pub const END_DYNAMIC: &str = "__fathom_end_dynamic";
/// How clang names the memory of a compound literal.
const LITERAL: &str = ".compoundliteral";
/// Position of the enclosing scope among the operands of a variable and of a lexical block.
const SCOPE_OF_VARIABLE: usize = 0;
const SCOPE_OF_BLOCK: usize = 1;

/// A call that keeps an object in memory.
pub const KEEP: &str = "__fathom_keep";

pub fn mark(context: &Context, module: &Module) {
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    let mut pass = Pass { context, module, builder, parents: FxMap::default() };
    for function in module.functions().filter(|function| !function.is_declaration()) {
        let scopes = pass.scopes(function);
        for object in unmarked(function, &scopes) {
            pass.mark(function, &object);
        }
        pass.keep_outlived(function, &scopes);
    }
    unsafe { LLVMDisposeBuilder(builder) };
}

/// Whether a variable may name the object after its end.
pub fn is_outlived(alloca: Value) -> bool {
    alloca.users().into_iter().any(|user| calls(user, KEEP))
}

/// Objects of inner blocks without markers.
fn unmarked(function: Value, scopes: &FxMap<Value, Metadata>) -> Vec<Scoped> {
    let dynamic = dynamic_allocas(function);
    let inner = allocas(function).filter_map(|alloca| Some((alloca, *scopes.get(&alloca)?))).filter(|(_, scope)| is_block(*scope));
    let missing = inner.filter(|(alloca, _)| !has_start(*alloca));
    let number = |alloca| dynamic.iter().position(|other| *other == alloca).map(|number| number as u64);
    missing.map(|(alloca, scope)| Scoped { alloca, scope, dynamic: number(alloca) }).collect()
}

fn allocas(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().flat_map(BasicBlock::instructions).filter(|i| i.opcode() == Opcode::LLVMAlloca)
}

/// The allocas of a function whose size or time of allocation is decided while it runs.
pub fn dynamic_allocas(function: Value) -> Vec<Value> {
    let entry = function.blocks().next();
    let is_dynamic = |block: BasicBlock, alloca: Value| Some(block) != entry || alloca.operand(0).as_constant_int().is_none();
    let allocas = function.blocks().flat_map(|block| block.instructions().map(move |i| (block, i)));
    allocas.filter(|(block, i)| i.opcode() == Opcode::LLVMAlloca && is_dynamic(*block, *i)).map(|(_, i)| i).collect()
}

/// An object of a block of the source.
struct Scoped {
    alloca: Value,
    scope: Metadata,
    /// Its number among the dynamic ones, if it is one.
    dynamic: Option<u64>,
}

/// Whether control is inside the object's block, at the instructions that tell.
struct Stretch {
    block: BasicBlock,
    told: Vec<(Value, bool)>,
}

struct Pass<'a> {
    context: &'a Context,
    module: &'a Module,
    builder: LLVMBuilderRef,
    parents: FxMap<Metadata, Option<Metadata>>,
}

impl Pass<'_> {
    /// The scopes of the function's objects, as far as they are known.
    fn scopes(&mut self, function: Value) -> FxMap<Value, Metadata> {
        let mut scopes = self.variable_scopes(function);
        for alloca in allocas(function).collect::<Vec<_>>() {
            if !scopes.contains_key(&alloca) && !has_start(alloca) {
                let scope = match alloca.name().starts_with(LITERAL) {
                    true => self.scope_of_first_use(function, alloca),
                    false => self.switch_around_uses(function, alloca),
                };
                scopes.extend(scope.map(|scope| (alloca, scope)));
            }
        }
        scopes
    }

    /// Variables that are declared before the first case of a `switch` are declared in code that is never reached, which
    /// clang leaves out with the declaration. They belong to the body of the switch around all their uses.
    fn switch_around_uses(&mut self, function: Value, alloca: Value) -> Option<Metadata> {
        let uses: Vec<Metadata> = alloca.users().into_iter().filter_map(scope_at).collect();
        let switches = function.blocks().filter_map(BasicBlock::terminator).filter(|last| last.opcode() == Opcode::LLVMSwitch);
        let around: Vec<Metadata> = switches.filter_map(scope_at).map(|scope| self.plain(scope)).collect();
        let mut at = self.plain(*uses.first()?);
        loop {
            let parent = self.parent(at)?;
            let parent = self.plain(parent);
            if around.contains(&parent) && uses.iter().all(|scope| self.is_inside(*scope, at)) {
                return Some(at);
            }
            at = parent;
        }
    }

    /// The objects whose address goes to a variable that lives longer.
    fn keep_outlived(&mut self, function: Value, scopes: &FxMap<Value, Metadata>) {
        let stores: Vec<Value> = (function.blocks().flat_map(BasicBlock::instructions)).filter(|i| i.opcode() == Opcode::LLVMStore).collect();
        for store in stores {
            let (mut object, variable) = (store.operand(0), store.operand(1));
            while unsafe { !LLVMIsAGetElementPtrInst(object.0).is_null() } {
                object = object.operand(0);
            }
            let are_local = [object, variable].iter().all(|value| unsafe { !LLVMIsAAllocaInst(value.0).is_null() });
            let Some(&scope) = scopes.get(&object).filter(|scope| are_local && is_block(**scope)) else { continue };
            let outlives = scopes.get(&variable).is_none_or(|other| !self.is_inside(*other, scope));
            if outlives && is_promotable(variable) && !is_outlived(object) {
                self.keep(function, object);
            }
        }
    }

    /// A use of the object at the start of the function, where it stands for itself.
    fn keep(&self, function: Value, object: Value) {
        let Some(last) = function.blocks().next().and_then(BasicBlock::terminator) else { return };
        unsafe {
            LLVMPositionBuilderBefore(self.builder, last.0);
            let mut pointer = LLVMTypeOf(object.0);
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(self.context.raw()), &mut pointer, 1, 0);
            let function = self.function(KEEP, ty);
            LLVMBuildCall2(self.builder, ty, function.0, [object.0].as_mut_ptr(), 1, c"".as_ptr());
        }
    }

    /// The function of this name, declared when it is first needed.
    fn function(&self, name: &str, ty: LLVMTypeRef) -> Value {
        let declare = || {
            let name = std::ffi::CString::new(name).unwrap_or_default();
            Value(unsafe { LLVMAddFunction(self.module.raw(), name.as_ptr(), ty) })
        };
        self.module.function(name).unwrap_or_else(declare)
    }

    /// The scopes in which the debug information declares variables, by their memory.
    fn variable_scopes(&mut self, function: Value) -> FxMap<Value, Metadata> {
        let mut scopes = FxMap::default();
        for call in function.blocks().flat_map(BasicBlock::instructions).filter(|i| i.opcode() == Opcode::LLVMCall) {
            if !calls(call, "llvm.dbg.declare") {
                continue;
            }
            let Some((memory, variable)) = declared(call) else { continue };
            let scope = variable.operands(self.context.raw()).get(SCOPE_OF_VARIABLE).copied().flatten();
            scopes.extend(scope.map(|scope| (memory, self.plain(scope))));
        }
        scopes
    }

    fn scope_of_first_use(&mut self, function: Value, alloca: Value) -> Option<Metadata> {
        let users = alloca.users();
        let first = function.blocks().flat_map(BasicBlock::instructions).find(|i| users.contains(i) && location(*i).is_some())?;
        let scope = scope_at(first)?;
        Some(self.plain(scope))
    }

    /// The scope itself, not its continuation in an included file.
    fn plain(&mut self, scope: Metadata) -> Metadata {
        let mut scope = scope;
        while matches!(scope.kind(), LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind) {
            match self.parent(scope) {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    fn parent(&mut self, scope: Metadata) -> Option<Metadata> {
        let context = self.context.raw();
        let read = || scope.operands(context).get(SCOPE_OF_BLOCK).copied().flatten();
        *self.parents.entry(scope).or_insert_with(|| if is_block(scope) { read() } else { None })
    }

    fn is_inside(&mut self, scope: Metadata, block: Metadata) -> bool {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if scope == block {
                return true;
            }
            at = self.parent(scope);
        }
        false
    }

    fn mark(&mut self, function: Value, object: &Scoped) {
        let stretches = self.stretches(function, object.scope);
        let (mut first, mut last) = (FxMap::default(), FxMap::default());
        for stretch in &stretches {
            first.extend(stretch.told.first().map(|(_, inside)| (stretch.block, *inside)));
            last.extend(stretch.told.last().map(|(_, inside)| (stretch.block, *inside)));
        }
        for Stretch { told, .. } in &stretches {
            for pair in told.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
                self.insert_before(pair[1].0, object, pair[1].1);
            }
        }
        for Stretch { block, told } in &stretches {
            let Some(&(begin, inside)) = told.first() else { continue };
            let before = predecessors(*block);
            let differ: Vec<&BasicBlock> = before.iter().filter(|p| last.get(p) == Some(&!inside)).collect();
            if differ.is_empty() {
                continue;
            }
            // Ending twice does no harm; beginning again on a way that stays inside would.
            if !inside || differ.len() == before.len() {
                self.insert_before(begin, object, inside);
            } else {
                differ.into_iter().for_each(|source| self.insert_on_edge(function, *source, *block, object));
            }
        }
    }

    /// Per block, the instructions that have a place in the source. Blocks of which none has stand for the block before.
    fn stretches(&mut self, function: Value, scope: Metadata) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        for block in function.blocks() {
            let mut told = Vec::new();
            for instruction in block.instructions().filter(|i| i.opcode() != Opcode::LLVMPHI) {
                if let Some(here) = scope_at(instruction) {
                    told.push((instruction, self.is_inside(here, scope)));
                }
            }
            stretches.push(Stretch { block, told });
        }
        stretches
    }

    fn insert_before(&self, instruction: Value, object: &Scoped, starts: bool) {
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) };
        self.insert(object, starts);
    }

    fn insert_on_edge(&self, function: Value, from: BasicBlock, to: BasicBlock, object: &Scoped) {
        let (Some(terminator), None) = (from.terminator(), to.instructions().next().filter(|i| i.opcode() == Opcode::LLVMPHI)) else { return };
        unsafe {
            let edge = LLVMAppendBasicBlockInContext(self.context.raw(), function.0, c"scope".as_ptr());
            LLVMPositionBuilderAtEnd(self.builder, edge);
            self.insert(object, true);
            LLVMBuildBr(self.builder, to.0);
            for index in 0..LLVMGetNumSuccessors(terminator.0) {
                if LLVMGetSuccessor(terminator.0, index) == to.0 {
                    LLVMSetSuccessor(terminator.0, index, edge);
                }
            }
        }
    }

    /// At the builder's place.
    fn insert(&self, object: &Scoped, starts: bool) {
        match object.dynamic {
            Some(number) if !starts => self.end_dynamic(number),
            // It begins where it is allocated.
            Some(_) => {}
            None => self.lifetime(object.alloca, if starts { "llvm.lifetime.start" } else { "llvm.lifetime.end" }),
        }
    }

    fn end_dynamic(&self, number: u64) {
        unsafe {
            let mut i64_type = LLVMInt64TypeInContext(self.context.raw());
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(self.context.raw()), &mut i64_type, 1, 0);
            let function = self.function(END_DYNAMIC, ty);
            LLVMBuildCall2(self.builder, ty, function.0, &mut LLVMConstInt(i64_type, number, 0), 1, c"".as_ptr());
        }
    }

    fn lifetime(&self, alloca: Value, name: &str) {
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let mut pointer = LLVMTypeOf(alloca.0);
            let function = LLVMGetIntrinsicDeclaration(self.module.raw(), id, &mut pointer, 1);
            let ty = LLVMIntrinsicGetType(self.context.raw(), id, &mut pointer, 1);
            let size = LLVMConstInt(LLVMInt64TypeInContext(self.context.raw()), u64::MAX, 1);
            LLVMBuildCall2(self.builder, ty, function, [size, alloca.0].as_mut_ptr(), 2, c"".as_ptr());
        }
    }
}

/// Whether clang, or this pass, marked where the object's lifetime begins.
pub fn has_start(alloca: Value) -> bool {
    alloca.users().into_iter().any(is_start)
}

pub fn is_start(user: Value) -> bool {
    calls(user, "llvm.lifetime.start")
}

fn calls(user: Value, name: &str) -> bool {
    let is_call = unsafe { !LLVMIsACallInst(user.0).is_null() };
    is_call && Value(unsafe { LLVMGetCalledValue(user.0) }).name().starts_with(name)
}

fn is_block(scope: Metadata) -> bool {
    matches!(scope.kind(), LLVMMetadataKind::LLVMDILexicalBlockMetadataKind | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind)
}

fn location(instruction: Value) -> Option<Metadata> {
    Metadata::new(unsafe { LLVMInstructionGetDebugLoc(instruction.0) })
}

fn scope_at(instruction: Value) -> Option<Metadata> {
    Metadata::new(unsafe { LLVMDILocationGetScope(location(instruction)?.0) })
}

/// The memory and the variable of a `dbg.declare`.
fn declared(call: Value) -> Option<(Value, Metadata)> {
    let memory = Metadata(unsafe { LLVMValueAsMetadata(call.operand(0).0) });
    if !matches!(memory.kind(), LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind) {
        return None;
    }
    let mut raw = std::ptr::null_mut();
    unsafe { LLVMGetMDNodeOperands(call.operand(0).0, &mut raw) };
    let alloca = Value::new(raw)?;
    let variable = Metadata::new(unsafe { LLVMValueAsMetadata(call.operand(1).0) })?;
    let is_variable = matches!(variable.kind(), LLVMMetadataKind::LLVMDILocalVariableMetadataKind);
    let is_alloca = unsafe { !LLVMIsAAllocaInst(alloca.0).is_null() };
    (is_variable && is_alloca).then_some((alloca, variable))
}

/// The blocks that jump to a block.
fn predecessors(block: BasicBlock) -> Vec<BasicBlock> {
    let users = Value(unsafe { LLVMBasicBlockAsValue(block.0) }).users();
    // An address of a label is a constant.
    let jumps = users.into_iter().filter(|user| unsafe { !LLVMIsAInstruction(user.0).is_null() });
    jumps.map(|jump| BasicBlock(unsafe { LLVMGetInstructionParent(jump.0) })).collect()
}
