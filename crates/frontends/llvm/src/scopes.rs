//! Marks where the lifetimes of local objects begin and end. Clang marks most variables (`llvm.lifetime.start` and
//! `.end`), but not those whose declaration a jump can skip, compound literals and variable-length arrays. For these,
//! debug information is used: every instruction names its source block, and an object lives exactly while control is
//! inside the block that declares it (C17 6.2.4, 6.5.2.5). This pass inserts the missing markers on the edges into and
//! out of such blocks. The lifetime of a variable-length array begins where it is allocated; only its end is inserted
//! here, by the array's number, because it may not have been allocated on every way out.
//!
//! `mem2reg` promotes first a pointer variable and then the object that it points to, and so loses the end of the
//! object's lifetime in between. Therefore objects whose address is stored in a promotable variable of a wider scope
//! are kept in memory.

mod again;
mod arrays;
mod map;

use map::{Map, Region, Scoped, Stretch, Way};

pub use again::{DECLARED_AGAIN, declared_again, mark_again};

use crate::llvm::{BasicBlock, Context, Module, Opcode, Value};
use crate::metadata::Metadata;
use crate::passes::is_promotable;
use crate::syntax::{Position, Span};
use fathom_base::{FxMap, FxSet};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::ffi::CStr;

/// Ends the dynamic alloca of this number in its function.
pub const END_DYNAMIC: &str = "__fathom_end_dynamic";
/// How clang names the memory of a compound literal.
const LITERAL: &str = ".compoundliteral";
const TEMPORARY: &str = "temporary";
/// Position of the enclosing scope among the operands of a variable and of a lexical block.
const SCOPE_OF_VARIABLE: usize = 0;
const NAME_OF_VARIABLE: usize = 1;
const SCOPE_OF_BLOCK: usize = 1;

/// The metadata of allocas that are dynamic before anything is folded.
const DYNAMIC: &CStr = c"fathom.dynamic";

/// A call that keeps an object in memory.
pub const KEEP: &str = "__fathom_keep";

pub fn mark(context: &Context, module: &Module) {
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    let mut pass = Pass { context, module, builder, parents: FxMap::default() };
    for function in module.functions().filter(|function| !function.is_declaration()) {
        dynamic_allocas(function).into_iter().for_each(|alloca| mark_dynamic(context, alloca));
        let scopes = pass.scopes(function);
        let unmarked = unmarked(function, &scopes);
        if !unmarked.is_empty() {
            let mut map = pass.map(function);
            unmarked.into_iter().for_each(|(scope, objects)| pass.mark(&mut map, Region::Block(scope), &objects));
        }
        pass.end_arrays_left_backwards(function, &scopes);
        pass.end_allocas_with_arrays(function, &scopes);
        pass.keep_outlived(function);
    }
    unsafe { LLVMDisposeBuilder(builder) };
}

/// Marks that a temporary object lives while this expression is evaluated.
pub fn mark_temporary(context: &Context, module: &Module, function: Value, alloca: Value, expression: Span) {
    mark_part(context, module, function, alloca, expression);
    // What a report calls it.
    unsafe { LLVMSetValueName2(alloca.0, TEMPORARY.as_ptr().cast(), TEMPORARY.len()) };
}

/// Marks that an object lives while control is in this part of the source.
pub fn mark_part(context: &Context, module: &Module, function: Value, alloca: Value, part: Span) {
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    let mut pass = Pass { context, module, builder, parents: FxMap::default() };
    let mut map = pass.map(function);
    pass.mark(&mut map, Region::Part(part), &[Scoped { alloca, dynamic: None }]);
    pass.keep(function, alloca);
    unsafe { LLVMDisposeBuilder(builder) };
}

/// Keeps objects in memory whose address goes to a variable that can be promoted now, and that is read after their end.
pub fn keep_outlived(context: &Context, module: &Module) {
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    let pass = Pass { context, module, builder, parents: FxMap::default() };
    module.functions().filter(|function| !function.is_declaration()).for_each(|function| pass.keep_outlived(function));
    unsafe { LLVMDisposeBuilder(builder) };
}

/// Adds a call of a function with this name in front of an instruction, with the address of an object.
pub fn insert_use(context: &Context, module: &Module, name: &str, object: Value, before: Value) -> Value {
    let builder = unsafe { LLVMCreateBuilderInContext(context.raw()) };
    let call = Pass { context, module, builder, parents: FxMap::default() }.insert_use(name, object, before);
    unsafe { LLVMDisposeBuilder(builder) };
    call
}

