//! property: valid-deref
//! says: `line`
//! says: byte -1
//! says: length = 0

#include <string.h>

static void strip_newline(char *line) {
    size_t length = strlen(line);
    if (line[length - 1] == '\n')
        line[length - 1] = '\0';
}

int main(void) {
    char lines[2][8] = {"first\n", ""};
    char line[8];
    for (int i = 0; i < 2; i++) {
        strcpy(line, lines[i]);
        strip_newline(line);
    }
    return line[0];
}
