//! The templates themselves: every way of compiling takes them, and none contradicts what they state.

use fathom_corners::{Corner, generate, native, truth};

const COUNT: u64 = 900;
const SEED: u64 = 77;

fn check(wide: bool) {
    let corners: Vec<Corner> = (0..COUNT).map(|number| generate(SEED, number)).filter(|corner| corner.wide == wide).collect();
    let runs = native::run(&corners.iter().collect::<Vec<_>>(), wide, true).unwrap_or_else(|error| panic!("{error}"));
    let mut wrong = Vec::new();
    for (number, (corner, runs)) in corners.iter().zip(&runs).enumerate() {
        if let Some(why) = truth::contradiction(corner, runs) {
            wrong.push(format!("{} ({}): {why}\n{}", corner.name, corner.class, corner.native_source(number)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn compilers_agree_with_templates_of_64_bits() {
    check(true);
}

#[test]
fn compilers_agree_with_templates_of_32_bits() {
    check(false);
}
