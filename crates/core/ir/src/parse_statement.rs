//! Statements and terminators of the text form.

use crate::cursor::{Cursor, ParseError, Parsed};
use crate::description::PartMut;
use crate::program::ProcId;
use crate::property::Property;
use crate::statement::{AllocKind, Callee, InputKind, StatementKind, StopKind, Switch, TerminatorKind};
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

/// Why a line is not the statement that it was taken for.
enum Failure {
    /// One of these words should have been there.
    Words {
        at: usize,
        words: Vec<&'static str>,
    },
    Other(ParseError),
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Failure {
        Failure::Other(error)
    }
}

impl Failure {
    fn report<T>(self, cursor: &Cursor) -> Parsed<T> {
        match self {
            Failure::Words { at, words } => {
                let (last, others) = words.split_last().map_or((&"", &[][..]), |(last, others)| (last, others));
                let others = others.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
                let others = if others.is_empty() { others } else { format!("{others} or ") };
                cursor.error_at(at, format!("{others}`{last}` is expected"))
            }
            Failure::Other(error) => Err(error),
        }
    }
}

/// What to say if a line is none of two statements: what was wrong behind the words that they begin with.
fn furthest(one: Option<Failure>, other: Failure) -> Failure {
    match (one, other) {
        (Some(Failure::Words { at, mut words }), Failure::Words { at: there, words: more }) if at == there => {
            let new: Vec<&str> = more.into_iter().filter(|word| !words.contains(word)).collect();
            words.extend(new);
            Failure::Words { at, words }
        }
        (Some(Failure::Words { at: there, .. }), Failure::Words { at, words }) if at > there => Failure::Words { at, words },
        (Some(found), Failure::Words { .. }) => found,
        (_, other) => other,
    }
}

/// Takes one of these words or marks; tells which.
fn one_of(words: &[&'static str], cursor: &mut Cursor) -> Result<usize, Failure> {
    let mut take = |word: &str| match word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => cursor.take_word(word),
        false => cursor.take(word),
    };
    let found = words.iter().position(|word| take(word));
    found.ok_or_else(|| Failure::Words { at: cursor.mark(), words: words.to_vec() })
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
        match keyword {
            "havoc" => return self.havoc(cursor).map(Some),
            "call" => return self.call(cursor).map(Some),
            _ => {}
        }
        let templates = StatementKind::templates(keyword, self.store.bool(false), VarId(0));
        let start = cursor.mark();
        let mut failure = None;
        for mut kind in templates {
            cursor.back_to(start);
            match self.fill_in(&mut kind, cursor) {
                Ok(()) => return Ok(Some(kind)),
                Err(next) => failure = Some(furthest(failure, next)),
            }
        }
        match failure {
            Some(failure) => failure.report(cursor),
            None => Ok(None),
        }
    }

    /// Reads the parts of a statement behind its keyword.
    fn fill_in(&self, kind: &mut StatementKind, cursor: &mut Cursor) -> Result<(), Failure> {
        let mut result = Ok(());
        let mut is_keyword = true;
        kind.parts_mut(&mut |part| {
            if result.is_ok() && !std::mem::take(&mut is_keyword) {
                result = self.part(part, cursor);
            }
        });
        result
    }

    fn part(&self, part: PartMut, cursor: &mut Cursor) -> Result<(), Failure> {
        let store = self.store;
        match part {
            PartMut::Word(word) => _ = one_of(&[word], cursor)?,
            PartMut::Term(term, ..) => *term = cursor.term(store)?,
            PartMut::Target(var, ..) => *var = cursor.var(store)?,
            PartMut::Procedure(id) => *id = self.procedure(cursor)?,
            PartMut::Property(property) => {
                let start = cursor.mark();
                *property = match cursor.plain_word().parse::<Property>() {
                    Ok(property) => property,
                    Err(error) => cursor.error_at(start, error.to_string())?,
                };
            }
            PartMut::Input(input) => {
                one_of(&["input"], cursor)?;
                *input = self.input(cursor)?;
            }
            PartMut::Storage(kind) => *kind = [AllocKind::Stack, AllocKind::Heap][one_of(&["stack", "heap"], cursor)?],
            PartMut::Text(text) => *text = cursor.quoted()?,
            PartMut::Line(number) => *number = cursor.number()?,
            PartMut::Alignment(number) => *number = cursor.number()?,
            PartMut::Flag(word, flag) => *flag = cursor.take_word(word),
            PartMut::Signedness(signed) => *signed = cursor.signedness()?,
        }
        Ok(())
    }

    /// Reads what follows the word `input`.
    fn input(&self, cursor: &mut Cursor) -> Parsed<InputKind> {
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
        let input = if cursor.is_done() {
            None
        } else {
            cursor.expect_word("input")?;
            Some(self.input(cursor)?)
        };
        Ok(StatementKind::Havoc { vars, input })
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
        let callee =
            if cursor.take_word("indirect") { Callee::Indirect(cursor.term(self.store)?) } else { Callee::Direct(self.procedure(cursor)?) };
        let args = cursor.enclosed("(", ")", |cursor| cursor.term(self.store))?;
        Ok(StatementKind::Call { targets, callee, args })
    }

    fn procedure(&self, cursor: &mut Cursor) -> Parsed<ProcId> {
        let start = cursor.mark();
        let name = cursor.name()?;
        match self.procedures.get(&name) {
            Some(&id) => Ok(id),
            None => cursor.error_at(start, format!("unknown procedure {}", crate::print::quoted(&name))),
        }
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
