//! Compiles the C part of the crate.

fn main() {
    println!("cargo::rerun-if-changed=native/fault.c");
    cc::Build::new().file("native/fault.c").opt_level(2).warnings(true).compile("fathom_fault");
}
