//! property: valid-memtrack
//! says: malloc #1 at lost_pointer.c:22 (4 bytes) is lost
//! says: the last pointer to it was in `b.data`, until lost_pointer.c:27

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t length, capacity;
};

static void reserve(struct buffer *b, size_t wanted) {
    if (wanted <= b->capacity)
        return;
    size_t capacity = b->capacity == 0 ? 4 : 2 * b->capacity;
    while (capacity < wanted)
        capacity *= 2;

    char *old = b->data;
    char *data = malloc(capacity);
    if (data == NULL)
        abort();
    if (old != NULL)
        memcpy(data, old, b->length);
    b->data = data;
    b->capacity = capacity;
}

static void append(struct buffer *b, const char *text) {
    size_t length = strlen(text);
    reserve(b, b->length + length);
    memcpy(b->data + b->length, text, length);
    b->length += length;
}

int main(void) {
    struct buffer b = {NULL, 0, 0};
    append(&b, "abc");
    append(&b, "def");
    printf("%.*s\n", (int)b.length, b.data);
    free(b.data);
    return 0;
}
