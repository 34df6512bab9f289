//! Which input functions the driver knows, and the C text for each. A function of the program's own with the same name
//! wins over the driver's, whose definitions are weak.

use fathom_ir::{CONTROL_FUNCTIONS, Control, INPUT_PREFIXES, INPUT_TYPES, InputType, sources};

/// An input of 79 bits, to which the integer bit is added.
const LONG_DOUBLE: &str = "WEAK long double NAME(void) {\n\
    unsigned char b[10] = {0}; give(\"NAME\", b, sizeof b);\n\
    unsigned long long low = 0; for (int i = 7; i >= 0; i--) low = low << 8 | b[i];\n\
    unsigned top = (unsigned)(low >> 63) | b[8] << 1 | b[9] << 9;\n\
    union { long double value; struct { unsigned long long significand; unsigned short top; } parts; } v = {0};\n\
    v.parts.significand = low << 1 >> 1 | (unsigned long long)((top & 0x7fff) != 0) << 63;\n\
    v.parts.top = (unsigned short)top;\n\
    return v.value;\n}\n";

/// Under --malloc-may-fail: whether an allocation fails.
const ALLOCATION: &str = "malloc";

/// Functions that take their input through a pointer or with arguments: name and definition.
const SPECIAL: &[(&str, &str)] = &[
    ("klee_make_symbolic", "void klee_make_symbolic(void *to, word size, const char *name)\n{ give(\"klee_make_symbolic\", to, size); }"),
    ("klee_int", "int klee_int(const char *name)\n{ int v; give(\"klee_int\", &v, sizeof v); return v; }"),
    ("klee_range", "int klee_range(int from, int to, const char *name)\n{ int v; give(\"klee_range\", &v, sizeof v); return v; }"),
    (
        "rand",
        "int rand(void)\n{ struct drawn *d = next_drawn(); if (!d->is_known) { int v; give(\"rand\", &v, sizeof v); d->value = v; d->is_known = 1; } return d->value; }",
    ),
    (
        "random",
        "long random(void)\n{ struct drawn *d = next_drawn(); if (!d->is_known) { give(\"random\", &d->value, sizeof d->value); d->is_known = 1; } return d->value; }",
    ),
    ("__VERIFIER_nondet_memory", "void __VERIFIER_nondet_memory(void *to, word size)\n{ give(\"__VERIFIER_nondet_memory\", to, size); }"),
];

/// Numbers that were drawn: the same seed gives them again, from the same sequence for both functions. What does not fit
/// into the table is asked for every time.
const DRAWN: &str = "struct drawn { unsigned seed, position; int is_known; long value; };\n\
    static struct drawn drawn[4096];\n\
    static struct { unsigned seed, position, count; } draws = { 1, 0, 0 };\n\
    HIDDEN struct drawn *next_drawn(void) {\n\
    unsigned i = 0, position = draws.position++;\n\
    for (; i < draws.count; i++) if (drawn[i].seed == draws.seed && drawn[i].position == position) return &drawn[i];\n\
    if (draws.count < sizeof drawn / sizeof drawn[0]) draws.count++; else i = draws.count - 1;\n\
    drawn[i].seed = draws.seed; drawn[i].position = position; drawn[i].is_known = 0;\n\
    return &drawn[i];\n}\n";

/// Other functions without inputs that the driver gives a meaning.
const CONTROLS: &[&str] = &[
    "void klee_assert(int c) { if (!c) finish(\"assert\", \"klee_assert\"); }",
    "void __assert_fail(const char *e, const char *file, unsigned line, const char *function) { fail_assertion(function); }",
    "void srand(unsigned seed) { draws.seed = seed ? seed : 1; draws.position = 0; }",
    "void srandom(unsigned seed) { srand(seed); }",
    "void __VERIFIER_atomic_begin(void) {}",
    "void __VERIFIER_atomic_end(void) {}",
];

