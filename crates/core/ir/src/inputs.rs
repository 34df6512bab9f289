//! The functions by which test programs ask for arbitrary values, assume and assert, and the names of inputs that no such
//! function asked for. The front end gives the functions their meaning, native replay defines them in C, and both
//! must agree on what a name promises, so they read this one table.

/// A type that the end of an input function's name stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct InputType {
    /// What comes behind the prefix: `uint` of `__VERIFIER_nondet_uint`.
    pub suffix: &'static str,
    /// The C type for people.
    pub name: &'static str,
    /// The C type for a compiler that has read no header; none if a driver can't hand such a value over.
    pub compiled: Option<&'static str>,
    /// How its bits are printed.
    pub signed: bool,
}

const fn signed(suffix: &'static str, name: &'static str) -> InputType {
    InputType { suffix, name, compiled: Some(name), signed: true }
}

const fn unsigned(suffix: &'static str, name: &'static str) -> InputType {
    InputType { suffix, name, compiled: Some(name), signed: false }
}

/// A type of a header, which a compiler knows by another name.
const fn of_header(name: &'static str, compiled: &'static str, signed: bool) -> InputType {
    InputType { suffix: name, name, compiled: Some(compiled), signed }
}

/// What stands in front of a type in the name of an input function.
pub const INPUT_PREFIXES: [&str; 3] = ["__VERIFIER_nondet_", "__CPROVER_nondet_", "nondet_"];

/// The types that may stand behind such a prefix.
pub const INPUT_TYPES: &[InputType] = &[
    unsigned("bool", "_Bool"),
    unsigned("_Bool", "_Bool"),
    signed("char", "char"),
    signed("schar", "signed char"),
    unsigned("uchar", "unsigned char"),
    unsigned("unsigned_char", "unsigned char"),
    signed("short", "short"),
    unsigned("ushort", "unsigned short"),
    unsigned("unsigned_short", "unsigned short"),
    signed("int", "int"),
    unsigned("uint", "unsigned int"),
    unsigned("unsigned", "unsigned int"),
    unsigned("unsigned_int", "unsigned int"),
    signed("long", "long"),
    unsigned("ulong", "unsigned long"),
    unsigned("unsigned_long", "unsigned long"),
    signed("longlong", "long long"),
    signed("long_long", "long long"),
    unsigned("ulonglong", "unsigned long long"),
    unsigned("unsigned_long_long", "unsigned long long"),
    of_header("loff_t", "long long", true),
    of_header("size_t", "__SIZE_TYPE__", false),
    of_header("ssize_t", "__PTRDIFF_TYPE__", true),
    of_header("sector_t", "unsigned long", false),
    signed("float", "float"),
    signed("double", "double"),
    signed("long_double", "long double"),
    signed("longdouble", "long double"),
    InputType { suffix: "float128", name: "__float128", compiled: None, signed: true },
    unsigned("pointer", "void *"),
    unsigned("ptr", "void *"),
    unsigned("pchar", "char *"),
    unsigned("charp", "char *"),
    unsigned("const_char_pointer", "const char *"),
    unsigned("u8", "unsigned char"),
    unsigned("u16", "unsigned short"),
    unsigned("u32", "unsigned int"),
    unsigned("u64", "unsigned long long"),
    unsigned("u128", "unsigned __int128"),
    signed("s8", "signed char"),
    signed("s16", "short"),
    signed("s32", "int"),
    signed("s64", "long long"),
    unsigned("uint8_t", "unsigned char"),
    unsigned("uint16_t", "unsigned short"),
    unsigned("uint32_t", "unsigned int"),
    unsigned("uint64_t", "unsigned long long"),
    signed("int8_t", "signed char"),
    signed("int16_t", "short"),
    signed("int32_t", "int"),
    signed("int64_t", "long long"),
    signed("int128", "__int128"),
    unsigned("uint128", "unsigned __int128"),
];

