//! Weakest preconditions through statements and along paths, over the program's own variables. Interpolation (TracerX,
//! Fig. 3 and rules 1b-5b) and DASH (LCTD, Tables 3.12 and 3.13) both walk one path backwards and need the condition
//! before each step; they differ in what a guard does:
//!
//! - `Guards::Imply`: the weakest liberal precondition. Whoever gets through satisfies the postcondition; a state that
//!   a guard stops does so vacuously. Interpolants start here.
//! - `Guards::Conjoin`: the pre-image of one path. The state gets through *and* satisfies the postcondition; what DASH
//!   splits regions on (its alias constraint is not needed: memory is one array, so aliasing is index equality).
//!
//! Assertions are conjoined either way: a state that fails one satisfies no postcondition. Assignments are simultaneous
//! substitutions instead of versioned variables: hash-consing shares what versions would. Memory is one array variable
//! from addresses to bytes (TracerX, section 5.2), which the caller names; loads are selects, stores are stores.
//! Whether an access is valid is no question of contents: a caller that needs it gives `valid`, which is conjoined
//! wherever memory is touched. An arbitrary value is a fresh variable, left free: `fresh` lists them, and the
//! condition is meant for all their values under `Imply`, for some under `Conjoin` (`closed` says so with a quantifier).
//!
//! Sound because each rule is an equivalence for its statement; what has no such rule is `NotExpressible`, never skipped.

use fathom_ir::{Block, BlockId, Body, Fill, Statement, StatementKind, TerminatorKind, ThreadOperation};
use fathom_smt::VarSets;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, VarId};
use std::ops::Range;
use thiserror::Error;

/// The longest copy or fill that is spelled out.
const MAX_BYTES: u64 = 1024;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no precondition: {0}")]
pub struct NotExpressible(pub String);

/// What guards (assumptions and branches) do to a condition behind them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Guards {
    Imply,
    Conjoin,
}

/// A stretch of statements of a block; a path is a list of them, and control goes from the end of each block to the
/// next one in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub block: BlockId,
    pub statements: Range<usize>,
}

impl Segment {
    pub fn whole(body: &Body, block: BlockId) -> Segment {
        Segment { block, statements: 0..body.block(block).statements.len() }
    }
}

/// A condition over the program's variables under which this many bytes at this address may be accessed.
pub type Valid<'a> = &'a dyn Fn(&TermStore, Term, u64) -> Term;

/// Computes preconditions; keeps what they have in common.
pub struct Preconditions<'a> {
    store: &'a TermStore,
    sets: VarSets,
    guards: Guards,
    /// The array from addresses to bytes.
    memory: Option<VarId>,
    valid: Option<Valid<'a>>,
    fresh: Vec<VarId>,
}

impl<'a> Preconditions<'a> {
    pub fn new(store: &'a TermStore, guards: Guards) -> Self {
        Preconditions { store, sets: VarSets::default(), guards, memory: None, valid: None, fresh: Vec::new() }
    }

    /// With memory as this variable: an array from bit-vectors of pointer width to bytes.
    pub fn with_memory(mut self, memory: VarId) -> Self {
        self.memory = Some(memory);
        self
    }

    /// With this condition wherever memory is accessed.
    pub fn with_valid(mut self, valid: Valid<'a>) -> Self {
        self.valid = Some(valid);
        self
    }

    /// Variables for arbitrary values, in the order in which they were made.
    pub fn fresh(&self) -> &[VarId] {
        &self.fresh
    }

    /// The condition with its fresh variables bound: for all values under `Imply`, for some under `Conjoin`.
    pub fn closed(&self, condition: Term) -> Term {
        let mentioned = self.sets.vars(self.store, condition);
        let bound: Vec<VarId> = self.fresh.iter().copied().filter(|var| mentioned.contains(var)).collect();
        match self.guards {
            _ if bound.is_empty() => condition,
            Guards::Imply => self.store.forall(bound, Vec::new(), condition),
            Guards::Conjoin => self.store.exists(bound, Vec::new(), condition),
        }
    }

    // ---- paths

    /// Before a guard.
    pub fn guard(&self, guard: Term, post: Term) -> Term {
        match self.guards {
            Guards::Imply => self.store.implies(guard, post),
            Guards::Conjoin => self.store.and(guard, post),
        }
    }

    /// Before the jump from a block to one of its successors.
    pub fn edge(&self, from: &Block, to: BlockId, post: Term) -> Result<Term, NotExpressible> {
        Ok(self.guard(edge_guard(self.store, &from.terminator.kind, to)?, post))
    }

    pub fn statements(&mut self, statements: &[Statement], post: Term) -> Result<Term, NotExpressible> {
        statements.iter().rev().try_fold(post, |post, statement| self.statement(&statement.kind, post))
    }

