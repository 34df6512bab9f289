//! Calls. A callee with a body is followed in the state of the call, as if it were inlined; what an earlier call from the
//! same location (by the same chain of calls) ended in is used again if that call started in a larger state. Recursion, chains
//! that are too deep, and any call once the analysis has used its effort are not followed: everything that the callee may
//! touch becomes unknown, and the callee is analysed later from a state in which nothing is known.

use crate::analysis::{Analyser, GivenUp, Step, Stop, Summary};
use crate::context::Context;
use crate::memory::Contents;
use crate::refine::Unreachable;
use crate::state::{Lvalue, State};
use crate::statements::{At, foreign_address};
use crate::value::{Abs, Object};
use fathom_ir::{Callee, ProcId};
use fathom_term::{Term, VarId};
use std::rc::Rc;

const MAX_DEPTH: usize = 32;

impl Analyser<'_> {
    pub(crate) fn call(&mut self, state: &mut State, targets: &[VarId], callee: &Callee, args: &[Term], at: At) -> Step {
        let context = self.context;
        let callees = match callee {
            Callee::Direct(callee) => vec![*callee],
            Callee::Indirect(pointer) => match possible_callees(&context.eval(state, *pointer)) {
                Some(callees) => callees,
                None => {
                    self.call_unknown(state, targets);
                    return Ok(());
                }
            },
        };
        let mut result: Option<State> = None;
        for callee in callees {
            let mut after = state.clone();
            match self.call_one(&mut after, targets, callee, args, at) {
                Ok(()) => {
                    result = Some(match result {
                        Some(known) => context.join(&known, &after),
                        None => after,
                    });
                }
                Err(Stop::Unreachable) => {}
                Err(Stop::GivenUp) => return Err(Stop::GivenUp),
            }
        }
        *state = result.ok_or(Unreachable)?;
        Ok(())
    }

    fn call_one(&mut self, state: &mut State, targets: &[VarId], callee: ProcId, args: &[Term], at: At) -> Step {
        let context = self.context;
        let program = context.program.clone();
        let procedure = program.procedure(callee);
        if procedure.body.is_none() {
            // It changes nothing, and its results are arbitrary.
            for &target in targets {
                context.set(state, target, context.anything(context.store.var_sort(target)));
            }
            return Ok(());
        }
        let is_recursive = self.calls.iter().any(|(_, other)| *other == callee) || program.entry == callee;
        if is_recursive || self.calls.len() >= MAX_DEPTH || self.is_tired() {
            self.unfollowed.extend(context.effects[callee.0 as usize].procedures.iter().copied());
            self.suspect(callee, at);
            self.havoc_call(state, targets, callee);
            return Ok(());
        }
        let entry = context.entry_state(state, callee, args);
        self.calls.push((at, callee));
        let exit = self.follow(callee, entry);
        self.calls.pop();
        let exit = exit.map_err(|GivenUp| Stop::GivenUp)?.ok_or(Unreachable)?;
        context.leave(state, exit, callee, targets);
        Ok(())
    }

    fn follow(&mut self, callee: ProcId, entry: State) -> Result<Option<State>, GivenUp> {
        let path: Vec<At> = self.calls.iter().map(|(at, _)| *at).collect();
        // The target of a call through a pointer is part of the path.
        let path: Vec<At> = path.into_iter().chain([At { procedure: callee, block: u32::MAX, index: 0 }]).collect();
        if !self.recording
            && let Some(known) = self.summaries.get(&path)
            && self.context.is_within(&entry, &known.entry)
        {
            return Ok(known.exit.clone());
        }
        let exit = self.procedure(callee, entry.clone())?;
        self.summaries.insert(path, Summary { entry, exit: exit.clone() });
        Ok(exit)
    }

    /// A call through a pointer that may be any: every procedure may run, on anything.
    fn call_unknown(&mut self, state: &mut State, targets: &[VarId]) {
        let context = self.context;
        self.unfollowed.extend((0..context.program.procedures.len() as u32).map(ProcId));
        let globals: Vec<VarId> = context.program.globals.iter().map(|global| global.id).collect();
        for &var in targets.iter().chain(&globals) {
            context.set(state, var, context.anything(context.store.var_sort(var)));
        }
        context.forget_memory(state);
        Rc::make_mut(&mut state.memory).heap_ended = true;
        forget_sites(context, state, &mut (0..context.sites.len() as u32));
    }

    fn havoc_call(&mut self, state: &mut State, targets: &[VarId], callee: ProcId) {
        let context = self.context;
        let effects = &context.effects[callee.0 as usize];
        if effects.calls_unknown {
            return self.call_unknown(state, targets);
        }
        let mut globals: Vec<VarId> = effects.globals.iter().copied().collect();
        globals.sort();
        for &var in targets.iter().chain(&globals) {
            context.set(state, var, context.anything(context.store.var_sort(var)));
        }
        context.forget_escaped(state);
        Rc::make_mut(&mut state.memory).heap_ended = true;
        let mut objects: Vec<_> = effects.objects.iter().copied().collect();
        objects.sort();
        for object in objects {
            context.forget_object(state, Object::Global(object));
        }
        let mut sites: Vec<u32> = effects.sites.iter().copied().collect();
        sites.sort_unstable();
        forget_sites(context, state, &mut sites.into_iter());
    }
}

