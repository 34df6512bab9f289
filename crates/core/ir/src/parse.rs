//! The text form, read back. The first pass declares every symbol, so that objects and procedures may mention each
//! other in any order; the second builds the program. Nothing is checked here but that the text makes sense:
//! `validate` judges the program.

use crate::cursor::{Cursor, ParseError, Parsed, split_comment, unquoted};
use crate::parse_statement::{Context, Line};
use crate::program::{Block, BlockId, Body, Initializer, MemoryObject, ObjectId, ProcId, Procedure, Program, Relocation, Variable};
use crate::statement::{Statement, Terminator, TerminatorKind};
use fathom_base::{FxMap, Loc};
use fathom_term::{Sort, Term, TermStore, VarId};
use std::path::Path;
use std::rc::Rc;

/// Reads what `print_program` wrote.
pub fn parse_program(text: &str) -> Result<Program, ParseError> {
    let mut parser =
        Parser { program: Program::empty(Rc::new(TermStore::new())), procedures: FxMap::default(), block: None, entry: String::new() };
    for (index, line) in text.lines().enumerate() {
        let (text, _) = split_comment(line);
        parser.declare(&mut Cursor::new(text, index + 1))?;
    }
    for (index, line) in text.lines().enumerate() {
        let (text, comment) = split_comment(line);
        if !text.trim().is_empty() {
            parser.line(&mut Cursor::new(text, index + 1), comment)?;
        }
    }
    parser.finish(text.lines().count().max(1))
}

struct Parser {
    program: Program,
    procedures: FxMap<String, ProcId>,
    /// The block whose end has not been seen.
    block: Option<Block>,
    entry: String,
}

impl Parser {
    /// First pass: sorts, functions, variables, addresses and the names of procedures.
    fn declare(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let store = self.program.terms.clone();
        let keyword = cursor.plain_word();
        // `local := 1` is an assignment.
        if cursor.take(":=") || cursor.take(",") {
            return Ok(());
        }
        match keyword {
            "program" => {
                cursor.expect_word("pointer")?;
                let bits: u32 = cursor.number()?;
                if !(1..=64).contains(&bits) {
                    return cursor.error("pointers have 1 to 64 bits");
                }
                self.program.layout.pointer_bits = bits;
                cursor.expect_word("entry")?;
                self.entry = cursor.name()?;
                cursor.expect_end()
            }
            "sort" => {
                let start = cursor.mark();
                let sort = store.opaque_sort(&cursor.symbol()?);
                if cursor.take_word("theory") {
                    let head = cursor.quoted()?;
                    let mut arguments = Vec::new();
                    while !cursor.is_done() {
                        arguments.push(cursor.sort(&store)?);
                    }
                    if store.theory_sort(&head, &arguments) != sort {
                        return cursor.error_at(start, "the sort has not its theory's name");
                    }
                }
                cursor.expect_end()
            }
            "function" => self.declare_function(cursor),
            "global" | "local" => {
                let start = cursor.mark();
                let name = cursor.symbol()?;
                let sort = cursor.sort(&store)?;
                self.declare_var(cursor, start, &name, sort)
            }
            "object" => {
                cursor.quoted()?;
                cursor.expect_word("at")?;
                self.declare_address(cursor)
            }
            "alias" => self.declare_address(cursor),
            "procedure" => self.declare_procedure(cursor),
            _ => Ok(()),
        }
    }

    fn declare_function(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let store = self.program.terms.clone();
        let start = cursor.mark();
        let name = cursor.symbol()?;
        cursor.expect("(")?;
        let mut arguments = Vec::new();
        while !cursor.take(")") {
            arguments.push(cursor.sort(&store)?);
        }
        let result = cursor.sort(&store)?;
        if store.find_function(&name).is_some() {
            return cursor.error_at(start, "the function is declared twice");
        }
        let function = store.function(&name, &arguments, result);
        if cursor.take_word("theory") && store.theory_function(&cursor.quoted()?, &arguments, result) != function {
            return cursor.error_at(start, "the function has not its theory's name");
        }
        cursor.expect_end()
    }

