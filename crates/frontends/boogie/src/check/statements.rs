//! Bodies: structured statements become basic blocks. Every label is a block from the start, so a goto may lead
//! anywhere in the body; a `while` has a head, whose first statements are its invariants, and a branch.

use super::Checker;
use crate::ast::{self, StmtKind as Ast};
use crate::source::Span;
use crate::typed::*;
use fathom_base::FxMap;
use std::rc::Rc;

/// A body while it is built.
#[derive(Default)]
pub(super) struct Building {
    blocks: Vec<Block>,
    /// Where statements go; None after a jump, until a label or another statement opens a block.
    current: Option<BlockId>,
    labels: FxMap<Rc<str>, BlockId>,
    /// Statements around that `break` may leave, innermost last.
    enclosing: Vec<Enclosing>,
}

struct Enclosing {
    label: Option<Rc<str>>,
    is_loop: bool,
    exit: BlockId,
}

impl Building {
    fn new_block(&mut self, label: Option<Rc<str>>, span: Span) -> BlockId {
        self.blocks.push(Block { label, stmts: Vec::new(), end: Terminator::Return, end_span: span });
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn here(&mut self, span: Span) -> BlockId {
        match self.current {
            Some(block) => block,
            None => {
                let block = self.new_block(None, span);
                self.current = Some(block);
                block
            }
        }
    }

    fn push(&mut self, stmt: Stmt) {
        let block = self.here(stmt.span);
        self.blocks[block.index()].stmts.push(stmt);
    }

    /// Ends the current block; what follows is elsewhere.
    fn end(&mut self, end: Terminator, span: Span) {
        let block = self.here(span);
        self.blocks[block.index()].end = end;
        self.blocks[block.index()].end_span = span;
        self.current = None;
    }

    /// Falls through to a block.
    fn fall_into(&mut self, block: BlockId, span: Span) {
        if self.current.is_some() {
            self.end(Terminator::Goto(vec![block]), span);
        }
        self.current = Some(block);
    }
}

impl Checker<'_> {
    pub(super) fn check_body(&mut self, body: &ast::Body) -> Vec<Block> {
        let mut building = Building::default();
        let entry = building.new_block(None, body.end);
        building.current = Some(entry);
        self.collect_labels(&body.stmts, &mut building);
        self.statements(&body.stmts, &mut building);
        if building.current.is_some() {
            if self.in_code {
                self.error(body.end, "the blocks of a code expression end with goto or return");
            }
            building.end(Terminator::Return, body.end);
        }
        building.blocks
    }

