//! Programs, procedures, blocks, variables and the objects that exist before the first statement.

use crate::statement::{AllocKind, Statement, StatementKind, Terminator, ThreadOperation};
use crate::{Assumption, Property};
use fathom_base::{FxMap, Loc, SourceFiles};
use fathom_term::{Sort, Term, TermStore, VarId};
use std::rc::Rc;

/// Index of a procedure in its program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcId(pub u32);
/// Index of a block in its procedure.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);
/// A memory object that exists for the whole run (a C global, a string literal).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// Sizes and byte order of the target. Fathom supports little-endian targets.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DataLayout {
    pub pointer_bits: u32,
}

/// A whole program.
#[derive(Clone)]
pub struct Program {
    pub terms: Rc<TermStore>,
    pub files: SourceFiles,
    pub layout: DataLayout,
    /// Variables that every procedure sees (Boogie globals and constants; C globals are memory objects).
    pub globals: Vec<Variable>,
    pub objects: Vec<MemoryObject>,
    pub procedures: Vec<Procedure>,
    /// Address symbols: a variable term that stands for the address of an object or a procedure.
    pub object_addresses: FxMap<VarId, ObjectId>,
    pub procedure_addresses: FxMap<VarId, ProcId>,
    /// Hold in every initial state (Boogie axioms, unique constants, where clauses of globals).
    pub axioms: Vec<Term>,
    /// Where execution starts.
    pub entry: ProcId,
    /// What the front end approximated or assumed, for the ledger.
    pub assumptions: Vec<Assumption>,
}

/// A program variable: a term variable with a name for people.
#[derive(Clone, Debug)]
pub struct Variable {
    pub id: VarId,
    /// The name in the source, if it has one there.
    pub name: String,
    pub sort: Sort,
}

impl Variable {
    /// Starts the names of constants that say which NaN arithmetic makes; where they are zero it is the processor's.
    pub const OPEN_NAN: &str = "NaN ";
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub params: Vec<VarId>,
    pub results: Vec<VarId>,
    /// A C function that takes more arguments than its parameters: this pointer variable receives the address of an
    /// object that holds the extra arguments one after the other, each in a slot of 8 bytes (4 where pointers have
    /// 32 bits), or as many slots as it needs (16-byte aligned above 8 bytes on 64-bit targets).
    pub variadic: Option<VarId>,
    /// Every variable of the procedure, parameters and results included. A local starts arbitrary.
    pub locals: Vec<Variable>,
    /// None: only declared. Calling it gives arbitrary results and a ledger entry.
    pub body: Option<Body>,
    pub loc: Loc,
    /// The variable term for its address, if that is ever taken.
    pub address: Option<Term>,
}

/// The blocks of a procedure.
#[derive(Clone, Debug)]
pub struct Body {
    pub entry: BlockId,
    pub blocks: Vec<Block>,
}

/// A basic block: statements, then one terminator.
#[derive(Clone, Debug)]
pub struct Block {
    pub label: String,
    pub statements: Vec<Statement>,
    pub terminator: Terminator,
}

/// A memory object that exists before the first statement.
#[derive(Clone, Debug)]
pub struct MemoryObject {
    pub name: String,
    pub size: u64,
    pub align: u64,
    pub init: Initializer,
    /// Writing to it is an error (C const globals, string literals).
    pub read_only: bool,
    /// It has no name in the program (a literal): one of equal bytes, or with these at its end, may lie in the same place.
    pub mergeable: bool,
    /// Every thread has its own, which starts with these contents.
    pub thread_local: bool,
    /// The variable term that stands for its address.
    pub address: Term,
    pub loc: Loc,
}

impl MemoryObject {
    /// Where in this object another one may lie, because its bytes are the end of this one's.
    pub fn shared_end(&self, other: &MemoryObject) -> Option<u64> {
        let (Some(all), Some(end)) = (self.literal_bytes(), other.literal_bytes()) else { return None };
        let offset = self.size.checked_sub(other.size)?;
        (all.ends_with(end) && offset.is_multiple_of(other.align.max(1))).then_some(offset)
    }

    fn literal_bytes(&self) -> Option<&[u8]> {
        match &self.init {
            Initializer::Bytes { bytes, relocations } if self.mergeable && relocations.is_empty() => Some(bytes),
            _ => None,
        }
    }
}

/// The contents of an object before the first statement.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// Bytes (of the object's size) and the addresses that overlay them.
    Bytes { bytes: Vec<u8>, relocations: Vec<Relocation> },
    /// All zero, without spelling it out.
    Zero,
    /// Arbitrary contents: declared elsewhere.
    External,
}

/// At `offset` stands a value of pointer or other size that mentions addresses.
#[derive(Clone, Debug)]
pub struct Relocation {
    pub offset: u64,
    pub value: Term,
}

impl Program {
    /// The same program with other bodies of its procedures, which stay in their order.
    pub fn with_procedures(&self, procedures: Vec<Procedure>) -> Program {
        Program {
            terms: self.terms.clone(),
            files: self.files.clone(),
            layout: self.layout,
            globals: self.globals.clone(),
            objects: self.objects.clone(),
            procedures,
            object_addresses: self.object_addresses.clone(),
            procedure_addresses: self.procedure_addresses.clone(),
            axioms: self.axioms.clone(),
            entry: self.entry,
            assumptions: self.assumptions.clone(),
        }
    }

    /// The procedure with this index.
    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// The object with this index.
    pub fn object(&self, id: ObjectId) -> &MemoryObject {
        &self.objects[id.0 as usize]
    }

    /// Whether the program may start threads: engines that can't follow those refuse it.
    pub fn uses_threads(&self) -> bool {
        self.statements().any(|s| matches!(s.kind, StatementKind::Thread(ThreadOperation::Start { .. })))
    }

    /// Whether there are objects on the heap.
    pub fn allocates_memory(&self) -> bool {
        self.statements().any(|s| matches!(s.kind, StatementKind::Alloc { kind: AllocKind::Heap, .. }))
    }

    /// Whether some reads give arbitrary values because what they read is volatile.
    pub fn reads_volatile(&self) -> bool {
        self.statements().any(|s| matches!(s.kind, StatementKind::Load { volatile: true, .. }))
    }

    fn statements(&self) -> impl Iterator<Item = &Statement> {
        let bodies = self.procedures.iter().filter_map(|procedure| procedure.body.as_ref());
        bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.statements)
    }

    /// Whether some assertion belongs to this property.
    pub fn asserts(&self, wanted: Property) -> bool {
        self.statements().any(|s| matches!(s.kind, StatementKind::Assert { property, .. } if property == wanted))
    }

    /// The procedure of this name, if there is one.
    pub fn find_procedure(&self, name: &str) -> Option<ProcId> {
        self.procedures.iter().position(|p| p.name == name).map(|i| ProcId(i as u32))
    }
}

impl Body {
    /// The block with this index.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }
}
