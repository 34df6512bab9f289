//! Function pointers in the arguments of an entry, or in the objects to which these point: they point to code outside
//! of the program. For each, a function of its type is added to the module, which calls a function without a body. So
//! it behaves like any function without a body: its result is an input, it may write through its pointer arguments
//! unless they are const, and native runs have a stub for it.

use super::Translator;
use super::function::FunctionTranslator;
use super::harness::{BASE_TYPE, TYPE_ARRAY, is_function_type, size_of, tag};
use crate::llvm::Value;
use crate::metadata::Metadata;
use fathom_base::Loc;
use fathom_ir::Procedure;
use fathom_term::Term;
use llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMAddFunction, LLVMAppendBasicBlockInContext, LLVMBuildCall2, LLVMBuildRet, LLVMBuildRetVoid,
    LLVMCreateBuilderInContext, LLVMCreateEnumAttribute, LLVMDisposeBuilder, LLVMDoubleTypeInContext, LLVMFloatTypeInContext,
    LLVMFunctionType, LLVMGetEnumAttributeKindForName, LLVMGetParam, LLVMIntTypeInContext, LLVMPointerTypeInContext,
    LLVMPositionBuilderAtEnd, LLVMVoidTypeInContext,
};
use llvm_sys::prelude::LLVMTypeRef;
use std::ffi::CString;

/// Attributes of parameters are numbered behind that of the result.
const FIRST_PARAMETER: u32 = 1;

/// The type of a function as C passes it.
struct Signature {
    /// None for void.
    result: Option<LLVMTypeRef>,
    gives_pointer: bool,
    params: Vec<LLVMTypeRef>,
    /// Which parameters lead to memory that the function can't change.
    is_const: Vec<bool>,
}

/// A function for a pointer of an entry's arguments.
pub(super) struct Callback {
    /// Its address in the program.
    pub term: Term,
    /// The name of its stand-in in the C of a native run; None if it can have none.
    pub in_c: Option<String>,
}

impl FunctionTranslator<'_, '_> {
    /// A function of this type, called after the parameter or member that leads to it; None if C passes its arguments in ways that are
    /// not known here (structures, a variable number).
    pub(super) fn callback_of_type(&mut self, name: &str, ty: Metadata) -> Option<Callback> {
        let signature = self.signature(ty)?;
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut names = std::iter::once(format!("callback_{plain}")).chain((2..).map(|number| format!("callback_{plain}_{number}")));
        let outside = names.find(|name| self.module.function(name).is_none())?;
        let inside = self.write_callback(&format!("the callback {name}"), &outside, &signature)?;
        let has_stand_in = !(signature.gives_pointer && self.options.undefined_writes);
        Some(Callback { term: self.address_of_function(inside), in_c: has_stand_in.then_some(outside) })
    }
}

