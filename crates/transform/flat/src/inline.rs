//! Calls are replaced by copies of the callee, with variables of its own (`fathom_passes::copy_body`). A procedure that may
//! call itself is copied once, as a graph of its own, and calls of it stay calls; what such a procedure allocates are
//! families of objects, because there is one for each call. A call through a pointer tries the functions whose address is
//! taken and that take as many arguments; any other target is an error location, too. So every run of the program is a run of the
//! result or comes to an error location.
//!
//! Calls are in `inline_calls`, allocations in `allocations`.

use crate::constants::folded;
use crate::layout::Operation;
use crate::liveness::read_before_written;
use crate::lower::Form;
use crate::objects::Objects;
use crate::program::{Begin, ErrorKind, NotFlat};
use crate::raw::{Inlined, Raw, RawBlock, RawEnd, RawKind};
use crate::recursion::recursive_procedures;
use crate::threads::identity;
use fathom_base::{FxMap, FxSet, Loc};
use fathom_ir::{Block, BlockId, Callee, ProcId, Program, Statement, StatementKind, TerminatorKind, ThreadOperation};
use fathom_passes::{Inlining, Renaming, copy_body};
use fathom_term::{Op, Sort, Term, TermStore, VarId, VarSets};
use std::collections::BTreeSet;

/// Blocks that all copies have together.
const MOST_BLOCKS: usize = 20_000;

pub(crate) struct Inliner<'a> {
    pub program: &'a Program,
    pub store: &'a TermStore,
    sets: &'a VarSets,
    pub out: Inlined,
    /// For each procedure whether it may come to call itself.
    pub recursive: Vec<bool>,
    /// The name of the procedure apart that is being copied.
    pub within: Option<String>,
    /// Whether threads have a form, and the procedures of those that start inside of each other here.
    pub interleaved: bool,
    pub starting: Vec<ProcId>,
    copies: u32,
}

/// One copy of a procedure.
pub(crate) struct Copy {
    pub id: ProcId,
    pub renaming: Renaming,
    /// Variables that always hold the address of the one object that is allocated for them, which is told.
    pub fixed: FxMap<VarId, usize>,
    pub number: u32,
    after: After,
    /// Terms whose operations were noted.
    noted: FxSet<Term>,
    /// Objects that its statements make.
    pub made: Vec<usize>,
    /// Blocks that end in a return.
    pub returns: Vec<usize>,
}

/// Where a copy returns to.
#[derive(Copy, Clone)]
pub(crate) enum After {
    Block(usize),
    /// The end of the program.
    End,
    Caller,
}

/// Sizes that are not constants are at most as given; families of objects may be endless.
pub(crate) fn inline(program: &Program, sets: &VarSets, largest: u64, form: Form) -> Result<Inlined, NotFlat> {
    let (objects, addresses) = Objects::of(program, largest, form == Form::Endless)?;
    let interleaved = form == Form::Interleaved;
    let (notes, operations) = (BTreeSet::new(), Vec::new());
    let out = Inlined {
        blocks: Vec::new(),
        entry: 0,
        apart: Vec::new(),
        objects,
        addresses,
        locals: FxMap::default(),
        arbitrary: Vec::new(),
        notes,
        operations,
        forks: Vec::new(),
        names: Vec::new(),
    };
    let recursive = recursive_procedures(program);
    let mut inliner =
        Inliner { program, store: &program.terms, sets, out, recursive, within: None, interleaved, starting: Vec::new(), copies: 0 };
    let entry = program.procedure(program.entry);
    if entry.variadic.is_some() {
        return Err(NotFlat { what: "an entry with a variable number of arguments".to_string(), loc: entry.loc });
    }
    inliner.out.arbitrary = program.globals.iter().map(|global| global.id).chain(entry.params.iter().copied()).collect();
    if inliner.recursive[program.entry.0 as usize] {
        return Err(NotFlat { what: "an entry that is called again".to_string(), loc: entry.loc });
    }
    if interleaved {
        inliner.out.arbitrary.push(identity(program));
    }
    let (first, _) = inliner.copy(program.entry, After::End, &[])?;
    inliner.out.entry = first;
    if interleaved && let Some(apart) = inliner.out.apart.first() {
        let loc = program.procedure(apart.id).loc;
        return Err(NotFlat { what: "recursion in a program with threads".to_string(), loc });
    }
    let mut next = 0;
    while next < inliner.out.apart.len() {
        inliner.copy_apart(next)?;
        next += 1;
    }
    inliner.out.mark_families();
    Ok(inliner.out)
}

