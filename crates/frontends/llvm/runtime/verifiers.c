// What intrinsics of other verifiers (CBMC, ESBMC) say of memory and numbers. The front end's `dialect` declares them for
// programs. Conditions are written with & so that a question does not fork the path.
#include "fathom.h"

static size_t fathom_offset(const volatile void *pointer) {
    return (uintptr_t)pointer - (uintptr_t)fathom_object_base(pointer);
}

static int fathom_fits(const volatile void *pointer, size_t count) {
    size_t size = fathom_object_size(pointer);
    return (count <= size) & (fathom_offset(pointer) <= size - count);
}

// The object must live where more than its address is asked.
static void fathom_expect_life(const volatile void *pointer, const char *question) {
    if (fathom_object_base(pointer) != NULL && fathom_object_traits(pointer) == 0)
        fathom_unsupported(question);
}

_Bool __CPROVER_r_ok(const volatile void *pointer, size_t count) {
    int lives = fathom_object_traits(pointer) != 0;
    return lives & fathom_fits(pointer, count);
}

_Bool __CPROVER_w_ok(const volatile void *pointer, size_t count) {
    int is_writable = (fathom_object_traits(pointer) & fathom_WRITABLE) != 0;
    return is_writable & fathom_fits(pointer, count);
}

_Bool __CPROVER_rw_ok(const volatile void *pointer, size_t count) {
    return __CPROVER_w_ok(pointer, count);
}

// No bytes can be accessed anywhere, ESBMC has it.
_Bool __ESBMC_r_ok(const volatile void *pointer, size_t count) {
    return count == 0 || __CPROVER_r_ok(pointer, count);
}

_Bool __ESBMC_w_ok(const volatile void *pointer, size_t count) {
    return count == 0 || __CPROVER_w_ok(pointer, count);
}

_Bool __ESBMC_rw_ok(const volatile void *pointer, size_t count) {
    return __ESBMC_w_ok(pointer, count);
}

_Bool __CPROVER_same_object(const volatile void *a, const volatile void *b) {
    return fathom_object_number(a) == fathom_object_number(b);
}

_Bool __CPROVER_pointer_in_range(const volatile void *low, const volatile void *pointer, const volatile void *high) {
    int low_is_there = __CPROVER_same_object(low, pointer), high_is_there = __CPROVER_same_object(pointer, high);
    int is_behind = fathom_offset(low) <= fathom_offset(pointer), is_before = fathom_offset(pointer) <= fathom_offset(high);
    return low_is_there & high_is_there & is_behind & is_before;
}

size_t __CPROVER_OBJECT_SIZE(const volatile void *pointer) {
    fathom_expect_life(pointer, "the size of an object that has ended");
    return fathom_object_size(pointer);
}

// Bytes from the pointer to the end of its object.
size_t __CPROVER_buffer_size_of(const volatile void *pointer) {
    return __CPROVER_OBJECT_SIZE(pointer) - fathom_offset(pointer);
}

size_t __CPROVER_POINTER_OFFSET(const volatile void *pointer) {
    return fathom_offset(pointer);
}

size_t __CPROVER_POINTER_OBJECT(const volatile void *pointer) {
    fathom_expect_life(pointer, "the number of an object that has ended");
    return (uintptr_t)fathom_object_base(pointer);
}

_Bool __CPROVER_DYNAMIC_OBJECT(const volatile void *pointer) {
    fathom_expect_life(pointer, "__CPROVER_DYNAMIC_OBJECT of an object that has ended");
    return (fathom_object_traits(pointer) & fathom_HEAP) != 0;
}

_Bool __CPROVER_LIVE_OBJECT(const volatile void *pointer) {
    return fathom_object_traits(pointer) != 0;
}

_Bool __CPROVER_WRITEABLE_OBJECT(const volatile void *pointer) {
    fathom_expect_life(pointer, "__CPROVER_WRITEABLE_OBJECT of an object that has ended");
    return (fathom_object_traits(pointer) & fathom_WRITABLE) != 0;
}

_Bool __CPROVER_is_invalid_pointer(const volatile void *pointer) {
    if (pointer != NULL && fathom_object_base(pointer) == NULL)
        fathom_unsupported("__CPROVER_is_invalid_pointer of a pointer to no object");
    return 0;
}

void __CPROVER_havoc_slice(volatile void *pointer, size_t count) {
    fathom_any_bytes((void *)pointer, count, "__CPROVER_havoc_slice");
}

