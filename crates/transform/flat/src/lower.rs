//! From inlined statements to blocks that are parallel assignments. A block goes on into the next one where that has no
//! other way in; checks become exits to places. The values of variables inside a block are terms over its start.

use crate::cells::{Shape, shapes};
use crate::functions::as_maps;
use crate::inline::inline;
use crate::join::Joiner;
use crate::layout;
use crate::objects::{MOST_MEMBERS, ObjectKind, Objects, ROOMS_32, ROOMS_64, Size};
use crate::points_to::{PointsTo, points_to};
use crate::procedures::{Site, call_block, empty_start, procedures_of};
use crate::program::{Block, Edge, Flat, Inputs, NotFlat, Origin, Place, PlaceKind, Target};
use crate::raw::{Inlined, RawEnd, RawKind};
use fathom_base::{FxMap, Loc};
use fathom_ir::{Assumption, Fill, Initializer, MemoryObject, Program, Property, StatementKind};
use fathom_smt::VarSets;
use fathom_term::{Sort, Substitution, Term, TermStore, VarId};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// More bytes than this of an initialised array are given up.
const MOST_INITIAL: u64 = 1 << 16;

/// How much one block holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A block per basic block, or per chain of them.
    Basic,
    /// Small diamonds are part of the block that they start in.
    Joined,
}

/// The program as one graph; violations of these properties are its places, and what else must not be reached.
pub fn flatten(program: &Program, properties: &BTreeSet<Property>, form: Form) -> Result<Flat, NotFlat> {
    let sets = VarSets::default();
    let rooms = if program.layout.pointer_bits >= 64 { ROOMS_64 } else { ROOMS_32 };
    let inlined = inline(program, &sets, rooms[0]);
    let inlined = inlined.or_else(|_| inline(program, &sets, rooms[1])).or_else(|_| inline(program, &sets, rooms[2]))?;
    let mut analysis = points_to(program, &inlined);
    layout::check(program, &inlined, &mut analysis)?;
    let shapes = shapes(&program.terms, &inlined, &mut analysis);
    let mut ways_in = vec![0u32; inlined.blocks.len()];
    ways_in[inlined.entry] += 1;
    for block in &inlined.blocks {
        block.end.targets().into_iter().for_each(|target| ways_in[target] += 1);
    }
    inlined.apart.iter().for_each(|apart| ways_in[apart.entry] += 1);
    let shared = Shared { analysis: RefCell::new(analysis), shapes, places: RefCell::default(), inputs: Inputs::default() };
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
    let Lowering { blocks, notes, .. } = lowering;
    let Shared { places, inputs, .. } = shared;
    let places = places.into_inner();
    let mut blocks: Vec<Block> = blocks.into_iter().flatten().collect();
    as_maps(&program.terms, &inputs, &mut blocks);
    let mut procedures = procedures_of(program, &inlined, &starts, &sets, &inputs, &mut blocks);
    if form == Form::Joined {
        blocks = Joiner { store: &program.terms, sets: &sets, inputs: &inputs }.run(blocks, &mut procedures);
    }
    Ok(Flat { terms: program.terms.clone(), blocks, places, inputs, procedures, assumptions: notes.into_iter().collect(), sets })
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

/// What all blocks need.
struct Shared {
    analysis: RefCell<PointsTo>,
    shapes: Vec<Shape>,
    places: RefCell<Vec<Place>>,
    inputs: Inputs,
}

/// A block in the making.
pub(crate) struct Builder<'b> {
    pub store: &'b TermStore,
    sets: &'b VarSets,
    pub objects: &'b Objects,
    pub points_to: &'b RefCell<PointsTo>,
    pub shapes: &'b [Shape],
    places: &'b RefCell<Vec<Place>>,
    names: &'b Inputs,
    values: FxMap<VarId, Term>,
    order: Vec<VarId>,
    inputs: Vec<Sort>,
    /// Holds as long as the block goes on.
    assumed: Term,
    edges: Vec<Edge>,
}

