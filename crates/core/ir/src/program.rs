//! Programs, procedures, blocks, variables and the objects that exist before the first statement.

use crate::debug::DebugInfo;
use crate::order::MemoryModel;
use crate::statement::{AllocKind, Callee, Statement, StatementKind, Terminator, TerminatorKind, ThreadOperation};
use crate::{Assumption, Property};
use fathom_base::{FxMap, Loc, SourceFiles};
use fathom_term::{Sort, Term, TermStore, VarId};
use std::collections::BTreeSet;
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
    /// The width of pointers and of `size_t`: 32 or 64.
    pub pointer_bits: u32,
}

/// A whole program.
#[derive(Clone)]
pub struct Program {
    /// The store of every term in the program.
    pub terms: Rc<TermStore>,
    /// The source files that locations refer to.
    pub files: SourceFiles,
    /// Sizes that the target fixes.
    pub layout: DataLayout,
    /// Variables that every procedure sees (Boogie globals and constants; C globals are memory objects).
    pub globals: Vec<Variable>,
    /// Memory that exists before the first statement; an `ObjectId` is an index.
    pub objects: Vec<MemoryObject>,
    /// With and without bodies; a `ProcId` is an index.
    pub procedures: Vec<Procedure>,
    /// Address symbols: a variable term that stands for the address of an object or a procedure.
    pub object_addresses: FxMap<VarId, ObjectId>,
    /// The procedures that address symbols stand for.
    pub procedure_addresses: FxMap<VarId, ProcId>,
    /// Hold in every initial state (Boogie axioms, unique constants, where clauses of globals).
    pub axioms: Vec<Term>,
    /// Where execution starts.
    pub entry: ProcId,
    /// What the front end approximated or assumed, for the ledger.
    pub assumptions: Vec<Assumption>,
    /// Types of the source, for traces.
    pub debug: Rc<DebugInfo>,
    /// How stores of threads become visible to others.
    pub memory_model: MemoryModel,
    /// Debug information names the source's variables: a value that no `Watch` mentions is held by none of them.
    pub names_variables: bool,
}

/// A program variable: a term variable with a name for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The variable in terms.
    pub id: VarId,
    /// The name in the source, if it has one there.
    pub name: String,
    /// The sort of its values.
    pub sort: Sort,
}

/// Procedures of the C library's model that a program has if it may handle signals that the processor sends, or SIGABRT.
pub const FAULT_HANDLING: [&str; 2] = ["fathom_fault_unless", "fathom_run_abort_handler"];

impl Variable {
    /// Starts the names of constants that say which NaN arithmetic makes; where they are zero it is the processor's.
    pub const OPEN_NAN: &str = "NaN ";
}

/// A procedure: a function of C, or a procedure or implementation of Boogie.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name in the source.
    pub name: String,
    /// Locals that receive the arguments, in order.
    pub params: Vec<VarId>,
    /// Locals whose values are returned, in order.
    pub results: Vec<VarId>,
    /// A C function that takes more arguments than its parameters: this pointer variable receives the address of an
    /// object that holds the extra arguments one after the other, each in a slot of 8 bytes (4 where pointers have
    /// 32 bits), or as many slots as it needs (16-byte aligned above 8 bytes on 64-bit targets).
    pub variadic: Option<VarId>,
    /// Every variable of the procedure, parameters and results included. A local starts arbitrary.
    pub locals: Vec<Variable>,
    /// None: only declared. Calling it gives arbitrary results and a ledger entry.
    pub body: Option<Body>,
    /// Where it is defined or declared.
    pub loc: Loc,
    /// The variable term for its address, if that is ever taken.
    pub address: Option<Term>,
    /// What its address is a multiple of.
    pub align: u64,
}

/// The blocks of a procedure.
#[derive(Clone, Debug)]
pub struct Body {
    /// Where calls begin.
    pub entry: BlockId,
    /// A `BlockId` is an index.
    pub blocks: Vec<Block>,
}

/// A basic block: statements, then one terminator.
#[derive(Clone, Debug)]
pub struct Block {
    /// A name for people; need not be unique.
    pub label: String,
    /// Executed in order.
    pub statements: Vec<Statement>,
    /// How control leaves the block.
    pub terminator: Terminator,
}

/// A memory object that exists before the first statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryObject {
    /// The name in the source, for people.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// Its address is a multiple of this many bytes.
    pub align: u64,
    /// What it holds at the start.
    pub init: Initializer,
    /// Writing to it is an error (C const globals, string literals).
    pub read_only: bool,
    /// It has no name in the program (a literal): one of equal bytes, or with these at its end, may lie in the same place.
    pub mergeable: bool,
    /// Every thread has its own, which starts with these contents.
    pub thread_local: bool,
    /// The variable term that stands for its address.
    pub address: Term,
    /// Where it is declared.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initializer {
    /// Bytes (of the object's size) and the addresses that overlay them.
    Bytes {
        /// As many as the object has.
        bytes: Vec<u8>,
        /// Addresses among the bytes, which differ from run to run.
        relocations: Vec<Relocation>,
    },
    /// All zero, without spelling it out.
    Zero,
    /// Arbitrary contents: declared elsewhere.
    External,
}

