//! Calls are replaced by copies of the callee, with variables of its own. A procedure that may call itself is copied once, as
//! a graph of its own, and calls of it stay calls; what such a procedure allocates are families of objects, because
//! there is one for each call. A call through a pointer tries the functions whose address is taken
//! and that take as many arguments; any other target is such a place too. So every run of the program is a run of the
//! result or comes to one of those places.

use crate::liveness::read_before_written;
use crate::layout::Operation;
use crate::objects::{ObjectKind, Objects, Size};
use crate::program::{NotFlat, PlaceKind};
use crate::recursion::recursive_procedures;
use fathom_base::{FxMap, FxSet, Loc};
use fathom_ir::{AllocKind, Assumption, Block, BlockId, Callee, ProcId, Procedure, Program, StatementKind, TerminatorKind};
use fathom_smt::VarSets;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, VarId};
use std::collections::BTreeSet;

/// Blocks that all copies have together.
const MOST_BLOCKS: usize = 20_000;

/// A statement without calls.
pub(crate) enum RawKind {
    Plain(StatementKind),
    /// The object comes into being; its address is a constant that goes to the variable, if that is not fixed anyway.
    Alloc { object: usize, target: Option<VarId>, size: Term, zeroed: bool },
    /// Its life is over, so that the statement that made it may make it again.
    End { object: usize },
    /// Keeps in the variable how many objects of the stack a family has, and goes back to so many.
    Save { object: usize, var: VarId },
    Restore { object: usize, var: VarId },
}

pub(crate) struct Raw {
    pub kind: RawKind,
    pub loc: Loc,
}

pub(crate) enum RawEnd {
    /// One of these, chosen by an input if there are several.
    Goto(Vec<usize>),
    /// Conditions exclude each other, and one of them holds.
    Guarded(Vec<(Term, usize)>),
    End,
    Bad(PlaceKind),
    /// One of the procedures that are not inlined is called; the block has nothing else.
    Call { procedure: usize, args: Vec<Term>, targets: Vec<VarId>, after: usize },
    /// Back to the caller of such a procedure.
    Return,
}

/// A procedure that is not inlined.
pub(crate) struct Apart {
    pub id: ProcId,
    pub entry: usize,
    pub params: Vec<VarId>,
    pub results: Vec<VarId>,
}

pub(crate) struct RawBlock {
    pub label: String,
    pub origin: Option<(ProcId, BlockId)>,
    pub statements: Vec<Raw>,
    pub end: RawEnd,
    pub loc: Loc,
}

pub(crate) struct Inlined {
    pub blocks: Vec<RawBlock>,
    pub entry: usize,
    pub apart: Vec<Apart>,
    pub objects: Objects,
    /// Values of the program's symbols for addresses.
    pub addresses: FxMap<VarId, Term>,
    /// Variables that are arbitrary when the program starts.
    pub arbitrary: Vec<VarId>,
    pub notes: BTreeSet<Assumption>,
    /// What the program computes with values as wide as addresses.
    pub operations: Vec<Operation>,
}

pub(crate) struct Inliner<'a> {
    program: &'a Program,
    pub store: &'a TermStore,
    sets: &'a VarSets,
    pub out: Inlined,
    recursive: BTreeSet<ProcId>,
    /// The name of the procedure apart that is being copied.
    within: Option<String>,
    copies: u32,
}

/// One copy of a procedure.
struct Copy<'a> {
    procedure: &'a Procedure,
    id: ProcId,
    names: FxMap<VarId, VarId>,
    images: Substitution,
    /// Variables that always hold the address of the one object that is allocated for them.
    fixed: FxMap<VarId, Option<usize>>,
    number: u32,
    after: After,
    /// Terms whose operations were noted.
    noted: FxSet<Term>,
    /// Objects that its statements make.
    made: Vec<usize>,
    /// Blocks that end in a return.
    returns: Vec<usize>,
}

/// Where a copy returns to.
#[derive(Copy, Clone)]
enum After {
    Block(usize),
    /// The end of the program.
    End,
    Caller,
}

