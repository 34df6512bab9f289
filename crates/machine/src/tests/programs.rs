//! Small programs for the tests, and machines that run them: a builder for one procedure over byte variables, two
//! global objects of 16 bytes and whatever blocks a test adds.

use crate::exec::config::MachineConfig;
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::replay::recorder::Recorder;
use crate::replay::trace::Trace;
use fathom_base::{Budget, FxMap, Loc};
use fathom_ir::{
    Block, BlockId, Body, DataLayout, Initializer, MemoryObject, ObjectId, ProcId, Procedure, Program, Property, Statement, StatementKind,
    Terminator, TerminatorKind, Variable,
};
use fathom_smt::{Brute, Oracle, OracleConfig};
use fathom_term::{Sort, Term, TermStore, VarId};
use std::collections::BTreeSet;
use std::rc::Rc;

pub const POINTER: Sort = Sort::Bv(32);
pub const OBJECT_SIZE: u64 = 16;

pub struct Builder {
    pub store: Rc<TermStore>,
    pub globals: Vec<Variable>,
    pub locals: Vec<Variable>,
    /// Addresses of the objects.
    pub objects: Vec<Term>,
    pub blocks: Vec<Block>,
}

impl Builder {
    pub fn new(objects: usize) -> Builder {
        let store = Rc::new(TermStore::new());
        let objects = (0..objects).map(|i| store.var(&format!("&g{i}"), POINTER)).collect();
        Builder { store, globals: Vec::new(), locals: Vec::new(), objects, blocks: Vec::new() }
    }

    fn variable(store: &TermStore, name: &str, sort: Sort) -> (Variable, Term) {
        let term = store.var(name, sort);
        let id = store.as_var(term).expect("a variable");
        (Variable { id, name: name.to_string(), sort }, term)
    }

    pub fn global(&mut self, name: &str, sort: Sort) -> Term {
        let (variable, term) = Self::variable(&self.store, name, sort);
        self.globals.push(variable);
        term
    }

    pub fn local(&mut self, name: &str, sort: Sort) -> Term {
        let (variable, term) = Self::variable(&self.store, name, sort);
        self.locals.push(variable);
        term
    }

    pub fn id(&self, term: Term) -> VarId {
        self.store.as_var(term).expect("a variable")
    }

    pub fn block(&mut self, statements: Vec<StatementKind>, end: TerminatorKind) -> BlockId {
        let statements = statements.into_iter().map(|kind| Statement { kind, loc: Loc::UNKNOWN }).collect();
        let terminator = Terminator { kind: end, loc: Loc::UNKNOWN };
        self.blocks.push(Block { label: format!("b{}", self.blocks.len()), statements, terminator });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub fn finish(self) -> Rc<Program> {
        let ids = self.objects.iter().map(|&term| self.store.as_var(term).expect("a variable"));
        let object_addresses: FxMap<VarId, ObjectId> = ids.zip((0..).map(ObjectId)).collect();
        let object = |(i, &address): (usize, &Term)| MemoryObject {
            name: format!("g{i}"),
            size: OBJECT_SIZE,
            align: 4,
            init: if i % 2 == 0 {
                Initializer::Zero
            } else {
                Initializer::Bytes { bytes: (0..OBJECT_SIZE as u8).collect(), relocations: Vec::new() }
            },
            read_only: false,
            mergeable: false,
            thread_local: false,
            address,
            loc: Loc::UNKNOWN,
        };
        let main = Procedure {
            name: "main".to_string(),
            params: Vec::new(),
            results: Vec::new(),
            variadic: None,
            locals: self.locals,
            body: Some(Body { entry: BlockId(0), blocks: self.blocks }),
            loc: Loc::UNKNOWN,
            address: None,
            align: 1,
        };
        Rc::new(Program {
            objects: self.objects.iter().enumerate().map(object).collect(),
            terms: self.store,
            files: Default::default(),
            layout: DataLayout { pointer_bits: 32 },
            globals: self.globals,
            procedures: vec![main],
            object_addresses,
            procedure_addresses: FxMap::default(),
            axioms: Vec::new(),
            entry: ProcId(0),
            assumptions: Vec::new(),
            debug: Default::default(),
            memory_model: Default::default(),
            names_variables: false,
        })
    }
}

pub fn assign(builder: &Builder, target: Term, value: Term) -> StatementKind {
    StatementKind::Assign(vec![(builder.id(target), value)])
}

pub fn assertion(condition: Term, message: &str) -> StatementKind {
    StatementKind::Assert { condition, property: Property::Assertion, message: message.to_string() }
}

pub fn havoc(builder: &Builder, target: Term) -> StatementKind {
    StatementKind::Havoc { vars: vec![builder.id(target)], input: None }
}

pub fn symbolic(program: &Rc<Program>, checks: &[Property]) -> Machine {
    let store = program.terms.clone();
    let oracle = Oracle::new(store.clone(), Box::new(Brute::new(store, 22)), OracleConfig::default());
    let checks: BTreeSet<Property> = checks.iter().copied().collect();
    // Models are counted, so addresses stay what they are in the example.
    let config = MachineConfig { layouts: crate::Layouts::Given, ..MachineConfig::default() };
    Machine::new(program.clone(), checks, Mode::Symbolic(Box::new(oracle)), Budget::unlimited(), config)
}

pub fn concrete(program: &Rc<Program>, checks: &[Property], trace: &Trace) -> Machine {
    let mode = Mode::Replay {
        symbols: trace.symbols.clone(),
        values: trace.function_values(),
        choices: trace.choices.clone().into_iter(),
        schedule: trace.schedule.iter().copied().collect(),
        layout: trace.layout.clone(),
        recorder: Recorder::default(),
        chosen: None,
    };
    Machine::new(program.clone(), checks.iter().copied().collect(), mode, Budget::unlimited(), MachineConfig::default())
}

pub fn start(machine: &mut Machine) -> State {
    machine.initial_state().unwrap_or_else(|end| panic!("no initial state: {end:?}"))
}
