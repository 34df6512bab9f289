/* Every modelled function of the C library against the system's, on random inputs. Prints the first disagreements. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include "models.h"
#include "check.h"

void streams(void);

static uint64_t state = 88172645463325252ull;
uint64_t rnd(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
unsigned below(unsigned n) { return (unsigned)(rnd() >> 20) % n; }
int failures;
const char *current;
long runs;
/* Three disagreements of each function will do. */
int worth_saying(void)
{ static const char *last; static int said; said = current == last ? said + 1 : 1; last = current; return said <= 3; }
static const int MODES[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static int sign(int x) { return (x > 0) - (x < 0); }

/* Short texts over few letters, so that matches happen. */
static char *text(char *to, unsigned most, const char *letters)
{ unsigned n = below(most + 1), k = strlen(letters); for (unsigned i = 0; i < n; i++) to[i] = letters[below(k)]; to[n] = 0; return to; }

static void strings(void)
{
  char a[64], b[64], c[256], d[256], e[256];
  for (int round = 0; round < 3000; round++) {
    const char *letters = round % 3 ? "ab" : "aAbB c,\xff";
    text(a, 12, letters); text(b, round % 2 ? 3 : 12, letters);
    unsigned n = below(14); int ch = round % 5 ? a[below(strlen(a) + 1)] : (int)rnd();
#define SAME_POINTER(name, call, model) current = name; { char *x = call, *y = model; CHECK(x == y, "\"%s\" \"%s\" %u", a, b, n); }
#define SAME_SIZE(name, call, model) current = name; { size_t x = call, y = model; CHECK(x == y, "\"%s\" \"%s\" %u: %zu %zu", a, b, n, x, y); }
#define SAME_SIGN(name, call, model) current = name; { int x = call, y = model; CHECK(sign(x) == sign(y), "\"%s\" \"%s\" %u: %d %d", a, b, n, x, y); }
    SAME_SIZE("strlen", strlen(a), model_strlen(a))
    SAME_SIZE("strnlen", strnlen(a, n), model_strnlen(a, n))
    SAME_SIZE("strspn", strspn(a, b), model_strspn(a, b))
    SAME_SIZE("strcspn", strcspn(a, b), model_strcspn(a, b))
    SAME_SIGN("strcmp", strcmp(a, b), model_strcmp(a, b))
    SAME_SIGN("strcoll", strcoll(a, b), model_strcoll(a, b))
    SAME_SIGN("strncmp", strncmp(a, b, n), model_strncmp(a, b, n))
    SAME_SIGN("strcasecmp", strcasecmp(a, b), model_strcasecmp(a, b))
    SAME_SIGN("strncasecmp", strncasecmp(a, b, n), model_strncasecmp(a, b, n))
    SAME_SIGN("memcmp", memcmp(a, b, n), model_memcmp(a, b, n))
    SAME_SIGN("bcmp", bcmp(a, b, n) != 0, model_bcmp(a, b, n) != 0)
    SAME_POINTER("strchr", strchr(a, ch), model_strchr(a, ch))
    SAME_POINTER("strrchr", strrchr(a, ch), model_strrchr(a, ch))
    SAME_POINTER("strchrnul", strchrnul(a, ch), model_strchrnul(a, ch))
    SAME_POINTER("index", index(a, ch), model_index(a, ch))
    SAME_POINTER("rindex", rindex(a, ch), model_rindex(a, ch))
    SAME_POINTER("memchr", memchr(a, ch, n), model_memchr(a, ch, n))
    SAME_POINTER("memrchr", memrchr(a, ch, n), model_memrchr(a, ch, n))
    SAME_POINTER("strstr", strstr(a, b), model_strstr(a, b))
    SAME_POINTER("strcasestr", strcasestr(a, b), model_strcasestr(a, b))
    SAME_POINTER("strpbrk", strpbrk(a, b), model_strpbrk(a, b))
    SAME_POINTER("memmem", memmem(a, strlen(a), b, strlen(b)), model_memmem(a, strlen(a), b, strlen(b)))
    SAME_POINTER("basename", basename(a), model_basename(a))
#define SAME_BUFFER(name, call, model) \
    current = name; for (int i = 0; i < 256; i++) d[i] = e[i] = (char)(i + 3); strcpy(d, b); strcpy(e, b); \
    { long x = (long)(call), y = (long)(model); CHECK(x == y && !memcmp(d, e, 256), "\"%s\" \"%s\" %u: %ld %ld", a, b, n, x, y); }
    SAME_BUFFER("strcpy", strcpy(d, a) - d, model_strcpy(e, a) - e)
    SAME_BUFFER("stpcpy", stpcpy(d, a) - d, model_stpcpy(e, a) - e)
    SAME_BUFFER("strncpy", strncpy(d, a, n) - d, model_strncpy(e, a, n) - e)
    SAME_BUFFER("stpncpy", stpncpy(d, a, n) - d, model_stpncpy(e, a, n) - e)
    SAME_BUFFER("strcat", strcat(d, a) - d, model_strcat(e, a) - e)
    SAME_BUFFER("strncat", strncat(d, a, n) - d, model_strncat(e, a, n) - e)
    SAME_BUFFER("memccpy", (char *)memccpy(d, a, ch, n) - d, (char *)model_memccpy(e, a, ch, n) == 0 ? -(long)d : (char *)model_memccpy(e, a, ch, n) - e)
    SAME_BUFFER("strxfrm", strxfrm(d, a, n), model_strxfrm(e, a, n))
    SAME_BUFFER("strtok_r", 0, 0)
    strcpy(c, a); strcpy(d, a);
    char *rest1 = 0, *rest2 = 0, *p = c, *q = d;
    const char *separators = below(2) ? "a" : "b ,";
    for (int i = 0; i < 20; i++) {
      p = strtok_r(i ? 0 : c, separators, &rest1); q = model_strtok_r(i ? 0 : d, separators, &rest2);
      CHECK((p == 0) == (q == 0) && (p == 0 || (p - c == q - d && !strcmp(p, q))), "\"%s\"", a);
      if (!p) break;
    }
    current = "strsep";
    strcpy(c, a); strcpy(d, a); p = c; q = d;
    while (p) {
      char *x = strsep(&p, separators), *y = model_strsep(&q, separators);
      CHECK(x - c == y - d && (p == 0) == (q == 0) && !memcmp(c, d, strlen(a)), "\"%s\"", a);
    }
    current = "strdup"; p = model_strdup(a); CHECK(!strcmp(p, a), "\"%s\"", a); free(p);
    current = "strndup"; p = model_strndup(a, n); q = strndup(a, n); CHECK(!strcmp(p, q), "\"%s\"", a); free(p); free(q);
    current = "ffs"; int f = (int)rnd() << below(32); CHECK(ffs(f) == model_ffs(f), "%d", f);
    current = "ffsll"; long long ff = (long long)rnd() << below(64); CHECK(ffsll(ff) == model_ffsll(ff), "%lld", ff);
    current = "swab"; memset(d, 0, 64); memset(e, 0, 64); swab(a, d, n & ~1u); model_swab(a, e, n & ~1u); CHECK(!memcmp(d, e, 64), "\"%s\"", a);
  }
  current = "strlcpy";
  for (int i = 0; i < 300; i++) {
    text(a, 9, "ab"); text(b, 9, "ab"); unsigned n = below(12); char x[32], y[32];
    memset(x, 7, 32); memset(y, 7, 32);
    size_t l = strlen(a); if (n) { size_t m = l < n - 1 ? l : n - 1; memcpy(x, a, m); x[m] = 0; }
    CHECK(model_strlcpy(y, a, n) == l && !memcmp(x, y, 32), "\"%s\" %u", a, n);
  }
  current = "strerror";
  for (int i = -3; i < 140; i++) CHECK(!strcmp(strerror(i), model_strerror(i)), "%d: %s", i, model_strerror(i));
  current = "strsignal";
  for (int i = -3; i < 70; i++) CHECK(!strcmp(strsignal(i), model_strsignal(i)), "%d: %s", i, model_strsignal(i));
}

static void characters(void)
{
#define CLASS(name) current = #name; for (int c = -1; c < 256; c++) CHECK((name)(c) == model_##name(c), "%d: %d %d", c, (name)(c), model_##name(c));
  CLASS(isalnum) CLASS(isalpha) CLASS(isblank) CLASS(iscntrl) CLASS(isdigit) CLASS(isgraph) CLASS(islower) CLASS(isprint)
  CLASS(ispunct) CLASS(isspace) CLASS(isupper) CLASS(isxdigit) CLASS(isascii)
#define WIDE(name) { int (*theirs)(wint_t) = name; int model_##name(wint_t); current = #name; \
    for (int c = 0; c < 300; c++) CHECK(theirs(c) == model_##name(c), "%d: %d %d", c, theirs(c), model_##name(c)); }
  WIDE(iswalnum) WIDE(iswalpha) WIDE(iswblank) WIDE(iswcntrl) WIDE(iswdigit) WIDE(iswgraph) WIDE(iswlower) WIDE(iswprint)
  WIDE(iswpunct) WIDE(iswspace) WIDE(iswupper) WIDE(iswxdigit)
  current = "tolower"; for (int c = -140; c < 300; c++) CHECK(tolower(c) == model_tolower(c), "%d", c);
  current = "toupper"; for (int c = -140; c < 300; c++) CHECK(toupper(c) == model_toupper(c), "%d", c);
  current = "tables";
  for (int c = -128; c < 256; c++) {
    CHECK((*__ctype_b_loc())[c] == (*model___ctype_b_loc())[c] || c == -1, "class of %d", c);
    CHECK((*__ctype_tolower_loc())[c] == (*model___ctype_tolower_loc())[c], "lower of %d", c);
    CHECK((*__ctype_toupper_loc())[c] == (*model___ctype_toupper_loc())[c], "upper of %d", c);
  }
}

static void number_text(char *to)
{
  static const char *parts[] = {"", " ", "\t\n ", "-", "+", "0x", "0X", "0", "00", "1", "9", "7f", "zz", "e", "E5", "e-3", ".", "p4",
    "2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "4294967295",
    "99999999999999999999999", "inf", "INFINITY", "nan", "nan(12)", "nan(", "infi", "123456789012345678901234567890", "e308", "e-320", "e4931", "e-4950", "1.", ".5"};
  *to = 0;
  int count = 1 + below(5);
  for (int i = 0; i < count; i++) strcat(to, parts[below(sizeof parts / sizeof *parts)]);
}

static int same_double(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y); }
static int same_float(float x, float y) { return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y); }
static int same_long(long double x, long double y) { return (x == y && !signbit(x) == !signbit(y)) || (x != x && y != y); }

