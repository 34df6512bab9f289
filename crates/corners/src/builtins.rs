//! Built-in functions of clang and gcc.

use crate::cases::{Case, PLAIN, draw};
use crate::corner::Corner;
use crate::property::Property;
use fathom_randprog::Rng;

const OVERFLOW: &[Property] = &[Property::NoOverflow];

const CASES: &[Case] = &[
    Case { name: "clz and ctz", body: "OBSERVE(__builtin_clz(k) * 100 + __builtin_ctz(k));", values: &[1, 2, -1, 65536], ask: OVERFLOW, ..PLAIN },
    Case { name: "clz and ctz of long long", body: "unsigned long long q = (unsigned long long)k << 20;\nOBSERVE(__builtin_clzll(q) * 100 + __builtin_ctzll(q));", values: &[1, 2, 4096], ask: OVERFLOW, ..PLAIN },
    Case { name: "popcount and parity", body: "OBSERVE(__builtin_popcount(k) * 10 + __builtin_parity(k) + 1000 * __builtin_popcountll((long long)k));", values: &[0, 1, -1, 255], ask: OVERFLOW, ..PLAIN },
    Case { name: "ffs", body: "OBSERVE(__builtin_ffs(k) + 100 * __builtin_ffsll((long long)k));", values: &[0, 1, 8, -2147483647 - 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "clrsb", body: "OBSERVE(__builtin_clrsb(k));", values: &[0, 1, -1, 255], ask: OVERFLOW, ..PLAIN },
    Case { name: "bswap", body: "OBSERVE(__builtin_bswap32(k) + __builtin_bswap16(k));", values: &[0, 1, -2, 258], ask: OVERFLOW, ..PLAIN },
    Case { name: "bswap64", body: "OBSERVE(__builtin_bswap64(k));", values: &[0, 1, -2, 258], ask: OVERFLOW, ..PLAIN },
    Case { name: "checked addition", body: "$T r;\nint o = __builtin_add_overflow(k, 100, &r);\nOBSERVE(o * 1000000 + r);", values: &[0, 27, 28, 127, 2147483647, -101], ask: OVERFLOW, ..PLAIN },
    Case { name: "checked subtraction", body: "$T r;\nint o = __builtin_sub_overflow(k, 1, &r);\nOBSERVE(o * 1000000 + r);", values: &[0, -128, -32768, -2147483647 - 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "checked product", body: "$T r;\nint o = __builtin_mul_overflow(k, 65537, &r);\nOBSERVE(o * 1000000 + (r & 65535));", values: &[0, 1, 32767, 32768, -1], ask: OVERFLOW, ..PLAIN },
    Case { name: "checked product of mixed signs", body: "unsigned r;\nint o = __builtin_mul_overflow(k, 4000000000u, &r);\nOBSERVE(o * 10000000000ULL + r);", values: &[0, 1, -1, 2], ask: OVERFLOW, ..PLAIN },
    Case { name: "checked sum as predicate", body: "unsigned char r = 0;\nif (__builtin_add_overflow((unsigned char)k, (unsigned char)200, &r)) r = 1;\nOBSERVE(r);", values: &[0, 55, 56, 255], ask: OVERFLOW, ..PLAIN },
    Case { name: "expect", body: "OBSERVE(__builtin_expect(k, 1) * 10 + __builtin_expect(k > 0, 0));", values: &[0, 1, 5], ask: OVERFLOW, ..PLAIN },
    Case { name: "constant_p of an input", body: "volatile int v = k;\nOBSERVE(__builtin_constant_p(v) + v);", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "choose_expr", body: "OBSERVE(__builtin_choose_expr(sizeof(int) == 4, k, k + 1));", values: &[0, 2147483647], ask: OVERFLOW, ..PLAIN },
    Case { name: "types_compatible_p", body: "OBSERVE(__builtin_types_compatible_p(long, int) + k);", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "object_size of an array", body: "char v[7];\nv[k] = 1;\nOBSERVE(__builtin_object_size(v, 0) + v[k]);", values: &[0, 6], ask: &[Property::ValidDeref], ..PLAIN },
    Case { name: "unreachable that is not reached", body: "if (k > 5) __builtin_unreachable();\nOBSERVE(k);", values: &[0, 1], ask: OVERFLOW, ..PLAIN },
    Case { name: "memcpy and strlen as builtins", body: "char d[4];\n__builtin_memcpy(d, \"abc\", 4);\nd[k] = 0;\nOBSERVE(__builtin_strlen(d));", values: &[0, 1, 3], ask: &[Property::ValidDeref], ..PLAIN },
    Case { name: "abs as builtin", body: "OBSERVE(__builtin_abs(k) + __builtin_llabs((long long)k));", values: &[0, -5, -2147483647], ask: &[Property::ValidDeref], ..PLAIN },
    Case { name: "assume_aligned", body: "int x = k;\nint *p = __builtin_assume_aligned(&x, 4);\nOBSERVE(*p);", values: &[0, 3], ask: &[Property::ValidDeref], ..PLAIN },
    Case { name: "float classes", body: "double d = k ? 1.0 / (k - 1) : 0.0;\nOBSERVE(__builtin_isinf(d) * 100 + __builtin_isfinite(d) * 10 + (__builtin_isnan(d) != 0));", values: &[0, 1, 2], ask: OVERFLOW, ..PLAIN },
    Case { name: "sync and atomic", body: "int x = k;\nint o = __sync_val_compare_and_swap(&x, 1, 5);\nint e = 5;\nint s = __atomic_compare_exchange_n(&x, &e, 9, 0, 5, 5);\nOBSERVE(x * 100 + o * 10 + s);", values: &[0, 1, 5], ask: &[Property::ValidDeref], ..PLAIN },
];

pub fn corner(rng: &mut Rng, wide: bool) -> Corner {
    draw(rng, wide, "builtin", CASES)
}