/// Sizes that are not constants are at most as given.
pub(crate) fn inline(program: &Program, sets: &VarSets, largest: u64) -> Result<Inlined, NotFlat> {
    let (objects, addresses) = Objects::of(program, largest)?;
    let (notes, operations) = (BTreeSet::new(), Vec::new());
    let out = Inlined { blocks: Vec::new(), entry: 0, apart: Vec::new(), objects, addresses, arbitrary: Vec::new(), notes, operations };
    let mut inliner = Inliner { program, store: &program.terms, sets, out, recursive: recursive_procedures(program), within: None, copies: 0 };
    let entry = program.procedure(program.entry);
    if entry.variadic.is_some() {
        return Err(NotFlat { what: "an entry with a variable number of arguments".to_string(), loc: entry.loc });
    }
    inliner.out.arbitrary = program.globals.iter().map(|global| global.id).chain(entry.params.iter().copied()).collect();
    if inliner.recursive.contains(&program.entry) {
        return Err(NotFlat { what: "an entry that is called again".to_string(), loc: entry.loc });
    }
    let (first, _) = inliner.copy(program.entry, After::End)?;
    inliner.out.entry = first;
    let mut next = 0;
    while next < inliner.out.apart.len() {
        inliner.copy_apart(next)?;
        next += 1;
    }
    mark_families(&mut inliner.out);
    Ok(inliner.out)
}

impl<'a> Inliner<'a> {
    /// Copies a procedure; tells its first block and the names of its variables in this copy.
    fn copy(&mut self, id: ProcId, after: After) -> Result<(usize, FxMap<VarId, VarId>), NotFlat> {
        let program = self.program;
        let procedure = program.procedure(id);
        let Some(body) = &procedure.body else {
            return Err(NotFlat { what: format!("the procedure {}, which has no body", procedure.name), loc: procedure.loc });
        };
        let number = self.copies;
        self.copies += 1;
        let names: FxMap<VarId, VarId> = procedure.locals.iter().map(|local| (local.id, self.name(local.id, number))).collect();
        let fixed = if self.within.is_some() { FxMap::default() } else { fixed_pointers(self.store, procedure) };
        let mut images: Vec<(VarId, Term)> = self.out.addresses.iter().map(|(&var, &term)| (var, term)).collect();
        images.extend(names.iter().filter(|(old, new)| old != new).map(|(&old, &new)| (old, self.store.var_term(new))));
        let mut copy = Copy { procedure, id, names, images: Substitution::new(images), fixed, number, after, noted: FxSet::default(), made: Vec::new(), returns: Vec::new() };
        let first = self.out.blocks.len();
        if first + body.blocks.len() > MOST_BLOCKS {
            return Err(NotFlat { what: format!("a program of more than {MOST_BLOCKS} blocks once its calls are inlined"), loc: procedure.loc });
        }
        for (at, block) in body.blocks.iter().enumerate() {
            let origin = Some((id, BlockId(at as u32)));
            let label = format!("{}{}", block.label, if number == 0 { String::new() } else { format!("@{number}") });
            self.new_block(label, origin, block.terminator.loc);
        }
        self.place_fixed(&mut copy)?;
        for (at, block) in body.blocks.iter().enumerate() {
            self.block(&mut copy, first, first + at, block)?;
        }
        let unset = read_before_written(self.store, self.sets, procedure);
        let unset: Vec<VarId> = unset.iter().filter(|var| !copy.fixed.contains_key(var)).map(|var| copy.names[var]).collect();
        let mut entry = first + body.entry.0 as usize;
        // What an earlier call of this copy left on the stack is gone.
        let stack: BTreeSet<usize> = copy.made.iter().copied().filter(|&object| self.out.objects.all[object].is_on_stack()).collect();
        if !unset.is_empty() || !stack.is_empty() {
            let before = self.new_block(format!("{}.locals", procedure.name), None, procedure.loc);
            for object in stack {
                self.begin_on_stack(object, before, &copy.returns, procedure.loc);
            }
            self.push(before, StatementKind::Havoc { vars: unset, input: None }, procedure.loc);
            self.out.blocks[before].end = RawEnd::Goto(vec![entry]);
            entry = before;
        }
        Ok((entry, copy.names))
    }

    /// A procedure starts or, where it returns, ends: what became of its objects on the stack.
    fn begin_on_stack(&mut self, object: usize, before: usize, returns: &[usize], loc: Loc) {
        if self.out.objects.all[object].stride.is_none() {
            self.out.blocks[before].statements.push(Raw { kind: RawKind::End { object }, loc });
            return;
        }
        let saved = self.store.var(&format!("saved!{object}"), Sort::Bv(self.out.objects.pointer_bits));
        let Some(var) = self.store.as_var(saved) else { return };
        self.out.blocks[before].statements.push(Raw { kind: RawKind::Save { object, var }, loc });
        for &block in returns {
            self.out.blocks[block].statements.push(Raw { kind: RawKind::Restore { object, var }, loc });
        }
    }

