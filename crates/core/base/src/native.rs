//! What native runs need to know from the front end: how to start the program, and definitions for functions that it
//! only declares. The texts are C for the driver that is linked to the program.

use crate::Loc;
use std::collections::BTreeMap;

/// What native runs need from the front end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeParts {
    /// For an entry that is not a usual main: a `main` that makes its arguments and calls it, or why there is none.
    pub entry_driver: Option<Result<String, String>>,
    /// The entry is `static`: its symbol must be made global before another file can call it.
    pub entry_is_static: bool,
    /// For functions without a body, by name: C definitions that ask the driver for the values to return and to write.
    pub stand_ins: BTreeMap<String, String>,
    /// Declarations that belong in front of each file: of functions that it uses without declaring them.
    pub prelude: Option<String>,
    /// Checks whose failure a native run need not show, and why.
    pub hidden: BTreeMap<Loc, &'static str>,
    /// The program's calls of malloc ask the driver whether they fail.
    pub malloc_may_fail: bool,
}
