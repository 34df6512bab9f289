//! Arguments for an entry function of a library: numbers are arbitrary, pointers lead to fresh objects of the type that
//! the debug information says. A structure is one object, its pointers lead to further ones down to a small depth and
//! are null below; a pointer to pointers leads to a few, a `char *` to a text; anything else is an array of a few elements. All contents are arbitrary inputs, named after the
//! parameter. The objects are of the heap, because libraries free what they are given, and a variable of the program
//! holds them all, because what they don't free is no leak. All this is assumed, so the ledger says it.

use super::Translator;
use super::function::{FunctionTranslator, internal_choice};
use super::harness_c::HarnessInC;
use super::types::Leaves;
use crate::llvm::{Type, Value};
use crate::metadata::Metadata;
use fathom_base::Loc;
use fathom_ir::{AllocKind, Assumption, Fill, Initializer, InputKind, MemoryObject, ObjectId, StatementKind, sources};
use fathom_term::{Sort, Term};
use llvm_sys::debuginfo::{LLVMDITypeGetOffsetInBits, LLVMDITypeGetSizeInBits, LLVMGetSubprogram, LLVMMetadataKind};

/// Pointers in objects that pointers in the objects of parameters lead to are followed; those behind them are null.
const DEPTH: u32 = 2;
/// Elements of an array that a pointer to a number or to bytes leads to.
const ELEMENTS: u64 = 16;
/// Elements of an array that a pointer to a pointer leads to, before the null pointer at its end.
const POINTERS: u64 = 2;
/// At most this many objects are made.
const MAX_OBJECTS: u64 = 64;

/// Operand positions in LLVM's debug nodes, and tags.
const SUBPROGRAM_TYPE: usize = 4;
const TYPE_ARRAY: usize = 3;
const BASE_TYPE: usize = 3;
const ELEMENTS_OF_COMPOSITE: usize = 4;
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const BASE: u16 = 0x24;
    pub const STRUCT: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const CLASS: u16 = 0x02;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const REFERENCE: u16 = 0x10;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

impl Translator<'_> {
    fn debug_operand(&self, node: Metadata, index: usize) -> Option<Metadata> {
        node.operands(self.context.raw()).get(index).copied().flatten()
    }

    /// The debug types of a function's parameters.
    fn parameter_types(&self, function: Value) -> Vec<Option<Metadata>> {
        // SAFETY: asks a live function for its debug information, which may be absent.
        let subprogram = Metadata::new(unsafe { LLVMGetSubprogram(function.0) });
        let types =
            subprogram.and_then(|node| self.debug_operand(node, SUBPROGRAM_TYPE)).and_then(|node| self.debug_operand(node, TYPE_ARRAY));
        types.map(|node| node.operands(self.context.raw()).into_iter().skip(1).collect()).unwrap_or_default()
    }

    /// A type without typedefs and qualifiers.
    fn plain_type(&self, ty: Option<Metadata>) -> Option<Metadata> {
        let mut ty = ty?;
        while !is_function_type(ty) && matches!(ty.tag(), tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC) {
            ty = self.debug_operand(ty, BASE_TYPE)?;
        }
        Some(ty)
    }

    /// What a pointer type points to; None if it is no pointer.
    fn pointee(&self, ty: Option<Metadata>) -> Option<Option<Metadata>> {
        let ty = self.plain_type(ty)?;
        let is_pointer = !is_function_type(ty) && matches!(ty.tag(), tag::POINTER | tag::REFERENCE);
        is_pointer.then(|| self.plain_type(self.debug_operand(ty, BASE_TYPE)))
    }

    /// The variable that holds every object.
    fn root_object(&mut self) -> Term {
        let address = self.terms.fresh("&objects of the arguments", self.pointer_sort());
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(MemoryObject {
            name: "objects of the arguments".to_string(),
            size: MAX_OBJECTS * self.pointer_bits as u64 / 8,
            align: 16,
            init: Initializer::Zero,
            read_only: false,
            mergeable: false,
            thread_local: false,
            address,
            loc: Loc::UNKNOWN,
        });
        if let Some(var) = self.terms.as_var(address) {
            self.object_addresses.insert(var, id);
        }
        address
    }
}

fn is_function_type(ty: Metadata) -> bool {
    matches!(ty.kind(), LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind)
}

/// The objects made so far, and where the next one is noted.
struct Fresh {
    root: Term,
    count: u64,
    in_c: HarnessInC,
}

/// A place in memory, here and in the C of a native run.
struct Place {
    term: Term,
    in_c: String,
}

