//! The types that debug information describes, as a table for traces. A type is added when a variable of this type
//! occurs; the types of its members and pointers are added at the end, the nearest first and only a limited number,
//! because the headers of an operating system describe thousands of structures that no trace will ever show.

use super::Translator;
use super::debug::{BASE_TYPE, tag};
use crate::llvm::{Value, text};
use crate::metadata::Metadata;
use fathom_base::FxMap;
use fathom_ir::{DebugInfo, Member, ObjectId, Shape, SourceType, TypeId};
use fathom_term::VarId;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::collections::VecDeque;

/// Types that are described; others have only a name.
const MOST_TYPES: usize = 4_000;
/// Operand positions in LLVM's debug nodes.
const ELEMENTS: usize = 4;
const NAME_OF_ENUMERATOR: usize = 0;
/// Flags of members.
const BIT_FIELD: u32 = 1 << 19;
const STATIC_MEMBER: u32 = 1 << 12;

/// The table while it grows.
#[derive(Default)]
pub struct DebugTypes {
    types: Vec<SourceType>,
    ids: FxMap<Option<Metadata>, TypeId>,
    /// Types that have a name, but no shape yet.
    open: VecDeque<(Metadata, TypeId)>,
    pub objects: FxMap<ObjectId, TypeId>,
    pub locals: FxMap<VarId, TypeId>,
}

impl Translator<'_> {
    /// The table, with everything that was met described.
    pub fn take_debug_info(&mut self) -> DebugInfo {
        let mut types = std::mem::take(&mut self.types);
        let context = self.context.raw();
        while let Some((ty, id)) = types.open.pop_front() {
            let shape = if types.types.len() <= MOST_TYPES { types.shape(ty, context) } else { Shape::Unknown };
            types.types[id.0 as usize].shape = shape;
        }
        DebugInfo { types: types.types, objects: types.objects, locals: types.locals }
    }
}

impl DebugTypes {
    /// The number of a type, whatever qualifiers and typedefs are around it.
    pub fn id_of(&mut self, ty: Metadata, context: LLVMContextRef) -> TypeId {
        self.id(Some(ty), context)
    }

    fn id(&mut self, ty: Option<Metadata>, context: LLVMContextRef) -> TypeId {
        if let Some(&known) = self.ids.get(&ty) {
            return known;
        }
        let (mut plain, mut named) = (ty, String::new());
        while let Some(at) = plain.filter(|&at| is_transparent(at)) {
            if named.is_empty() && at.tag() == tag::TYPEDEF {
                named = at.type_name();
            }
            plain = operand(at, BASE_TYPE, context);
        }
        if let Some(&known) = self.ids.get(&plain) {
            self.ids.insert(ty, known);
            return known;
        }
        let id = TypeId(self.types.len() as u32);
        let own = plain.filter(|&at| !is_function(at));
        let name = own.map_or_else(String::new, |at| name_of(at, named));
        let size = own.map_or(0, |at| unsafe { LLVMDITypeGetSizeInBits(at.0) } / 8);
        self.types.push(SourceType { name, size, shape: Shape::Unknown });
        self.ids.insert(ty, id);
        self.ids.insert(plain, id);
        self.open.extend(own.map(|at| (at, id)));
        id
    }

    fn shape(&mut self, ty: Metadata, context: LLVMContextRef) -> Shape {
        let name = ty.type_name();
        let signed = !name.starts_with("unsigned");
        match ty.tag() {
            tag::BASIC if name.ends_with("ool") => Shape::Bool,
            tag::BASIC if name.ends_with("char") => Shape::Character { signed },
            tag::BASIC if ["float", "double", "Float"].iter().any(|part| name.contains(part)) => Shape::Float,
            tag::BASIC => Shape::Integer { signed },
            tag::POINTER => Shape::Pointer(self.id(operand(ty, BASE_TYPE, context), context)),
            tag::ARRAY => self.array(ty, context),
            tag::STRUCT | tag::UNION => self.record(ty, context),
            tag::ENUM => {
                let base = operand(ty, BASE_TYPE, context);
                let signed = base.is_some_and(|base| !is_function(base) && !base.type_name().starts_with("unsigned"));
                let names = elements(ty, context).into_iter().filter_map(|element| enumerator(element, context)).collect();
                Shape::Enumeration { signed, names }
            }
            _ => Shape::Unknown,
        }
    }