void __CPROVER_havoc_object(volatile void *pointer) {
    // A pointer to no object is accessed, and reported.
    size_t size = fathom_object_size(pointer);
    fathom_any_bytes((char *)pointer - fathom_offset(pointer), size + (size == 0), "__CPROVER_havoc_object");
}

static size_t fathom_common_size(const volatile void *a, const volatile void *b) {
    size_t size = __CPROVER_buffer_size_of(a);
    if (size != __CPROVER_buffer_size_of(b))
        fathom_unsupported("an operation on two arrays of different sizes");
    return size;
}

void __CPROVER_array_copy(const volatile void *to, const volatile void *from) {
    memmove((void *)to, (const void *)from, fathom_common_size(to, from));
}

void __CPROVER_array_replace(const volatile void *to, const volatile void *from) {
    size_t size = __CPROVER_buffer_size_of(to), given = __CPROVER_buffer_size_of(from);
    memmove((void *)to, (const void *)from, given < size ? given : size);
}

_Bool __CPROVER_array_equal(const volatile void *a, const volatile void *b) {
    size_t size = __CPROVER_buffer_size_of(a);
    if (size != __CPROVER_buffer_size_of(b))
        return 0;
    _Bool same = 1;
    for (size_t i = 0; i < size; i++)
        same &= ((const volatile char *)a)[i] == ((const volatile char *)b)[i];
    return same;
}

void *__CPROVER_allocate(size_t size, _Bool zeroed) {
    return zeroed ? calloc(1, size) : malloc(size);
}

// They only show values to readers of a trace.
void __CPROVER_input(const char *name, ...) {}
void __CPROVER_output(const char *name, ...) {}
void __CPROVER_printf(const char *format, ...) {}
// Threads interleave under sequential consistency, where fences say nothing.
void __CPROVER_fence(const char *kind, ...) {}

_Bool __CPROVER_isnanf(float x) { return __builtin_isnan(x); }
_Bool __CPROVER_isnand(double x) { return __builtin_isnan(x); }
_Bool __CPROVER_isnanld(long double x) { return __builtin_isnan(x); }
_Bool __CPROVER_isinff(float x) { return __builtin_isinf(x); }
_Bool __CPROVER_isinfd(double x) { return __builtin_isinf(x); }
_Bool __CPROVER_isinfld(long double x) { return __builtin_isinf(x); }
_Bool __CPROVER_isfinitef(float x) { return __builtin_isfinite(x); }
_Bool __CPROVER_isfinited(double x) { return __builtin_isfinite(x); }
_Bool __CPROVER_isfiniteld(long double x) { return __builtin_isfinite(x); }
_Bool __CPROVER_isnormalf(float x) { return __builtin_isnormal(x); }
_Bool __CPROVER_isnormald(double x) { return __builtin_isnormal(x); }
_Bool __CPROVER_isnormalld(long double x) { return __builtin_isnormal(x); }
_Bool __CPROVER_signf(float x) { return __builtin_signbit(x) != 0; }
_Bool __CPROVER_signd(double x) { return __builtin_signbit(x) != 0; }
_Bool __CPROVER_signld(long double x) { return __builtin_signbit(x) != 0; }
int __CPROVER_abs(int x) { return x < 0 ? -x : x; }
long __CPROVER_labs(long x) { return x < 0 ? -x : x; }
float __CPROVER_fabsf(float x) { return __builtin_fabsf(x); }
double __CPROVER_fabs(double x) { return __builtin_fabs(x); }
long double __CPROVER_fabsl(long double x) { return __builtin_fabsl(x); }

// A block of clang's: the code, and copies of the variables that it uses.
struct fathom_block {
    void *class;
    int flags, reserved;
    void (*run)(struct fathom_block *);
    struct {
        unsigned long reserved, size;
    } *description;
};

const char *fathom_thread_start(void *(*function)(void *), void *argument);
void *_NSConcreteStackBlock[32], *_NSConcreteGlobalBlock[32];

static void *fathom_run_block(void *block) {
    ((struct fathom_block *)block)->run(block);
    return NULL;
}

// A statement with a label that starts a thread.
void fathom_async(struct fathom_block *block) {
    size_t size = block->description->size;
    void *copy = fathom_heap(size);
    memcpy(copy, block, size);
    fathom_thread_start(fathom_run_block, copy);
}