    /// Before a path; the postcondition belongs to its end, behind the last statement of the last segment.
    pub fn path(&mut self, body: &Body, path: &[Segment], post: Term) -> Result<Term, NotExpressible> {
        let mut condition = post;
        let mut next: Option<BlockId> = None;
        for segment in path.iter().rev() {
            let block = body.block(segment.block);
            if let Some(next) = next {
                condition = self.edge(block, next, condition)?;
            }
            let statements = block.statements.get(segment.statements.clone());
            let statements = statements.ok_or_else(|| NotExpressible(format!("`{}` is shorter", block.label)))?;
            condition = self.statements(statements, condition)?;
            next = Some(segment.block);
        }
        Ok(condition)
    }

    // ---- statements

    /// Before one statement.
    pub fn statement(&mut self, kind: &StatementKind, post: Term) -> Result<Term, NotExpressible> {
        use StatementKind as S;
        let store = self.store;
        match kind {
            S::Assign(pairs) => self.substitute(pairs, post),
            S::Havoc { vars, .. } => {
                let pairs: Vec<_> = vars.iter().map(|&var| (var, self.arbitrary(store.var_sort(var)))).collect();
                self.substitute(&pairs, post)
            }
            S::Assume(condition) => Ok(self.guard(*condition, post)),
            S::Assert { condition, .. } => Ok(store.and(*condition, post)),
            S::Load { target, pointer, volatile } => {
                let sort = store.var_sort(*target);
                let bytes = sort.width() as u64 / 8;
                let value = if *volatile { self.arbitrary(sort) } else { self.read(*pointer, bytes)? };
                let condition = self.substitute(&[(*target, value)], post)?;
                Ok(self.accessed(*pointer, bytes, condition))
            }
            S::Store { pointer, value } => {
                let bytes = store.sort(*value).width() as u64 / 8;
                let bytes: Vec<Term> = (0..bytes as u32).map(|i| store.extract(*value, i * 8 + 7, i * 8)).collect();
                self.write(*pointer, &bytes, post)
            }
            S::Copy { target, source, length } => {
                let count = self.constant_length(*length, "copy")?;
                let bytes = (0..count).map(|index| self.read_byte(*source, index)).collect::<Result<Vec<_>, _>>()?;
                let condition = self.write(*target, &bytes, post)?;
                Ok(self.accessed(*source, count, condition))
            }
            S::Set { pointer, fill, length } => {
                let count = self.constant_length(*length, "fill")?;
                let bytes: Vec<Term> = match fill {
                    Fill::Byte(byte) => vec![*byte; count as usize],
                    Fill::Arbitrary(_) => (0..count).map(|_| self.arbitrary(Sort::Bv(8))).collect(),
                };
                self.write(*pointer, &bytes, post)
            }
            S::Alloc { target, size, zeroed, .. } => self.allocation(*target, *size, *zeroed, post),
            S::EndScope { .. } => Err(NotExpressible("the end of a local variable".to_string())),
            S::Free { .. } if self.valid.is_none() => Ok(post),
            S::Free { .. } => Err(NotExpressible("free changes which accesses are valid".to_string())),
            S::Forget { .. } => Err(NotExpressible("arbitrary contents of an object".to_string())),
            S::Use { .. } => Err(NotExpressible("whether an object lives".to_string())),
            S::ObjectSize { .. } => Err(NotExpressible("the size of an object".to_string())),
            S::Call { .. } => Err(NotExpressible("a call: go through the callee's path".to_string())),
            S::Thread(ThreadOperation::AtomicBegin | ThreadOperation::AtomicEnd) => Ok(post),
            S::Thread(_) => Err(NotExpressible("threads".to_string())),
            S::Watch(_) => Ok(post),
            S::Unsupported(what) => Err(NotExpressible(what.clone())),
        }
    }

    /// The new object lies at an arbitrary address; what is known of it elsewhere is for the caller to say. Its
    /// contents are whatever memory has there, which is as arbitrary as uninitialised bytes are.
    fn allocation(&mut self, target: VarId, size: Term, zeroed: bool, post: Term) -> Result<Term, NotExpressible> {
        if self.valid.is_some() {
            return Err(NotExpressible("an allocation changes which accesses are valid".to_string()));
        }
        let address = self.arbitrary(self.store.var_sort(target));
        let post = self.substitute(&[(target, address)], post)?;
        if !zeroed || !self.mentions(self.memory, post) {
            return Ok(post);
        }
        let count = self.constant_length(size, "zeroed allocation")?;
        self.write(address, &vec![self.store.bv(0, 8); count as usize], post)
    }

    fn arbitrary(&mut self, sort: Sort) -> Term {
        let term = self.store.fresh("any", sort);
        self.fresh.extend(self.store.as_var(term));
        term
    }

    fn constant_length(&self, length: Term, what: &str) -> Result<u64, NotExpressible> {
        match self.store.const_bits(length) {
            Some(bytes) if bytes <= MAX_BYTES => Ok(bytes),
            Some(bytes) => Err(NotExpressible(format!("a {what} of {bytes} bytes"))),
            None => Err(NotExpressible(format!("a {what} of symbolic length"))),
        }
    }

