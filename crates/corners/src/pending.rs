//! Classes of corners with a known fault: they run and are counted, but fail nothing. An entry goes away in the commit
//! that mends its cause.

use crate::corner::Corner;
use crate::property::Property;

pub struct Pending {
    pub class: &'static str,
    /// Only for corners whose name contains this.
    pub name: &'static str,
    pub properties: &'static [Property],
    pub cause: &'static str,
}

const CHECKS: &[Property] = &[Property::NoOverflow, Property::Shift, Property::DivByZero];

pub const PENDING: &[Pending] = &[
    Pending { class: "arithmetic", name: "<<", properties: CHECKS, cause: "left shifts of signed values are not judged by their result" },
    Pending { class: "compound", name: "<<", properties: CHECKS, cause: "left shifts of signed values are not judged by their result" },
    Pending { class: "constant-operands", name: "", properties: CHECKS, cause: "clang folds constants before the checks are made" },
    Pending { class: "constant-array-size", name: "", properties: CHECKS, cause: "clang folds constants before the checks are made" },
    Pending { class: "lifetime", name: "", properties: &[Property::ValidDeref], cause: "scopes end before lifetimes are known" },
    Pending { class: "library", name: "puts of an array", properties: &[Property::ValidDeref], cause: "puts has no model that reads its string" },
];

/// Why a wrong answer about this corner is no news.
pub fn cause(corner: &Corner, property: Property) -> Option<&'static str> {
    let fits = |p: &&Pending| p.class == corner.class && corner.name.contains(p.name) && p.properties.contains(&property);
    PENDING.iter().find(fits).map(|p| p.cause)
}
