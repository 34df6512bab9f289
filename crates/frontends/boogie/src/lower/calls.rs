//! Calls. Preconditions are asserted where the call stands. A callee with a body is called; without one, its
//! specification runs in place: what it may change becomes arbitrary, then its postconditions are assumed.

use super::blocks::Code;
use super::contracts::reachable;
use super::expr::unsupported;
use super::{Lowered, Lowerer, OldContext};
use crate::source::Span;
use crate::typed::{Call, Stmt, VarId};
use fathom_ir::{self as ir, StatementKind};
use fathom_term::{Substitution, Term, VarId as TermVar};

impl Lowerer<'_> {
    pub(super) fn call(&mut self, call: &Call, statement: &Stmt, code: &mut Code) -> Lowered<()> {
        if call.forall {
            return self.lemma(call, statement.span, code);
        }
        let typed = self.typed;
        let declared = typed.procedure(call.procedure);
        let args = self.arguments(call, code)?;
        let here = code.loc;
        let mut images = Vec::new();
        for (&param, &arg) in declared.ins.iter().zip(&args) {
            images.push((self.target(param, statement.span)?, arg));
        }
        if !call.free {
            let mut renaming = Substitution::new(images.iter().copied());
            for condition in declared.requires.iter().filter(|condition| !condition.free) {
                let before = code.statements.len();
                let place = self.loc(condition.span);
                let what = format!("precondition of {} (line {})", declared.name, place.line);
                self.assert_condition(condition, &what, OldContext::Procedure(call.procedure), &mut renaming, code);
                code.statements[before..].iter_mut().for_each(|statement| statement.loc = here);
            }
        }
        code.loc = here;
        if declared.implementations.is_empty() || self.abstracted.contains(&call.procedure) {
            return self.specified_call(call, args, images, code);
        }
        let mut targets = Vec::new();
        for (position, out) in call.outs.iter().enumerate() {
            targets.push(match out {
                Some(var) => self.target(*var, statement.span)?,
                None => self.fresh_like(&declared.outs[position..=position], code)?[0],
            });
        }
        let callee = ir::Callee::Direct(self.proc_id(call.procedure));
        code.push(StatementKind::Call { targets, callee, args });
        call.outs.iter().flatten().for_each(|&var| self.watch(var, code));
        Ok(())
    }

    /// `call forall`: what the procedure's specification says of all values at once is assumed. The procedure itself is
    /// an entry, if it has a body.
    fn lemma(&mut self, call: &Call, span: Span, code: &mut Code) -> Lowered<()> {
        let typed = self.typed;
        if let OldContext::Implementation(index) = code.context {
            let user = typed.implementations[index].procedure;
            if user == call.procedure || reachable(typed, &[call.procedure]).contains(&user) {
                return unsupported("a lemma that is used in its own proof", span);
            }
        }
        let declared = typed.procedure(call.procedure);
        let context = OldContext::Procedure(call.procedure);
        self.translate_specifications(call.procedure);
        let mut images = Vec::new();
        let mut bound = Vec::new();
        for (&param, arg) in declared.ins.iter().zip(&call.args) {
            let target = self.target(param, typed.var(param).span)?;
            let value = match arg {
                Some(arg) => self.term(*arg, code.context)?,
                None => {
                    let (var, value) = self.new_var(&typed.var(param).name, self.store.var_sort(target));
                    bound.push(var);
                    value
                }
            };
            images.push((target, value));
        }
        // It changes nothing, so old values are the values there are.
        for (global, placeholder) in self.olds_of(context) {
            images.extend(self.store.as_var(placeholder).map(|from| (from, self.vars[&global])));
        }
        let mut renaming = Substitution::new(images);
        let mut holds = self.store.bool(true);
        for condition in &declared.ensures {
            let one = self.term(condition.condition, context)?;
            holds = self.store.and(holds, one);
        }
        // Exactly what the check of the body shows: it starts from everything that the procedure may take for granted.
        let granted = declared.requires.iter().map(|condition| condition.condition);
        let granted = granted.chain(declared.ins.iter().filter_map(|&param| typed.var(param).where_clause));
        for condition in granted {
            let one = self.term(condition, context)?;
            holds = self.store.implies(one, holds);
        }
        let holds = renaming.apply(&self.store, holds);
        code.push(StatementKind::Assume(self.close(true, bound, Vec::new(), holds)));
        Ok(())
    }

    /// The arguments as terms; `*` is any value.
    fn arguments(&mut self, call: &Call, code: &mut Code) -> Lowered<Vec<Term>> {
        let declared = self.typed.procedure(call.procedure);
        let mut args = Vec::new();
        for (position, arg) in call.args.iter().enumerate() {
            args.push(match arg {
                Some(arg) => self.term(*arg, code.context)?,
                None => {
                    let any = self.fresh_like(&declared.ins[position..=position], code)?[0];
                    code.push(StatementKind::Havoc { vars: vec![any], input: None });
                    self.store.var_term(any)
                }
            });
        }
        Ok(args)
    }

    fn specified_call(&mut self, call: &Call, args: Vec<Term>, mut images: Vec<(TermVar, Term)>, code: &mut Code) -> Lowered<()> {
        let typed = self.typed;
        let declared = typed.procedure(call.procedure);
        let here = code.loc;
        let context = OldContext::Procedure(call.procedure);
        self.translate_specifications(call.procedure);
        let needs_arguments = !declared.ensures.is_empty() || declared.outs.iter().any(|&out| typed.var(out).where_clause.is_some());
        // Values from before the call: arguments, and what `old` asks for.
        let mut saved = Vec::new();
        if needs_arguments {
            let temps = self.fresh_like(&declared.ins, code)?;
            for ((image, &temp), arg) in images.iter_mut().zip(&temps).zip(args) {
                saved.push((temp, arg));
                image.1 = self.store.var_term(temp);
            }
            for (global, placeholder) in self.olds_of(context) {
                let temp = self.fresh_like(&[global], code)?[0];
                saved.push((temp, self.vars[&global]));
                images.extend(self.store.as_var(placeholder).map(|from| (from, self.store.var_term(temp))));
            }
        }
        if !saved.is_empty() {
            code.push(StatementKind::Assign(saved));
        }
        let outs = self.fresh_like(&declared.outs, code)?;
        for (&out, &temp) in declared.outs.iter().zip(&outs) {
            images.push((self.target(out, typed.var(out).span)?, self.store.var_term(temp)));
        }
        if !outs.is_empty() {
            code.push(StatementKind::Havoc { vars: outs.clone(), input: None });
        }
        // What a body made may break where clauses.
        let has_body = !declared.implementations.is_empty();
        let modified: Vec<VarId> = declared.modifies.clone();
        if !modified.is_empty() {
            self.havoc(&modified, code)?;
        }
        let mut renaming = Substitution::new(images);
        for &out in declared.outs.iter().filter(|_| !has_body) {
            if let Some(clause) = typed.var(out).where_clause {
                let condition = self.term(clause, context)?;
                let condition = renaming.apply(&self.store, condition);
                code.push(StatementKind::Assume(condition));
            }
        }
        for condition in &declared.ensures {
            self.assume_condition(condition, context, &mut renaming, code);
        }
        code.loc = here;
        let mut pairs = Vec::new();
        for (out, &temp) in call.outs.iter().zip(&outs) {
            if let Some(var) = out {
                pairs.push((self.target(*var, here_span(typed, *var))?, self.store.var_term(temp)));
            }
        }
        if !pairs.is_empty() {
            code.push(StatementKind::Assign(pairs));
            call.outs.iter().flatten().for_each(|&var| self.watch(var, code));
        }
        Ok(())
    }
}

fn here_span(typed: &crate::typed::Program, var: VarId) -> Span {
    typed.var(var).span
}
