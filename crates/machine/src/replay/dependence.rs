//! Finds the steps that influence the end of a run: a dynamic backward slice (Agrawal and Horgan 1990) over data and
//! control dependence. While steps are recorded, each action becomes a node. It depends on the nodes that computed its
//! operands, on those that wrote the bytes it reads, and on the branch that caused its execution: of the branches on
//! which its block depends statically, the one that was executed last, otherwise the call of its procedure. The slice
//! is everything reachable from the last node. Actions before the recorded steps have no nodes, so a slice may be too
//! small there, but never too large.

use crate::exec::code::{Action, BlockCode, CalleeCode, End, Expr, Instr, Operand, Variable};
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use fathom_base::{FxMap, FxSet};
use fathom_flow::ControlDependence;
use fathom_ir::ProcId;
use smallvec::SmallVec;

/// An action that ran; 0 is none.
type Node = u32;
/// The number of a call in the order in which calls ran.
type FrameId = u32;
type Nodes = SmallVec<[Node; 8]>;

/// Nodes before the slice is given up.
const MOST_NODES: usize = 4_000_000;
/// Bytes of one access that are told apart; of longer ones only the object is known.
const MOST_BYTES: u64 = 256;
/// The frame of what lies outside all frames.
const NO_FRAME: FrameId = 0;

/// The nodes of a run.
#[derive(Default)]
pub struct Dependence {
    starts: Vec<u32>,
    targets: Vec<Node>,
    /// Nodes that compute a part of an expression, which other expressions may compute too.
    parts: FxSet<Node>,
    variables: FxMap<(FrameId, Variable), Node>,
    bytes: FxMap<(ObjectKey, u64), Node>,
    /// What made or ended each object, or wrote much of it.
    objects: FxMap<ObjectKey, Node>,
    branches: FxMap<(FrameId, u32), Node>,
    calls: FxMap<FrameId, Node>,
    stacks: FxMap<u32, Vec<FrameId>>,
    next_frame: FrameId,
    deciders: FxMap<u32, Vec<Vec<u32>>>,
    /// The node that runs.
    pub current: Node,
}

impl Dependence {
    fn add(&mut self, depends: &[Node]) -> Node {
        if self.starts.is_empty() {
            self.starts.extend([0, 0]);
        }
        let from = self.targets.len();
        for &node in depends {
            if node != 0 && !self.targets[from..].contains(&node) {
                self.targets.push(node);
            }
        }
        self.starts.push(self.targets.len() as u32);
        self.current = self.starts.len() as u32 - 2;
        self.current
    }

    /// From now on things happen that become no nodes: who made what is not known any more.
    pub(crate) fn forget(&mut self) {
        if self.stacks.is_empty() {
            return;
        }
        self.variables.clear();
        self.bytes.clear();
        self.objects.clear();
        self.branches.clear();
        self.calls.clear();
        self.stacks.clear();
        self.current = 0;
    }

    fn is_full(&self) -> bool {
        self.starts.len() > MOST_NODES
    }

    /// The frame that runs; calls that began before recording did get a number of their own.
    fn frame(&mut self, state: &State) -> FrameId {
        let (depth, stack) = (state.frames.len(), self.stacks.entry(state.running_thread()).or_default());
        stack.truncate(depth);
        while stack.len() < depth {
            self.next_frame += 1;
            stack.push(self.next_frame);
        }
        stack.last().copied().unwrap_or(NO_FRAME)
    }

    fn of_variable(&self, frame: FrameId, variable: Variable) -> Node {
        self.variables.get(&key_of(frame, variable)).copied().unwrap_or(0)
    }

    fn of_operand(&self, frame: FrameId, operand: Operand) -> Node {
        match operand {
            Operand::Variable(variable) => self.of_variable(frame, variable),
            Operand::Value(_) => 0,
        }
    }

    fn set_variable(&mut self, frame: FrameId, variable: Variable, node: Node) {
        self.variables.insert(key_of(frame, variable), node);
    }

    fn read(&self, object: ObjectKey, offset: u64, length: u64, into: &mut Nodes) {
        into.extend(self.objects.get(&object).copied());
        for at in offset..offset + length.min(MOST_BYTES) {
            let node = self.bytes.get(&(object, at)).copied().unwrap_or(0);
            if into.last() != Some(&node) {
                into.push(node);
            }
        }
    }

    fn write(&mut self, object: ObjectKey, offset: u64, length: u64, node: Node) {
        if length > MOST_BYTES {
            self.objects.insert(object, node);
        }
        self.bytes.extend((offset..offset + length.min(MOST_BYTES)).map(|at| ((object, at), node)));
    }

    /// An object was made or ended by what runs.
    pub(crate) fn changed(&mut self, object: ObjectKey) {
        self.objects.insert(object, self.current);
    }

