//! Lowers inlined statements to blocks that are parallel assignments. A block includes its successor if that has no
//! other predecessor; checks become exits to error locations. The values of variables inside a block are terms over its
//! start.

mod creation;
mod reuse;

use crate::builder::Builder;
use crate::cells::{Shape, shapes};
use crate::functions::as_maps;
use crate::inline::inline;
use crate::join::Joiner;
use crate::layout;
use crate::objects::{ROOMS_32, ROOMS_64};
use crate::points_to::{PointsTo, points_to};
use crate::procedures::{Site, call_block, empty_start, procedures_of};
use crate::program::{Begin, Block, Edge, ErrorKind, ErrorLocation, Flat, Inputs, NotFlat, Origin, Target};
use crate::raw::{Inlined, RawEnd, RawKind};
use crate::threads::stops;
use crate::told::Sources;
use fathom_base::{FxMap, Loc};
use fathom_ir::{Assumption, ControlEffect, Fill, Program, Property, StatementKind, ThreadOperation};
use fathom_term::{Sort, Term, TermStore, VarId, VarSets};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// How much one block holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A block per basic block, or per chain of them.
    Basic,
    /// Small diamonds are part of the block that they start in.
    Joined,
    /// The same, and a statement that allocates may do so any number of times.
    Endless,
    /// As `Basic`, with threads: see `Flat::concurrent`.
    Interleaved,
}

/// The program as one graph; its error locations are the violations of these properties, and what has no flat form.
pub fn flatten(program: &Program, properties: &BTreeSet<Property>, form: Form) -> Result<Flat, NotFlat> {
    let sets = VarSets::default();
    let rooms = if program.layout.pointer_bits >= 64 { ROOMS_64 } else { ROOMS_32 };
    // With less room for objects, numbers that the program uses as addresses lie outside of them.
    let placed = |&room: &u64| -> Result<(Inlined, PointsTo), NotFlat> {
        let inlined = inline(program, &sets, room, form)?;
        let mut analysis = points_to(program, &inlined);
        layout::check(program, &inlined, &mut analysis)?;
        Ok((inlined, analysis))
    };
    let (mut inlined, mut analysis) = placed(&rooms[0]).or_else(|why| rooms[1..].iter().find_map(|room| placed(room).ok()).ok_or(why))?;
    let shapes = shapes(&program.terms, &inlined, &mut analysis);
    let stops = match form {
        Form::Interleaved => Some(stops(program, &mut inlined, &mut analysis)?),
        _ => None,
    };
    let mut ways_in = vec![0u32; inlined.blocks.len()];
    ways_in[inlined.entry] += 1;
    for block in &inlined.blocks {
        block.end.targets().into_iter().for_each(|target| ways_in[target] += 1);
    }
    inlined.apart.iter().for_each(|apart| ways_in[apart.entry] += 1);
    // No flat block goes on where others may run.
    stops.iter().flat_map(|stops| &stops.yields).for_each(|&block| ways_in[block] += 2);
    let shared = Shared { analysis: RefCell::new(analysis), shapes, errors: RefCell::default(), inputs: Inputs::default() };
    let mut lowering = Lowering {
        program,
        properties,
        inlined: &inlined,
        sets: &sets,
        shared: &shared,
        ways_in,
        numbers: FxMap::default(),
        waiting: Vec::new(),
        blocks: Vec::new(),
        notes: inlined.notes.iter().cloned().chain(program.assumptions.iter().cloned()).collect(),
    };
    let starts = lowering.run()?;
    let Lowering { blocks, notes, numbers, .. } = lowering;
    let Shared { errors, inputs, shapes, .. } = shared;
    let concurrent = stops.map(|stops| stops.lowered(program, &inlined, &shapes, &numbers));
    let errors = errors.into_inner();
    let mut blocks: Vec<Block> = blocks.into_iter().flatten().collect();
    as_maps(&program.terms, &inputs, &mut blocks);
    let mut procedures = procedures_of(program, &inlined, &starts, &sets, &inputs, &mut blocks);
    if !matches!(form, Form::Basic | Form::Interleaved) {
        blocks = Joiner { store: &program.terms, sets: &sets, inputs: &inputs }.run(blocks, &mut procedures);
    }
    let assumptions = notes.into_iter().collect();
    let sources = Sources::of(program, inlined, &shapes);
    Ok(Flat { terms: program.terms.clone(), blocks, errors, inputs, procedures, assumptions, concurrent, sources, sets })
}

