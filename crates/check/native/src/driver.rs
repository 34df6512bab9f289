//! The C file that is linked to the user's program for a native replay: it returns the recorded inputs in the order in
//! which the program asks and says on standard error, in lines that start with `MARK`, when something of interest
//! happens. It needs no headers, so it compiles for any data model. It has two parts: a table of inputs, which differs
//! from test to test, and everything else, which is the same for all (`body`) and which test suites keep in one file.
//! A program that is compiled once and run on many tests reads the table at run time instead (`text_reading`).

use crate::world::{self, World};
use crate::{NativeSetup, inputs};
use fathom_base::hex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// One input to be given back: the function that asks for it (any function, if empty) and its bytes, lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The function that the program asks.
    pub source: String,
    /// The value, lowest byte first.
    pub bytes: Vec<u8>,
}

/// Starts every line that the driver writes.
pub const MARK: &str = "FATHOM-REPLAY";

const PROLOGUE: &str = r#"
#define WEAK __attribute__((weak, no_instrument_function))
#define HIDDEN static __attribute__((no_instrument_function))
typedef __SIZE_TYPE__ word;
extern long write(int, const void *, word);
extern void _exit(int) __attribute__((noreturn));
extern void abort(void) __attribute__((noreturn));
/* The C library's `signal` under a name that no program uses. */
extern void (*__sysv_signal(int, void (*)(int)))(int);
/* Present when the program is compiled for coverage. */
extern __attribute__((weak)) int __llvm_profile_write_file(void);

struct record { const char *source; word size; const unsigned char *bytes; };
"#;

const HELPERS: &str = r#"
static word next_record;

HIDDEN void say(const char *text)
{ word n = 0; while (text[n]) n++; if (write(2, text, n) < 0) _exit(113); }

HIDDEN void tell(const char *what, const char *detail)
{ say("\nFATHOM-REPLAY "); say(what); say(" "); say(detail ? detail : ""); say("\n"); }

/* Ends the run: what happened, and where. */
HIDDEN __attribute__((noreturn)) void finish(const char *what, const char *detail)
{ tell(what, detail); if (__llvm_profile_write_file) __llvm_profile_write_file(); _exit(113); }

HIDDEN void give(const char *source, void *to, word size)
{
  if (next_record == record_count) finish("exhausted", source);
  const struct record *r = &records[next_record++];
  const char *a = r->source, *b = source;
  while (*a && *a == *b) { a++; b++; }
  if (*r->source && *a != *b) finish("diverged", source);
  for (word i = 0; i < size; i++) ((unsigned char *)to)[i] = i < r->size ? r->bytes[i] : 0;
}
"#;

/// For stand-ins of functions without a body: writes the recorded bytes of a whole object. The record begins with the offset
/// of the pointer in that object.
const WRITTEN: &str = r#"
HIDDEN __attribute__((unused)) void written(void *to)
{
  if (!to) return;
  if (next_record == record_count) finish("exhausted", "writtenelsewhere");
  const struct record *r = &records[next_record];
  word offset = 0, size = r->size;
  if (size >= sizeof offset) __builtin_memcpy(&offset, r->bytes, sizeof offset);
  unsigned char head[sizeof offset];
  give("writtenelsewhere", head, sizeof head);
  for (word i = sizeof offset; i < size; i++) ((unsigned char *)to - offset)[i - sizeof offset] = r->bytes[i];
}
"#;

