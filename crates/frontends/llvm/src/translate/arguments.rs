//! The environment of main: its arguments, and the files that exist. By default `argc` is any number from 0 (which the
//! kernel allows), and argv an array of that many strings of any length, followed by a null pointer. Small values of
//! argc are separate paths; all larger ones are a single path, on which only the first few arguments are strings and
//! the others are pointers with known bounds. If main does not use argv, it is an array of arbitrary pointers instead.
//! With given or symbolic arguments (`--args`, `--sym-args`), each number of arguments is a separate path, so that argv
//! always has a known size. Everything arbitrary is a named input (`argc`, `argv[1]`, `contents of stdin`, `contents of
//! NAME`), by which a native replay finds its value. The environment is an array of the same kind; with given or
//! symbolic arguments it is empty.

use super::function::FunctionTranslator;
use crate::llvm::Value;
use crate::{Arguments, SymbolicTexts};
use fathom_ir::{
    AllocKind, Assumption, BlockId, Callee, Fill, GIVEN_ARRAY, InputKind, PROGRAM_NAME_TEXT, StatementKind, TerminatorKind, TextArray,
    sources,
};
use fathom_term::{Sort, Term, VarId};

/// More arguments than any system passes.
const MAX_ARGUMENTS: u64 = 1 << 16;
/// Up to this many are texts of their own.
const TEXTS: u64 = 3;
/// Linux passes texts that are shorter than this.
const MAX_TEXT: u64 = 1 << 17;
/// What argv[0] points to, where the user says what the others are.
const PROGRAM_NAME: &str = "program";
/// The library's function that adds a file to its file system.
const ADD_FILE: &str = "fathom_add_file";

fn input(source: String, type_name: &str) -> InputKind {
    InputKind { source, type_name: type_name.to_string(), signed: type_name == "int" }
}

impl FunctionTranslator<'_, '_> {
    /// argc, argv and perhaps envp, for main and what runs before it.
    pub fn main_arguments(&mut self, before: &[Value], count: usize, environment: Option<Term>) -> Vec<Term> {
        match self.options.environment.arguments.clone() {
            Arguments::Any => self.any_arguments(before, count, environment),
            Arguments::Given(texts) => {
                let words = texts.iter().map(|text| self.text_object(text)).collect();
                let (argc, argv) = self.argument_array(words);
                self.with_environment(count, argc, argv)
            }
            Arguments::Symbolic(groups) => {
                let (argc, argv) = self.symbolic_arguments(&groups);
                self.with_environment(count, argc, argv)
            }
        }
    }

    fn any_arguments(&mut self, before: &[Value], count: usize, environment: Option<Term>) -> Vec<Term> {
        let looks = |function: Value, at: usize| function.params().get(at).is_some_and(|parameter| parameter.has_uses());
        let [looks_at_texts, looks_at_environment] =
            [1, 2].map(|at| looks(self.function, at) || before.iter().any(|&function| looks(function, at)));
        let (argc_var, argc) = self.local_term("argc", Sort::Bv(32));
        self.emit(StatementKind::Havoc { vars: vec![argc_var], input: Some(input(sources::ARGC.to_string(), "int")) });
        let t = self.terms.clone();
        self.assume(t.bv_ult(argc, t.bv(MAX_ARGUMENTS, 32)));
        let argv = if looks_at_texts { self.any_texts(TextArray::Arguments, argc) } else { self.array_behind("argv", argc, &[]) };
        let mut args = vec![argc, argv];
        if count > 2 {
            args.push(match environment {
                Some(array) => array,
                None if looks_at_environment => self.any_environment(),
                None => t.bv(0, self.pointer_bits),
            });
        }
        args
    }

    /// Makes `environ` lead to an array if the program looks at it.
    pub fn walked_environment(&mut self) -> Option<Term> {
        let variable = self.program.environment_array().filter(|_| self.program.has_any_environment())?;
        let array = self.any_environment();
        let pointer = self.program.address_of_global(variable);
        self.emit(StatementKind::Store { pointer, value: array });
        Some(array)
    }

