//! Constant propagation in the copy of a procedure whose call passes constants: finds variables with a single value,
//! and unreachable blocks (Wegman and Zadeck: *Constant propagation with conditional branches*, TOPLAS 1991). This
//! determines the procedure with which a thread starts, and removes parts of `pthread_create` that the program does not
//! use.

use crate::liveness::read_before_written;
use fathom_base::FxMap;
use fathom_ir::{Block, BlockId, Body, Initializer, Procedure, Program, Statement, StatementKind, Terminator, TerminatorKind};
use fathom_term::{Substitution, Term, TermStore, VarId, VarSets};

/// What is known of a variable; nothing is, as long as no assignment was seen.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Known {
    Constant(Term),
    Varies,
}

struct Folding<'a> {
    program: &'a Program,
    store: &'a TermStore,
    sets: &'a VarSets,
    body: &'a Body,
    /// Variables of the procedure.
    known: FxMap<VarId, Known>,
    locals: Vec<VarId>,
    reached: Vec<bool>,
    changed: bool,
}

/// The body when the parameters have these values, as far as they are constants.
pub(crate) fn folded(program: &Program, sets: &VarSets, procedure: &Procedure, body: &Body, args: &[Term]) -> Body {
    let store: &TermStore = &program.terms;
    let mut known: FxMap<VarId, Known> = FxMap::default();
    for (index, &param) in procedure.params.iter().enumerate() {
        let constant = args.get(index).copied().filter(|&arg| store.op(arg).is_const() && store.sort(arg) == store.var_sort(param));
        known.insert(param, constant.map_or(Known::Varies, Known::Constant));
    }
    known.extend(procedure.variadic.map(|var| (var, Known::Varies)));
    known.extend(read_before_written(store, sets, procedure).into_iter().map(|var| (var, Known::Varies)));
    let locals = procedure.locals.iter().map(|local| local.id).collect();
    let mut folding = Folding { program, store, sets, body, known, locals, reached: vec![false; body.blocks.len()], changed: true };
    folding.reached[body.entry.0 as usize] = true;
    while std::mem::take(&mut folding.changed) {
        for (number, block) in body.blocks.iter().enumerate() {
            if folding.reached[number] {
                folding.block(block);
            }
        }
    }
    folding.rewritten()
}

impl Folding<'_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(pairs) => {
                    for &(var, value) in pairs {
                        let value = self.value(value);
                        value.into_iter().for_each(|value| self.learn(var, value));
                    }
                }
                StatementKind::Load { target, .. } => {
                    let value = self.loaded(statement).map_or(Known::Varies, Known::Constant);
                    self.learn(*target, value);
                }
                other => other.for_each_target(&mut |var, _| self.learn(var, Known::Varies)),
            }
        }
        for next in self.successors(&block.terminator.kind) {
            self.changed |= !std::mem::replace(&mut self.reached[next.0 as usize], true);
        }
    }

    fn learn(&mut self, var: VarId, value: Known) {
        let old = self.known.get(&var).copied();
        let new = match old {
            Some(old) if old != value => Known::Varies,
            _ => value,
        };
        if old != Some(new) {
            self.known.insert(var, new);
            self.changed = true;
        }
    }

    /// None as long as a variable in it has no value yet.
    fn value(&self, term: Term) -> Option<Known> {
        let mut images = Vec::new();
        for var in self.sets.vars(self.store, term) {
            match self.known.get(&var) {
                Some(Known::Constant(value)) => images.push((var, *value)),
                Some(Known::Varies) => {}
                None if self.locals.contains(&var) => return None,
                None => {}
            }
        }
        let value = Substitution::new(images).apply(self.store, term);
        let is_address =
            |var: VarId| self.program.object_addresses.contains_key(&var) || self.program.procedure_addresses.contains_key(&var);
        let is_constant = self.store.op(value).is_const() || self.store.as_var(value).is_some_and(is_address);
        Some(if is_constant { Known::Constant(value) } else { Known::Varies })
    }

    /// What a load from an object that nothing writes gives.
    fn loaded(&self, statement: &Statement) -> Option<Term> {
        let StatementKind::Load { target, pointer, volatile: false } = &statement.kind else { return None };
        let object = self.program.objects.iter().find(|object| object.address == *pointer && object.read_only)?;
        let width = self.store.var_sort(*target).width();
        let length = width as usize / 8;
        if !(1..=8).contains(&length) || !width.is_multiple_of(8) || object.size < length as u64 {
            return None;
        }
        let bytes = match &object.init {
            Initializer::Zero => vec![0; length],
            Initializer::Bytes { bytes, relocations } if relocations.is_empty() && bytes.len() >= length => bytes[..length].to_vec(),
            _ => return None,
        };
        let number = bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
        Some(self.store.bv(number, width))
    }

    fn successors(&self, end: &TerminatorKind) -> Vec<BlockId> {
        match end {
            TerminatorKind::Branch { condition, then, otherwise } => match self.value(*condition) {
                None => Vec::new(),
                Some(Known::Constant(value)) if self.store.const_bool(value) == Some(true) => vec![*then],
                Some(Known::Constant(value)) if self.store.const_bool(value) == Some(false) => vec![*otherwise],
                Some(_) => vec![*then, *otherwise],
            },
            other => other.successors(),
        }
    }

    /// With constants in their places, and with nothing in blocks that are never reached.
    fn rewritten(&self) -> Body {
        let constants = self.known.iter().filter_map(|(&var, known)| match known {
            Known::Constant(value) => Some((var, *value)),
            Known::Varies => None,
        });
        let mut images = Substitution::new(constants.collect::<Vec<_>>());
        let mut body = self.body.clone();
        for (number, block) in body.blocks.iter_mut().enumerate() {
            if !self.reached[number] {
                block.statements.clear();
                block.terminator.kind = TerminatorKind::Goto(vec![BlockId(number as u32)]);
                continue;
            }
            for statement in &mut block.statements {
                let loaded = self.loaded(statement);
                statement.kind.map_terms(&mut |term| images.apply(self.store, term));
                if let (Some(value), StatementKind::Load { target, .. }) = (loaded, &statement.kind) {
                    statement.kind = StatementKind::Assign(vec![(*target, value)]);
                }
            }
            block.terminator = Terminator { kind: self.folded_end(&block.terminator.kind, &mut images), loc: block.terminator.loc };
        }
        body
    }

    fn folded_end(&self, end: &TerminatorKind, images: &mut Substitution) -> TerminatorKind {
        match (end, &self.successors(end)[..]) {
            (TerminatorKind::Branch { .. }, [only]) => TerminatorKind::Goto(vec![*only]),
            _ => {
                let mut end = end.clone();
                end.map_terms(&mut |term| images.apply(self.store, term));
                end
            }
        }
    }
}
