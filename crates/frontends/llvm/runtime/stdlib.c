// The rest of <stdlib.h>: sorting, searching, chance, characters of the C locale.
#include "fathom.h"

typedef int fathom_compare(const void *, const void *);
typedef int fathom_compare_r(const void *, const void *, void *);

// Two sorted halves become one; of equal elements the left one comes first.
static void fathom_merge(char *base, size_t left, size_t right, size_t size, fathom_compare_r *compare, void *context,
                         char *spare) {
    char *first = base, *second = base + left * size, *to = spare;
    while (left > 0 && right > 0) {
        if (compare(first, second, context) <= 0) {
            memcpy(to, first, size);
            first += size;
            left--;
        } else {
            memcpy(to, second, size);
            second += size;
            right--;
        }
        to += size;
    }
    if (left > 0)
        memcpy(to, first, left * size);
    size_t done = (size_t)(to - spare) + left * size;
    memcpy(base, spare, done);
}

struct fathom_part {
    size_t start, count;
    int halves_done;
};

// Merge sort from the top, the smaller half first, with the comparisons that the GNU C library makes in their order, so that
// a compiled program calls back as often. Without recursion, which not every engine likes.
void qsort_r(void *array, size_t count, size_t size, fathom_compare_r *compare, void *context) {
    char *base = array;
    if (count < 2 || size == 0)
        return;
    char *spare = __builtin_alloca(count * size);
    struct fathom_part parts[8 * sizeof(size_t) + 1];
    int depth = 0;
    parts[0].start = 0;
    parts[0].count = count;
    parts[0].halves_done = 0;
    while (depth >= 0) {
        struct fathom_part *part = &parts[depth];
        size_t left = part->count / 2, right = part->count - left;
        int step = part->count < 2 ? 3 : part->halves_done++;
        if (step >= 2) {
            if (step == 2)
                fathom_merge(base + part->start * size, left, right, size, compare, context, spare);
            depth--;
            continue;
        }
        depth++;
        parts[depth].start = step == 0 ? part->start : part->start + left;
        parts[depth].count = step == 0 ? left : right;
        parts[depth].halves_done = 0;
    }
}

static int fathom_without_context(const void *a, const void *b, void *compare) {
    return ((fathom_compare *)compare)(a, b);
}

void qsort(void *array, size_t count, size_t size, fathom_compare *compare) {
    qsort_r(array, count, size, fathom_without_context, (void *)compare);
}

