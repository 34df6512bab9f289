//! Front ends assert everything that can go wrong; this keeps what was asked. A check that nobody asked for vanishes,
//! except where the machine would trap: a division by zero ends the program, so there the check becomes an assumption.

use fathom_ir::{Program, Property, StatementKind};
use std::collections::BTreeSet;

pub fn select(program: &mut Program, wanted: &BTreeSet<Property>) {
    let mut traps = false;
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else { continue };
        for block in &mut body.blocks {
            block.statements.retain_mut(|statement| {
                let StatementKind::Assert { condition, property, .. } = &statement.kind else { return true };
                // A run that ends only, or never ends only, because a number overflowed shows nothing.
                let matters = wanted.contains(&Property::Termination) && *property == Property::NoOverflow;
                if wanted.contains(property) || matters {
                    return true;
                }
                if *property != Property::DivByZero {
                    return false;
                }
                statement.kind = StatementKind::Assume(*condition);
                traps = true;
                true
            });
        }
    }
    if traps {
        program.assumptions.push("a division by zero ends the program (checked with --check div-by-zero)".to_string());
    }
}