    fn declare_var(&mut self, cursor: &Cursor, start: usize, name: &str, sort: Sort) -> Parsed<()> {
        if self.program.terms.find_var(name).is_some() {
            return cursor.error_at(start, "the variable is declared twice");
        }
        self.program.terms.var(name, sort);
        Ok(())
    }

    fn declare_address(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let start = cursor.mark();
        let name = cursor.symbol()?;
        self.declare_var(cursor, start, &name, Sort::Bv(self.program.layout.pointer_bits))
    }

    fn declare_procedure(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let start = cursor.mark();
        let name = cursor.name()?;
        let id = ProcId(self.procedures.len() as u32);
        if self.procedures.insert(name, id).is_some() {
            return cursor.error_at(start, "the procedure is declared twice");
        }
        cursor.enclosed("(", ")", Cursor::symbol)?;
        if cursor.take("->") {
            cursor.enclosed("(", ")", Cursor::symbol)?;
        }
        if cursor.take_word("variadic") {
            cursor.symbol()?;
        }
        if cursor.take_word("at") { self.declare_address(cursor) } else { Ok(()) }
    }

    /// Second pass.
    fn line(&mut self, cursor: &mut Cursor, comment: &str) -> Parsed<()> {
        let loc = self.loc(comment);
        if self.block.is_some() {
            return self.block_line(cursor, loc);
        }
        let start = cursor.mark();
        let keyword = cursor.plain_word();
        match keyword {
            "program" | "sort" | "function" => return Ok(()),
            "file" => {
                self.program.files.add(Path::new(&cursor.quoted()?));
            }
            "assumption" => {
                let assumption = cursor.data()?;
                self.program.assumptions.push(assumption);
            }
            "axiom" => {
                let axiom = cursor.term(&self.program.terms)?;
                self.program.axioms.push(axiom);
            }
            "global" | "local" => self.variable(cursor, keyword == "global")?,
            "object" => self.object(cursor, loc)?,
            "offset" => self.relocation(cursor)?,
            "alias" => self.alias(cursor)?,
            "procedure" => self.procedure(cursor, loc)?,
            "begin" => {
                let entry = cursor.block()?;
                let Some(procedure) = self.program.procedures.last_mut() else {
                    return cursor.error_at(start, "no procedure to begin");
                };
                procedure.body = Some(Body { entry, blocks: Vec::new() });
            }
            _ => {
                cursor.back_to(start);
                self.block_head(cursor)?;
            }
        }
        cursor.expect_end()
    }

    /// `path:line:column`; anything else is a remark.
    fn loc(&mut self, comment: &str) -> Loc {
        let mut parts = comment.rsplitn(3, ':');
        let column = parts.next().and_then(|text| text.parse().ok());
        let line = parts.next().and_then(|text| text.parse().ok());
        match (parts.next().and_then(unquoted), line, column) {
            (Some(path), Some(line), Some(column)) if line > 0 => Loc { file: self.program.files.add(Path::new(&path)), line, column },
            _ => Loc::UNKNOWN,
        }
    }

    fn variable(&mut self, cursor: &mut Cursor, is_global: bool) -> Parsed<()> {
        let id = cursor.var(&self.program.terms)?;
        let sort = cursor.sort(&self.program.terms)?;
        let variable = Variable { id, name: cursor.quoted()?, sort };
        match self.program.procedures.last_mut() {
            _ if is_global => self.program.globals.push(variable),
            Some(procedure) => procedure.locals.push(variable),
            None => return cursor.error("a local variable outside procedures"),
        }
        Ok(())
    }

    fn address(&self, cursor: &mut Cursor) -> Parsed<(VarId, Term)> {
        let var = cursor.var(&self.program.terms)?;
        Ok((var, self.program.terms.var_term(var)))
    }