impl Translator<'_> {
    /// A function of which nothing is known but that it is none of the program's.
    pub(super) fn callback_without_type(&mut self, name: &str) -> Callback {
        let address = self.terms.fresh(&format!("&{name}"), self.pointer_sort());
        let id = self.add_procedure(Procedure {
            name: format!("the callback {name}"),
            params: Vec::new(),
            results: Vec::new(),
            variadic: None,
            locals: Vec::new(),
            body: None,
            loc: Loc::UNKNOWN,
            address: Some(address),
            align: 1,
        });
        if let Some(var) = self.terms.as_var(address) {
            self.procedure_addresses.insert(var, id);
        }
        Callback { term: address, in_c: None }
    }

    fn signature(&self, ty: Metadata) -> Option<Signature> {
        let types = self.debug_operand(ty, TYPE_ARRAY)?.operands(self.context.raw());
        // A node that has nothing but the null for void reads as an empty one.
        let result = types.first().copied().flatten();
        let params: Vec<Metadata> = types.iter().skip(1).copied().collect::<Option<_>>()?;
        Some(Signature {
            result: match result {
                Some(ty) => Some(self.passed_type(ty)?),
                None => None,
            },
            gives_pointer: self.pointee(result).is_some(),
            params: params.iter().map(|&ty| self.passed_type(ty)).collect::<Option<_>>()?,
            is_const: params.iter().map(|&ty| self.leads_to_const(ty)).collect(),
        })
    }

    /// The type in LLVM as which a value is passed.
    fn passed_type(&self, ty: Metadata) -> Option<LLVMTypeRef> {
        let context = self.context.raw();
        let plain = self.plain_type(Some(ty))?;
        if is_function_type(plain) {
            return None;
        }
        let bits = size_of(plain) * 8;
        // SAFETY: types of a live context.
        unsafe {
            match (plain.tag(), plain.type_name().as_str()) {
                (tag::POINTER | tag::REFERENCE, _) => Some(LLVMPointerTypeInContext(context, 0)),
                (tag::BASE, "float") => Some(LLVMFloatTypeInContext(context)),
                (tag::BASE, "double") => Some(LLVMDoubleTypeInContext(context)),
                (tag::BASE, "bool" | "_Bool") => Some(LLVMIntTypeInContext(context, 1)),
                (tag::BASE, name) if name.contains("float") || name.contains("Float") || name.contains("complex") => None,
                (tag::BASE | tag::ENUM, _) if [8, 16, 32, 64].contains(&bits) => Some(LLVMIntTypeInContext(context, bits as u32)),
                _ => None,
            }
        }
    }

    /// Whether a pointer's type says that nobody writes through it.
    fn leads_to_const(&self, ty: Metadata) -> bool {
        let Some(pointer) = self.plain_type(Some(ty)).filter(|ty| !is_function_type(*ty) && ty.tag() == tag::POINTER) else { return false };
        let mut pointee = self.debug_operand(pointer, BASE_TYPE);
        while let Some(ty) = pointee.filter(|ty| !is_function_type(*ty)) {
            match ty.tag() {
                tag::CONST => return true,
                tag::TYPEDEF | tag::VOLATILE | tag::RESTRICT => pointee = self.debug_operand(ty, BASE_TYPE),
                _ => return false,
            }
        }
        false
    }

    /// A function `inside` of the module that calls `outside`, which has no body.
    fn write_callback(&mut self, inside: &str, outside: &str, signature: &Signature) -> Option<Value> {
        let (inside, outside) = (CString::new(inside).ok()?, CString::new(outside).ok()?);
        let (context, module) = (self.context.raw(), self.module.raw());
        let mut params = signature.params.clone();
        // SAFETY: everything belongs to the live context and module; the function that is written is well-formed.
        unsafe {
            let result = signature.result.unwrap_or_else(|| LLVMVoidTypeInContext(context));
            let ty = LLVMFunctionType(result, params.as_mut_ptr(), params.len() as u32, 0);
            let callee = LLVMAddFunction(module, outside.as_ptr(), ty);
            let kind = LLVMGetEnumAttributeKindForName(c"readonly".as_ptr(), "readonly".len());
            for (index, _) in signature.is_const.iter().enumerate().filter(|(_, is_const)| **is_const) {
                LLVMAddAttributeAtIndex(callee, FIRST_PARAMETER + index as u32, LLVMCreateEnumAttribute(context, kind, 0));
            }
            let function = LLVMAddFunction(module, inside.as_ptr(), ty);
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, c"entry".as_ptr()));
            let mut args: Vec<_> = (0..params.len() as u32).map(|index| LLVMGetParam(function, index)).collect();
            let given = LLVMBuildCall2(builder, ty, callee, args.as_mut_ptr(), args.len() as u32, c"".as_ptr());
            match signature.result {
                Some(_) => LLVMBuildRet(builder, given),
                None => LLVMBuildRetVoid(builder),
            };
            LLVMDisposeBuilder(builder);
            Value::new(function)
        }
    }
}