/// Whether a variable may name the object after its end.
pub fn is_outlived(alloca: Value) -> bool {
    alloca.users().into_iter().any(|user| calls(user, KEEP))
}

/// Like `variables`, in a module whose debug information is still in records.
pub fn declared_variables(module: &Module, function: Value) -> FxSet<Value> {
    unsafe { LLVMSetIsNewDbgInfoFormat(module.raw(), 0) };
    let found = variables(function);
    unsafe { LLVMSetIsNewDbgInfoFormat(module.raw(), 1) };
    found
}

/// The memory of the variables that the debug information tells of.
pub fn variables(function: Value) -> FxSet<Value> {
    let declarations = function.blocks().flat_map(BasicBlock::instructions).filter(|i| calls(*i, "llvm.dbg.declare"));
    declarations.filter_map(|call| Some(declared(call)?.0)).collect()
}

/// What the debug information tells of a variable.
pub struct Declared {
    /// Its name in the source.
    pub name: String,
    /// The debug location of the declaration.
    pub location: Metadata,
}

/// The same with their names, and where they are declared.
pub fn declarations(function: Value, context: &Context) -> FxMap<Value, Declared> {
    let declarations = function.blocks().flat_map(BasicBlock::instructions).filter(|i| calls(*i, "llvm.dbg.declare"));
    let read = |call: Value| {
        let (memory, variable) = declared(call)?;
        let name = variable.operands(context.raw()).get(NAME_OF_VARIABLE).copied().flatten()?.string(context.raw());
        Some((memory, Declared { name, location: location(call)? }))
    };
    declarations.filter_map(read).collect()
}

/// Objects of inner blocks without markers, by block.
fn unmarked(function: Value, scopes: &FxMap<Value, Metadata>) -> Vec<(Metadata, Vec<Scoped>)> {
    let dynamic = dynamic_allocas(function);
    let inner = allocas(function).filter_map(|alloca| Some((alloca, *scopes.get(&alloca)?))).filter(|(_, scope)| is_block(*scope));
    let missing = inner.filter(|(alloca, _)| !has_start(*alloca));
    let number = |alloca| dynamic.iter().position(|other| *other == alloca).map(|number| number as u64);
    let mut by_block: Vec<(Metadata, Vec<Scoped>)> = Vec::new();
    let mut indices: FxMap<Metadata, usize> = FxMap::default();
    for (alloca, scope) in missing {
        let index = *indices.entry(scope).or_insert_with(|| {
            by_block.push((scope, Vec::new()));
            by_block.len() - 1
        });
        by_block[index].1.push(Scoped { alloca, dynamic: number(alloca) });
    }
    by_block
}

fn allocas(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().flat_map(BasicBlock::instructions).filter(|i| i.opcode() == Opcode::LLVMAlloca)
}

/// The allocas of a function whose size or time of allocation is decided while it runs. A size that turns out to be a
/// constant later changes nothing: they keep their numbers.
pub fn dynamic_allocas(function: Value) -> Vec<Value> {
    let entry = function.blocks().next();
    let mut found = Vec::new();
    for block in function.blocks() {
        // Behind the first of these an object lies above what is restored later, whatever its size.
        let mut is_behind_save = false;
        for instruction in block.instructions() {
            is_behind_save |= calls(instruction, "llvm.stacksave");
            let is_dynamic = Some(block) != entry || is_behind_save || is_marked_dynamic(instruction);
            if instruction.opcode() == Opcode::LLVMAlloca && (is_dynamic || instruction.operand(0).as_constant_int().is_none()) {
                found.push(instruction);
            }
        }
    }
    found
}

fn dynamic_kind(context: LLVMContextRef) -> u32 {
    unsafe { LLVMGetMDKindIDInContext(context, DYNAMIC.as_ptr(), DYNAMIC.count_bytes() as u32) }
}

fn mark_dynamic(context: &Context, alloca: Value) {
    unsafe {
        let node = LLVMMDNodeInContext2(context.raw(), std::ptr::null_mut(), 0);
        LLVMSetMetadata(alloca.0, dynamic_kind(context.raw()), LLVMMetadataAsValue(context.raw(), node));
    }
}

