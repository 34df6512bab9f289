//! Nodes of LLVM's debug information: files, types and variables.

use crate::dialect::Unchecked;
use crate::llvm::{Value, text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::path::Path;

/// A node, or a value inside one. A handle like those of `llvm`.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Metadata(pub LLVMMetadataRef);

impl Metadata {
    pub fn new(raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }
    pub fn kind(self) -> LLVMMetadataKind {
        unsafe { LLVMGetMetadataKind(self.0) }
    }
    pub fn file_path(self) -> Option<String> {
        let scope_file = Metadata::new(unsafe { LLVMDIScopeGetFile(self.0) })?;
        scope_file.path_of_file()
    }
    /// Of a scope: what is not checked there, as the name of its file says.
    pub fn unchecked(self) -> Unchecked {
        let file = Metadata::new(unsafe { LLVMDIScopeGetFile(self.0) });
        let mut length = 0;
        let name = file.map(|file| unsafe { text(LLVMDIFileGetFilename(file.0, &mut length), length as usize) });
        name.map_or(Unchecked::Nothing, |name| Unchecked::of_name(&name).0)
    }
    /// Of a DIFile: its name, under the folder where it was compiled unless we are there.
    pub fn path_of_file(self) -> Option<String> {
        let (mut name_length, mut folder_length) = (0, 0);
        let (name, folder) = unsafe {
            let name = LLVMDIFileGetFilename(self.0, &mut name_length);
            let folder = LLVMDIFileGetDirectory(self.0, &mut folder_length);
            (text(name, name_length as usize), text(folder, folder_length as usize))
        };
        let name = Unchecked::of_name(&name).1.to_string();
        if name.is_empty() {
            return None;
        }
        let elsewhere = folder.starts_with('/') && std::env::current_dir().is_ok_and(|here| here != Path::new(&folder));
        if elsewhere && !name.starts_with('/') { Some(format!("{folder}/{name}")) } else { Some(name) }
    }
    pub fn type_name(self) -> String {
        let mut length = 0;
        let start = unsafe { LLVMDITypeGetName(self.0, &mut length) };
        text(start, length)
    }
    pub fn tag(self) -> u16 {
        unsafe { LLVMGetDINodeTag(self.0) }
    }
    /// Operands of a node; absent ones are None.
    pub fn operands(self, context: LLVMContextRef) -> Vec<Option<Metadata>> {
        let value = unsafe { LLVMMetadataAsValue(context, self.0) };
        let count = unsafe { LLVMGetMDNodeNumOperands(value) };
        let mut operands = vec![std::ptr::null_mut(); count as usize];
        unsafe { LLVMGetMDNodeOperands(value, operands.as_mut_ptr()) };
        operands.into_iter().map(|v| Value::new(v).and_then(|v| Metadata::new(unsafe { LLVMValueAsMetadata(v.0) }))).collect()
    }
    pub fn string(self, context: LLVMContextRef) -> String {
        let value = unsafe { LLVMMetadataAsValue(context, self.0) };
        let mut length = 0;
        let start = unsafe { LLVMGetMDString(value, &mut length) };
        text(start, length as usize)
    }
}
