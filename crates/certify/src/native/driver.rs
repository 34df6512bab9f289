//! The C file that is linked to the user's program for a native replay: it returns the recorded inputs in the order in
//! which the program asks and says on standard error, in lines that start with `MARK`, when something of interest
//! happens. It needs no headers, so it compiles for any data model. Users find it with `--out` and can build it
//! themselves.

use super::inputs;
use fathom_semantics::{InputRecord, ReplayLog};
use std::fmt::Write;

/// Starts every line that the driver writes.
pub const MARK: &str = "FATHOM-REPLAY";

const PROLOGUE: &str = r#"
#define WEAK __attribute__((weak, no_instrument_function))
#define HIDDEN static __attribute__((no_instrument_function))
typedef __SIZE_TYPE__ word;
extern long write(int, const void *, word);
extern void _exit(int) __attribute__((noreturn));

struct record { const char *source; word size; const unsigned char *bytes; };
"#;

const HELPERS: &str = r#"
static word next_record;

HIDDEN void say(const char *text)
{ word n = 0; while (text[n]) n++; if (write(2, text, n) < 0) _exit(113); }

/* Ends the run: what happened, and where. */
HIDDEN __attribute__((noreturn)) void finish(const char *what, const char *detail)
{ say("\nFATHOM-REPLAY "); say(what); say(" "); say(detail ? detail : ""); say("\n"); _exit(113); }

HIDDEN void give(const char *source, void *to, word size)
{
  if (next_record == sizeof records / sizeof records[0] - 1) finish("exhausted", source);
  const struct record *r = &records[next_record++];
  const char *a = r->source, *b = source;
  while (*a && *a == *b) { a++; b++; }
  if (*a != *b) finish("diverged", source);
  for (word i = 0; i < size; i++) ((unsigned char *)to)[i] = i < r->size ? r->bytes[i] : 0;
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

/// The driver for the inputs of this replay.
pub fn text(log: &ReplayLog, pointer_bits: u32) -> String {
    let mut text = String::from("/* Written by Fathom: gives the recorded inputs back, in order. */");
    text += PROLOGUE;
    let known: Vec<&InputRecord> = log.inputs.iter().filter(|input| inputs::is_known(&input.kind.source)).collect();
    for (index, input) in known.iter().enumerate() {
        let bytes: Vec<String> = input.bytes.iter().map(u8::to_string).collect();
        let bytes = if bytes.is_empty() { "0".into() } else { bytes.join(",") };
        let _ = writeln!(text, "static const unsigned char bytes{index}[] = {{{bytes}}};");
    }
    text += "static const struct record records[] = {\n";
    for (index, input) in known.iter().enumerate() {
        let _ = writeln!(text, "  {{ \"{}\", {}, bytes{index} }},", input.kind.source, input.bytes.len());
    }
    text += "  { 0, 0, 0 }\n};\n";
    text += HELPERS;
    text += &inputs::definitions(pointer_bits);
    text += ENTRY_HOOK;
    text += NO_UNWINDER;
    text
}

/// Stand-ins for functions that exist nowhere: a run that calls one ends there.
pub fn missing_functions(names: &[String]) -> String {
    let mut text = String::from(PROLOGUE);
    text += "static const struct record records[] = { { 0, 0, 0 } };\n";
    text += HELPERS;
    for name in names {
        let _ = writeln!(text, "WEAK void {name}(void) {{ finish(\"missing\", \"{name}\"); }}");
    }
    text
}
