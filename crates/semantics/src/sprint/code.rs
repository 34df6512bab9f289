//! The code of a sprint: the blocks of one loop as a flat row of steps over numbered registers. Every place of the loop has a
//! register; scratch places get one for each time they are written, which is once in a statement. A statement that a sprint
//! can't do becomes a stop in front of it, where the machine takes over.
//!
//! Calls of small procedures that change nothing but their own variables become part of the loop. Whatever stops in one stops in
//! front of the call: the machine does the call from its start.

use super::kinds::{Kind, Kinds, Objects, Raw, RawCall};
use crate::code::{Action, BlockCode, CalleeCode, Code, End, Expr, Instr, Operand, Place, ProcCode};
use crate::value::{ObjectKey, Val};
use fathom_base::FxMap;
use fathom_term::{Op, Sort};
use smallvec::SmallVec;

pub(super) type Register = u16;

/// Larger loops are left to the machine. No action needs more than six registers, so their numbers suffice.
const MOST_ACTIONS: usize = 4_000;
/// Actions of a procedure that becomes part of a loop, and how many such calls lie in each other.
const MOST_OF_CALLEE: usize = 100;
const DEEPEST_CALL: usize = 4;

/// One operation. Numbers have no bits above their width; `unused` is the number of those.
#[derive(Copy, Clone, Debug)]
pub(super) enum Step {
    Move { to: Register, from: Register },
    Add { to: Register, a: Register, b: Register, unused: u8 },
    Mul { to: Register, a: Register, b: Register, unused: u8 },
    And { to: Register, a: Register, b: Register },
    Or { to: Register, a: Register, b: Register },
    Xor { to: Register, a: Register, b: Register },
    Flip { to: Register, a: Register },
    Eq { to: Register, a: Register, b: Register },
    Below { to: Register, a: Register, b: Register },
    SignedBelow { to: Register, a: Register, b: Register, unused: u8 },
    Choose { to: Register, condition: Register, a: Register, b: Register },
    SignExtend { to: Register, a: Register, unused_before: u8, unused_after: u8 },
    Extract { to: Register, a: Register, low: u8, unused: u8 },
    /// Any other operation, by its number.
    General { to: Register, number: u16 },
    /// Pointers are offsets into the object of their class.
    MovePointer { to: Register, pointer: Register, by: Register },
    PointerBelow { to: Register, a: Register, b: Register, class: u8 },
    Load { to: Register, pointer: Register, bytes: u8, class: u8 },
    Store { pointer: Register, value: Register, bytes: u8, class: u8 },
    /// An assumption or a check, which the machine looks at where it does not hold.
    Require { condition: Register },
    /// The start of a block, by its number among those of the loop.
    Enter { block: u16, statements: u16 },
    EnterHead { block: u16, statements: u16 },
    /// The same in a procedure that is called.
    EnterCalled { block: u16, statements: u16 },
    Call,
    /// A call of something that can't stop.
    Pass,
    Return,
    Jump { to: u16 },
    Branch { condition: Register, block: u16, then: u16, otherwise: u16 },
    /// A comparison and a branch on it.
    BranchEq { to: Register, a: Register, b: Register, block: u16, then: u16, otherwise: u16 },
    BranchBelow { to: Register, a: Register, b: Register, block: u16, then: u16, otherwise: u16 },
    BranchSignedBelow { to: Register, a: Register, b: Register, unused: u8, block: u16, then: u16, otherwise: u16 },
    Switch { value: Register, number: u16 },
    /// Leaves the loop for this block of the procedure.
    Exit { to: u32 },
    /// The machine takes over.
    Stop,
}

#[derive(Debug)]
pub(super) struct GeneralOperation {
    pub op: Op,
    pub sort: Sort,
    pub operand: Sort,
    pub args: SmallVec<[Register; 4]>,
}

#[derive(Debug)]
pub(super) struct Switch {
    pub table: FxMap<u64, u16>,
    pub default: u16,
}