static void float_text(char *to)
{
  union { double d; uint64_t u; } v; v.u = rnd();
  switch (below(6)) {
    case 0: sprintf(to, "%.17g", v.d); break;
    case 1: sprintf(to, "%.*g", (int)below(40), v.d); break;
    case 2: sprintf(to, "%.*f", (int)below(40), (double)(int)rnd() / (1 + below(1000))); break;
    case 3: sprintf(to, "%a", v.d); break;
    case 4: sprintf(to, "%.*Lg", (int)below(60), (long double)v.d * 1e300L * 1e300L); break;
    default: {  /* half way between two doubles */
      int e; double m = frexp(v.d, &e); if (!isfinite(v.d) || e < -900 || e > 900) { sprintf(to, "%d.5", (int)rnd()); break; }
      (void)m; sprintf(to, "%.900Lf", ((long double)v.d + (long double)nextafter(v.d, 1e308)) / 2); break; }
  }
}

static void numbers(void)
{
  static char a[20000];
  for (int round = 0; round < 20000; round++) {
    number_text(a);
    int base = round % 4 ? (int[]){0, 10, 16, 8}[below(4)] : (int)below(40) - 1;
    char *x, *y;
#define INTEGER(name, T) current = #name; { errno = 0; x = y = a; T r = name(a, &x, base); int e = errno; *model___errno_location() = 0; \
    T m = model_##name(a, &y, base); CHECK(r == m && (base < 0 || base == 1 || base > 36 || x == y) && (e == *model___errno_location() || e == EINVAL), "\"%s\" base %d: %llu %llu, %d %d, %d %d", a, base, (unsigned long long)r, (unsigned long long)m, (int)(x - a), (int)(y - a), e, *model___errno_location()); }
    INTEGER(strtol, long) INTEGER(strtoul, unsigned long) INTEGER(strtoll, long long) INTEGER(strtoull, unsigned long long)
    current = "atoi"; CHECK(atoi(a) == model_atoi(a), "\"%s\"", a);
    current = "atol"; CHECK(atol(a) == model_atol(a), "\"%s\"", a);
    current = "atoll"; CHECK(atoll(a) == model_atoll(a), "\"%s\"", a);
    if (round % 2) float_text(a);
    fesetround(MODES[round / 2 % 4]);
#define FLOATING(name, T, same) current = #name; { errno = 0; T r = name(a, &x); int e = errno; *model___errno_location() = 0; T m = model_##name(a, &y); \
    CHECK(same(r, m) && x == y && e == *model___errno_location(), "\"%s\": %.20Lg %.20Lg, %d %d, errno %d %d", a, (long double)r, (long double)m, (int)(x - a), (int)(y - a), e, *model___errno_location()); }
    FLOATING(strtod, double, same_double) FLOATING(strtof, float, same_float)
    if (round % 4 == 0) { FLOATING(strtold, long double, same_long) }
    current = "atof"; CHECK(same_double(atof(a), model_atof(a)), "\"%s\"", a);
    fesetround(FE_TONEAREST);
  }
  current = "div";
  for (int i = 0; i < 300; i++) {
    int p = (int)rnd(), q = (int)rnd() >> below(31); if (q == 0 || q == -1) continue;
    div_t r = div(p, q), m = model_div(p, q); CHECK(r.quot == m.quot && r.rem == m.rem, "%d %d", p, q);
    lldiv_t s = lldiv((long long)rnd(), q), t; (void)s; long long big = (long long)rnd(); s = lldiv(big, q); t = model_lldiv(big, q);
    CHECK(s.quot == t.quot && s.rem == t.rem, "%lld %d", big, q);
    CHECK(labs(p) == model_labs(p) && llabs(big) == model_llabs(big) && abs(p / 2) == model_abs(p / 2), "%d", p);
    unsigned s1 = (unsigned)rnd(), s2 = s1; CHECK(rand_r(&s1) == model_rand_r(&s2) && s1 == s2, "rand_r");
  }
}

