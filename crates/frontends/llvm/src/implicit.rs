//! Functions that a program calls without a declaration. In C they return an int, but compilers know the types of
//! library functions, and verifiers those of their own: `__VERIFIER_nondet_double` returns a double. Such a program is
//! compiled again with the right declarations at the beginning. If that fails, because the program declares the
//! function differently later, the implicit int stays. For most library functions, clang itself knows the type.

use crate::llvm::{Module, Value};
use crate::translate::nondet_type;
use crate::{Options, clang};
use std::fmt::Write;
use std::path::PathBuf;

/// Functions of the library that give something else than an int.
const LIBRARY: &[(&str, &str)] = &[
    ("malloc", "void *malloc(__SIZE_TYPE__);"),
    ("calloc", "void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);"),
    ("realloc", "void *realloc(void *, __SIZE_TYPE__);"),
    ("aligned_alloc", "void *aligned_alloc(__SIZE_TYPE__, __SIZE_TYPE__);"),
    ("memcpy", "void *memcpy(void *, const void *, __SIZE_TYPE__);"),
    ("memmove", "void *memmove(void *, const void *, __SIZE_TYPE__);"),
    ("memset", "void *memset(void *, int, __SIZE_TYPE__);"),
    ("memchr", "void *memchr(const void *, int, __SIZE_TYPE__);"),
    ("strlen", "__SIZE_TYPE__ strlen(const char *);"),
    ("strcpy", "char *strcpy(char *, const char *);"),
    ("strncpy", "char *strncpy(char *, const char *, __SIZE_TYPE__);"),
    ("strcat", "char *strcat(char *, const char *);"),
    ("strncat", "char *strncat(char *, const char *, __SIZE_TYPE__);"),
    ("strchr", "char *strchr(const char *, int);"),
    ("strrchr", "char *strrchr(const char *, int);"),
    ("strstr", "char *strstr(const char *, const char *);"),
    ("strdup", "char *strdup(const char *);"),
    ("strtok", "char *strtok(char *, const char *);"),
    ("strerror", "char *strerror(int);"),
    ("getenv", "char *getenv(const char *);"),
    ("strtol", "long strtol(const char *, char **, int);"),
    ("strtoul", "unsigned long strtoul(const char *, char **, int);"),
    ("strtoll", "long long strtoll(const char *, char **, int);"),
    ("strtoull", "unsigned long long strtoull(const char *, char **, int);"),
    ("strnlen", "__SIZE_TYPE__ strnlen(const char *, __SIZE_TYPE__);"),
    ("memmem", "void *memmem(const void *, __SIZE_TYPE__, const void *, __SIZE_TYPE__);"),
    ("strtok_r", "char *strtok_r(char *, const char *, char **);"),
    ("fopen", "void *fopen(const char *, const char *);"),
    ("atoll", "long long atoll(const char *);"),
    ("strtod", "double strtod(const char *, char **);"),
    ("atof", "double atof(const char *);"),
    ("atol", "long atol(const char *);"),
    ("labs", "long labs(long);"),
    ("random", "long random(void);"),
    ("clock", "long clock(void);"),
    ("time", "long time(long *);"),
    // glibc's header has them for gcc only.
    ("CMPLX", "#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))"),
    ("CMPLXF", "#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))"),
    ("CMPLXL", "#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))"),
];

/// Functions of one number, and of two.
const MATHEMATICS: [&str; 25] = [
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "log10",
    "log2",
    "exp2",
    "cbrt",
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "expm1",
    "log1p",
    "nearbyint",
];
const MATHEMATICS_OF_TWO: [&str; 6] = ["pow", "fmod", "atan2", "hypot", "fmax", "fmin"];

/// Declarations of what the module's files use without one and C would take for something else.
pub fn prototypes(module: &Module, files: &[PathBuf], options: &Options) -> Option<String> {
    let mut text = String::new();
    let undeclared = module.functions().filter(|function| function.is_declaration() && gives_int_for_anything(*function));
    let mut rest = Vec::new();
    for name in undeclared.map(|function| function.name()) {
        if let Some((_, prototype)) = LIBRARY.iter().find(|(known, _)| *known == name) {
            let _ = writeln!(text, "{prototype}");
        } else if MATHEMATICS.contains(&name.as_str()) {
            let _ = writeln!(text, "double {name}(double);");
        } else if MATHEMATICS_OF_TWO.contains(&name.as_str()) {
            let _ = writeln!(text, "double {name}(double, double);");
        } else if let Some(c_type) = nondet_type(&name).filter(|c_type| *c_type != "int") {
            let _ = writeln!(text, "{c_type} {name}(void);");
        } else if !name.starts_with("__") {
            rest.push(name);
        }
    }
    if !rest.is_empty() {
        let mut known: Vec<_> = files.iter().flat_map(|path| clang::types_of_undeclared(path, options)).collect();
        known.sort();
        known.dedup();
        let declarations = known.iter().filter(|(name, _)| rest.contains(name)).filter_map(|(name, ty)| declaration(name, ty));
        text.extend(declarations);
    }
    (!text.is_empty()).then_some(text)
}

/// `int f()`: what a call without a declaration makes of a function.
fn gives_int_for_anything(function: Value) -> bool {
    let ty = function.value_type();
    let result = ty.result();
    ty.is_variadic() && ty.params().is_empty() && result.is_integer() && result.integer_bits() == 32
}

/// A function's type as clang writes it, `char *(const char *, int)`, around a name; None where it needs a header.
fn declaration(name: &str, ty: &str) -> Option<String> {
    const WORDS: [&str; 11] = ["void", "char", "short", "int", "long", "float", "double", "const", "signed", "unsigned", "_Bool"];
    let mut words = ty.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let (result, parameters) = ty.split_once('(')?;
    (words.all(|word| WORDS.contains(&word)) && !parameters.contains('(')).then(|| format!("{result}{name}({parameters};\n"))
}

#[cfg(test)]
mod tests {
    use super::declaration;

    #[test]
    fn types_become_declarations() {
        assert_eq!(declaration("index", "char *(const char *, int)").as_deref(), Some("char *index(const char *, int);\n"));
        assert_eq!(declaration("sqrtf", "float (float)").as_deref(), Some("float sqrtf(float);\n"));
        assert_eq!(declaration("fprintf", "int (FILE *, const char *, ...)"), None);
        assert_eq!(declaration("signal", "void (*(int, void (*)(int)))(int)"), None);
    }
}