/// A loop, ready to run.
#[derive(Debug)]
pub(super) struct Track {
    pub steps: Vec<Step>,
    /// The block of each step, and the first action of its statement.
    pub origins: Vec<(u32, u32)>,
    /// The first step behind the entry of the head.
    pub start: usize,
    /// Places and what they must hold at the start; their register is their index here.
    pub places: Vec<(Place, Kind)>,
    pub constants: Vec<(Register, u64)>,
    pub general: Vec<GeneralOperation>,
    pub switches: Vec<Switch>,
    /// The blocks of the loop, and of what it calls, with their procedures.
    pub blocks: Vec<(u32, u32)>,
    /// How many of them are the loop's own.
    pub own_blocks: usize,
    pub classes: Vec<Class>,
}

/// Pointers into one object.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// The object, if the code names it.
    pub object: Option<ObjectKey>,
    pub reads: bool,
    pub writes: bool,
}

impl Track {
    /// The loop with this head; `value` is what the places hold now. None if it is too large.
    pub fn of(code: &Code, proc: u32, head: u32, value: impl Fn(Place) -> Val) -> Option<Track> {
        let own = &code.procs[proc as usize];
        let blocks: Vec<u32> = (0..own.blocks.len() as u32).filter(|&b| own.blocks[b as usize].loops.contains(&head)).collect();
        let mut reader = Reader {
            code,
            proc,
            registers: Vec::new(),
            kinds: Vec::new(),
            constants: Vec::new(),
            objects: Objects::default(),
            calls: Vec::new(),
            actions: 0,
            value,
        };
        let raw: Option<Vec<Vec<RawStatement>>> = blocks.iter().map(|&b| reader.block(&own.blocks[b as usize], &mut None)).collect();
        let raw = raw?;
        let all: Vec<&Raw> = raw.iter().flatten().flat_map(|statement| &statement.raw).chain(reader.calls.iter().flat_map(RawCall::raw)).collect();
        let kinds = Kinds::of(reader.kinds, &all);
        let places = places_first(&reader.registers);
        let number = |register: Register| places.new_numbers[register as usize];
        let mut writer = Writer {
            code,
            track: Track {
                steps: Vec::new(),
                origins: Vec::new(),
                start: 0,
                places: places.places.iter().map(|&(register, place)| (place, kinds.start(register))).collect(),
                constants: reader.constants.iter().map(|&(register, bits)| (number(register), bits)).collect(),
                general: Vec::new(),
                switches: Vec::new(),
                blocks: blocks.iter().map(|&block| (proc, block)).collect(),
                own_blocks: blocks.len(),
                classes: reader.objects.named.iter().map(|&object| Class { object, ..Class::default() }).collect(),
            },
            calls: &reader.calls,
            kinds,
            numbers: &places.new_numbers,
            starts: FxMap::default(),
            labels: u16::try_from(own.blocks.len()).ok()?,
        };
        for (index, (&block, statements)) in blocks.iter().zip(&raw).enumerate() {
            if block == head {
                writer.track.start = writer.track.steps.len() + 1;
            }
            writer.block(block, index, &own.blocks[block as usize], statements)?;
        }
        writer.finish()
    }
}

/// The registers of scratch places in one statement.
type Temps = FxMap<u32, Register>;

/// What one statement does, in registers.
pub(super) struct RawStatement {
    /// Its first action.
    start: u32,
    pub raw: Vec<Raw>,
    /// The register that the end of the block looks at.
    looked_at: Option<Register>,
}

/// A procedure that is being read as part of the loop.
struct Called {
    proc: u32,
    depth: usize,
    /// Registers of its variables.
    locals: Vec<Option<Register>>,
}

struct Reader<'a, F> {
    code: &'a Code,
    proc: u32,
    /// The place of each register, if it is more than scratch.
    registers: Vec<Option<Place>>,
    kinds: Vec<Kind>,
    constants: Vec<(Register, u64)>,
    objects: Objects,
    calls: Vec<RawCall>,
    /// Read so far.
    actions: usize,
    value: F,
}

