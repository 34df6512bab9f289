//! Five things that clang's IR does not contain, and which are read from the syntax tree instead. (1) An expression
//! that names a structure and discards its value (`*p;`) reads it, but clang only computes its address. (2) An array in
//! a structure that a function returns (`f().a`) lives until the end of the full expression (C17 6.2.4), but clang
//! gives it memory for the whole function. For both, the IR has a hint, an unused address or that of a temporary that
//! is stored, and the syntax tree is consulted only then. (3) Clang records no scope for a variable whose declaration
//! is never reached, because every jump into its block skips it. (4) A compound literal in the head of a loop or
//! selection statement, or in its body without braces, ends with that statement, which is no block for clang. (5)
//! Undefined behaviour in constant expressions (`folded`) has no check; this is done only for properties that were
//! asked for.

use crate::Options;
use crate::error::FrontendError;
use crate::folded::Folded;
use crate::llvm::{BasicBlock, Context, Module, Opcode, Value};
use crate::sanitizer::{self, is_check};
use crate::scopes::{self, position};
use crate::syntax::{self, DroppedRead, Span, Syntax};
use fathom_base::FxSet;
use fathom_clang::is_cpp;
use fathom_ir::Property;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMDIFileGetFilename, LLVMDIScopeGetFile, LLVMGetSubprogram, LLVMInstructionGetDebugLoc};
use std::path::Path;

/// What constants may violate.
const OF_CONSTANTS: [Property; 5] = [Property::NoOverflow, Property::DivByZero, Property::Shift, Property::FloatCast, Property::Bounds];

/// Puts what is missing into a module that was just compiled from this file, and gives what is undefined in constants that are
/// evaluated before the program starts, if that is in another file. In C++ such an expression is no read, and clang marks
/// the lifetimes of temporaries itself.
pub fn complete(context: &Context, module: &Module, path: &Path, options: &Options) -> Result<Vec<Folded>, FrontendError> {
    let bodies = module.functions().filter(|f| !f.is_declaration());
    let suspects: Vec<Suspect> = bodies.filter_map(|body| Suspect::new(module, body, is_cpp(path))).collect();
    let asks_about_constants = OF_CONSTANTS.iter().any(|property| options.checks.contains(property));
    if suspects.is_empty() && !asks_about_constants {
        return Ok(Vec::new());
    }
    let names: FxSet<String> = suspects.iter().map(|suspect| suspect.function.name()).collect();
    let tree = syntax::read(path, options, &names, asks_about_constants)?;
    for suspect in suspects {
        let Some(syntax) = tree.functions.get(&suspect.function.name()) else { continue };
        for read in &syntax.dropped_reads {
            suspect.add_read(context, read);
        }
        suspect.mark_temporaries(context, module, syntax);
        suspect.mark_undeclared(context, module, syntax);
        suspect.mark_literals(context, module, syntax);
    }
    let mut names: Vec<&String> = tree.functions.keys().collect();
    names.sort();
    let mut elsewhere: Vec<&Folded> = tree.patterns.iter().collect();
    for name in names {
        let function = module.function(name).filter(|function| !function.is_declaration());
        let folded: Vec<&Folded> = tree.functions[name].folded.iter().collect();
        elsewhere.extend(function.map_or_else(|| folded.clone(), |function| add_checks(context, module, function, &folded)));
    }
    elsewhere.retain(|folded| folded.during.is_some());
    // The bodies of lambdas, and what templates were made into, are functions of other names.
    let others = module.functions().filter(|function| !function.is_declaration() && !tree.functions.contains_key(&function.name()));
    if is_cpp(path) {
        others.filter(|function| is_in_file(*function, path)).for_each(|function| {
            add_checks(context, module, function, &elsewhere);
        });
    }
    match module.function(&options.entry).filter(|function| !function.is_declaration()) {
        Some(entry) => {
            add_checks(context, module, entry, &tree.folded.iter().collect::<Vec<_>>());
            Ok(Vec::new())
        }
        None => Ok(tree.folded),
    }
}

/// Adds checks of constants of another file to the start of the program.
pub fn check_first(context: &Context, module: &Module, entry: Value, path: &Path, folded: &[Folded]) {
    let first = entry.blocks().flat_map(BasicBlock::instructions).find(|i| i.opcode() != Opcode::LLVMAlloca);
    if let Some(first) = first {
        folded.iter().for_each(|constant| sanitizer::insert(context, module, first, constant, Some(path)));
    }
}

