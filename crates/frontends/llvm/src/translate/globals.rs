//! Globals as memory objects: bytes, and terms laid over them where an initialiser mentions an address.

use super::constant::{Special, is_a};
use super::{Translated, Translator, unsupported};
use crate::Arguments;
use crate::llvm::{Type, TypeKind, Value};
use fathom_base::Loc;
use fathom_ir::{Assumption, Initializer, MemoryObject, ObjectId, Relocation};
use fathom_term::{Op, Sort, Substitution, Term, Value as Constant};
use llvm_sys::core::*;
use llvm_sys::{LLVMLinkage, LLVMUnnamedAddr};
use std::ffi::CStr;

/// Initialised objects above this size are taken as arbitrary (zero ones may be of any size).
const MAX_BYTES: u64 = 1 << 28;

/// The size of external objects of unknown size.
const OPEN_SIZE: u64 = 1 << 16;
/// Every program with <stdio.h> has these.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// How the names of constants begin that clang copies into locals.
const INITIALISER: &str = "__const.";

/// The array of the environment's variables, where it is the library's own, and another function that is there then.
const ENVIRONMENT: &str = "environ";
const SETTER: &str = "setenv";
/// The library's note, where it is linked, that the program walks the array.
const IS_WALKED: &str = "fathom_environment_is_walked";

/// Whether the program has no name for a constant, so that its address need not be its own (string literals).
fn is_literal(global: Value) -> bool {
    let (has_own_address, linkage) = unsafe { (LLVMGetUnnamedAddress(global.0), LLVMGetLinkage(global.0)) };
    matches!(has_own_address, LLVMUnnamedAddr::LLVMGlobalUnnamedAddr)
        && matches!(linkage, LLVMLinkage::LLVMPrivateLinkage)
        && unsafe { LLVMIsGlobalConstant(global.0) } != 0
}

struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Translator<'_> {
    /// The term that stands for a global's address; its contents are translated later.
    pub fn address_of_global(&mut self, global: Value) -> Term {
        if let Some(id) = self.object_ids.get(&global) {
            return self.objects[id.0 as usize].address;
        }
        let name = global.name();
        let address = self.terms.fresh(&format!("&{name}"), self.pointer_sort());
        let ty = global.value_type();
        let sized = ty.is_sized();
        // `extern int table[];` says nothing about the size.
        let is_open = !sized || (self.layout.alloc_size(ty) == 0 && unsafe { LLVMGetInitializer(global.0) }.is_null());
        if is_open {
            self.assume_for_ledger(Assumption::UnknownSize { variable: name.clone(), bytes: OPEN_SIZE });
        }
        let align = unsafe { LLVMGetAlignment(global.0) } as u64;
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(MemoryObject {
            name,
            size: if is_open { OPEN_SIZE } else { self.layout.alloc_size(ty) },
            align: if align != 0 || !sized { align.max(1) } else { self.layout.align(ty) },
            init: Initializer::External,
            read_only: unsafe { LLVMIsGlobalConstant(global.0) } != 0,
            mergeable: is_literal(global),
            thread_local: unsafe { LLVMIsThreadLocal(global.0) } != 0,
            address,
            loc: Loc::UNKNOWN,
        });
        self.object_ids.insert(global, id);
        if let Some(var) = self.terms.as_var(address) {
            self.object_addresses.insert(var, id);
        }
        self.pending_objects.push((global, id));
        address
    }

    /// Whether the linker makes this variable: where a section begins or ends that the program puts objects into.
    pub fn is_end_of_section(&self, global: Value) -> bool {
        let name = global.name();
        let Some(section) = name.strip_prefix("__start_").or_else(|| name.strip_prefix("__stop_")) else { return false };
        let is_in_it = |other: Value| {
            // SAFETY: the section of a live global, a string that lives as long as it does.
            let own = unsafe { LLVMGetSection(other.0) };
            !own.is_null() && unsafe { CStr::from_ptr(own) }.to_bytes() == section.as_bytes()
        };
        unsafe { LLVMGetInitializer(global.0) }.is_null() && self.module.globals().any(is_in_it)
    }

    pub fn translate_initializer(&mut self, global: Value, id: ObjectId) {
        let (loc, source_name) = self.source_of_global(global, id);
        let init = self.initializer(global);
        let object = &mut self.objects[id.0 as usize];
        object.loc = loc;
        object.init = init;
        if let Some(name) = source_name {
            object.name = name;
        }
    }

    /// The library's array of variables, if the program walks it.
    pub fn environment_array(&self) -> Option<Value> {
        let flag = self.module.global(IS_WALKED).and_then(|flag| Value::new(unsafe { LLVMGetInitializer(flag.0) }));
        if flag.is_some_and(Value::is_null) {
            return None;
        }
        self.module.global(ENVIRONMENT).filter(|global| self.sources.library.contains(SETTER) && global.has_uses())
    }

    /// Whether that array is arbitrary.
    pub fn has_any_environment(&self) -> bool {
        self.options.environment.arguments == Arguments::Any && !self.options.environment.has_files() && self.environment_array().is_some()
    }

    fn initializer(&mut self, global: Value) -> Initializer {
        let name = global.name();
        if name == ENVIRONMENT && self.sources.library.contains(SETTER) && !self.has_any_environment() {
            self.assume_for_ledger(Assumption::EmptyEnvironment);
        }
        let Some(value) = Value::new(unsafe { LLVMGetInitializer(global.0) }) else {
            if !STREAMS.contains(&name.as_str()) {
                self.assume_for_ledger(Assumption::ExternalVariable { variable: name });
            }
            return Initializer::External;
        };
        if value.is_null() || value.is_undef() {
            return Initializer::Zero;
        }
        let size = self.layout.alloc_size(value.ty());
        let mut image = Image { bytes: Vec::new(), relocations: Vec::new() };
        if size <= MAX_BYTES {
            image.bytes = vec![0; size as usize];
        }
        match if size <= MAX_BYTES { self.write(&mut image, 0, value) } else { unsupported("its size") } {
            Ok(()) => Initializer::Bytes { bytes: image.bytes, relocations: image.relocations },
            Err(super::Unsupported(what)) => {
                self.assume_for_ledger(Assumption::UnsupportedInitializer { variable: name, what });
                Initializer::External
            }
        }
    }

    /// The parts of a global's first contents that nothing initialises: offset and length. That is the rest of a union, and
    /// padding where the global only holds what a local is initialised with; other objects have some padding, which copies share.
    pub fn undefined_parts(&self, global: Value) -> Vec<(u64, u64)> {
        let mut parts = Vec::new();
        if let Some(value) = Value::new(unsafe { LLVMGetInitializer(global.0) }) {
            self.collect_undefined(0, value, &mut parts);
            if global.name().starts_with(INITIALISER) {
                self.collect_padding(0, value.ty(), &mut parts);
            }
        }
        parts
    }

    fn collect_padding(&self, offset: u64, ty: Type, parts: &mut Vec<(u64, u64)>) {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                let mut end = offset;
                for (index, field) in ty.fields().into_iter().enumerate() {
                    let start = offset + self.layout.field_offset(ty, index as u32);
                    parts.extend((start > end).then(|| (end, start - end)));
                    self.collect_padding(start, field, parts);
                    end = start + self.layout.alloc_size(field);
                }
                let size = offset + self.layout.alloc_size(ty);
                parts.extend((size > end).then(|| (end, size - end)));
            }
            TypeKind::LLVMArrayTypeKind if !ty.element().is_integer() => {
                let size = self.layout.alloc_size(ty.element());
                (0..ty.length()).for_each(|index| self.collect_padding(offset + index * size, ty.element(), parts));
            }
            _ => {}
        }
    }

    fn collect_undefined(&self, offset: u64, value: Value, parts: &mut Vec<(u64, u64)>) {
        let ty = value.ty();
        let place = |index: u64| match ty.kind() {
            TypeKind::LLVMStructTypeKind => self.layout.field_offset(ty, index as u32),
            _ => index * self.layout.alloc_size(ty.element()),
        };
        let count = match ty.kind() {
            _ if value.is_undef() => return parts.push((offset, self.layout.alloc_size(ty))),
            _ if value.is_null() || is_a(value, LLVMIsAConstantDataArray) => return,
            TypeKind::LLVMStructTypeKind => ty.fields().len() as u64,
            TypeKind::LLVMArrayTypeKind => ty.length(),
            _ => return,
        };
        for index in 0..count {
            if let Some(element) = Value::new(unsafe { LLVMGetAggregateElement(value.0, index as u32) }) {
                self.collect_undefined(offset + place(index), element, parts);
            }
        }
    }

    /// Lays a constant over the image.
    fn write(&mut self, image: &mut Image, offset: u64, value: Value) -> Translated<()> {
        if value.is_null() || value.is_undef() {
            return Ok(());
        }
        let ty = value.ty();
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                for index in 0..ty.fields().len() as u32 {
                    if let Some(field) = Value::new(unsafe { LLVMGetAggregateElement(value.0, index) }) {
                        self.write(image, offset + self.layout.field_offset(ty, index), field)?;
                    }
                }
                Ok(())
            }
            TypeKind::LLVMArrayTypeKind if is_a(value, LLVMIsAConstantDataArray) && unsafe { LLVMIsConstantString(value.0) } != 0 => {
                let mut length = 0;
                let start = unsafe { LLVMGetAsString(value.0, &mut length) };
                let text = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
                image.bytes[offset as usize..offset as usize + length].copy_from_slice(text);
                Ok(())
            }
            TypeKind::LLVMArrayTypeKind => {
                let stride = self.layout.alloc_size(ty.element());
                for index in 0..ty.length() {
                    if let Some(element) = Value::new(unsafe { LLVMGetAggregateElement(value.0, index as u32) }) {
                        self.write(image, offset + index * stride, element)?;
                    }
                }
                Ok(())
            }
            _ => self.write_scalars(image, offset, value),
        }
    }

    fn write_scalars(&mut self, image: &mut Image, offset: u64, value: Value) -> Translated<()> {
        let terms = self.terms.clone();
        let mut nans = Vec::new();
        let mut on_special = |special| match special {
            Special::Undef(Sort::Bool) => terms.bool(false),
            Special::Undef(sort) => terms.constant(&Constant::zero(sort, &terms), sort),
            Special::Nan { format, bits } => {
                // A variable stands for the bits, which no constant of a float sort can hold.
                let variable = terms.fresh("nan", terms.sort(bits));
                nans.extend(terms.as_var(variable).map(|id| (id, bits)));
                terms.build(Op::FpFromBits(format), &[variable])
            }
        };
        let values = self.constant(value, &mut on_special)?;
        for (leaf, term) in self.leaves_of(value.ty())?.into_iter().zip(values) {
            let bits = Substitution::new(nans.clone()).apply(&self.terms, self.to_memory(leaf.scalar, term));
            self.write_scalar(image, offset + leaf.offset, bits);
        }
        Ok(())
    }

    fn write_scalar(&mut self, image: &mut Image, offset: u64, bits: Term) {
        match self.terms.const_value(bits) {
            Some(constant) => {
                let bytes = constant.to_biguint().to_bytes_le();
                image.bytes[offset as usize..offset as usize + bytes.len()].copy_from_slice(&bytes);
            }
            None => image.relocations.push(Relocation { offset, value: bits }),
        }
    }
}
