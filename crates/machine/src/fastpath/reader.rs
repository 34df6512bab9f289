//! What the statements of a loop do, in registers. Every variable has a register; scratch variables get one for each time they are
//! written, which is once in a statement, and variables of procedures that are called get one for each call.

use super::code::Register;
use super::kinds::{Kind, Objects};
use crate::exec::code::{Action, BlockCode, CalleeCode, Code, End, Expr, Instr, Operand, Variable};
use crate::exec::value::Val;
use fathom_base::FxMap;
use fathom_term::{Op, Sort};
use smallvec::SmallVec;

/// Larger loops are left to the machine.
const MOST_ACTIONS: usize = 4_000;
/// Actions of a procedure that becomes part of a loop, and how many such calls lie in each other.
const MOST_OF_CALLEE: usize = 100;
const DEEPEST_CALL: usize = 4;

/// An action, before it is known what its registers hold.
pub(super) enum Raw {
    Compute { op: Op, sort: Sort, operand: Sort, to: Register, args: SmallVec<[Register; 4]> },
    Move { to: Register, from: Register },
    Require { condition: Register },
    RequireNot { condition: Register },
    Load { to: Register, pointer: Register, bytes: u8 },
    Store { pointer: Register, value: Register, bytes: u8 },
    Call { number: usize },
    Stop,
}

/// A call of a procedure that becomes part of the loop.
pub(super) struct RawCall {
    pub proc: u32,
    /// Arguments become variables, and results the caller's.
    pub enter: Vec<Raw>,
    pub blocks: Vec<Vec<RawStatement>>,
    pub leave: Vec<Raw>,
}

impl RawCall {
    /// Everything that the call does.
    pub fn raw(&self) -> impl Iterator<Item = &Raw> {
        let inside = self.blocks.iter().flatten().flat_map(|statement| &statement.raw);
        self.enter.iter().chain(inside).chain(&self.leave)
    }
}

impl Raw {
    /// The register that it writes.
    pub fn target(&self) -> Option<Register> {
        match self {
            Raw::Compute { to, .. } | Raw::Move { to, .. } | Raw::Load { to, .. } => Some(*to),
            Raw::Require { .. } | Raw::RequireNot { .. } | Raw::Store { .. } | Raw::Call { .. } | Raw::Stop => None,
        }
    }
}

/// The registers of scratch variables in one statement.
type Temps = FxMap<u32, Register>;

/// A statement over registers.
pub(super) struct RawStatement {
    /// Its first action.
    pub start: u32,
    pub raw: Vec<Raw>,
    /// The register that the end of the block looks at.
    pub looked_at: Option<Register>,
}

/// A procedure that is being read as part of the loop.
pub(super) struct Called {
    proc: u32,
    depth: usize,
    /// Registers of its variables.
    locals: Vec<Option<Register>>,
}

pub(super) struct Reader<'a, F> {
    code: &'a Code,
    proc: u32,
    /// The variable of each register, if it is more than scratch.
    pub registers: Vec<Option<Variable>>,
    variables: FxMap<Variable, Register>,
    pub kinds: Vec<Kind>,
    pub constants: Vec<(Register, u64)>,
    pub objects: Objects,
    pub calls: Vec<RawCall>,
    /// Read so far.
    actions: usize,
    value: F,
}

impl<'a, F: Fn(Variable) -> Val> Reader<'a, F> {
    /// A reader that has read nothing; `value` tells what variables hold when the loop begins.
    pub fn new(code: &'a Code, proc: u32, value: F) -> Self {
        Reader {
            code,
            proc,
            registers: Vec::new(),
            variables: FxMap::default(),
            kinds: Vec::new(),
            constants: Vec::new(),
            objects: Objects::default(),
            calls: Vec::new(),
            actions: 0,
            value,
        }
    }