    /// Everything that these nodes depend on.
    pub(crate) fn slice(&self, object: Option<ObjectKey>) -> Vec<bool> {
        let mut reached = vec![false; self.starts.len().max(1)];
        let mut open = vec![self.current];
        open.extend(object.and_then(|object| self.objects.get(&object).copied()));
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node as usize], true) && node != 0 {
                let (from, to) = (self.starts[node as usize] as usize, self.starts[node as usize + 1] as usize);
                open.extend(&self.targets[from..to]);
            }
        }
        // A variable may be known by an expression of its own, made of what the slice has.
        for node in 1..reached.len().saturating_sub(1) {
            let (from, to) = (self.starts[node] as usize, self.starts[node + 1] as usize);
            let is_made = from < to && self.targets[from..to].iter().all(|&on| reached[on as usize]);
            reached[node] |= is_made && self.parts.contains(&(node as Node));
        }
        reached[0] = false;
        reached
    }
}

/// Globals are the same in all frames, and temporaries live within one statement.
fn key_of(frame: FrameId, variable: Variable) -> (FrameId, Variable) {
    match variable {
        Variable::Local(_) => (frame, variable),
        Variable::Global(_) | Variable::Temp(_) => (NO_FRAME, variable),
    }
}

impl Machine {
    /// The nodes of this run, if a slice of it is wanted and this step of it is kept.
    fn take_dependence(&mut self, state: &State) -> Option<Box<Dependence>> {
        match &mut self.mode {
            Mode::Replay { recorder, .. } if recorder.keeps_step_at(state.search.branches) => recorder.dependence.take(),
            _ => None,
        }
    }

    fn give_back(&mut self, dependence: Box<Dependence>) {
        if let Mode::Replay { recorder, .. } = &mut self.mode
            && !dependence.is_full()
        {
            recorder.dependence = Some(dependence);
        }
    }

    /// Whether what runs now becomes nodes.
    pub(crate) fn tracks(&self, state: &State) -> bool {
        matches!(&self.mode, Mode::Replay { recorder, .. } if recorder.dependence.is_some() && recorder.keeps_step_at(state.search.branches))
    }

    /// What the running block depends on: a branch or the call.
    fn control(&self, known: &mut Dependence, state: &State, frame: FrameId) -> Node {
        let (proc, block) = (state.frame().proc, state.frame().block);
        let program = &self.program;
        let deciders = known.deciders.entry(proc).or_insert_with(|| {
            let body = program.procedure(ProcId(proc)).body.as_ref();
            body.map_or_else(Vec::new, |body| ControlDependence::of(body, &program.terms).deciders)
        });
        let latest = deciders.get(block as usize).into_iter().flatten().filter_map(|&by| known.branches.get(&(frame, by))).max();
        latest.or_else(|| known.calls.get(&frame)).copied().unwrap_or(0)
    }

    /// An action is about to run.
    pub(crate) fn track(&mut self, state: &State, action: &Action) {
        let Some(mut known) = self.take_dependence(state) else { return };
        let frame = known.frame(state);
        let control = self.control(&mut known, state, frame);
        self.track_action(&mut known, state, frame, control, action);
        self.give_back(known);
    }

    fn track_action(&self, known: &mut Dependence, state: &State, frame: FrameId, control: Node, action: &Action) {
        let of = |known: &Dependence, expr: &Expr| known.of_operand(frame, expr.operand);
        match action {
            Action::Compute(instr) => compute(known, frame, control, instr),
            Action::ComputeIf { instrs, .. } => instrs.iter().for_each(|instr| compute(known, frame, control, instr)),
            Action::Move { target, source } => {
                let node = known.add(&[known.of_operand(frame, *source), control]);
                known.set_variable(frame, *target, node);
            }
            Action::Havoc { target, .. } | Action::Alloc { target, .. } => {
                let size = if let Action::Alloc { size, .. } = action { of(known, size) } else { 0 };
                let node = known.add(&[size, control]);
                known.set_variable(frame, *target, node);
            }
            Action::Load { target, pointer, bytes, .. } => {
                let mut on: Nodes = SmallVec::from_slice(&[of(known, pointer), control]);
                self.read_nodes(known, state, pointer, *bytes, &mut on);
                let node = known.add(&on);
                known.set_variable(frame, *target, node);
            }
            Action::Store { pointer, value } => {
                let mut on: Nodes = SmallVec::from_slice(&[of(known, pointer), of(known, value), control]);
                let address = self.pointed_address(state, pointer);
                on.extend(address.and_then(|(object, _)| known.objects.get(&object).copied()));
                let node = known.add(&on);
                if let Some((object, offset)) = address {
                    known.write(object, offset, u64::from(value.sort.width()) / 8, node);
                }
            }
            Action::Copy { target, source, length } => {
                let count = self.length_of(state, length);
                let mut on: Nodes = SmallVec::from_slice(&[of(known, target), of(known, source), of(known, length), control]);
                self.read_nodes(known, state, source, count, &mut on);
                self.write_nodes(known, state, target, count, &on);
            }
            Action::Set { pointer, fill, length, .. } => {
                let fill = fill.as_ref().map_or(0, |fill| of(known, fill));
                let on = [of(known, pointer), fill, of(known, length), control];
                let count = self.length_of(state, length);
                self.write_nodes(known, state, pointer, count, &on);
            }
            Action::Call { callee, args, .. } => self.track_call(known, state, (frame, control), callee, args),
            Action::Assert { condition, .. } | Action::Assume(condition) | Action::Look { value: condition, .. } => {
                _ = known.add(&[of(known, condition), control])
            }
            Action::Free { pointer, .. } | Action::Use { pointer } | Action::Forget { pointer } => {
                let mut on: Nodes = SmallVec::from_slice(&[of(known, pointer), control]);
                on.extend(self.pointed_address(state, pointer).and_then(|(object, _)| known.objects.get(&object).copied()));
                known.add(&on);
            }
            Action::ObjectSize { target, pointer } | Action::Inspect { target, pointer, .. } => {
                let node = known.add(&[of(known, pointer), control]);
                known.set_variable(frame, *target, node);
            }
            // A variable of the source depends on whatever computed its value.
            Action::Watch { value, .. } => known.current = of(known, value),
            Action::EndScope { .. } | Action::Quantify(_) | Action::Thread(_) | Action::Settle { .. } | Action::Unsupported(_) => {
                known.add(&[control]);
            }
        }
    }

