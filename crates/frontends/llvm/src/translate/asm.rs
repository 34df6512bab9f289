//! The operands of inline assembly by LLVM's text of constraints: outputs (`=r`, `=&r`, `=*m`), inputs (`r`, `0` for the register
//! of the first output, `*m`), and what is destroyed (`~{memory}`). Registers that are outputs are results of the call;
//! everything else but what is destroyed is an argument, in order.

use fathom_ir::Fence;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Operand {
    pub is_output: bool,
    /// In memory, by a pointer that is an argument.
    pub is_memory: bool,
    /// The argument's number; meaningless for outputs in registers.
    pub argument: u32,
    /// For an output in a register: the argument that is in the same register before.
    pub tied: Option<u32>,
    /// For an output in memory: whether it is an input as well.
    pub is_kept: bool,
}

pub fn operands(constraints: &str) -> Vec<Operand> {
    let mut found: Vec<Operand> = Vec::new();
    let mut argument = 0;
    let outputs = constraints.split(',').filter(|c| c.starts_with('=')).count();
    let memory_inputs = constraints.split(',').filter(|c| c.starts_with("*")).count();
    let memory_outputs = constraints.split(',').filter(|c| c.starts_with('=') && c.contains('*')).count();
    for constraint in constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~')) {
        let (is_output, is_memory) = (constraint.starts_with('='), constraint.contains('*'));
        // `+m` is written twice, as an output and as an input of the same place; clang puts these inputs last.
        let is_kept = is_output && is_memory && memory_inputs >= memory_outputs;
        if let Some(output) = constraint.parse::<usize>().ok().filter(|&output| output < outputs) {
            found[output].tied = Some(argument);
        }
        found.push(Operand { is_output, is_memory, argument, tied: None, is_kept });
        if !is_output || is_memory {
            argument += 1;
        }
    }
    found
}

/// The instructions of a template, as words.
fn instructions(template: &str) -> impl Iterator<Item = Vec<&str>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.$%".contains(c);
    template.split([';', '\n']).map(move |line| {
        // A label stands in front of an instruction.
        let line = line.rsplit_once(':').map_or(line, |(label, rest)| if label.contains('{') { line } else { rest });
        line.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty()).collect()
    })
}

/// What may be the name of a function or variable in a template: words that are neither operands (`$0`), registers, nor
/// instructions with their prefixes.
pub fn symbols(template: &str) -> impl Iterator<Item = &str> {
    instructions(template).flat_map(|words| {
        let is_prefix = |word: &&&str| ["lock", "rep", "repe", "repne", "repz", "repnz"].contains(*word);
        let skipped = words.iter().take_while(is_prefix).count() + 1;
        let names = words.into_iter().skip(skipped);
        names.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).collect::<Vec<_>>()
    })
}

/// What assembly defines: labels, and names that a directive gives a value.
pub fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
    text.split([';', '\n']).filter_map(move |line| {
        let mut words = line.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty());
        let (first, second) = (words.next(), words.next());
        match first {
            Some(".set" | ".equ" | ".equiv" | ".comm" | ".lcomm") => second,
            Some(name) => line.trim_start().strip_prefix(name)?.trim_start().starts_with([':', '=']).then_some(name),
            None => None,
        }
    })
}

/// Whether an instruction of a template asks the operating system for something, which may end the program.
pub fn calls_system(template: &str) -> bool {
    instructions(template).any(|words| words.first().is_some_and(|first| ["syscall", "sysenter", "int"].contains(first)))
}

/// What an instruction of a template orders, if one does.
pub fn fence(template: &str) -> Option<Fence> {
    let is_one_of = |names: &[&str]| instructions(template).any(|words| words.first().is_some_and(|first| names.contains(first)));
    match () {
        () if is_one_of(&["mfence", "lock"]) => Some(Fence::Full),
        () if is_one_of(&["sfence"]) => Some(Fence::Stores),
        () => None,
    }
}

/// Whether a template goes to code by an address in a register or an operand (`call *$0`).
pub fn jumps_by_address(template: &str) -> bool {
    template.split([';', '\n']).any(|line| {
        let jumps = instructions(line).any(|words| words.first().is_some_and(|first| first.starts_with("call") || *first == "jmp"));
        // `${0:c}` is a constant.
        jumps && line.split('*').skip(1).any(|target| target.starts_with(['%', '$']) && !target.starts_with("${"))
    })
}

/// Whether a template reads or writes at an address that it has in a register, which need not be that of an operand.
pub fn follows_registers(template: &str) -> bool {
    let own = ["sp", "bp", "ip"];
    template.split("(%").skip(1).any(|rest| !own.iter().any(|name| rest.get(1..3) == Some(name)))
}

/// Whether a template jumps back to a label in front (`1b`), so that it may go round for ever.
pub fn goes_round(template: &str) -> bool {
    let is_label =
        |word: &&str| word.strip_suffix('b').is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()));
    instructions(template).any(|words| {
        words.first().is_some_and(|first| first.starts_with('j') || first.starts_with("loop")) && words.iter().skip(1).any(is_label)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_behind_instructions() {
        let found = |template| symbols(template).collect::<Vec<_>>();
        assert_eq!(found("movl $$5, x(%rip)"), ["x"]);
        assert_eq!(found("1: lock xadd $0, $1\n\tjmp done"), ["done"]);
        assert_eq!(found("pause; nop"), Vec::<&str>::new());
        assert!(calls_system("mov $$60, %eax; syscall") && !calls_system("mfence"));
        assert_eq!(["mfence", "nop; lock; addl $0,0(%rsp)", "pause"].map(fence), [Some(Fence::Full), Some(Fence::Full), None]);
    }

    #[test]
    fn control_and_pointers_are_noticed() {
        assert!(jumps_by_address("call *$0") && jumps_by_address("nop; jmp *%rax") && !jumps_by_address("call *${2:c};"));
        assert!(follows_registers("movl $$4, (%rax)") && !follows_registers("movl $$4, ($0)\n\tpush 8(%rsp)"));
        assert!(goes_round("1: lock decb $0\n\tjns 1b") && !goes_round("jmp 1f; 1:") && !goes_round("movb 1b, %al"));
    }

    #[test]
    fn labels_and_directives_define() {
        let text = ".globl three\nthree: mov $3,%eax\n ret\n.set four, three; five = 5\n\tcall six";
        assert_eq!(definitions(text).collect::<Vec<_>>(), ["three", "four", "five"]);
        assert_eq!(definitions("éa: b\n\"seven\": ret").count(), 0, "a name that starts with something else is none that we know");
    }

    #[test]
    fn registers_are_tied_by_number() {
        let found = operands("=r,=&r,0,r,~{memory}");
        assert_eq!(
            found.iter().map(|o| (o.is_output, o.tied)).collect::<Vec<_>>(),
            [(true, Some(0)), (true, None), (false, None), (false, None)]
        );
        assert_eq!(found[3].argument, 1);
    }

    #[test]
    fn memory_is_an_argument() {
        let found = operands("=*m,*m,~{dirflag}");
        assert!(found[0].is_memory && found[0].is_output && found[0].is_kept && found[1].argument == 1);
        assert!(!operands("=*m,r")[0].is_kept);
    }
}
