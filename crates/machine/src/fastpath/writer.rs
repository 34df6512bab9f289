//! Generates the steps of a sprint: resolves jumps, fuses comparisons with the branches on them, and emits stops for
//! statements that a sprint cannot execute.

use super::code::{GeneralOperation, Register, Step, Switch, Track};
use super::kinds::{Kind, Kinds};
use super::reader::{Raw, RawCall, RawStatement};
use crate::exec::code::{BlockCode, Code, End, ProcCode, Variable};
use fathom_base::FxMap;
use fathom_term::{Op, Sort};
use smallvec::SmallVec;

pub(super) struct VariablesFirst {
    pub variables: Vec<(Register, Variable)>,
    pub new_numbers: Vec<Register>,
}

/// Numbers registers so that those of variables come first.
pub(super) fn variables_first(registers: &[Option<Variable>]) -> VariablesFirst {
    let variables: Vec<(Register, Variable)> =
        registers.iter().enumerate().filter_map(|(r, variable)| Some((r as Register, (*variable)?))).collect();
    let scratch = (0..registers.len()).filter(|&r| registers[r].is_none()).map(|r| r as Register);
    let mut new_numbers = vec![0; registers.len()];
    for (new, old) in variables.iter().map(|(r, _)| *r).chain(scratch).enumerate() {
        new_numbers[old as usize] = new as Register;
    }
    VariablesFirst { variables, new_numbers }
}

pub(super) struct Writer<'a> {
    pub code: &'a Code,
    pub track: Track,
    pub calls: &'a [RawCall],
    pub kinds: Kinds,
    pub numbers: &'a [Register],
    /// The steps at which labels are. The blocks of the loop's procedure are their own labels.
    pub starts: FxMap<u16, u16>,
    /// The next label.
    pub labels: u16,
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
    /// Writes a block of the loop; none if it has no form in registers.
    pub fn block(&mut self, number: u32, index: usize, block: &BlockCode, statements: &[RawStatement]) -> Option<()> {
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
        let can_stop = |step: &Step| {
            matches!(step, Step::Stop | Step::Require { .. } | Step::RequireNot { .. } | Step::Load { .. } | Step::General { .. })
        };
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
            // Every block begins with a step of its own, so no jump leads in between.
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
            Raw::RequireNot { condition } => Step::RequireNot { condition: n(condition) },
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
                    (Op::BvAdd, &[pointer, by], [Some(_), None]) | (Op::BvAdd, &[by, pointer], [None, Some(_)]) => {
                        Step::MovePointer { to, pointer, by }
                    }
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
                    (Op::BvSignExtend(width), &[a], _) => {
                        Step::SignExtend { to, a, unused_before: unused, unused_after: 64 - *width as u8 }
                    }
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
    pub fn finish(self) -> Option<Track> {
        let Writer { mut track, mut starts, .. } = self;
        let mut steps = std::mem::take(&mut track.steps);
        let mut exits = Vec::new();
        let count = steps.len();
        let mut resolve = |label: &mut u16| {
            *label = *starts.entry(*label).or_insert_with(|| {
                exits.push(Step::Exit { to: *label as u32 });
                (count + exits.len() - 1) as u16
            });
        };
        for step in &mut steps {
            match step {
                Step::Jump { to } => resolve(to),
                Step::Branch { then, otherwise, .. }
                | Step::BranchEq { then, otherwise, .. }
                | Step::BranchBelow { then, otherwise, .. }
                | Step::BranchSignedBelow { then, otherwise, .. } => [then, otherwise].into_iter().for_each(&mut resolve),
                _ => {}
            }
        }
        for switch in &mut track.switches {
            switch.table.values_mut().chain([&mut switch.default]).for_each(&mut resolve);
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