void *bsearch(const void *key, const void *array, size_t count, size_t size, fathom_compare *compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const void *element = (const char *)array + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

void *lfind(const void *key, const void *array, size_t *count, size_t size, fathom_compare *compare) {
    for (size_t i = 0; i < *count; i++)
        if (compare(key, (const char *)array + i * size) == 0)
            return (char *)array + i * size;
    return 0;
}

void *lsearch(const void *key, void *array, size_t *count, size_t size, fathom_compare *compare) {
    void *found = lfind(key, array, count, size, compare);
    return found != 0 ? found : memcpy((char *)array + (*count)++ * size, key, size);
}

void *reallocarray(void *old, size_t count, size_t size) {
    if (size != 0 && count > ~(size_t)0 / size) {
        errno = fathom_ENOMEM;
        return 0;
    }
    return realloc(old, count * size);
}

// Numbers that were drawn: the same seed gives them again. rand and random of the GNU C library draw from one sequence.
// Programs that seed at most once, before they draw, don't come here: to them every number is arbitrary (Fathom's translation).
static struct fathom_drawn {
    unsigned seed, position;
    int value;
    struct fathom_drawn *next;
} *fathom_drawn;
static unsigned fathom_seed = 1, fathom_draws;

static int fathom_draw(int is_rand) {
    unsigned position = fathom_draws++;
    for (struct fathom_drawn *d = fathom_drawn; d != 0; d = d->next)
        if (d->position == position && d->seed == fathom_seed)
            return d->value;
    struct fathom_drawn *new = fathom_heap(sizeof *new);
    new->seed = fathom_seed;
    new->position = position;
    long value = is_rand ? fathom_any_int("rand") : fathom_any_long("random");
    __VERIFIER_assume((value >= 0) & (value <= 0x7FFFFFFF));
    new->value = (int)value;
    new->next = fathom_drawn;
    fathom_drawn = new;
    return new->value;
}

int fathom_rand(void) {
    return fathom_draw(1);
}

long fathom_random(void) {
    return fathom_draw(0);
}

void srand(unsigned seed) {
    fathom_seed = seed == 0 ? 1 : seed;
    fathom_draws = 0;
}

void srandom(unsigned seed) {
    srand(seed);
}

// The 48-bit generator is the same everywhere; before it is seeded it stands anywhere, each time anew.
static u64 fathom_unprotected_state48;
static int fathom_is_seeded48;

void srand48(long seed) {
    fathom_unprotected_state48 = ((u64)(u32)seed << 16) + 0x330E;
    fathom_is_seeded48 = 1;
}

static u64 fathom_next48(void) {
    fathom_unprotected_state48 = (fathom_unprotected_state48 * 0x5DEECE66Dull + 0xB) & 0xFFFFFFFFFFFFull;
    return fathom_unprotected_state48;
}

int rand_r(unsigned *seed) {
    unsigned next = *seed * 1103515245 + 12345;
    int result = (int)(next / 65536 % 2048);
    next = next * 1103515245 + 12345;
    result = (int)((unsigned)result << 10) ^ (int)(next / 65536 % 1024);
    next = next * 1103515245 + 12345;
    result = (int)((unsigned)result << 10) ^ (int)(next / 65536 % 1024);
    *seed = next;
    return result;
}

double drand48(void) {
    if (fathom_is_seeded48)
        return (double)fathom_next48() / (double)(1ull << 48);
    double x = fathom_any_double("drand48");
    __VERIFIER_assume((x >= 0) & (x < 1));
    return x;
}

long lrand48(void) {
    if (fathom_is_seeded48)
        return (long)(fathom_next48() >> 17);
    long x = fathom_any_long("lrand48");
    __VERIFIER_assume((x >= 0) & (x <= 0x7FFFFFFF));
    return x;
}

long mrand48(void) {
    if (fathom_is_seeded48)
        return (int)(fathom_next48() >> 16);
    long x = fathom_any_long("mrand48");
    __VERIFIER_assume((x >= -0x7FFFFFFF - 1) & (x <= 0x7FFFFFFF));
    return x;
}

unsigned arc4random(void) {
    return (unsigned)fathom_any_int("arc4random");
}

unsigned arc4random_uniform(unsigned bound) {
    unsigned x = (unsigned)fathom_any_int("arc4random_uniform");
    __VERIFIER_assume((x < bound) | (x == 0));
    return x;
}

void arc4random_buf(void *to, size_t count) {
    fathom_any_bytes(to, count, "arc4random_buf");
}

int mbtowc(wchar_t *to, const char *s, size_t n) {
    if (s == 0)
        return 0;
    if (n == 0)
        return -1;
    if ((byte)*s >= 128) {
        errno = fathom_EILSEQ;
        return -1;
    }
    if (to != 0)
        *to = (byte)*s;
    return *s != 0;
}

int mblen(const char *s, size_t n) {
    return mbtowc(0, s, n);
}

int wctomb(char *to, wchar_t c) {
    if (to == 0)
        return 0;
    if ((unsigned)c >= 128) {
        errno = fathom_EILSEQ;
        return -1;
    }
    *to = (char)c;
    return 1;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t n) {
    size_t i = 0;
    for (; to == 0 || i < n; i++) {
        if ((byte)from[i] >= 128) {
            errno = fathom_EILSEQ;
            return (size_t)-1;
        }
        if (to != 0)
            to[i] = (byte)from[i];
        if (from[i] == 0)
            break;
    }
    return i;
}

size_t wcstombs(char *to, const wchar_t *from, size_t n) {
    size_t i = 0;
    for (; to == 0 || i < n; i++) {
        if ((unsigned)from[i] >= 128) {
            errno = fathom_EILSEQ;
            return (size_t)-1;
        }
        if (to != 0)
            to[i] = (char)from[i];
        if (from[i] == 0)
            break;
    }
    return i;
}

// The GNU C library frees, and gives null, where the new size is zero.
void *realloc(void *old, size_t size) {
    if (size == 0 && old != 0) {
        free(old);
        return 0;
    }
    return fathom_realloc(old, size);
}

// Allocation under --malloc-may-fail: the program's calls of malloc and so on lead here.
static int fathom_fails(void) {
    if (fathom_any_int("malloc") == 0)
        return 0;
    errno = fathom_ENOMEM;
    return 1;
}

void *fathom_failing_malloc(size_t size) {
    return fathom_fails() ? 0 : malloc(size);
}

void *fathom_failing_calloc(size_t count, size_t size) {
    return fathom_fails() ? 0 : calloc(count, size);
}

// To free needs no memory.
void *fathom_failing_realloc(void *old, size_t size) {
    int only_frees = old != 0 && size == 0;
    return !only_frees && fathom_fails() ? 0 : realloc(old, size);
}

void *fathom_failing_reallocarray(void *old, size_t count, size_t size) {
    int only_frees = old != 0 && (count == 0 || size == 0);
    return !only_frees && fathom_fails() ? 0 : reallocarray(old, count, size);
}

void *valloc(size_t size);
void *fathom_failing_valloc(size_t size) {
    return fathom_fails() ? 0 : valloc(size);
}

void *aligned_alloc(size_t align, size_t size);
void *fathom_failing_aligned_alloc(size_t align, size_t size) {
    return fathom_fails() ? 0 : aligned_alloc(align, size);
}

int posix_memalign(void **to, size_t align, size_t size);
int fathom_failing_posix_memalign(void **to, size_t align, size_t size) {
    return fathom_fails() ? fathom_ENOMEM : posix_memalign(to, align, size);
}

char *strdup(const char *s);
char *fathom_failing_strdup(const char *s) {
    return fathom_fails() ? 0 : strdup(s);
}

char *strndup(const char *s, size_t max);
char *fathom_failing_strndup(const char *s, size_t max) {
    return fathom_fails() ? 0 : strndup(s, max);
}

// new (std::nothrow), of one object and of arrays: what they make belongs to other families than what malloc makes.
#if __SIZEOF_POINTER__ == 8
#define fathom_NEW _ZnwmRKSt9nothrow_t
#define fathom_NEW_ARRAY _ZnamRKSt9nothrow_t
#else
#define fathom_NEW _ZnwjRKSt9nothrow_t
#define fathom_NEW_ARRAY _ZnajRKSt9nothrow_t
#endif
void *fathom_NEW(size_t size, const void *nothrow);
void *fathom_failing_new(size_t size, const void *nothrow) {
    return fathom_fails() ? 0 : fathom_NEW(size, nothrow);
}

void *fathom_NEW_ARRAY(size_t size, const void *nothrow);
void *fathom_failing_new_array(size_t size, const void *nothrow) {
    return fathom_fails() ? 0 : fathom_NEW_ARRAY(size, nothrow);
}

int fathom_allocation_fails(void) {
    return fathom_fails();
}