/* What was compared, in order: the functions are to call back alike, too. */
static uint64_t compared;
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; compared = compared * 31 + (uint64_t)(x * 64 + y); return (x > y) - (x < y); }

static void sorting(void)
{
  int a[64], b[64];
  for (int round = 0; round < 500; round++) {
    int n = below(65);
    for (int i = 0; i < n; i++) a[i] = b[i] = (int)below(40);
    current = "qsort"; compared = 0; qsort(a, n, sizeof *a, compare); uint64_t theirs = compared; compared = 0; model_qsort(b, n, sizeof *b, compare);
    CHECK(!memcmp(a, b, n * sizeof *a) && compared == theirs, "%d elements", n);
    current = "bsearch"; int key = below(40); int *x = bsearch(&key, a, n, sizeof *a, compare), *y = model_bsearch(&key, a, n, sizeof *a, compare);
    CHECK(x == y, "%d", key);
  }
}

/* A random conversion with arguments that fit. */
static void formats(void)
{
  static char x[30000], y[30000]; char f[64];
  for (int round = 0; round < 60000; round++) {
    memset(x, 1, 100); memset(y, 1, 100);
    char *p = f; *p++ = '<'; *p++ = '%';
    static const char kinds[] = "dduxXoicsfFeEgGaAp%n"; int kind = kinds[below(sizeof kinds - 1)];
    int numeric = strchr("duxXoicfFeEgGaA", kind) != 0;
    for (int i = below(3); i > 0; i--) { char flag = "-+ #0"[below(5)]; if (numeric || flag == '-') if (kind != 'c' || flag == '-') *p++ = flag; }
    int star = 0, width = (int)below(30) - 8, precision = (int)below(25) - 3;
    if (kind != '%' && kind != 'n') {
      switch (below(4)) { case 0: p += sprintf(p, "%u", below(30)); break; case 1: *p++ = '*'; star |= 1; break; }
      if (kind != 'p' && kind != 'c') switch (below(4)) { case 0: p += sprintf(p, ".%u", below(25)); break; case 1: *p++ = '.'; *p++ = '*'; star |= 2; break; case 2: if (below(4) == 0) *p++ = '.'; }
    }
    char *after = p;
    unsigned size = below(4) ? 30000 : below(20);
    int r = 0, m = 0, n1 = -1, n2 = -1, mode = MODES[below(4)];
#define CALL(...) do { *p++ = kind; strcpy(p, ">%d"); \
    switch (star) { \
    case 0: r = snprintf(x, size, f, __VA_ARGS__, 42); m = model_snprintf(y, size, f, __VA_ARGS__, 42); break; \
    case 1: r = snprintf(x, size, f, width, __VA_ARGS__, 42); m = model_snprintf(y, size, f, width, __VA_ARGS__, 42); break; \
    case 2: r = snprintf(x, size, f, precision, __VA_ARGS__, 42); m = model_snprintf(y, size, f, precision, __VA_ARGS__, 42); break; \
    default: r = snprintf(x, size, f, width, precision, __VA_ARGS__, 42); m = model_snprintf(y, size, f, width, precision, __VA_ARGS__, 42); } } while (0)
    if (strchr("duxXoi", kind)) {
      uint64_t v = rnd() >> below(64); if (below(10) == 0) v = 0;
      switch (below(8)) {
        case 0: *p++ = 'l'; CALL((long)v); break;
        case 1: *p++ = 'l'; *p++ = 'l'; CALL((long long)v); break;
        case 2: *p++ = 'h'; CALL((int)v); break;
        case 3: *p++ = 'h'; *p++ = 'h'; CALL((int)v); break;
        case 4: *p++ = 'z'; CALL((size_t)v); break;
        case 5: *p++ = 'j'; CALL((intmax_t)v); break;
        default: CALL((int)v);
      }
    } else if (strchr("fFeEgGaA", kind)) {
      union { double d; uint64_t u; } v; v.u = rnd();
      switch (below(5)) { case 0: v.d = (double)(int)rnd() / (1 << below(20)); break; case 1: v.d = (double)below(1000) / 100; break; case 2: v.d = (int[]){0, 1, 10, 100000, 999999, 1000000}[below(6)]; break; case 3: v.u &= ~(0x7ffull << 52); if (below(2)) v.u |= 0x7ffull << 52; break; }
      if (v.d != v.d) v.d = NAN;
      if (below(4) == 0) { *p++ = 'L'; long double w = v.d; if (below(2)) w *= below(2) ? 1e4000L : 1e-4000L; if (below(3) == 0) w /= 3; fesetround(mode); CALL(w); } else { fesetround(mode); CALL(v.d); }
      fesetround(FE_TONEAREST);
    } else if (kind == 's') { char a[32]; text(a, 12, "xyz"); CALL(a); }
    else if (kind == 'c') { int v = 1 + (int)below(255); CALL(v); }
    else if (kind == 'p') { void *v = (void *)(uintptr_t)(below(5) ? rnd() >> 20 : 0); CALL(v); }
    else if (kind == '%') { strcpy(p, "%>"); r = snprintf(x, size, f, 0); m = model_snprintf(y, size, f, 0); }
    else { strcpy(p, "n>"); r = snprintf(x, size, f, &n1); m = model_snprintf(y, size, f, &n2); }
    current = "snprintf"; (void)after;
    CHECK(r == m && n1 == n2 && !memcmp(x, y, size < 100 ? 100 : (size_t)r + 1), "\"%s\" size %u: %d \"%.100s\", %d \"%.100s\"", f, size, r, x, m, y);
  }
}