    /// A procedure that is not inlined, as a graph of its own.
    fn copy_apart(&mut self, number: usize) -> Result<(), NotFlat> {
        let id = self.out.apart[number].id;
        let procedure = self.program.procedure(id);
        self.within = Some(procedure.name.clone());
        let (entry, names) = self.copy(id, After::Caller)?;
        let named = |vars: &[VarId]| vars.iter().map(|var| names[var]).collect();
        self.out.apart[number] = Apart { id, entry, params: named(&procedure.params), results: named(&procedure.results) };
        Ok(())
    }

    /// The number of a procedure that is not inlined.
    fn apart(&mut self, id: ProcId) -> usize {
        if let Some(known) = self.out.apart.iter().position(|apart| apart.id == id) {
            return known;
        }
        self.out.apart.push(Apart { id, entry: 0, params: Vec::new(), results: Vec::new() });
        self.out.apart.len() - 1
    }

    /// A call that stays one, in a block of its own.
    fn call_apart(&mut self, from: usize, callee: ProcId, args: &[Term], targets: &[VarId], loc: Loc) -> Option<usize> {
        let program = self.program;
        let procedure = program.procedure(callee);
        let sorts = procedure.params.iter().map(|&param| self.store.var_sort(param));
        let fitted: Option<Vec<Term>> = sorts.enumerate().map(|(at, sort)| self.fitted(*args.get(at)?, sort)).collect();
        let results = targets.iter().zip(&procedure.results).all(|(&target, &result)| self.store.var_sort(target) == self.store.var_sort(result));
        let Some(args) = fitted.filter(|_| results && targets.len() <= procedure.results.len()) else {
            let what = format!("a call of {} with other arguments than it takes", procedure.name);
            return self.bad(from, PlaceKind::Unsupported(what), loc);
        };
        let label = self.out.blocks[from].label.clone();
        let (call, after) = (self.new_block(format!("{label}.{}", procedure.name), None, loc), self.new_block(format!("{label}.after"), None, loc));
        let number = self.apart(callee);
        self.out.blocks[from].end = RawEnd::Goto(vec![call]);
        self.out.blocks[call].end = RawEnd::Call { procedure: number, args, targets: targets.to_vec(), after };
        Some(after)
    }

