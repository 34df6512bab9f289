//! Library functions that have no model in C because the translation knows them (`fmod`, `floor`, `memmove`, ...), against
//! the system's on random inputs: a compiled program writes down what it gets, as a program that says it is wrong if it gets
//! something else; the interpreter must find that nothing is. Functions that are only bounded (`sin`, `exp`) must allow it.

mod common;

use common::Bench;
use std::process::Command;

/// One argument, two arguments, to an integer, classification.
const UNARY: [&str; 8] = ["floor", "ceil", "trunc", "round", "rint", "nearbyint", "fabs", "sqrt"];
const BINARY: [&str; 6] = ["fmin", "fmax", "fmod", "remainder", "copysign", "fdim"];
const TO_INTEGER: [&str; 4] = ["lround", "llround", "lrint", "llrint"];
const CLASSES: [&str; 6] = ["isnan", "isinf", "isfinite", "isnormal", "signbit", "fpclassify"];
const BOUNDED: [&str; 15] =
    ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10"];

/// Random numbers, and how a value is written so that it comes back as it was.
const GENERATOR: &str = r#"
#include <math.h>
#include <stdio.h>
#include <string.h>
static unsigned long long state = SEED;
static unsigned long long rnd(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static unsigned below(unsigned n) { return (unsigned)(rnd() >> 20) % n; }
static T any(void)
{
  static const T special[] = {0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, INFINITY, -INFINITY, NAN, 1e30, 0x1p-149, 0x1p-126, 4503599627370497.5};
  union { double d; unsigned long long u; float f; unsigned v; } x; x.u = rnd();
  switch (below(5)) { case 0: return special[below(16)]; case 1: return (T)((int)below(2000) - 1000) / 8; case 2: return (T)(int)rnd();
    default: return sizeof(T) == 4 ? x.f : x.d; }
}
static const char *show(T x)
{ static char text[4][64]; static int at; at = (at + 1) % 4; if (x != x) strcpy(text[at], "(0.0/0.0)"); else if (isinf(x)) strcpy(text[at], x < 0 ? "(-1.0/0.0)" : "(1.0/0.0)"); else sprintf(text[at], "%a", (double)x); return text[at]; }
"#;

const CHECKER: &str = "#include <math.h>\\n#include <string.h>\\nextern void reach_error(void);\\n\
static int same(T x, T y) { return (x != x && y != y) || (x == y && !signbit(x) == !signbit(y)); }\\n";

/// The program that the compiled one writes.
fn written(ty: &str, suffix: &str, seed: u64) -> String {
    let mut body = String::new();
    let mut line = |text: String| body += &format!("    {text}\n");
    for name in UNARY {
        line(format!(
            r#"{{ T x = any(); printf("  if (!same({name}{suffix}(%s), %s)) reach_error();\n", show(x), show({name}{suffix}(x))); }}"#
        ));
    }
    for name in BINARY {
        line(format!(
            r#"{{ T x = any(), y = below(4) ? any() : x; T r = {name}{suffix}(x, y); if (!(r == 0 && x == y)) printf("  if (!same({name}{suffix}(%s, %s), %s)) reach_error();\n", show(x), show(y), show(r)); }}"#
        ));
    }
    for name in TO_INTEGER {
        line(format!(
            r#"{{ T x = any(); if (x > -1e9 && x < 1e9) printf("  if ({name}{suffix}(%s) != %lld) reach_error();\n", show(x), (long long){name}{suffix}(x)); }}"#
        ));
    }
    for name in CLASSES {
        line(format!(
            r#"{{ T x = any(); printf("  if ({name}((T)%s) != %d && !({name}((T)%s) && %d)) reach_error();\n", show(x), {name}(x), show(x), {name}(x) && strcmp("{name}", "fpclassify")); }}"#
        ));
    }
    for name in BOUNDED {
        // Whatever the system computes is one of the values that the model allows.
        line(format!(
            r#"{{ T x = any(); T r = {name}{suffix}(x); if (r == r) printf("  {{ T r = {name}{suffix}(%s); if (same(r, %s)) reached++; }}\n", show(x), show(r)); }}"#
        ));
    }
    format!(
        "typedef {ty} T;\n#define SEED {seed}ull\n{GENERATOR}\nint main(void) {{\n  printf(\"typedef {ty} T;\\n{CHECKER}int reached;\\nint main(void) {{\\n\");\n  \
         for (int i = 0; i < 12; i++) {{\n{body}  }}\n  printf(\"  return 0;\\n}}\\n\");\n  return 0;\n}}\n"
    )
}

fn output_of(bench: &Bench, source: &str) -> String {
    let file = bench.write("generator.c", source);
    let binary = bench.path().join("generator");
    let built = Command::new("clang-19")
        .args(["-w", "-O0", "-fno-builtin", "-o"])
        .arg(&binary)
        .arg(&file)
        .arg("-lm")
        .output()
        .expect("clang-19 runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&binary).output().expect("the generator runs");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn mathematics_agree_with_the_system() {
    for (ty, suffix, seed) in [("double", "", 77), ("float", "f", 78)] {
        let bench = Bench::new();
        let source = output_of(&bench, &written(ty, suffix, seed));
        // Bounded functions fork: they are looked at one by one below.
        let exact: String = source.lines().filter(|line| !line.contains("reached++")).map(|line| format!("{line}\n")).collect();
        assert!(exact.matches("reach_error();").count() > 200, "{exact}");
        bench.write("exact.c", &exact);
        let run = bench.verify(&["exact.c", "--engine", "explore", "--property", "unreach-call", "--clang-arg", "-w"]);
        assert_eq!(run.verdict(), "true", "{ty}: {}", run.stdout);
        let bounded: Vec<&str> = source.lines().filter(|line| line.contains("reached++")).collect();
        let calls: String = bounded
            .iter()
            .enumerate()
            .map(|(at, line)| format!("int f{at}(void) {{ int reached = 0;\n{line}\n  return reached; }}\n"))
            .collect();
        let sum: Vec<String> = (0..bounded.len()).map(|at| format!("f{at}()")).collect();
        let (head, _) = exact.split_once("int main").expect("a main");
        // Each may give the system's value, and all of them at once.
        let program = format!("{head}{calls}int main(void) {{ if ({}) reach_error(); }}\n", sum.join(" && "));
        bench.write("bounded.c", &program);
        let run = bench.verify(&["bounded.c", "--engine", "explore", "--property", "unreach-call", "--clang-arg", "-w", "--no-native"]);
        assert_eq!(run.verdict(), "false(unreach-call)", "{ty}: {}", run.stdout);
    }
}

/// Copies and fills, which are statements: overlapping and not, of all lengths.
const MEMORY: &str = r##"
#include <stdio.h>
#include <string.h>
static unsigned long long state = 99;
static unsigned below(unsigned n) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return (unsigned)(state >> 20) % n; }
int main(void) {
  unsigned char a[40]; for (int i = 0; i < 40; i++) a[i] = i;
  puts("#include <string.h>\nextern void reach_error(void);\nint main(void) {\n  unsigned char a[40]; for (int i = 0; i < 40; i++) a[i] = i;");
  for (int i = 0; i < 60; i++) {
    unsigned to = below(30), from = below(30), n = below(11), c = below(256);
    switch (below(3)) {
      case 0: memmove(a + to, a + from, n); printf("  memmove(a + %u, a + %u, %u);\n", to, from, n); break;
      case 1: memset(a + to, c, n); printf("  memset(a + %u, %u, %u);\n", to, c, n); break;
      default: if (to + n > from && from + n > to) break; memcpy(a + to, a + from, n); printf("  memcpy(a + %u, a + %u, %u);\n", to, from, n);
    }
    printf("  { static const unsigned char e[40] = {"); for (int k = 0; k < 40; k++) printf("%u,", a[k]); puts("}; for (int i = 0; i < 40; i++) if (a[i] != e[i]) reach_error(); }");
  }
  puts("  return 0;\n}");
}
"##;

#[test]
fn copies_and_fills_agree_with_the_system() {
    let bench = Bench::new();
    bench.write("memory.c", output_of(&bench, MEMORY));
    let run = bench.verify(&["memory.c", "--engine", "explore", "--property", "unreach-call"]);
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
}
