//! Classes of corners with a known fault: they are run and counted, but do not fail the tests. The commit that fixes
//! the fault removes the entry.

use crate::corner::Corner;
use crate::property::Property;

/// A class of corners on which the verifier is known to be wrong.
pub struct Pending {
    /// The class of the corners.
    pub class: &'static str,
    /// Only for corners whose name contains this.
    pub name: &'static str,
    /// Only for questions about these.
    pub properties: &'static [Property],
    /// What is wrong in the verifier.
    pub cause: &'static str,
}

/// Faults that are known and not fixed yet; empty is the aim.
pub const PENDING: &[Pending] = &[];

/// Why a wrong answer about this corner is no news.
pub fn cause(corner: &Corner, property: Property) -> Option<&'static str> {
    let fits = |p: &&Pending| p.class == corner.class && corner.name.contains(p.name) && p.properties.contains(&property);
    PENDING.iter().find(fits).map(|p| p.cause)
}