    /// Pointers that always hold one address become that address. Known before any block is copied, because a block
    /// may come before the one that allocates.
    fn place_fixed(&mut self, copy: &mut Copy<'a>) -> Result<(), NotFlat> {
        let Some(body) = &copy.procedure.body else { return Ok(()) };
        let mut images = Vec::new();
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            let StatementKind::Alloc { target, size, align, kind, zeroed, name } = &statement.kind else { continue };
            if !copy.fixed.contains_key(target) {
                continue;
            }
            let size = self.size(copy, *size, name);
            let kind = ObjectKind::Allocated { kind: *kind, zeroed: *zeroed };
            let object = self.out.objects.add(name.clone(), size, *align, kind, statement.loc)?;
            self.out.objects.all[object].is_outermost = copy.number == 0;
            images.push((*target, self.out.objects.address(self.store, object)));
            copy.fixed.insert(*target, Some(object));
        }
        let kept: Vec<(VarId, Term)> = self.out.addresses.iter().map(|(&var, &term)| (var, term)).collect();
        let renamed = copy.names.iter().map(|(&old, &new)| (old, self.store.var_term(new)));
        let mut all: FxMap<VarId, Term> = kept.into_iter().chain(renamed).collect();
        all.extend(images);
        copy.images = Substitution::new(all);
        Ok(())
    }

    fn size(&self, copy: &Copy<'a>, size: Term, name: &str) -> Size {
        match self.store.const_bits(size) {
            Some(bytes) => Size::Constant(bytes),
            None => {
                let name = format!("size!{name}.{}.{}", copy.number, self.out.objects.all.len());
                let var = self.store.var(&name, Sort::Bv(self.out.objects.pointer_bits));
                self.store.as_var(var).map_or(Size::Constant(0), Size::Variable)
            }
        }
    }

    fn name(&self, var: VarId, number: u32) -> VarId {
        if number == 0 {
            return var;
        }
        let name = format!("{}@{number}", self.store.var_name(var));
        self.store.as_var(self.store.var(&name, self.store.var_sort(var))).unwrap_or(var)
    }

    fn new_block(&mut self, label: String, origin: Option<(ProcId, BlockId)>, loc: Loc) -> usize {
        self.out.blocks.push(RawBlock { label, origin, statements: Vec::new(), end: RawEnd::End, loc });
        self.out.blocks.len() - 1
    }

    pub fn push(&mut self, block: usize, kind: StatementKind, loc: Loc) {
        self.out.blocks[block].statements.push(Raw { kind: RawKind::Plain(kind), loc });
    }

    fn block(&mut self, copy: &mut Copy<'a>, first: usize, at: usize, block: &Block) -> Result<(), NotFlat> {
        let mut current = at;
        for statement in &block.statements {
            let loc = statement.loc;
            if !matches!(statement.kind, StatementKind::Watch(_)) {
                let mut terms = Vec::new();
                statement.kind.for_each_term(&mut |term| terms.push(term));
                self.note_operations(copy, terms, loc);
            }
            match &statement.kind {
                StatementKind::Watch(_) => {}
                StatementKind::Call { targets, callee, args } => {
                    let args: Vec<Term> = args.iter().map(|&arg| copy.images.apply(self.store, arg)).collect();
                    let targets: Vec<VarId> = targets.iter().map(|target| copy.names.get(target).copied().unwrap_or(*target)).collect();
                    let next = match callee {
                        Callee::Direct(callee) => self.call(current, *callee, &args, &targets, loc)?,
                        Callee::Indirect(pointer) => {
                            let known = self.store.as_var(*pointer).and_then(|var| self.program.procedure_addresses.get(&var));
                            match known {
                                Some(&callee) => self.call(current, callee, &args, &targets, loc)?,
                                None => {
                                    let pointer = copy.images.apply(self.store, *pointer);
                                    self.call_through(current, pointer, &args, &targets, loc)?
                                }
                            }
                        }
                    };
                    match next {
                        Some(next) => current = next,
                        None => return Ok(()),
                    }
                }
                StatementKind::Alloc { target, size, align, kind, zeroed, name } if let Some(within) = &self.within => {
                    let within = within.clone();
                    let size = copy.images.apply(self.store, *size);
                    let kind = ObjectKind::Allocated { kind: *kind, zeroed: *zeroed };
                    let bytes = self.store.const_bits(size).unwrap_or(0);
                    let Some(object) = self.out.objects.add_family(name.clone(), bytes, *align, kind, loc)? else {
                        let what = format!("an object of this size that the recursive procedure {within} allocates");
                        self.bad(current, PlaceKind::Unsupported(what), loc);
                        return Ok(());
                    };
                    let kind = RawKind::Alloc { object, target: Some(rename(copy, *target)), size, zeroed: *zeroed };
                    self.out.blocks[current].statements.push(Raw { kind, loc });
                    copy.made.push(object);
                }
                StatementKind::Alloc { target, size, align, kind, zeroed, name } => {
                    let object = match copy.fixed.get(target) {
                        Some(&Some(object)) => object,
                        _ => {
                            let size = self.size(copy, *size, name);
                            let kind = ObjectKind::Allocated { kind: *kind, zeroed: *zeroed };
                            self.out.objects.add(name.clone(), size, *align, kind, loc)?
                        }
                    };
                    let is_fixed = copy.fixed.contains_key(target);
                    let size = copy.images.apply(self.store, *size);
                    let target = (!is_fixed).then(|| copy.names.get(target).copied().unwrap_or(*target));
                    let kind = RawKind::Alloc { object, target, size, zeroed: *zeroed };
                    self.out.blocks[current].statements.push(Raw { kind, loc });
                    copy.made.push(object);
                }
                StatementKind::EndScope { variable } if copy.fixed.contains_key(variable) => {
                    if let Some(&Some(object)) = copy.fixed.get(variable) {
                        self.out.blocks[current].statements.push(Raw { kind: RawKind::End { object }, loc });
                    }
                }
                StatementKind::Assign(pairs) => {
                    let kept: Vec<(VarId, Term)> = pairs.iter().copied().filter(|(var, _)| !copy.fixed.contains_key(var)).collect();
                    let pairs: Vec<(VarId, Term)> =
                        kept.into_iter().map(|(var, term)| (rename(copy, var), copy.images.apply(self.store, term))).collect();
                    if !pairs.is_empty() {
                        self.push(current, StatementKind::Assign(pairs), loc);
                    }
                }
                other => {
                    let kind = self.renamed(copy, other);
                    self.push(current, kind, loc);
                }
            }
        }
        let mut terms = Vec::new();
        block.terminator.kind.for_each_term(&mut |term| terms.push(term));
        self.note_operations(copy, terms, block.terminator.loc);
        self.out.blocks[current].end = self.end(copy, first, block);
        if let TerminatorKind::Return = block.terminator.kind {
            copy.returns.push(current);
        }
        Ok(())
    }

    /// Keeps the operations of these terms that may get addresses. Looked at before addresses become numbers, which fold.
    fn note_operations(&mut self, copy: &mut Copy<'a>, mut open: Vec<Term>, loc: Loc) {
        let store = self.store;
        let wide = Sort::Bv(self.out.objects.pointer_bits);
        while let Some(term) = open.pop() {
            let args = store.args(term);
            if !copy.noted.insert(term) || args.is_empty() {
                continue;
            }
            open.extend(args.iter().copied());
            let op = store.op(term);
            if op == Op::Ite || !args.iter().any(|&arg| store.sort(arg) == wide && store.const_bits(arg).is_none()) {
                continue;
            }
            let negated = (op == Op::BvAdd).then(|| args.iter().position(|&arg| store.op(arg) == Op::BvNeg)).flatten();
            let mut args = args.to_vec();
            if let Some(at) = negated {
                let last = args.len() - 1;
                args.swap(at, last);
            }
            let minus = negated.and_then(|_| args.last()).map(|&arg| copy.images.apply(store, store.arg(arg, 0)));
            let args = args.into_iter().map(|arg| copy.images.apply(store, arg)).collect();
            self.out.operations.push(Operation { op, args, minus, loc });
        }
    }

    fn renamed(&self, copy: &mut Copy<'a>, kind: &StatementKind) -> StatementKind {
        use StatementKind as S;
        let store = self.store;
        let var = |copy: &Copy<'a>, var: VarId| copy.names.get(&var).copied().unwrap_or(var);
        match kind.clone() {
            S::Havoc { vars, input } => S::Havoc { vars: vars.into_iter().map(|v| var(copy, v)).collect(), input },
            S::Assume(condition) => S::Assume(copy.images.apply(store, condition)),
            S::Assert { condition, property, message } => {
                S::Assert { condition: copy.images.apply(store, condition), property, message }
            }
            S::Free { pointer, family } => S::Free { pointer: copy.images.apply(store, pointer), family },
            S::Forget { pointer } => S::Forget { pointer: copy.images.apply(store, pointer) },
            S::Use { pointer } => S::Use { pointer: copy.images.apply(store, pointer) },
            S::EndScope { variable } => S::EndScope { variable: var(copy, variable) },
            S::Load { target, pointer, volatile } => {
                S::Load { target: var(copy, target), pointer: copy.images.apply(store, pointer), volatile }
            }
            S::Store { pointer, value } => {
                S::Store { pointer: copy.images.apply(store, pointer), value: copy.images.apply(store, value) }
            }
            S::Copy { target, source, length } => {
                let [target, source, length] = [target, source, length].map(|term| copy.images.apply(store, term));
                S::Copy { target, source, length }
            }
            S::Set { pointer, fill, length } => {
                let fill = match fill {
                    fathom_ir::Fill::Byte(byte) => fathom_ir::Fill::Byte(copy.images.apply(store, byte)),
                    other => other,
                };
                S::Set { pointer: copy.images.apply(store, pointer), fill, length: copy.images.apply(store, length) }
            }
            S::ObjectSize { target, pointer } => {
                S::ObjectSize { target: var(copy, target), pointer: copy.images.apply(store, pointer) }
            }
            S::Thread(fathom_ir::ThreadOperation::AtomicBegin | fathom_ir::ThreadOperation::AtomicEnd) => S::Assign(Vec::new()),
            S::Thread(_) => S::Unsupported("threads".to_string()),
            other => other,
        }
    }

    /// Goes on behind the call, unless nothing comes back from it.
    fn call(&mut self, from: usize, callee: ProcId, args: &[Term], targets: &[VarId], loc: Loc) -> Result<Option<usize>, NotFlat> {
        let program = self.program;
        let procedure = program.procedure(callee);
        if procedure.body.is_none() {
            self.out.notes.insert(Assumption::FunctionWithoutBody { name: procedure.name.clone() });
            self.push(from, StatementKind::Havoc { vars: targets.to_vec(), input: None }, loc);
            return Ok(Some(from));
        }
        let name = &procedure.name;
        if procedure.variadic.is_some() && (self.within.is_some() || self.recursive.contains(&callee)) {
            return Ok(self.bad(from, PlaceKind::Unsupported(format!("a variable number of arguments of {name} in a recursive procedure")), loc));
        }
        if self.recursive.contains(&callee) {
            return Ok(self.call_apart(from, callee, args, targets, loc));
        }
        let after = self.new_block(format!("{}.after", self.out.blocks[from].label), None, loc);
        let (entry, names) = self.copy(callee, After::Block(after))?;
        let (mut pairs, mut missing) = (Vec::new(), Vec::new());
        for (index, param) in procedure.params.iter().enumerate() {
            let own = names[param];
            match args.get(index).map(|&arg| self.fitted(arg, self.store.var_sort(own))) {
                Some(Some(value)) => pairs.push((own, value)),
                Some(None) => return Ok(self.bad(from, PlaceKind::Unsupported(format!("an argument of another type than {name} takes")), loc)),
                None => missing.push(own),
            }
        }
        self.push(from, StatementKind::Assign(pairs), loc);
        self.push(from, StatementKind::Havoc { vars: missing, input: None }, loc);
        if let Some(variadic) = procedure.variadic {
            let surplus = &args[procedure.params.len().min(args.len())..];
            if !self.pass_surplus(from, name, names[&variadic], surplus, loc)? {
                return Ok(self.bad(from, PlaceKind::Unsupported(format!("a surplus argument of {name} of this type")), loc));
            }
        }
        self.out.blocks[from].end = RawEnd::Goto(vec![entry]);
        let (mut pairs, mut missing) = (Vec::new(), Vec::new());
        for (index, &target) in targets.iter().enumerate() {
            let result = procedure.results.get(index).map(|result| self.store.var_term(names[result]));
            match result.map(|result| self.fitted(result, self.store.var_sort(target))) {
                Some(Some(value)) => pairs.push((target, value)),
                Some(None) => return Ok(self.bad(after, PlaceKind::Unsupported(format!("a result of another type than {name} gives")), loc)),
                None => missing.push(target),
            }
        }
        self.push(after, StatementKind::Assign(pairs), loc);
        self.push(after, StatementKind::Havoc { vars: missing, input: None }, loc);
        Ok(Some(after))
    }

    fn call_through(&mut self, from: usize, pointer: Term, args: &[Term], targets: &[VarId], loc: Loc) -> Result<Option<usize>, NotFlat> {
        let label = self.out.blocks[from].label.clone();
        let fits = |(number, procedure): (usize, &Procedure)| {
            let address = procedure.address.and_then(|term| self.out.addresses.get(&self.store.as_var(term)?).copied())?;
            let count = procedure.params.len();
            let takes = count == args.len() || procedure.variadic.is_some() && count < args.len();
            (procedure.body.is_some() && takes).then_some((ProcId(number as u32), address))
        };
        let candidates: Vec<(ProcId, Term)> = self.program.procedures.iter().enumerate().filter_map(fits).collect();
        let after = self.new_block(format!("{label}.after"), None, loc);
        let mut guards = Vec::new();
        let mut nobody = self.store.bool(true);
        for (callee, address) in candidates {
            let is_it = self.store.eq(pointer, address);
            if self.store.const_bool(is_it) == Some(false) {
                continue;
            }
            let side = self.new_block(format!("{label}.call{}", callee.0), None, loc);
            guards.push((self.store.and(nobody, is_it), side));
            nobody = self.store.and(nobody, self.store.not(is_it));
            if let Some(end) = self.call(side, callee, args, targets, loc)? {
                self.out.blocks[end].end = RawEnd::Goto(vec![after]);
            }
        }
        let elsewhere = self.new_block(format!("{label}.elsewhere"), None, loc);
        let what = "a call through a pointer that leads to none of the program's functions with these arguments";
        self.bad(elsewhere, PlaceKind::Unsupported(what.to_string()), loc);
        guards.push((nobody, elsewhere));
        self.out.blocks[from].end = RawEnd::Guarded(guards);
        Ok(Some(after))
    }

    fn bad(&mut self, block: usize, kind: PlaceKind, loc: Loc) -> Option<usize> {
        self.out.blocks[block].end = RawEnd::Bad(kind);
        self.out.blocks[block].loc = loc;
        None
    }

    /// The same bits where another width is expected.
    fn fitted(&self, value: Term, sort: Sort) -> Option<Term> {
        match (self.store.sort(value), sort) {
            (from, to) if from == to => Some(value),
            (Sort::Bv(_), Sort::Bv(width)) => Some(self.store.resize_unsigned(value, width)),
            _ => None,
        }
    }

    fn end(&self, copy: &mut Copy<'a>, first: usize, block: &Block) -> RawEnd {
        let to = |target: &BlockId| first + target.0 as usize;
        let store = self.store;
        match &block.terminator.kind {
            TerminatorKind::Goto(targets) => RawEnd::Goto(targets.iter().map(to).collect()),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = copy.images.apply(store, *condition);
                match then == otherwise {
                    true => RawEnd::Goto(vec![to(then)]),
                    false => RawEnd::Guarded(vec![(condition, to(then)), (store.not(condition), to(otherwise))]),
                }
            }
            TerminatorKind::Switch(switch) => {
                let value = copy.images.apply(store, switch.value);
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
            TerminatorKind::Unsupported(what) => RawEnd::Bad(PlaceKind::Unsupported(format!("{what} in {}", self.program.procedure(copy.id).name))),
        }
    }
}

