//! A thin, crate-private reader of LLVM modules over the C interface: copyable handles with the few questions that the
//! translation asks. Handles are plain pointers into a `Module`; `load` keeps the module alive while any is used, and
//! nothing outside this crate ever sees one, which is why the methods are safe to call although the C functions are not
//! marked so.

use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
pub use llvm_sys::{LLVMOpcode as Opcode, LLVMTypeKind as TypeKind};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};

/// Text from bytes that LLVM owns.
pub fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Text from a message that LLVM allocated for us.
pub fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let copy = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    unsafe { LLVMDisposeMessage(message) };
    copy
}

/// A context that collects diagnostics instead of printing them.
pub struct Context {
    raw: LLVMContextRef,
    diagnostics: Box<RefCell<Vec<String>>>,
}

extern "C" fn collect_diagnostic(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    let sink = unsafe { &*sink.cast::<RefCell<Vec<String>>>() };
    sink.borrow_mut().push(take_message(unsafe { LLVMGetDiagInfoDescription(info) }));
}

impl Context {
    pub fn new() -> Self {
        let raw = unsafe { LLVMContextCreate() };
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        let sink = (&*diagnostics as *const RefCell<Vec<String>>).cast_mut().cast::<c_void>();
        unsafe { LLVMContextSetDiagnosticHandler(raw, Some(collect_diagnostic), sink) };
        Self { raw, diagnostics }
    }

    pub fn raw(&self) -> LLVMContextRef {
        self.raw
    }

    /// What LLVM said since the last time.
    pub fn take_diagnostics(&self) -> Vec<String> {
        self.diagnostics.take()
    }

