/* What the models need from Fathom, for running them natively. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *model_malloc(size_t n) { return malloc(n); }
void *model_calloc(size_t n, size_t m) { return calloc(n, m); }
void *model_realloc(void *p, size_t n) { return realloc(p, n); }
void model_free(void *p) { free(p); }
void *model_fathom_heap(size_t n) { return malloc(n); }
void *model_memcpy(void *a, const void *b, size_t n) { return memmove(a, b, n); }
void *model_memmove(void *a, const void *b, size_t n) { return memmove(a, b, n); }
void *model_memset(void *a, int c, size_t n) { return memset(a, c, n); }
void model_abort(void) { abort(); }
void model_exit(int n) { exit(n); }
void model___VERIFIER_assume(int c) { }
void model_fathom_ledger(const char *what) { }
void model_fathom_unsupported(const char *what) { fprintf(stderr, "unsupported: %s\n", what); exit(3); }
int model_fathom_any_int(const char *who) { return 0; }
long model_fathom_any_long(const char *who) { return 0; }
float model_fathom_any_float(const char *who) { return 0; }
double model_fathom_any_double(const char *who) { return 0; }
long double model_fathom_any_longdouble(const char *who) { return 0; }
void model_fathom_any_bytes(void *to, size_t n, const char *who) { }
#define EXACT(T, s) \
    T model_fabs##s(T x) { return fabs##s(x); } \
    T model_trunc##s(T x) { return trunc##s(x); } \
    T model_rint##s(T x) { return rint##s(x); } \
    T model_copysign##s(T x, T y) { return copysign##s(x, y); } \
    T model_fmod##s(T x, T y) { return fmod##s(x, y); } \
    T model_remainder##s(T x, T y) { return remainder##s(x, y); }
EXACT(float, f)
EXACT(double, )
EXACT(long double, l)
