// Character classes of the C locale. Nothing branches on the character, so a symbolic one does not fork.

int isdigit(int c) {
    return (unsigned)c - '0' < 10;
}

int isupper(int c) {
    return (unsigned)c - 'A' < 26;
}

int islower(int c) {
    return (unsigned)c - 'a' < 26;
}

int isalpha(int c) {
    return ((unsigned)c | 32) - 'a' < 26;
}

int isalnum(int c) {
    return (((unsigned)c | 32) - 'a' < 26) | ((unsigned)c - '0' < 10);
}

int isspace(int c) {
    return (c == ' ') | ((unsigned)c - '\t' < 5);
}

int isblank(int c) {
    return (c == ' ') | (c == '\t');
}

int isxdigit(int c) {
    return ((unsigned)c - '0' < 10) | (((unsigned)c | 32) - 'a' < 6);
}

int iscntrl(int c) {
    return ((unsigned)c < 32) | (c == 127);
}

int isprint(int c) {
    return (unsigned)c - 32 < 95;
}

int isgraph(int c) {
    return (unsigned)c - 33 < 94;
}

int ispunct(int c) {
    return ((unsigned)c - 33 < 94) & !isalnum(c);
}

int isascii(int c) {
    return (unsigned)c < 128;
}

int toascii(int c) {
    return c & 127;
}

int toupper(int c) {
    return c - 32 * islower(c);
}

int tolower(int c) {
    return c + 32 * isupper(c);
}

int _toupper(int c) {
    return toupper(c);
}

int _tolower(int c) {
    return tolower(c);
}