    fn buffer(bytes: &[u8]) -> LLVMMemoryBufferRef {
        unsafe { LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), c"module".as_ptr()) }
    }

    pub fn parse_bitcode(&self, bytes: &[u8]) -> Result<Module, String> {
        let buffer = Self::buffer(bytes);
        let mut module = std::ptr::null_mut();
        let failed = unsafe { LLVMParseBitcodeInContext2(self.raw, buffer, &mut module) } != 0;
        unsafe { LLVMDisposeMemoryBuffer(buffer) };
        if failed { Err(self.take_diagnostics().join("\n")) } else { Ok(Module { raw: module }) }
    }

    pub fn parse_assembly(&self, bytes: &[u8]) -> Result<Module, String> {
        let (mut module, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
        // This one consumes the buffer.
        let failed = unsafe { LLVMParseIRInContext(self.raw, Self::buffer(bytes), &mut module, &mut message) } != 0;
        let message = take_message(message);
        if failed { Err(message) } else { Ok(Module { raw: module }) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { LLVMContextDispose(self.raw) };
    }
}

/// Must be dropped before its context.
pub struct Module {
    raw: LLVMModuleRef,
}

impl Drop for Module {
    fn drop(&mut self) {
        unsafe { LLVMDisposeModule(self.raw) };
    }
}

impl Module {
    pub fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    /// Whether a file of it was compiled with debug information about variables, not only about lines.
    pub fn names_variables(&self) -> bool {
        const UNITS: &CStr = c"llvm.dbg.cu";
        // SAFETY: as many places as the module has units, which it fills.
        let units = unsafe {
            let mut units = vec![std::ptr::null_mut(); LLVMGetNamedMetadataNumOperands(self.raw, UNITS.as_ptr()) as usize];
            LLVMGetNamedMetadataOperands(self.raw, UNITS.as_ptr(), units.as_mut_ptr());
            units
        };
        // The interface has no other way to ask for the kind.
        units.into_iter().filter_map(Value::new).any(|unit| unit.show().contains("emissionKind: FullDebug"))
    }

    /// Moves everything of `other` into this module. The reason of a failure goes to the context's diagnostics.
    pub fn link(&self, other: Module) -> bool {
        let raw = other.raw;
        std::mem::forget(other);
        unsafe { LLVMLinkModules2(self.raw, raw) == 0 }
    }

    pub fn functions(&self) -> impl Iterator<Item = Value> + use<> {
        let first = Value::new(unsafe { LLVMGetFirstFunction(self.raw) });
        std::iter::successors(first, |f| Value::new(unsafe { LLVMGetNextFunction(f.0) }))
    }

    /// Variables outside of functions.
    pub fn globals(&self) -> impl Iterator<Item = Value> + use<> {
        let first = Value::new(unsafe { LLVMGetFirstGlobal(self.raw) });
        std::iter::successors(first, |global| Value::new(unsafe { LLVMGetNextGlobal(global.0) }))
    }

    pub fn function(&self, name: &str) -> Option<Value> {
        let name = CString::new(name).ok()?;
        Value::new(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    pub fn global(&self, name: &str) -> Option<Value> {
        let name = CString::new(name).ok()?;
        Value::new(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// The assembly between the functions of the source.
    pub fn assembly(&self) -> &str {
        let mut length = 0;
        // SAFETY: the text belongs to the module, and nothing changes it.
        let bytes = unsafe { std::slice::from_raw_parts(LLVMGetModuleInlineAsm(self.raw, &mut length).cast::<u8>(), length) };
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    pub fn layout(&self) -> Layout {
        Layout(unsafe { LLVMGetModuleDataLayout(self.raw) })
    }

    pub fn is_big_endian(&self) -> bool {
        matches!(unsafe { LLVMByteOrder(self.layout().0) }, LLVMByteOrdering::LLVMBigEndian)
    }
}

/// Sizes and offsets of the target.
#[derive(Copy, Clone)]
pub struct Layout(LLVMTargetDataRef);

impl Layout {
    pub fn pointer_bits(self) -> u32 {
        unsafe { LLVMPointerSize(self.0) * 8 }
    }
    /// Bytes from one array element to the next.
    pub fn alloc_size(self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }
    pub fn bit_size(self, ty: Type) -> u64 {
        unsafe { LLVMSizeOfTypeInBits(self.0, ty.0) }
    }
    pub fn align(self, ty: Type) -> u64 {
        unsafe { LLVMABIAlignmentOfType(self.0, ty.0) as u64 }
    }
    pub fn field_offset(self, ty: Type, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.0, ty.0, field) }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Type(pub LLVMTypeRef);

impl Type {
    pub fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }
    pub fn is_void(self) -> bool {
        matches!(self.kind(), TypeKind::LLVMVoidTypeKind)
    }
    pub fn is_pointer(self) -> bool {
        matches!(self.kind(), TypeKind::LLVMPointerTypeKind)
    }
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), TypeKind::LLVMIntegerTypeKind)
    }
    pub fn is_vector(self) -> bool {
        matches!(self.kind(), TypeKind::LLVMVectorTypeKind)
    }
    pub fn is_metadata(self) -> bool {
        matches!(self.kind(), TypeKind::LLVMMetadataTypeKind)
    }
    /// The name of a structure that has one.
    pub fn struct_name(self) -> Option<String> {
        let is_struct = matches!(self.kind(), TypeKind::LLVMStructTypeKind);
        // SAFETY: asks about a structure of a live module.
        let name = is_struct.then(|| unsafe { LLVMGetStructName(self.0) }).filter(|name| !name.is_null())?;
        Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }
    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }
    pub fn integer_bits(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }
    pub fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }
    /// Elements of an array or vector.
    pub fn length(self) -> u64 {
        match self.kind() {
            TypeKind::LLVMArrayTypeKind => unsafe { LLVMGetArrayLength2(self.0) },
            _ => unsafe { LLVMGetVectorSize(self.0) as u64 },
        }
    }
    pub fn fields(self) -> Vec<Type> {
        let count = unsafe { LLVMCountStructElementTypes(self.0) };
        (0..count).map(|i| Type(unsafe { LLVMStructGetTypeAtIndex(self.0, i) })).collect()
    }
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
    pub fn result(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }
    pub fn params(self) -> Vec<Type> {
        let mut params = vec![std::ptr::null_mut(); unsafe { LLVMCountParamTypes(self.0) } as usize];
        unsafe { LLVMGetParamTypes(self.0, params.as_mut_ptr()) };
        params.into_iter().map(Type).collect()
    }
    /// The type as LLVM writes it, for messages.
    pub fn show(self) -> String {
        take_message(unsafe { LLVMPrintTypeToString(self.0) })
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct BasicBlock(pub LLVMBasicBlockRef);

impl BasicBlock {
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        let first = Value::new(unsafe { LLVMGetFirstInstruction(self.0) });
        std::iter::successors(first, |i| Value::new(unsafe { LLVMGetNextInstruction(i.0) }))
    }
    pub fn terminator(self) -> Option<Value> {
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
    pub fn name(self) -> String {
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.0)) }.to_string_lossy().into_owned()
    }
    pub fn successors(self) -> Vec<BasicBlock> {
        let Some(terminator) = self.terminator() else { return Vec::new() };
        let count = unsafe { LLVMGetNumSuccessors(terminator.0) };
        (0..count).map(|i| BasicBlock(unsafe { LLVMGetSuccessor(terminator.0, i) })).collect()
    }
}