    /// The array of the environment: any number of texts.
    fn any_environment(&mut self) -> Term {
        let t = self.terms.clone();
        let (number_var, number) = self.local_term("number", Sort::Bv(32));
        self.emit(StatementKind::Havoc {
            vars: vec![number_var],
            input: Some(input("number of variables in the environment".to_string(), "int")),
        });
        self.assume(t.bv_ult(number, t.bv(MAX_ARGUMENTS, 32)));
        self.any_texts(TextArray::Environment, number)
    }

    /// An array of so many texts.
    fn any_texts(&mut self, array: TextArray, argc: Term) -> Term {
        self.assume_for_ledger(Assumption::ArbitraryTexts { array, length: MAX_TEXT, followed: TEXTS + 1 });
        let name = array.name();
        let t = self.terms.clone();
        let (argv_var, argv) = self.local_term(name, self.pointer_sort());
        let join = self.new_block("start".to_string());
        let mut texts = Vec::new();
        // A text is one object, however many come behind it, so that paths that meet agree on it.
        for count in 0..=TEXTS {
            let number = t.bv(count, 32);
            let [ends, goes_on] = [format!("{count} texts"), format!("more than {count} texts")].map(|name| self.new_block(name));
            self.terminate(TerminatorKind::Goto(vec![ends, goes_on]));
            self.switch_to(ends);
            self.assume(t.eq(argc, number));
            let array = self.array_behind(name, number, &texts);
            self.emit(StatementKind::Assign(vec![(argv_var, array)]));
            self.terminate(TerminatorKind::Goto(vec![join]));
            self.switch_to(goes_on);
            self.assume(t.bv_ult(number, argc));
            texts.push(self.any_text(name, count));
        }
        let array = self.array_behind(name, argc, &texts);
        self.emit(StatementKind::Assign(vec![(argv_var, array)]));
        self.terminate(TerminatorKind::Goto(vec![join]));
        self.switch_to(join);
        argv
    }

    /// An arbitrary text of arbitrary length: what is never written is arbitrary, and costs nothing before it is read.
    fn any_text(&mut self, array: &str, index: u64) -> Term {
        let (t, bits) = (self.terms.clone(), self.pointer_bits);
        let name = if (array, index) == ("argv", 0) { PROGRAM_NAME_TEXT.to_string() } else { format!("{array}[{index}]") };
        let (length_var, length) = self.local_term("length", Sort::Bv(bits));
        let kind = input(format!("{}{name}", sources::LENGTH), "size_t");
        self.emit(StatementKind::Havoc { vars: vec![length_var], input: Some(kind) });
        self.assume(t.bv_ult(length, t.bv(MAX_TEXT, bits)));
        let object = self.stack_object(&name, t.bv_add(length, t.bv(1, bits)));
        self.emit(StatementKind::Store { pointer: t.bv_add(object, length), value: t.bv(0, 8) });
        object
    }

    /// An array of so many pointers and a null pointer, that begins with these.
    fn array_behind(&mut self, name: &str, count: Term, words: &[Term]) -> Term {
        let (t, bits) = (self.terms.clone(), self.pointer_bits);
        let step = bits as u64 / 8;
        let end = t.bv_mul(t.resize_unsigned(count, bits), t.bv(step, bits));
        let array = self.stack_object(&format!("{name}{GIVEN_ARRAY}"), t.bv_add(end, t.bv(step, bits)));
        // The null pointer comes first: it may be anywhere, and would hide what is known of the others.
        self.emit(StatementKind::Store { pointer: t.bv_add(array, end), value: t.bv(0, bits) });
        for (index, &value) in words.iter().enumerate() {
            let pointer = self.offset(array, index as u64 * step);
            self.emit(StatementKind::Store { pointer, value });
        }
        array
    }