impl Inlining for Inliner<'_> {
    type Copy = Copy;
    type Failure = NotFlat;

    fn new_block(&mut self, copy: &Copy, number: usize, block: &Block) -> Result<usize, NotFlat> {
        let label = format!("{}{}", block.label, if copy.number == 0 { String::new() } else { format!("@{}", copy.number) });
        Ok(self.add_block(
            label,
            Some(Begin { copy: copy.number, procedure: copy.id, block: BlockId(number as u32) }),
            block.terminator.loc,
        ))
    }

    fn statement(&mut self, copy: &mut Copy, at: usize, statement: &Statement) -> Result<Option<usize>, NotFlat> {
        let (store, loc) = (self.store, statement.loc);
        let mut terms = Vec::new();
        statement.kind.for_each_term(&mut |term| terms.push(term));
        self.note_operations(copy, terms, loc);
        match &statement.kind {
            StatementKind::Call { targets, callee, args } => {
                let args: Vec<Term> = args.iter().map(|&arg| copy.renaming.term(store, arg)).collect();
                let targets = copy.renaming.vars(targets);
                return match callee {
                    Callee::Direct(callee) => self.call(at, *callee, &args, &targets, loc),
                    Callee::Indirect(pointer) => match store.as_var(*pointer).and_then(|var| self.program.procedure_addresses.get(&var)) {
                        Some(&callee) => self.call(at, callee, &args, &targets, loc),
                        None => self.call_through(at, copy.renaming.term(store, *pointer), &args, &targets, loc),
                    },
                };
            }
            StatementKind::Alloc { .. } => return self.allocate(copy, at, statement),
            StatementKind::EndScope { variable } if let Some(&object) = copy.fixed.get(variable) => {
                self.out.blocks[at].statements.push(Raw { kind: RawKind::End { object }, loc });
            }
            StatementKind::Assign(pairs) => {
                let kept: Vec<(VarId, Term)> = pairs.iter().copied().filter(|(var, _)| !copy.fixed.contains_key(var)).collect();
                if !kept.is_empty() {
                    self.push(at, copy.renaming.statement(store, &StatementKind::Assign(kept)), loc);
                }
            }
            StatementKind::Thread(operation) if self.interleaved => return self.thread(copy, at, operation, loc),
            StatementKind::Thread(
                ThreadOperation::AtomicBegin(_) | ThreadOperation::Fence(_) | ThreadOperation::AtomicEnd | ThreadOperation::Lock { .. },
            ) => {
                self.push(at, StatementKind::Assign(Vec::new()), loc);
            }
            StatementKind::Thread(_) => self.push(at, StatementKind::Unsupported("threads".to_string()), loc),
            other => self.push(at, copy.renaming.statement(store, other), loc),
        }
        Ok(Some(at))
    }

    fn end(&mut self, copy: &mut Copy, at: usize, first: usize, block: &Block) -> Result<(), NotFlat> {
        let mut terms = Vec::new();
        block.terminator.kind.for_each_term(&mut |term| terms.push(term));
        self.note_operations(copy, terms, block.terminator.loc);
        self.out.blocks[at].end = self.raw_end(copy, first, block);
        if let TerminatorKind::Return = block.terminator.kind {
            copy.returns.push(at);
        }
        Ok(())
    }
}