fn is_marked_dynamic(alloca: Value) -> bool {
    unsafe { !LLVMGetMetadata(alloca.0, dynamic_kind(LLVMGetTypeContext(LLVMTypeOf(alloca.0)))).is_null() }
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
                let scope = match is_literal(alloca) {
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

    /// The objects whose address goes to a variable that is read after their end.
    fn keep_outlived(&self, function: Value) {
        let stores: Vec<Value> =
            (function.blocks().flat_map(BasicBlock::instructions)).filter(|i| i.opcode() == Opcode::LLVMStore).collect();
        let mut holders: FxMap<Value, Vec<Value>> = FxMap::default();
        for store in stores {
            let (mut object, variable) = (store.operand(0), store.operand(1));
            while unsafe { !LLVMIsAGetElementPtrInst(object.0).is_null() } {
                object = object.operand(0);
            }
            let are_local = [object, variable].iter().all(|value| unsafe { !LLVMIsAAllocaInst(value.0).is_null() });
            if !are_local || !is_promotable(variable) {
                continue;
            }
            let holders = holders.entry(variable).or_insert_with(|| copied_to(variable));
            if !holders.iter().any(|holder| is_read_after_end(object, *holder)) {
                continue;
            }
            if !is_outlived(object) {
                self.keep(function, object);
            }
            if object.users().into_iter().any(|user| is_start(user) && arrays::is_repeated(user)) {
                self.copy_address(store);
            }
        }
    }

    /// Where an object begins anew its name stands for another one; the variable goes on to name the one before.
    fn copy_address(&self, store: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, store.0);
            let copy = LLVMBuildFreeze(self.builder, store.operand(0).0, c"".as_ptr());
            LLVMSetOperand(store.0, 0, copy);
        }
    }

    /// A use of the object at the start of the function, where it stands for itself.
    fn keep(&self, function: Value, object: Value) {
        let last = function.blocks().next().and_then(BasicBlock::terminator);
        last.into_iter().for_each(|last| {
            self.insert_use(KEEP, object, last);
        });
    }

    /// A call with the address of an object.
    fn insert_use(&self, name: &str, object: Value, before: Value) -> Value {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, before.0);
            let mut pointer = LLVMTypeOf(object.0);
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(self.context.raw()), &mut pointer, 1, 0);
            let function = self.function(name, ty);
            Value(LLVMBuildCall2(self.builder, ty, function.0, [object.0].as_mut_ptr(), 1, c"".as_ptr()))
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

    /// Marks objects that live in one region.
    fn mark(&self, map: &mut Map, region: Region, objects: &[Scoped]) {
        let (stretches, silent) = map.stretches(region);
        let last_told = |stretch: &Stretch| stretch.told.last().map(|(_, inside)| (stretch.block, *inside));
        let last: FxMap<BasicBlock, bool> = stretches.iter().filter_map(last_told).collect();
        let is_outside = |map: &Map, from: &BasicBlock| last.get(map.edges.get(from).unwrap_or(from)) == Some(&false);
        // Where a computed goto comes from is not known at its target.
        let is_blurred = |stretch: &Stretch| {
            let (before, is_direct) = map.ways_to(stretch.block, &silent);
            let outside = before.iter().filter(|way| is_outside(map, &way.from)).count();
            !is_direct && stretch.told.first().is_some_and(|(_, inside)| *inside) && outside > 0 && outside < before.len()
        };
        if stretches.iter().any(is_blurred) {
            return;
        }
        for Stretch { told, .. } in &stretches {
            for pair in told.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
                self.insert_before(pair[1].0, objects, pair[1].1);
            }
        }
        for Stretch { block, told } in &stretches {
            let Some(&(begin, inside)) = told.first() else { continue };
            let (before, _) = map.ways_to(*block, &silent);
            let comes_from = |way: &Way| last.get(map.edges.get(&way.from).unwrap_or(&way.from)).copied();
            let differ: Vec<Way> = before.iter().filter(|way| comes_from(way) == Some(!inside)).copied().collect();
            let is_first = inside && map.function.blocks().next() == Some(*block);
            if differ.is_empty() && !is_first {
                continue;
            }
            // Ending twice does no harm; beginning again on a way that stays inside would.
            if !inside || differ.len() == before.len() {
                self.insert_before(begin, objects, inside);
            } else {
                differ.into_iter().for_each(|way| self.insert_on_edge(map, way, objects));
            }
        }
    }

    fn insert_before(&self, instruction: Value, objects: &[Scoped], starts: bool) {
        unsafe { LLVMPositionBuilderBefore(self.builder, instruction.0) };
        objects.iter().for_each(|object| self.insert(object, starts));
    }

    /// The objects begin on the way from one block to another.
    fn insert_on_edge(&self, map: &mut Map, Way { from, to }: Way, objects: &[Scoped]) {
        let (Some(terminator), None) = (from.terminator(), to.instructions().next().filter(|i| i.opcode() == Opcode::LLVMPHI)) else {
            return;
        };
        if map.edges.contains_key(&from) {
            return self.insert_before(terminator, objects, true);
        }
        unsafe {
            let edge = LLVMAppendBasicBlockInContext(self.context.raw(), map.function.0, c"scope".as_ptr());
            LLVMPositionBuilderAtEnd(self.builder, edge);
            objects.iter().for_each(|object| self.insert(object, true));
            LLVMBuildBr(self.builder, to.0);
            for index in 0..LLVMGetNumSuccessors(terminator.0) {
                if LLVMGetSuccessor(terminator.0, index) == to.0 {
                    LLVMSetSuccessor(terminator.0, index, edge);
                }
            }
            map.edges.insert(BasicBlock(edge), from);
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

/// A variable that can be promoted and those that its value is copied to, directly or by way of others.
fn copied_to(variable: Value) -> Vec<Value> {
    let mut found = vec![variable];
    let mut values: Vec<Value> = Vec::new();
    let mut seen: FxSet<Value> = FxSet::default();
    let mut next = 0;
    while let Some(holder) = found.get(next).copied() {
        next += 1;
        values.extend(holder.users().into_iter().filter(|user| user.opcode() == Opcode::LLVMLoad));
        while let Some(value) = values.pop() {
            for user in value.users() {
                match user.opcode() {
                    Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMGetElementPtr | Opcode::LLVMFreeze if seen.insert(user) => {
                        values.push(user)
                    }
                    Opcode::LLVMStore if user.operand(0) == value => {
                        let target = user.operand(1);
                        let is_local = unsafe { !LLVMIsAAllocaInst(target.0).is_null() };
                        if is_local && is_promotable(target) && !found.contains(&target) {
                            found.push(target);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// Whether a variable is read behind the end of an object without having been written, or begun anew, in between.
fn is_read_after_end(object: Value, variable: Value) -> bool {
    let ends = object.users().into_iter().filter(|user| is_end_of(*user, object));
    let mut open: Vec<Option<Value>> = ends.map(|end| Value::new(unsafe { LLVMGetNextInstruction(end.0) })).collect();
    let mut entered: FxSet<BasicBlock> = FxSet::default();
    while let Some(mut next) = open.pop() {
        while let Some(instruction) = next {
            let uses = || instruction.operands().any(|operand| operand == variable);
            match instruction.opcode() {
                Opcode::LLVMLoad if uses() => return true,
                // What a statement expression gives is stored behind its block.
                Opcode::LLVMStore if uses() && instruction.operand(0) == object => return true,
                Opcode::LLVMStore if uses() => break,
                Opcode::LLVMCall if uses() && is_start(instruction) => break,
                _ => {}
            }
            next = Value::new(unsafe { LLVMGetNextInstruction(instruction.0) });
            if next.is_none() {
                let block = BasicBlock(unsafe { LLVMGetInstructionParent(instruction.0) });
                let fresh = block.successors().into_iter().filter(|successor| entered.insert(*successor));
                open.extend(fresh.map(|successor| successor.instructions().next()));
            }
        }
    }
    false
}

pub fn is_literal(alloca: Value) -> bool {
    alloca.name().starts_with(LITERAL)
}

/// Whether clang, or this pass, marked where the object's lifetime begins.
pub fn has_start(alloca: Value) -> bool {
    alloca.users().into_iter().any(is_start)
}

pub fn is_start(user: Value) -> bool {
    calls(user, "llvm.lifetime.start")
}

pub fn is_end_of(instruction: Value, alloca: Value) -> bool {
    calls(instruction, "llvm.lifetime.end") && instruction.operands().any(|operand| operand == alloca)
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

/// Where the source has it; what clang adds has no line.
pub fn position(instruction: Value) -> Option<Position> {
    let location = location(instruction)?;
    let (line, column) = unsafe { (LLVMDILocationGetLine(location.0), LLVMDILocationGetColumn(location.0)) };
    (line > 0).then_some(Position { line, column })
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