impl<F: Fn(Place) -> Val> Reader<'_, F> {
    /// None if all that was read is too much.
    fn block(&mut self, block: &BlockCode, called: &mut Option<Called>) -> Option<Vec<RawStatement>> {
        self.actions += block.actions.len() + 2;
        if self.actions > MOST_ACTIONS {
            return None;
        }
        let mut statements: Vec<RawStatement> = Vec::new();
        let mut temps = Temps::default();
        for (index, &start) in block.starts.iter().enumerate() {
            if statements.last().is_none_or(|last| last.start != start) {
                temps.clear();
                statements.push(RawStatement { start, raw: Vec::new(), looked_at: None });
            }
            let (raw, looked_at) = match block.actions.get(index) {
                Some(action) => (self.action(action, &mut temps, called)?, None),
                None => match &block.end {
                    End::Branch { condition: looked_at, .. } | End::Switch { value: looked_at, .. } => {
                        (None, self.operand(looked_at.operand, &temps, called))
                    }
                    _ => (None, None),
                },
            };
            if let Some(statement) = statements.last_mut() {
                statement.raw.extend(raw);
                statement.looked_at = looked_at;
            }
        }
        Some(statements)
    }

    /// What it does, if anything; no answer where all that was read is too much.
    fn action(&mut self, action: &Action, temps: &mut Temps, called: &mut Option<Called>) -> Option<Option<Raw>> {
        let raw = match action {
            Action::Settle { .. } | Action::Watch { .. } => return Some(None),
            Action::Compute(instr) => self.compute(instr, temps, called),
            Action::Move { target, source } => self
                .operand(*source, temps, called)
                .and_then(|from| Some(Raw::Move { to: self.target(*target, temps, called)?, from })),
            Action::Assume(condition) | Action::Assert { condition, quantified: false, .. } => {
                self.operand(condition.operand, temps, called).map(|condition| Raw::Require { condition })
            }
            Action::Load { target, pointer, bytes: bytes @ 1..=8, volatile: false } => self
                .operand(pointer.operand, temps, called)
                .and_then(|pointer| Some(Raw::Load { to: self.target(*target, temps, called)?, pointer, bytes: *bytes as u8 })),
            Action::Store { pointer, value } if called.is_none() && value.sort.is_small() && value.sort.width().is_multiple_of(8) => {
                let (to, value_in) = (self.operand(pointer.operand, temps, called), self.operand(value.operand, temps, called));
                to.zip(value_in).map(|(pointer, from)| Raw::Store { pointer, value: from, bytes: (value.sort.width() / 8) as u8 })
            }
            Action::Call { targets, callee: CalleeCode::Direct(proc), args, .. } if self.can_be_part(*proc, targets, args, called) => {
                self.call(*proc, targets, args, temps, called)?
            }
            _ => None,
        };
        Some(Some(raw.unwrap_or(Raw::Stop)))
    }

    /// Whether a call does nothing but compute results.
    fn can_be_part(&self, proc: u32, targets: &[Place], args: &[Expr], called: &Option<Called>) -> bool {
        let callee = &self.code.procs[proc as usize];
        let caller = &self.code.procs[called.as_ref().map_or(self.proc, |called| called.proc) as usize];
        let sort = |place: &Place| match place {
            Place::Local(slot) => Some(caller.local_sorts[*slot as usize]),
            Place::Global(slot) => Some(self.code.global_sorts[*slot as usize]),
            Place::Temp(_) => None,
        };
        // Where they don't the machine converts values.
        let sorts_fit = callee.params.iter().zip(args).all(|(&param, arg)| callee.local_sorts[param as usize] == arg.sort)
            && targets.iter().zip(&callee.results).all(|(target, &result)| sort(target) == Some(callee.local_sorts[result as usize]));
        callee.has_body
            && !callee.may_recurse
            && callee.variadic.is_none()
            && callee.unset.is_empty()
            && callee.params.len() <= args.len()
            && callee.results.len() >= targets.len()
            && sorts_fit
            && called.as_ref().map_or(0, |called| called.depth) < DEEPEST_CALL
            && callee.blocks.iter().map(|block| block.actions.len() + 1).sum::<usize>() <= MOST_OF_CALLEE
            && !callee.blocks.iter().any(|block| block.is_loop_head)
    }

    fn call(&mut self, proc: u32, targets: &[Place], args: &[Expr], temps: &mut Temps, called: &mut Option<Called>) -> Option<Option<Raw>> {
        let callee = &self.code.procs[proc as usize];
        let args: Option<Vec<Register>> = args.iter().map(|arg| self.operand(arg.operand, temps, called)).collect();
        let Some(args) = args else { return Some(None) };
        let depth = called.as_ref().map_or(0, |called| called.depth) + 1;
        let mut inside = Some(Called { proc, depth, locals: vec![None; callee.local_sorts.len()] });
        let enter: Option<Vec<Raw>> = callee
            .params
            .iter()
            .zip(args)
            .map(|(&param, from)| Some(Raw::Move { to: self.target(Place::Local(param), &mut Temps::default(), &mut inside)?, from }))
            .collect();
        let blocks: Option<Vec<Vec<RawStatement>>> = callee.blocks.iter().map(|block| self.block(block, &mut inside)).collect();
        let blocks = blocks?;
        let leave: Option<Vec<Raw>> = targets
            .iter()
            .zip(&callee.results)
            .map(|(&target, &result)| {
                let from = self.operand(Operand::Place(Place::Local(result)), &Temps::default(), &mut inside)?;
                Some(Raw::Move { to: self.target(target, temps, called)?, from })
            })
            .collect();
        let (Some(enter), Some(leave)) = (enter, leave) else { return Some(None) };
        self.calls.push(RawCall { proc, enter, blocks, leave });
        Some(Some(Raw::Call { number: self.calls.len() - 1 }))
    }

    fn compute(&mut self, instr: &Instr, temps: &mut Temps, called: &mut Option<Called>) -> Option<Raw> {
        let is_small = |sort: &Sort| sort.has_small_constants();
        if instr.args.len() > 4 || !is_small(&instr.sort) || !instr.sorts.iter().all(is_small) {
            return None;
        }
        let args: Option<SmallVec<[Register; 4]>> = instr.args.iter().map(|&arg| self.operand(arg, temps, called)).collect();
        let args = args?;
        let to = self.target(instr.target, temps, called)?;
        Some(Raw::Compute { op: instr.op, sort: instr.sort, operand: instr.operand, to, args })
    }

    fn operand(&mut self, operand: Operand, temps: &Temps, called: &mut Option<Called>) -> Option<Register> {
        match operand {
            Operand::Place(Place::Temp(slot)) => temps.get(&slot).copied(),
            Operand::Place(Place::Local(slot)) if called.is_some() => Some(self.local_of_callee(slot, called)),
            Operand::Place(place) => Some(self.place(place)),
            Operand::Value(Val::Bits(bits)) => {
                let register = self.add(None, Kind::Number);
                self.constants.push((register, bits));
                Some(register)
            }
            Operand::Value(Val::Pointer { object, offset }) => {
                let class = self.objects.named_class(object)?;
                let register = self.add(None, Kind::Pointer(class));
                self.constants.push((register, offset as u64));
                Some(register)
            }
            Operand::Value(Val::Term(_)) => None,
        }
    }

    fn target(&mut self, place: Place, temps: &mut Temps, called: &mut Option<Called>) -> Option<Register> {
        match place {
            Place::Temp(slot) => {
                let register = self.add(None, Kind::Unset);
                temps.insert(slot, register);
                Some(register)
            }
            Place::Local(slot) if called.is_some() => Some(self.local_of_callee(slot, called)),
            // The call may have to be done again from its start.
            Place::Global(_) if called.is_some() => None,
            place => Some(self.place(place)),
        }
    }

    fn local_of_callee(&mut self, slot: u32, called: &mut Option<Called>) -> Register {
        let known = called.as_ref().and_then(|called| called.locals[slot as usize]);
        known.unwrap_or_else(|| {
            let register = self.add(None, Kind::Unset);
            if let Some(called) = called {
                called.locals[slot as usize] = Some(register);
            }
            register
        })
    }

    fn place(&mut self, place: Place) -> Register {
        if let Some(known) = self.registers.iter().position(|&known| known == Some(place)) {
            return known as Register;
        }
        let kind = match (self.value)(place) {
            Val::Bits(_) => Kind::Number,
            Val::Pointer { object, .. } => self.objects.class(object).map_or(Kind::Mixed, Kind::Pointer),
            Val::Term(_) => Kind::Mixed,
        };
        self.add(Some(place), kind)
    }

    fn add(&mut self, place: Option<Place>, kind: Kind) -> Register {
        self.registers.push(place);
        self.kinds.push(kind);
        (self.registers.len() - 1) as Register
    }
}

