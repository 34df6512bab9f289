//! Which procedures call which, which of them are recursive, and facts about a procedure that include those about its
//! callees (effects, changed variables), as the least fixed point over the graph.
//!
//! Calls through pointers are where users differ, by what their own meaning of such a call is: see [`PointerCalls`].

use crate::Graph;
use fathom_ir::{Callee, ProcId, Procedure, Program, StatementKind};

/// What a call through a pointer may call.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PointerCalls {
    /// Left out: the caller treats them apart (see [`CallGraph::calls_through_pointer`]).
    LeftOut,
    /// Whatever has an address. Right for the machine, which fits arguments to whatever it calls.
    AnyAddress,
    /// What has an address and as many parameters as there are arguments; the procedure itself where the pointer is the address
    /// of one. Right for those to whom any other call is a failure of its own.
    SameArity,
}

/// The calls of a program.
pub struct CallGraph {
    calls: Graph,
    through_pointer: Vec<bool>,
}

impl CallGraph {
    /// The calls of a program's procedures.
    pub fn of(program: &Program, pointers: PointerCalls) -> CallGraph {
        let all = || (0..program.procedures.len() as u32).map(ProcId);
        let addressed: Vec<ProcId> = all().filter(|&id| program.procedure(id).address.is_some()).collect();
        let mut through_pointer = vec![false; program.procedures.len()];
        let mut calls = Vec::new();
        for (procedure, is_unknown) in program.procedures.iter().zip(&mut through_pointer) {
            let mut callees: Vec<u32> = Vec::new();
            for (callee, arguments) in calls_of(procedure) {
                match callee {
                    Callee::Direct(callee) => callees.push(callee.0),
                    Callee::Indirect(pointer) => {
                        *is_unknown = true;
                        let known = program.terms.as_var(*pointer).and_then(|var| program.procedure_addresses.get(&var));
                        let fits = |id: &&ProcId| program.procedure(**id).params.len() == arguments;
                        match (pointers, known) {
                            (PointerCalls::LeftOut, _) => {}
                            (PointerCalls::AnyAddress, _) => callees.extend(addressed.iter().map(|id| id.0)),
                            (PointerCalls::SameArity, Some(callee)) => callees.push(callee.0),
                            (PointerCalls::SameArity, None) => callees.extend(addressed.iter().filter(fits).map(|id| id.0)),
                        }
                    }
                }
            }
            callees.sort_unstable();
            callees.dedup();
            calls.push(callees);
        }
        CallGraph { calls: Graph::new(calls), through_pointer }
    }

    /// The procedures that this one calls, ascending and each once.
    pub fn callees(&self, procedure: ProcId) -> impl Iterator<Item = ProcId> + '_ {
        self.calls.successors(procedure.0).iter().copied().map(ProcId)
    }

    /// Whether the procedure has a call through a pointer.
    pub fn calls_through_pointer(&self, procedure: ProcId) -> bool {
        self.through_pointer[procedure.0 as usize]
    }

    /// For each procedure whether a call of it may lead to another call of it.
    pub fn recursive(&self) -> Vec<bool> {
        self.calls.on_cycle()
    }

    /// For each procedure whether a call of this one may lead to a call of it; the procedure itself is reached.
    pub fn reached(&self, from: ProcId) -> Vec<bool> {
        self.calls.reached([from.0])
    }

    /// Completes facts about procedures by those about their callees. `absorb` adds a callee's fact to its caller's and says
    /// whether that changed anything. Callees come before their callers, so that only recursion takes several rounds.
    pub fn accumulate<F: Clone>(&self, facts: &mut [F], mut absorb: impl FnMut(&mut F, &F) -> bool) {
        for component in self.calls.components().into_iter().rev() {
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for &caller in &component {
                    for &callee in self.calls.successors(caller).iter().filter(|&&callee| callee != caller) {
                        let from = facts[callee as usize].clone();
                        changed |= absorb(&mut facts[caller as usize], &from);
                    }
                }
                changed &= component.len() > 1;
            }
        }
    }
}

/// The calls of a procedure: whom, and with how many arguments.
fn calls_of(procedure: &Procedure) -> impl Iterator<Item = (&Callee, usize)> {
    let statements = procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
    statements.filter_map(|statement| match &statement.kind {
        StatementKind::Call { callee, args, .. } => Some((callee, args.len())),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_up_from_callees_and_around_cycles() {
        // 0 -> 1 <-> 2 -> 3; 4 alone.
        let calls = Graph::new(vec![vec![1], vec![2], vec![1, 3], vec![], vec![]]);
        let graph = CallGraph { calls, through_pointer: vec![false; 5] };
        let mut facts: Vec<u32> = vec![1, 2, 4, 8, 16];
        graph.accumulate(&mut facts, |to, from| std::mem::replace(to, *to | *from) != *to);
        assert_eq!(facts, [15, 14, 14, 8, 16]);
        assert_eq!(graph.recursive(), [false, true, true, false, false]);
        assert_eq!(graph.reached(ProcId(2)), [false, true, true, true, false]);
    }
}