/// Library functions whose results depend on more than their arguments: on files, time, chance, other processes.
const ENVIRONMENT: &[&str] = &[
    "drand48",
    "lrand48",
    "mrand48",
    "time",
    "clock",
    "gettimeofday",
    "clock_gettime",
    "getchar",
    "getc",
    "fgetc",
    "fgets",
    "gets",
    "getline",
    "scanf",
    "fscanf",
    "read",
    "pread",
    "recv",
    "recvfrom",
    "fread",
    "getenv",
    "getpid",
    "getppid",
    "getuid",
    "fopen",
    "fdopen",
    "open",
    "openat",
    "creat",
    "close",
    "fclose",
    "fflush",
    "fseek",
    "ftell",
    "feof",
    "ferror",
    "lseek",
    "stat",
    "fstat",
    "lstat",
    "access",
    "isatty",
    "ioctl",
    "fcntl",
    "poll",
    "select",
    "socket",
    "bind",
    "listen",
    "accept",
    "connect",
    "send",
    "sendto",
    "write",
    "fwrite",
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "putchar",
    "putc",
    "fputs",
    "fputc",
    "fork",
    "wait",
    "waitpid",
    "kill",
    "signal",
    "sigaction",
    "raise",
    "system",
    "sleep",
    "usleep",
    "nanosleep",
    "mmap",
    "munmap",
    "sbrk",
    "unlink",
    "rename",
    "mkdir",
    "opendir",
    "readdir",
    "sysconf",
    "gethostname",
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_self",
    "sched_yield",
    "perror",
    "__errno_location",
    "localtime",
    "gmtime",
    "mktime",
    "strerror",
    "setlocale",
];

/// Whether the results of a library function depend on more than its arguments.
pub fn is_environment(function: &str) -> bool {
    ENVIRONMENT.contains(&function)
}

/// Whether the driver can hand an input back to this function.
pub fn is_known(source: &str) -> bool {
    is_argument(source)
        || is_of_unseen_code(source)
        || is_allocation(source)
        || SPECIAL.iter().any(|(name, _)| *name == source)
        || scalar_type(source).is_some()
}

/// Whether an input is an argument of the function where the run starts, or an object that one leads to.
pub fn is_argument(source: &str) -> bool {
    [sources::ARGUMENT, sources::OBJECT, sources::NULL, sources::SAME, sources::INPUT_STREAM]
        .iter()
        .any(|prefix| source.starts_with(prefix))
}

/// Whether an input says if an allocation fails.
pub fn is_allocation(source: &str) -> bool {
    source == ALLOCATION
}

/// Whether an input is what code that is not there gave or wrote.
pub fn is_of_unseen_code(source: &str) -> bool {
    source.starts_with(sources::RESULT) || source.starts_with(sources::WRITTEN_ELSEWHERE)
}

/// The C type of what this function returns, if the driver knows the function.
pub fn c_type_of(source: &str) -> Option<&'static str> {
    match source {
        "klee_int" | "klee_range" => Some("int"),
        _ => scalar_type(source),
    }
}

fn scalar_type(source: &str) -> Option<&'static str> {
    InputType::of_function(source).and_then(|known| known.compiled)
}

/// Definitions of everything above, one a line, weak.
pub fn definitions(pointer_bits: u32) -> String {
    let mut text = String::from(DRAWN);
    for prefix in INPUT_PREFIXES {
        for (known, c_type) in INPUT_TYPES.iter().filter_map(|known| Some((known, known.compiled?))) {
            if c_type.contains("__int128") && pointer_bits == 32 {
                continue;
            }
            let name = format!("{prefix}{}", known.suffix);
            if c_type == "long double" {
                text += &LONG_DOUBLE.replace("NAME", &name);
                continue;
            }
            let fix = if c_type == "_Bool" { "unsigned char v" } else { &format!("{c_type} v") };
            text += &format!("WEAK {c_type} {name}(void) {{ {fix}; give(\"{name}\", &v, sizeof v); return v; }}\n");
        }
    }
    for (name, control, parameters) in CONTROL_FUNCTIONS {
        let Some(parameters) = parameters else { continue };
        let body = match control {
            Control::Error => "finish(\"reach_error\", \"\");".to_string(),
            Control::Assume => format!("if (!c) finish(\"assumption\", \"{name}\");"),
            Control::Assert => format!("if (!c) finish(\"assert\", \"{name}\");"),
        };
        text += &format!("WEAK void {name}({parameters}) {{ {body} }}\n");
    }
    for definition in SPECIAL.iter().map(|(_, text)| *text).chain(CONTROLS.iter().copied()) {
        text += &format!("WEAK {definition}\n");
    }
    text
}