impl InputType {
    /// The type that stands behind the prefix.
    pub fn of_suffix(suffix: &str) -> Option<&'static InputType> {
        INPUT_TYPES.iter().find(|known| known.suffix == suffix)
    }

    /// The type that an input function's name promises.
    pub fn of_function(name: &str) -> Option<&'static InputType> {
        INPUT_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).and_then(Self::of_suffix)
    }
}

/// What a function of a verifier does beside asking for inputs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// Must not be called.
    Error,
    /// Runs in which the first argument is zero don't count.
    Assume,
    /// The first argument must not be zero; a text may follow.
    Assert,
}

/// A function of a verifier: its name, what it does, and its parameters in C; none if no driver defines it, because it is the
/// compiler's own, a macro, or usually the program's.
pub const CONTROL_FUNCTIONS: &[(&str, Control, Option<&str>)] = &[
    ("reach_error", Control::Error, Some("void")),
    ("__VERIFIER_error", Control::Error, Some("void")),
    ("__VERIFIER_assume", Control::Assume, Some("int c")),
    ("klee_assume", Control::Assume, Some("word c")),
    ("__CPROVER_assume", Control::Assume, Some("_Bool c")),
    ("__ESBMC_assume", Control::Assume, Some("_Bool c")),
    ("__builtin_assume", Control::Assume, None),
    ("__CPROVER_assert", Control::Assert, Some("_Bool c, const char *m")),
    ("__CPROVER_precondition", Control::Assert, Some("_Bool c, const char *m")),
    ("__CPROVER_postcondition", Control::Assert, Some("_Bool c, const char *m")),
    ("__ESBMC_assert", Control::Assert, Some("_Bool c, const char *m")),
    ("__VERIFIER_assert", Control::Assert, None),
    ("assert", Control::Assert, None),
];

impl Control {
    /// What the function of this name does.
    pub fn of_function(name: &str) -> Option<Control> {
        CONTROL_FUNCTIONS.iter().find(|(known, ..)| *known == name).map(|(_, control, _)| *control)
    }
}

/// Names of inputs that no input function asked for (`InputKind::source`). Those that end in a space go on with a name.
pub mod sources {
    /// An argument of the function where the run starts.
    pub const ARGUMENT: &str = "argument ";
    /// A global variable before such a function is called.
    pub const VARIABLE: &str = "before, ";
    /// An object that such an argument leads to.
    pub const OBJECT: &str = "object of ";
    /// Whether such an argument is null.
    pub const NULL: &str = "null ";
    /// Whether such an argument, or a pointer in its objects, leads to an object that another one leads to.
    pub const SAME: &str = "same object as ";
    /// Whether such an argument, or a pointer in its objects, leads to standard input and not to standard output.
    pub const INPUT_STREAM: &str = "standard input as ";
    /// What a function without a body returned.
    pub const RESULT: &str = "result of ";
    /// What a function without a body wrote.
    pub const WRITTEN_ELSEWHERE: &str = "written elsewhere";
    /// The number of arguments of `main`.
    pub const ARGC: &str = "argc";
    /// The length of an argument, or of another text that the program is started with.
    pub const LENGTH: &str = "length of ";
    /// What is in a file.
    pub const CONTENTS: &str = "contents of ";
    /// Starts the source of a value of which only bounds are known: the function of that name gives one of the values that
    /// were allowed, not each of them.
    pub const BOUNDS: &str = "bounds of ";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (index, known) in INPUT_TYPES.iter().enumerate() {
            assert!(INPUT_TYPES[..index].iter().all(|other| other.suffix != known.suffix), "{known:?}");
            assert_eq!(InputType::of_function(&format!("nondet_{}", known.suffix)), Some(known));
        }
        assert_eq!(InputType::of_function("__VERIFIER_nondet_memory"), None);
        assert_eq!(Control::of_function("klee_assume"), Some(Control::Assume));
    }
}
