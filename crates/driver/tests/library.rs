//! Fathom used as a library: a small C program and a small Boogie program, from the files to the answer.

use fathom_driver::{Conclusion, Error, Format, InputConfig, Session, TextOptions, VerifyConfig, report, verify};
use std::path::PathBuf;

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

const C: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 77) reach_error();\n  return 0;\n}\n";

const BOOGIE: &str =
    "procedure main() {\n  var i: int;\n  i := 0;\n  while (i < 10) invariant i <= 10; { i := i + 1; }\n  assert i == 10;\n}\n";

/// One test, so that no other thread is busy while the portfolio forks.
#[test]
fn a_c_program_and_a_boogie_program() {
    let bench = Bench::new();
    let mut config = VerifyConfig::new(InputConfig::new([bench.file("small.c", C)]));
    config.engine = "explore".into();
    config.native = false;
    let out = bench.0.path().join("out");
    config.out = Some(out.clone());
    let violated = verify(&config, &Session::default()).unwrap();
    assert_eq!(violated.conclusion(), Conclusion::Violated);
    assert_eq!(violated.report.verdict, "false(unreach-call)");
    assert_eq!(violated.report.properties[0].engine.as_deref(), Some("explore"));
    let inputs = &violated.report.properties[0].violation.as_ref().unwrap().inputs;
    assert_eq!(inputs[0].value, "77");
    assert!(report(&violated, Format::Text, TextOptions::default()).contains("__VERIFIER_nondet_int() = 77"));
    assert!(out.join("report.json").exists() && out.join("driver-unreach-call.c").exists());

    let config = VerifyConfig::new(InputConfig::new([bench.file("small.bpl", BOOGIE)]));
    let proved = verify(&config, &Session::default()).unwrap();
    assert_eq!(proved.conclusion(), Conclusion::Proved, "{}", report(&proved, Format::Json, TextOptions::default()));
    assert!(proved.report.properties.iter().all(|property| property.engine.is_some()));

    let missing = VerifyConfig::new(InputConfig::new([bench.0.path().join("missing.c")]));
    assert!(matches!(verify(&missing, &Session::default()), Err(Error::Input { .. })));
}
