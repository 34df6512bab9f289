//! property: valid-memtrack
//! says: malloc at leak.c
//! says: 12 bytes
//! says: lost

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    char *result = malloc(strlen(text) + 1);
    if (result)
        strcpy(result, text);
    return result;
}

static int is_long(const char *text) {
    char *own = copy(text);
    if (!own)
        return -1;
    if (strlen(own) > 8)
        return 1;
    free(own);
    return 0;
}

int main(void) {
    return is_long("hello world");
}
