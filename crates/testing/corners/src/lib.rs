//! Semantic corners: small C programs from templates, with the truth about them.
//!
//! A corner is one operation (an addition, a conversion, an access, a call of the library, ...) on operands that are
//! constants or inputs, in one position of the language (initialiser, condition, index, argument, unevaluated operand,
//! ...), asked about one property in one data model. An input takes only the few values that the program's own guard
//! admits, so running the program natively on all of them *is* the truth: [`native`] compiles many corners at once with
//! clang and gcc, with and without optimisation and under sanitizers, and runs each on each combination of its inputs.
//! Where sanitizers are blind or where Rust can say the truth independently, the template states it ([`Corner::stated`])
//! and the machine only cross-checks it.
//!
//! Values are checked without a second run: natively `OBSERVE(e)` records what `e` was; the program that the verifier
//! sees calls `reach_error()` there if `e` has one chosen value, and [`truth`] knows whether any run had that value.

mod arithmetic;
pub mod campaign;
mod cases;
mod conversions;
mod corner;
mod floats;
pub mod native;
pub mod pending;
mod positions;
pub mod property;
pub mod truth;
mod values;

pub use corner::{Corner, Question};
use fathom_randprog::Rng;
pub use property::{Event, Property};

/// A family of templates and how often it is drawn.
type Template = (usize, fn(&mut Rng, bool) -> Corner);

const TEMPLATES: [Template; 15] = [
    (24, arithmetic::binary),
    (4, arithmetic::constant),
    (8, arithmetic::compound),
    (6, arithmetic::step),
    (10, conversions::integers),
    (6, conversions::floats),
    (8, floats::arithmetic),
    (10, cases::objects),
    (8, cases::heap),
    (6, cases::lifetimes),
    (10, cases::layout),
    (8, cases::library),
    (6, cases::builtins),
    (3, cases::surroundings),
    (6, cases::uninitialised),
];

/// The corner with this number of the campaign that `seed` names. A third of them have 32-bit pointers.
pub fn generate(seed: u64, number: u64) -> Corner {
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
    let wide = number % 3 != 2;
    let mut draw = rng.below(TEMPLATES.iter().map(|(weight, _)| weight).sum());
    for (weight, template) in TEMPLATES {
        if draw < weight {
            let mut corner = template(&mut rng, wide);
            corner.choice = rng.next_u64();
            return corner;
        }
        draw -= weight;
    }
    unreachable!("the draw lies below the sum of the weights")
}
