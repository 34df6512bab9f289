//! The code of a sprint: the blocks of one loop as a flat row of steps over numbered registers. Every place of the loop has a
//! register; scratch places get one for each time they are written, which is once in a statement. A statement that a sprint
//! can't do becomes a stop in front of it, where the machine takes over.

use super::kinds::{Kind, Kinds, Objects, Raw};
use crate::code::{Action, BlockCode, End, Instr, Operand, Place, ProcCode};
use crate::value::{ObjectKey, Val};
use fathom_base::FxMap;
use fathom_term::{Op, Sort};
use smallvec::SmallVec;

pub(super) type Register = u16;

/// Larger loops are left to the machine. No action needs more than six registers, so their numbers suffice.
const MOST_ACTIONS: usize = 4_000;

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
    Jump { to: u32 },
    Branch { condition: Register, block: u16, then: u32, otherwise: u32 },
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
    pub table: FxMap<u64, u32>,
    pub default: u32,
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
    /// The blocks of the loop.
    pub blocks: Vec<u32>,
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
    pub fn of(proc: &ProcCode, head: u32, value: impl Fn(Place) -> Val) -> Option<Track> {
        let blocks: Vec<u32> = (0..proc.blocks.len() as u32).filter(|&b| proc.blocks[b as usize].loops.contains(&head)).collect();
        let actions: usize = blocks.iter().map(|&b| proc.blocks[b as usize].actions.len() + 2).sum();
        if actions > MOST_ACTIONS {
            return None;
        }
        let mut reader = Reader { registers: Vec::new(), kinds: Vec::new(), constants: Vec::new(), objects: Objects::default(), value };
        let raw: Vec<Vec<RawStatement>> = blocks.iter().map(|&b| reader.block(&proc.blocks[b as usize])).collect();
        let kinds = Kinds::of(reader.kinds, raw.iter().flatten().flat_map(|statement| &statement.raw));
        let places = places_first(&reader.registers);
        let number = |register: Register| places.new_numbers[register as usize];
        let mut writer = Writer {
            track: Track {
                steps: Vec::new(),
                origins: Vec::new(),
                start: 0,
                places: places.places.iter().map(|&(register, place)| (place, kinds.start(register))).collect(),
                constants: reader.constants.iter().map(|&(register, bits)| (number(register), bits)).collect(),
                general: Vec::new(),
                switches: Vec::new(),
                blocks: blocks.clone(),
                classes: reader.objects.named.iter().map(|&object| Class { object, ..Class::default() }).collect(),
            },
            kinds,
            numbers: &places.new_numbers,
            exits: Vec::new(),
        };
        let mut starts = FxMap::default();
        for (index, (&block, statements)) in blocks.iter().zip(&raw).enumerate() {
            starts.insert(block, writer.track.steps.len() as u32);
            if block == head {
                writer.track.start = writer.track.steps.len() + 1;
            }
            writer.block(block, index as u16, &proc.blocks[block as usize], statements)?;
        }
        writer.finish(&starts)
    }
}

/// What one statement does, in registers.
pub(super) struct RawStatement {
    /// Its first action.
    start: u32,
    raw: Vec<Raw>,
    /// The register that the end of the block looks at.
    looked_at: Option<Register>,
}

struct Reader<F> {
    /// The place of each register, if it is more than scratch.
    registers: Vec<Option<Place>>,
    kinds: Vec<Kind>,
    constants: Vec<(Register, u64)>,
    objects: Objects,
    value: F,
}

impl<F: Fn(Place) -> Val> Reader<F> {
    fn block(&mut self, block: &BlockCode) -> Vec<RawStatement> {
        let mut statements: Vec<RawStatement> = Vec::new();
        let mut temps: FxMap<u32, Register> = FxMap::default();
        for (index, &start) in block.starts.iter().enumerate() {
            if statements.last().is_none_or(|last| last.start != start) {
                temps.clear();
                statements.push(RawStatement { start, raw: Vec::new(), looked_at: None });
            }
            let (raw, looked_at) = match block.actions.get(index) {
                Some(action) => (self.action(action, &mut temps), None),
                None => match &block.end {
                    End::Branch { condition: looked_at, .. } | End::Switch { value: looked_at, .. } => {
                        (None, self.operand(looked_at.operand, &temps))
                    }
                    _ => (None, None),
                },
            };
            if let Some(statement) = statements.last_mut() {
                statement.raw.extend(raw);
                statement.looked_at = looked_at;
            }
        }
        statements
    }

    /// None where there is nothing to do.
    fn action(&mut self, action: &Action, temps: &mut FxMap<u32, Register>) -> Option<Raw> {
        let raw = match action {
            Action::Settle { .. } | Action::Watch { .. } => return None,
            Action::Compute(instr) => self.compute(instr, temps),
            Action::Move { target, source } => self.operand(*source, temps).map(|from| Raw::Move { to: self.target(*target, temps), from }),
            Action::Assume(condition) | Action::Assert { condition, quantified: false, .. } => {
                self.operand(condition.operand, temps).map(|condition| Raw::Require { condition })
            }
            Action::Load { target, pointer, bytes: bytes @ 1..=8, volatile: false } => self
                .operand(pointer.operand, temps)
                .map(|pointer| Raw::Load { to: self.target(*target, temps), pointer, bytes: *bytes as u8 }),
            Action::Store { pointer, value } if value.sort.is_small() && value.sort.width().is_multiple_of(8) => {
                let (to, value_in) = (self.operand(pointer.operand, temps), self.operand(value.operand, temps));
                to.zip(value_in).map(|(pointer, from)| Raw::Store { pointer, value: from, bytes: (value.sort.width() / 8) as u8 })
            }
            _ => None,
        };
        Some(raw.unwrap_or(Raw::Stop))
    }

