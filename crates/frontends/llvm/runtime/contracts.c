// What functions and loops with a contract may write (`--contracts`). While one runs there is a frame: a list of places that it
// may write, and beside them every object that was made since it began. The translation tells of each object that is made
// (`fathom_frame_made`) and asks behind each write (`fathom_frame_allows`). Frames are nested as calls are: a write must be allowed by all.
#include "fathom.h"

_Bool __CPROVER_r_ok(const volatile void *, size_t);
_Bool __CPROVER_w_ok(const volatile void *, size_t);

enum { fathom_MOST_PLACES = 32, fathom_MOST_MADE = 512 };

struct fathom_place {
    const char *from;
    size_t count;
};

// The front end's `dialect` declares the same for programs.
struct fathom_frame {
    struct fathom_frame *outer;
    unsigned places, first_made, is_active;
    struct fathom_place may[fathom_MOST_PLACES];
};

struct fathom_apart {
    unsigned count;
    struct fathom_place places[fathom_MOST_PLACES];
};

static struct fathom_frame *fathom_frame_now;
static const void *fathom_frame_new[fathom_MOST_MADE];
static unsigned fathom_frame_made_count;

void fathom_frame_begin(struct fathom_frame *frame) {
    if (fathom_frame_now == NULL)
        fathom_frame_made_count = 0;
    frame->outer = fathom_frame_now;
    frame->first_made = fathom_frame_made_count;
    frame->is_active = 1;
    fathom_frame_now = frame;
}

void fathom_frame_leave(struct fathom_frame *frame) {
    if (frame->is_active)
        fathom_frame_now = frame->outer;
    frame->is_active = 0;
}

void fathom_frame_may(struct fathom_frame *frame, const volatile void *from, size_t count) {
    if (frame->places == fathom_MOST_PLACES)
        fathom_unsupported("a contract with more than 32 places to write");
    frame->may[frame->places].from = (const char *)from;
    frame->may[frame->places].count = count;
    frame->places++;
}

void fathom_frame_made(const void *object) {
    if (fathom_frame_now == NULL || object == NULL)
        return;
    if (fathom_frame_made_count == fathom_MOST_MADE)
        fathom_unsupported("more than 512 objects that are made under a contract");
    fathom_frame_new[fathom_frame_made_count++] = object;
}

static int fathom_frame_is_new(const struct fathom_frame *frame, const void *pointer) {
    size_t number = fathom_object_number(pointer);
    int found = 0;
    for (unsigned i = frame->first_made; i < fathom_frame_made_count; i++)
        found |= fathom_object_number(fathom_frame_new[i]) == number;
    return found;
}

// Whether the bytes are a part of the place.
static int fathom_frame_has(const struct fathom_place *place, const char *from, size_t count) {
    size_t start = (uintptr_t)place->from - (uintptr_t)fathom_object_base(place->from);
    size_t offset = (uintptr_t)from - (uintptr_t)fathom_object_base(from);
    int is_there = fathom_object_number(place->from) == fathom_object_number(from);
    return is_there & (offset >= start) & (count <= place->count) & (offset - start <= place->count - count);
}

_Bool fathom_frame_allows(const void *from, size_t count) {
    int all = 1;
    for (const struct fathom_frame *frame = fathom_frame_now; frame != NULL; frame = frame->outer) {
        int allows = (count == 0) | fathom_frame_is_new(frame, from);
        for (unsigned i = 0; i < frame->places; i++)
            allows |= fathom_frame_has(&frame->may[i], from, count);
        all &= allows;
    }
    return all;
}

// The end of an object is more than any write.
_Bool fathom_frame_frees(const void *object) {
    int all = 1;
    for (const struct fathom_frame *frame = fathom_frame_now; frame != NULL; frame = frame->outer)
        all &= (object == NULL) | fathom_frame_is_new(frame, object);
    return all;
}

// A write of the C library, whose state no contract could name, or of code that is not there.
void fathom_frame_library(const void *from, size_t count) {
    if (fathom_frame_now != NULL && !fathom_frame_allows(from, count))
        fathom_unsupported("a change under a contract by the C library, or by a function without a body");
}

// What a function finds in errno when it is called is anything.
void fathom_frame_errno(void) {
    errno = fathom_any_int("before, errno");
}

// Whether the bytes are there and apart from those that were asked about before.
static int fathom_frame_apart(struct fathom_apart *apart, const char *from, size_t count) {
    int is_apart = 1;
    size_t offset = (uintptr_t)from - (uintptr_t)fathom_object_base(from);
    for (unsigned i = 0; i < apart->count; i++) {
        const struct fathom_place *other = &apart->places[i];
        size_t start = (uintptr_t)other->from - (uintptr_t)fathom_object_base(other->from);
        int is_same = fathom_object_number(other->from) == fathom_object_number(from);
        is_apart &= !is_same | (offset >= start + other->count) | (start >= offset + count);
    }
    if (apart->count == fathom_MOST_PLACES)
        fathom_unsupported("a contract about more than 32 objects");
    apart->places[apart->count].from = from;
    apart->places[apart->count].count = count;
    apart->count++;
    return is_apart;
}

_Bool fathom_frame_is_there(struct fathom_apart *apart, const volatile void *from, size_t count) {
    return __CPROVER_r_ok(from, count) & fathom_frame_apart(apart, (const char *)from, count);
}

// The same of an object that did not exist when the frame began, and that `free` takes.
_Bool fathom_frame_is_fresh(struct fathom_apart *apart, const struct fathom_frame *frame, const volatile void *from, size_t count) {
    int is_new = fathom_frame_is_new(frame, (const void *)from);
    int can_be_freed = ((fathom_object_traits(from) & 4) != 0) & (fathom_object_base(from) == (const char *)from);
    return __CPROVER_w_ok(from, count) & is_new & can_be_freed & fathom_frame_apart(apart, (const char *)from, count);
}
