// Shared by the run-time library. What is only declared here has its meaning in Fathom's translation
// (`translate/runtime.rs`); everything else is C that the verifier executes like the program's own code.
#ifndef FATHOM_H
#define FATHOM_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef unsigned int wint_t;
typedef unsigned char byte;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef __builtin_va_list va_list;
#define va_start __builtin_va_start
#define va_arg __builtin_va_arg
#define va_end __builtin_va_end
#define va_copy __builtin_va_copy
#define NULL ((void *)0)
#define EOF (-1)

// Arbitrary values, recorded in traces under the name of who asked.
int fathom_any_int(const char *who);
long fathom_any_long(const char *who);
float fathom_any_float(const char *who);
double fathom_any_double(const char *who);
long double fathom_any_longdouble(const char *who);
// A name that starts with "bounds of " says that the real function has one of these values only.
void fathom_any_bytes(void *to, size_t count, const char *who);
// Functions of the system's math library: computed where the arguments are known.
float fathom_libm_float(const char *name, float x);
double fathom_libm_double(const char *name, double x);
float fathom_libm_2_float(const char *name, float x, float y);
double fathom_libm_2_double(const char *name, double x, double y);
// Limits the arbitrary values; like all conditions here that must not fork it is written with & and |.
void __VERIFIER_assume(int condition);
// The path ends as `unknown`, with this reason.
void fathom_unsupported(const char *what);
// Set by Fathom, if the program looks at more of a result than its sign, or than whether it is zero, where that is all that is
// promised.
extern int fathom_promises_are_exceeded;
// Something that the user should know was assumed: one of the kinds that `ir::Assumption::of_library` lists, and the function
// that it speaks of or "".
void fathom_ledger(const char *kind, const char *function);
// Allocation that never fails, whatever the flags say about malloc.
void *fathom_heap(size_t size);
// realloc to a size other than zero.
void *fathom_realloc(void *old, size_t size);

// The object that a pointer points into: the address of its first byte and a number that no other object has (also after its
// end; 0 if there is none), its size, and a sum of these; 0 if none lives.
const char *fathom_object_base(const volatile void *pointer);
size_t fathom_object_number(const volatile void *pointer);
size_t fathom_object_size(const volatile void *pointer);
size_t fathom_object_traits(const volatile void *pointer);
enum { fathom_ALIVE = 1, fathom_WRITABLE = 2, fathom_HEAP = 4 };

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *object);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
void abort(void) __attribute__((noreturn));
int *__errno_location(void);
#define errno (*__errno_location())

enum { fathom_EPERM = 1, fathom_ENOENT = 2, fathom_EIO = 5, fathom_EBADF = 9, fathom_ENOMEM = 12, fathom_EEXIST = 17,
       fathom_EINVAL = 22, fathom_EMFILE = 24, fathom_ENOTTY = 25, fathom_ENOSPC = 28, fathom_EDOM = 33, fathom_ERANGE = 34, fathom_EOVERFLOW = 75,
       fathom_EILSEQ = 84 };

// 0, or -1 and errno: an arbitrary number that says which of these errors it was, if any.
int fathom_outcome(int failure, u64 errors);
// Something was printed, and nobody was told whether it arrived.
void fathom_printed(void);
// -1 and errno.
int fathom_failure(int failure, u64 errors);
#define fathom_error(number) (1ull << (number))
// EPERM, ENOENT, EIO, ENOMEM, EACCES, ENOTDIR, EROFS, ENAMETOOLONG, ELOOP
#define fathom_PATH_ERRORS \
    (fathom_error(1) | fathom_error(2) | fathom_error(5) | fathom_error(12) | fathom_error(13) | fathom_error(20) \
     | fathom_error(30) | fathom_error(36) | fathom_error(40))
// EEXIST, EINVAL, ENOSPC, EMLINK
#define fathom_NEW_PATH_ERRORS \
    (fathom_PATH_ERRORS | fathom_error(17) | fathom_error(22) | fathom_error(28) | fathom_error(31))

#endif
