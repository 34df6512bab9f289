//! Output with a constant format to standard output or error. The text itself does not matter, so the call only has to
//! check that its string arguments are valid strings, if memory safety is checked. Formats that write (`%n`), that take
//! the length of a string from an argument, or whose arguments do not fit use the library's own printf.

use super::calls::Request;
use super::constant::is_a;
use super::function::FunctionTranslator;
use super::types::Leaves;
use crate::llvm::Value;
use fathom_ir::{Assumption, Callee, StatementKind};
use fathom_term::Term;
use llvm_sys::core::LLVMIsALoadInst;

/// The library's functions that read a string to its end: null is fine for printf alone.
const CHECK_STRING: &str = "fathom_check_string";
const CHECK_TEXT: &str = "fathom_check_text";
/// Called behind output whose result nobody takes.
const PRINTED: &str = "fathom_printed";

/// What a conversion does with its argument.
#[derive(Debug, PartialEq, Eq)]
enum Use {
    /// A number or a character.
    Plain,
    /// A string, read to its end or for this many bytes.
    Text(Option<u64>),
}

impl FunctionTranslator<'_, '_> {
    /// None: the library's function does it.
    pub fn print_nowhere(&mut self, name: &str, request: &Request) -> Option<Leaves> {
        // Whether it arrives, and how long it is, is for the library to say.
        if request.is_used {
            return None;
        }
        let stream = |position: usize| request.operands.get(position).is_some_and(|&f| is_standard_output(f));
        match name {
            "putchar" | "putchar_unlocked" => self.look(request.arg(0).ok()?, "the printed character"),
            "fputc" | "putc" | "_IO_putc" if stream(1) => self.look(request.arg(0).ok()?, "the printed character"),
            "puts" => self.check_text(request.arg(0).ok()?)?,
            "fputs" if stream(1) => self.check_text(request.arg(0).ok()?)?,
            "printf" => self.check_arguments(request, 0)?,
            "__printf_chk" => self.check_arguments(request, 1)?,
            "fprintf" if stream(0) => self.check_arguments(request, 1)?,
            "__fprintf_chk" if stream(0) => self.check_arguments(request, 2)?,
            _ => return None,
        }
        self.assume_for_ledger(Assumption::NoEffect { function: name.to_string() });
        // A program that looks at errno may learn from it that output failed.
        if let Some(printed) = self.module.function(PRINTED) {
            let callee = Callee::Direct(self.program.procedure_of(printed));
            self.emit(StatementKind::Call { targets: Vec::new(), callee, args: Vec::new() });
        }
        Some(Leaves::new())
    }

    fn check_arguments(&mut self, request: &Request, format: usize) -> Option<()> {
        let text = request.operands.get(format).and_then(|&text| self.constant_text(text))?;
        let uses = uses(&text)?;
        if request.args.len() < format + 1 + uses.len() {
            return None;
        }
        let mut strings: Vec<(Term, Option<u64>)> = Vec::new();
        let mut numbers = Vec::new();
        for (index, usage) in uses.iter().enumerate() {
            if let Use::Text(most) = usage {
                let at = format + 1 + index;
                request.types[at].is_pointer().then_some(())?;
                strings.push((request.arg(at).ok()?, *most));
            } else {
                numbers.push((request.arg(format + 1 + index).ok()?, index + 1));
            }
        }
        for (value, number) in numbers {
            self.look(value, &format!("printed value {number}"));
        }
        strings.into_iter().try_for_each(|(string, most)| self.check_string(string, most))
    }

    fn check_text(&mut self, string: Term) -> Option<()> {
        let checker = self.module.function(CHECK_TEXT)?;
        let callee = Callee::Direct(self.program.procedure_of(checker));
        self.emit(StatementKind::Call { targets: Vec::new(), callee, args: vec![string] });
        Some(())
    }

    fn check_string(&mut self, string: Term, most: Option<u64>) -> Option<()> {
        let checker = self.module.function(CHECK_STRING)?;
        let callee = Callee::Direct(self.program.procedure_of(checker));
        let most = self.terms.bv(most.unwrap_or(u64::MAX), self.pointer_bits);
        self.emit(StatementKind::Call { targets: Vec::new(), callee, args: vec![string, most] });
        Some(())
    }
}

/// Is it the value of `stdout` or `stderr`?
fn is_standard_output(stream: Value) -> bool {
    is_a(stream, LLVMIsALoadInst) && {
        let from = stream.operand(0);
        from.as_global().is_some() && matches!(from.name().as_str(), "stdout" | "stderr")
    }
}

/// What a format does with each argument; None if that is for the library to find out.
fn uses(format: &str) -> Option<Vec<Use>> {
    let mut found = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        while rest.next_if(|c| "-+ #0'".contains(*c)).is_some() {}
        if rest.next_if_eq(&'*').is_some() {
            found.push(Use::Plain);
        }
        while rest.next_if(char::is_ascii_digit).is_some() {}
        let mut precision = None;
        if rest.next_if_eq(&'.').is_some() {
            let mut digits = String::new();
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            precision = Some(digits.parse().unwrap_or(0));
            if rest.next_if_eq(&'*').is_some() {
                // Fine for numbers; a string would need the argument's value.
                found.push(Use::Plain);
                precision = Some(u64::MAX);
            }
        }
        let mut is_wide = false;
        while let Some(length) = rest.next_if(|c| "hlLqjzZt".contains(*c)) {
            is_wide |= length == 'l';
        }
        match rest.next()? {
            '%' | 'm' => {}
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'c' | 'p' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A' => found.push(Use::Plain),
            's' if !is_wide && precision != Some(u64::MAX) => found.push(Use::Text(precision)),
            _ => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        assert_eq!(uses("a%d%%%-5s %.3s"), Some(vec![Use::Plain, Use::Text(None), Use::Text(Some(3))]));
        assert_eq!(uses("%*.*lf"), Some(vec![Use::Plain, Use::Plain, Use::Plain]));
        assert_eq!(uses("%n"), None);
        assert_eq!(uses("%.*s"), None);
        assert_eq!(uses("%1$d"), None);
        assert_eq!(uses("%ls"), None);
        assert_eq!(uses("100%"), None);
    }
}