/// Linked with --wrap for each of them.
pub const FAILING_ALLOCATORS: &str = r#"
extern void *__real_malloc(word), *__real_calloc(word, word), *__real_realloc(void *, word);
extern void *__real_aligned_alloc(word, word);
extern int __real_posix_memalign(void **, word, word);
extern void *__real_memalign(word, word), *__real_valloc(word), *__real_reallocarray(void *, word, word);
extern int __real_vasprintf(char **, const char *, __builtin_va_list);
extern long __real_getdelim(char **, word *, int, void *), __real_getline(char **, word *, void *);
extern void *__real_fdopen(int, const char *);
extern int __real_setenv(const char *, const char *, int), __real_putenv(char *);
/* Only C++ programs have these. */
extern void *__real__ZnwmRKSt9nothrow_t(word, const void *) __attribute__((weak));
extern void *__real__ZnamRKSt9nothrow_t(word, const void *) __attribute__((weak));
extern char *__real_strdup(const char *), *__real_strndup(const char *, word);
extern int *__errno_location(void);
HIDDEN int allocation_fails(void)
{ int fails; give("malloc", &fails, sizeof fails); if (fails) *__errno_location() = 12; return fails != 0; }
/* AddressSanitizer gives an object of no bytes one byte. */
extern void __asan_poison_memory_region(const volatile void *, word) __attribute__((weak));
HIDDEN void *sized(void *made, word size)
{ if (made && !size && __asan_poison_memory_region) __asan_poison_memory_region(made, 1); return made; }
__attribute__((no_instrument_function)) void *__wrap_malloc(word size)
{ return allocation_fails() ? 0 : sized(__real_malloc(size), size); }
__attribute__((no_instrument_function)) void *__wrap_calloc(word count, word size)
{ return allocation_fails() ? 0 : sized(__real_calloc(count, size), count * size); }
__attribute__((no_instrument_function)) void *__wrap_realloc(void *old, word size)
{ return (!old || size) && allocation_fails() ? 0 : __real_realloc(old, size); }
__attribute__((no_instrument_function)) void *__wrap_aligned_alloc(word align, word size)
{ return allocation_fails() ? 0 : __real_aligned_alloc(align, size); }
__attribute__((no_instrument_function)) int __wrap_posix_memalign(void **to, word align, word size)
{ return allocation_fails() ? 12 : __real_posix_memalign(to, align, size); }
__attribute__((no_instrument_function)) void *__wrap_memalign(word align, word size)
{ return allocation_fails() ? 0 : __real_memalign(align, size); }
__attribute__((no_instrument_function)) void *__wrap_valloc(word size)
{ return allocation_fails() ? 0 : __real_valloc(size); }
__attribute__((no_instrument_function)) void *__wrap_reallocarray(void *old, word count, word size)
{ return (!old || (count && size)) && allocation_fails() ? 0 : __real_reallocarray(old, count, size); }
__attribute__((no_instrument_function)) int __wrap_vasprintf(char **to, const char *format, __builtin_va_list args)
{ return allocation_fails() ? -1 : __real_vasprintf(to, format, args); }
__attribute__((no_instrument_function)) int __wrap_asprintf(char **to, const char *format, ...)
{
  __builtin_va_list args;
  __builtin_va_start(args, format);
  int count = __wrap_vasprintf(to, format, args);
  __builtin_va_end(args);
  return count;
}
__attribute__((no_instrument_function)) long __wrap_getdelim(char **line, word *room, int end, void *stream)
{ return allocation_fails() ? -1 : __real_getdelim(line, room, end, stream); }
__attribute__((no_instrument_function)) long __wrap_getline(char **line, word *room, void *stream)
{ return allocation_fails() ? -1 : __real_getline(line, room, stream); }
/* The run-time library of a coverage build copies names, sets variables and opens its file itself. */
extern int __llvm_profile_write_file(void) __attribute__((weak));
HIDDEN int copy_fails(void) { return !__llvm_profile_write_file && allocation_fails(); }
__attribute__((no_instrument_function)) void *__wrap_fdopen(int descriptor, const char *mode)
{ return copy_fails() ? 0 : __real_fdopen(descriptor, mode); }
__attribute__((no_instrument_function)) int __wrap_setenv(const char *name, const char *value, int overwrite)
{
  int is_name = name && *name && !__builtin_strchr(name, '=');
  return is_name && copy_fails() ? -1 : __real_setenv(name, value, overwrite);
}
__attribute__((no_instrument_function)) int __wrap_putenv(char *text)
{ return copy_fails() ? -1 : __real_putenv(text); }
__attribute__((no_instrument_function)) void *__wrap__ZnwmRKSt9nothrow_t(word size, const void *nothrow)
{ return allocation_fails() ? 0 : __real__ZnwmRKSt9nothrow_t(size, nothrow); }
__attribute__((no_instrument_function)) void *__wrap__ZnamRKSt9nothrow_t(word size, const void *nothrow)
{ return allocation_fails() ? 0 : __real__ZnamRKSt9nothrow_t(size, nothrow); }
__attribute__((no_instrument_function)) char *__wrap_strdup(const char *text)
{ return copy_fails() ? 0 : __real_strdup(text); }
__attribute__((no_instrument_function)) char *__wrap_strndup(const char *text, word most)
{ return copy_fails() ? 0 : __real_strndup(text, most); }
/* The driver's own allocations do not fail. */
#define malloc __real_malloc
"#;

