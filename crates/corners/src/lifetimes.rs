//! Objects whose scope has ended: blocks, loops, compound literals, calls, jumps.

use crate::cases::{Case, PLAIN, draw};
use crate::corner::Corner;
use crate::property::{Event::*, Property};
use fathom_randprog::Rng;

const DEREF: &[Property] = &[Property::ValidDeref];
/// Compilers may keep a dead object's bytes where they are, and sanitizers don't poison all of them.
const DEAD: &str = "the object's scope has ended";

const CASES: &[Case] = &[
    Case { name: "block", body: "$T x = 1, *p = &x;\n{ $T y = 2; if (k) p = &y; }\nOBSERVE(*p);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "write after a block", body: "$T x = 1, *p = &x;\n{ $T y = 2; if (k) p = &y; *p = 5; }\n*p = 3;\nOBSERVE(x);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "body of a loop", body: "$T x = 1, *p = &x;\nfor (int i = 0; i < 2; i++) { $T y = i; if (k == i) p = &y; }\nOBSERVE(*p);", values: &[0, 1, 2], bad: &[(0, &[Deref]), (1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "earlier iteration", body: "$T x = 1, *p = &x;\nint n = 0;\nfor (int i = 0; i < 2; i++) { $T y = i; n += *p; if (k) p = &y; else p = &x; }\nOBSERVE(n);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "variable of a for", body: "int *p = &(int){3};\nfor (int i = 0; i < 1; i++) if (k) p = &i;\nOBSERVE(*p);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "compound literal in a block", body: "$T x = 1, *p = &x;\n{ $T *q = &($T){7}; if (k) p = q; OBSERVE(*p == 1); }\nif (k < 2) *p = 2;", values: &[0, 1, 2], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    // The branch of an if is a block, with or without braces.
    Case { name: "compound literal in a branch", body: "$T x = 1, *p = &x;\nif (k) p = &($T){7};\nOBSERVE(*p == 1);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "compound literal in its own block", body: "$T x = 1, *p = &x;\nif (k) { p = &($T){7}; OBSERVE(*p); }\nelse OBSERVE(*p);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "local of a function", file_scope: "static $T *leak@(int k) { static $T s = 4; $T x = 3; $T *p = k ? &x : &s; return p; }\n", body: "OBSERVE(*leak@(k));", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "parameter of a function", file_scope: "static $T *keep@; static void call@($T x, int k) { static $T s; keep@ = k ? &x : &s; }\n", body: "call@(3, k);\nOBSERVE(*keep@ == 3 && k);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "goto out of a block", body: "$T x = 1, *p = &x;\n{ $T y = 2; if (k) { p = &y; goto out; } y = 3; (void)y; }\nout:;\nOBSERVE(*p);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "goto back before a declaration", body: "$T x = 1, *p = &x;\nint n = 0;\nagain:;\n{ $T y = n; if (n == 1) { OBSERVE(k ? *p : 9); } if (k) p = &y; if (n++ < 1) goto again; }", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "static local of a function", file_scope: "static $T *next@(void) { static $T s; s++; return &s; }\n", body: "$T *p = next@();\nif (k) next@();\nOBSERVE(*p);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "statement expression", body: "$T x = 1, *p = &x;\np = k ? ({ $T y = 2; &y; }) : p;\nOBSERVE(*p);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "array of a block", body: "$T x = 1, *p = &x;\n{ $T v[2] = {4, 5}; if (k) p = v + 1; OBSERVE(*p); }\nif (k == 1) *p = 0;", values: &[0, 1, 2], bad: &[(1, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "switch case with a block", body: "$T x = 1, *p = &x;\nswitch (k) { case 0: { $T y = 2; p = &y; break; } case 1: p = &x; break; default: break; }\nOBSERVE(*p);", values: &[0, 1, 2], bad: &[(0, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
    Case { name: "inner block that is still open", body: "$T *p;\n{ $T y = 2; { p = &y; } OBSERVE(*p + k); }", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "row of variable length in a block", body: "$T x = 1, *p = &x;\n{ $T v[k + 1]; v[k] = 6; if (k == 2) p = &v[k]; OBSERVE(v[k]); }\n*p = 1;", values: &[0, 1, 2], bad: &[(2, &[Deref])], ask: DEREF, because: DEAD, ..PLAIN },
];

pub fn corner(rng: &mut Rng, wide: bool) -> Corner {
    let mut corner = draw(rng, wide, "lifetime", CASES);
    // A local of `main` that died is read: what a run sees means nothing.
    corner.values_open |= corner.stated.as_ref().is_some_and(|events| !events.is_empty());
    corner
}
