//! Compiling the user's program with its driver. If a 32-bit libgcc is missing, clang's own run-time library is used
//! instead; functions that are declared but never defined get stubs, so that a program which never calls them can be
//! linked.

use crate::sandbox::{self, Ended, Limits};
use crate::{NativeSetup, driver, uninitialised};
use fathom_base::Budget;
use fathom_clang::{REDUCED_CPP, is_cpp};
use fathom_ir::Property;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Warnings were shown by the front end, and what gcc takes with a warning is taken here too.
const LENIENT: &[&str] = &["-w", "-Wno-error", "-Wno-return-mismatch", "-fbracket-depth=100000"];

/// Memory means bytes, as in the front end, also where the user's flags ask for optimisation.
const COMMON: &[&str] = &["-O0", "-gline-tables-only", "-fno-omit-frame-pointer", "-fno-builtin", "-fno-strict-aliasing"];

/// Whether the property is checked by AddressSanitizer.
pub fn uses_address_sanitizer(property: Property) -> bool {
    matches!(
        property,
        Property::ValidDeref
            | Property::ValidFree
            | Property::ValidMemtrack
            | Property::ValidMemcleanup
            | Property::Null
            | Property::Dangling
            | Property::StackOverflow
    )
}

/// Compiler flags that make a failure of the property visible.
pub fn sanitizer_args(property: Property) -> Vec<String> {
    let words = |flags: &[&str]| flags.iter().map(|flag| flag.to_string()).collect();
    match property {
        Property::UnreachCall => words(&["-finstrument-functions"]),
        Property::ValidDeref => words(&[
            "-fsanitize=address,bounds,null,pointer-overflow",
            "-fsanitize-address-use-after-scope",
            "-fsanitize-recover=bounds,null,pointer-overflow",
        ]),
        Property::ValidFree | Property::ValidMemtrack | Property::StackOverflow => words(&["-fsanitize=address"]),
        Property::Uninitialised => words(&uninitialised::FLAGS),
        Property::Null => words(&["-fsanitize=address,null"]),
        // A shift may be undefined without an overflow, and the run goes on.
        Property::NoOverflow => words(&["-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=signed-integer-overflow"]),
        Property::Bounds => words(&["-fsanitize=array-bounds", "-fno-sanitize-recover=all", fathom_clang::ARRAYS]),
        Property::NoDataRace => words(&["-fsanitize=thread"]),
        Property::Assertion | Property::BoogieAssert | Property::Termination | Property::Deadlock | Property::Locks => Vec::new(),
        _ => vec![format!("-fsanitize={}", property.sanitizers().join(",")), "-fno-sanitize-recover=all".to_string()],
    }
}

/// Why a native replay cannot work, if that is known beforehand.
pub fn hopeless(setup: &NativeSetup, property: Property) -> Option<String> {
    if property == Property::BoogieAssert {
        return Some("the property has no counterpart in C".into());
    }
    if matches!(property, Property::Termination | Property::Deadlock) {
        return Some("a run without end can't be waited for".into());
    }
    if property == Property::Locks {
        return Some("nothing tells how locks are used".into());
    }
    if property == Property::NoDataRace && setup.pointer_bits == 32 {
        return Some("ThreadSanitizer knows no 32-bit programs".into());
    }
    if let Some(why) = setup.cannot_start() {
        return Some(why);
    }
    let compiled = |file: &PathBuf| file.extension().is_some_and(|e| e == "bc" || e == "ll");
    if setup.files.iter().any(compiled) && !matches!(property, Property::UnreachCall | Property::Assertion) {
        return Some("sanitizers need the C source".into());
    }
    None
}

/// A program to build: the user's files with these flags, and a driver.
pub struct Recipe<'a> {
    pub setup: &'a NativeSetup,
    /// For the user's files and the linker: sanitizers, coverage.
    pub flags: &'a [&'a str],
    pub driver: &'a str,
    /// Variables that nothing defines: nothing may stand in for them.
    pub external: &'a [&'a str],
}

