//! Source positions and names for people: where an instruction comes from, what a C variable is called and of which
//! type it is. LLVM's debug information is read through its generic metadata operands, because the C interface has
//! no readers for variables.

use super::Translator;
use super::function::FunctionTranslator;
use crate::dialect::Unchecked;
use crate::llvm::Value;
use crate::metadata::Metadata;
use fathom_base::{FileId, FxMap, Loc, SourceFiles};
use fathom_ir::{ObjectId, StatementKind, TypeId, Watch};
use fathom_term::VarId;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use std::path::Path;
use std::rc::Rc;

#[derive(Default)]
pub struct Locations {
    pub files: SourceFiles,
    ids: FxMap<Metadata, FileId>,
    unchecked: FxMap<Metadata, Rc<Unchecked>>,
}

/// A C variable as debug information describes it.
#[derive(Clone, Debug)]
pub struct SourceVariable {
    pub name: String,
    /// The line of its declaration.
    pub declared: u32,
    pub type_name: String,
    pub signed: bool,
    pub ty: Option<TypeId>,
}

pub mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUM: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCT: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const BASIC: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// Operand positions in LLVM's debug nodes.
const VARIABLE_NAME: usize = 1;
const VARIABLE_TYPE: usize = 3;
pub const BASE_TYPE: usize = 3;

impl Translator<'_> {
    fn file_id(&mut self, scope: Metadata) -> Option<FileId> {
        if let Some(&id) = self.locations.ids.get(&scope) {
            return Some(id);
        }
        let path = scope.file_path()?;
        let id = self.locations.files.add(Path::new(&path));
        self.locations.ids.insert(scope, id);
        Some(id)
    }

    /// What is not checked where an instruction comes from (`dialect`).
    pub fn unchecked_at(&mut self, instruction: Value) -> Rc<Unchecked> {
        let location = Metadata::new(unsafe { LLVMInstructionGetDebugLoc(instruction.0) });
        let scope = location.and_then(|location| Metadata::new(unsafe { LLVMDILocationGetScope(location.0) }));
        let Some(scope) = scope else { return Rc::default() };
        self.locations.unchecked.entry(scope).or_insert_with(|| Rc::new(scope.unchecked())).clone()
    }

    /// Where an instruction comes from.
    pub fn location_of(&mut self, instruction: Value) -> Loc {
        let Some(location) = Metadata::new(unsafe { LLVMInstructionGetDebugLoc(instruction.0) }) else {
            return Loc::UNKNOWN;
        };
        let (line, column, scope) =
            unsafe { (LLVMDILocationGetLine(location.0), LLVMDILocationGetColumn(location.0), LLVMDILocationGetScope(location.0)) };
        match Metadata::new(scope).and_then(|scope| self.file_id(scope)) {
            Some(file) if line != 0 => Loc { file, line, column },
            _ => Loc::UNKNOWN,
        }
    }

    pub fn location_of_function(&mut self, function: Value) -> Loc {
        let Some(subprogram) = Metadata::new(unsafe { LLVMGetSubprogram(function.0) }) else { return Loc::UNKNOWN };
        let line = unsafe { LLVMDISubprogramGetLine(subprogram.0) };
        self.file_id(subprogram).map_or(Loc::UNKNOWN, |file| Loc { file, line, column: 0 })
    }

    /// Where a global is declared, and its name in the source (statics inside functions are renamed by clang). Its type is
    /// noted.
    pub fn source_of_global(&mut self, global: Value, id: ObjectId) -> (Loc, Option<String>) {
        let mut found = (Loc::UNKNOWN, None);
        let mut count = 0;
        let entries = unsafe { LLVMGlobalCopyAllMetadata(global.0, &mut count) };
        for index in 0..count as u32 {
            let node = Metadata(unsafe { LLVMValueMetadataEntriesGetMetadata(entries, index) });
            if !matches!(node.kind(), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                continue;
            }
            let variable = Metadata::new(unsafe { LLVMDIGlobalVariableExpressionGetVariable(node.0) });
            if let Some(variable) = variable {
                found = self.source_of_variable(variable);
                self.note_type_of_global(variable, id);
            }
        }
        unsafe { LLVMDisposeValueMetadataEntries(entries) };
        found
    }

    fn note_type_of_global(&mut self, variable: Metadata, id: ObjectId) {
        if let Some(ty) = variable.operands(self.context.raw()).get(VARIABLE_TYPE).copied().flatten() {
            let ty = self.types.id_of(ty, self.context.raw());
            self.types.objects.insert(id, ty);
        }
    }

    fn source_of_variable(&mut self, variable: Metadata) -> (Loc, Option<String>) {
        let line = unsafe { LLVMDIVariableGetLine(variable.0) };
        let file = Metadata::new(unsafe { LLVMDIVariableGetFile(variable.0) })
            .and_then(Metadata::path_of_file)
            .map(|path| self.locations.files.add(Path::new(&path)));
        let name = variable.operands(self.context.raw()).get(VARIABLE_NAME).copied().flatten();
        let name = name.map(|name| name.string(self.context.raw())).filter(|name| !name.is_empty());
        (file.map_or(Loc::UNKNOWN, |file| Loc { file, line, column: 0 }), name)
    }

    /// Name and type of a local variable (a `DILocalVariable`).
    pub fn source_variable(&mut self, variable: Metadata) -> Option<SourceVariable> {
        if !matches!(variable.kind(), LLVMMetadataKind::LLVMDILocalVariableMetadataKind) {
            return None;
        }
        let operands = variable.operands(self.context.raw());
        let name = (*operands.get(VARIABLE_NAME)?)?.string(self.context.raw());
        let ty = operands.get(VARIABLE_TYPE).copied().flatten();
        let type_name = self.type_name(ty, 0);
        let declared = unsafe { LLVMDIVariableGetLine(variable.0) };
        let signed = self.is_signed(ty, 0);
        let ty = ty.map(|ty| self.types.id_of(ty, self.context.raw()));
        Some(SourceVariable { name, declared, type_name, signed, ty })
    }

    fn base_type(&self, ty: Metadata) -> Option<Metadata> {
        ty.operands(self.context.raw()).get(BASE_TYPE).copied().flatten()
    }

    /// The type as C writes it, roughly: arrays and function pointers are shortened.
    fn type_name(&self, ty: Option<Metadata>, depth: u32) -> String {
        let Some(ty) = ty else { return "void".to_string() };
        if depth > 20 {
            return "...".to_string();
        }
        if is_function_type(ty) {
            return "function".to_string();
        }
        let base = || self.type_name(self.base_type(ty), depth + 1);
        match ty.tag() {
            tag::POINTER => match base() {
                inner if inner.ends_with('*') => format!("{inner}*"),
                inner => format!("{inner} *"),
            },
            tag::CONST => format!("const {}", base()),
            tag::VOLATILE => format!("volatile {}", base()),
            tag::ARRAY => format!("{}[]", base()),
            tag::STRUCT => format!("struct {}", ty.type_name()),
            tag::UNION => format!("union {}", ty.type_name()),
            tag::ENUM => format!("enum {}", ty.type_name()),
            _ => match ty.type_name() {
                name if name.is_empty() => base(),
                name => name,
            },
        }
    }

    fn is_signed(&self, ty: Option<Metadata>, depth: u32) -> bool {
        let Some(ty) = ty else { return false };
        if depth > 20 || is_function_type(ty) {
            return false;
        }
        match ty.tag() {
            tag::BASIC => !(ty.type_name().starts_with("unsigned") || ty.type_name().ends_with("ool")),
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::ENUM => self.is_signed(self.base_type(ty), depth + 1),
            _ => false,
        }
    }
}

