//! Threads in a flat program: the blocks that start one, and where each may be interrupted. What a thread of an interleaving does is
//! what one run of the flat program does from its start to its end, if other threads change the shared variables between
//! blocks that yield (see `Concurrent`). Waiting for a thread is passed over, so more runs are described than there are.
//!
//! What may be shared: globals, what they lead to, and what is handed to a new thread. An object that is shared must be the only one that
//! its statement makes: it is made before the first thread starts and not in a loop.

use crate::cells::Shape;
use crate::inline::{Copy, Inliner};
use crate::objects::{ObjectKind, Size};
use crate::points_to::PointsTo;
use crate::program::{Concurrent, ErrorKind, NotFlat};
use crate::raw::{Fork, Inlined, Raw, RawBlock, RawEnd, RawKind};
use fathom_base::{FxMap, Loc};
use fathom_ir::{AccessKind, AllocKind, Assumption, Program, StatementKind, ThreadOperation};
use fathom_term::{Sort, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// As many names of threads as the C library of ours has room for; what they are makes no difference otherwise.
const NAMES: u64 = 1024;
/// Size and alignment of the objects whose addresses are names of threads.
const NAME_SIZE: u64 = 64;

/// The variable that has the number of the thread.
pub(crate) fn identity(program: &Program) -> VarId {
    let term = program.terms.var("thread!number", Sort::Bv(program.layout.pointer_bits));
    program.terms.as_var(term).expect("a variable's term is a variable")
}

impl Inliner<'_> {
    /// What one thread does itself when it starts, joins or numbers others. Goes on in another block behind a start.
    pub fn thread(&mut self, copy: &mut Copy, at: usize, operation: &ThreadOperation, loc: Loc) -> Result<Option<usize>, NotFlat> {
        let store = self.store;
        let arbitrary = |target: &VarId| StatementKind::Havoc { vars: vec![copy.renaming.var(*target)], input: None };
        match operation {
            ThreadOperation::AtomicBegin(_) | ThreadOperation::Fence(_) | ThreadOperation::AtomicEnd => {
                self.push(at, StatementKind::Thread(operation.clone()), loc)
            }
            // What is done to a lock shows in its bytes.
            ThreadOperation::Lock { .. } => self.push(at, StatementKind::Assign(Vec::new()), loc),
            ThreadOperation::Join { target, .. } => self.push(at, arbitrary(target), loc),
            ThreadOperation::Number { target, .. } => self.number(at, copy.renaming.var(*target), loc),
            ThreadOperation::Current { target } => {
                let number = store.var_term(identity(self.program));
                self.push(at, StatementKind::Assign(vec![(copy.renaming.var(*target), number)]), loc);
            }
            ThreadOperation::Exit { .. } => {
                self.out.blocks[at].end = RawEnd::End;
                return Ok(None);
            }
            ThreadOperation::Local { .. } => return Ok(self.bad(at, ErrorKind::Unsupported("a thread-local object".to_string()), loc)),
            ThreadOperation::Start { target, function, argument } => {
                let argument = copy.renaming.term(store, *argument);
                let next = self.fork(at, copy.renaming.term(store, *function), argument, loc)?;
                let name = self.new_name(loc)?;
                self.push(next, StatementKind::Assign(vec![(copy.renaming.var(*target), name)]), loc);
                return Ok(Some(next));
            }
        }
        Ok(Some(at))
    }

    /// The number of some thread.
    pub fn number(&mut self, at: usize, target: VarId, loc: Loc) {
        let store = self.store;
        self.push(at, StatementKind::Havoc { vars: vec![target], input: None }, loc);
        let number = store.var_term(target);
        let width = store.sort(number).width();
        let is_name = store.and(store.bv_ule(store.bv(1, width), number), store.bv_ule(number, store.bv(NAMES, width)));
        self.push(at, StatementKind::Assume(is_name), loc);
    }

    /// The address of an object that stands for all threads that are started here: nobody looks into it, and nobody can tell
    /// whether two of its addresses are the same.
    fn new_name(&mut self, loc: Loc) -> Result<Term, NotFlat> {
        let kind = ObjectKind::Allocated { kind: AllocKind::Heap, zeroed: false };
        let object = self.out.objects.add("thread".to_string(), Size::Constant(NAME_SIZE), NAME_SIZE, kind, loc)?;
        self.out.names.push(object);
        Ok(self.out.objects.address(self.store, object))
    }

    /// A block that goes on as a new thread or in the block that is told.
    fn fork(&mut self, at: usize, function: Term, argument: Term, loc: Loc) -> Result<usize, NotFlat> {
        let is_it = |id: usize| {
            let address = self.program.procedures[id].address.and_then(|term| self.store.as_var(term));
            address.and_then(|var| self.out.addresses.get(&var)) == Some(&function)
        };
        let callee = (0..self.program.procedures.len()).find(|&id| is_it(id)).map(|id| fathom_ir::ProcId(id as u32));
        let callee = callee.ok_or_else(|| NotFlat { what: "a thread that may run one of several functions".to_string(), loc })?;
        if self.starting.contains(&callee) {
            return Err(NotFlat { what: "threads that start threads like themselves".to_string(), loc });
        }
        let label = self.out.blocks[at].label.clone();
        let mut block = |what: &str| self.add_block(format!("{label}.{what}"), None, loc);
        let (fork, made, child, next) = (block("start"), block("made"), block("thread"), block("started"));
        self.out.blocks[at].end = RawEnd::Goto(vec![fork]);
        self.out.blocks[fork].end = RawEnd::Goto(vec![made, next]);
        self.out.blocks[made].end = RawEnd::Goto(vec![child]);
        self.push(made, StatementKind::Havoc { vars: vec![identity(self.program)], input: None }, loc);
        self.starting.push(callee);
        if let Some(last) = self.call(child, callee, &[argument], &[], loc)? {
            self.out.blocks[last].end = RawEnd::End;
        }
        self.starting.pop();
        self.out.forks.push(Fork { block: fork, child, argument });
        Ok(next)
    }
}