    fn collect_labels(&mut self, stmts: &[ast::StmtId], building: &mut Building) {
        let ast = self.ast;
        let mut open: Vec<ast::StmtId> = stmts.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            match &ast.stmt(id).kind {
                Ast::Label(label) => {
                    if building.labels.contains_key(&label.name) {
                        self.error(label.span, format!("more than one declaration of block name: {}", label.name));
                        continue;
                    }
                    let block = building.new_block(Some(label.name.clone()), label.span);
                    building.labels.insert(label.name.clone(), block);
                }
                Ast::If { then, otherwise, .. } => open.extend(otherwise.iter().flatten().rev().chain(then.iter().rev())),
                Ast::While { body, .. } => open.extend(body.iter().rev()),
                _ => {}
            }
        }
    }

    fn statements(&mut self, stmts: &[ast::StmtId], building: &mut Building) {
        let ast = self.ast;
        let mut label = None;
        for id in stmts {
            let stmt = ast.stmt(*id);
            if let Ast::Label(name) = &stmt.kind {
                if let Some(block) = building.labels.get(&name.name).copied() {
                    building.fall_into(block, stmt.span);
                }
                label = Some(name.name.clone());
                continue;
            }
            self.statement(stmt, label.take(), building);
        }
    }

    fn statement(&mut self, stmt: &ast::Stmt, label: Option<Rc<str>>, building: &mut Building) {
        match &stmt.kind {
            Ast::If { guard, then, otherwise } => {
                crate::deep(|| self.if_statement(stmt, *guard, then, otherwise.as_deref(), label, building))
            }
            Ast::While { guard, invariants, body } => crate::deep(|| self.while_statement(stmt, *guard, invariants, body, label, building)),
            Ast::Goto(labels) => self.goto(labels, stmt.span, building),
            Ast::Break(label) => self.break_statement(label.as_ref(), stmt.span, building),
            Ast::Return if self.in_code => self.error(stmt.span, "a block of a code expression returns a value"),
            Ast::Return => building.end(Terminator::Return, stmt.span),
            Ast::ReturnValue(value) => {
                if let Some(returned) = self.returned(*value, stmt.span) {
                    building.push(returned);
                    building.end(Terminator::Return, stmt.span);
                }
            }
            Ast::Label(_) => {}
            _ => {
                for stmt in self.simple_statement(stmt) {
                    building.push(stmt);
                }
            }
        }
    }

    fn goto(&mut self, labels: &[ast::Ident], span: Span, building: &mut Building) {
        let mut targets = Vec::new();
        for label in labels {
            match building.labels.get(&label.name) {
                Some(block) if !targets.contains(block) => targets.push(*block),
                Some(_) => {}
                None => self.error(label.span, format!("goto label '{}' is undefined", label.name)),
            }
        }
        building.end(Terminator::Goto(targets), span);
    }

    fn break_statement(&mut self, label: Option<&ast::Ident>, span: Span, building: &mut Building) {
        let found = building.enclosing.iter().rev().find(|around| match label {
            Some(label) => around.label.as_deref() == Some(&*label.name),
            None => around.is_loop,
        });
        match (found.map(|around| around.exit), label) {
            (Some(exit), _) => building.end(Terminator::Goto(vec![exit]), span),
            (None, Some(label)) => self.error(label.span, format!("break label '{}' must designate an enclosing statement", label.name)),
            (None, None) => self.error(span, "break statement is not inside a loop"),
        }
    }

    /// Leaves the current block for one of two.
    fn branch(&mut self, guard: ast::Guard, then: BlockId, otherwise: BlockId, span: Span, building: &mut Building) {
        let end = match guard {
            Some(guard) => Terminator::Branch { condition: self.condition(guard, "a guard"), then, otherwise },
            None => Terminator::Goto(vec![then, otherwise]),
        };
        let at = guard.map_or(span, |guard| self.ast.expr(guard).span);
        building.end(end, at);
    }

    fn if_statement(
        &mut self,
        stmt: &ast::Stmt,
        guard: ast::Guard,
        then: &[ast::StmtId],
        otherwise: Option<&[ast::StmtId]>,
        label: Option<Rc<str>>,
        building: &mut Building,
    ) {
        let then_block = building.new_block(None, stmt.span);
        let else_block = building.new_block(None, stmt.span);
        let exit = building.new_block(None, stmt.span);
        self.branch(guard, then_block, else_block, stmt.span, building);
        building.enclosing.push(Enclosing { label, is_loop: false, exit });
        building.current = Some(then_block);
        self.statements(then, building);
        building.fall_into(exit, stmt.span);
        building.current = Some(else_block);
        self.statements(otherwise.unwrap_or_default(), building);
        building.fall_into(exit, stmt.span);
        building.enclosing.pop();
    }

    fn while_statement(
        &mut self,
        stmt: &ast::Stmt,
        guard: ast::Guard,
        invariants: &[ast::Invariant],
        body: &[ast::StmtId],
        label: Option<Rc<str>>,
        building: &mut Building,
    ) {
        let head = building.new_block(None, stmt.span);
        let body_block = building.new_block(None, stmt.span);
        let exit = building.new_block(None, stmt.span);
        building.fall_into(head, stmt.span);
        for invariant in invariants {
            let condition = self.condition(invariant.condition, "a loop invariant");
            let kind = if invariant.free { StmtKind::Assume(condition) } else { StmtKind::Assert(AssertKind::LoopInvariant, condition) };
            let attributes = self.attributes(&invariant.attributes);
            building.push(Stmt { kind, attributes, span: invariant.span });
        }
        self.branch(guard, body_block, exit, stmt.span, building);
        building.enclosing.push(Enclosing { label, is_loop: true, exit });
        building.current = Some(body_block);
        self.statements(body, building);
        building.fall_into(head, stmt.span);
        building.enclosing.pop();
        building.current = Some(exit);
    }
}
