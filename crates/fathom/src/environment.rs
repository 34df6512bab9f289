//! From flags to the program's environment: arguments, files and standard input.

use crate::args::EnvironmentArgs;
use fathom_driver::{Arguments, Environment, SymbolicTexts};

/// More arbitrary bytes than this can't be followed.
const MOST_BYTES: u64 = 1 << 20;

/// Ways to take a number of arguments from each group.
const MOST_WAYS: u64 = 256;

fn symbolic_arguments(numbers: &[u32]) -> Result<Arguments, String> {
    let (mut groups, mut ways) = (Vec::new(), 1u64);
    for group in numbers.chunks(3) {
        let &[least, most, length] = group else { return Err("--sym-args needs three numbers".into()) };
        if least > most {
            return Err(format!("--sym-args {least} {most} {length}: MIN is larger than MAX"));
        }
        if most > 64 || length > 4096 {
            return Err(format!("--sym-args {least} {most} {length}: at most 64 arguments of 4096 characters"));
        }
        ways = ways.saturating_mul(u64::from(most - least) + 1);
        groups.push(SymbolicTexts { least, most, length });
    }
    if ways > MOST_WAYS {
        return Err(format!("--sym-args: the groups can be combined in {ways} ways, and {MOST_WAYS} are followed"));
    }
    Ok(Arguments::Symbolic(groups))
}

/// The environment, or what is wrong with the flags.
pub fn environment(flags: &EnvironmentArgs) -> Result<Environment, String> {
    let arguments = match &flags.args {
        Some(texts) => Arguments::Given(texts.clone()),
        None if flags.sym_args.is_empty() => Arguments::Any,
        None => symbolic_arguments(&flags.sym_args)?,
    };
    let mut files: Vec<(String, u64)> = Vec::new();
    for pair in flags.sym_file.chunks(2) {
        let [name, size] = pair else { return Err("--sym-file needs a name and a size".into()) };
        let bytes = size.parse::<u64>().map_err(|_| format!("--sym-file {name} {size}: the size is not a number"))?;
        if name.is_empty() || files.iter().any(|(known, _)| known == name) {
            return Err(format!("--sym-file {name} {size}: each file needs a name of its own"));
        }
        files.push((name.clone(), bytes));
    }
    if files.iter().map(|(_, size)| *size).chain(flags.sym_stdin).any(|size| size > MOST_BYTES) {
        return Err(format!("--sym-stdin and --sym-file take at most {MOST_BYTES} bytes"));
    }
    if files.len() > 16 {
        return Err("--sym-file can be given 16 times".into());
    }
    Ok(Environment { arguments, stdin: flags.sym_stdin, files })
}