/// A value: constant, global, argument or instruction.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Value(pub LLVMValueRef);

impl Value {
    pub fn new(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }
    pub fn name(self) -> String {
        let mut length = 0;
        let start = unsafe { LLVMGetValueName2(self.0, &mut length) };
        text(start, length)
    }
    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }
    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }
    pub fn operands(self) -> impl Iterator<Item = Value> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }
    pub fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }
    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }
    pub fn is_undef(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 || LLVMIsPoison(self.0) != 0 }
    }
    pub fn is_null(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }
    pub fn as_function(self) -> Option<Value> {
        Value::new(unsafe { LLVMIsAFunction(self.0) })
    }
    pub fn as_alias(self) -> Option<Value> {
        Value::new(unsafe { LLVMIsAGlobalAlias(self.0) })
    }
    pub fn as_global(self) -> Option<Value> {
        Value::new(unsafe { LLVMIsAGlobalVariable(self.0) })
    }
    pub fn as_constant_int(self) -> Option<u64> {
        let is_int = !unsafe { LLVMIsAConstantInt(self.0) }.is_null() && self.ty().integer_bits() <= 64;
        is_int.then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }
    /// The name of the structure that an alloca makes.
    pub fn allocated_struct_name(self) -> Option<String> {
        Type(unsafe { LLVMGetAllocatedType(self.0) }).struct_name()
    }
    pub fn has_uses(self) -> bool {
        !unsafe { LLVMGetFirstUse(self.0) }.is_null()
    }
    /// Users of the value; one that uses it twice is there twice. Debug information does not count.
    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut next = unsafe { LLVMGetFirstUse(self.0) };
        while !next.is_null() {
            users.push(Value(unsafe { LLVMGetUser(next) }));
            next = unsafe { LLVMGetNextUse(next) };
        }
        users
    }
    pub fn has_one_use(self) -> bool {
        let first = unsafe { LLVMGetFirstUse(self.0) };
        !first.is_null() && unsafe { LLVMGetNextUse(first) }.is_null()
    }
    /// The value as LLVM's assembly writes it.
    pub fn show(self) -> String {
        take_message(unsafe { LLVMPrintValueToString(self.0) })
    }
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }
    pub fn has_nsw(self) -> bool {
        unsafe { LLVMGetNSW(self.0) != 0 }
    }
}

