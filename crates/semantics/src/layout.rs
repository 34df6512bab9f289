//! The memory before the first statement: every global object and procedure gets its address and first contents.

use crate::address::{AddressBook, Origin};
use crate::code::Addresses;
use crate::contents::{Base, Contents};
use crate::memory::{Object, ObjectKind};
use crate::value::{ObjectKey, Val};
use fathom_base::FxMap;
use fathom_ir::{self as ir, Program};
use fathom_term::Sort;

/// Gives every global object and procedure its address and first contents.
pub(crate) fn lay_out(program: &Program, book: &mut AddressBook) -> (Addresses, Vec<(ObjectKey, Object)>) {
    let mut addresses = Addresses { values: FxMap::default(), procs: FxMap::default() };
    let mut objects = Vec::new();
    let store = program.terms.clone();
    let mut site = 0;
    let mut place = |book: &mut AddressBook, size: u64, align: u64| {
        site += 1;
        let origin = Origin { site: site - 1, occurrence: 0 };
        book.object(origin, size, align).expect("globals fit the address space")
    };
    for object in &program.objects {
        let key = place(book, object.size, object.align);
        if let Some(var) = store.as_var(object.address) {
            addresses.values.insert(var, Val::Pointer { object: key, offset: 0 });
        }
        let base = match object.init {
            ir::Initializer::External => Base::Uninitialised,
            _ => Base::Zero,
        };
        let contents = Contents::new(base);
        objects.push((key, Object { size: Val::Bits(object.size), kind: ObjectKind::Global, read_only: object.read_only, contents }));
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        let key = place(book, 1, 16);
        addresses.procs.insert(key, index as u32);
        if let Some(var) = procedure.address.and_then(|address| store.as_var(address)) {
            addresses.values.insert(var, Val::Pointer { object: key, offset: 0 });
        }
        let contents = Contents::new(Base::Zero);
        objects.push((key, Object { size: Val::Bits(1), kind: ObjectKind::Code, read_only: true, contents }));
    }
    let images = addresses.values.iter().map(|(&var, &value)| (var, value.to_term(&store, book, Sort::Bv(book.pointer_bits()))));
    let mut resolve = fathom_term::Substitution::new(images.collect::<Vec<_>>());
    for (object, (_, laid)) in program.objects.iter().zip(&mut objects) {
        if let ir::Initializer::Bytes { bytes, relocations } = &object.init {
            laid.contents.write_concrete(0, bytes);
            for relocation in relocations {
                let term = resolve.apply(&store, relocation.value);
                let value = Val::from_term(&store, book, term);
                let width = store.sort(relocation.value).width() as u64;
                crate::access::write_value(&store, book, &mut laid.contents, relocation.offset, width / 8, value);
            }
        }
    }
    (addresses, objects)
}