/// Where threads may be interrupted, among the blocks before memory is variables.
pub(crate) struct Stops {
    pub yields: BTreeSet<usize>,
    shared: BTreeSet<usize>,
    unread: BTreeSet<usize>,
}

/// Cuts blocks where other threads may run.
pub(crate) fn stops(program: &Program, inlined: &mut Inlined, analysis: &mut PointsTo) -> Result<Stops, NotFlat> {
    let depths = depths(inlined)?;
    let concurrent = behind_forks(inlined);
    let shared = shared(inlined, analysis, &concurrent)?;
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    for &block in &concurrent {
        for statement in &inlined.blocks[block].statements {
            let RawKind::Plain(kind) = &statement.kind else { continue };
            kind.for_each_access(&mut |access| {
                let set = if is_write(access.kind) { &mut written } else { &mut read };
                set.extend(analysis.of(access.pointer).targets.into_keys());
            });
        }
    }
    let both = |object: &&usize| read.contains(object) && written.contains(object);
    let contended: BTreeSet<usize> = shared.iter().filter(both).copied().collect();
    let unread = shared.iter().filter(|object| written.contains(object) && !read.contains(object)).copied().collect();
    let mut cutter = Cutter {
        program,
        yields: inlined.forks.iter().flat_map(|fork| [fork.block, fork.child]).collect(),
        steps: FxMap::default(),
        depths,
        dirty: BTreeSet::new(),
    };
    for &block in &concurrent {
        let steps = inlined.blocks[block].statements.iter().map(|statement| step(program, statement, analysis, &contended)).collect();
        cutter.steps.insert(block, steps);
    }
    cutter.find_dirty(inlined, &concurrent);
    for &block in &concurrent {
        cutter.cut(inlined, block);
    }
    let yields = cutter.yields;
    Ok(Stops { yields, shared, unread })
}

fn is_write(kind: AccessKind) -> bool {
    matches!(kind, AccessKind::Write | AccessKind::Free)
}

