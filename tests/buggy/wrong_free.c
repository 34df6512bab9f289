//! property: valid-free
//! says: malloc at wrong_free.c
//! says: + 2
//! says: middle

#include <stdlib.h>
#include <string.h>

static char *skip_blanks(char *text) {
    while (*text == ' ')
        text++;
    return text;
}

int main(void) {
    char *line = malloc(16);
    if (!line)
        return 1;
    strcpy(line, "  key=1");
    line = skip_blanks(line);
    int is_key = strncmp(line, "key", 3) == 0;
    free(line);
    return !is_key;
}