/// Adds the checks of constants to a function, where clang has not added one, and gives those for which it has no place: they stand in code
/// that is never reached, or that belongs to another function.
fn add_checks<'f>(context: &Context, module: &Module, function: Value, folded: &[&'f Folded]) -> Vec<&'f Folded> {
    if folded.is_empty() {
        return Vec::new();
    }
    let instructions: Vec<Value> = function.blocks().flat_map(BasicBlock::instructions).collect();
    let is_inside = |i: &Value, span: &Span| position(*i).is_some_and(|position| span.contains(position));
    let is_like = |check: &Value, folded: &Folded| sort_of_check(&callee(*check).name()) == sort_of_check(folded.check);
    let is_checked = |folded: &Folded| instructions.iter().any(|i| is_check(*i) && is_inside(i, &folded.span) && is_like(i, folded));
    let mut left = Vec::new();
    for &constant in folded.iter().filter(|constant| !is_checked(constant)) {
        let at = match &constant.during {
            Some(during) => {
                // All that a macro makes has one position. The declaration is where the variable is first used.
                let inside = || instructions.iter().filter(|i| is_inside(i, during));
                let is_of = |i: &&Value| constant.variable.as_ref().is_some_and(|variable| i.operands().any(|o| is_memory_of(o, variable)));
                inside().find(is_of).or_else(|| inside().next())
            }
            None => instructions.iter().find(|i| i.opcode() != Opcode::LLVMAlloca),
        };
        match at {
            Some(at) => sanitizer::insert(context, module, *at, constant, None),
            None => left.push(constant),
        }
    }
    left
}

/// Whether a function's definition stands in this file.
fn is_in_file(function: Value, path: &Path) -> bool {
    // SAFETY: the debug information of a live function; the name lives as long as it.
    let file = unsafe {
        let subprogram = LLVMGetSubprogram(function.0);
        if subprogram.is_null() {
            return false;
        }
        let (file, mut length) = (LLVMDIScopeGetFile(subprogram), 0);
        let name = LLVMDIFileGetFilename(file, &mut length);
        String::from_utf8_lossy(std::slice::from_raw_parts(name.cast::<u8>(), length as usize)).into_owned()
    };
    Path::new(&file).file_name() == path.file_name()
}

/// What a check looks at: the same operation is checked in several forms.
fn sort_of_check(name: &str) -> &str {
    let kind = name.strip_prefix(sanitizer::CHECK).unwrap_or(name);
    let sorts = [("shift", "shift"), ("divrem", "divrem"), ("whole_array", "out_of_bounds")];
    sorts.into_iter().find(|(begin, _)| kind.starts_with(begin)).map_or(kind, |(_, sort)| sort)
}

/// A function in which something may be missing.
struct Suspect {
    function: Value,
    /// Instructions that compute an address which is not used.
    unused: Vec<Value>,
    /// Memory of temporaries whose address goes elsewhere.
    temporaries: Vec<Value>,
    /// Memory that may be that of a variable whose declaration is never reached.
    undeclared: Vec<Value>,
    /// Memory of compound literals whose address goes elsewhere.
    literals: Vec<Value>,
}

impl Suspect {
    fn new(module: &Module, function: Value, is_cpp: bool) -> Option<Self> {
        let instructions: Vec<Value> = function.blocks().flat_map(BasicBlock::instructions).collect();
        let unused = instructions.iter().copied().filter(|i| !is_cpp && is_unused_address(*i)).collect::<Vec<_>>();
        let allocas = || instructions.iter().copied().filter(|i| i.opcode() == Opcode::LLVMAlloca);
        let temporaries = allocas().filter(|alloca| !is_cpp && is_temporary(*alloca) && is_lent(*alloca)).collect::<Vec<_>>();
        let literals = allocas().filter(|alloca| !is_cpp && scopes::is_literal(*alloca) && is_passed(*alloca)).collect::<Vec<_>>();
        let could_be = |alloca: &Value| has_name_of_variable(*alloca) && !scopes::has_start(*alloca);
        let mut undeclared = allocas().filter(could_be).collect::<Vec<_>>();
        if !undeclared.is_empty() {
            let declared = scopes::declared_variables(module, function);
            undeclared.retain(|alloca| !declared.contains(alloca));
        }
        let is_suspect = [&unused, &temporaries, &undeclared, &literals].into_iter().any(|found| !found.is_empty());
        is_suspect.then_some(Self { function, unused, temporaries, undeclared, literals })
    }

    /// The innermost block that declares a variable of this name and holds all its uses.
    fn mark_undeclared(&self, context: &Context, module: &Module, tree: &Syntax) {
        for variable in &self.undeclared {
            let uses: Vec<_> = variable.users().into_iter().filter_map(position).collect();
            let holds = |part: &Span| !uses.is_empty() && uses.iter().all(|position| part.contains(*position));
            let mut blocks = tree.locals.iter().rev().filter(|(name, _)| is_called(*variable, name)).map(|(_, block)| block);
            if let Some(block) = blocks.find(|block| holds(block)) {
                scopes::mark_part(context, module, self.function, *variable, *block);
            }
        }
    }