/// How a run that goes well ends; that it is on its way can be seen from the last line.
const ENDINGS: &str = r#"
HIDDEN __attribute__((destructor)) void report_end(void)
{ if (next_record < record_count) tell("unused", "inputs"); else tell("ended", ""); }
static int is_failed_assertion;
HIDDEN void on_abort(int number)
{
  if (!is_failed_assertion) tell("aborted", "");
  if (__llvm_profile_write_file) __llvm_profile_write_file();
  _exit(113);
}
/* A handler of the program's own for SIGABRT has its turn. */
HIDDEN __attribute__((noreturn, unused)) void fail_assertion(const char *function)
{ tell("assert", function); is_failed_assertion = 1; abort(); }
HIDDEN __attribute__((constructor)) void watch_abort(void) { __sysv_signal(6, on_abort); }
"#;

/// The table of inputs comes from the file that the environment names: the name of a function, a blank, its bytes in
/// hexadecimal, a line each. Crashes and a run that does not end still leave what was covered.
const READER: &str = r#"
extern int open(const char *, int, ...);
extern long read(int, void *, word);
extern char *getenv(const char *);

static char table[1 << 24];
static unsigned char input_bytes[1 << 23];
static struct record records[1 << 20];
static word record_count;

static __attribute__((no_instrument_function)) int digit(char c)
{ return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static __attribute__((constructor, no_instrument_function)) void read_records(void)
{
  const char *name = getenv("FATHOM_INPUTS");
  int file = name ? open(name, 0) : -1;
  word length = 0, at = 0, used = 0;
  for (long n; file >= 0 && length < sizeof table - 1 && (n = read(file, table + length, sizeof table - 1 - length)) > 0;)
    length += n;
  while (at < length && record_count < sizeof records / sizeof records[0]) {
    struct record *r = &records[record_count++];
    r->source = table + at;
    r->bytes = input_bytes + used;
    while (at < length && table[at] != ' ') at++;
    table[at++] = 0;
    for (; at + 1 < length && digit(table[at]) >= 0 && used < sizeof input_bytes; at += 2, r->size++)
      input_bytes[used++] = digit(table[at]) * 16 + digit(table[at + 1]);
    while (at < length && table[at++] != '\n') {}
  }
}
"#;

const CRASHES: &str = r#"
extern unsigned alarm(unsigned);
HIDDEN void on_crash(int number) { finish(number == 14 ? "timeout" : "crashed", ""); }
static __attribute__((constructor, no_instrument_function)) void watch_crashes(void)
{
  static const int numbers[] = { 4, 7, 8, 11, 14 };
  for (word i = 0; i < sizeof numbers / sizeof numbers[0]; i++) __sysv_signal(numbers[i], on_crash);
  alarm(FATHOM_SECONDS);
}
"#;

/// With -finstrument-functions: notices that an error function of the user's own was entered.
const ENTRY_HOOK: &str = r#"
WEAK void __cyg_profile_func_enter(void *function, void *site)
{ if (function == (void *)reach_error || function == (void *)__VERIFIER_error) finish("reach_error", ""); }
WEAK void __cyg_profile_func_exit(void *function, void *site) {}
"#;

/// The sanitizers' run-time libraries want an unwinder for their stack traces; where libgcc is missing this one ends
/// every trace at once.
const NO_UNWINDER: &str = r#"
#ifdef FATHOM_NO_UNWINDER
WEAK int _Unwind_Backtrace(void *step, void *context) { return 5; }
WEAK word _Unwind_GetIP(void *context) { return 0; }
#endif
"#;

/// Tables of more inputs than this are written for compilers, not for people.
const READABLE: usize = 2_000;

/// The table of those inputs that functions ask for, as C.
pub fn table(given: &[Given]) -> String {
    if asked(given).count() > READABLE { long_table(given) } else { short_table(given) }
}

/// The table of inputs as one array without pointers, which compilers read a hundred times as fast.
fn long_table(given: &[Given]) -> String {
    let sources: BTreeSet<&str> = asked(given).map(|input| input.source.as_str()).collect();
    let numbers: BTreeMap<&str, usize> = sources.iter().enumerate().map(|(number, &source)| (source, number)).collect();
    let mut text = String::from("static const char *const input_sources[] = {\n");
    for source in &sources {
        let _ = writeln!(text, "  \"{}\",", c_text(source));
    }
    text += "};\n/* Which of these each input is for, and how many bytes it has. */\nstatic const unsigned inputs[][2] = {\n";
    for input in asked(given) {
        let _ = writeln!(text, "  {{ {}, {} }},", numbers[input.source.as_str()], input.bytes.len());
    }
    text += "};\nstatic const unsigned char input_bytes[] =\n";
    for input in asked(given) {
        let bytes: String = input.bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
        let _ = writeln!(text, "  \"{bytes}\"");
    }
    text += UNPACK;
    text
}

const UNPACK: &str = r#";
static const word record_count = sizeof inputs / sizeof inputs[0];
static struct record records[sizeof inputs / sizeof inputs[0]];
static __attribute__((constructor, no_instrument_function)) void unpack_records(void)
{
  const unsigned char *bytes = input_bytes;
  for (word i = 0; i < record_count; bytes += inputs[i++][1]) {
    records[i].source = input_sources[inputs[i][0]];
    records[i].size = inputs[i][1];
    records[i].bytes = bytes;
  }
}
"#;

fn short_table(given: &[Given]) -> String {
    let mut text = String::from("static const struct record records[] = {\n");
    // Texts cost the compiler less than arrays with names.
    for input in asked(given) {
        let bytes: String = input.bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
        let _ = writeln!(text, "  {{ \"{}\", {}, (const unsigned char *)\"{bytes}\" }},", c_text(&input.source), input.bytes.len());
    }
    text += "  { 0, 0, 0 }\n};\nstatic const word record_count = sizeof records / sizeof records[0] - 1;\n";
    text
}

/// Inputs that the program gets by calling a function; the others are there when it starts.
fn asked(given: &[Given]) -> impl Iterator<Item = &Given> {
    given.iter().filter(|input| !world::is_known(&input.source))
}

/// In the text of a driver that brings arguments, standard input or files along; the linker must then be told to
/// `--wrap=main`.
pub const WRAPPED_MAIN: &str = "__wrap_main";

const WORLD: &str = r#"
extern int open(const char *, int, ...);
extern int close(int), pipe(int *), dup2(int, int);
extern int __real_main(int, char **, char **);

/* A file that is there already stays as it is: an earlier run made it. */
HIDDEN void make_file(const char *name, const unsigned char *bytes, word size)
{ int file = open(name, 0301, 0600); if (file >= 0) { if (write(file, bytes, size) < 0) _exit(113); close(file); } }

/* As much as a pipe holds is there to be read; more than that no test has. */
HIDDEN void make_stdin(const unsigned char *bytes, word size)
{ int ends[2]; if (pipe(ends) || (size && write(ends[1], bytes, size) < 0)) _exit(113); dup2(ends[0], 0); close(ends[0]); close(ends[1]); }
"#;

/// What the program finds when it starts, as C behind the driver's body; empty if that is nothing.
pub fn world(given: &[Given], arguments: &[String]) -> String {
    let world = World::new(given, arguments);
    if world.is_empty() {
        return String::new();
    }
    let mut text = String::from(WORLD);
    let array = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte},")).collect::<String>();
    for (index, argument) in world.arguments.iter().enumerate() {
        let _ = writeln!(text, "static unsigned char argument{index}[] = {{{}0}};", array(argument));
    }
    let _ = writeln!(text, "static const unsigned char standard_input[] = {{{}0}};", array(&world.stdin));
    for (index, (_, bytes)) in world.files.iter().enumerate() {
        let _ = writeln!(text, "static const unsigned char file{index}[] = {{{}0}};", array(bytes));
    }
    let names: String = (0..world.arguments.len()).map(|index| format!("(char *)argument{index}, ")).collect();
    let _ = writeln!(text, "HIDDEN_MAIN int {WRAPPED_MAIN}(int count, char **given, char **environment)\n{{");
    let _ = writeln!(text, "  static char *arguments[] = {{ \"program\", {names}0 }};");
    let _ = writeln!(text, "  make_stdin(standard_input, sizeof standard_input - 1);");
    for (index, (name, _)) in world.files.iter().enumerate() {
        let _ = writeln!(text, "  make_file(\"{}\", file{index}, sizeof file{index} - 1);", c_string(name));
    }
    let _ = writeln!(text, "  return __real_main({}, arguments, environment);\n}}", world.arguments.len() + 1);
    text.replace("HIDDEN_MAIN", "__attribute__((no_instrument_function))")
}

