//! A call through a pointer that became a choice among direct calls: for each function that the pointer may lead to there must
//! be a case that is open when it leads there, and so for code that is not in the program.

use super::procedure::{Comparison, Point, Refused};
use fathom_base::{FxMap, FxSet};
use fathom_ir::{BlockId, Callee, ProcId, StatementKind, TerminatorKind};
use fathom_term::Term;

impl Comparison<'_> {
    /// Every way that the call may go is one of the cases, which go on `after` it.
    pub fn each_way(&mut self, call: &StatementKind, after: Point, cases: &[BlockId]) -> Result<(), Refused> {
        let effects = self.effects;
        let StatementKind::Call { targets, callee: Callee::Indirect(pointer), args } = call else {
            return Err("cases of what is no call through a pointer".into());
        };
        let store = effects.program.terms.clone();
        let by_condition = self.by_condition(cases);
        let mut nobody = store.bool(true);
        for callable in effects.callables.taking(&store, args) {
            let is_it = store.eq(*pointer, callable.address);
            nobody = store.and(nobody, store.not(is_it));
            let direct = StatementKind::Call { targets: targets.clone(), callee: Callee::Direct(callable.procedure), args: args.clone() };
            self.one_way(&direct, is_it, &by_condition, after)
                .ok_or_else(|| format!("a call may lead to {}, too", self.name(callable.procedure)))?;
        }
        let arbitrary = StatementKind::Havoc { vars: targets.clone(), input: None };
        self.one_way(&arbitrary, nobody, &by_condition, after).ok_or("a call may lead to code that is not in the program")?;
        Ok(())
    }

    fn name(&self, procedure: ProcId) -> &str {
        &self.effects.program.procedure(procedure).name
    }

    /// Cases by the condition under which they are open; none is always open.
    fn by_condition(&self, cases: &[BlockId]) -> FxMap<Option<Term>, Vec<BlockId>> {
        let mut found: FxMap<Option<Term>, Vec<BlockId>> = FxMap::default();
        for &case in cases {
            let condition = match self.other.block(case).statements.first().map(|first| &first.kind) {
                Some(StatementKind::Assume(condition)) => Some(*condition),
                _ => None,
            };
            found.entry(condition).or_default().push(case);
        }
        found
    }

    /// A case that is open under this condition and allows what happens then.
    fn one_way(
        &mut self,
        original: &StatementKind,
        condition: Term,
        cases: &FxMap<Option<Term>, Vec<BlockId>>,
        after: Point,
    ) -> Option<()> {
        for (open_if, skipped) in [(Some(condition), 1), (None, 0)] {
            for &case in cases.get(&open_if).into_iter().flatten() {
                let block = self.other.block(case);
                let is_nothing = |kind: &&StatementKind| matches!(kind, StatementKind::Havoc { vars, .. } if vars.is_empty());
                let mut statements = block.statements[skipped..].iter().map(|statement| &statement.kind).filter(|kind| !is_nothing(kind));
                let does = match (statements.next(), statements.next()) {
                    (None, _) => self.effects.is_silent(original, &FxSet::default()),
                    (Some(one), None) => self.effects.allows(original, one),
                    _ => false,
                };
                if let (true, TerminatorKind::Goto(targets)) = (does, &block.terminator.kind)
                    && let [target] = targets[..]
                    && let Some(fathom_ir::Origin::AfterCall(call)) = self.origin(target)
                    && self.after(*call) == Ok(after)
                {
                    self.visit(target);
                    return Some(());
                }
            }
        }
        None
    }
}