/// Statements in loops allocate more than once.
fn mark_families(inlined: &mut Inlined) {
    let mut graph = petgraph::graph::DiGraph::<(), ()>::new();
    let nodes: Vec<_> = inlined.blocks.iter().map(|_| graph.add_node(())).collect();
    for (at, block) in inlined.blocks.iter().enumerate() {
        let targets: Vec<usize> = match &block.end {
            RawEnd::Goto(targets) => targets.clone(),
            RawEnd::Guarded(guards) => guards.iter().map(|(_, target)| *target).collect(),
            RawEnd::Call { after, .. } => vec![*after],
            RawEnd::End | RawEnd::Bad(_) | RawEnd::Return => Vec::new(),
        };
        targets.into_iter().for_each(|target| _ = graph.add_edge(nodes[at], nodes[target], ()));
    }
    for component in petgraph::algo::tarjan_scc(&graph) {
        let repeats = component.len() > 1 || component.iter().any(|&node| graph.contains_edge(node, node));
        for statement in component.iter().filter(|_| repeats).flat_map(|node| &inlined.blocks[node.index()].statements) {
            if let RawKind::Alloc { object, .. } = statement.kind {
                inlined.objects.make_family(object);
            }
        }
    }
}

fn rename(copy: &Copy<'_>, var: VarId) -> VarId {
    copy.names.get(&var).copied().unwrap_or(var)
}

