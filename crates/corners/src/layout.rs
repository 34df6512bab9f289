//! Bit-fields, unions, structs, enumerations, truth values, variable arguments, and arrays of variable length.

use crate::cases::{Case, PLAIN, draw};
use crate::corner::Corner;
use crate::property::{Event::*, Property};
use fathom_randprog::Rng;

const ANY: &[Property] = &[Property::NoOverflow, Property::ValidDeref];
const OVERFLOW: &[Property] = &[Property::NoOverflow];
const DEREF: &[Property] = &[Property::ValidDeref];
const SUM: &str = "static int sum@(int n, ...) { va_list ap; va_start(ap, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); va_end(ap); return s; }\n";

const CASES: &[Case] = &[
    Case { name: "unsigned bit-field wraps", body: "struct { unsigned f : 3; unsigned g : 5; } s = {0, 9};\ns.f = k;\nOBSERVE(s.f * 100 + s.g);", values: &[0, 7, 8, -1, 12], ask: ANY, ..PLAIN },
    Case { name: "signed bit-field wraps", body: "struct { signed f : 3; int g : 6; } s = {0, -9};\ns.f = k;\nOBSERVE(s.f + 1000 * s.g);", values: &[0, 3, 4, -4, -5, 7], ask: ANY, ..PLAIN },
    Case { name: "bit-field incremented", body: "struct { unsigned f : 3; signed g : 3; } s = {k, k};\ns.f++;\n++s.g;\nOBSERVE(s.f * 16 + s.g);", values: &[0, 3, 7], ask: OVERFLOW, ..PLAIN },
    Case { name: "value of a bit-field's assignment", body: "struct { signed f : 4; } s;\nint r = (s.f = k);\nOBSERVE(r);", values: &[0, 7, 8, 15, -1], ask: OVERFLOW, ..PLAIN },
    Case { name: "promotion of a bit-field", body: "struct { unsigned f : 31; unsigned long long g : 33; } s = {1, 1};\nOBSERVE((s.f - 2 < 0) + 2 * (k < s.f) + 4 * ((s.g << 32) == 0));", values: &[0, -1, 2], ask: OVERFLOW, ..PLAIN },
    Case { name: "_Bool bit-field", body: "struct { _Bool b : 1; unsigned u : 1; } s;\ns.b = k;\ns.u = k;\nOBSERVE(s.b * 2 + s.u);", values: &[0, 1, 2, 256, -2], ask: ANY, ..PLAIN },
    Case { name: "compound assignment of a bit-field", body: "struct { unsigned a : 4, b : 4; } s = {9, 3};\ns.a += k;\ns.b <<= 2;\nOBSERVE(s.a * 16 + s.b);", values: &[0, 6, 7, -9, -10], ask: ANY, ..PLAIN },
    Case { name: "bit-field across units", body: "struct { char c; unsigned a : 17; unsigned b : 17; } s = {1, 2, 3};\ns.b = k;\nOBSERVE(s.b + (s.a << 20));", values: &[0, 131071, 131072], ask: ANY, ..PLAIN },
    Case { name: "packed struct", body: "struct __attribute__((packed)) { char c; int i; short s; } p = {1, 2, 3};\np.i = k;\nOBSERVE(p.i + 100 * p.s + 1000 * (int)sizeof p);", values: &[0, -1, 65536], ask: ANY, ..PLAIN },
    Case { name: "layout of a struct", body: "struct x { char c; long l; short s; long long q; char d; };\nOBSERVE(sizeof(struct x) * 100 + offsetof(struct x, q) + k);", values: &[0, 1], ask: ANY, ..PLAIN },
    Case { name: "alignment of types", body: "OBSERVE(_Alignof(long long) * 100 + _Alignof(double) * 10 + _Alignof($T) + k);", values: &[0, 1], ask: ANY, ..PLAIN },
    Case { name: "bytes of a union", body: "union { unsigned u; unsigned char b[4]; } x;\nx.u = 0x01020304u;\nx.b[k] = 9;\nOBSERVE(x.u);", values: &[0, 1, 3], ask: DEREF, ..PLAIN },
    Case { name: "union of int and float", body: "union { int i; float f; } x;\nx.i = k;\nOBSERVE(x.f > 1.0f);", values: &[0, 1065353216, 1065353217, -1], ask: DEREF, ..PLAIN },
    Case { name: "shorter member of a union", body: "union { int i; short s; unsigned char c; } x;\nx.i = k;\nOBSERVE(x.s + 100000 * x.c);", values: &[0, 65535, 32768, -2], ask: ANY, ..PLAIN },
    Case { name: "copy of a struct", body: "struct s { char c; $T v[3]; } a = {1, {2, 3, 4}}, b;\nb = a;\na.v[k] = 9;\nOBSERVE(b.v[k] * 10 + a.v[k]);", values: &[0, 2], ask: ANY, ..PLAIN },
    Case { name: "struct as argument and result", file_scope: "struct s@ { $T a; char b[5]; $T c; };\nstatic struct s@ f@(struct s@ x, int k) { x.a = 7; x.b[k] = 8; return x; }\n", body: "struct s@ x = {1, \"abcd\", 3}, y = f@(x, k);\nOBSERVE(x.a + 10 * y.a + 100 * y.b[k] + 100000 * y.c);", values: &[0, 4, 1], ask: DEREF, ..PLAIN },
    Case { name: "member of a returned struct", file_scope: "struct s@ { int v[3]; };\nstatic struct s@ f@(int k) { struct s@ x = {{1, 2, k}}; return x; }\n", body: "OBSERVE(f@(k).v[2]);", values: &[0, 5], ask: DEREF, ..PLAIN },
    Case { name: "swap of structs", body: "struct s { $T a; char b; } x = {1, 2}, y = {3, 4}, t;\nif (k) { t = x; x = y; y = t; }\nOBSERVE(x.a * 10 + y.b);", values: &[0, 1], ask: ANY, ..PLAIN },
    Case { name: "initialiser with designators", body: "$T v[4] = {[2] = 5, 6, [0] = 1};\nOBSERVE(v[k]);", values: &[0, 1, 2, 3], ask: DEREF, ..PLAIN },
    Case { name: "partial initialiser", body: "struct { $T a; $T v[3]; char *p; } s = {.v = {1}};\nOBSERVE(s.a + s.v[k] + (s.p == 0));", values: &[0, 1, 2], ask: DEREF, ..PLAIN },
    Case { name: "enumeration", body: "enum e { A = -1, B = 5, C } x = k ? C : A;\nOBSERVE(x + (x < 0));", values: &[0, 1], ask: ANY, ..PLAIN },
    Case { name: "_Bool from numbers", body: "_Bool b = k;\n_Bool c = k & 2;\nb += 1;\nOBSERVE(b + 2 * c);", values: &[0, 1, 2, 256], ask: ANY, ..PLAIN },
    Case { name: "_Bool decremented", body: "_Bool b = k;\nb--;\nOBSERVE(b);", values: &[0, 1, 2], ask: ANY, ..PLAIN },
    Case { name: "char that is signed", body: "char c = k;\nunsigned char u = k;\nOBSERVE((c < 0) + 2 * (c == u) + 4 * (c == k));", values: &[0, 127, 128, 255, -1], ask: ANY, ..PLAIN },
    Case { name: "character constants", body: "OBSERVE('\\377' + k + sizeof 'a' + sizeof L'a');", values: &[0, 1], ask: ANY, ..PLAIN },
    Case { name: "variable arguments", file_scope: SUM, body: "OBSERVE(sum@(k, 1, 10, 100));", values: &[0, 1, 2, 3], ask: OVERFLOW, ..PLAIN },
    Case { name: "promoted variable arguments", file_scope: "static int f@(int n, ...) { va_list ap; va_start(ap, n); int a = va_arg(ap, int); double d = va_arg(ap, double); long long q = va_arg(ap, long long); char *s = va_arg(ap, char *); va_end(ap); return a + (int)d + (int)(q >> 32) + s[0]; }\n", body: "OBSERVE(f@(0, (char)k, 2.5f, 1LL << 34, \"a\"));", values: &[0, 255, -3], ask: ANY, ..PLAIN },
    Case { name: "copied va_list", file_scope: "static int f@(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int x = va_arg(a, int) + 10 * va_arg(b, int) + 100 * va_arg(a, int); va_end(a); va_end(b); return x; }\n", body: "OBSERVE(f@(0, k, 2));", values: &[1, 3], ask: OVERFLOW, ..PLAIN },
    Case { name: "struct among variable arguments", file_scope: "struct s@ { int a; short b; double d; };\nstatic int f@(int n, ...) { va_list ap; va_start(ap, n); struct s@ x = va_arg(ap, struct s@); int y = va_arg(ap, int); va_end(ap); return x.a + x.b + (int)x.d + 10 * y; }\n", body: "struct s@ x = {k, 2, 3.0};\nOBSERVE(f@(0, x, 5));", values: &[0, 7], ask: OVERFLOW, ..PLAIN },
    Case { name: "row of variable length", body: "$T v[k + 2];\nv[k + 1] = 3;\nv[0] = 1;\nOBSERVE(v[k + 1] + sizeof v);", values: &[0, 1, 4], ask: DEREF, ..PLAIN },
    Case { name: "index of a row of variable length", body: "int n = k;\n$T v[n];\nv[1] = 3;\nOBSERVE(v[1]);", values: &[1, 2, 3], bad: &[(1, &[Bounds, Deref])], ask: &[Property::ValidDeref, Property::Bounds], ..PLAIN },
    Case { name: "matrix of variable length", body: "int n = k + 1;\n$T m[n][3];\nm[n - 1][2] = 4;\nOBSERVE(m[n - 1][2] + sizeof m + sizeof m[0]);", values: &[0, 1, 2], ask: DEREF, ..PLAIN },
    Case { name: "size of a row is not positive", body: "int n = k;\n$T v[n];\nOBSERVE(sizeof v);", values: &[1, 2], ask: DEREF, ..PLAIN },
    Case { name: "sizeof with a side effect", body: "int n = k;\nint s = sizeof(char[n++]) + sizeof(n++);\nOBSERVE(s * 10 + n);", values: &[1, 3], ask: OVERFLOW, ..PLAIN },
    Case { name: "alloca", body: "$T *p = __builtin_alloca((k + 2) * sizeof *p);\np[k] = 3;\np[k + 1] = 4;\nOBSERVE(p[k]);", values: &[0, 1, 3], ask: DEREF, ..PLAIN },
    Case { name: "alloca is left", body: "$T *p = __builtin_alloca(2 * sizeof *p);\np[k] = 3;\nOBSERVE(p[k]);", values: &[0, 1, 2], bad: &[(2, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "order of comma and conditional", body: "int i = k;\nint r = (i++, i > 1 ? i : -i);\nOBSERVE(r * 10 + i);", values: &[0, 1, 2], ask: OVERFLOW, ..PLAIN },
    Case { name: "switch falls through", body: "int r = 0;\nswitch (k) { case 1: r += 1; case 2: r += 10; break; default: r = 100; case 3: r += 1000; }\nOBSERVE(r);", values: &[0, 1, 2, 3], ask: OVERFLOW, ..PLAIN },
    Case { name: "switch on a range and a long", body: "long long q = (long long)k << 32;\nint r;\nswitch (q) { case 0: r = 1; break; case 0x100000000LL ... 0x300000000LL: r = 2; break; default: r = 3; }\nOBSERVE(r);", values: &[0, 1, 3, 4], ask: DEREF, ..PLAIN },
    Case { name: "jump into a loop", body: "int i = k, n = 0;\nif (k) goto in;\nfor (i = 0; i < 3; i++) {\nn += 10;\nin: n++; }\nOBSERVE(n);", values: &[0, 1, 2], ask: OVERFLOW, ..PLAIN },
    Case { name: "duff's device", body: "int n = 0, c = k;\nswitch (c % 2) { case 0: do { n += 1; case 1: n += 10; } while ((c -= 2) > 0); }\nOBSERVE(n);", values: &[1, 2, 3, 4], ask: OVERFLOW, ..PLAIN },
    Case { name: "computed goto", body: "static const void *const to[] = {&&one, &&two};\nint r = 0;\ngoto *to[k];\none: r += 1;\ntwo: r += 10;\nOBSERVE(r);", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "generic selection", body: "OBSERVE(_Generic((short)k + 1, int: 1, short: 2, default: 3) + k);", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "type of literals", body: "OBSERVE(sizeof 2147483648 + 16 * sizeof 0x80000000 + 256 * sizeof 4294967296 + 4096 * (k - 2147483648 < 0) + 8192 * (-1 < 0x80000000));", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "uninitialised local that is written first", body: "$T x;\nif (k) x = 1;\nelse x = 2;\nOBSERVE(x);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "volatile local", body: "volatile int v = k;\nv = v + 1;\nOBSERVE(v);", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "vector extension", body: "typedef int v4 __attribute__((vector_size(16)));\nv4 a = {1, 2, 3, 4}, b = {k, k, k, k};\nv4 c = a + b;\nOBSERVE(c[0] + 10 * c[3]);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "nested function calls and globals", file_scope: "static int g@;\nstatic int bump@(int d) { g@ += d; return g@; }\n", body: "int r = bump@(1) ? bump@(k) : 0;\nOBSERVE(r * 10 + g@);", values: &[0, -1, 5], ask: OVERFLOW, ..PLAIN },
    Case { name: "recursion", file_scope: "static int fib@(int n) { return n < 2 ? n : fib@(n - 1) + fib@(n - 2); }\n", body: "OBSERVE(fib@(k));", values: &[0, 1, 5], ask: OVERFLOW, ..PLAIN },
    Case { name: "atomic", body: "_Atomic int a = k;\na += 2;\nint o = a++;\nOBSERVE(a * 10 + o);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "thread-local", file_scope: "static _Thread_local int t@ = 4;\n", body: "t@ += k;\nOBSERVE(t@);", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "complex numbers", body: "_Complex double z = 1.0 + 2.0i;\nz = z * (double)k;\nOBSERVE((int)__real__ z + 10 * (int)__imag__ z);", values: &[0, 1, 2], ask: DEREF, ..PLAIN },
];

pub fn corner(rng: &mut Rng, wide: bool) -> Corner {
    draw(rng, wide, "layout", CASES)
}
