//! Classifies the flags of C compilers. Flags that affect the meaning of a program (directories, macros, the standard,
//! code generation) are kept; those about output files, optimisation, linking, instrumentation and dependency files are
//! dropped.

/// What becomes of a flag, and whether the next word belongs to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It goes to clang.
    Kept {
        /// The next word is its value.
        value: bool,
    },
    /// It says nothing about what the program means.
    Dropped {
        /// The next word is its value.
        value: bool,
    },
}

const KEPT_WITH_VALUE: [&str; 14] = [
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "--sysroot",
    "-Xclang",
    "-target",
    "-arch",
    "-Xpreprocessor",
];
const KEPT: [&str; 8] = ["-ansi", "-pthread", "-trigraphs", "-w", "-pedantic", "-nostdinc", "-undef", "-traditional-cpp"];
const KEPT_FAMILIES: [&str; 12] =
    ["-I", "-D", "-U", "-std=", "-f", "-W", "-m", "-isystem", "-idirafter", "-iquote", "--sysroot=", "--target="];

const DROPPED_WITH_VALUE: [&str; 12] = ["-o", "-MF", "-MT", "-MQ", "-MJ", "-dumpdir", "-Xlinker", "-L", "-l", "-T", "-z", "-Xassembler"];
const DROPPED: [&str; 25] = [
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-pipe",
    "-s",
    "-pedantic-errors",
    "-static",
    "-shared",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-static-pie",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-save-temps",
    "-static-libgcc",
    "-static-libstdc++",
    "-r",
];
const DROPPED_FAMILIES: [&str; 16] = [
    "-o",
    "-O",
    "-g",
    "-l",
    "-L",
    "-MF",
    "-MT",
    "-MQ",
    "-Wl,",
    "-Wa,",
    "-flto",
    "-fsanitize",
    "-fprofile",
    "-fcoverage",
    "-fdiagnostics",
    "-fuse-ld=",
];

/// What becomes of this word; nothing is said of words that no compiler knows.
pub fn fate(word: &str) -> Option<Fate> {
    let is_of = |families: &[&str]| families.iter().any(|flag| word.starts_with(flag) && word.len() > flag.len());
    match word {
        // A word of Fathom's own, or the name of a file.
        _ if word.starts_with("--") && !is_of(&KEPT_FAMILIES) && word != "--sysroot" => None,
        _ if KEPT_WITH_VALUE.contains(&word) => Some(Fate::Kept { value: true }),
        _ if KEPT.contains(&word) => Some(Fate::Kept { value: false }),
        _ if DROPPED_WITH_VALUE.contains(&word) => Some(Fate::Dropped { value: true }),
        _ if DROPPED.contains(&word) || ["-O", "-g"].contains(&word) || is_of(&DROPPED_FAMILIES) => Some(Fate::Dropped { value: false }),
        _ if is_of(&KEPT_FAMILIES) => Some(Fate::Kept { value: false }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_flags() {
        for word in ["-O2", "-O", "-g", "-g3", "-lm", "-Llib", "-c", "-MMD", "-pipe", "-static", "-Wl,-z,now", "-ofile", "-flto=thin"] {
            assert_eq!(fate(word), Some(Fate::Dropped { value: false }), "{word}");
        }
        for word in ["-o", "-l", "-L", "-MF"] {
            assert_eq!(fate(word), Some(Fate::Dropped { value: true }), "{word}");
        }
        for word in ["-Wall", "-fPIC", "-march=native", "-std=c11", "-DX", "-Iinc", "-pthread", "-ansi", "-pedantic", "--sysroot=/x"] {
            assert_eq!(fate(word), Some(Fate::Kept { value: false }), "{word}");
        }
        for word in ["-I", "-include", "-Xclang"] {
            assert_eq!(fate(word), Some(Fate::Kept { value: true }), "{word}");
        }
        for word in ["--32", "--timeout", "a.c", "-", "-v", "-h", "--", "-x"] {
            assert_eq!(fate(word), None, "{word}");
        }
    }
}
