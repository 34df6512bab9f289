//! Divides the checks of a program among several runs, by loops: checks in the same outermost loop stay together, and
//! so do those of a procedure outside of loops. In the program of one share, the checks of the others are assumptions.
//!
//! Together the shares are equivalent to the whole: a run that violates anything has a first check that fails. All
//! checks before it hold, so it is also a run of the program in which these are assumed and the failing one is
//! asserted: the share to which that check belongs.

use fathom_flow::Loops;
use fathom_ir::{Program, Property, StatementKind};
use std::collections::BTreeSet;

/// Which share of how many, from 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its number.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

/// How many checks there are, and how many of them are a share's own.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Divided {
    /// Those of the share.
    pub own: u64,
    /// Those of all shares.
    pub all: u64,
}

/// Keeps the checks of a share among those of these properties. Who divides is the program itself, so all runs divide alike.
pub fn share_checks(program: &mut Program, properties: &BTreeSet<Property>, share: Share) -> Divided {
    let (mut divided, mut places) = (Divided::default(), 0);
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else { continue };
        let around = Loops::of(body).around;
        // The outermost loops, and what is in none, in the order in which the first check of each stands.
        let mut known: Vec<(Option<u32>, u64)> = Vec::new();
        for (block, around) in body.blocks.iter_mut().zip(&around) {
            let place = around.first().copied();
            for statement in &mut block.statements {
                let StatementKind::Assert { condition, property, .. } = &statement.kind else { continue };
                if !properties.contains(property) {
                    continue;
                }
                let number = match known.iter().find(|(known, _)| *known == place) {
                    Some((_, number)) => *number,
                    None => {
                        known.push((place, places));
                        places += 1;
                        places - 1
                    }
                };
                divided.all += 1;
                if number % share.of == share.number - 1 {
                    divided.own += 1;
                } else {
                    statement.kind = StatementKind::Assume(*condition);
                }
            }
        }
    }
    divided
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_ir::{parse_program, print_program};

    const PROGRAM: &str = "program pointer 64 entry main\nprocedure main ()\n  local c Bool \"c\"\n  begin b0\n  b0 \"\":\n    assert no-overflow c \"one\"\n\
        \x20   assert shift c \"other\"\n    goto b1\n  b1 \"outer\":\n    assert no-overflow c \"two\"\n    branch c b2 b4\n  b2 \"inner\":\n\
        \x20   assert no-overflow c \"three\"\n    branch c b2 b3\n  b3 \"\":\n    goto b1\n  b4 \"\":\n    assert no-overflow c \"four\"\n    return\n";

    fn of(share: Share) -> (Divided, String) {
        let mut program = parse_program(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let divided = share_checks(&mut program, &BTreeSet::from([Property::NoOverflow]), share);
        (divided, print_program(&program))
    }

    #[test]
    fn every_check_is_in_one_share_with_the_others_of_its_loop() {
        let (first, one) = of(Share { number: 1, of: 2 });
        let (second, two) = of(Share { number: 2, of: 2 });
        assert_eq!((first, second), (Divided { own: 2, all: 4 }, Divided { own: 2, all: 4 }));
        let has = |text: &str, names: [&str; 4]| names.map(|name| text.contains(&format!("\"{name}\"")));
        assert_eq!(has(&one, ["one", "two", "three", "four"]), [true, false, false, true]);
        assert_eq!(has(&two, ["one", "two", "three", "four"]), [false, true, true, false]);
        assert!([&one, &two].iter().all(|text| text.contains("\"other\"")), "what was not asked stays as it is");
        assert_eq!(of(Share { number: 3, of: 3 }).0, Divided { own: 0, all: 4 });
        assert_eq!(of(Share { number: 1, of: 1 }).0, Divided { own: 4, all: 4 });
    }
}