/// Drops what is known of objects from these allocation sites: each may have allocated any number of times.
fn forget_sites(context: &Context, state: &mut State, sites: &mut dyn Iterator<Item = u32>) {
    for site in sites {
        let object = Object::Site(site);
        state.forget_cells(object, None);
        state.set_contents(object, Contents::unknown(None, false));
    }
    let _ = context;
}

/// The procedures that a pointer may lead to; None if it may lead anywhere.
fn possible_callees(pointer: &Abs) -> Option<Vec<ProcId>> {
    let Abs::Bits(bits) = pointer else { return None };
    if bits.points.unknown || bits.may_be_forged() {
        return None;
    }
    // An address of data, or of the middle of a procedure, is no procedure: the call ends the path.
    Some(
        bits.points
            .targets
            .iter()
            .filter_map(|(object, _)| match object {
                Object::Code(callee) => Some(*callee),
                _ => None,
            })
            .collect(),
    )
}

impl Context {
    /// The state in which a callee starts: its parameters, program variables and memory.
    fn entry_state(&self, state: &State, callee: ProcId, args: &[Term]) -> State {
        let procedure = self.program.procedure(callee);
        let mut entry = state.clone();
        let is_global = |var: VarId| self.global_vars.contains(&var);
        let values: Vec<Rc<Abs>> = args.iter().map(|&arg| self.eval(state, arg)).collect();
        entry.keep_vars(is_global);
        entry.equalities.retain(|known| known.vars.iter().all(|&var| is_global(var)));
        for (index, &param) in procedure.params.iter().enumerate() {
            let sort = self.store.var_sort(param);
            let value = match args.get(index) {
                Some(&arg) if self.store.sort(arg) == sort => values[index].clone(),
                _ => Rc::new(self.anything(sort)),
            };
            entry.set_var(param, value);
        }
        if let Some(variadic) = procedure.variadic {
            entry.set_var(variadic, Rc::new(foreign_address(self)));
        }
        self.start_locals(&mut entry, callee);
        entry
    }

    /// Locals that are read before they are written start with an arbitrary number.
    pub(crate) fn start_locals(&self, entry: &mut State, procedure: ProcId) {
        let (Some(info), Some(body)) = (self.info(procedure), &self.program.procedure(procedure).body) else { return };
        for &var in info.live.locals(body.entry.0) {
            if !entry.vars.contains_key(&var) {
                entry.set_var(var, Rc::new(Abs::top(self.store.var_sort(var))));
            }
        }
        entry.keep_vars(|var| info.live.at_start(body.entry.0, var));
    }

    /// Parameters and program variables may be anything; other locals that are read before they are written are numbers.
    pub(crate) fn start_unknown(&self, entry: &mut State, procedure: ProcId) {
        let proc = self.program.procedure(procedure);
        for &var in proc.params.iter().chain(&proc.variadic) {
            entry.set_var(var, Rc::new(self.anything(self.store.var_sort(var))));
        }
        self.start_locals(entry, procedure);
    }

    /// The caller's state after the callee returned in `exit`.
    fn leave(&self, state: &mut State, exit: State, callee: ProcId, targets: &[VarId]) {
        let procedure = self.program.procedure(callee);
        let is_global = |var: &VarId| self.global_vars.contains(var);
        let results: Vec<Option<Rc<Abs>>> = procedure.results.iter().map(|result| exit.vars.get(result).cloned()).collect();
        state.vars.retain(|var, _| !is_global(var));
        state.vars.extend(exit.vars.iter().filter(|(var, _)| is_global(var)).map(|(var, value)| (*var, value.clone())));
        // The callee changes no local of its caller; of what is known about cells only its own knowledge is left.
        state.equalities.retain(|known| matches!(known.lvalue, Lvalue::Var(var) if !is_global(&var)) && !known.vars.iter().any(is_global));
        state.forms.retain(|form| !form.vars().any(|var| is_global(&var)));
        state.memory = exit.memory;
        self.end_frame(state, callee);
        for (index, &target) in targets.iter().enumerate() {
            let sort = self.store.var_sort(target);
            let result = procedure.results.get(index).filter(|&&result| self.store.var_sort(result) == sort);
            let value = result.and_then(|_| results[index].clone()).unwrap_or_else(|| Rc::new(self.anything(sort)));
            self.set(state, target, (*value).clone());
        }
    }

    /// Stack objects of a procedure that returned are gone, where no other activation of it can be under way.
    fn end_frame(&self, state: &mut State, callee: ProcId) {
        self.note_end_of_frame(state, callee);
        if !state.memory.sites_fresh {
            return;
        }
        let ended: Vec<Object> = state
            .memory
            .objects
            .keys()
            .copied()
            .filter(|object| match object {
                Object::Site(site) => {
                    let site = &self.sites[*site as usize];
                    site.procedure == callee && site.kind == fathom_ir::AllocKind::Stack
                }
                _ => false,
            })
            .collect();
        if !ended.is_empty() {
            let memory = Rc::make_mut(&mut state.memory);
            ended.iter().for_each(|object| drop(memory.objects.remove(object)));
        }
    }
}
