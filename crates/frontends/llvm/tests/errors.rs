//! Every kind of bad input gets its own error, and none panics.

mod common;

use common::load_bytes;
use fathom_frontend_llvm::{FrontendError, Options, load};
use fathom_term::TermStore;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;

fn error_of(name: &str, contents: &[u8]) -> FrontendError {
    match load_bytes(name, contents, &Options::default()) {
        Ok(_) => panic!("{name} was accepted"),
        Err(error) => error,
    }
}

fn error_of_files(files: &[PathBuf], options: &Options) -> FrontendError {
    match load(files, options, Rc::new(TermStore::new())) {
        Ok(_) => panic!("{files:?} were accepted"),
        Err(error) => error,
    }
}

#[test]
fn files_that_are_not_there_or_not_files() {
    let missing = error_of_files(&[PathBuf::from("no such file.c")], &Options::default());
    assert!(matches!(missing, FrontendError::MissingFile(_)), "{missing}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = error_of_files(&[folder.path().to_path_buf()], &Options::default());
    assert!(matches!(directory, FrontendError::IsDirectory(_)), "{directory}");
    assert!(matches!(error_of("a.c", b""), FrontendError::EmptyFile(_)));
    assert!(matches!(error_of("a.py", b"print(1)"), FrontendError::UnsupportedKind(_)));
    assert!(matches!(error_of("noextension", b"int main(void) {}"), FrontendError::UnsupportedKind(_)));
    assert!(matches!(error_of_files(&[], &Options::default()), FrontendError::NoInput));
}

#[test]
fn sources_that_do_not_compile() {
    let error = error_of("a.c", b"int main(void) { return x; }");
    let FrontendError::CompileError { diagnostics, .. } = &error else { panic!("{error}") };
    assert!(diagnostics.contains("undeclared identifier 'x'"), "{diagnostics}");
    assert!(matches!(error_of("a.c", b"\xff\xfe\x00garbage"), FrontendError::CompileError { .. }));
    assert!(matches!(error_of("a.c", &[0u8; 1000]), FrontendError::NoEntry { .. } | FrontendError::CompileError { .. }));
}

#[test]
fn text_that_is_not_unicode_is_fine_in_comments_and_strings() {
    let source = b"// na\xefve\nconst char *s = \"\xff\xe9\";\nint main(void) { return s[0]; }";
    assert!(load_bytes("a.c", source, &Options::default()).is_ok());
}

#[test]
fn entry_functions() {
    let error = error_of("a.c", b"int Main(void) { return 0; }");
    let FrontendError::NoEntry { suggestion, defined, .. } = &error else { panic!("{error}") };
    assert_eq!(suggestion.as_deref(), Some("Main"));
    assert_eq!(defined, &["Main"]);
    let options = Options { entry: "Main".to_string(), ..Options::default() };
    assert!(load_bytes("a.c", b"int Main(void) { return 0; }", &options).is_ok());
    assert!(matches!(error_of("a.c", b"int main(void);"), FrontendError::NoEntry { .. }));
}

/// Bitcode of a small program, by the same clang.
fn bitcode() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("a.c");
    std::fs::write(&source, "int main(void) { int x; return x; }").expect("a writable folder");
    let output = Command::new("clang-19").args(["-c", "-emit-llvm", "-O0", "-o", "-"]).arg(&source).output();
    output.expect("clang-19 is installed").stdout
}

#[test]
fn bitcode_and_assembly() {
    let whole = bitcode();
    assert!(load_bytes("a.bc", &whole, &Options::default()).is_ok());
    for length in [1, 3, 4, 20, whole.len() / 2, whole.len() - 4] {
        let error = error_of("a.bc", &whole[..length]);
        assert!(matches!(error, FrontendError::TruncatedBitcode { .. }), "{length}: {error}");
    }
    assert!(matches!(error_of("a.bc", b"int main(void) {}"), FrontendError::TruncatedBitcode { .. }));
    assert!(matches!(error_of("a.ll", b"define i32 @main( {"), FrontendError::BadAssembly { .. }));
    assert!(load_bytes("a.ll", b"define i32 @main() { ret i32 0 }", &Options::default()).is_ok());
}

#[test]
fn several_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a writable folder");
        path
    };
    let main = write("main.c", "int f(int); int shared; int main(void) { return f(shared); }");
    let f = write("f.c", "extern int shared; int f(int x) { return x + shared; }");
    let clash = write("clash.c", "int f(int x) { return x; }");
    let loaded = load(&[main.clone(), f.clone()], &Options::default(), Rc::new(TermStore::new()));
    let program = loaded.unwrap_or_else(|e| panic!("{e}")).program;
    assert!(program.find_procedure("f").is_some_and(|f| program.procedure(f).body.is_some()));
    assert_eq!(program.objects.len(), 1);
    let error = error_of_files(&[main, f, clash], &Options::default());
    let FrontendError::DefinedTwice { name, .. } = &error else { panic!("{error}") };
    assert_eq!(name, "f");
}

#[test]
fn warnings_are_collected() {
    let source = b"int main(void) { int x = 1; if (x = 2) return 1; return 0; }";
    let loaded = load_bytes("a.c", source, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.warnings.iter().any(|w| w.contains("-Wparentheses")), "{:?}", loaded.warnings);
    let options = Options { clang_args: vec!["-Werror".to_string(), "-DX=1".to_string()], ..Options::default() };
    assert!(load_bytes("a.c", b"int main(void) { return X; }", &options).is_ok());
}

#[test]
fn deeply_nested_expressions_compile() {
    let source = format!("int main(void) {{ int x = 0; return {}x{}; }}", "(".repeat(900), "+ 1)".repeat(900));
    assert!(load_bytes("a.c", source.as_bytes(), &Options::default()).is_ok());
}
