//! `fathom test`, `fathom replay` and `--compile-commands` as a user meets them.

#[path = "../common/mod.rs"]
mod common;

mod builds;
mod coverage;
mod environment;
mod replay;

use common::{Bench, Run, files_in};

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void reach_error(void);\n";

/// Two errors, a branch that no input takes, and a function of its own.
const PROGRAM: &str = "static int classify(int x) {\n\
  if (x < 0) return -1;\n\
  if (x > 100 && x < 50) return 7;\n\
  return x == 1 ? 10 : 0;\n\
}\n\
int main(void) {\n\
  int kind = classify(__VERIFIER_nondet_int());\n\
  if (kind != 10) return kind;\n\
  unsigned char b = __VERIFIER_nondet_uchar();\n\
  int t[4] = {0};\n\
  if (b == 77) reach_error();\n\
  return t[b & 7];\n\
}\n";

/// Serves requests for ever.
const SERVER: &str = "int main(void) {\n\
  int state = 0;\n\
  while (1) {\n\
    int request = __VERIFIER_nondet_int();\n\
    if (request == 1 && state == 0) state = 1;\n\
    else if (request == 2 && state == 1) state = 2;\n\
    else if (request == 3 && state == 2) reach_error();\n\
  }\n\
}\n";

fn program(body: &str) -> String {
    format!("{INPUTS}{body}")
}

impl Bench {
    /// `fathom test ...`; the last line says what the suite is.
    fn suite(&self, arguments: &[&str]) -> Run {
        self.run(&[&["test"], arguments].concat())
    }

    fn replay(&self, arguments: &[&str]) -> Run {
        self.run(&[&["replay"], arguments].concat())
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn tests(&self, directory: &str) -> usize {
        files_in(&self.path().join(directory)).iter().filter(|name| name.starts_with("testcase-")).count()
    }
}

fn last_line(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or_default()
}

fn contains(run: &Run, words: &[&str]) {
    for word in words {
        assert!(run.stdout.contains(word) || run.stderr.contains(word), "`{word}` is missing in\n{}{}", run.stdout, run.stderr);
    }
}