    /// None if all that was read is too much.
    pub fn block(&mut self, block: &BlockCode, called: &mut Option<Called>) -> Option<Vec<RawStatement>> {
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

    /// Reads an action; none where the loop becomes too long.
    fn action(&mut self, action: &Action, temps: &mut Temps, called: &mut Option<Called>) -> Option<Option<Raw>> {
        let raw = match action {
            Action::Settle { .. } | Action::Watch { .. } => return Some(None),
            Action::Compute(instr) => self.compute(instr, temps, called),
            Action::ComputeIf { condition, instrs } => {
                // A sprint ends where the results would be needed.
                instrs.iter().for_each(|instr| self.placeholder(instr.target, temps));
                self.operand(*condition, temps, called).map(|condition| Raw::RequireNot { condition })
            }
            Action::Move { target, source } => {
                self.operand(*source, temps, called).and_then(|from| Some(Raw::Move { to: self.target(*target, temps, called)?, from }))
            }
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
    fn can_be_part(&self, proc: u32, targets: &[Variable], args: &[Expr], called: &Option<Called>) -> bool {
        let callee = &self.code.procs[proc as usize];
        let caller = &self.code.procs[called.as_ref().map_or(self.proc, |called| called.proc) as usize];
        let sort = |variable: &Variable| match variable {
            Variable::Local(slot) => Some(caller.local_sorts[*slot as usize]),
            Variable::Global(slot) => Some(self.code.global_sorts[*slot as usize]),
            Variable::Temp(_) => None,
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

    fn call(
        &mut self,
        proc: u32,
        targets: &[Variable],
        args: &[Expr],
        temps: &mut Temps,
        called: &mut Option<Called>,
    ) -> Option<Option<Raw>> {
        let callee = &self.code.procs[proc as usize];
        let args: Option<Vec<Register>> = args.iter().map(|arg| self.operand(arg.operand, temps, called)).collect();
        let Some(args) = args else { return Some(None) };
        let depth = called.as_ref().map_or(0, |called| called.depth) + 1;
        let mut inside = Some(Called { proc, depth, locals: vec![None; callee.local_sorts.len()] });
        let enter: Option<Vec<Raw>> = callee
            .params
            .iter()
            .zip(args)
            .map(|(&param, from)| Some(Raw::Move { to: self.target(Variable::Local(param), &mut Temps::default(), &mut inside)?, from }))
            .collect();
        let blocks: Option<Vec<Vec<RawStatement>>> = callee.blocks.iter().map(|block| self.block(block, &mut inside)).collect();
        let blocks = blocks?;
        let leave: Option<Vec<Raw>> = targets
            .iter()
            .zip(&callee.results)
            .map(|(&target, &result)| {
                let from = self.operand(Operand::Variable(Variable::Local(result)), &Temps::default(), &mut inside)?;
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
            Operand::Variable(Variable::Temp(slot)) => temps.get(&slot).copied(),
            Operand::Variable(Variable::Local(slot)) if called.is_some() => Some(self.local_of_callee(slot, called)),
            Operand::Variable(variable) => Some(self.variable(variable)),
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

    fn target(&mut self, variable: Variable, temps: &mut Temps, called: &mut Option<Called>) -> Option<Register> {
        match variable {
            Variable::Temp(slot) => {
                let register = self.add(None, Kind::Unset);
                temps.insert(slot, register);
                Some(register)
            }
            Variable::Local(slot) if called.is_some() => Some(self.local_of_callee(slot, called)),
            // The call may have to be done again from its start.
            Variable::Global(_) if called.is_some() => None,
            variable => Some(self.variable(variable)),
        }
    }

    /// A result that is neither computed nor needed.
    fn placeholder(&mut self, variable: Variable, temps: &mut Temps) {
        if let Variable::Temp(slot) = variable {
            let register = self.add(None, Kind::Number);
            self.constants.push((register, 0));
            temps.insert(slot, register);
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

    fn variable(&mut self, variable: Variable) -> Register {
        if let Some(&known) = self.variables.get(&variable) {
            return known;
        }
        let kind = match (self.value)(variable) {
            Val::Bits(_) => Kind::Number,
            Val::Pointer { object, .. } => self.objects.class(object).map_or(Kind::Mixed, Kind::Pointer),
            Val::Term(_) => Kind::Mixed,
        };
        let register = self.add(Some(variable), kind);
        self.variables.insert(variable, register);
        register
    }

    fn add(&mut self, variable: Option<Variable>, kind: Kind) -> Register {
        self.registers.push(variable);
        self.kinds.push(kind);
        (self.registers.len() - 1) as Register
    }
}