fn is_function_type(ty: Metadata) -> bool {
    matches!(ty.kind(), LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind)
}

impl FunctionTranslator<'_, '_> {
    /// `llvm.dbg.value(metadata value, metadata variable, metadata expression)`: the variable has this value now; none
    /// (`undef`) where its scope has ended.
    pub fn debug_value(&mut self, call: Value) {
        let Some((value, variable)) = self.debug_operands(call) else { return };
        if value.is_undef() {
            let nothing = self.terms.bv(0, self.pointer_bits);
            return self.emit(StatementKind::Watch(Watch::end(variable.name, variable.declared, nothing)));
        }
        if !value.is_constant() && !self.is_translated(value) {
            return;
        }
        let Ok(leaves) = self.value(value) else { return };
        let [term] = leaves[..] else { return };
        let here = self.loc;
        if is_merge(value, &variable.name) {
            self.loc = Loc::UNKNOWN;
        }
        self.emit(StatementKind::Watch(Watch {
            variable: variable.name,
            declared: variable.declared,
            type_name: variable.type_name,
            signed: variable.signed,
            ty: variable.ty,
            value: term,
        }));
        self.loc = here;
    }

    /// The value and the variable of a debug call; None where it is about a part of a variable, or a list of values.
    pub fn debug_operands(&mut self, call: Value) -> Option<(Value, SourceVariable)> {
        let wrapped = Metadata(unsafe { LLVMValueAsMetadata(call.operand(0).0) });
        use LLVMMetadataKind::*;
        if !matches!(wrapped.kind(), LLVMConstantAsMetadataMetadataKind | LLVMLocalAsMetadataMetadataKind) {
            return None;
        }
        let mut raw = std::ptr::null_mut();
        unsafe { LLVMGetMDNodeOperands(call.operand(0).0, &mut raw) };
        let value = Value::new(raw)?;
        let variable = Metadata(unsafe { LLVMValueAsMetadata(call.operand(1).0) });
        Some((value, self.program.source_variable(variable)?))
    }

    /// Names that C gives to the function's values: locals in memory by `dbg.declare`, others by `dbg.value`.
    pub fn collect_names(&mut self) {
        let calls: Vec<Value> =
            self.function.blocks().flat_map(|block| block.instructions()).filter(|i| i.opcode() == crate::llvm::Opcode::LLVMCall).collect();
        for call in calls {
            let callee = Value(unsafe { LLVMGetCalledValue(call.0) });
            if callee.as_function().is_none() || !callee.name().starts_with("llvm.dbg.") {
                continue;
            }
            if let Some((value, variable)) = self.debug_operands(call).filter(|(value, _)| !value.is_constant()) {
                self.names.entry(value).or_insert(variable.name);
                self.declared.extend(variable.ty.map(|ty| (value, ty)));
            }
        }
    }

    /// The variable of the program that holds the address of a local variable tells the type of what lies there.
    pub fn note_type_of_local(&mut self, memory: Value, address: VarId) {
        if let Some(&ty) = self.declared.get(&memory) {
            self.types.locals.insert(address, ty);
        }
    }
}

/// Whether this is the variable's value where branches meet. No line of the source does anything there; the compiler gives the
/// place of the declaration.
fn is_merge(value: Value, variable: &str) -> bool {
    let is_phi = !value.is_constant() && unsafe { !LLVMIsAPHINode(value.0).is_null() };
    is_phi && value.name().strip_prefix(variable).is_some_and(|rest| rest.starts_with('.'))
}
