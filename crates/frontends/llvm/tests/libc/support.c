/* What the models need from Fathom, for running them natively. */
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *model_malloc(size_t n) { return malloc(n); }
void *model_aligned_alloc(size_t align, size_t n) { return aligned_alloc(align, n); }
void *model_valloc(size_t n) { return aligned_alloc(4096, (n + 4095) / 4096 * 4096); }
/* new (std::nothrow) */
void *model__ZnwmRKSt9nothrow_t(size_t n, const void *nothrow) { return malloc(n); }
void *model__ZnamRKSt9nothrow_t(size_t n, const void *nothrow) { return malloc(n); }
void *model__ZnwjRKSt9nothrow_t(size_t n, const void *nothrow) { return malloc(n); }
void *model__ZnajRKSt9nothrow_t(size_t n, const void *nothrow) { return malloc(n); }
int model_posix_memalign(void **to, size_t align, size_t n) { return posix_memalign(to, align, n); }
void *model_calloc(size_t n, size_t m) { return calloc(n, m); }
void *model_fathom_realloc(void *p, size_t n) { return realloc(p, n); }
void model_free(void *p) { free(p); }
void *model_fathom_heap(size_t n) { return malloc(n); }
void *model_memcpy(void *a, const void *b, size_t n) { return memmove(a, b, n); }
void *model_memmove(void *a, const void *b, size_t n) { return memmove(a, b, n); }
void *model_memset(void *a, int c, size_t n) { return memset(a, c, n); }
void model_abort(void) { abort(); }
void model_exit(int n) { exit(n); }
int model_fegetround(void) { return fegetround(); }
/* Questions about objects are the machine's to answer; nothing here asks them. */
const char *model_fathom_object_base(const volatile void *pointer) { return 0; }
size_t model_fathom_object_number(const volatile void *pointer) { return 0; }
size_t model_fathom_object_size(const volatile void *pointer) { return 0; }
size_t model_fathom_object_traits(const volatile void *pointer) { return 0; }
const char *model_fathom_thread_start(void *(*function)(void *), void *argument) { return 0; }
/* Bounds of functions must hold. */
int assumption_failed;
void model___VERIFIER_assume(int c) { assumption_failed |= !c; }
void model_fathom_ledger(const char *kind, const char *function) { }
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
    T model_fmax##s(T x, T y) { return fmax##s(x, y); } \
    T model_fmod##s(T x, T y) { return fmod##s(x, y); } \
    T model_remainder##s(T x, T y) { return remainder##s(x, y); }
EXACT(float, f)
EXACT(double, )
EXACT(long double, l)

/* The functions that are computed, by name. */
#define ONE(name) if (!strcmp(which, #name)) return NAME(name)(x);
#define TWO(name) if (!strcmp(which, #name)) return NAME(name)(x, y);
#define ALL_OF_ONE ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(exp) ONE(exp2) \
    ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(cbrt)
#define ALL_OF_TWO TWO(atan2) TWO(hypot) TWO(pow)
#define NAME(name) name
double model_fathom_libm_double(const char *which, double x) { ALL_OF_ONE return 0; }
double model_fathom_libm_2_double(const char *which, double x, double y) { ALL_OF_TWO return 0; }
#undef NAME
#define NAME(name) name##f
float model_fathom_libm_float(const char *which, float x) { ALL_OF_ONE return 0; }
float model_fathom_libm_2_float(const char *which, float x, float y) { ALL_OF_TWO return 0; }

// Of a program with threads, which this is not.
const char *model_pthread_self(void) { return ""; }
