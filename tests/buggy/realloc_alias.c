//! property: valid-deref
//! says: was freed at
//! says: where first = realloc #1

#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t length;
    size_t capacity;
};

static int append(struct buffer *b, char c) {
    if (b->length == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 4;
        b->data = realloc(b->data, b->capacity);
        if (b->data == NULL)
            return -1;
    }
    b->data[b->length++] = c;
    return 0;
}

int main(void) {
    struct buffer b = {NULL, 0, 0};
    for (int i = 0; i < 6; i++) {
        char *first = b.data;
        if (append(&b, (char)('a' + i)) != 0)
            break;
        if (first != NULL && first[0] != 'a')
            return 1;
    }
    free(b.data);
    return 0;
}
