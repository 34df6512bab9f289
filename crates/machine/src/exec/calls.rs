//! Calls and returns: direct and through pointers, with C's tolerance for arguments that don't fit the callee.

use crate::exec::code::{Action, CalleeCode, Expr, Variable};
use crate::exec::machine::{Cut, Machine, Mode, PathEnd, Step};
use crate::exec::state::{Frame, State};
use crate::exec::step::Flow;
use crate::exec::value::{ObjectKey, Val};
use crate::joins::unwinding::Pause;
use crate::memory::resolve::Located;
use crate::replay::trace::TraceStep;
use fathom_ir::{AllocKind, Assumption, InputKind, Property, sources};
use fathom_term::{Op, Sort, Term};
use std::rc::Rc;

/// Deeper recursion is given up, unless it is asked for: a native stack would be full, too.
const MAX_FRAMES: usize = 100_000;
/// How much memory the stack has on Linux, unless the user changes that.
const STACK: u64 = 8 << 20;

impl Machine {
    pub(crate) fn call(&mut self, state: &mut State, targets: &[Variable], callee: &CalleeCode, args: &[Expr], site: u32) -> Step<Flow> {
        let is_indirect = matches!(callee, CalleeCode::Indirect(_));
        let proc = match callee {
            CalleeCode::Direct(proc) => *proc,
            CalleeCode::Indirect(pointer) => {
                let sort = pointer.sort;
                let pointer = self.expr_value(state, pointer);
                let pointer = self.determinate(state, pointer, sort, "the called function")?;
                match self.procedure_at(state, pointer)? {
                    Some(proc) => proc,
                    None => return Ok(self.call_of_unseen_code(state, targets, "a callback", Assumption::UnseenCallback)),
                }
            }
        };
        let values: Vec<(Val, Sort)> = args.iter().map(|arg| (self.expr_value(state, arg), arg.sort)).collect();
        let code = self.code.clone();
        let callee = &code.procs[proc as usize];
        if !callee.has_body {
            // A direct call comes behind statements that say what its arguments lead to; here the types are unknown.
            if is_indirect {
                for &(value, _) in &values {
                    self.forget(state, value)?;
                }
            }
            let assumed = Assumption::FunctionWithoutBody { name: callee.name.clone() };
            return Ok(self.call_of_unseen_code(state, targets, &callee.name, assumed));
        }
        self.check_stack(state, &callee.name)?;
        let variadic = match callee.variadic {
            Some(_) => Some(self.variadic_object(state, &values[callee.params.len().min(values.len())..], site)?),
            None => None,
        };
        let mut locals = vec![Val::FALSE; callee.local_sorts.len()];
        for (index, &param) in callee.params.iter().enumerate() {
            let sort = callee.local_sorts[param as usize];
            locals[param as usize] = match values.get(index) {
                Some(&(value, from)) => self.converted(value, from, sort),
                None => self.arbitrary(state, sort),
            };
        }
        for &local in &callee.unset {
            locals[local as usize] = self.unset(state, callee.local_sorts[local as usize]);
        }
        let called_from = self.location(state);
        self.push_frame(state, proc);
        if let (Some(slot), Some((pointer, object))) = (callee.variadic, variadic) {
            locals[slot as usize] = pointer;
            state.frame_mut().stack_objects.push(object);
        }
        state.frame_mut().locals = Rc::new(locals);
        // A recursion goes round as a loop does.
        state.comparison.at_loop_head |= callee.may_recurse && self.config.pauses.all_loop_heads && !state.has_company();
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Enter { procedure: callee.name.clone(), loc: callee.loc, called_from });
        }
        Ok(Flow::Elsewhere)
    }

    /// Whether one more call fits the stack.
    fn check_stack(&mut self, state: &mut State, callee: &str) -> Step<()> {
        let depth = state.frames.len();
        if !self.checks.contains(&Property::StackOverflow) {
            let is_deep = depth >= MAX_FRAMES;
            return if is_deep { Err(PathEnd::Cut(Cut::Bound(format!("{MAX_FRAMES} nested calls")))) } else { Ok(()) };
        }
        if self.stack_bytes(state) <= STACK {
            return Ok(());
        }
        let message = format!("the stack is full: {depth} calls have not returned, and there is one more of {callee}");
        Err(self.violated(state, Property::StackOverflow, &message))
    }

    /// What the calls of this state need at least, without optimisation. Each frame knows the sum of those below, which stays what it
    /// is until the frame returns.
    pub(crate) fn stack_bytes(&self, state: &State) -> u64 {
        state.frames.last().map_or(0, |frame| frame.stack_below.saturating_add(self.frame_bytes(state, frame)))
    }

    /// What one call needs at least: the address to return to, the caller's frame, the parameters, and what lies in memory.
    fn frame_bytes(&self, state: &State, frame: &Frame) -> u64 {
        let word = u64::from(self.book.pointer_bits() / 8);
        let of_object = |key: &ObjectKey| match state.memory.get(*key).map(|object| object.size) {
            Some(Val::Bits(bytes)) => bytes,
            _ => 0,
        };
        let code = &self.code.procs[frame.proc as usize];
        let params: u64 =
            code.params.iter().map(|&param| u64::from(code.local_sorts[param as usize].bits().unwrap_or(8)).div_ceil(8)).sum();
        let objects = frame.stack_objects.iter().map(of_object).fold(0, u64::saturating_add);
        objects.saturating_add(2 * word + params.next_multiple_of(2 * word))
    }

    /// A call of code that is not in the program: its results are arbitrary.
    fn call_of_unseen_code(&mut self, state: &mut State, targets: &[Variable], name: &str, assumed: Assumption) -> Flow {
        self.ledger.note(assumed);
        let kind = InputKind { source: format!("{}{name}", sources::RESULT), type_name: String::new(), signed: true };
        for &target in targets {
            let sort = self.variable_sort(state, target);
            let value = self.foreign(state, sort);
            self.note_input(state, &kind, value, sort);
            self.set(state, target, value);
        }
        Flow::Next
    }

    /// The surplus arguments of a call, one slot after the other (see `ir::Procedure::variadic`).
    fn variadic_object(&mut self, state: &mut State, surplus: &[(Val, Sort)], site: u32) -> Step<(Val, ObjectKey)> {
        let slot = if self.book.pointer_bits() >= 64 { 8 } else { 4 };
        let mut offset = 0u64;
        let mut places = Vec::new();
        for &(value, sort) in surplus {
            let bits = self.as_bits(value, sort);
            let bytes = sort.bits().unwrap_or(64).div_ceil(8) as u64;
            // Long double travels as 80 bits in 16 (or 12) bytes.
            if slot == 8 && bytes > 8 {
                offset = offset.next_multiple_of(16);
            }
            places.push((offset, bits));
            offset += bytes.next_multiple_of(slot);
        }
        let pointer = self.allocate(state, Val::Bits(offset), 16, AllocKind::Stack, false, site)?;
        // It lives as long as the callee, not the caller.
        state.frame_mut().stack_objects.pop();
        let Val::Pointer { object, .. } = pointer else { return Err(self.unsupported(state, "so many arguments")) };
        for (offset, (value, width)) in places {
            self.write(state, object, Val::Bits(offset), width as u64 / 8, value);
        }
        Ok((pointer, object))
    }

    /// A value as a bit-vector of whole bytes, and its width.
    fn as_bits(&mut self, value: Val, sort: Sort) -> (Val, u32) {
        let store = self.store.clone();
        let term = self.term_of(value, sort);
        let (term, width): (Term, u32) = match sort {
            Sort::Bv(width) => (term, width),
            Sort::Bool => (store.bool_to_bv(term, 32), 32),
            Sort::Float(format) => {
                let bits = store.build(Op::FpToBits, &[term]);
                if format == fathom_term::FloatFormat::X87 { (x87_stored(&store, bits), 80) } else { (bits, format.width()) }
            }
            _ => (store.bv(0, 8), 8),
        };
        let whole = width.next_multiple_of(8);
        (self.value_of(store.resize_unsigned(term, whole)), whole)
    }

    /// An argument or result where another sort is expected: the same bits, cut or filled with zeros.
    pub(crate) fn converted(&mut self, value: Val, from: Sort, to: Sort) -> Val {
        if from == to {
            return value;
        }
        let (bits, width) = self.as_bits(value, from);
        let store = self.store.clone();
        let bits = self.term_of(bits, Sort::Bv(width));
        let term = match to {
            Sort::Bool => store.eq(store.extract(bits, 0, 0), store.bv(1, 1)),
            Sort::Bv(width) => store.resize_unsigned(bits, width),
            Sort::Float(format) => store.build(Op::FpFromBits(format), &[store.resize_unsigned(bits, format.width())]),
            _ => return value,
        };
        self.value_of(term)
    }

    fn variable_sort(&self, state: &State, variable: Variable) -> Sort {
        match variable {
            Variable::Local(slot) => self.code.procs[state.frame().proc as usize].local_sorts[slot as usize],
            Variable::Global(slot) => self.code.global_sorts[slot as usize],
            Variable::Temp(_) => Sort::Bool,
        }
    }

    /// None: code that is not in the program.
    pub(crate) fn procedure_at(&mut self, state: &mut State, pointer: Val) -> Step<Option<u32>> {
        let mut pointer = pointer;
        loop {
            match self.locate_code(state, pointer)? {
                Located::Again(other) => pointer = other,
                Located::At { object, offset: Val::Bits(0) } if self.image.procs_by_object.contains_key(&object) => {
                    return Ok(Some(self.image.procs_by_object[&object]));
                }
                Located::Nowhere if self.is_unseen_code(pointer) => return Ok(None),
                _ => return Err(self.violated_deref(state, "call through a pointer that is not a function")),
            }
        }
    }

    /// Where pointers are not checked, one from elsewhere that is none of the program's functions. In a replay it is a
    /// number, and only such calls came so far without being cut.
    fn is_unseen_code(&self, pointer: Val) -> bool {
        let unchecked = !self.checks.contains(&Property::ValidDeref);
        match pointer {
            Val::Term(term) => unchecked && self.is_from_elsewhere(term),
            Val::Bits(_) => unchecked && matches!(self.mode, Mode::Replay { .. }),
            Val::Pointer { .. } => false,
        }
    }

    /// Like `locate`, but a bare symbolic number is compared with the functions' addresses alone.
    fn locate_code(&mut self, state: &mut State, pointer: Val) -> Step<Located> {
        let pointer = if self.is_retracing() { self.retraced_pointer(state, pointer)? } else { pointer };
        let Val::Term(term) = pointer else { return self.locate(state, pointer, Property::ValidDeref) };
        let is_choice = self.store.op(term) == Op::Ite;
        if is_choice {
            return self.locate(state, pointer, Property::ValidDeref);
        }
        if let Some(place) = self.pick_place(state, term)? {
            return Ok(Located::Again(place));
        }
        let address = self.placed_pointer(state, term)?;
        self.verify(state)?;
        let value = state.path.model.eval(&self.store, address).and_then(|value| value.to_u64());
        let known =
            value.and_then(|value| self.object_in_model(state, value)).filter(|object| self.image.procs_by_object.contains_key(object));
        match known {
            Some(object) => {
                let condition = self.store.eq(address, self.book.symbol(object));
                let condition = self.placed(state, condition)?;
                Ok(match self.split(state, condition)? {
                    true => Located::At { object, offset: Val::Bits(0) },
                    false => Located::Again(Val::Term(address)),
                })
            }
            // No function at the model's address. Whether another one is possible is only of interest to someone who
            // checks pointers: an arbitrary number is no function in any program that means something.
            None if self.checks.contains(&Property::ValidDeref) && !self.is_foreign(term) => {
                let mut procedures: Vec<ObjectKey> = self.image.procs_by_object.keys().copied().collect();
                procedures.sort();
                let is = |object: &ObjectKey| self.store.eq(address, self.book.symbol(*object));
                let any = self.store.or_all(procedures.iter().map(is).collect::<Vec<Term>>());
                let any = self.placed(state, any)?;
                self.require(state, any, Property::ValidDeref, "call through a pointer that may be no function")?;
                Ok(Located::Again(Val::Term(address)))
            }
            None => Ok(Located::Nowhere),
        }
    }

    pub(crate) fn return_from(&mut self, state: &mut State) -> Step<()> {
        let code = self.code.clone();
        let mut seen = None;
        if state.threads.is_some() {
            let sight = self.sight_of_return(state);
            if !self.may_proceed(state, sight) {
                return Ok(());
            }
            seen = (!state.frame().stack_objects.is_empty()).then_some(sight);
        }
        if state.frames.len() == 1 {
            self.note_frame_ended(state);
            for object in std::mem::take(&mut state.frame_mut().stack_objects) {
                state.memory.remove(object);
            }
            if state.running_thread() != 0 {
                return self.thread_returned(state);
            }
            return Err(self.finish_main(state));
        }
        self.note_frame_ended(state);
        let Some(frame) = state.frames.pop() else { return Err(PathEnd::Finished) };
        state.comparison.lowest = state.comparison.lowest.min(state.frames.len());
        if self.unwinding.as_ref().is_some_and(|unwinding| unwinding.leaves_too_early(&frame.loops)) {
            return Err(PathEnd::Discarded);
        }
        for object in frame.stack_objects {
            state.memory.remove(object);
        }
        let callee = &code.procs[frame.proc as usize];
        let (proc, block, index) = {
            let caller = state.frame();
            (caller.proc, caller.block, caller.index)
        };
        let action = &code.procs[proc as usize].blocks[block as usize].actions[index as usize];
        let Action::Call { targets, .. } = action else { return Err(self.unsupported(state, "a return to no call")) };
        for (number, &target) in targets.iter().enumerate() {
            let sort = self.variable_sort(state, target);
            let value = match callee.results.get(number) {
                Some(&slot) => {
                    let from = callee.local_sorts[slot as usize];
                    self.converted(frame.locals[slot as usize], from, sort)
                }
                None => self.arbitrary(state, sort),
            };
            self.set(state, target, value);
        }
        state.frame_mut().index = index + 1;
        if self.unwinding.as_ref().is_some_and(|unwinding| unwinding.pause_at_joins) {
            state.joins.pause = Some(Pause::Join);
        }
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Leave { procedure: callee.name.clone(), loc: callee.loc });
        }
        if let Some(sight) = seen {
            self.proceeded(state, sight);
        }
        Ok(())
    }

    /// main returned: its frame is gone for reachability, but locations still need one.
    fn finish_main(&mut self, state: &mut State) -> PathEnd {
        Rc::make_mut(&mut state.frame_mut().locals).fill(Val::FALSE);
        self.end(state)
    }
}

/// The 80-bit memory form of an x87 value from its 79-bit form: the integer bit is explicit there.
fn x87_stored(store: &fathom_term::TermStore, bits: Term) -> Term {
    let exponent = store.extract(bits, 77, 63);
    let is_normal = store.ne(exponent, store.bv(0, 15));
    let integer_bit = store.bool_to_bv(is_normal, 1);
    let top = store.extract(bits, 78, 63);
    store.concat(store.concat(top, integer_bit), store.extract(bits, 62, 0))
}
