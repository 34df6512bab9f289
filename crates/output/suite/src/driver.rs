//! A test as a C file: its table of inputs, with the rest of the driver included from one file for the whole suite.

use crate::case::TestCase;
use fathom_native::{self as native, NativeSetup};

/// The file that every test includes.
pub const SHARED: &str = "fathom_driver.h";
const OPENING: &str = "/* A test written by Fathom";

/// The part of the driver that all tests include.
pub fn shared(setup: &NativeSetup) -> String {
    let opening = "/* Written by Fathom: gives the inputs of a test back to the program, in order. */\n";
    // Included twice: before the test's table and behind it.
    let (first, second) = (native::driver_prologue(), setup.driver_body());
    format!("{opening}#ifndef FATHOM_DRIVER\n#define FATHOM_DRIVER\n{first}\n#else\n{second}\n#endif\n")
}

/// `arguments` are those that the user fixed for every run.
pub fn write(test: &TestCase, arguments: &[String]) -> String {
    let promise = test.promise.to_string().replace("*/", "* /");
    let mut opening = format!("{OPENING}: {promise}.\n");
    for what in &test.depends_on {
        opening += &format!("   It also depends on {}.\n", what.replace("*/", "* /"));
    }
    let (table, world) = (native::driver_table(&test.given()), native::driver_world(&test.given(), arguments));
    let how = if world.is_empty() { "" } else { ", with -Wl,--wrap=main" };
    format!("{opening}   Link it to the program that it tests{how}. */\n#include \"{SHARED}\"\n{table}#include \"{SHARED}\"\n{world}")
}

/// Whether a C file is a driver that Fathom wrote.
pub fn is_test(text: &str) -> bool {
    text.starts_with(OPENING) || text.contains("/* Written by Fathom: gives the recorded inputs back")
}