    fn compute(&mut self, instr: &Instr, temps: &mut FxMap<u32, Register>) -> Option<Raw> {
        let is_small = |sort: &Sort| sort.has_small_constants();
        if instr.args.len() > 4 || !is_small(&instr.sort) || !instr.sorts.iter().all(is_small) {
            return None;
        }
        let args: Option<SmallVec<[Register; 4]>> = instr.args.iter().map(|&arg| self.operand(arg, temps)).collect();
        let args = args?;
        let to = self.target(instr.target, temps);
        Some(Raw::Compute { op: instr.op, sort: instr.sort, operand: instr.operand, to, args })
    }

    fn operand(&mut self, operand: Operand, temps: &FxMap<u32, Register>) -> Option<Register> {
        match operand {
            Operand::Place(Place::Temp(slot)) => temps.get(&slot).copied(),
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

    fn target(&mut self, place: Place, temps: &mut FxMap<u32, Register>) -> Register {
        match place {
            Place::Temp(slot) => {
                let register = self.add(None, Kind::Unset);
                temps.insert(slot, register);
                register
            }
            place => self.place(place),
        }
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
    track: Track,
    kinds: Kinds,
    numbers: &'a [Register],
    /// Jumps out of the loop get a step of their own: the steps that jump there name it from here on.
    exits: Vec<u32>,
}

/// Targets of jumps are blocks until all are placed.
impl Writer<'_> {
    fn block(&mut self, number: u32, index: u16, block: &BlockCode, statements: &[RawStatement]) -> Option<()> {
        let count = u16::try_from(block.actions.len() + 1).ok()?;
        let enter = if block.is_loop_head { Step::EnterHead { block: index, statements: count } } else { Step::Enter { block: index, statements: count } };
        self.emit(enter, (number, 0));
        for statement in statements {
            let origin = (number, statement.start);
            let is_end = statement.start as usize + statement_length(block, statement.start) > block.actions.len();
            let steps: Option<Vec<Step>> = statement.raw.iter().map(|raw| self.step(raw)).collect();
            let end = if is_end { Some(self.end(index, block, statement)) } else { None };
            match (steps, end) {
                (Some(steps), None) => steps.into_iter().for_each(|step| self.emit(step, origin)),
                (Some(steps), Some(Some(end))) => steps.into_iter().chain([end]).for_each(|step| self.emit(step, origin)),
                _ => {
                    self.emit(Step::Stop, origin);
                    return Some(());
                }
            }
        }
        Some(())
    }

    fn emit(&mut self, step: Step, origin: (u32, u32)) {
        self.track.steps.push(step);
        self.track.origins.push(origin);
    }

    fn end(&mut self, index: u16, block: &BlockCode, statement: &RawStatement) -> Option<Step> {
        let looked_at = || {
            let register = statement.looked_at?;
            (self.kinds.of_register(register) == Kind::Number).then(|| self.numbers[register as usize])
        };
        match &block.end {
            End::Goto(targets) => match targets.as_slice() {
                [only] => Some(Step::Jump { to: *only }),
                _ => None,
            },
            End::Branch { then, otherwise, .. } => Some(Step::Branch { condition: looked_at()?, block: index, then: *then, otherwise: *otherwise }),
            End::Switch { table, default, .. } => {
                let value = looked_at()?;
                let number = u16::try_from(self.track.switches.len()).ok()?;
                self.track.switches.push(Switch { table: table.clone(), default: *default });
                Some(Step::Switch { value, number })
            }
            End::Return | End::Stop(_) | End::Unsupported(_) => None,
        }
    }

    fn step(&mut self, raw: &Raw) -> Option<Step> {
        if !self.kinds.suit(raw) {
            return None;
        }
        let n = |register: &Register| self.numbers[*register as usize];
        let class = |register: &Register| match self.kinds.of_register(*register) {
            Kind::Pointer(class) => Some(class),
            _ => None,
        };
        Some(match raw {
            Raw::Stop => return None,
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

    /// Blocks become steps; one outside the loop gets a step that leaves for it.
    fn finish(mut self, starts: &FxMap<u32, u32>) -> Option<Track> {
        let mut steps = std::mem::take(&mut self.track.steps);
        let count = steps.len() as u32;
        let mut place = |block: &mut u32| {
            *block = starts.get(block).copied().unwrap_or_else(|| {
                let known = self.exits.iter().position(|exit| exit == block);
                count + known.unwrap_or_else(|| {
                    self.exits.push(*block);
                    self.exits.len() - 1
                }) as u32
            });
        };
        for step in &mut steps {
            match step {
                Step::Jump { to } => place(to),
                Step::Branch { then, otherwise, .. } => [then, otherwise].into_iter().for_each(&mut place),
                _ => {}
            }
        }
        for switch in &mut self.track.switches {
            switch.table.values_mut().chain([&mut switch.default]).for_each(&mut place);
        }
        let exits = self.exits.iter().map(|&to| Step::Exit { to });
        steps.extend(exits);
        self.track.origins.resize(steps.len(), (0, 0));
        self.track.steps = steps;
        Some(self.track)
    }
}

/// Actions of the statement that begins here; the end of the block counts as one.
fn statement_length(block: &BlockCode, start: u32) -> usize {
    block.starts[start as usize..].iter().take_while(|&&first| first == start).count()
}
