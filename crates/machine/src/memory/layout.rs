//! The initial memory: every global object and procedure gets its address and initial contents.

use crate::exec::code::Addresses;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::{AddressBook, Origin};
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use fathom_base::FxMap;
use fathom_ir::{self as ir, Program};
use fathom_term::Sort;

/// Addresses, and the objects in the order of the program's objects and procedures.
pub(crate) struct Layout {
    pub addresses: Addresses,
    pub objects: Vec<(ObjectKey, Object)>,
    /// Whether everything found room. If not, the program can't be run at all.
    pub fits: bool,
}

pub(crate) fn lay_out(program: &Program, book: &mut AddressBook) -> Layout {
    let mut addresses = Addresses { values: FxMap::default(), procs: FxMap::default() };
    let mut objects = Vec::new();
    let mut fits = true;
    let store = program.terms.clone();
    let mut site = 0;
    let mut place = |book: &mut AddressBook, size: u64, align: u64| {
        site += 1;
        let origin = Origin { site: site - 1, occurrence: 0 };
        book.object(origin, Some(size), align)
    };
    for object in &program.objects {
        let Ok(key) = place(book, object.size, object.align) else {
            fits = false;
            break;
        };
        // What another file defines may be larger than its declaration says.
        if !matches!(object.init, ir::Initializer::External) {
            book.add_variable(key);
        }
        if object.mergeable {
            book.add_literal(key, object);
        }
        let base = match object.init {
            ir::Initializer::External => Base::Uninitialised,
            _ => Base::Zero,
        };
        let contents = Contents::new(base);
        objects.push((
            key,
            Object { size: Val::Bits(object.size), kind: ObjectKind::Global, read_only: object.read_only, contents, chain: None },
        ));
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        let Ok(key) = place(book, 1, procedure.align) else {
            fits = false;
            break;
        };
        addresses.procs.insert(key, index as u32);
        if let Some(var) = procedure.address.and_then(|address| store.as_var(address)) {
            addresses.values.insert(var, Val::Pointer { object: key, offset: 0 });
        }
        let contents = Contents::new(Base::Zero);
        objects.push((key, Object { size: Val::Bits(1), kind: ObjectKind::Code, read_only: true, contents, chain: None }));
    }
    // An object may have several names.
    let names = program.objects.iter().enumerate().filter_map(|(index, o)| Some((store.as_var(o.address)?, index)));
    let aliases = program.object_addresses.iter().map(|(&var, id)| (var, id.0 as usize));
    for (var, index) in names.chain(aliases) {
        if let Some((key, _)) = objects.get(index) {
            addresses.values.insert(var, Val::Pointer { object: *key, offset: 0 });
        }
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
                crate::memory::access::write_value(&store, book, &mut laid.contents, relocation.offset, width / 8, value);
            }
        }
    }
    Layout { addresses, objects, fits }
}