/// At `offset` stands a value of pointer or other size that mentions addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Where the address lies in the object, in bytes.
    pub offset: u64,
    /// The address, over address symbols; of pointer width.
    pub value: Term,
}

impl Program {
    /// A program for 64 bits without anything in it, not even its entry.
    pub fn empty(terms: Rc<TermStore>) -> Program {
        Program {
            terms,
            files: SourceFiles::default(),
            layout: DataLayout { pointer_bits: 64 },
            globals: Vec::new(),
            objects: Vec::new(),
            procedures: Vec::new(),
            object_addresses: FxMap::default(),
            procedure_addresses: FxMap::default(),
            axioms: Vec::new(),
            entry: ProcId(0),
            assumptions: Vec::new(),
            debug: Default::default(),
            memory_model: MemoryModel::default(),
            names_variables: false,
        }
    }

    /// A copy of the program with these procedures in place of its own, in the same order.
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
            debug: self.debug.clone(),
            memory_model: self.memory_model,
            names_variables: self.names_variables,
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

    /// Whether the program may go on, in a handler of a signal, where an invalid access or a wrong free would end it.
    pub fn handles_faults(&self) -> bool {
        self.procedures.iter().any(|procedure| procedure.body.is_some() && FAULT_HANDLING.contains(&procedure.name.as_str()))
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

    /// Whether something in the program can violate this property at all. Statements that could not be translated may do
    /// anything.
    pub fn can_violate(&self, wanted: Property) -> bool {
        use StatementKind as S;
        if self.statements().any(|s| matches!(s.kind, S::Unsupported(_))) || self.has_unsupported_ends() {
            return true;
        }
        match wanted {
            Property::Termination => true,
            Property::NoDataRace => self.uses_threads(),
            Property::ValidMemtrack | Property::ValidMemcleanup => self.allocates_memory(),
            Property::Deadlock => {
                self.asserts(wanted) || self.statements().any(|s| matches!(s.kind, S::Thread(ThreadOperation::Join { .. })))
            }
            Property::ValidFree => self.statements().any(|s| matches!(s.kind, S::Free { .. } | S::ObjectSize { .. })),
            Property::Uninitialised => self.statements().any(|s| match &s.kind {
                S::Alloc { zeroed, .. } => !zeroed,
                S::Havoc { input: Some(input), .. } => input.uninitialised_variable().is_some(),
                _ => false,
            }),
            Property::StackOverflow => self.may_recur(),
            Property::Dangling => self.statements().any(|s| matches!(s.kind, S::Use { .. })),
            Property::ValidDeref | Property::Null => {
                let follows = |s: &Statement| match &s.kind {
                    S::Load { .. } | S::Store { .. } | S::Copy { .. } | S::Set { .. } | S::Forget { .. } => true,
                    S::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
                    S::Thread(_) => true,
                    _ => false,
                };
                self.asserts(wanted) || self.statements().any(follows)
            }
            _ => self.asserts(wanted),
        }
    }

    /// Whether a procedure may come to call itself; a call through a pointer may be one of any.
    fn may_recur(&self) -> bool {
        let called = |procedure: &Procedure| -> Vec<Option<ProcId>> {
            let blocks = procedure.body.iter().flat_map(|body| &body.blocks);
            let calls = blocks.flat_map(|block| &block.statements).filter_map(|statement| match &statement.kind {
                StatementKind::Call { callee: Callee::Direct(callee), .. } => Some(Some(*callee)),
                StatementKind::Call { callee: Callee::Indirect(_), .. } => Some(None),
                _ => None,
            });
            calls.collect()
        };
        let calls: Vec<Vec<Option<ProcId>>> = self.procedures.iter().map(called).collect();
        // A procedure ends if all procedures that it calls are known to end; repeated until nothing changes.
        let mut ends = vec![false; calls.len()];
        loop {
            let known_to_end = |callee: &Option<ProcId>| callee.is_some_and(|callee| ends[callee.0 as usize]);
            let new: Vec<usize> = (0..calls.len()).filter(|&at| !ends[at] && calls[at].iter().all(known_to_end)).collect();
            if new.is_empty() {
                return ends.contains(&false);
            }
            new.into_iter().for_each(|at| ends[at] = true);
        }
    }

    fn has_unsupported_ends(&self) -> bool {
        let bodies = self.procedures.iter().filter_map(|procedure| procedure.body.as_ref());
        bodies.flat_map(|body| &body.blocks).any(|block| matches!(block.terminator.kind, TerminatorKind::Unsupported(_)))
    }

    /// The properties of the machine at whose violations runs end, because others are decided for the runs without. (What is
    /// asserted is assumed in such a program.)
    pub fn ends_where_violated(&self) -> BTreeSet<Property> {
        let ended = |assumption: &Assumption| match assumption {
            Assumption::EndsWhereViolated { property } => property.parse().ok().filter(|property: &Property| !property.is_asserted()),
            _ => None,
        };
        self.assumptions.iter().filter_map(ended).collect()
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