impl<'b> Builder<'b> {
    pub fn value(&self, var: VarId) -> Term {
        self.values.get(&var).copied().unwrap_or_else(|| self.store.var_term(var))
    }

    pub fn assign(&mut self, var: VarId, value: Term) {
        if self.values.insert(var, value).is_none() {
            self.order.push(var);
        }
    }

    /// A term over the variables here, as one over those at the start of the block.
    pub fn now(&self, term: Term) -> Term {
        let mentioned = self.sets.vars(self.store, term);
        let images = mentioned.into_iter().filter_map(|var| Some((var, *self.values.get(&var)?)));
        Substitution::new(images).apply(self.store, term)
    }

    pub fn input(&mut self, sort: Sort) -> Term {
        let term = self.names.next(self.store, self.inputs.len() as u32, sort);
        self.inputs.push(sort);
        term
    }

    /// Leaves the block for a place under this condition; whether anything is left.
    pub fn leave(&mut self, condition: Term, kind: PlaceKind, loc: Loc) -> bool {
        let guard = self.store.and(self.assumed, condition);
        if self.store.const_bool(guard) != Some(false) {
            let mut places = self.places.borrow_mut();
            places.push(Place { kind, loc });
            self.edges.push(Edge { guard, target: Target::Place(places.len() - 1) });
        }
        self.assume(self.store.not(condition))
    }

    /// Whether anything is left.
    fn assume(&mut self, condition: Term) -> bool {
        self.assumed = self.store.and(self.assumed, condition);
        self.store.const_bool(self.assumed) != Some(false)
    }