/// The path of the binary, or why there is none.
pub fn build(recipe: &Recipe<'_>, directory: &Path, budget: &Budget) -> Result<PathBuf, String> {
    let setup = recipe.setup;
    let builder = Builder { setup, flags: recipe.flags, directory, budget: budget.at_most(setup.build_time) };
    let model = format!("-m{}", setup.pointer_bits);
    builder.write("driver.c", recipe.driver)?;
    let mut objects = vec![builder.compile_own("driver", &model)?];
    for (index, file) in setup.files.iter().enumerate() {
        objects.push(builder.compile_user(index, file, &model)?);
    }
    builder.link(&mut objects, &model, recipe.external)
}

struct Builder<'a> {
    setup: &'a NativeSetup,
    flags: &'a [&'a str],
    directory: &'a Path,
    budget: Budget,
}

impl Builder<'_> {
    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.directory.join(name), text).map_err(|error| format!("{name} could not be written: {error}"))
    }

    fn clang(&self) -> Command {
        let mut command = Command::new(&self.setup.clang);
        command.env("TMPDIR", self.directory).env("LC_ALL", "C");
        command
    }

    fn run(&self, command: Command) -> Result<Ended, String> {
        let limits = Limits {
            time: self.setup.build_time,
            memory_bytes: self.setup.memory_bytes * 2,
            address_space: false,
            isolate: false,
            writable: None,
            deep_stack: true,
        };
        let ended = sandbox::run(command, &limits, &self.budget)?;
        if let Some(limit) = ended.limit {
            return Err(format!("compiling it took too much {limit}"));
        }
        if let Some(signal) = ended.signal {
            return Err(format!("the compiler was ended by signal {signal}"));
        }
        Ok(ended)
    }

    /// One of Fathom's own files, without the user's flags.
    fn compile_own(&self, stem: &str, model: &str) -> Result<PathBuf, String> {
        let object = self.directory.join(format!("{stem}.o"));
        let mut command = self.clang();
        // What is not compiled with MemorySanitizer writes memory without its knowledge; and it needs the real unwinder.
        let of_memory: Vec<&&str> = self.flags.iter().filter(|flag| uninitialised::FLAGS.contains(flag)).collect();
        if of_memory.is_empty() {
            command.arg("-DFATHOM_NO_UNWINDER");
        }
        command.args([model, "-O1", "-w", "-c"]).args(of_memory).arg(self.directory.join(format!("{stem}.c")));
        command.arg("-o").arg(&object);
        let ended = self.run(command)?;
        if ended.success { Ok(object) } else { Err(format!("the driver does not compile: {}", first_error(&ended.stderr))) }
    }

    fn compile_user(&self, index: usize, file: &Path, model: &str) -> Result<PathBuf, String> {
        let object = self.directory.join(format!("user{index}.o"));
        let mut command = self.clang();
        command.arg(model).args(COMMON).args(LENIENT).args(fathom_clang::TOLERANT).args(self.flags).args(self.setup.compile_flags());
        self.write(fathom_clang::HEADER_NAME, fathom_clang::HEADER)?;
        command.arg("-idirafter").arg(self.directory);
        let unit = self.setup.units.get(file);
        let args: Vec<&String> = unit.iter().flat_map(|unit| &unit.args).chain(&self.setup.clang_args).collect();
        command.args(fathom_clang::standard(file, args.iter().copied()));
        if self.setup.pointer_bits == 32 {
            command.args(["-idirafter", fathom_clang::MULTIARCH]);
            // Floats are rounded to their type after each operation; the old unit of 32-bit processors is more precise.
            command.args(["-msse2", "-mfpmath=sse"]);
        }
        if let Some(prelude) = &self.setup.parts.prelude {
            self.write("declared.h", prelude)?;
            command.arg("-include").arg(self.directory.join("declared.h"));
        }
        if let Some(unit) = unit {
            command.current_dir(&unit.directory);
        }
        command.args(args).arg("-o").arg(&object).arg("-c");
        match file.extension().and_then(|e| e.to_str()) {
            Some("i") => command.args(["-x", "cpp-output"]),
            Some("bc" | "ll") => command.args(["-x", "ir"]),
            Some("ii") => command.args(REDUCED_CPP).args(["-x", "c++-cpp-output"]),
            _ if is_cpp(file) => command.args(REDUCED_CPP).args(["-x", "c++"]),
            _ => command.args(["-x", "c"]),
        };
        command.arg("--").arg(file);
        let ended = self.run(command)?;
        if ended.success {
            if self.setup.parts.entry_is_static {
                self.make_entry_global(&object)?;
            }
            return Ok(object);
        }
        Err(format!("{} does not compile with {model}: {}", file.display(), first_error(&ended.stderr)))
    }

    /// Of objects that do not have the symbol, nothing changes.
    fn make_entry_global(&self, object: &Path) -> Result<(), String> {
        for tool in ["llvm-objcopy-19", "llvm-objcopy", "objcopy"] {
            let mut command = Command::new(tool);
            command.arg(format!("--globalize-symbol={}", self.setup.entry)).arg(object);
            if self.run(command).is_ok_and(|ended| ended.success) {
                return Ok(());
            }
        }
        Err(format!("the run starts in {}, which is static, and objcopy could not make it global", self.setup.entry))
    }

    fn link(&self, objects: &mut Vec<PathBuf>, model: &str, external: &[&str]) -> Result<PathBuf, String> {
        let mut own_runtime = false;
        let mut stood_in = false;
        loop {
            let binary = self.directory.join("replay");
            let mut command = self.clang();
            command.arg(model).args(self.flags).args(self.setup.link_flags()).args(objects.iter());
            if own_runtime {
                command.args(["--rtlib=compiler-rt", "--unwindlib=none"]);
            }
            if self.setup.files.iter().any(|file| is_cpp(file)) {
                command.arg("-lstdc++");
            }
            command.args(["-lm", "-lpthread", "-o"]).arg(&binary);
            let ended = self.run(command)?;
            if ended.success {
                return Ok(binary);
            }
            if !own_runtime && ["crtbegin", "-lgcc", "libgcc"].iter().any(|part| ended.stderr.contains(part)) {
                own_runtime = true;
                continue;
            }
            let names = undefined(&ended.stderr);
            if names.is_empty() || stood_in {
                return Err(format!("linking failed: {}", first_error(&ended.stderr)));
            }
            if let Some(name) = names.iter().find(|name| external.contains(&name.as_str())) {
                return Err(format!("the variable {name} is declared and defined nowhere"));
            }
            stood_in = true;
            self.write("missing.c", &driver::missing_functions(&names))?;
            objects.push(self.compile_own("missing", model)?);
        }
    }
}

/// The names in a linker's complaints about undefined references.
fn undefined(stderr: &str) -> Vec<String> {
    let mut names = std::collections::BTreeSet::new();
    for line in stderr.lines() {
        let Some((_, rest)) = line.split_once("undefined reference to ") else { continue };
        let name: String = rest.chars().skip(1).take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        if !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) {
            names.insert(name);
        }
    }
    names.into_iter().collect()
}

/// The most informative line of a compiler's output, shortened.
fn first_error(stderr: &str) -> String {
    fathom_clang::first_error(stderr).unwrap_or("no message").chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_from_the_linker() {
        let text = "ld: a.o: in function `main':\na.c:(.text+0x5): undefined reference to `foo'\n\
                    a.c:3: undefined reference to `bar_2'\na.c:4: undefined reference to `foo'\n";
        assert_eq!(undefined(text), ["bar_2", "foo"]);
        assert_eq!(first_error("\nx: warning\nx.c:1: error: bad\n"), "x.c:1: error: bad");
    }
}