fn c_string(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) { (byte as char).to_string() } else { format!("\\{byte:03o}") }
            },
        )
        .collect()
}

/// The declarations that the table of inputs needs.
pub fn prologue() -> &'static str {
    PROLOGUE
}

/// Everything behind the table.
pub fn body(pointer_bits: u32) -> String {
    [HELPERS, WRITTEN, ENDINGS, &inputs::definitions(pointer_bits), ENTRY_HOOK, NO_UNWINDER].concat()
}

/// The driver for these inputs.
pub fn text(given: &[Given], setup: &NativeSetup) -> String {
    let opening = "/* Written by Fathom: gives the recorded inputs back, in order. */";
    [opening, PROLOGUE, &table(given), &setup.driver_body()].concat()
}

/// A driver that reads its inputs when the program starts, and ends it after so many seconds.
pub fn text_reading(setup: &NativeSetup, seconds: u64) -> String {
    let limit = format!("#define FATHOM_SECONDS {seconds}\n");
    [PROLOGUE, READER, &setup.driver_body(), &limit, CRASHES].concat()
}

/// The file that such a driver reads.
pub fn table_file(given: &[Given]) -> String {
    let mut text = String::new();
    for input in asked(given) {
        let _ = writeln!(text, "{} {}", c_text(&input.source), hex(&input.bytes));
    }
    text
}

/// Names come from files that anyone may have written, and those of arguments and objects have other characters in them.
fn c_text(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

/// Stand-ins for functions that exist nowhere: a run that calls one ends there.
pub fn missing_functions(names: &[String]) -> String {
    let mut text = [PROLOGUE, &table(&[]), HELPERS].concat();
    for name in names {
        let _ = writeln!(text, "WEAK void {name}(void) {{ finish(\"missing\", \"{name}\"); }}");
    }
    text
}
