//! Arguments for an entry function of a library: numbers are arbitrary, pointers point to fresh objects, whose types
//! come from debug information. A structure is one object; its pointers point to further objects down to a small depth
//! and are null below that. A pointer to pointers points to a few of them, a `char *` to a string, any other pointer to
//! an array of a few elements. All contents are arbitrary inputs, named after the parameter. The objects are heap
//! objects, because libraries may free their arguments; a global variable holds all of them, so that those which are
//! not freed are no leaks. All these assumptions are in the ledger.

use super::Translator;
use super::callbacks::Callback;
use super::function::{FunctionTranslator, internal_choice};
use super::harness_c::HarnessInC;
use super::lengths::Before;
use super::types::{Leaves, Scalar};
use crate::llvm::{Type, Value};
use crate::metadata::Metadata;
use crate::runtime::ARGUMENT_STREAM;
use fathom_base::Loc;
use fathom_ir::{AllocKind, Assumption, Callee, Fill, Initializer, InputKind, MemoryObject, ObjectId, StatementKind, sources};
use fathom_term::{Sort, Term, VarId};
use llvm_sys::debuginfo::{LLVMDITypeGetOffsetInBits, LLVMDITypeGetSizeInBits, LLVMGetSubprogram, LLVMMetadataKind};

/// Pointers in objects that pointers in the objects of parameters lead to are followed; those behind them are null.
const DEPTH: u32 = 2;
/// A pointer may lead to one of so many objects that others lead to.
const MAX_ALIASES: usize = 2;
/// The name of the variable that holds all objects.
const ROOT: &str = "objects of the arguments";
/// Elements of an array that a pointer to a pointer leads to, before the null pointer at its end.
const POINTERS: u64 = 2;
/// At most this many objects are made.
const MAX_OBJECTS: u64 = 64;

/// What the C library calls the structure behind `FILE`.
const STREAM_TYPE: &str = "_IO_FILE";

/// At most this many pointers of a result are held.
const MAX_RESULTS: u64 = 8;

/// Operand positions in LLVM's debug nodes, and tags.
const SUBPROGRAM_TYPE: usize = 4;
pub(super) const TYPE_ARRAY: usize = 3;
pub(super) const BASE_TYPE: usize = 3;
pub(super) const ELEMENTS_OF_COMPOSITE: usize = 4;
pub(super) mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const BASE: u16 = 0x24;
    pub const ENUM: u16 = 0x04;
    pub const STRUCT: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const CLASS: u16 = 0x02;
    pub const UNION: u16 = 0x17;
    pub const INHERITANCE: u16 = 0x1c;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const REFERENCE: u16 = 0x10;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

