//! Calls while a program is inlined: those that are replaced by a copy, those of recursive procedures, which stay calls, and
//! those through pointers.

use crate::inline::{After, Inliner};
use crate::program::{ErrorKind, NotFlat};
use crate::raw::{Apart, RawEnd};
use fathom_base::Loc;
use fathom_ir::{Assumption, ProcId, Procedure, StatementKind, THREAD_NUMBER};
use fathom_passes::{Bound, bind};
use fathom_term::{Term, VarId};

impl Inliner<'_> {
    /// Goes on behind the call, unless nothing comes back from it.
    pub fn call(&mut self, from: usize, callee: ProcId, args: &[Term], targets: &[VarId], loc: Loc) -> Result<Option<usize>, NotFlat> {
        let program = self.program;
        let procedure = program.procedure(callee);
        if procedure.body.is_none() {
            self.out.notes.insert(Assumption::FunctionWithoutBody { name: procedure.name.clone() });
            self.push(from, StatementKind::Havoc { vars: targets.to_vec(), input: None }, loc);
            return Ok(Some(from));
        }
        let name = &procedure.name;
        // Which thread a name names makes no difference here.
        if self.interleaved
            && name == THREAD_NUMBER
            && let &[target] = targets
        {
            self.number(from, target, loc);
            return Ok(Some(from));
        }
        if procedure.variadic.is_some() && (self.within.is_some() || self.recursive[callee.0 as usize]) {
            return Ok(self.bad(
                from,
                ErrorKind::Unsupported(format!("a variable number of arguments of {name} in a recursive procedure")),
                loc,
            ));
        }
        if self.recursive[callee.0 as usize] {
            return Ok(self.call_apart(from, callee, args, targets, loc));
        }
        let after = self.add_block(format!("{}.after", self.out.blocks[from].label), None, loc);
        let (entry, renaming) = self.copy(callee, After::Block(after), args)?;
        let Some(passed) = bind(self.store, &renaming.vars(&procedure.params), args) else {
            return Ok(self.bad(from, ErrorKind::Unsupported(format!("an argument of another type than {name} takes")), loc));
        };
        self.push_bound(from, passed, loc);
        if let Some(variadic) = procedure.variadic {
            let surplus = &args[procedure.params.len().min(args.len())..];
            if !self.pass_surplus(from, name, renaming.var(variadic), surplus, loc)? {
                return Ok(self.bad(from, ErrorKind::Unsupported(format!("a surplus argument of {name} of this type")), loc));
            }
        }
        self.out.blocks[from].end = RawEnd::Goto(vec![entry]);
        let results: Vec<Term> = procedure.results.iter().map(|&result| self.store.var_term(renaming.var(result))).collect();
        let Some(results) = bind(self.store, targets, &results) else {
            return Ok(self.bad(after, ErrorKind::Unsupported(format!("a result of another type than {name} gives")), loc));
        };
        self.push_bound(after, results, loc);
        Ok(Some(after))
    }

    fn push_bound(&mut self, block: usize, bound: Bound, loc: Loc) {
        self.push(block, StatementKind::Assign(bound.pairs), loc);
        self.push(block, StatementKind::Havoc { vars: bound.missing, input: None }, loc);
    }

    /// Tries the functions that a pointer may lead to; goes on behind them.
    pub fn call_through(
        &mut self,
        from: usize,
        pointer: Term,
        args: &[Term],
        targets: &[VarId],
        loc: Loc,
    ) -> Result<Option<usize>, NotFlat> {
        let label = self.out.blocks[from].label.clone();
        let fits = |(number, procedure): (usize, &Procedure)| {
            let address = procedure.address.and_then(|term| self.out.addresses.get(&self.store.as_var(term)?).copied())?;
            let count = procedure.params.len();
            let takes = count == args.len() || procedure.variadic.is_some() && count < args.len();
            (procedure.body.is_some() && takes).then_some((ProcId(number as u32), address))
        };
        let candidates: Vec<(ProcId, Term)> = self.program.procedures.iter().enumerate().filter_map(fits).collect();
        let after = self.add_block(format!("{label}.after"), None, loc);
        let mut guards = Vec::new();
        let mut nobody = self.store.bool(true);
        for (callee, address) in candidates {
            let is_it = self.store.eq(pointer, address);
            if self.store.const_bool(is_it) == Some(false) {
                continue;
            }
            let side = self.add_block(format!("{label}.call{}", callee.0), None, loc);
            guards.push((self.store.and(nobody, is_it), side));
            nobody = self.store.and(nobody, self.store.not(is_it));
            if let Some(end) = self.call(side, callee, args, targets, loc)? {
                self.out.blocks[end].end = RawEnd::Goto(vec![after]);
            }
        }
        let elsewhere = self.add_block(format!("{label}.elsewhere"), None, loc);
        let what = "a call through a pointer that leads to none of the program's functions with these arguments";
        self.bad(elsewhere, ErrorKind::Unsupported(what.to_string()), loc);
        guards.push((nobody, elsewhere));
        self.out.blocks[from].end = RawEnd::Guarded(guards);
        Ok(Some(after))
    }

    /// The block ends in an error location.
    pub fn bad(&mut self, block: usize, kind: ErrorKind, loc: Loc) -> Option<usize> {
        self.out.blocks[block].end = RawEnd::Bad(kind);
        self.out.blocks[block].loc = loc;
        None
    }

    /// A procedure that is not inlined, as a graph of its own.
    pub fn copy_apart(&mut self, number: usize) -> Result<(), NotFlat> {
        let id = self.out.apart[number].id;
        let procedure = self.program.procedure(id);
        self.within = Some(procedure.name.clone());
        let (entry, renaming) = self.copy(id, After::Caller, &[])?;
        let (params, results) = (renaming.vars(&procedure.params), renaming.vars(&procedure.results));
        self.out.apart[number] = Apart { id, entry, params, results };
        Ok(())
    }

    /// The number of a procedure that is not inlined.
    fn apart(&mut self, id: ProcId) -> usize {
        if let Some(known) = self.out.apart.iter().position(|apart| apart.id == id) {
            return known;
        }
        self.out.apart.push(Apart { id, entry: 0, params: Vec::new(), results: Vec::new() });
        self.out.apart.len() - 1
    }

    /// A call that stays one, in a block of its own.
    fn call_apart(&mut self, from: usize, callee: ProcId, args: &[Term], targets: &[VarId], loc: Loc) -> Option<usize> {
        let program = self.program;
        let procedure = program.procedure(callee);
        let passed = bind(self.store, &procedure.params, args).filter(|passed| passed.missing.is_empty());
        let results =
            targets.iter().zip(&procedure.results).all(|(&target, &result)| self.store.var_sort(target) == self.store.var_sort(result));
        let Some(passed) = passed.filter(|_| results && targets.len() <= procedure.results.len()) else {
            let what = format!("a call of {} with other arguments than it takes", procedure.name);
            return self.bad(from, ErrorKind::Unsupported(what), loc);
        };
        let label = self.out.blocks[from].label.clone();
        let (call, after) =
            (self.add_block(format!("{label}.{}", procedure.name), None, loc), self.add_block(format!("{label}.after"), None, loc));
        let number = self.apart(callee);
        let args = passed.pairs.into_iter().map(|(_, value)| value).collect();
        self.out.blocks[from].end = RawEnd::Goto(vec![call]);
        self.out.blocks[call].end = RawEnd::Call { procedure: number, args, targets: targets.to_vec(), after };
        Some(after)
    }
}