/// Functions.
impl Value {
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
    /// Only its own file may name it.
    pub fn is_internal(self) -> bool {
        // SAFETY: asks a live function or variable.
        matches!(unsafe { LLVMGetLinkage(self.0) }, llvm_sys::LLVMLinkage::LLVMInternalLinkage | llvm_sys::LLVMLinkage::LLVMPrivateLinkage)
    }
    /// The type of a function or of a global's contents.
    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }
    pub fn params(self) -> Vec<Value> {
        (0..unsafe { LLVMCountParams(self.0) }).map(|i| Value(unsafe { LLVMGetParam(self.0, i) })).collect()
    }
    pub fn blocks(self) -> impl Iterator<Item = BasicBlock> {
        let wrap = |raw: LLVMBasicBlockRef| (!raw.is_null()).then_some(BasicBlock(raw));
        std::iter::successors(wrap(unsafe { LLVMGetFirstBasicBlock(self.0) }), move |b| wrap(unsafe { LLVMGetNextBasicBlock(b.0) }))
    }
    /// The type of a `byval` parameter's object.
    pub fn byval_type(self, param: u32) -> Option<Type> {
        self.parameter_type_attribute(param, "byval")
    }
    /// The type in an attribute of a function's parameter.
    pub fn parameter_type_attribute(self, parameter: u32, name: &str) -> Option<Type> {
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }
    pub fn has_parameter_attribute(self, parameter: u32, name: &str) -> bool {
        self.parameter_number_attribute(parameter, name).is_some()
    }
    /// The number in an attribute of a function's parameter; 0 of those without one.
    pub fn parameter_number_attribute(self, parameter: u32, name: &str) -> Option<u64> {
        // SAFETY: asks a live function, and looks into an attribute only if there is one.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind);
            (!attribute.is_null()).then(|| LLVMGetEnumAttributeValue(attribute))
        }
    }
    /// The same at a call.
    pub fn call_byval_type(self, argument: u32) -> Option<Type> {
        self.call_attribute_type(argument, "byval")
    }
    /// What an inline assembly's pointer argument points to.
    pub fn element_type(self, argument: u32) -> Option<Type> {
        self.call_attribute_type(argument, "elementtype")
    }
    fn call_attribute_type(self, argument: u32, name: &str) -> Option<Type> {
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, argument + 1, kind) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }
    /// Whether an argument of a call has an attribute.
    pub fn argument_has(self, argument: u32, name: &str) -> bool {
        // SAFETY: asks a live call, and an index without attributes has none.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetCallSiteEnumAttribute(self.0, argument + 1, kind).is_null()
        }
    }
    /// Whether attributes of a function say that it never writes through its arguments.
    pub fn writes_no_argument(self) -> bool {
        const NAME: &str = "memory";
        // Two bits for each kind of memory, read and write, that of the arguments lowest.
        const WRITES_ARGUMENTS: u64 = 2;
        let kind = unsafe { LLVMGetEnumAttributeKindForName(NAME.as_ptr().cast(), NAME.len()) };
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, c_uint::MAX, kind) };
        !attribute.is_null() && unsafe { LLVMGetEnumAttributeValue(attribute) } & WRITES_ARGUMENTS == 0
    }
    /// The text of an attribute of a function.
    pub fn string_attribute(self, name: &str) -> Option<String> {
        let attribute = unsafe { LLVMGetStringAttributeAtIndex(self.0, c_uint::MAX, name.as_ptr().cast(), name.len() as c_uint) };
        if attribute.is_null() {
            return None;
        }
        let mut length = 0;
        // SAFETY: LLVM owns the text, which is as long as it says.
        let text = unsafe { std::slice::from_raw_parts(LLVMGetStringAttributeValue(attribute, &mut length).cast::<u8>(), length as usize) };
        Some(String::from_utf8_lossy(text).into_owned())
    }
    /// Adds an attribute that has no value.
    pub fn add_function_attribute(self, name: &str) {
        // SAFETY: a live function, and an attribute of its context.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let context = LLVMGetModuleContext(LLVMGetGlobalParent(self.0));
            LLVMAddAttributeAtIndex(self.0, c_uint::MAX, LLVMCreateEnumAttribute(context, kind, 0));
        }
    }

    pub fn remove_function_attribute(self, name: &str) {
        let kind = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, c_uint::MAX, kind) };
    }
}
