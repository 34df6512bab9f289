//! Calls of the C library whose results and accesses the standard determines.

use crate::cases::{Case, PLAIN, draw};
use crate::corner::Corner;
use crate::property::{Event::*, Property};
use fathom_randprog::Rng;

const DEREF: &[Property] = &[Property::ValidDeref];
const SAFE: &[Property] = &[Property::ValidDeref, Property::NoOverflow];

const CASES: &[Case] = &[
    Case { name: "strlen", body: "char s[4] = \"ab\";\nif (k) s[k] = 'x';\nif (k == 3) s[2] = 'y';\nOBSERVE(strlen(s));", values: &[0, 1, 2, 3], bad: &[(3, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "strcpy", body: "char d[4] = \"xyz\";\nstrcpy(d, k == 0 ? \"\" : k == 1 ? \"abc\" : \"abcd\");\nOBSERVE(d[0] + 2 * d[2]);", values: &[0, 1, 2], bad: &[(2, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "strncpy pads", body: "char d[5] = \"wxyz\";\nstrncpy(d, \"ab\", k);\nOBSERVE(d[0] + 2 * d[2] + 4 * d[3]);", values: &[0, 1, 2, 3, 5, 6], bad: &[(6, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "strcat", body: "char d[6] = \"abc\";\nstrcat(d, k ? \"de\" : \"\");\nif (k == 2) strcat(d, \"f\");\nOBSERVE(strlen(d));", values: &[0, 1, 2], bad: &[(2, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "strcmp sign", body: "char a[2] = {(char)k, 0};\nOBSERVE((strcmp(a, \"b\") < 0) + 2 * (strcmp(a, \"b\") > 0));", values: &[0, 97, 98, 99, 200], ask: DEREF, ..PLAIN },
    Case { name: "strncmp", body: "OBSERVE(strncmp(\"abc\", \"abd\", k) < 0);", values: &[0, 2, 3, 4], ask: DEREF, ..PLAIN },
    Case { name: "strchr", body: "const char *s = \"hello\";\nchar *p = strchr(s, k);\nOBSERVE(p ? p - s : -1);", values: &[108, 0, 122, 104], ask: DEREF, ..PLAIN },
    Case { name: "strrchr and strstr", body: "const char *s = \"hello\";\nOBSERVE((strrchr(s, 'l') - s) * 10 + (strstr(s, k ? \"lo\" : \"\") - s));", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "strspn", body: "OBSERVE(strspn(\"aabbc\", k ? \"ab\" : \"\") * 10 + strcspn(\"aabbc\", \"c\"));", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "memcpy", body: "$T a[3] = {1, 2, 3}, b[3] = {0};\nmemcpy(b, a, k * sizeof($T));\nOBSERVE(b[0] + 10 * b[2]);", values: &[0, 1, 3, 4], bad: &[(4, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "memmove overlaps", body: "char s[6] = \"abcde\";\nmemmove(s + k, s, 3);\nOBSERVE(s[1] + 2 * s[2] + 4 * s[4]);", values: &[0, 1, 2, 3, 4], bad: &[(4, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "memset", body: "$T v[2] = {1, 1};\nmemset(v, k, sizeof v);\nOBSERVE(v[1]);", values: &[0, 1, 255, -1, 256], ask: DEREF, ..PLAIN },
    Case { name: "memset of a part", body: "char v[4] = \"abc\";\nmemset(v + 1, 'x', k);\nOBSERVE(v[1] + v[3]);", values: &[0, 2, 3, 4], bad: &[(4, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "memcmp is unsigned", body: "unsigned char a[1] = {(unsigned char)k}, b[1] = {128};\nOBSERVE((memcmp(a, b, 1) > 0) + 2 * (memcmp(a, b, 1) < 0));", values: &[0, 127, 128, 255], ask: DEREF, ..PLAIN },
    Case { name: "memchr", body: "const char *s = \"a\\0b\";\nvoid *p = memchr(s, k, 4);\nOBSERVE(p ? (char *)p - s : -1);", values: &[0, 98, 97, 99], ask: DEREF, ..PLAIN },
    Case { name: "abs", body: "OBSERVE(abs(k));", values: &[0, -5, 5, 2147483647], ask: SAFE, ..PLAIN },
    Case { name: "atoi", body: "OBSERVE(atoi(k == 0 ? \"12\" : k == 1 ? \" -7x\" : k == 2 ? \"\" : \"+3\"));", values: &[0, 1, 2, 3], ask: DEREF, ..PLAIN },
    Case { name: "strtol", body: "char *end;\nconst char *s = \"0x1fz\";\nlong r = strtol(s, &end, k);\nOBSERVE(r * 10 + (end - s));", values: &[0, 10, 16, 36, 8], ask: DEREF, ..PLAIN },
    Case { name: "strtoul of a negative number", body: "OBSERVE(strtoul(k ? \"-1\" : \"1\", 0, 10) == (unsigned long)-1);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "character classes", body: "OBSERVE((isdigit(k) != 0) + 2 * (isalpha(k) != 0) + 4 * (isspace(k) != 0) + 8 * (isxdigit(k) != 0) + 16 * (ispunct(k) != 0));", values: &[0, 48, 65, 102, 32, 126, -1, 200], ask: DEREF, ..PLAIN },
    Case { name: "case of characters", body: "OBSERVE(toupper(k) * 1000 + tolower(k));", values: &[65, 97, 48, 200, -1], ask: DEREF, ..PLAIN },
    Case { name: "snprintf", body: "char b[8] = \"zzzzzzz\";\nint n = snprintf(b, k, \"%d-%x\", 42, 255);\nOBSERVE(n * 1000 + b[0]);", values: &[0, 1, 3, 8], ask: DEREF, ..PLAIN },
    Case { name: "snprintf of a string", body: "char b[8];\nint n = snprintf(b, sizeof b, \"%s%c\", k ? \"abcdefghij\" : \"a\", 'z');\nOBSERVE(n * 1000 + b[1]);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "sprintf", body: "char b[4];\nOBSERVE(sprintf(b, \"%d\", k));", values: &[0, 99, 999, -99, 1000], bad: &[(1000, &[Deref])], ask: DEREF, ..PLAIN },
    Case { name: "div", body: "div_t d = div(k, 3);\nOBSERVE(d.quot * 100 + d.rem);", values: &[7, -7, 0, 2], ask: SAFE, ..PLAIN },
    Case { name: "qsort", file_scope: "static int less@(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n", body: "int v[3] = {3, k, 2};\nqsort(v, 3, sizeof v[0], less@);\nOBSERVE(v[0] * 100 + v[1] * 10 + v[2]);", values: &[1, 2, 5], ask: DEREF, ..PLAIN },
    Case { name: "bsearch", file_scope: "static int less@(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n", body: "static const int v[4] = {1, 3, 5, 7};\nint key = k;\nint *p = bsearch(&key, v, 4, sizeof v[0], less@);\nOBSERVE(p ? p - v : -1);", values: &[1, 2, 7, 8], ask: DEREF, ..PLAIN },
    Case { name: "strdup", body: "char *p = strdup(k ? \"abc\" : \"\");\nif (!p) return 0;\nOBSERVE(p[0] + p[k == 2 ? 4 : 0]);\nfree(p);", values: &[0, 1, 2], bad: &[(2, &[Deref])], ask: &[Property::ValidDeref, Property::ValidMemtrack], ..PLAIN },
    Case { name: "exit before the error", body: "if (k == 1) exit(0);\nOBSERVE(k);", values: &[0, 1, 2], ask: DEREF, ..PLAIN },
    Case { name: "strtok", body: "char s[] = \"a,bc,,d\";\nint n = 0;\nfor (char *p = strtok(s, k ? \",\" : \";\"); p; p = strtok(0, \",\")) n += strlen(p) + 10;\nOBSERVE(n);", values: &[0, 1], ask: DEREF, ..PLAIN },
    Case { name: "sscanf", body: "int x = 7, y = 8;\nint n = sscanf(k ? \"12 -3\" : \"5 z\", \"%d%d\", &x, &y);\nOBSERVE(n * 10000 + x * 100 + y);", values: &[0, 1], ask: DEREF, ..PLAIN },
];

pub fn corner(rng: &mut Rng, wide: bool) -> Corner {
    draw(rng, wide, "library", CASES)
}