struct PlacesFirst {
    places: Vec<(Register, Place)>,
    new_numbers: Vec<Register>,
}

/// Numbers registers so that those of places come first.
fn places_first(registers: &[Option<Place>]) -> PlacesFirst {
    let places: Vec<(Register, Place)> = registers.iter().enumerate().filter_map(|(r, place)| Some((r as Register, (*place)?))).collect();
    let scratch = (0..registers.len()).filter(|&r| registers[r].is_none()).map(|r| r as Register);
    let mut new_numbers = vec![0; registers.len()];
    for (new, old) in places.iter().map(|(r, _)| *r).chain(scratch).enumerate() {
        new_numbers[old as usize] = new as Register;
    }
    PlacesFirst { places, new_numbers }
}

struct Writer<'a> {
    code: &'a Code,
    track: Track,
    calls: &'a [RawCall],
    kinds: Kinds,
    numbers: &'a [Register],
    /// The steps at which labels are. The blocks of the loop's procedure are their own labels.
    starts: FxMap<u16, u16>,
    /// The next label.
    labels: u16,
}

/// Where the blocks of a call are.
struct Surroundings {
    /// What stops inside stops here.
    origin: (u32, u32),
    first_label: u16,
    first_block: usize,
    behind: u16,
}

/// Targets of jumps are labels until all are placed.
impl Writer<'_> {
    fn block(&mut self, number: u32, index: usize, block: &BlockCode, statements: &[RawStatement]) -> Option<()> {
        let (index, count) = (u16::try_from(index).ok()?, u16::try_from(block.actions.len() + 1).ok()?);
        self.place_label(number as u16);
        let enter = match block.is_loop_head {
            true => Step::EnterHead { block: index, statements: count },
            false => Step::Enter { block: index, statements: count },
        };
        self.emit(enter, (number, 0));
        self.statements(index, block, statements, None, |start| (number, start))
    }

    /// None if something is too large.
    fn statements(
        &mut self,
        index: u16,
        block: &BlockCode,
        statements: &[RawStatement],
        around: Option<&Surroundings>,
        origin: impl Fn(u32) -> (u32, u32),
    ) -> Option<()> {
        for statement in statements {
            let origin = origin(statement.start);
            let is_end = statement.start as usize + statement_length(block, statement.start) > block.actions.len();
            let end = if is_end { self.end(index, block, statement, around) } else { None };
            if !statement.raw.iter().all(|raw| self.suits(raw)) || (is_end && end.is_none()) {
                self.emit(Step::Stop, origin);
                return Some(());
            }
            for raw in &statement.raw {
                match raw {
                    Raw::Call { number } => self.call(*number, origin, around.is_none())?,
                    raw => {
                        let step = self.step(raw)?;
                        self.emit(step, origin);
                    }
                }
            }
            end.into_iter().for_each(|end| self.emit(end, origin));
        }
        Some(())
    }

    fn suits(&self, raw: &Raw) -> bool {
        match raw {
            Raw::Call { number } => self.calls[*number].enter.iter().chain(&self.calls[*number].leave).all(|raw| self.kinds.suit(raw)),
            raw => self.kinds.suit(raw),
        }
    }

    fn call(&mut self, number: usize, origin: (u32, u32), is_outermost: bool) -> Option<()> {
        let call = &self.calls[number];
        let callee: &ProcCode = &self.code.procs[call.proc as usize];
        let count = u16::try_from(callee.blocks.len()).ok()?;
        let behind = self.labels.checked_add(count)?;
        let around = Surroundings { origin, first_label: self.labels, first_block: self.track.blocks.len(), behind };
        self.labels = behind.checked_add(1)?;
        self.track.blocks.extend((0..count).map(|block| (call.proc, block as u32)));
        let first_step = self.track.steps.len();
        if is_outermost {
            self.emit(Step::Call, origin);
        }
        for raw in &call.enter {
            let step = self.step(raw)?;
            self.emit(step, origin);
        }
        self.emit(Step::Jump { to: around.first_label + callee.entry as u16 }, origin);
        for (at, (block, statements)) in callee.blocks.iter().zip(&call.blocks).enumerate() {
            let (index, length) = (u16::try_from(around.first_block + at).ok()?, u16::try_from(block.actions.len() + 1).ok()?);
            self.place_label(around.first_label + at as u16);
            self.emit(Step::EnterCalled { block: index, statements: length }, origin);
            self.statements(index, block, statements, Some(&around), |_| around.origin)?;
        }
        self.place_label(around.behind);
        for raw in &call.leave {
            let step = self.step(raw)?;
            self.emit(step, origin);
        }
        let called = &mut self.track.steps[first_step..];
        let can_stop = |step: &Step| matches!(step, Step::Stop | Step::Require { .. } | Step::Load { .. } | Step::General { .. });
        if is_outermost && called.iter().any(can_stop) {
            self.emit(Step::Return, origin);
        } else if is_outermost {
            for step in called {
                match *step {
                    Step::Call => *step = Step::Pass,
                    Step::EnterCalled { block, statements } => *step = Step::Enter { block, statements },
                    _ => {}
                }
            }
        }
        Some(())
    }

    fn emit(&mut self, step: Step, origin: (u32, u32)) {
        if let (Step::Branch { condition, block, then, otherwise }, Some(last)) = (step, self.track.steps.last_mut()) {
            // Every block begins with a step of its own, so nobody comes in between.
            match *last {
                Step::Eq { to, a, b } if to == condition => return *last = Step::BranchEq { to, a, b, block, then, otherwise },
                Step::Below { to, a, b } if to == condition => return *last = Step::BranchBelow { to, a, b, block, then, otherwise },
                Step::SignedBelow { to, a, b, unused } if to == condition => {
                    return *last = Step::BranchSignedBelow { to, a, b, unused, block, then, otherwise };
                }
                _ => {}
            }
        }
        self.track.steps.push(step);
        self.track.origins.push(origin);
    }

    /// The next step is the first one of this label.
    fn place_label(&mut self, label: u16) {
        if matches!(self.track.steps.last(), Some(Step::Jump { to }) if *to == label) {
            self.track.steps.pop();
            self.track.origins.pop();
        }
        self.starts.insert(label, self.track.steps.len() as u16);
    }

    fn end(&mut self, index: u16, block: &BlockCode, statement: &RawStatement, around: Option<&Surroundings>) -> Option<Step> {
        let looked_at = || {
            let register = statement.looked_at?;
            (self.kinds.of_register(register) == Kind::Number).then(|| self.numbers[register as usize])
        };
        let label = |block: u32| around.map_or(block as u16, |around| around.first_label + block as u16);
        match (&block.end, around) {
            (End::Goto(targets), _) => match targets.as_slice() {
                [only] => Some(Step::Jump { to: label(*only) }),
                _ => None,
            },
            (End::Branch { then, otherwise, .. }, _) => {
                Some(Step::Branch { condition: looked_at()?, block: index, then: label(*then), otherwise: label(*otherwise) })
            }
            (End::Switch { table, default, .. }, _) => {
                let value = looked_at()?;
                let number = u16::try_from(self.track.switches.len()).ok()?;
                let table = table.iter().map(|(&bits, &target)| (bits, label(target))).collect();
                self.track.switches.push(Switch { table, default: label(*default) });
                Some(Step::Switch { value, number })
            }
            (End::Return, Some(around)) => Some(Step::Jump { to: around.behind }),
            (End::Return | End::Stop(_) | End::Unsupported(_), _) => None,
        }
    }

    fn step(&mut self, raw: &Raw) -> Option<Step> {
        let n = |register: &Register| self.numbers[*register as usize];
        let class = |register: &Register| match self.kinds.of_register(*register) {
            Kind::Pointer(class) => Some(class),
            _ => None,
        };
        Some(match raw {
            Raw::Stop | Raw::Call { .. } => return None,
            Raw::Move { to, from } => Step::Move { to: n(to), from: n(from) },
            Raw::Require { condition } => Step::Require { condition: n(condition) },
            Raw::Load { to, pointer, bytes } => {
                let class = class(pointer)?;
                self.track.classes[class as usize].reads = true;
                Step::Load { to: n(to), pointer: n(pointer), bytes: *bytes, class }
            }
            Raw::Store { pointer, value, bytes } => {
                let class = class(pointer)?;
                self.track.classes[class as usize].writes = true;
                Step::Store { pointer: n(pointer), value: n(value), bytes: *bytes, class }
            }
            Raw::Compute { op, sort, operand, to, args } => {
                let to = n(to);
                let registers: SmallVec<[Register; 4]> = args.iter().map(n).collect();
                let unused = match operand {
                    Sort::Bv(width) => 64 - *width as u8,
                    _ => 0,
                };
                match (op, registers.as_slice(), args.iter().map(class).collect::<SmallVec<[_; 4]>>().as_slice()) {
                    (Op::BvAdd, &[pointer, by], [Some(_), None]) | (Op::BvAdd, &[by, pointer], [None, Some(_)]) => Step::MovePointer { to, pointer, by },
                    (Op::BvUlt, &[a, b], [Some(class), _]) => {
                        self.track.classes[*class as usize].reads = true;
                        Step::PointerBelow { to, a, b, class: *class }
                    }
                    (Op::BvAdd, &[a, b], _) => Step::Add { to, a, b, unused },
                    (Op::BvMul, &[a, b], _) => Step::Mul { to, a, b, unused },
                    (Op::And | Op::BvAnd, &[a, b], _) => Step::And { to, a, b },
                    (Op::Or | Op::BvOr, &[a, b], _) => Step::Or { to, a, b },
                    (Op::Xor | Op::BvXor, &[a, b], _) => Step::Xor { to, a, b },
                    (Op::Not, &[a], _) => Step::Flip { to, a },
                    (Op::Eq, &[a, b], _) => Step::Eq { to, a, b },
                    (Op::BvUlt, &[a, b], _) => Step::Below { to, a, b },
                    (Op::BvSlt, &[a, b], _) => Step::SignedBelow { to, a, b, unused },
                    (Op::IntLt, &[a, b], _) => Step::SignedBelow { to, a, b, unused: 0 },
                    (Op::Ite, &[condition, a, b], _) => Step::Choose { to, condition, a, b },
                    (Op::BvZeroExtend(_), &[a], _) => Step::Move { to, from: a },
                    (Op::BvSignExtend(width), &[a], _) => Step::SignExtend { to, a, unused_before: unused, unused_after: 64 - *width as u8 },
                    (Op::BvExtract { high, low }, &[a], _) => Step::Extract { to, a, low: *low as u8, unused: 64 - (high - low + 1) as u8 },
                    _ => {
                        let number = u16::try_from(self.track.general.len()).ok()?;
                        self.track.general.push(GeneralOperation { op: *op, sort: *sort, operand: *operand, args: registers });
                        Step::General { to, number }
                    }
                }
            }
        })
    }

    /// Labels become steps; a block outside the loop gets a step that leaves for it. None if there are too many steps.
    fn finish(self) -> Option<Track> {
        let Writer { mut track, mut starts, .. } = self;
        let mut steps = std::mem::take(&mut track.steps);
        let mut exits = Vec::new();
        let count = steps.len();
        let mut place = |label: &mut u16| {
            *label = *starts.entry(*label).or_insert_with(|| {
                exits.push(Step::Exit { to: *label as u32 });
                (count + exits.len() - 1) as u16
            });
        };
        for step in &mut steps {
            match step {
                Step::Jump { to } => place(to),
                Step::Branch { then, otherwise, .. }
                | Step::BranchEq { then, otherwise, .. }
                | Step::BranchBelow { then, otherwise, .. }
                | Step::BranchSignedBelow { then, otherwise, .. } => [then, otherwise].into_iter().for_each(&mut place),
                _ => {}
            }
        }
        for switch in &mut track.switches {
            switch.table.values_mut().chain([&mut switch.default]).for_each(&mut place);
        }
        steps.append(&mut exits);
        track.origins.resize(steps.len(), (0, 0));
        track.steps = steps;
        (track.steps.len() <= u16::MAX as usize).then_some(track)
    }
}

/// Actions of the statement that begins here; the end of the block counts as one.
fn statement_length(block: &BlockCode, start: u32) -> usize {
    block.starts[start as usize..].iter().take_while(|&&first| first == start).count()
}