static void scans(void)
{
  char a[128]; 
  for (int round = 0; round < 20000; round++) {
    number_text(a);
    if (below(2)) { char b[128]; number_text(b); if (strlen(a) + strlen(b) < 120) { strcat(a, below(2) ? " " : ","); strcat(a, b); } }
    if (strstr(a, "nan") || strcasestr(a, "0x.") || strlen(a) > 100) continue;
    static const char *formats[] = {"%d", "%d %d", "%i", "%x", "%o", "%u", "%ld%lld", "%3d%d", "%d,%d", "%s %s", "%5s%s", "%c%c", "%[0-9]", "%[^,],%s", "%*d%d", "%hd%hhd", "%d%n", "%lf", "%f", "%3c", "%[]a-z0]", " %c %d", "%lf,%lf", "%lx %lo"};
    const char *f = formats[below(sizeof formats / sizeof *formats)];
    char x[4][160], y[4][160]; memset(x, 5, sizeof x); memset(y, 5, sizeof y);
    int r = sscanf(a, f, x[0], x[1], x[2], x[3]), m = model_sscanf(a, f, y[0], y[1], y[2], y[3]);
    current = "sscanf"; CHECK(r == m && !memcmp(x, y, sizeof x), "\"%s\" of \"%s\": %d %d", f, a, r, m);
  }
}

