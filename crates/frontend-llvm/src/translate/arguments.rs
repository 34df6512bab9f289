//! What main is given: its arguments, and the files that exist. By default the number of arguments is any from 1, and
//! argv an array of that many arbitrary pointers with a null behind them. Given and symbolic arguments are texts; each
//! number of symbolic ones is a path of its own, so that argv always has a known size. Everything arbitrary is an input
//! with a name (`argv[1]`, `contents of stdin`, `contents of NAME`) by which a native replay finds it again.

use super::function::FunctionTranslator;
use crate::Arguments;
use fathom_ir::{AllocKind, Callee, Fill, InputKind, StatementKind, TerminatorKind};
use fathom_term::{Sort, Term, VarId};

/// More arguments than any system passes.
const MAX_ARGUMENTS: u64 = 1 << 16;
/// What argv[0] points to, where the user says what the others are.
const PROGRAM_NAME: &str = "program";
/// The library's function that adds a file to its file system.
const ADD_FILE: &str = "fathom_add_file";

fn input(source: String, type_name: &str) -> InputKind {
    InputKind { source, type_name: type_name.to_string(), signed: type_name == "int" }
}

impl FunctionTranslator<'_, '_> {
    /// argc, argv and perhaps envp.
    pub fn main_arguments(&mut self, count: usize) -> Vec<Term> {
        match self.options.environment.arguments.clone() {
            Arguments::Any => self.any_arguments(count),
            Arguments::Given(texts) => {
                let words = texts.iter().map(|text| self.text_object(text)).collect();
                let (argc, argv) = self.argument_array(words);
                self.with_environment(count, argc, argv)
            }
            Arguments::Symbolic { least, most, length } => {
                let (argc, argv) = self.symbolic_arguments(least, most, length);
                self.with_environment(count, argc, argv)
            }
        }
    }

    fn any_arguments(&mut self, count: usize) -> Vec<Term> {
        self.assume_for_ledger("argc is at least 1, and argv an array of argc arbitrary pointers and a null pointer");
        let (t, bits) = (self.terms.clone(), self.pointer_bits);
        let (argc_var, argc) = self.local_term("argc", Sort::Bv(32));
        self.emit(StatementKind::Havoc { vars: vec![argc_var], input: Some(input("argc".to_string(), "int")) });
        let in_range = t.and(t.bv_ult(t.bv(0, 32), argc), t.bv_ult(argc, t.bv(MAX_ARGUMENTS, 32)));
        self.assume(in_range);
        let mut args = vec![argc];
        for _ in 1..count {
            let word = t.bv(bits as u64 / 8, bits);
            let end = t.bv_mul(t.resize_unsigned(argc, bits), word);
            let array = self.stack_object("argv", t.bv_add(end, word));
            self.emit(StatementKind::Store { pointer: t.bv_add(array, end), value: t.bv(0, bits) });
            args.push(array);
        }
        args
    }

    /// One path for each number of arguments.
    fn symbolic_arguments(&mut self, least: u32, most: u32, length: u32) -> (Term, Term) {
        self.assume_for_ledger(format!("there are {least} to {most} arguments of at most {length} characters each"));
        let (argc_var, argc) = self.local_term("argc", Sort::Bv(32));
        let (argv_var, argv) = self.local_term("argv", self.pointer_sort());
        let start = self.current;
        let (mut choices, mut ends) = (Vec::new(), Vec::new());
        for count in least..=most {
            let block = self.new_block(format!("{count} arguments"));
            self.switch_to(block);
            let texts = (1..=count).map(|index| self.symbolic_text(format!("argv[{index}]"), length)).collect();
            let (number, array) = self.argument_array(texts);
            self.emit(StatementKind::Assign(vec![(argc_var, number), (argv_var, array)]));
            choices.push(block);
            ends.push(self.current);
        }
        let join = self.new_block("start".to_string());
        for end in ends {
            self.switch_to(end);
            self.terminate(TerminatorKind::Goto(vec![join]));
        }
        self.switch_to(start);
        self.terminate(TerminatorKind::Goto(choices));
        self.switch_to(join);
        (argc, argv)
    }

