//! Indices, pointer arithmetic and accesses through pointers.

use crate::cases::{Case, PLAIN, draw};
use crate::corner::Corner;
use crate::property::{Event::*, Property};
use fathom_randprog::Rng;

const ACCESS: &[Property] = &[Property::ValidDeref, Property::Bounds];
const DEREF: &[Property] = &[Property::ValidDeref];
const NULL: &[Property] = &[Property::ValidDeref, Property::Null];

const CASES: &[Case] = &[
    Case { name: "read of a local array", body: "$T v[3] = {7, 8, 9};\nOBSERVE(v[k]);", values: &[0, 1, 2, 3, -1], bad: &[(3, &[Bounds, Deref]), (-1, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "write of a local array", body: "$T v[3] = {7, 8, 9};\nv[k] = 5;\nOBSERVE(v[0]);", values: &[0, 1, 2, 3, -1], bad: &[(3, &[Bounds, Deref]), (-1, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "read of a global array", file_scope: "$T g@[4] = {1, 2, 3};\n", body: "OBSERVE(g@[k + 1]);", values: &[-1, 0, 1, 2, 3], bad: &[(3, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "compound assignment of an element", body: "$T v[3] = {7, 8, 9};\nv[k] += 1;\nOBSERVE(v[1]);", values: &[0, 1, 2, 3], bad: &[(3, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "element in sizeof", body: "$T v[3] = {7, 8, 9};\nOBSERVE(sizeof v[k]);", values: &[0, 3, -1, 100], ask: ACCESS, ..PLAIN },
    Case { name: "address one past the end", body: "$T v[3] = {7, 8, 9};\n$T *p = &v[k];\nOBSERVE(p - v);", values: &[0, 1, 2, 3], ask: DEREF, ..PLAIN },
    Case { name: "index that is swapped with the array", body: "$T v[3] = {7, 8, 9};\nOBSERVE(k[v]);", values: &[0, 2, 3], bad: &[(3, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "index of an array in a struct", body: "struct { $T v[2]; $T w; } s = {{7, 8}, 9};\nOBSERVE(s.v[k]);", values: &[0, 1, 2], bad: &[(2, &[Bounds])], ask: &[Property::Bounds], because: "the index is outside of the inner array", ..PLAIN },
    Case { name: "element of an array in a struct behind a pointer", body: "struct { $T a; $T v[2]; $T w; } s = {6, {7, 8}, 9}, *p = &s;\np->v[k] = 3;\nOBSERVE(p->v[0]);", values: &[0, 1, 2, -1], bad: &[(2, &[Bounds]), (-1, &[Bounds])], ask: &[Property::Bounds], because: "the index is outside of the inner array", ..PLAIN },
    Case { name: "row of a matrix", body: "$T m[2][3] = {{1, 2, 3}, {4, 5, 6}};\nOBSERVE(m[k][2]);", values: &[0, 1, 2, -1], bad: &[(2, &[Bounds, Deref]), (-1, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "column of a matrix", body: "$T m[2][3] = {{1, 2, 3}, {4, 5, 6}};\nOBSERVE(m[0][k]);", values: &[0, 2, 3], bad: &[(3, &[Bounds])], ask: &[Property::Bounds], ..PLAIN },
    Case { name: "last column of a matrix", body: "$T m[2][3] = {{1, 2, 3}, {4, 5, 6}};\nm[1][k] = 1;\nOBSERVE(m[1][0]);", values: &[0, 2, 3], bad: &[(3, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "pointer with an offset", body: "$T v[4] = {7, 8, 9, 10};\n$T *p = v + 2;\nOBSERVE(*(p + k));", values: &[0, 1, -1, -2, 2, -3], bad: &[(2, &[Deref]), (-3, &[Deref, PointerOverflow])], ask: DEREF, ..PLAIN },
    Case { name: "negative index behind a pointer", body: "$T v[4] = {7, 8, 9, 10};\n$T *p = &v[2];\np[k] = 1;\nOBSERVE(v[0] + v[1] + v[2]);", values: &[0, 1, -1, -2, 2], bad: &[(2, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "walk to the end", body: "$T v[3] = {1, 2, 3};\n$T *p = v, *end = v + k;\nint n = 0;\nwhile (p != end) n += *p++;\nOBSERVE(n);", values: &[0, 1, 2, 3], ask: DEREF, ..PLAIN },
    Case { name: "difference of pointers", body: "$T v[5];\n$T *p = v + k, *q = &v[4];\nOBSERVE(q - p);", values: &[0, 1, 4, 5], ask: &[Property::NoOverflow], ..PLAIN },
    Case { name: "order of pointers", body: "$T v[5];\n$T *p = v + k, *q = &v[2];\nOBSERVE((p < q) + 2 * (p <= q) + 4 * (p == q));", values: &[0, 2, 4, 5], ask: DEREF, ..PLAIN },
    Case { name: "member through null", body: "struct { char c; $T f; } s = {1, 2}, *p = k ? &s : 0;\nOBSERVE(p->f);", values: &[0, 1, 2], bad: &[(0, &[Null, Deref])], ask: NULL, ..PLAIN },
    Case { name: "write through null", body: "$T x = 3, *p = &x;\nif (k == 1) p = 0;\n*p = 4;\nOBSERVE(x);", values: &[0, 1, 2], bad: &[(1, &[Null, Deref])], ask: NULL, ..PLAIN },
    Case { name: "address through null, which is not read", body: "$T x = 3, *p = &x;\nif (k == 1) p = 0;\n$T *q = &*p;\nOBSERVE(q == 0);", values: &[0, 1, 2], ask: DEREF, ..PLAIN },
    Case { name: "null behind &&", body: "$T x = 3, *p = k ? &x : 0;\nOBSERVE(p && *p == 3);", values: &[0, 1], ask: NULL, ..PLAIN },
    Case { name: "null in sizeof", body: "$T *p = 0;\nOBSERVE(sizeof *p + k);", values: &[0, 1], ask: NULL, ..PLAIN },
    Case { name: "pointer to pointer", body: "$T x = 3, y = 4, *p = &x, **pp = &p;\nif (k) *pp = &y;\nif (k == 2) *pp = 0;\nOBSERVE(**pp);", values: &[0, 1, 2], bad: &[(2, &[Null, Deref])], ask: NULL, ..PLAIN },
    Case { name: "bytes of an object", body: "$T x = 1;\nunsigned char *p = (unsigned char *)&x;\nOBSERVE(p[k == 0 ? 0 : k + (int)sizeof x - 2]);", values: &[0, 1, 2, 3], bad: &[(2, &[Deref]), (3, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "string literal", body: "const char *s = \"abc\";\nOBSERVE(s[k]);", values: &[0, 2, 3, 4], bad: &[(4, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "array of a string literal", body: "char s[] = \"abc\";\nOBSERVE(s[k] + sizeof s);", values: &[0, 3, 4], bad: &[(4, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "array parameter", file_scope: "static $T take@($T v[3], int i) { return v[i]; }\n", body: "$T v[3] = {7, 8, 9};\nOBSERVE(take@(v, k));", values: &[0, 2, 3], bad: &[(3, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "function behind a pointer", file_scope: "static int one@(void) { return 1; }\nstatic int two@(void) { return 2; }\n", body: "int (*f)(void) = k ? one@ : two@;\nOBSERVE(f());", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "table of functions", file_scope: "static int one@(void) { return 1; }\nstatic int two@(void) { return 2; }\nstatic int (*const table@[2])(void) = {one@, two@};\n", body: "OBSERVE(table@[k]());", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "flexible array member", body: "struct f { int n; $T v[]; } *p = malloc(sizeof *p + 3 * sizeof($T));\nif (!p) return 0;\np->v[0] = 4;\np->v[k] = 5;\nOBSERVE(p->v[0]);\nfree(p);", values: &[0, 1, 2, 5], bad: &[(5, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "index of an unsigned type", body: "$T v[3] = {7, 8, 9};\nunsigned i = k;\nOBSERVE(v[i]);", values: &[0, 2, 3], bad: &[(3, &[Bounds, Deref])], ask: ACCESS, ..PLAIN },
    Case { name: "index that wraps in a char", body: "$T v[3] = {7, 8, 9};\nunsigned char i = k;\nOBSERVE(v[i]);", values: &[0, 1, 256, 258, 257], ask: ACCESS, ..PLAIN },
    Case { name: "misaligned read by memcpy", body: "unsigned char b[8] = {1, 2, 3, 4, 5, 6, 7, 8};\nunsigned u;\nmemcpy(&u, b + k, sizeof u);\nOBSERVE(u);", values: &[0, 1, 4, 3, 5], bad: &[(5, &[Deref])], ask: DEREF, ..PLAIN },
];

pub fn corner(rng: &mut Rng, wide: bool) -> Corner {
    draw(rng, wide, "object", CASES)
}