impl Inliner<'_> {
    /// Copies a procedure; tells its first block and the names of its variables in this copy. The arguments may make some of it superfluous.
    pub fn copy(&mut self, id: ProcId, after: After, args: &[Term]) -> Result<(usize, Renaming), NotFlat> {
        let program = self.program;
        let procedure = program.procedure(id);
        let Some(body) = &procedure.body else {
            return Err(NotFlat { what: format!("the procedure {}, which has no body", procedure.name), loc: procedure.loc });
        };
        let simpler = self.interleaved.then(|| folded(program, self.sets, procedure, body, args));
        let body = simpler.as_ref().unwrap_or(body);
        let number = self.copies;
        self.copies += 1;
        let names: FxMap<VarId, VarId> = procedure.locals.iter().map(|local| (local.id, self.name(local.id, number))).collect();
        self.out.locals.extend(names.iter().map(|(&var, &name)| (name, (number, var))));
        if self.out.blocks.len() + body.blocks.len() > MOST_BLOCKS {
            return Err(NotFlat {
                what: format!("a program of more than {MOST_BLOCKS} blocks once its calls are inlined"),
                loc: procedure.loc,
            });
        }
        let fixed = self.place_fixed(procedure, number)?;
        let placed = fixed.iter().map(|(&var, &object)| (var, self.out.objects.address(self.store, object)));
        let values = self.out.addresses.iter().map(|(&var, &term)| (var, term)).chain(placed);
        let renaming = Renaming::new(self.store, names, values);
        let mut copy = Copy { id, renaming, fixed, number, after, noted: FxSet::default(), made: Vec::new(), returns: Vec::new() };
        let entry = copy_body(self, &mut copy, body)?;
        Ok((self.prepare_locals(&copy, entry), copy.renaming))
    }

    /// Where a copy starts: what an earlier call of it left in variables and on the stack is gone.
    fn prepare_locals(&mut self, copy: &Copy, entry: usize) -> usize {
        let program = self.program;
        let procedure = program.procedure(copy.id);
        let unset = read_before_written(self.store, self.sets, procedure);
        let unset: Vec<VarId> = unset.into_iter().filter(|var| !copy.fixed.contains_key(var)).map(|var| copy.renaming.var(var)).collect();
        let stack: BTreeSet<usize> = copy.made.iter().copied().filter(|&object| self.out.objects.all[object].is_on_stack()).collect();
        if unset.is_empty() && stack.is_empty() {
            return entry;
        }
        let before = self.add_block(format!("{}.locals", procedure.name), None, procedure.loc);
        for object in stack {
            self.begin_on_stack(object, before, &copy.returns, procedure.loc);
        }
        self.push(before, StatementKind::Havoc { vars: unset, input: None }, procedure.loc);
        self.out.blocks[before].end = RawEnd::Goto(vec![entry]);
        before
    }

    fn name(&self, var: VarId, number: u32) -> VarId {
        if number == 0 {
            return var;
        }
        let name = format!("{}@{number}", self.store.var_name(var));
        self.store.as_var(self.store.var(&name, self.store.var_sort(var))).unwrap_or(var)
    }

    /// Adds an empty block; its number.
    pub fn add_block(&mut self, label: String, origin: Option<Begin>, loc: Loc) -> usize {
        self.out.blocks.push(RawBlock { label, origin, statements: Vec::new(), end: RawEnd::End, loc });
        self.out.blocks.len() - 1
    }

    /// Adds a statement to a block.
    pub fn push(&mut self, block: usize, kind: StatementKind, loc: Loc) {
        self.out.blocks[block].statements.push(Raw { kind: RawKind::Plain(kind), loc });
    }

    /// Keeps the operations of these terms that may get addresses. Looked at before addresses become numbers, which fold.
    fn note_operations(&mut self, copy: &mut Copy, mut open: Vec<Term>, loc: Loc) {
        let store = self.store;
        // A narrow value may be some bytes of an address.
        let may_be_address = |arg: Term| matches!(store.sort(arg), Sort::Bv(_)) && store.const_bits(arg).is_none();
        while let Some(term) = open.pop() {
            let args = store.args(term);
            if !copy.noted.insert(term) || args.is_empty() {
                continue;
            }
            open.extend(args.iter().copied());
            let op = store.op(term);
            if op == Op::Ite || !args.iter().any(|&arg| may_be_address(arg)) {
                continue;
            }
            let negated = (op == Op::BvAdd).then(|| args.iter().position(|&arg| store.op(arg) == Op::BvNeg)).flatten();
            let mut args = args.to_vec();
            if let Some(at) = negated {
                let last = args.len() - 1;
                args.swap(at, last);
            }
            let minus = negated.and_then(|_| args.last()).map(|&arg| copy.renaming.term(store, store.arg(arg, 0)));
            let args = args.into_iter().map(|arg| copy.renaming.term(store, arg)).collect();
            self.out.operations.push(Operation { op, args, minus, loc });
        }
    }

    fn raw_end(&self, copy: &mut Copy, first: usize, block: &Block) -> RawEnd {
        let to = |target: &BlockId| first + target.0 as usize;
        let store = self.store;
        match &block.terminator.kind {
            TerminatorKind::Goto(targets) => RawEnd::Goto(targets.iter().map(to).collect()),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = copy.renaming.term(store, *condition);
                match then == otherwise {
                    true => RawEnd::Goto(vec![to(then)]),
                    false => RawEnd::Guarded(vec![(condition, to(then)), (store.not(condition), to(otherwise))]),
                }
            }
            TerminatorKind::Switch(switch) => {
                let value = copy.renaming.term(store, switch.value);
                let mut guards: Vec<(Term, usize)> = Vec::new();
                let mut unmatched = store.bool(true);
                let mut add = |guard: Term, target: usize| match guards.iter_mut().find(|(_, known)| *known == target) {
                    Some((all, _)) => *all = store.or(*all, guard),
                    None => guards.push((guard, target)),
                };
                for (constant, target) in &switch.cases {
                    // The first match wins, and the constants of a switch differ.
                    let matches = store.eq(value, *constant);
                    add(store.and(unmatched, matches), to(target));
                    unmatched = store.and(unmatched, store.not(matches));
                }
                add(unmatched, to(&switch.default));
                RawEnd::Guarded(guards)
            }
            TerminatorKind::Return => match copy.after {
                After::Block(after) => RawEnd::Goto(vec![after]),
                After::End => RawEnd::End,
                After::Caller => RawEnd::Return,
            },
            TerminatorKind::Stop(_) => RawEnd::End,
            TerminatorKind::Unsupported(what) => {
                RawEnd::Bad(ErrorKind::Unsupported(format!("{what} in {}", self.program.procedure(copy.id).name)))
            }
        }
    }
}