    fn object(&mut self, cursor: &mut Cursor, loc: Loc) -> Parsed<()> {
        let name = cursor.quoted()?;
        cursor.expect_word("at")?;
        let (var, address) = self.address(cursor)?;
        cursor.expect_word("size")?;
        let size = cursor.number()?;
        cursor.expect_word("align")?;
        let align = cursor.number()?;
        let read_only = cursor.take_word("read-only");
        let mergeable = cursor.take_word("mergeable");
        let thread_local = cursor.take_word("thread-local");
        let start = cursor.mark();
        let init = match cursor.plain_word() {
            "zero" => Initializer::Zero,
            "external" => Initializer::External,
            "bytes" => match hex_bytes(cursor.plain_word()) {
                Some(bytes) => Initializer::Bytes { bytes, relocations: Vec::new() },
                None => return cursor.error_at(start, "an even number of hexadecimal digits is expected"),
            },
            _ => return cursor.error_at(start, "zero, external or bytes is expected"),
        };
        let id = ObjectId(self.program.objects.len() as u32);
        self.program.object_addresses.insert(var, id);
        self.program.objects.push(MemoryObject { name, size, align, init, read_only, mergeable, thread_local, address, loc });
        Ok(())
    }

    fn relocation(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let offset = cursor.number()?;
        let value = cursor.term(&self.program.terms)?;
        match self.program.objects.last_mut().map(|object| &mut object.init) {
            Some(Initializer::Bytes { relocations, .. }) => {
                relocations.push(Relocation { offset, value });
                Ok(())
            }
            _ => cursor.error("no object with bytes to put this into"),
        }
    }

    fn alias(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let (var, _) = self.address(cursor)?;
        if cursor.take_word("object") {
            self.program.object_addresses.insert(var, ObjectId(cursor.number()?));
        } else {
            cursor.expect_word("procedure")?;
            self.program.procedure_addresses.insert(var, ProcId(cursor.number()?));
        }
        Ok(())
    }

    fn procedure(&mut self, cursor: &mut Cursor, loc: Loc) -> Parsed<()> {
        let terms = self.program.terms.clone();
        let name = cursor.name()?;
        let params = cursor.enclosed("(", ")", |cursor| cursor.var(&terms))?;
        let results = if cursor.take("->") { cursor.enclosed("(", ")", |cursor| cursor.var(&terms))? } else { Vec::new() };
        let variadic = if cursor.take_word("variadic") { Some(cursor.var(&terms)?) } else { None };
        let mut address = None;
        if cursor.take_word("at") {
            let (var, term) = self.address(cursor)?;
            self.program.procedure_addresses.insert(var, ProcId(self.program.procedures.len() as u32));
            address = Some(term);
        }
        let align = if cursor.take_word("align") { cursor.number()? } else { 1 };
        let procedure = Procedure { name, params, results, variadic, locals: Vec::new(), body: None, loc, address, align };
        self.program.procedures.push(procedure);
        Ok(())
    }

    /// `b3 "label":`
    fn block_head(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let start = cursor.mark();
        let id = cursor.block()?;
        let label = cursor.quoted()?;
        cursor.expect(":")?;
        let Some(body) = self.program.procedures.last_mut().and_then(|procedure| procedure.body.as_mut()) else {
            return cursor.error_at(start, "a block outside a procedure's body");
        };
        if id != BlockId(body.blocks.len() as u32) {
            return cursor.error_at(start, format!("block b{} is expected", body.blocks.len()));
        }
        let terminator = Terminator { kind: TerminatorKind::Return, loc: Loc::UNKNOWN };
        self.block = Some(Block { label, statements: Vec::new(), terminator });
        Ok(())
    }

    fn block_line(&mut self, cursor: &mut Cursor, loc: Loc) -> Parsed<()> {
        let context = Context { store: &self.program.terms, procedures: &self.procedures };
        let line = context.line(cursor)?;
        let Some(mut block) = self.block.take() else { return Ok(()) };
        match line {
            Line::Statement(kind) => {
                block.statements.push(Statement { kind, loc });
                self.block = Some(block);
            }
            Line::Terminator(kind) => {
                block.terminator = Terminator { kind, loc };
                if let Some(body) = self.program.procedures.last_mut().and_then(|p| p.body.as_mut()) {
                    body.blocks.push(block);
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, lines: usize) -> Parsed<Program> {
        let end = Cursor::new("", lines);
        if self.block.is_some() {
            return end.error("the last block doesn't end");
        }
        match self.procedures.get(&self.entry) {
            Some(&entry) => self.program.entry = entry,
            None => return end.error(format!("no procedure {} to start at", crate::print::quoted(&self.entry))),
        }
        Ok(self.program)
    }
}

fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
