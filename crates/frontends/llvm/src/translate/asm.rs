//! The operands of inline assembly by LLVM's text of constraints: outputs (`=r`, `=&r`, `=*m`), inputs (`r`, `0` for the register
//! of the first output, `*m`), and what is destroyed (`~{memory}`). Registers that are outputs are results of the call;
//! everything else but what is destroyed is an argument, in order.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_tied_by_number() {
        let found = operands("=r,=&r,0,r,~{memory}");
        assert_eq!(found.iter().map(|o| (o.is_output, o.tied)).collect::<Vec<_>>(), [(true, Some(0)), (true, None), (false, None), (false, None)]);
        assert_eq!(found[3].argument, 1);
    }

    #[test]
    fn memory_is_an_argument() {
        let found = operands("=*m,*m,~{dirflag}");
        assert!(found[0].is_memory && found[0].is_output && found[0].is_kept && found[1].argument == 1);
        assert!(!operands("=*m,r")[0].is_kept);
    }
}
