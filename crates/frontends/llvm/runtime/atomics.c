// What clang calls for atomic objects that no instruction is wide enough for, as libatomic has it: each is one step, in
// an atomic section. Whole objects are compared, with their padding.

#include "fathom.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int fathom_choice(void);
int memcmp(const void *a, const void *b, size_t n);

// These names are clang's own, so they can only be given to functions of other names.
void fathom_atomic_load(size_t size, const void *object, void *result, int order) __asm__("__atomic_load");
void fathom_atomic_store(size_t size, void *object, const void *value, int order) __asm__("__atomic_store");
void fathom_atomic_exchange(size_t size, void *object, const void *value, void *result, int order) __asm__("__atomic_exchange");
_Bool fathom_atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure)
    __asm__("__atomic_compare_exchange");
_Bool fathom_atomic_is_lock_free(size_t size, const void *object) __asm__("__atomic_is_lock_free");

void fathom_atomic_load(size_t size, const void *object, void *result, int order) {
    __VERIFIER_atomic_begin();
    memcpy(result, object, size);
    __VERIFIER_atomic_end();
}

void fathom_atomic_store(size_t size, void *object, const void *value, int order) {
    __VERIFIER_atomic_begin();
    memcpy(object, value, size);
    __VERIFIER_atomic_end();
}

// The new value may lie where the old one goes.
void fathom_atomic_exchange(size_t size, void *object, const void *value, void *result, int order) {
    __VERIFIER_atomic_begin();
    for (size_t i = 0; i < size; i++) {
        byte old = ((const byte *)object)[i];
        ((byte *)object)[i] = ((const byte *)value)[i];
        ((byte *)result)[i] = old;
    }
    __VERIFIER_atomic_end();
}

_Bool fathom_atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure) {
    __VERIFIER_atomic_begin();
    _Bool is_equal = memcmp(object, expected, size) == 0;
    if (is_equal) {
        memcpy(object, desired, size);
    } else {
        memcpy(expected, object, size);
    }
    __VERIFIER_atomic_end();
    return is_equal;
}

// So it is for what an instruction is wide enough for; what lies beyond depends on the processor.
_Bool fathom_atomic_is_lock_free(size_t size, const void *object) {
    return size == 1 || size == 2 || size == 4 || size == 8 || (size == 16 && fathom_choice());
}