impl Translator<'_> {
    pub(super) fn debug_operand(&self, node: Metadata, index: usize) -> Option<Metadata> {
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
    pub(super) fn plain_type(&self, ty: Option<Metadata>) -> Option<Metadata> {
        let mut ty = ty?;
        while !is_function_type(ty) && matches!(ty.tag(), tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC) {
            ty = self.debug_operand(ty, BASE_TYPE)?;
        }
        Some(ty)
    }

    /// What a pointer type points to; None if it is no pointer.
    pub(super) fn pointee(&self, ty: Option<Metadata>) -> Option<Option<Metadata>> {
        let ty = self.plain_type(ty)?;
        let is_pointer = !is_function_type(ty) && matches!(ty.tag(), tag::POINTER | tag::REFERENCE);
        is_pointer.then(|| self.plain_type(self.debug_operand(ty, BASE_TYPE)))
    }

    /// The variable that holds every object.
    fn root_object(&mut self) -> Term {
        if let Some(known) = self.objects.iter().find(|object| object.name == ROOT) {
            return known.address;
        }
        let address = self.terms.fresh("&objects of the arguments", self.pointer_sort());
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(MemoryObject {
            name: ROOT.to_string(),
            size: (MAX_OBJECTS + MAX_RESULTS) * self.pointer_bits as u64 / 8,
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

pub(super) fn is_function_type(ty: Metadata) -> bool {
    matches!(ty.kind(), LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind)
}

/// The objects made so far, and where the next one is noted.
struct Fresh {
    root: Term,
    count: u64,
    in_c: HarnessInC,
    /// The objects that pointers to a type may lead to.
    by_type: Vec<(Metadata, Address)>,
    /// Numbers that were taken for lengths.
    lengths: Vec<String>,
    /// Bytes that the parameter's type promises of the next object, as `static` in its brackets does.
    promised: u64,
}

/// An address, as a term and as an expression in the C of a native run.
#[derive(Clone)]
struct Address {
    term: Term,
    in_c: String,
}

impl FunctionTranslator<'_, '_> {
    /// Arguments for a function that is not main.
    pub fn entry_arguments(&mut self, entry: Value) -> Vec<Term> {
        let params = entry.params();
        let types = self.parameter_types(entry);
        let mut fresh = Fresh {
            root: self.root_object(),
            count: 0,
            in_c: HarnessInC::default(),
            by_type: Vec::new(),
            lengths: Vec::new(),
            promised: 0,
        };
        let mut described = types.into_iter();
        let mut args = Vec::new();
        let mut before = Before::default();
        for (index, param) in params.iter().enumerate() {
            let given = self.name_of(*param);
            let name = if given == "t" { format!("arg{index}") } else { given };
            // Structures that are returned or passed through memory have no pointer in the source.
            let bits = self.pointer_bits;
            if let Some(ty) = entry.parameter_type_attribute(index as u32, "sret") {
                let object = self.fresh_object(&mut fresh, &name, self.layout.alloc_size(ty), self.layout.align(ty));
                fresh.in_c.result(&object.in_c, bits);
                args.push(object.term);
                continue;
            }
            let ty = described.next().flatten();
            if let Some(ty) = entry.byval_type(index as u32) {
                let (size, align) = (self.layout.alloc_size(ty), self.layout.align(ty));
                let object = self.fresh_object(&mut fresh, &name, size, align);
                fresh.in_c.by_value(&object.in_c, size, align, bits);
                args.push(object.term);
            } else if param.ty().is_pointer() {
                let pointee = self.pointee(ty).flatten();
                let promised = entry.parameter_number_attribute(index as u32, "dereferenceable").unwrap_or(0);
                fresh.promised = promised;
                let object = self.object_of_type(&mut fresh, &name, pointee, 0);
                let choice = format!("{}{name}", sources::NULL);
                let is_promised = promised > 0 || entry.has_parameter_attribute(index as u32, "nonnull");
                let may_be_null = self.options.entry_null && !is_promised;
                fresh.in_c.pointer(&object.in_c, may_be_null.then_some(choice.as_str()));
                args.push(if may_be_null { self.perhaps_null(&name, object.term) } else { object.term });
                before = Before { elements: self.elements_behind(pointee), length: None };
            } else {
                let is_unsigned = entry.has_parameter_attribute(index as u32, "zeroext");
                fresh.in_c.number(&format!("{}{name}", sources::ARGUMENT), param.ty(), is_unsigned);
                let number = self.arbitrary_argument(&name, param.ty());
                if let [value] = number[..] {
                    self.limit_number(&mut before, &name, value, &mut fresh.lengths);
                }
                args.extend(number);
            }
        }
        if fresh.count > 0 {
            self.say_what_is_assumed(entry);
            self.say_of_lengths(entry.name(), &fresh.lengths);
        }
        self.program.native.entry_driver = match entry.name() == "main" {
            true if params.is_empty() => None,
            true => Some(Err("it depends on the arguments of an unusual main".into())),
            false => Some(fresh.in_c.finish(entry)),
        };
        args
    }

    /// The address of code that is not there, which the program may call.
    fn callback(&mut self, fresh: &mut Fresh, name: &str, ty: Metadata) -> Address {
        let Callback { term, in_c } = self.callback_of_type(name, ty).unwrap_or_else(|| self.callback_without_type(name));
        match in_c {
            Some(stand_in) => Address { term, in_c: fresh.in_c.function(&stand_in) },
            None => Address { term, in_c: fresh.in_c.missing_function(name) },
        }
    }

    /// Memory that the entry hands to its caller as its result is the caller's: what would hold it there holds it here, so that it is
    /// no leak. What it stores in objects of its arguments is held by these.
    pub fn hand_over(&mut self, ty: Type, results: &[VarId]) {
        let Ok(values) = self.values_of(results, ty) else { return };
        let pointers: Vec<Term> = match self.leaves_of(ty) {
            Ok(leaves) => leaves.iter().zip(values).filter(|(leaf, _)| leaf.scalar == Scalar::Pointer).map(|(_, value)| value).collect(),
            Err(_) => return,
        };
        if pointers.is_empty() {
            return;
        }
        let root = self.root_object();
        for (number, value) in pointers.into_iter().take(MAX_RESULTS as usize).enumerate() {
            let pointer = self.offset(root, (MAX_OBJECTS + number as u64) * self.pointer_bits as u64 / 8);
            self.emit(StatementKind::Store { pointer, value });
        }
    }

    fn say_what_is_assumed(&mut self, entry: Value) {
        let (may_be_null, may_alias, elements) = (self.options.entry_null, self.options.entry_alias, self.options.entry_elements);
        self.assume_for_ledger(Assumption::FreshArguments {
            function: entry.name(),
            may_be_null,
            may_alias,
            elements,
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
        let (var, is_null) = self.local_term(&format!("{name} is null"), Sort::Bool);
        let input = InputKind { source: format!("{}{name}", sources::NULL), ..internal_choice() };
        self.emit(StatementKind::Havoc { vars: vec![var], input: Some(input) });
        self.terms.ite(is_null, self.terms.bv(0, self.pointer_bits), object)
    }

    /// An object for a pointer to this type: one of its own, or one that another pointer to the type leads to.
    fn object_of_type(&mut self, fresh: &mut Fresh, name: &str, ty: Option<Metadata>, depth: u32) -> Address {
        let is_earlier = |(other, _): &&(Metadata, Address)| self.options.entry_alias && Some(*other) == ty;
        let earlier: Vec<Address> = fresh.by_type.iter().filter(is_earlier).map(|(_, address)| address.clone()).collect();
        let mut chosen = self.own_object_of_type(fresh, name, ty, depth);
        for other in earlier.into_iter().take(MAX_ALIASES) {
            let source = format!("{}{name}", sources::SAME);
            let (var, is_same) = self.local_term(&source, Sort::Bool);
            self.emit(StatementKind::Havoc { vars: vec![var], input: Some(InputKind { source: source.clone(), ..internal_choice() }) });
            let in_c = fresh.in_c.choice(&source, &other.in_c, &chosen.in_c);
            chosen = Address { term: self.terms.ite(is_same, other.term, chosen.term), in_c };
        }
        chosen
    }

    /// An object for a pointer to this type; null where there is to be none.
    fn own_object_of_type(&mut self, fresh: &mut Fresh, name: &str, ty: Option<Metadata>, depth: u32) -> Address {
        let promised = std::mem::take(&mut fresh.promised);
        if let Some(ty) = ty.filter(|ty| is_function_type(*ty)) {
            return self.callback(fresh, name, ty);
        }
        if fresh.count == MAX_OBJECTS {
            return self.null_address();
        }
        if let Some(stream) = self.argument_stream(fresh, name, ty) {
            return stream;
        }
        if let Some(pointee) = self.pointee(ty) {
            return self.array_of_pointers(fresh, name, pointee, depth);
        }
        let (size, align) = (ty.map_or(0, size_of), self.alignment_of(ty));
        let is_struct = ty.is_some_and(|ty| matches!(ty.tag(), tag::STRUCT | tag::CLASS));
        if !is_struct || size == 0 {
            let is_array = ty.is_some_and(|ty| ty.tag() == tag::ARRAY);
            let bytes = if is_array && size > 0 { size } else { size.max(1) * self.options.entry_elements };
            let object = self.fresh_object(fresh, name, bytes.max(promised), align);
            fresh.by_type.extend(ty.map(|ty| (ty, object.clone())));
            if ty.is_some_and(|ty| !is_function_type(ty) && ty.tag() == tag::BASE && ty.type_name() == "char") {
                self.end_text(fresh, &object);
            }
            return object;
        }
        let object = self.fresh_object(fresh, name, size, align);
        if let Some(ty) = ty {
            fresh.by_type.push((ty, object.clone()));
            self.fill_pointers(fresh, name, &object, ty, depth);
        }
        object
    }

    /// A pointer to a stream of the C library leads to one that is open: what is in it is the library's alone.
    fn argument_stream(&mut self, fresh: &mut Fresh, name: &str, ty: Option<Metadata>) -> Option<Address> {
        ty.filter(|ty| !is_function_type(*ty) && ty.tag() == tag::STRUCT && ty.type_name() == STREAM_TYPE)?;
        let callee = self.module.function(ARGUMENT_STREAM)?;
        let callee = Callee::Direct(self.procedure_of(callee));
        let source = format!("{}{name}", sources::INPUT_STREAM);
        let (var, is_input) = self.local_term(&source, Sort::Bool);
        self.emit(StatementKind::Havoc { vars: vec![var], input: Some(InputKind { source: source.clone(), ..internal_choice() }) });
        let (target, stream) = self.local_term(name, self.pointer_sort());
        let number = self.terms.ite(is_input, self.terms.bv(1, 32), self.terms.bv(0, 32));
        self.emit(StatementKind::Call { targets: vec![target], callee, args: vec![number] });
        self.assume_for_ledger(Assumption::ArgumentStreams);
        let in_c = fresh.in_c.choice(&source, "stdin", "stdout");
        Some(Address { term: stream, in_c })
    }

    /// How many elements of an array `own_object_of_type` makes; None for what is one object.
    fn elements_behind(&self, pointee: Option<Metadata>) -> Option<u64> {
        let is_struct = pointee.is_some_and(|ty| !is_function_type(ty) && matches!(ty.tag(), tag::STRUCT | tag::CLASS) && size_of(ty) > 0);
        let is_array = pointee.is_some_and(|ty| !is_function_type(ty) && ty.tag() == tag::ARRAY);
        match (self.pointee(pointee).is_some(), is_struct || is_array) {
            (true, _) => Some(POINTERS),
            (_, true) => None,
            _ => Some(self.options.entry_elements),
        }
    }

    fn null_address(&self) -> Address {
        Address { term: self.terms.bv(0, self.pointer_bits), in_c: "0".into() }
    }

    fn fresh_object(&mut self, fresh: &mut Fresh, name: &str, size: u64, align: u64) -> Address {
        let t = self.terms.clone();
        let (target, object) = self.local_term(name, self.pointer_sort());
        let label = format!("{}{name}", sources::OBJECT);
        let in_c = fresh.in_c.object(&label, size);
        let size = t.bv(size, self.pointer_bits);
        let input = InputKind { source: label.clone(), type_name: "char".to_string(), signed: false };
        self.emit(StatementKind::Alloc { target, size, align, kind: AllocKind::Heap, zeroed: false, name: label });
        self.emit(StatementKind::Set { pointer: object, fill: Fill::Arbitrary(input), length: size });
        let slot = self.offset(fresh.root, fresh.count * self.pointer_bits as u64 / 8);
        self.emit(StatementKind::Store { pointer: slot, value: object });
        fresh.count += 1;
        Address { term: object, in_c }
    }

    /// A pointer to a pointer leads to a few of these with objects of their own, and a null pointer behind them.
    fn array_of_pointers(&mut self, fresh: &mut Fresh, name: &str, pointee: Option<Metadata>, depth: u32) -> Address {
        let bytes = u64::from(self.pointer_bits / 8);
        let array = self.fresh_object(fresh, name, (POINTERS + 1) * bytes, bytes);
        for index in 0..=POINTERS {
            let value = match index < POINTERS && depth < DEPTH {
                true => self.object_of_type(fresh, &format!("{name}[{index}]"), pointee, depth + 1),
                false => self.null_address(),
            };
            let slot = self.offset(array.term, index * bytes);
            fresh.in_c.store_pointer(&array.in_c, index * bytes, &value.in_c);
            self.emit(StatementKind::Store { pointer: slot, value: value.term });
        }
        array
    }

    /// What a `char *` leads to is a text: it ends, at the object's last byte if not before.
    fn end_text(&mut self, fresh: &mut Fresh, object: &Address) {
        let last = self.offset(object.term, self.options.entry_elements - 1);
        let nul = self.terms.bv(0, 8);
        self.emit(StatementKind::Store { pointer: last, value: nul });
        fresh.in_c.end_text(&object.in_c, self.options.entry_elements - 1);
    }

    /// Pointers in a structure lead to objects of their own, or are null below the depth.
    fn fill_pointers(&mut self, fresh: &mut Fresh, name: &str, object: &Address, ty: Metadata, depth: u32) {
        let members = self.debug_operand(ty, ELEMENTS_OF_COMPOSITE).map(|node| node.operands(self.context.raw()));
        let mut before = Before::default();
        for member in members.unwrap_or_default().into_iter().flatten() {
            if is_function_type(member) || member.tag() != tag::MEMBER {
                continue;
            }
            // SAFETY: a member of a structure is a type node.
            let offset = unsafe { LLVMDITypeGetOffsetInBits(member.0) } / 8;
            let (member_type, member_name) = (self.debug_operand(member, BASE_TYPE), member.type_name());
            let address = Address { term: self.offset(object.term, offset), in_c: format!("({} + {offset})", object.in_c) };
            if let Some(pointee) = self.pointee(member_type) {
                let value = if depth < DEPTH {
                    self.object_of_type(fresh, &format!("{name}->{member_name}"), pointee, depth + 1)
                } else {
                    self.null_address()
                };
                fresh.in_c.store_pointer(&object.in_c, offset, &value.in_c);
                self.emit(StatementKind::Store { pointer: address.term, value: value.term });
                let elements = self.elements_behind(pointee).filter(|_| depth < DEPTH);
                before = Before { elements, length: None };
            } else if let Some(inner) = self.plain_type(member_type).filter(|inner| !is_function_type(*inner)) {
                let path = format!("{name}->{member_name}");
                match inner.tag() {
                    tag::STRUCT | tag::CLASS => self.fill_pointers(fresh, &path, &address, inner, depth),
                    // A bit-field has less than its type.
                    tag::BASE if size_of(member) == size_of(inner) => {
                        self.limit_member(&mut before, &path, address.term, size_of(inner), &mut fresh.lengths)
                    }
                    _ => {}
                }
            }
        }
    }
}

pub(super) fn size_of(ty: Metadata) -> u64 {
    if is_function_type(ty) {
        return 0;
    }
    // SAFETY: the node is a type.
    let bits = unsafe { LLVMDITypeGetSizeInBits(ty.0) };
    bits / 8
}