    /// A compound literal that is in no block in braces but in a part of a loop or selection lives until that ends. For the others
    /// the debug information tells.
    fn mark_literals(&self, context: &Context, module: &Module, tree: &Syntax) {
        for literal in &self.literals {
            let uses: Vec<_> = literal.users().into_iter().filter_map(position).collect();
            let makes = |span: &Span| uses.iter().any(|position| span.contains(*position));
            if let Some((_, block)) = tree.literals.iter().rev().find(|(span, _)| makes(span)) {
                scopes::mark_part(context, module, self.function, *literal, *block);
            }
        }
    }

    /// The last address that is computed inside the expression is that of the object. Its first and its last byte stand for
    /// all of it.
    fn add_read(&self, context: &Context, read: &DroppedRead) {
        let mut inside = self.unused.iter().filter(|i| position(**i).is_some_and(|position| read.span.contains(position)));
        let Some(address) = inside.next_back() else { return };
        unsafe {
            let builder = LLVMCreateBuilderInContext(context.raw());
            LLVMPositionBuilderBefore(builder, after(*address).0);
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(address.0));
            let byte = LLVMInt8TypeInContext(context.raw());
            for offset in [0, read.size - 1] {
                let mut offset = LLVMConstInt(LLVMInt64TypeInContext(context.raw()), offset, 0);
                let element = LLVMBuildGEP2(builder, byte, address.0, &mut offset, 1, c"".as_ptr());
                LLVMBuildLoad2(builder, byte, element, c"dropped".as_ptr());
            }
            LLVMDisposeBuilder(builder);
        }
    }

    fn mark_temporaries(&self, context: &Context, module: &Module, tree: &Syntax) {
        for temporary in &self.temporaries {
            let uses: Vec<_> = temporary.users().into_iter().filter_map(position).collect();
            // Outer expressions come first. What a statement expression gives is made inside of the last expression in it and
            // belongs to the one around.
            let holds = |span: &&Span| !uses.is_empty() && uses.iter().all(|position| span.contains(*position));
            if let Some(expression) = tree.full_expressions.iter().rev().find(holds) {
                scopes::mark_temporary(context, module, self.function, *temporary, *expression);
            }
        }
    }
}

/// The next instruction that is no phi.
fn after(instruction: Value) -> Value {
    let mut next = instruction;
    loop {
        next = Value(unsafe { LLVMGetNextInstruction(next.0) });
        if next.opcode() != Opcode::LLVMPHI {
            return next;
        }
    }
}

fn is_unused_address(instruction: Value) -> bool {
    let could_be = match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMGetElementPtr | Opcode::LLVMPHI | Opcode::LLVMSelect => true,
        // Most people ignore what `strcpy` returns, and it points to no structure.
        Opcode::LLVMCall => callee(instruction).as_function().is_some_and(|function| !function.is_declaration()),
        _ => false,
    };
    could_be && instruction.ty().is_pointer() && instruction.users().into_iter().all(is_check)
}

fn callee(call: Value) -> Value {
    Value(unsafe { LLVMGetCalledValue(call.0) })
}

/// How clang names the memory of values that have no name.
fn is_temporary(alloca: Value) -> bool {
    let name = alloca.name();
    ["tmp", "agg.tmp", "coerce", "ref.tmp"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|c| c.is_ascii_digit())))
        && !scopes::has_start(alloca)
}

/// Whether memory is named like a variable; clang's own names have signs that no identifier has, but for a few.
fn has_name_of_variable(alloca: Value) -> bool {
    let name = alloca.name();
    let is_identifier = !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    is_identifier
        && !is_temporary(alloca)
        && !["retval", "saved_stack"].iter().any(|own| is_called(alloca, own))
        && !name.starts_with("__vla_expr")
}

/// Whether this is the name in the source; LLVM tells equal ones apart by a number at the end.
fn is_called(alloca: Value, name: &str) -> bool {
    alloca.name().strip_prefix(name).is_some_and(|rest| rest.bytes().all(|c| c.is_ascii_digit()))
}

fn is_memory_of(operand: Value, variable: &str) -> bool {
    unsafe { !LLVMIsAAllocaInst(operand.0).is_null() && is_called(operand, variable) }
}

/// Whether an address inside the object is stored or passed on. Only the address of an array can be, not that of the whole.
fn is_lent(object: Value) -> bool {
    let parts = object.users().into_iter().filter(|user| user.opcode() == Opcode::LLVMGetElementPtr);
    parts.into_iter().any(is_passed)
}

/// Whether this address, or one that is computed from it, is stored or passed on.
fn is_passed(address: Value) -> bool {
    address.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMLoad => false,
        Opcode::LLVMStore => user.operand(0) == address,
        Opcode::LLVMGetElementPtr => is_passed(user),
        Opcode::LLVMCall => !is_check(user) && !callee(user).name().starts_with("llvm."),
        _ => true,
    })
}