struct Lowering<'a> {
    program: &'a Program,
    properties: &'a BTreeSet<Property>,
    inlined: &'a Inlined,
    sets: &'a VarSets,
    shared: &'a Shared,
    ways_in: Vec<u32>,
    /// Numbers of flat blocks, by the raw block that they start with.
    numbers: FxMap<usize, usize>,
    waiting: Vec<usize>,
    blocks: Vec<Option<Block>>,
    notes: BTreeSet<Assumption>,
}

/// Where a block leads when its statements are through.
#[derive(Copy, Clone)]
enum Exit {
    To(usize),
    End,
    Return,
}

/// Data that the lowering of all blocks shares.
struct Shared {
    analysis: RefCell<PointsTo>,
    shapes: Vec<Shape>,
    errors: RefCell<Vec<ErrorLocation>>,
    inputs: Inputs,
}

impl Lowering<'_> {
    /// Tells the numbers of the blocks that procedures apart start with: a block for their inputs, and the first of
    /// their own.
    fn run(&mut self) -> Result<Vec<(usize, usize)>, NotFlat> {
        self.blocks.push(None);
        let entry = self.inlined.entry;
        let start = self.build(None, entry)?;
        self.blocks[0] = Some(start);
        let mut starts = Vec::new();
        for apart in &self.inlined.apart {
            self.blocks.push(None);
            let start = self.blocks.len() - 1;
            let first = self.number(apart.entry);
            self.blocks[start] = Some(empty_start(self.program, apart.id, first));
            starts.push((start, first));
        }
        while let Some(raw) = self.waiting.pop() {
            let number = self.numbers[&raw];
            let block = self.build(Some(raw), entry)?;
            self.blocks[number] = Some(block);
        }
        Ok(starts)
    }

    fn number(&mut self, raw: usize) -> usize {
        if let Some(&known) = self.numbers.get(&raw) {
            return known;
        }
        self.blocks.push(None);
        self.numbers.insert(raw, self.blocks.len() - 1);
        self.waiting.push(raw);
        self.blocks.len() - 1
    }

    /// The block that starts with this raw one, or with the start of the program.
    fn build(&mut self, raw: Option<usize>, entry: usize) -> Result<Block, NotFlat> {
        let program = self.program;
        let store: &TermStore = &program.terms;
        let inlined = self.inlined;
        if let Some((number, block)) = raw.map(|raw| (raw, &inlined.blocks[raw]))
            && let RawEnd::Call { procedure, args, targets, after } = &block.end
        {
            let after = self.number(*after);
            debug_assert!(inlined.blocks[number].statements.is_empty());
            let name = &program.procedure(inlined.apart[*procedure].id).name;
            let mut errors = self.shared.errors.borrow_mut();
            errors.push(ErrorLocation { kind: ErrorKind::Within(name.clone()), loc: block.loc });
            let site = Site { procedure: *procedure, args, targets, fails: errors.len() - 1, after };
            return Ok(call_block(&site, &block.label, block.loc, store));
        }
        let mut origins = Vec::new();
        let (label, loc) = raw.map_or(("start".to_string(), Loc::UNKNOWN), |raw| {
            let block = &inlined.blocks[raw];
            let first = block.statements.iter().map(|statement| statement.loc).find(|loc| loc.is_known());
            (block.label.clone(), first.unwrap_or(block.loc))
        });
        let shared = self.shared;
        let mut builder = Builder {
            store,
            sets: self.sets,
            objects: &inlined.objects,
            points_to: &shared.analysis,
            shapes: &shared.shapes,
            errors: &shared.errors,
            names: &shared.inputs,
            values: FxMap::default(),
            order: Vec::new(),
            inputs: Vec::new(),
            assumed: store.bool(true),
            edges: Vec::new(),
        };
        let ends = match raw {
            None => Vec::from_iter(self.start(&mut builder)?.then_some((builder.assumed, entry))),
            Some(raw) => vec![(store.bool(true), raw)],
        };
        let ends = self.follow(&mut builder, ends, raw.is_none(), &mut origins);
        let Builder { values, order, inputs, mut edges, .. } = builder;
        let assigns = order.iter().map(|var| (*var, values[var]));
        let assigns: Vec<(VarId, Term)> = assigns.filter(|&(var, value)| value != store.var_term(var)).collect();
        for (guard, target) in ends {
            let target = match target {
                Exit::To(raw) => Target::Block(self.number(raw)),
                Exit::End => Target::End,
                Exit::Return => Target::Return,
            };
            edges.push(Edge { guard, target });
        }
        let begins = raw.and_then(|raw| inlined.blocks[raw].origin);
        Ok(Block { label, loc, begins, origins, inputs, assigns, edges, call: None })
    }

    /// Runs through raw blocks as long as there is one way; the exits that are left.
    fn follow(
        &mut self,
        builder: &mut Builder<'_>,
        ends: Vec<(Term, usize)>,
        at_start: bool,
        origins: &mut Vec<Origin>,
    ) -> Vec<(Term, Exit)> {
        let store: &TermStore = &self.program.terms;
        let mut ends: Vec<(Term, Exit)> = ends.into_iter().map(|(guard, raw)| (guard, Exit::To(raw))).collect();
        let mut first = !at_start;
        loop {
            ends.retain(|(guard, _)| store.const_bool(*guard) != Some(false));
            let [(guard, Exit::To(raw))] = ends[..] else { return ends };
            let is_call = matches!(self.inlined.blocks[raw].end, RawEnd::Call { .. });
            if !first && (self.ways_in[raw] != 1 || is_call) {
                return ends;
            }
            first = false;
            builder.assumed = guard;
            let block = &self.inlined.blocks[raw];
            origins.extend(block.origin.map(|Begin { procedure, block, .. }| Origin { when: store.bool(true), procedure, block }));
            ends.clear();
            let goes_on = block.statements.iter().all(|statement| self.statement(builder, &statement.kind, statement.loc));
            if !goes_on {
                return ends;
            }
            match &block.end {
                RawEnd::Goto(targets) if targets.len() > 1 => {
                    let choice = builder.input(Sort::Bv(16));
                    let mut rest = builder.assumed;
                    for (number, &target) in targets.iter().enumerate() {
                        let is_last = number + 1 == targets.len();
                        let here = store.eq(choice, store.bv(number as u64, 16));
                        let guard = if is_last { rest } else { store.and(rest, here) };
                        rest = store.and(rest, store.not(here));
                        ends.push((guard, Exit::To(target)));
                    }
                }
                RawEnd::Goto(targets) => ends.extend(targets.iter().map(|&target| (builder.assumed, Exit::To(target)))),
                RawEnd::Guarded(guards) => {
                    for &(guard, target) in guards {
                        ends.push((store.and(builder.assumed, builder.now(guard)), Exit::To(target)));
                    }
                }
                RawEnd::End => {
                    ends.push((builder.assumed, Exit::End));
                    return ends;
                }
                RawEnd::Return => {
                    ends.push((builder.assumed, Exit::Return));
                    return ends;
                }
                RawEnd::Call { after, .. } => {
                    ends.push((builder.assumed, Exit::To(*after)));
                    return ends;
                }
                RawEnd::Bad(kind) => {
                    builder.leave(store.bool(true), kind.clone(), block.loc);
                    return ends;
                }
            }
        }
    }

    /// Whether the block goes on behind the statement.
    fn statement(&mut self, builder: &mut Builder<'_>, kind: &RawKind, loc: Loc) -> bool {
        match kind {
            RawKind::Plain(kind) => return self.plain_statement(builder, kind, loc),
            RawKind::Alloc { object, target, size, zeroed } => {
                return self.allocate(builder, *object, *target, *size, *zeroed, loc);
            }
            RawKind::End { object } => {
                self.notes.insert(Assumption::ObjectsUsedWhileAlive);
                if let Some(made) = self.made(*object) {
                    builder.assign(made, self.program.terms.bool(false));
                }
            }
            RawKind::Save { object, var } => {
                let top = builder.top(*object).map(|top| builder.value(top));
                top.into_iter().for_each(|top| builder.assign(*var, top));
            }
            RawKind::Restore { object, var } => {
                self.notes.insert(Assumption::ObjectsUsedWhileAlive);
                let saved = builder.value(*var);
                builder.top(*object).into_iter().for_each(|top| builder.assign(top, saved));
            }
        }
        true
    }

    fn plain_statement(&mut self, builder: &mut Builder<'_>, kind: &StatementKind, loc: Loc) -> bool {
        use StatementKind as S;
        let store: &TermStore = &self.program.terms;
        match kind {
            S::Assign(pairs) => {
                let values: Vec<(VarId, Term)> = pairs.iter().map(|&(var, term)| (var, builder.now(term))).collect();
                values.into_iter().for_each(|(var, value)| builder.assign(var, value));
                true
            }
            S::Assume(condition) => {
                let condition = builder.now(*condition);
                builder.assume(condition)
            }
            S::Assert { condition, property, message } => {
                let fails = store.not(builder.now(*condition));
                let kind = match self.properties.contains(property) {
                    true => ErrorKind::Violation { property: *property, message: message.clone() },
                    false => ErrorKind::Undefined { property: *property, what: message.clone() },
                };
                builder.leave(fails, kind, loc)
            }
            S::Load { target, pointer, volatile } => {
                let bytes = store.var_sort(*target).width() as u64 / 8;
                let Some(spots) = builder.resolve(*pointer, bytes, loc) else { return false };
                let value = match volatile {
                    true => Some(builder.input(store.var_sort(*target))),
                    false => builder.read(&spots, bytes, loc),
                };
                value.map(|value| builder.assign(*target, value)).is_some()
            }
            S::Store { pointer, value } => {
                let bytes = store.sort(*value).width() as u64 / 8;
                let value = builder.now(*value);
                let Some(spots) = builder.resolve(*pointer, bytes, loc) else { return false };
                builder.write(&spots, bytes, value, loc).is_some()
            }
            S::Copy { target, source, length } => builder.copy(*target, *source, *length, loc).is_some(),
            S::Set { pointer, fill, length } => {
                let byte = match fill {
                    Fill::Byte(byte) => Some(builder.now(*byte)),
                    Fill::Arbitrary(_) => None,
                };
                builder.fill(*pointer, byte, *length, loc).is_some()
            }
            S::Forget { pointer } => {
                builder.forget_through(*pointer);
                true
            }
            S::Free { .. } => {
                self.notes.insert(Assumption::ObjectsUsedWhileAlive);
                true
            }
            S::EndScope { variable } => {
                self.notes.insert(Assumption::ObjectsUsedWhileAlive);
                builder.assign(*variable, store.bv(0, store.var_sort(*variable).width()));
                true
            }
            S::Inspect { .. } => builder.unsupported::<()>("a question about the object of a pointer", loc).is_some(),
            S::ObjectSize { .. } => builder.unsupported::<()>("the size of an object", loc).is_some(),
            S::Unsupported(what) => builder.unsupported::<()>(what, loc).is_some(),
            // Objects are used while they are alive.
            S::Use { .. } => true,
            // Where sections begin and end is known from the blocks.
            S::Thread(ThreadOperation::AtomicBegin(_) | ThreadOperation::Fence(_) | ThreadOperation::AtomicEnd) => true,
            other => match other.control() {
                ControlEffect::Watches => true,
                ControlEffect::Straight if !other.touches_memory() => {
                    for var in other.targets() {
                        let value = builder.input(store.var_sort(var));
                        builder.assign(var, value);
                    }
                    true
                }
                _ => builder.unsupported::<()>("this statement", loc).is_some(),
            },
        }
    }
}
