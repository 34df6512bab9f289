//! A CMake project that builds every test of a suite with the program and runs it under sanitizers with CTest. A test
//! passes when the program ends, aborts or asks for more inputs than the test has; it fails when an error shows, or when
//! the program asks for other inputs: then it has changed, and the test is out of date.

use fathom_clang::{is_cpp, say_standard};
use fathom_native::{MARK, NativeSetup, SANITIZERS, WRAPPED_MAIN, ZERO_HEAP_OF_SANITIZER};
use std::fmt::Write;
use std::path::Path;

/// Where the tests are, below the project.
pub const TESTS: &str = "tests";

/// Every run starts in a directory of its own, without files of other tests or earlier runs.
const IN_A_NEW_DIRECTORY: &str = r#"rm -rf \"$0.run\" && mkdir \"$0.run\" && cd \"$0.run\" && exec \"$0\""#;

/// As Fathom builds: floats are rounded to their types, headers for both word sizes are shared, and the compiler's own
/// run-time library stands in where that of gcc is not installed for this word size.
const FOR_32_BIT: &str = "list(APPEND MODEL -msse2 -mfpmath=sse -idirafter /usr/include/x86_64-linux-gnu)\n\
    include(CheckCSourceCompiles)\n\
    set(CMAKE_REQUIRED_FLAGS -m32)\n\
    check_c_source_compiles(\"int main(void) { return 0; }\" LINKS_32_BIT)\n\
    if(NOT LINKS_32_BIT)\n  set(RUNTIME --rtlib=compiler-rt --unwindlib=none)\nendif()\n";

/// The text of `CMakeLists.txt`.
pub fn write(setup: &NativeSetup, leaks: bool) -> String {
    let mut text = String::from(
        "# Written by Fathom. Builds every test with the program and runs it under sanitizers:\n\
         #   cmake -B build && cmake --build build && ctest --test-dir build\n\
         cmake_minimum_required(VERSION 3.13)\n\
         if(NOT CMAKE_C_COMPILER AND NOT DEFINED ENV{CC})\n",
    );
    let _ = writeln!(text, "  set(CMAKE_C_COMPILER {})\nendif()", quoted(&setup.clang.display().to_string()));
    let sanitizers = SANITIZERS.join(";");
    let has_cpp = setup.files.iter().any(|file| is_cpp(file));
    if has_cpp {
        let compiler = quoted(&format!("{}", setup.clang.display()).replace("clang", "clang++"));
        let _ = writeln!(text, "if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{{CXX}})\n  set(CMAKE_CXX_COMPILER {compiler})\nendif()");
    }
    let languages = if has_cpp { "C CXX" } else { "C" };
    let _ = writeln!(text, "project(fathom_tests {languages})\nenable_testing()");
    let _ = writeln!(text, "set(SANITIZERS {} CACHE STRING \"Flags of the compiler and the linker\")", quoted(&sanitizers));
    let _ = writeln!(text, "set(MODEL -m{})", setup.pointer_bits);
    if setup.pointer_bits == 32 {
        text += FOR_32_BIT;
    }
    let files: Vec<String> = setup.files.iter().map(|file| quoted(&file.display().to_string())).collect();
    text += &library(setup, &files.join(" "));
    let flags = ["-g", "-O0", "-fno-builtin", "-w"].iter().chain(setup.compile_flags()).map(|flag| flag.to_string());
    let mut flags: Vec<String> = flags.chain(setup.clang_args.iter().cloned()).map(|flag| quoted(&flag)).collect();
    if !say_standard(&setup.clang_args) && setup.units.is_empty() {
        flags.extend(["$<$<COMPILE_LANGUAGE:C>:-std=gnu17>", "$<$<COMPILE_LANGUAGE:CXX>:-std=gnu++17>"].map(String::from));
    }
    if has_cpp {
        flags.extend(["$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>", "$<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>"].map(String::from));
    }
    let _ = writeln!(text, "target_compile_options(program PRIVATE ${{MODEL}} ${{SANITIZERS}} {})", flags.join(" "));
    for file in &setup.files {
        let path = quoted(&file.display().to_string());
        let mut properties = Vec::new();
        if is_cpp(file) {
            properties.push("LANGUAGE CXX".to_string());
        } else if file.extension().is_none_or(|e| e != "c") {
            properties.push("LANGUAGE C".to_string());
        }
        if let Some(unit) = setup.units.get(file) {
            properties.push(format!("COMPILE_OPTIONS {}", quoted(&absolute_args(&unit.args, &unit.directory).join(";"))));
        }
        if !properties.is_empty() {
            let _ = writeln!(text, "set_source_files_properties({path} PROPERTIES {})", properties.join(" "));
        }
    }
    let is_archive = setup.parts.entry_is_static;
    let _ = write!(
        text,
        "file(GLOB tests ${{CMAKE_CURRENT_SOURCE_DIR}}/{TESTS}/test-*.c)\n\
         foreach(test ${{tests}})\n  \
           get_filename_component(name ${{test}} NAME_WE)\n  \
           add_executable(${{name}} ${{test}} {})\n  \
           target_compile_options(${{name}} PRIVATE ${{MODEL}} -w)\n  \
           target_link_options(${{name}} PRIVATE ${{MODEL}} ${{RUNTIME}} ${{SANITIZERS}} -Wl,--unresolved-symbols=ignore-in-object-files {})\n  \
           target_link_libraries(${{name}} PRIVATE {}m pthread)\n  \
           file(STRINGS ${{test}} wraps REGEX \"{WRAPPED_MAIN}\")\n  \
           if(wraps)\n    \
             target_link_options(${{name}} PRIVATE -Wl,--wrap=main)\n  \
           endif()\n  \
           add_test(NAME ${{name}} COMMAND sh -c \"{IN_A_NEW_DIRECTORY}\" $<TARGET_FILE:${{name}}>)\n  \
           set_tests_properties(${{name}} PROPERTIES TIMEOUT 10\n    \
             PASS_REGULAR_EXPRESSION \"{MARK} (ended|exhausted|aborted)\"\n    \
             FAIL_REGULAR_EXPRESSION \"{MARK} (reach_error|assert|diverged|unused|missing);ERROR: (Address|Leak)Sanitizer;runtime error:\"\n    \
             ENVIRONMENT \"ASAN_OPTIONS=detect_leaks={}:handle_abort=0:allocator_may_return_null=1:{ZERO_HEAP_OF_SANITIZER}\")\n\
         endforeach()\n",
        if is_archive { "" } else { "$<TARGET_OBJECTS:program>" },
        setup.link_flags().join(" "),
        match (is_archive, has_cpp) {
            (true, true) => "-Wl,--whole-archive program -Wl,--no-whole-archive stdc++ ",
            (true, false) => "-Wl,--whole-archive program -Wl,--no-whole-archive ",
            (false, true) => "stdc++ ",
            (false, false) => "",
        },
        u8::from(leaks)
    );
    text
}