    /// Arrays of several dimensions are arrays of arrays.
    fn array(&mut self, ty: Metadata, context: LLVMContextRef) -> Shape {
        let counts: Vec<Option<u64>> = elements(ty, context).into_iter().map(|range| count_of(range, context)).collect();
        let mut element = self.id(operand(ty, BASE_TYPE, context), context);
        let Some((&first, inner)) = counts.split_first() else { return Shape::Unknown };
        for &count in inner.iter().rev() {
            let of = &self.types[element.0 as usize];
            let (name, size) = (format!("{}[]", of.name), of.size * count.unwrap_or(0));
            self.types.push(SourceType { name, size, shape: Shape::Array { element, count } });
            element = TypeId(self.types.len() as u32 - 1);
        }
        Shape::Array { element, count: first }
    }

    fn record(&mut self, ty: Metadata, context: LLVMContextRef) -> Shape {
        let mut members = Vec::new();
        for member in elements(ty, context) {
            let is_member = matches!(member.kind(), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind) && member.tag() == tag::MEMBER;
            // SAFETY: asks a live node that is a type.
            let flags = if is_member { unsafe { LLVMDITypeGetFlags(member.0) as u32 } } else { STATIC_MEMBER };
            if flags & STATIC_MEMBER != 0 {
                continue;
            }
            let (offset, bits) = unsafe { (LLVMDITypeGetOffsetInBits(member.0), LLVMDITypeGetSizeInBits(member.0)) };
            members.push(Member {
                name: member.type_name(),
                ty: self.id(operand(member, BASE_TYPE, context), context),
                offset,
                bits: (flags & BIT_FIELD != 0).then_some(bits as u32),
            });
        }
        if members.is_empty() {
            return Shape::Unknown;
        }
        Shape::Record { is_union: ty.tag() == tag::UNION, members: members.into() }
    }
}

fn is_function(ty: Metadata) -> bool {
    matches!(ty.kind(), LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind)
}

fn is_transparent(ty: Metadata) -> bool {
    !is_function(ty) && matches!(ty.tag(), tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC)
}

fn operand(node: Metadata, index: usize, context: LLVMContextRef) -> Option<Metadata> {
    node.operands(context).get(index).copied().flatten()
}

fn elements(ty: Metadata, context: LLVMContextRef) -> Vec<Metadata> {
    let list = operand(ty, ELEMENTS, context);
    list.map(|list| list.operands(context).into_iter().flatten().collect()).unwrap_or_default()
}

fn name_of(ty: Metadata, typedef: String) -> String {
    let name = ty.type_name();
    match ty.tag() {
        tag::STRUCT | tag::UNION | tag::ENUM if name.is_empty() => typedef,
        tag::STRUCT => format!("struct {name}"),
        tag::UNION => format!("union {name}"),
        tag::ENUM => format!("enum {name}"),
        _ => name,
    }
}

/// How many elements a dimension has, if that is a number.
fn count_of(range: Metadata, context: LLVMContextRef) -> Option<u64> {
    let value = unsafe { LLVMMetadataAsValue(context, range.0) };
    if unsafe { LLVMGetMDNodeNumOperands(value) } == 0 {
        return None;
    }
    let mut operands = vec![std::ptr::null_mut(); unsafe { LLVMGetMDNodeNumOperands(value) } as usize];
    unsafe { LLVMGetMDNodeOperands(value, operands.as_mut_ptr()) };
    let count = Value::new(operands[0]).filter(|count| !unsafe { LLVMIsAConstantInt(count.0) }.is_null())?;
    u64::try_from(unsafe { LLVMConstIntGetSExtValue(count.0) }).ok()
}

/// Name and value; LLVM's C interface has no reader for the value, so it is taken from the printed node.
fn enumerator(node: Metadata, context: LLVMContextRef) -> Option<(String, i64)> {
    let name = operand(node, NAME_OF_ENUMERATOR, context)?.string(context);
    let printed = unsafe {
        let raw = LLVMPrintValueToString(LLVMMetadataAsValue(context, node.0));
        let printed = text(raw, std::ffi::CStr::from_ptr(raw).count_bytes());
        LLVMDisposeMessage(raw);
        printed
    };
    let (_, after) = printed.rsplit_once("value: ")?;
    let number = after.split(|c: char| c != '-' && !c.is_ascii_digit()).next()?;
    Some((name, number.parse().ok()?))
}