impl FunctionTranslator<'_, '_> {
    /// Arguments for a function that is not main.
    pub fn entry_arguments(&mut self, entry: Value) -> Vec<Term> {
        let params = entry.params();
        let types = self.parameter_types(entry);
        let mut fresh = Fresh { root: self.root_object(), count: 0, in_c: HarnessInC::default() };
        let mut described = types.into_iter();
        let mut args = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let given = self.name_of(*param);
            let name = if given == "t" { format!("arg{index}") } else { given };
            // Structures that are returned or passed through memory have no pointer in the source.
            let bits = self.pointer_bits;
            if let Some(ty) = entry.parameter_type_attribute(index as u32, "sret") {
                let object = self.fresh_object(&mut fresh, &name, self.layout.alloc_size(ty));
                fresh.in_c.result(&object.in_c, bits);
                args.push(object.term);
                continue;
            }
            let ty = described.next().flatten();
            if let Some(ty) = entry.byval_type(index as u32) {
                let (size, align) = (self.layout.alloc_size(ty), self.layout.align(ty));
                let object = self.fresh_object(&mut fresh, &name, size);
                fresh.in_c.by_value(&object.in_c, size, align, bits);
                args.push(object.term);
            } else if param.ty().is_pointer() {
                let pointee = self.pointee(ty).flatten();
                let object = self.object_of_type(&mut fresh, &name, pointee, 0);
                let choice = format!("{}{name}", sources::NULL);
                fresh.in_c.pointer(&object.in_c, self.options.entry_null.then_some(choice.as_str()));
                args.push(self.perhaps_null(&name, object.term));
            } else {
                let is_unsigned = entry.has_parameter_attribute(index as u32, "zeroext");
                fresh.in_c.number(&format!("{}{name}", sources::ARGUMENT), param.ty(), is_unsigned);
                args.extend(self.arbitrary_argument(&name, param.ty()));
            }
        }
        if fresh.count > 0 {
            self.say_what_is_assumed(entry);
        }
        self.program.native.entry_driver = match entry.name() == "main" {
            true if params.is_empty() => None,
            true => Some(Err("it depends on the arguments of an unusual main".into())),
            false => Some(fresh.in_c.finish(entry)),
        };
        args
    }

    fn say_what_is_assumed(&mut self, entry: Value) {
        let may_be_null = self.options.entry_null;
        self.assume_for_ledger(Assumption::FreshArguments {
            function: entry.name(),
            may_be_null,
            elements: ELEMENTS,
            pointers: POINTERS,
            depth: DEPTH,
            objects: MAX_OBJECTS,
        });
    }

    fn arbitrary_argument(&mut self, name: &str, ty: Type) -> Leaves {
        let Ok(leaves) = self.leaves_of(ty) else { return Leaves::new() };
        let input = InputKind { source: format!("{}{name}", sources::ARGUMENT), type_name: "int".to_string(), signed: true };
        leaves.iter().map(|leaf| self.arbitrary(name, leaf.scalar, input.clone())).collect()
    }

    fn perhaps_null(&mut self, name: &str, object: Term) -> Term {
        if !self.options.entry_null {
            return object;
        }
        let (var, is_null) = self.local_term(&format!("{name} is null"), Sort::Bool);
        let input = InputKind { source: format!("{}{name}", sources::NULL), ..internal_choice() };
        self.emit(StatementKind::Havoc { vars: vec![var], input: Some(input) });
        self.terms.ite(is_null, self.terms.bv(0, self.pointer_bits), object)
    }

    /// An object for a pointer to this type; null where there is to be none.
    fn object_of_type(&mut self, fresh: &mut Fresh, name: &str, ty: Option<Metadata>, depth: u32) -> Place {
        if fresh.count == MAX_OBJECTS || ty.is_some_and(is_function_type) {
            return self.null_place();
        }
        if let Some(pointee) = self.pointee(ty) {
            return self.array_of_pointers(fresh, name, pointee, depth);
        }
        let size = ty.map_or(0, size_of);
        let is_struct = ty.is_some_and(|ty| matches!(ty.tag(), tag::STRUCT | tag::CLASS));
        if !is_struct || size == 0 {
            let is_array = ty.is_some_and(|ty| ty.tag() == tag::ARRAY);
            let bytes = if is_array && size > 0 { size } else { size.max(1) * ELEMENTS };
            let object = self.fresh_object(fresh, name, bytes);
            if ty.is_some_and(|ty| !is_function_type(ty) && ty.tag() == tag::BASE && ty.type_name() == "char") {
                self.end_text(fresh, &object);
            }
            return object;
        }
        let object = self.fresh_object(fresh, name, size);
        if let Some(ty) = ty {
            self.fill_pointers(fresh, name, &object, ty, depth);
        }
        object
    }

    fn null_place(&self) -> Place {
        Place { term: self.terms.bv(0, self.pointer_bits), in_c: "0".into() }
    }

    fn fresh_object(&mut self, fresh: &mut Fresh, name: &str, size: u64) -> Place {
        let t = self.terms.clone();
        let (target, object) = self.local_term(name, self.pointer_sort());
        let label = format!("{}{name}", sources::OBJECT);
        let in_c = fresh.in_c.object(&label, size);
        let size = t.bv(size, self.pointer_bits);
        let input = InputKind { source: label.clone(), type_name: "char".to_string(), signed: false };
        self.emit(StatementKind::Alloc { target, size, align: 16, kind: AllocKind::Heap, zeroed: false, name: label });
        self.emit(StatementKind::Set { pointer: object, fill: Fill::Arbitrary(input), length: size });
        let slot = self.offset(fresh.root, fresh.count * self.pointer_bits as u64 / 8);
        self.emit(StatementKind::Store { pointer: slot, value: object });
        fresh.count += 1;
        Place { term: object, in_c }
    }

    /// A pointer to a pointer leads to a few of these with objects of their own, and a null pointer behind them.
    fn array_of_pointers(&mut self, fresh: &mut Fresh, name: &str, pointee: Option<Metadata>, depth: u32) -> Place {
        let bytes = u64::from(self.pointer_bits / 8);
        let array = self.fresh_object(fresh, name, (POINTERS + 1) * bytes);
        for index in 0..=POINTERS {
            let value = match index < POINTERS && depth < DEPTH {
                true => self.object_of_type(fresh, &format!("{name}[{index}]"), pointee, depth + 1),
                false => self.null_place(),
            };
            let slot = self.offset(array.term, index * bytes);
            fresh.in_c.store_pointer(&array.in_c, index * bytes, &value.in_c);
            self.emit(StatementKind::Store { pointer: slot, value: value.term });
        }
        array
    }

    /// What a `char *` leads to is a text: it ends, at the object's last byte if not before.
    fn end_text(&mut self, fresh: &mut Fresh, object: &Place) {
        let last = self.offset(object.term, ELEMENTS - 1);
        let nul = self.terms.bv(0, 8);
        self.emit(StatementKind::Store { pointer: last, value: nul });
        fresh.in_c.end_text(&object.in_c, ELEMENTS - 1);
    }

    /// Pointers in a structure lead to objects of their own, or are null below the depth.
    fn fill_pointers(&mut self, fresh: &mut Fresh, name: &str, object: &Place, ty: Metadata, depth: u32) {
        let members = self.debug_operand(ty, ELEMENTS_OF_COMPOSITE).map(|node| node.operands(self.context.raw()));
        for member in members.unwrap_or_default().into_iter().flatten() {
            if is_function_type(member) || member.tag() != tag::MEMBER {
                continue;
            }
            // SAFETY: a member of a structure is a type node.
            let offset = unsafe { LLVMDITypeGetOffsetInBits(member.0) } / 8;
            let (member_type, member_name) = (self.debug_operand(member, BASE_TYPE), member.type_name());
            let place = Place { term: self.offset(object.term, offset), in_c: format!("({} + {offset})", object.in_c) };
            if let Some(pointee) = self.pointee(member_type) {
                let value = if depth < DEPTH {
                    self.object_of_type(fresh, &format!("{name}->{member_name}"), pointee, depth + 1)
                } else {
                    self.null_place()
                };
                fresh.in_c.store_pointer(&object.in_c, offset, &value.in_c);
                self.emit(StatementKind::Store { pointer: place.term, value: value.term });
            } else if let Some(inner) = self.plain_type(member_type)
                && !is_function_type(inner)
                && matches!(inner.tag(), tag::STRUCT | tag::CLASS)
            {
                self.fill_pointers(fresh, &format!("{name}->{member_name}"), &place, inner, depth);
            }
        }
    }
}

fn size_of(ty: Metadata) -> u64 {
    if is_function_type(ty) {
        return 0;
    }
    // SAFETY: the node is a type.
    let bits = unsafe { LLVMDITypeGetSizeInBits(ty.0) };
    bits / 8
}