    /// An arbitrary text: it ends at its first null character, at the latest behind `length` others.
    fn symbolic_text(&mut self, name: String, length: u32) -> Term {
        let t = self.terms.clone();
        let size = t.bv(length as u64 + 1, self.pointer_bits);
        let object = self.stack_object(&name, size);
        let length = t.bv(length as u64, self.pointer_bits);
        self.emit(StatementKind::Set { pointer: object, fill: Fill::Arbitrary(input(name, "char")), length });
        self.emit(StatementKind::Store { pointer: t.bv_add(object, length), value: t.bv(0, 8) });
        object
    }

    fn text_object(&mut self, text: &str) -> Term {
        let t = self.terms.clone();
        let object = self.stack_object("text", t.bv(text.len() as u64 + 1, self.pointer_bits));
        for (offset, byte) in text.bytes().chain([0]).enumerate() {
            let pointer = self.offset(object, offset as u64);
            self.emit(StatementKind::Store { pointer, value: t.bv(byte as u64, 8) });
        }
        object
    }

    /// argc, and argv with the program's name in front and a null pointer at the end.
    fn argument_array(&mut self, mut words: Vec<Term>) -> (Term, Term) {
        let t = self.terms.clone();
        words.insert(0, self.text_object(PROGRAM_NAME));
        let argc = t.bv(words.len() as u64, 32);
        words.push(t.bv(0, self.pointer_bits));
        let step = self.pointer_bits as u64 / 8;
        let array = self.stack_object("argv", t.bv(words.len() as u64 * step, self.pointer_bits));
        for (index, word) in words.into_iter().enumerate() {
            let pointer = self.offset(array, index as u64 * step);
            self.emit(StatementKind::Store { pointer, value: word });
        }
        (argc, array)
    }

    fn with_environment(&mut self, count: usize, argc: Term, argv: Term) -> Vec<Term> {
        let mut args = vec![argc, argv];
        if count > 2 {
            self.assume_for_ledger("the environment of the program has no variables");
            let t = self.terms.clone();
            let environment = self.stack_object("envp", t.bv(self.pointer_bits as u64 / 8, self.pointer_bits));
            self.emit(StatementKind::Store { pointer: environment, value: t.bv(0, self.pointer_bits) });
            args.push(environment);
        }
        args
    }

    fn stack_object(&mut self, name: &str, size: Term) -> Term {
        let (target, object) = self.local_term(name, self.pointer_sort());
        self.emit(Self::new_object(target, size, AllocKind::Stack, name));
        object
    }

    fn new_object(target: VarId, size: Term, kind: AllocKind, name: &str) -> StatementKind {
        // The kernel puts these wherever it likes; pointers are aligned.
        let align = if name == "argv" || name == "envp" { 8 } else { 1 };
        StatementKind::Alloc { target, size, align, kind, zeroed: false, name: name.to_string() }
    }

    /// Tells the library's file system which files there are; standard input comes first.
    pub fn make_files(&mut self) {
        let environment = self.options.environment.clone();
        let Some(add) = self.module.function(ADD_FILE).filter(|_| environment.has_files()) else { return };
        let size = environment.stdin.unwrap_or(0);
        self.assume_for_ledger(format!("standard input has exactly {size} bytes"));
        let callee = self.procedure_of(add);
        let mut files = vec![("stdin".to_string(), size)];
        for (name, size) in &environment.files {
            self.assume_for_ledger(format!("the file {name} has exactly {size} bytes"));
            files.push((name.clone(), *size));
        }
        self.assume_for_ledger("there are no other files than those on the command line");
        for (name, size) in files {
            let name_object = self.text_object(&name);
            let size = self.terms.bv(size, self.pointer_bits);
            let (target, data) = self.local_term("contents", self.pointer_sort());
            self.emit(Self::new_object(target, size, AllocKind::Heap, &format!("contents of {name}")));
            let contents = Fill::Arbitrary(input(format!("contents of {name}"), "char"));
            self.emit(StatementKind::Set { pointer: data, fill: contents, length: size });
            let args = vec![name_object, data, size];
            self.emit(StatementKind::Call { targets: Vec::new(), callee: Callee::Direct(callee), args });
        }
    }
}
