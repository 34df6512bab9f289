//! Starting, ending and waiting for threads; atomic sections; thread-local objects.

use crate::exec::code::{Expr, ThreadAction};
use crate::exec::machine::{Cut, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::step::Flow;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::Origin;
use crate::replay::trace::TraceStep;
use crate::threads::schedule::Sight;
use crate::threads::table::{MAX_THREADS, Phase, Thread, Threads};
use fathom_ir::{AllocKind, Assumption, MemoryModel};
use fathom_term::Sort;
use std::rc::Rc;

/// Size and alignment of the objects whose addresses are the names of threads.
const NAMED: u64 = 64;

impl Machine {
    pub(crate) fn thread_action(&mut self, state: &mut State, action: &ThreadAction) -> Step<Flow> {
        self.order_stores(state, action);
        match action {
            ThreadAction::Start { target, function, argument, site } => {
                let [function, argument] = [function, argument].map(|expr| self.expr_value(state, expr));
                let number = self.start_thread(state, function, argument)?;
                let name = self.allocate(state, Val::Bits(NAMED), NAMED, AllocKind::Heap, true, *site)?;
                if let (Val::Pointer { object, .. }, Some(threads)) = (name, &mut state.threads) {
                    threads.all[number as usize].name = Some(object);
                }
                self.set(state, *target, name);
            }
            ThreadAction::Number { target, name } => {
                let number = self.named_thread(state, name)?;
                self.set(state, *target, Val::Bits(number as u64 + 1));
            }
            ThreadAction::Join { target, thread } => {
                let number = self.known_thread(state, thread)?;
                let ended = state.threads.as_ref().and_then(|threads| threads.all.get(number as usize));
                let Some(result) = ended.filter(|thread| thread.ended).map(|thread| thread.result) else {
                    self.block_thread(state, number)?;
                    return Ok(Flow::Elsewhere);
                };
                self.set(state, *target, result);
                let running = state.running_thread();
                // A thread's result can be had once: it is gone now.
                if let Some(joined) = state.threads.as_mut().and_then(|threads| threads.all.get_mut(number as usize)) {
                    joined.result = Val::Bits(0);
                    joined.joined_by = Some(running);
                    if let Some(name) = joined.name {
                        state.memory.remove(name);
                    }
                }
            }
            ThreadAction::Exit { result } => {
                let result = self.expr_value(state, result);
                self.end_thread(state, result)?;
                return Ok(Flow::Elsewhere);
            }
            ThreadAction::Current { target } => self.set(state, *target, Val::Bits(state.running_thread() as u64 + 1)),
            ThreadAction::AtomicBegin(kind) => match &mut state.threads {
                Some(threads) => {
                    let current = threads.current_mut();
                    current.sections += 1;
                    if current.sections == 1 {
                        let top = state.frames.last();
                        current.section_kind = *kind;
                        current.section_start = top.map(|frame| (state.frames.len(), frame.block, frame.index));
                    }
                }
                None => state.sections += 1,
            },
            ThreadAction::AtomicEnd => match &mut state.threads {
                Some(threads) => {
                    let current = threads.current_mut();
                    current.sections = current.sections.saturating_sub(1);
                    current.entered &= current.sections > 0;
                    current.in_hand = None;
                }
                None => state.sections = state.sections.saturating_sub(1),
            },
            ThreadAction::Lock { event, lock } => {
                let lock = self.expr_value(state, lock);
                self.lock_event(state, *event, lock);
            }
            ThreadAction::Fence(_) => {}
            ThreadAction::Local { target, object } => {
                let address = self.expr_value(state, object);
                let own = self.own_copy(state, address);
                self.set(state, *target, own);
            }
        }
        Ok(Flow::Next)
    }

    fn start_thread(&mut self, state: &mut State, function: Val, argument: Val) -> Step<u32> {
        let Some(proc) = self.procedure_at(state, function)? else {
            return Err(self.unsupported(state, "a thread that runs code which is not in the program"));
        };
        let code = self.code.clone();
        let callee = &code.procs[proc as usize];
        if !callee.has_body {
            return Err(self.unsupported(state, format!("a thread that runs `{}`, which has no body", callee.name)));
        }
        self.ledger.note(match self.program.memory_model {
            MemoryModel::Sc => Assumption::SequentialConsistency,
            model => Assumption::StoreBuffers { model },
        });
        if state.threads.is_none() {
            let sections = std::mem::take(&mut state.sections);
            state.threads = Some(Box::new(Threads::first(sections)));
            self.divide_memory(state);
            self.make_footprints();
        }
        let number = state.threads.as_ref().map_or(0, |threads| threads.all.len()) as u32;
        if number as usize >= MAX_THREADS {
            return Err(PathEnd::Cut(Cut::Bound(format!("{MAX_THREADS} threads"))));
        }
        self.refuse_start_in_section(state);
        self.publish(state, &[argument]);
        let parent = state.running_thread();
        if let Some(threads) = &mut state.threads {
            threads.all.push(Thread::new());
        }
        // Its first values are made by the new thread itself, so that they have its names.
        state.run_thread(number);
        self.push_frame(state, proc);
        let mut locals = vec![Val::FALSE; callee.local_sorts.len()];
        for (index, &param) in callee.params.iter().enumerate() {
            let sort = callee.local_sorts[param as usize];
            let pointer = Sort::Bv(self.book.pointer_bits());
            locals[param as usize] = if index == 0 { self.converted(argument, pointer, sort) } else { self.arbitrary(state, sort) };
        }
        for &local in &callee.unset {
            locals[local as usize] = self.arbitrary(state, callee.local_sorts[local as usize]);
        }
        state.frame_mut().locals = Rc::new(locals);
        let copied = self.copy_thread_locals(state, number);
        state.run_thread(parent);
        copied?;
        if let Some(threads) = &mut state.threads {
            // The new thread may come before whatever its maker does next that others see.
            threads.phase = Phase::Running;
            threads.dirty = true;
            // But not in the middle of an atomic section: what it does next (the library stores the new thread's number) may be
            // seen by the new thread alone, so that nothing before has begun the section.
            let current = threads.current_mut();
            current.entered |= current.sections > 0;
        }
        Ok(number)
    }

    fn copy_thread_locals(&mut self, state: &mut State, number: u32) -> Step<()> {
        let mut copies = Vec::new();
        for original in self.thread_local_objects() {
            let site = self.book.origin(original).site;
            let Some((_, first)) = self.image.globals.iter().find(|(key, _)| *key == original).cloned() else { continue };
            let Val::Bits(size) = first.size else { continue };
            let align = self.program.objects.get(site as usize).map_or(16, |object| object.align);
            let Some(occurrence) = state.next_occurrence(site) else { continue };
            let Ok(copy) = self.book.object(Origin { site, occurrence }, Some(size), align) else {
                return Err(self.unsupported(state, "more memory than the address space holds"));
            };
            state.memory.insert(copy, first);
            if let Some(threads) = &mut state.threads {
                threads.owners.insert_mut(copy, number);
            }
            copies.push((original, copy));
        }
        if let Some(threads) = &mut state.threads {
            threads.all[number as usize].locals = copies;
        }
        Ok(())
    }

    fn own_copy(&self, state: &State, address: Val) -> Val {
        let Val::Pointer { object, offset } = address else { return address };
        let copies: &[(ObjectKey, ObjectKey)] = state.threads.as_ref().map_or(&[], |threads| &threads.current().locals);
        match copies.iter().find(|(original, _)| *original == object) {
            Some((_, copy)) => Val::Pointer { object: *copy, offset },
            None => address,
        }
    }

    /// The thread that a number names; a number that names none has no meaning.
    fn known_thread(&mut self, state: &mut State, thread: &Expr) -> Step<u32> {
        let (value, sort) = (self.expr_value(state, thread), thread.sort);
        let count = state.threads.as_ref().map_or(1, |threads| threads.all.len()) as u64;
        let no_thread = Cut::Undefined { what: "waiting for no thread".to_string(), loc: self.location(state) };
        if let Some(number) = self.number_of(value) {
            let is_known = number >= 1 && number <= count;
            return if is_known { Ok(number as u32 - 1) } else { Err(PathEnd::Cut(no_thread)) };
        }
        let term = self.term_of(value, sort);
        let term = self.placed(state, term)?;
        for number in 1..=count {
            let same = self.store.eq(term, self.store.small_const(number, sort));
            if self.split(state, same)? {
                return Ok(number as u32 - 1);
            }
        }
        Err(PathEnd::Cut(no_thread))
    }

    /// The thread that a name names. One that was joined keeps its name until another has the same.
    fn named_thread(&mut self, state: &mut State, name: &Expr) -> Step<u32> {
        let (value, sort) = (self.expr_value(state, name), name.sort);
        let names: Vec<(u32, ObjectKey)> =
            state.threads.iter().flat_map(|threads| (0..).zip(&threads.all)).filter_map(|(n, t)| Some((n, t.name?))).collect();
        if let Val::Pointer { object, offset: 0 } = value
            && let Some(&(number, _)) = names.iter().find(|(_, key)| *key == object)
        {
            return match state.memory.get(object) {
                Some(_) => Ok(number),
                None => Err(self.undefined(state, "the use of a thread that was joined before")),
            };
        }
        let term = self.term_of(value, sort);
        for (number, object) in names.into_iter().rev() {
            let own = self.term_of(Val::Pointer { object, offset: 0 }, sort);
            let same = self.store.eq(term, own);
            let same = self.placed(state, same)?;
            if self.split(state, same)? {
                return Ok(number);
            }
        }
        Err(self.undefined(state, "a thread that does not exist"))
    }

    fn undefined(&self, state: &State, what: &str) -> PathEnd {
        PathEnd::Cut(Cut::Undefined { what: what.to_string(), loc: self.location(state) })
    }

    /// The procedure that a thread was started with has returned.
    pub(crate) fn thread_returned(&mut self, state: &mut State) -> Step<()> {
        let code = self.code.clone();
        let callee = &code.procs[state.frame().proc as usize];
        let pointer = Sort::Bv(self.book.pointer_bits());
        let result = match callee.results.first() {
            Some(&slot) => {
                let value = state.frame().locals[slot as usize];
                self.converted(value, callee.local_sorts[slot as usize], pointer)
            }
            None => Val::Bits(0),
        };
        self.end_thread(state, result)
    }

    fn end_thread(&mut self, state: &mut State, result: Val) -> Step<()> {
        self.show_own(state);
        let name = self.code.procs[state.frames[0].proc as usize].name.clone();
        let loc = self.location(state);
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Leave { procedure: name, loc });
        }
        for frame in &mut state.frames {
            for object in std::mem::take(&mut frame.stack_objects) {
                state.memory.remove(object);
            }
        }
        self.publish(state, &[result]);
        if state.threads.as_ref().is_none_or(|threads| threads.live() == 1) {
            // The last one ends the program.
            state.frames.truncate(1);
            Rc::make_mut(&mut state.frame_mut().locals).fill(Val::FALSE);
            return Err(self.end(state));
        }
        state.frames.clear();
        let Some(threads) = &mut state.threads else { return Err(PathEnd::Finished) };
        let thread = threads.current_mut();
        thread.ended = true;
        thread.result = result;
        (thread.sections, thread.entered) = (0, false);
        for (_, copy) in std::mem::take(&mut thread.locals) {
            state.memory.remove(copy);
        }
        if matches!(self.mode, Mode::Replay { .. }) {
            self.proceeded(state, Sight::None);
            return if state.frames.is_empty() { self.run_another(state) } else { Ok(()) };
        }
        threads.events += 1;
        threads.phase = Phase::Choosing;
        let next = threads.ready().first().copied();
        let next = next.or((0..threads.all.len() as u32).find(|&n| !threads.all[n as usize].ended));
        state.comparison.at_loop_head = true;
        if let Some(next) = next {
            state.run_thread(next);
        }
        Ok(())
    }
}