    /// One of these blocks comes next; what they end in goes on at one place.
    fn join_choices(&mut self, start: BlockId, choices: Vec<BlockId>, ends: Vec<BlockId>) {
        let join = self.new_block("start".to_string());
        for end in ends {
            self.switch_to(end);
            self.terminate(TerminatorKind::Goto(vec![join]));
        }
        self.switch_to(start);
        self.terminate(TerminatorKind::Goto(choices));
        self.switch_to(join);
    }

    /// One path for each number of arguments of each group.
    fn symbolic_arguments(&mut self, groups: &[SymbolicTexts]) -> (Term, Term) {
        for SymbolicTexts { least, most, length } in groups {
            self.assume_for_ledger(Assumption::ArgumentsWithin { least: *least, most: *most, length: *length });
        }
        let (argc_var, argc) = self.local_term("argc", Sort::Bv(32));
        let (argv_var, argv) = self.local_term("argv", self.pointer_sort());
        let start = self.current;
        let (mut choices, mut ends) = (Vec::new(), Vec::new());
        for lengths in choices_of_lengths(groups) {
            let block = self.new_block(format!("{} arguments", lengths.len()));
            self.switch_to(block);
            let texts = lengths.iter().enumerate().map(|(at, &length)| self.symbolic_text(format!("argv[{}]", at + 1), length));
            let texts = texts.collect();
            let (number, array) = self.argument_array(texts);
            self.emit(StatementKind::Assign(vec![(argc_var, number), (argv_var, array)]));
            choices.push(block);
            ends.push(self.current);
        }
        self.join_choices(start, choices, ends);
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
            self.assume_for_ledger(Assumption::EmptyEnvironment);
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
        let is_array = ["argv", "envp"].contains(&name.strip_suffix(GIVEN_ARRAY).unwrap_or(name));
        let align = if is_array { 8 } else { 1 };
        StatementKind::Alloc { target, size, align, kind, zeroed: false, name: name.to_string() }
    }

    /// Tells the library's file system which files there are; standard input comes first.
    pub fn make_files(&mut self) {
        let environment = self.options.environment.clone();
        let Some(add) = self.module.function(ADD_FILE).filter(|_| environment.has_files()) else { return };
        let size = environment.stdin.unwrap_or(0);
        self.assume_for_ledger(Assumption::StandardInputSize { bytes: size });
        let callee = self.procedure_of(add);
        let mut files = vec![("stdin".to_string(), size)];
        for (name, size) in &environment.files {
            self.assume_for_ledger(Assumption::FileSize { name: name.clone(), bytes: *size });
            files.push((name.clone(), *size));
        }
        self.assume_for_ledger(Assumption::NoOtherFiles);
        for (name, size) in files {
            let name_object = self.text_object(&name);
            let size = self.terms.bv(size, self.pointer_bits);
            let (target, data) = self.local_term("contents", self.pointer_sort());
            let source = format!("{}{name}", sources::CONTENTS);
            self.emit(Self::new_object(target, size, AllocKind::Heap, &source));
            let contents = Fill::Arbitrary(input(source, "char"));
            self.emit(StatementKind::Set { pointer: data, fill: contents, length: size });
            let args = vec![name_object, data, size];
            self.emit(StatementKind::Call { targets: Vec::new(), callee: Callee::Direct(callee), args });
        }
    }
}

/// The lengths of the arguments, for each way to take a number of them from every group.
fn choices_of_lengths(groups: &[SymbolicTexts]) -> Vec<Vec<u32>> {
    groups.iter().fold(vec![Vec::new()], |ways, group| {
        let more = |way: &Vec<u32>| {
            let way = way.clone();
            (group.least..=group.most).map(move |count| [way.clone(), vec![group.length; count as usize]].concat())
        };
        ways.iter().flat_map(more).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_add_up() {
        let one = SymbolicTexts { least: 0, most: 1, length: 2 };
        let two = SymbolicTexts { least: 1, most: 1, length: 5 };
        assert_eq!(choices_of_lengths(&[one, two]), [vec![5], vec![2, 5]]);
        assert_eq!(choices_of_lengths(&[]), [Vec::<u32>::new()]);
    }
}