    fn track_call(&self, known: &mut Dependence, state: &State, (frame, control): (FrameId, Node), callee: &CalleeCode, args: &[Expr]) {
        let call = known.add(&[control]);
        let CalleeCode::Direct(proc) = callee else { return };
        let code = self.code.clone();
        let callee = &code.procs[*proc as usize];
        if !callee.has_body {
            return;
        }
        known.next_frame += 1;
        let inner = known.next_frame;
        known.stacks.entry(state.running_thread()).or_default().push(inner);
        known.calls.insert(inner, call);
        for (&param, arg) in callee.params.iter().zip(args) {
            let node = known.add(&[known.of_operand(frame, arg.operand), call]);
            known.set_variable(inner, Variable::Local(param), node);
        }
        known.current = call;
    }

    /// A block is about to end.
    pub(crate) fn track_end(&mut self, state: &State, block: &BlockCode) {
        let Some(mut known) = self.take_dependence(state) else { return };
        let frame = known.frame(state);
        let control = self.control(&mut known, state, frame);
        match &block.end {
            End::Branch { condition: on, .. } | End::Switch { value: on, .. } => {
                let node = known.add(&[known.of_operand(frame, on.operand), control]);
                known.branches.insert((frame, state.frame().block), node);
            }
            End::Return => self.track_return(&mut known, state, frame, control),
            End::Goto(_) | End::Stop(_) | End::Unsupported(_) => _ = known.add(&[control]),
        }
        self.give_back(known);
    }

    /// What the caller gets depends on what the callee computed.
    fn track_return(&self, known: &mut Dependence, state: &State, frame: FrameId, control: Node) {
        let code = self.code.clone();
        let returned = known.add(&[control]);
        let Some(caller) = state.frames.len().checked_sub(2).map(|at| &state.frames[at]) else { return };
        let block = &code.procs[caller.proc as usize].blocks[caller.block as usize];
        let Some(Action::Call { targets, .. }) = block.actions.get(caller.index as usize) else { return };
        let outer = known.stacks.get(&state.running_thread()).and_then(|stack| stack.iter().rev().nth(1)).copied().unwrap_or(NO_FRAME);
        for (&target, &result) in targets.iter().zip(&code.procs[state.frame().proc as usize].results) {
            let node = known.add(&[known.of_variable(frame, Variable::Local(result)), returned]);
            known.set_variable(outer, target, node);
        }
        known.current = returned;
    }

    fn pointed_address(&self, state: &State, pointer: &Expr) -> Option<(ObjectKey, u64)> {
        match self.expr_value(state, pointer) {
            Val::Pointer { object, offset } => Some((object, u64::try_from(offset).ok()?)),
            _ => None,
        }
    }

    fn length_of(&self, state: &State, length: &Expr) -> u64 {
        if let Val::Bits(length) = self.expr_value(state, length) { length } else { 0 }
    }

    fn read_nodes(&self, known: &Dependence, state: &State, pointer: &Expr, length: u64, into: &mut Nodes) {
        if let Some((object, offset)) = self.pointed_address(state, pointer) {
            known.read(object, offset, length, into);
        }
    }

    fn write_nodes(&self, known: &mut Dependence, state: &State, pointer: &Expr, length: u64, on: &[Node]) {
        let node = known.add(on);
        if let Some((object, offset)) = self.pointed_address(state, pointer) {
            known.write(object, offset, length, node);
        }
    }
}

fn compute(known: &mut Dependence, frame: FrameId, control: Node, instr: &Instr) {
    let mut on: Nodes = instr.args.iter().map(|&arg| known.of_operand(frame, arg)).collect();
    on.push(control);
    let node = known.add(&on);
    if let Variable::Temp(_) = instr.target {
        known.parts.insert(node);
    }
    known.set_variable(frame, instr.target, node);
}