static double any_double(void)
{
  union { double d; uint64_t u; } v; v.u = rnd();
  switch (below(8)) { case 0: return (int)below(20) - 10; case 1: return ((int)below(41) - 20) / 4.0; case 2: return below(2) ? INFINITY : -INFINITY; case 3: return below(2) ? 0.0 : -0.0;
    case 4: v.u &= ~(0x7ffull << 52); return v.d; case 5: return NAN; default: return v.d; }
}

static void mathematics(void)
{
#define UNARY(T, s, same) { T x = (T)any_double(); if (below(3) == 0) x = (T)(x * (T)1.3e30); int e1 = 0, e2 = 0; T p1 = 0, p2 = 0; \
    current = "frexp" #s; { T r = frexp##s(x, &e1), m = model_frexp##s(x, &e2); CHECK(same(r, m) && (e1 == e2 || !isfinite(x)), "%La: %d %d", (long double)x, e1, e2); } \
    current = "modf" #s; { T r = modf##s(x, &p1), m = model_modf##s(x, &p2); CHECK(same(r, m) && same(p1, p2), "%La", (long double)x); } \
    current = "ilogb" #s; CHECK(ilogb##s(x) == model_ilogb##s(x), "%La", (long double)x); \
    current = "logb" #s; CHECK(same(logb##s(x), model_logb##s(x)), "%La", (long double)x); \
    int n = (int)below(200) - 100; if (below(3) == 0) n = (int)below(80000) - 40000; if (below(3) == 0) n = (int)below(3000) - 1500; \
    current = "scalbn" #s; { T r = scalbn##s(x, n), m = model_scalbn##s(x, n); CHECK(same(r, m), "%La %d: %La %La", (long double)x, n, (long double)r, (long double)m); } \
    current = "ldexp" #s; CHECK(same(ldexp##s(x, n), model_ldexp##s(x, n)), "%La %d", (long double)x, n); \
    T z = (T)any_double(); if (below(4) == 0) z = x; if (below(4) == 0) z = nextafter##s(x, z); \
    current = "nextafter" #s; { T r = nextafter##s(x, z), m = model_nextafter##s(x, z); CHECK(same(r, m), "%La %La: %La %La", (long double)x, (long double)z, (long double)r, (long double)m); } \
    current = "nexttoward" #s; CHECK(same(nexttoward##s(x, z), model_nexttoward##s(x, z)), "%La %La", (long double)x, (long double)z); \
    if (below(2)) z = x / (1 + below(50)); \
    current = "remquo" #s; { int q1 = 0, q2 = 0; T r = remquo##s(x, z, &q1), m = model_remquo##s(x, z, &q2); CHECK(same(r, m) && ((q1 & 7) == (q2 & 7) || r != r), "%La %La: %La %La, %d %d", (long double)x, (long double)z, (long double)r, (long double)m, q1, q2); } }
  for (int i = 0; i < 20000; i++) { UNARY(double, , same_double) UNARY(float, f, same_float) UNARY(long double, l, same_long) }
}

