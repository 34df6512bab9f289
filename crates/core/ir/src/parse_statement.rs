//! Statements and terminators of the text form.

use crate::cursor::{Cursor, Parsed};
use crate::program::ProcId;
use crate::property::Property;
use crate::statement::{
    AllocKind, Callee, Family, Fill, InputKind, StatementKind, StopKind, Switch, TerminatorKind, ThreadOperation, Watch,
};
use fathom_base::FxMap;
use fathom_term::{TermStore, VarId};

/// The symbol tables that names in statements are looked up in.
pub(crate) struct Context<'a> {
    pub store: &'a TermStore,
    pub procedures: &'a FxMap<String, ProcId>,
}

/// A line of a block: a statement or a terminator.
pub(crate) enum Line {
    Statement(StatementKind),
    Terminator(TerminatorKind),
}

impl Context<'_> {
    /// Parses one line of a block.
    pub fn line(&self, cursor: &mut Cursor) -> Parsed<Line> {
        if let Some(targets) = self.assigned(cursor)? {
            let values = cursor.list(|cursor| cursor.term(self.store))?;
            if values.len() != targets.len() {
                return cursor.error(format!("{} variables, but {} values", targets.len(), values.len()));
            }
            cursor.expect_end()?;
            return Ok(Line::Statement(StatementKind::Assign(targets.into_iter().zip(values).collect())));
        }
        let start = cursor.mark();
        let keyword = cursor.plain_word();
        let line = match self.terminator(keyword, cursor)? {
            Some(kind) => Line::Terminator(kind),
            None => match self.statement(keyword, cursor)? {
                Some(kind) => Line::Statement(kind),
                None => return cursor.error_at(start, "a statement is expected"),
            },
        };
        cursor.expect_end()?;
        Ok(line)
    }

    /// The variables in front of `:=`, if this is an assignment.
    fn assigned(&self, cursor: &mut Cursor) -> Parsed<Option<Vec<VarId>>> {
        let start = cursor.mark();
        let is_assignment = cursor.symbol().is_ok() && (cursor.take(",") || cursor.take(":="));
        cursor.back_to(start);
        if !is_assignment {
            return Ok(None);
        }
        let targets = cursor.list(|cursor| cursor.var(self.store))?;
        cursor.expect(":=")?;
        Ok(Some(targets))
    }

    fn statement(&self, keyword: &str, cursor: &mut Cursor) -> Parsed<Option<StatementKind>> {
        let store = self.store;
        Ok(Some(match keyword {
            "havoc" => self.havoc(cursor)?,
            "assume" => StatementKind::Assume(cursor.term(store)?),
            "assert" => {
                let start = cursor.mark();
                let property: Property = match cursor.plain_word().parse() {
                    Ok(property) => property,
                    Err(error) => return cursor.error_at(start, format!("{error}")),
                };
                StatementKind::Assert { condition: cursor.term(store)?, property, message: cursor.quoted()? }
            }
            "alloc" => self.alloc(cursor)?,
            "end" => StatementKind::EndScope { variable: cursor.var(store)? },
            "free" => StatementKind::Free { pointer: cursor.term(store)?, family: Family::C },
            "delete" => StatementKind::Free { pointer: cursor.term(store)?, family: Family::New },
            "delete_array" => StatementKind::Free { pointer: cursor.term(store)?, family: Family::NewArray },
            "use" => StatementKind::Use { pointer: cursor.term(store)? },
            "forget" => StatementKind::Forget { pointer: cursor.term(store)? },
            "load" => {
                let target = cursor.var(store)?;
                cursor.expect("<-")?;
                let pointer = cursor.term(store)?;
                StatementKind::Load { target, pointer, volatile: cursor.take_word("volatile") }
            }
            "store" => {
                let pointer = cursor.term(store)?;
                cursor.expect("<-")?;
                StatementKind::Store { pointer, value: cursor.term(store)? }
            }
            "copy" => {
                let target = cursor.term(store)?;
                cursor.expect("<-")?;
                let source = cursor.term(store)?;
                cursor.expect_word("length")?;
                StatementKind::Copy { target, source, length: cursor.term(store)? }
            }
            "fill" => {
                let pointer = cursor.term(store)?;
                cursor.expect_word("length")?;
                let length = cursor.term(store)?;
                let fill = if cursor.take_word("byte") { Fill::Byte(cursor.term(store)?) } else { Fill::Arbitrary(self.input(cursor)?) };
                StatementKind::Set { pointer, fill, length }
            }
            "size" => {
                let target = cursor.var(store)?;
                cursor.expect("<-")?;
                StatementKind::ObjectSize { target, pointer: cursor.term(store)? }
            }
            "call" => self.call(cursor)?,
            "thread" => StatementKind::Thread(self.thread(cursor)?),
            "watch" => {
                let (variable, declared, type_name) = (cursor.quoted()?, cursor.number::<u32>()?, cursor.quoted()?);
                let signed = cursor.signedness()?;
                StatementKind::Watch(Watch { variable, declared, type_name, signed, ty: None, value: cursor.term(store)? })
            }
            "unsupported" => StatementKind::Unsupported(cursor.quoted()?),
            _ => return Ok(None),
        }))
    }

    fn thread(&self, cursor: &mut Cursor) -> Parsed<ThreadOperation> {
        let (store, start) = (self.store, cursor.mark());
        let target = |cursor: &mut Cursor| -> Parsed<VarId> {
            let target = cursor.var(store)?;
            cursor.expect("<-")?;
            Ok(target)
        };
        Ok(match cursor.plain_word() {
            "start" => {
                let (target, function) = (target(cursor)?, cursor.term(store)?);
                cursor.expect("(")?;
                let argument = cursor.term(store)?;
                cursor.expect(")")?;
                ThreadOperation::Start { target, function, argument }
            }
            "join" => ThreadOperation::Join { target: target(cursor)?, thread: cursor.term(store)? },
            "exit" => ThreadOperation::Exit { result: cursor.term(store)? },
            "current" => ThreadOperation::Current { target: cursor.var(store)? },
            "begin" => ThreadOperation::AtomicBegin,
            "end" => ThreadOperation::AtomicEnd,
            "local" => ThreadOperation::Local { target: target(cursor)?, object: cursor.term(store)? },
            _ => return cursor.error_at(start, "start, join, exit, current, begin, end or local is expected"),
        })
    }

    fn input(&self, cursor: &mut Cursor) -> Parsed<InputKind> {
        cursor.expect_word("input")?;
        let (source, type_name) = (cursor.quoted()?, cursor.quoted()?);
        Ok(InputKind { source, type_name, signed: cursor.signedness()? })
    }

    /// `havoc x, y`, and where the values are inputs ` input "who" "type" signed`. A variable may be called `input`.
    fn havoc(&self, cursor: &mut Cursor) -> Parsed<StatementKind> {
        let mut vars = Vec::new();
        let is_input = |cursor: &mut Cursor| {
            let start = cursor.mark();
            let found = cursor.take_word("input") && cursor.take("\"");
            cursor.back_to(start);
            found
        };
        if !cursor.is_done() && !is_input(cursor) {
            vars = cursor.list(|cursor| cursor.var(self.store))?;
        }
        let input = if cursor.is_done() { None } else { Some(self.input(cursor)?) };
        Ok(StatementKind::Havoc { vars, input })
    }

    fn alloc(&self, cursor: &mut Cursor) -> Parsed<StatementKind> {
        let target = cursor.var(self.store)?;
        cursor.expect("<-")?;
        let kind = if cursor.take_word("stack") {
            AllocKind::Stack
        } else {
            cursor.expect_word("heap")?;
            AllocKind::Heap
        };
        let zeroed = cursor.take_word("zeroed");
        cursor.expect_word("align")?;
        let align = cursor.number()?;
        cursor.expect_word("size")?;
        let size = cursor.term(self.store)?;
        Ok(StatementKind::Alloc { target, size, align, kind, zeroed, name: cursor.quoted()? })
    }

    fn call(&self, cursor: &mut Cursor) -> Parsed<StatementKind> {
        let start = cursor.mark();
        let has_targets = cursor.symbol().is_ok() && (cursor.take(",") || cursor.take("<-"));
        cursor.back_to(start);
        let mut targets = Vec::new();
        if has_targets {
            targets = cursor.list(|cursor| cursor.var(self.store))?;
            cursor.expect("<-")?;
        }
        let callee = if cursor.take_word("indirect") {
            Callee::Indirect(cursor.term(self.store)?)
        } else {
            let start = cursor.mark();
            let name = cursor.name()?;
            match self.procedures.get(&name) {
                Some(&id) => Callee::Direct(id),
                None => return cursor.error_at(start, format!("unknown procedure {}", crate::print::quoted(&name))),
            }
        };
        let args = cursor.enclosed("(", ")", |cursor| cursor.term(self.store))?;
        Ok(StatementKind::Call { targets, callee, args })
    }

    fn terminator(&self, keyword: &str, cursor: &mut Cursor) -> Parsed<Option<TerminatorKind>> {
        Ok(Some(match keyword {
            "goto" if cursor.is_done() => TerminatorKind::Goto(Vec::new()),
            "goto" => TerminatorKind::Goto(cursor.list(Cursor::block)?),
            "branch" => {
                let condition = cursor.term(self.store)?;
                TerminatorKind::Branch { condition, then: cursor.block()?, otherwise: cursor.block()? }
            }
            "switch" => {
                let value = cursor.term(self.store)?;
                let case = |cursor: &mut Cursor| Ok((cursor.term(self.store)?, cursor.block()?));
                let cases = cursor.enclosed("[", "]", case)?;
                TerminatorKind::Switch(Switch { value, cases, default: cursor.block()? })
            }
            "return" => TerminatorKind::Return,
            "stop" => {
                let kinds = [StopKind::Exit, StopKind::Abort, StopKind::Unreachable];
                let name = cursor.plain_word();
                match kinds.into_iter().find(|kind| crate::print::stop_name(kind) == name) {
                    Some(kind) => TerminatorKind::Stop(kind),
                    None => return cursor.error("exit, abort or unreachable is expected"),
                }
            }
            "give-up" => TerminatorKind::Unsupported(cursor.quoted()?),
            _ => return Ok(None),
        }))
    }
}