    // ---- memory

    fn memory_term(&self) -> Result<Term, NotExpressible> {
        let memory = self.memory.ok_or_else(|| NotExpressible("memory, which has no variable".to_string()))?;
        Ok(self.store.var_term(memory))
    }

    fn moved(&self, pointer: Term, by: u64) -> Term {
        self.store.bv_add(pointer, self.store.bv(by, self.store.sort(pointer).width()))
    }

    fn read_byte(&self, pointer: Term, index: u64) -> Result<Term, NotExpressible> {
        Ok(self.store.select(self.memory_term()?, self.moved(pointer, index)))
    }

    /// Little-endian bytes.
    fn read(&self, pointer: Term, bytes: u64) -> Result<Term, NotExpressible> {
        let mut whole = self.read_byte(pointer, 0)?;
        for index in 1..bytes {
            whole = self.store.concat(self.read_byte(pointer, index)?, whole);
        }
        Ok(whole)
    }

    fn write(&mut self, pointer: Term, bytes: &[Term], post: Term) -> Result<Term, NotExpressible> {
        let mut memory = self.memory_term()?;
        for (index, &byte) in bytes.iter().enumerate() {
            memory = self.store.store(memory, self.moved(pointer, index as u64), byte);
        }
        let pairs: Vec<_> = self.memory.into_iter().map(|var| (var, memory)).collect();
        let condition = self.substitute(&pairs, post)?;
        Ok(self.accessed(pointer, bytes.len() as u64, condition))
    }

    /// An access must be valid, like an assertion.
    fn accessed(&self, pointer: Term, bytes: u64, condition: Term) -> Term {
        match self.valid {
            Some(valid) if bytes > 0 => self.store.and(valid(self.store, pointer, bytes), condition),
            _ => condition,
        }
    }

    // ---- substitution

    fn mentions(&self, var: Option<VarId>, term: Term) -> bool {
        var.is_some_and(|var| self.sets.vars(self.store, term).contains(&var))
    }

    /// The condition with all these variables replaced at once. Most statements touch nothing that it mentions.
    fn substitute(&self, pairs: &[(VarId, Term)], post: Term) -> Result<Term, NotExpressible> {
        let mentioned = self.sets.vars(self.store, post);
        let pairs: Vec<(VarId, Term)> = pairs.iter().copied().filter(|(var, _)| mentioned.contains(var)).collect();
        if pairs.is_empty() {
            return Ok(post);
        }
        if self.sets.is_quantified(self.store, post) {
            let bound = bound_variables(self.store, post);
            let images = pairs.iter().flat_map(|&(_, image)| self.sets.vars(self.store, image));
            if pairs.iter().map(|(var, _)| *var).chain(images).any(|var| bound.contains(&var)) {
                return Err(NotExpressible("a quantifier that binds a variable of the program".to_string()));
            }
        }
        Ok(Substitution::new(pairs).apply(self.store, post))
    }
}

/// When control goes from a block with this end to that block.
pub fn edge_guard(store: &TermStore, end: &TerminatorKind, to: BlockId) -> Result<Term, NotExpressible> {
    let nowhere = || Err(NotExpressible(format!("a jump to block {}, which is no successor", to.0)));
    match end {
        TerminatorKind::Goto(targets) if targets.contains(&to) => Ok(store.bool(true)),
        TerminatorKind::Branch { condition, then, otherwise } => match (*then == to, *otherwise == to) {
            (true, true) => Ok(store.bool(true)),
            (true, false) => Ok(*condition),
            (false, true) => Ok(store.not(*condition)),
            (false, false) => nowhere(),
        },
        TerminatorKind::Switch(switch) => {
            // The first match wins.
            let (mut here, mut unmatched) = (store.bool(false), store.bool(true));
            for &(constant, target) in &switch.cases {
                let matches = store.eq(switch.value, constant);
                if target == to {
                    here = store.or(here, store.and(unmatched, matches));
                }
                unmatched = store.and(unmatched, store.not(matches));
            }
            let is_successor = switch.default == to || switch.cases.iter().any(|(_, target)| *target == to);
            match is_successor {
                true if switch.default == to => Ok(store.or(here, unmatched)),
                true => Ok(here),
                false => nowhere(),
            }
        }
        _ => nowhere(),
    }
}

fn bound_variables(store: &TermStore, root: Term) -> Vec<VarId> {
    let mut bound = Vec::new();
    let mut seen = fathom_base::FxSet::default();
    let mut open = vec![root];
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            if let Op::Forall(id) | Op::Exists(id) = store.op(term) {
                bound.extend(&store.quantifier(id).bound);
            }
            open.extend(store.args(term));
        }
    }
    bound
}