/// Variables that get nothing but null and the address that one statement allocates: wherever they are used they hold
/// that address, for null is there only before and after the object's life.
fn fixed_pointers(store: &TermStore, procedure: &Procedure) -> FxMap<VarId, Option<usize>> {
    let mut fixed: FxMap<VarId, Option<usize>> = FxMap::default();
    let mut spoilt: BTreeSet<VarId> = procedure.params.iter().chain(&procedure.results).copied().collect();
    let statements = || procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
    for statement in statements() {
        match &statement.kind {
            // On the heap the statement may allocate again while the first object lives.
            StatementKind::Alloc { target, kind: AllocKind::Heap, .. } => _ = spoilt.insert(*target),
            StatementKind::Alloc { target, .. } => {
                if fixed.insert(*target, None).is_some() {
                    spoilt.insert(*target);
                }
            }
            StatementKind::EndScope { .. } => {}
            StatementKind::Assign(pairs) => {
                spoilt.extend(pairs.iter().filter(|(_, value)| store.const_bits(*value) != Some(0)).map(|(var, _)| *var));
            }
            other => spoilt.extend(other.targets()),
        }
    }
    let locals: BTreeSet<VarId> = procedure.locals.iter().map(|local| local.id).collect();
    fixed.retain(|var, _| !spoilt.contains(var) && locals.contains(var));
    fixed
}