/// The program as objects; where a static function of it is to be called, as an archive in which that became global.
fn library(setup: &NativeSetup, files: &str) -> String {
    if !setup.parts.entry_is_static {
        return format!("add_library(program OBJECT {files})\n");
    }
    let entry = quoted(&format!("--globalize-symbol={}", setup.entry));
    format!(
        "add_library(program STATIC {files})\nfind_program(OBJCOPY NAMES llvm-objcopy-19 llvm-objcopy objcopy REQUIRED)\n\
         add_custom_command(TARGET program POST_BUILD COMMAND ${{OBJCOPY}} {entry} $<TARGET_FILE:program>)\n"
    )
}

/// CMake compiles elsewhere, so directories in flags must not be relative.
fn absolute_args(args: &[String], directory: &Path) -> Vec<String> {
    const WITH_PATH: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
    let join = |path: &str| directory.join(path).display().to_string();
    let mut absolute = Vec::new();
    let mut is_path = false;
    for arg in args {
        let glued = WITH_PATH.iter().find(|flag| arg.starts_with(**flag) && arg.len() > flag.len());
        match glued {
            _ if is_path => absolute.push(join(arg)),
            Some(flag) => absolute.push(format!("{flag}{}", join(&arg[flag.len()..]))),
            None => absolute.push(arg.clone()),
        }
        is_path = !is_path && WITH_PATH.contains(&arg.as_str());
    }
    absolute
}

/// A quoted argument of CMake.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_in_flags_become_absolute() {
        let args = ["-Iinc", "-I", "more", "-DX=1", "-include", "a.h", "-I/abs"].map(String::from);
        let expected = ["-I/b/inc", "-I", "/b/more", "-DX=1", "-include", "/b/a.h", "-I/abs"];
        assert_eq!(absolute_args(&args, Path::new("/b")), expected);
    }
}