    pub fn unsupported<T>(&mut self, what: &str, loc: Loc) -> Option<T> {
        self.leave(self.store.bool(true), PlaceKind::Unsupported(what.to_string()), loc);
        None
    }
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
            let mut places = self.shared.places.borrow_mut();
            places.push(Place { kind: PlaceKind::Within(name.clone()), loc: block.loc });
            let site = Site { procedure: *procedure, args, targets, fails: places.len() - 1, after };
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
            places: &shared.places,
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
        Ok(Block { label, loc, origins, inputs, assigns, edges, call: None })
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
            origins.extend(block.origin.map(|(procedure, block)| Origin { when: store.bool(true), procedure, block }));
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
        use StatementKind as S;
        let store: &TermStore = &self.program.terms;
        let kind = match kind {
            RawKind::Plain(kind) => kind,
            RawKind::Alloc { object, target, size, zeroed } => {
                return self.allocate(builder, *object, *target, *size, *zeroed, loc);
            }
            RawKind::End { object } => {
                self.notes.insert(Assumption::ObjectsUsedWhileAlive);
                if let Some(made) = self.made(*object) {
                    builder.assign(made, store.bool(false));
                }
                return true;
            }
            RawKind::Save { object, var } => {
                let top = builder.top(*object).map(|top| builder.value(top));
                top.into_iter().for_each(|top| builder.assign(*var, top));
                return true;
            }
            RawKind::Restore { object, var } => {
                self.notes.insert(Assumption::ObjectsUsedWhileAlive);
                let saved = builder.value(*var);
                builder.top(*object).into_iter().for_each(|top| builder.assign(top, saved));
                return true;
            }
        };
        match kind {
            S::Assign(pairs) => {
                let values: Vec<(VarId, Term)> = pairs.iter().map(|&(var, term)| (var, builder.now(term))).collect();
                values.into_iter().for_each(|(var, value)| builder.assign(var, value));
                true
            }
            S::Havoc { vars, .. } => {
                for &var in vars {
                    let value = builder.input(store.var_sort(var));
                    builder.assign(var, value);
                }
                true
            }
            S::Assume(condition) => {
                let condition = builder.now(*condition);
                builder.assume(condition)
            }
            S::Assert { condition, property, message } => {
                let fails = store.not(builder.now(*condition));
                let kind = match self.properties.contains(property) {
                    true => PlaceKind::Violation { property: *property, message: message.clone() },
                    false => PlaceKind::Undefined(message.clone()),
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
            S::ObjectSize { .. } => builder.unsupported::<()>("the size of an object", loc).is_some(),
            S::Unsupported(what) => builder.unsupported::<()>(what, loc).is_some(),
            S::Watch(_) | S::Use { .. } => true,
            S::Alloc { .. } | S::Call { .. } | S::Thread(_) => builder.unsupported::<()>("this statement", loc).is_some(),
        }
    }

    // ---- memory

    fn allocate(&mut self, builder: &mut Builder<'_>, at: usize, target: Option<VarId>, size: Term, zeroed: bool, loc: Loc) -> bool {
        let store: &TermStore = &self.program.terms;
        let object = &self.inlined.objects.all[at];
        if let Some(stride) = object.stride {
            return self.allocate_member(builder, at, stride, target, zeroed, loc);
        }
        // One object stands for the statement, so there may be only one at a time; and only one at all on the heap, where
        // an address is not used again.
        let Some(made) = self.made(at) else { return false };
        let again = builder.value(made);
        if !builder.leave(again, PlaceKind::Unsupported("a second object from one allocating statement".to_string()), loc) {
            return false;
        }
        builder.assign(made, store.bool(true));
        if let Size::Variable(var) = object.size {
            let size = builder.now(size);
            let most = self.inlined.objects.largest_variable;
            let too_large = store.bv_ult(store.bv(most, self.inlined.objects.pointer_bits), size);
            if !builder.leave(too_large, PlaceKind::Unsupported(format!("an allocation of more than {most} bytes")), loc) {
                return false;
            }
            builder.assign(var, size);
        }
        match (zeroed, self.shape_of(builder, at)) {
            (false, _) => builder.forget(at, store.bool(true)),
            (true, Shape::Cells(cells) | Shape::Family(cells)) => {
                for cell in cells {
                    builder.assign(
                        cell.var,
                        store.constant(&fathom_term::Value::zero(Sort::Bv(cell.bytes as u32 * 8), store), Sort::Bv(cell.bytes as u32 * 8)),
                    );
                }
            }
            (true, Shape::Array { element, var }) => {
                builder.assign(var, store.const_array(store.var_sort(var), store.bv(0, element as u32 * 8)));
            }
        }
        if let Some(target) = target {
            builder.assign(target, self.inlined.objects.address(store, at));
        }
        true
    }

    /// One more object of a family. Its contents are what the family's arrays had there from the start, since no address of
    /// the heap is used again.
    fn allocate_member(
        &mut self,
        builder: &mut Builder<'_>,
        at: usize,
        stride: u64,
        target: Option<VarId>,
        zeroed: bool,
        loc: Loc,
    ) -> bool {
        let store: &TermStore = &self.program.terms;
        let bits = self.inlined.objects.pointer_bits;
        let Some(top) = builder.top(at) else { return false };
        let (used, all) = (builder.value(top), store.bv(stride * MOST_MEMBERS, bits));
        let full = store.not(store.bv_ult(used, all));
        if !builder.leave(full, PlaceKind::Unsupported(format!("more than {MOST_MEMBERS} objects from one allocating statement")), loc) {
            return false;
        }
        builder.assign(top, store.bv_add(used, store.bv(stride, bits)));
        let address = store.bv_add(self.inlined.objects.address(store, at), used);
        if self.inlined.objects.all[at].is_on_stack() && builder.renew(at, address, used, zeroed, loc).is_none() {
            return false;
        }
        if let Some(target) = target {
            builder.assign(target, address);
        }
        true
    }

    /// No object of a family yet; what they will have is arbitrary, or zero.
    fn start_family(&self, builder: &mut Builder<'_>, at: usize, zeroed: bool) {
        let store: &TermStore = &self.program.terms;
        if let Some(top) = builder.top(at) {
            builder.assign(top, store.bv(0, self.inlined.objects.pointer_bits));
        }
        let arrays = match self.shape_of(builder, at) {
            Shape::Family(cells) | Shape::Cells(cells) => cells.into_iter().map(|cell| (cell.var, cell.bytes)).collect(),
            Shape::Array { element, var } => vec![(var, element)],
        };
        for (var, bytes) in arrays {
            let (sort, element) = (store.var_sort(var), Sort::Bv(bytes as u32 * 8));
            let contents = match zeroed {
                true => store.const_array(sort, store.constant(&fathom_term::Value::zero(element, store), element)),
                false => builder.input(sort),
            };
            builder.assign(var, contents);
        }
    }

    /// The variable that tells whether an object was made and has not ended.
    fn made(&self, at: usize) -> Option<VarId> {
        let store: &TermStore = &self.program.terms;
        let name = format!("made!{}.{at}", self.inlined.objects.all[at].name);
        store.as_var(store.var(&name, Sort::Bool))
    }

    fn shape_of(&self, builder: &Builder<'_>, at: usize) -> Shape {
        builder.shapes[at].clone()
    }

    /// Everything before the first statement; whether the axioms leave anything.
    fn start(&mut self, builder: &mut Builder<'_>) -> Result<bool, NotFlat> {
        let store: &TermStore = &self.program.terms;
        for &var in &self.inlined.arbitrary {
            let value = builder.input(store.var_sort(var));
            builder.assign(var, value);
        }
        for (at, object) in self.inlined.objects.all.iter().enumerate() {
            match object.kind {
                ObjectKind::Global(number) => self.initialise(builder, at, &self.program.objects[number])?,
                ObjectKind::Allocated { zeroed, .. } if object.stride.is_some() => self.start_family(builder, at, zeroed),
                ObjectKind::Allocated { .. } => {
                    if let Some(made) = self.made(at) {
                        builder.assign(made, store.bool(false));
                    }
                }
            }
        }
        for &axiom in &self.program.axioms {
            let axiom = builder.now(axiom);
            if !builder.assume(axiom) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn initialise(&self, builder: &mut Builder<'_>, at: usize, object: &MemoryObject) -> Result<(), NotFlat> {
        let store: &TermStore = &self.program.terms;
        let Initial { bytes, words } = match &object.init {
            Initializer::External => {
                builder.forget(at, store.bool(true));
                return Ok(());
            }
            Initializer::Zero => Initial::default(),
            Initializer::Bytes { bytes, relocations } => {
                let mut ground = Substitution::new(self.inlined.addresses.iter().map(|(&var, &term)| (var, term)));
                let words = relocations.iter().map(|relocation| (relocation.offset, ground.apply(store, relocation.value)));
                Initial { bytes, words: words.collect() }
            }
        };
        let byte = |offset: u64| -> Term {
            let word = words.iter().find(|(start, word)| *start <= offset && offset < start + store.sort(*word).width() as u64 / 8);
            match word {
                Some(&(start, word)) => store.extract(word, (offset - start) as u32 * 8 + 7, (offset - start) as u32 * 8),
                None => store.bv(bytes.get(offset as usize).copied().unwrap_or(0) as u64, 8),
            }
        };
        let range = |start: u64, length: u64| (start + 1..start + length).fold(byte(start), |low, next| store.concat(byte(next), low));
        match self.shape_of(builder, at) {
            Shape::Cells(cells) | Shape::Family(cells) => {
                for cell in cells {
                    builder.assign(cell.var, range(cell.start, cell.bytes));
                }
            }
            Shape::Array { element, var } => {
                let zero = store.bv(0, element as u32 * 8);
                let mut array = store.const_array(store.var_sort(var), zero);
                let length = if bytes.is_empty() && words.is_empty() { 0 } else { object.size };
                if length > MOST_INITIAL {
                    return Err(NotFlat {
                        what: format!("the initial contents of {}, an array of {length} bytes", object.name),
                        loc: object.loc,
                    });
                }
                for start in (0..length).step_by(element as usize) {
                    let value = range(start, element.min(length - start));
                    let value = store.resize_unsigned(value, element as u32 * 8);
                    if value != zero {
                        array = store.store(array, store.bv(start, self.inlined.objects.pointer_bits), value);
                    }
                }
                builder.assign(var, array);
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Initial<'a> {
    bytes: &'a [u8],
    words: Vec<(u64, Term)>,
}