/// How many atomic sections are open at the start of each block that is reached.
fn depths(inlined: &Inlined) -> Result<BTreeMap<usize, u32>, NotFlat> {
    let forks: BTreeSet<usize> = inlined.forks.iter().map(|fork| fork.block).collect();
    let mut known = BTreeMap::from([(inlined.entry, 0)]);
    let mut open = vec![inlined.entry];
    while let Some(at) = open.pop() {
        let block = &inlined.blocks[at];
        let mut depth: u32 = known[&at];
        for statement in &block.statements {
            match &statement.kind {
                RawKind::Plain(StatementKind::Thread(ThreadOperation::AtomicBegin(_))) => depth += 1,
                RawKind::Plain(StatementKind::Thread(ThreadOperation::AtomicEnd)) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        // A section ends where it starts a thread: that allows more runs than there are.
        if forks.contains(&at) {
            depth = 0;
        }
        for next in block.end.targets() {
            match known.insert(next, depth) {
                None => open.push(next),
                Some(old) if old == depth => {}
                Some(_) => {
                    return Err(NotFlat { what: "an atomic section that is open on some ways only".to_string(), loc: block.loc });
                }
            }
        }
    }
    Ok(known)
}

/// Blocks that may run beside another thread.
fn behind_forks(inlined: &Inlined) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<usize> = inlined.forks.iter().map(|fork| fork.block).collect();
    while let Some(at) = open.pop() {
        for next in inlined.blocks[at].end.targets() {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

/// Objects that more than one thread can reach.
fn shared(inlined: &Inlined, analysis: &mut PointsTo, concurrent: &BTreeSet<usize>) -> Result<BTreeSet<usize>, NotFlat> {
    let objects = &inlined.objects.all;
    let is_global = |at: &usize| matches!(objects[*at].kind, ObjectKind::Global(_));
    let mut open: Vec<usize> = (0..objects.len()).filter(is_global).collect();
    open.extend(inlined.forks.iter().flat_map(|fork| analysis.of(fork.argument).targets.into_keys()));
    let mut shared = BTreeSet::new();
    while let Some(object) = open.pop() {
        if shared.insert(object) {
            open.extend(analysis.held_by(object).targets.into_keys());
        }
    }
    let repeated: BTreeSet<usize> = inlined.allocated_in_loops().into_iter().collect();
    for (number, block) in inlined.blocks.iter().enumerate() {
        for statement in &block.statements {
            let RawKind::Alloc { object, .. } = &statement.kind else { continue };
            if shared.contains(object) && (concurrent.contains(&number) || repeated.contains(object)) {
                let what = format!("an object that threads share and that is not made before they start ({})", objects[*object].name);
                return Err(NotFlat { what, loc: statement.loc });
            }
        }
    }
    Ok(shared)
}

/// What a statement is to other threads.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Step {
    /// They see nothing of it.
    Hidden,
    /// A run may end there, but goes on otherwise.
    Stops,
    Begins,
    Ends,
    Reads,
    Changes,
    /// They may see it in the middle.
    Divisible,
}

fn step(program: &Program, statement: &Raw, analysis: &mut PointsTo, contended: &BTreeSet<usize>) -> (Step, bool) {
    let RawKind::Plain(kind) = &statement.kind else { return (Step::Stops, false) };
    let word = u64::from(program.layout.pointer_bits) / 8;
    let (mut sees, mut changes, mut is_wide) = (false, false, false);
    kind.for_each_access(&mut |access| {
        if analysis.of(access.pointer).targets.keys().any(|object| contended.contains(object)) {
            sees = true;
            changes |= is_write(access.kind);
            is_wide |= access.extent.bytes(&program.terms).is_none_or(|bytes| bytes > word);
        }
    });
    let is_simple = matches!(kind, StatementKind::Load { .. } | StatementKind::Store { .. });
    let step = match kind {
        StatementKind::Thread(ThreadOperation::AtomicBegin(_)) => Step::Begins,
        StatementKind::Thread(ThreadOperation::AtomicEnd) => Step::Ends,
        _ if sees && !is_simple => Step::Divisible,
        _ if changes => Step::Changes,
        _ if sees => Step::Reads,
        StatementKind::Assign(_) | StatementKind::Havoc { .. } | StatementKind::Load { .. } | StatementKind::Store { .. } => Step::Hidden,
        _ => Step::Stops,
    };
    (step, is_wide)
}

/// Cuts blocks before what others see, and between what changes something for them and what may end the run: what was done
/// stays done.
struct Cutter<'a> {
    program: &'a Program,
    yields: BTreeSet<usize>,
    /// What the statements of each block are.
    steps: FxMap<usize, Vec<(Step, bool)>>,
    /// Sections that are open at the start of each block.
    depths: BTreeMap<usize, u32>,
    /// Blocks at whose start something may have changed since the last place where others may run.
    dirty: BTreeSet<usize>,
}

impl Cutter<'_> {
    fn find_dirty(&mut self, inlined: &Inlined, concurrent: &BTreeSet<usize>) {
        let mut open: Vec<usize> = concurrent.iter().copied().collect();
        while let Some(block) = open.pop() {
            let (mut depth, mut dirty) = self.start(block);
            for &(step, _) in &self.steps[&block] {
                let is_cut = cuts_before(step, depth, dirty);
                depth = depth_behind(step, depth);
                dirty = dirties(step, depth) || dirty && !is_cut;
            }
            if dirty {
                let new = inlined.blocks[block].end.targets().into_iter().filter(|next| !self.dirty.contains(next));
                let new: Vec<usize> = new.filter(|next| !self.yields.contains(next)).collect();
                self.dirty.extend(&new);
                open.extend(new.into_iter().filter(|next| concurrent.contains(next)));
            }
        }
    }

    fn start(&self, block: usize) -> (u32, bool) {
        (self.depths.get(&block).copied().unwrap_or(0), self.dirty.contains(&block))
    }

    fn cut(&mut self, inlined: &mut Inlined, block: usize) {
        let (mut depth, mut dirty) = self.start(block);
        let statements = std::mem::take(&mut inlined.blocks[block].statements);
        let end = std::mem::replace(&mut inlined.blocks[block].end, RawEnd::End);
        let steps = self.steps.remove(&block).unwrap_or_default();
        let mut at = block;
        for (statement, (step, is_wide)) in statements.into_iter().zip(steps) {
            let is_cut = cuts_before(step, depth, dirty);
            if is_cut {
                at = next_block(inlined, at, statement.loc, &mut self.yields);
            }
            if depth == 0 && step == Step::Divisible {
                let what = "a change of memory that other threads see in the middle".to_string();
                inlined.blocks[at].end = RawEnd::Bad(ErrorKind::Unsupported(what));
                inlined.blocks[at].loc = statement.loc;
                return;
            }
            if depth == 0 && is_wide {
                inlined.notes.insert(Assumption::WideAccessAtOnce { word: u64::from(self.program.layout.pointer_bits) / 8 });
            }
            inlined.blocks[at].statements.push(statement);
            depth = depth_behind(step, depth);
            dirty = dirties(step, depth) || dirty && !is_cut;
        }
        // A section that never ends does not hide what it wrote from other threads, either.
        if end.targets().is_empty() && (dirty || depth > 0) {
            at = next_block(inlined, at, inlined.blocks[at].loc, &mut self.yields);
        }
        inlined.blocks[at].end = end;
    }
}

fn cuts_before(step: Step, depth: u32, dirty: bool) -> bool {
    let is_seen = matches!(step, Step::Begins | Step::Reads | Step::Changes | Step::Divisible);
    depth == 0 && (is_seen || dirty && step == Step::Stops)
}

fn depth_behind(step: Step, depth: u32) -> u32 {
    match step {
        Step::Begins => depth + 1,
        Step::Ends => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Whether others may see a change behind the step, where so many sections are open.
fn dirties(step: Step, depth: u32) -> bool {
    depth == 0 && matches!(step, Step::Changes | Step::Ends)
}

/// A block behind this one, before which others may run; the same one if it has nothing yet.
fn next_block(inlined: &mut Inlined, at: usize, loc: Loc, yields: &mut BTreeSet<usize>) -> usize {
    if inlined.blocks[at].statements.is_empty() {
        yields.insert(at);
        return at;
    }
    let label = inlined.blocks[at].label.clone();
    let next = RawBlock { label, origin: None, statements: Vec::new(), end: RawEnd::End, loc };
    inlined.blocks.push(next);
    let number = inlined.blocks.len() - 1;
    inlined.blocks[at].end = RawEnd::Goto(vec![number]);
    yields.insert(number);
    number
}

impl Stops {
    /// The same of the blocks and variables that became of it.
    pub fn lowered(&self, program: &Program, inlined: &Inlined, shapes: &[Shape], numbers: &FxMap<usize, usize>) -> Concurrent {
        let variables = |objects: &BTreeSet<usize>| -> BTreeSet<VarId> {
            let of = |object: &usize| match &shapes[*object] {
                Shape::Cells(cells) | Shape::Family(cells) => cells.iter().map(|cell| cell.var).collect(),
                Shape::Array { var, .. } => vec![*var],
            };
            objects.iter().flat_map(of).collect()
        };
        let fork = |fork: &Fork| Some((*numbers.get(&fork.block)?, *numbers.get(&fork.child)?));
        Concurrent {
            yields: self.yields.iter().filter_map(|raw| numbers.get(raw).copied()).collect(),
            forks: inlined.forks.iter().filter_map(fork).collect(),
            shared: variables(&self.shared),
            unread: variables(&self.unread),
            identity: identity(program),
        }
    }
}
