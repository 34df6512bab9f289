//! property: valid-free
//! says: malloc at double_free.c
//! says: freed at double_free.c

#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t size;
};

static int buffer_grow(struct buffer *buffer, size_t size) {
    if (size > 1024) {
        free(buffer->data);
        return -1;
    }
    char *data = realloc(buffer->data, size);
    if (!data)
        return -1;
    buffer->data = data;
    buffer->size = size;
    return 0;
}

int main(void) {
    struct buffer buffer = {malloc(16), 16};
    if (!buffer.data)
        return 1;
    memset(buffer.data, 0, buffer.size);
    buffer_grow(&buffer, 4096);
    free(buffer.data);
    return 0;
}
