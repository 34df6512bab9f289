//! Allocation, release and leaks.

use crate::cases::{Case, PLAIN, draw};
use crate::corner::Corner;
use crate::property::{Event::*, Property};
use fathom_randprog::Rng;

const SAFETY: &[Property] = &[Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
const FREE: &[Property] = &[Property::ValidFree];
const LEAK: &[Property] = &[Property::ValidMemtrack];
const DEREF: &[Property] = &[Property::ValidDeref];

const CASES: &[Case] = &[
    Case { name: "use after free", body: "$T *p = malloc(sizeof *p);\nif (!p) return 0;\n*p = 3;\nif (k) free(p);\nOBSERVE(*p);\nif (!k) free(p);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "write after free", body: "$T *p = malloc(2 * sizeof *p);\nif (!p) return 0;\np[1] = 3;\nOBSERVE(p[1]);\nfree(p);\nif (k == 1) p[1] = 2;", values: &[0, 1, 2], bad: &[(1, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "free twice", body: "$T *p = malloc(sizeof *p);\nif (!p) return 0;\nif (k & 1) free(p);\nif (k & 2) free(p);\nif (!k) free(p);", values: &[0, 1, 2, 3], bad: &[(3, &[Free])], ask: SAFETY, ..PLAIN },
    Case { name: "free of the middle", body: "$T *p = malloc(3 * sizeof *p);\nif (!p) return 0;\nfree(p + k);", values: &[0, 1], bad: &[(1, &[Free])], ask: FREE, ..PLAIN },
    Case { name: "free of null", body: "$T *p = 0;\nif (k) p = malloc(sizeof *p);\nfree(p);\nif (k == 2) free(0);", ask: SAFETY, ..PLAIN },
    Case { name: "free of a local", body: "$T x = 1;\n$T *p = k ? &x : malloc(sizeof *p);\nfree(p);", values: &[0, 1], bad: &[(1, &[Free])], ask: FREE, ..PLAIN },
    Case { name: "free of a global", file_scope: "static $T g@[2];\n", body: "$T *p = k ? g@ : malloc(sizeof *p);\nfree(p);", values: &[0, 1], bad: &[(1, &[Free])], ask: FREE, ..PLAIN },
    Case { name: "free of a string literal", body: "char *p = k ? (char *)\"x\" : malloc(2);\nfree(p);", values: &[0, 1], bad: &[(1, &[Free])], ask: FREE, ..PLAIN },
    Case { name: "free, then null, then free", body: "$T *p = malloc(sizeof *p);\nfree(p);\nif (k) p = 0;\nfree(p);", values: &[0, 1], bad: &[(0, &[Free])], ask: FREE, ..PLAIN },
    Case { name: "block that is never freed", body: "$T *p = malloc(sizeof *p);\nif (k) free(p);", values: &[0, 1], bad: &[(0, &[Leak])], ask: LEAK, ..PLAIN },
    Case { name: "pointer that is overwritten", body: "$T *p = malloc(sizeof *p);\nif (k == 1) p = malloc(sizeof *p);\nfree(p);", values: &[0, 1], bad: &[(1, &[Leak])], ask: LEAK, ..PLAIN },
    Case { name: "block that a global keeps", file_scope: "static $T *keep@;\n", body: "keep@ = malloc(sizeof *keep@);\nif (k == 1) free(keep@);\nif (k == 2) keep@ = 0;", values: &[0, 1, 2], bad: &[(2, &[Leak])], ask: LEAK, ..PLAIN },
    Case { name: "block inside of a block", body: "struct n { $T v; struct n *next; } *p = malloc(sizeof *p);\nif (!p) return 0;\np->next = malloc(sizeof *p);\nif (k) free(p->next);\nfree(p);", values: &[0, 1], bad: &[(0, &[Leak])], ask: LEAK, ..PLAIN },
    Case { name: "calloc is zero", body: "$T *p = calloc(3, sizeof *p);\nif (!p) return 0;\nif (k == 3) p[1] = 7;\nOBSERVE(p[1] + p[k == 1 ? 0 : 2]);\nfree(p);", values: &[0, 1, 3], ask: DEREF, ..PLAIN },
    Case { name: "size of a block", body: "$T *p = malloc(3 * sizeof *p);\nif (!p) return 0;\np[k] = 4;\nOBSERVE(p[k]);\nfree(p);", values: &[0, 2, 3, -1], bad: &[(3, &[Deref]), (-1, &[Deref, PointerOverflow])], ask: DEREF, ..PLAIN },
    Case { name: "size that is an input", body: "char *p = malloc(k);\nif (!p) return 0;\np[2] = 4;\nOBSERVE(p[2]);\nfree(p);", values: &[1, 2, 3, 4, 8], bad: &[(1, &[Deref]), (2, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "realloc keeps what fits", body: "$T *p = malloc(2 * sizeof *p);\nif (!p) return 0;\np[0] = 3;\np[1] = 4;\n$T *q = realloc(p, (k + 1) * sizeof *p);\nif (!q) { free(p); return 0; }\nOBSERVE(q[k == 0 ? 0 : 1]);\nfree(q);", values: &[0, 1, 2, 3], ask: SAFETY, ..PLAIN },
    Case { name: "realloc shrinks", body: "$T *p = malloc(4 * sizeof *p);\nif (!p) return 0;\np[0] = 3;\n$T *q = realloc(p, 2 * sizeof *p);\nif (!q) { free(p); return 0; }\nq[k] = 1;\nOBSERVE(q[0]);\nfree(q);", values: &[0, 1, 2], bad: &[(2, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "realloc of null", body: "$T *p = realloc(0, 2 * sizeof *p);\nif (!p) return 0;\np[k] = 2;\nOBSERVE(p[k]);\nfree(p);", values: &[0, 1, 2], bad: &[(2, &[Deref])], ask: SAFETY, ..PLAIN },
    Case { name: "old pointer after realloc", body: "$T *p = malloc(sizeof *p);\nif (!p) return 0;\n*p = 3;\n$T *q = realloc(p, 4000);\nif (!q) { free(p); return 0; }\nOBSERVE(*q);\nif (k) *p = 2;\nfree(q);", values: &[0, 1], bad: &[(1, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "list of blocks", body: "struct n { struct n *next; } *head = 0;\nfor (int i = 0; i < k; i++) { struct n *p = malloc(sizeof *p); if (!p) return 0; p->next = head; head = p; }\nint n = 0;\nwhile (head) { struct n *p = head; head = p->next; free(p); n++; }\nOBSERVE(n);", values: &[0, 1, 2, 3], ask: SAFETY, ..PLAIN },
    Case { name: "block of size zero", body: "char *p = malloc(k);\nif (p && k) p[0] = 1;\nif (p && k == 0) p[0] = 1;\nfree(p);", values: &[0, 1], bad: &[(0, &[Deref])], ask: DEREF, because: "a block of size zero has no bytes", ..PLAIN },
    Case { name: "two owners", body: "$T *p = malloc(sizeof *p), *q = p;\nfree(q);\nif (k) free(p);", values: &[0, 1], bad: &[(1, &[Free])], ask: FREE, ..PLAIN },
    Case { name: "leak of a function's local", file_scope: "static int make@(int k) { $T *p = malloc(sizeof *p); if (!p) return 0; *p = 1; if (k) { free(p); return 1; } return 2; }\n", body: "OBSERVE(make@(k));", values: &[0, 1], bad: &[(0, &[Leak])], ask: LEAK, ..PLAIN },
    Case { name: "pointer in an integer", body: "$T *p = malloc(sizeof *p);\nif (!p) return 0;\n*p = 6;\nunsigned long u = (unsigned long)p;\n$T *q = ($T *)u;\nOBSERVE(*q + k);\nfree(q);", values: &[0, 1], ask: SAFETY, ..PLAIN },
];

pub fn corner(rng: &mut Rng, wide: bool) -> Corner {
    draw(rng, wide, "heap", CASES)
}