/* The bounds of functions that are computed, and errno. Results that are too small to be normal may set it or not. */
extern int assumption_failed, model_fathom_errno_is_read;
extern int *model___errno_location(void);

static void bounds(void)
{
  model_fathom_errno_is_read = 1;
#define ONES(T, s, same, least) BOUND(T, sin##s, (x), same, least) BOUND(T, cos##s, (x), same, least) BOUND(T, tan##s, (x), same, least) \
    BOUND(T, asin##s, (x), same, least) BOUND(T, acos##s, (x), same, least) BOUND(T, atan##s, (x), same, least) BOUND(T, sinh##s, (x), same, least) \
    BOUND(T, cosh##s, (x), same, least) BOUND(T, tanh##s, (x), same, least) BOUND(T, exp##s, (x), same, least) BOUND(T, exp2##s, (x), same, least) \
    BOUND(T, expm1##s, (x), same, least) BOUND(T, log##s, (x), same, least) BOUND(T, log2##s, (x), same, least) BOUND(T, log10##s, (x), same, least) \
    BOUND(T, log1p##s, (x), same, least) BOUND(T, cbrt##s, (x), same, least) BOUND(T, atan2##s, (x, y), same, least) BOUND(T, hypot##s, (x, y), same, least) \
    BOUND(T, pow##s, (x, y), same, least)
#define BOUND(T, f, arguments, same, least) { extern T model_##f(); current = #f; errno = *model___errno_location() = 0; assumption_failed = 0; \
    T r = f arguments; int e = errno; T m = model_##f arguments; int d = *model___errno_location(); T size = r < 0 ? -r : r; \
    CHECK(same(r, m) && !assumption_failed && (e == d || (r == r && size < least)), "%La %La: %La %La, errno %d %d, assumption %d", (long double)x, (long double)y, (long double)r, (long double)m, e, d, assumption_failed); }
  for (int i = 0; i < 20000; i++) {
    { double x = any_double(), y = any_double(); if (below(3) == 0) { x = ((int)below(4000) - 2000) / 8.0; y = (int)below(60) - 30; } ONES(double, , same_double, 0x1p-1021) }
  }
}

static void times(void)
{
  for (int i = 0; i < 5000; i++) {
    time_t t = (time_t)(rnd() >> (20 + below(40))) * (below(4) ? 1 : -1); struct tm a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b);
    if (t > 100000000000 || t < -20000000000) t %= 20000000000;
    current = "gmtime_r"; gmtime_r(&t, &a); model_gmtime_r(&t, &b); CHECK(!memcmp(&a, &b, 9 * sizeof(int)), "%ld", (long)t);
    static const time_t edges[] = {67768036191676799, -67768040609740800, -1, 951782400};
    time_t far = below(2) ? (time_t)(rnd() >> below(9)) * (below(2) ? 1 : -1) : edges[below(4)] + (time_t)below(5) - 2; struct tm c, d;
    int fits = gmtime_r(&far, &c) != 0;
    current = "gmtime_r"; CHECK(fits == (model_gmtime_r(&far, &d) != 0) && (!fits || !memcmp(&c, &d, 9 * sizeof(int))), "%ld", (long)far);
    char x[200], y[200]; memset(x, 0, 200); memset(y, 0, 200);
    current = "asctime_r"; asctime_r(&a, x); model_asctime_r(&a, y); CHECK(!strcmp(x, y), "%ld: %s %s", (long)t, x, y);
    static const char *f[] = {"%Y-%m-%d %H:%M:%S", "%a %A %b %B %c", "%D %F %T %R %r", "%I %p %j %u %w %y %e %C%%", "%x %X %n%t"};
    const char *g = f[below(5)]; unsigned room = below(6) ? 200 : below(30); memset(x, 0, 200); memset(y, 0, 200);
    current = "strftime"; size_t r = strftime(x, room, g, &a), m = model_strftime(y, room, g, &a); CHECK(r == m && (r == 0 || !strcmp(x, y)), "%s: %s %s", g, x, y);
    a.tm_mon += (int)below(30) - 15; a.tm_mday += (int)below(100) - 50; a.tm_sec += (int)below(10000) - 5000; b = a;
    current = "timegm"; time_t p = timegm(&a), q = model_timegm(&b); CHECK(p == q && !memcmp(&a, &b, 9 * sizeof(int)), "%ld %ld", (long)p, (long)q);
  }
}

static void options(void)
{
  static const struct option table[] = {{"verbose", 0, 0, 'v'}, {"version", 0, 0, 'V'}, {"output", 1, 0, 'o'}, {"color", 2, 0, 1000}, {0, 0, 0, 0}};
  static const char *words[] = {"-a", "-b", "-bx", "-abc", "-c", "val", "--", "-", "--output", "--output=x", "--verb", "--ver", "--color", "--color=y", "-o", "-ofile", "-z", "--nope", "--verbose=1", "x", "-ab"};
  opterr = 0;
  for (int round = 0; round < 5000; round++) {
    char *a[10], *b[10]; int n = 1 + below(7); a[0] = b[0] = "prog";
    for (int i = 1; i < n; i++) a[i] = b[i] = (char *)words[below(sizeof words / sizeof *words)];
    a[n] = b[n] = 0; optind = 0; model_optind = 0;
    const char *spec = (const char *[]){"ab:c::o:v", ":ab:co:", "+ab:co:", "-ab:co:"}[below(4)]; int is_long = below(2), i1, i2;
    char trace[512]; int len = 0; trace[0] = 0;
    for (int i = 0; i < 20; i++) {
      i1 = i2 = -1;
      int r = is_long ? getopt_long(n, a, spec, table, &i1) : getopt(n, a, spec), m = is_long ? model_getopt_long(n, b, spec, table, &i2) : model_getopt(n, b, spec);
      len += sprintf(trace + len, " %d/%d", r, m);
      current = is_long ? "getopt_long" : "getopt";
      int same = r == m && (r == '?' || r == ':' ? 1 : (optarg == 0) == (model_optarg == 0) && (optarg == 0 || !strcmp(optarg, model_optarg)) && i1 == i2);
      if ((r == '?' || r == ':') && !is_long) same &= optopt == model_optopt;
      if (r == -1) { same &= optind == model_optind; for (int k = 0; k < n; k++) same &= a[k] == b[k]; }
      CHECK(same, "%s: %s %s %s %s %s %s (%d),%s; %d %d", spec, n > 1 ? words[0] && a[1] ? a[1] : "" : "", n > 2 ? a[2] : "", n > 3 ? a[3] : "", n > 4 ? a[4] : "", n > 5 ? a[5] : "", n > 6 ? a[6] : "", n, trace, optind, model_optind);
      if (r == -1 || !same) break;
    }
  }
}

static void locales(void)
{
  wchar_t w[20], v[20]; char a[20], b[20];
  for (int i = 0; i < 2000; i++) {
    char t[20]; text(t, 9, "abc"); unsigned n = below(12);
    memset(w, 0, sizeof w); memset(v, 0, sizeof v); memset(a, 0, 20); memset(b, 0, 20);
    current = "mbstowcs"; CHECK(mbstowcs(w, t, n) == model_mbstowcs(v, t, n) && !memcmp(w, v, sizeof w), "%s", t);
    mbstowcs(w, t, 20);
    current = "wcstombs"; CHECK(wcstombs(a, w, n) == model_wcstombs(b, w, n) && !memcmp(a, b, 20), "%s", t);
    wchar_t *e1, *e2; text(t, 9, "-0x19 .e"); mbstowcs(w, t, 20);
    current = "wcstol"; CHECK(wcstol(w, &e1, 0) == model_wcstol(w, &e2, 0) && e1 == e2, "%s", t);
    current = "wcstoull"; CHECK(wcstoull(w, &e1, 16) == model_wcstoull(w, &e2, 16) && e1 == e2, "%s", t);
    current = "wcstod"; CHECK(wcstod(w, &e1) == model_wcstod(w, &e2) && e1 == e2, "%s", t);
    text(a, 9, "/a."); strcpy(b, a);
    current = "dirname"; char *d = dirname(a), *m = model_dirname(b); CHECK(!strcmp(d, m) && !memcmp(a, b, 9), "%s %s", d, m);
    text(a, 9, "/a."); strcpy(b, a);
    current = "__xpg_basename"; d = __xpg_basename(a), m = model___xpg_basename(b); CHECK(!strcmp(d, m) && !strcmp(a, b), "%s %s", d, m);
    text(t, 9, "aBbA"); mbstowcs(w, t, 20); text(t, 9, "aBbA"); mbstowcs(v, t, 20);
    current = "wcscasecmp"; int c = wcscasecmp(w, v), k = model_wcscasecmp(w, v); CHECK((c > 0) - (c < 0) == (k > 0) - (k < 0), "%s", t);
    text(t, 9, "abc");
    current = "mblen"; CHECK(mblen(t, n + 1) == model_mblen(t, n + 1), "%s", t);
  }
}

int main(void)
{
  strings(); characters(); numbers(); sorting(); formats(); scans(); mathematics(); bounds(); times(); options(); locales(); streams();
  printf("%ld comparisons, %d failures\n", runs, failures);
  return failures != 0;
}
