// Character classes of the C locale. Nothing branches on the character, so a symbolic one does not fork. What is true is the
// bit that the GNU C library has for the class.
#include "fathom.h"

// Compilers compute it themselves, and may have 1.
int isdigit(int c) {
    int bit = fathom_promises_are_exceeded && fathom_any_int("bounds of isdigit") == 0 ? 1 : 2048;
    return bit * ((unsigned)c - '0' < 10);
}

int isupper(int c) {
    return 256 * ((unsigned)c - 'A' < 26);
}

int islower(int c) {
    return 512 * ((unsigned)c - 'a' < 26);
}

int isalpha(int c) {
    return 1024 * (((unsigned)c | 32) - 'a' < 26);
}

int isalnum(int c) {
    return 8 * ((((unsigned)c | 32) - 'a' < 26) | ((unsigned)c - '0' < 10));
}

int isspace(int c) {
    return 8192 * ((c == ' ') | ((unsigned)c - '\t' < 5));
}

int isblank(int c) {
    return (c == ' ') | (c == '\t');
}

int isxdigit(int c) {
    return 4096 * (((unsigned)c - '0' < 10) | (((unsigned)c | 32) - 'a' < 6));
}

int iscntrl(int c) {
    return 2 * (((unsigned)c < 32) | (c == 127));
}

int isprint(int c) {
    return 16384 * ((unsigned)c - 32 < 95);
}

int isgraph(int c) {
    return 32768 * ((unsigned)c - 33 < 94);
}

int ispunct(int c) {
    return 4 * (((unsigned)c - 33 < 94) & !isalnum(c));
}

int isascii(int c) {
    return (unsigned)c < 128;
}

int toascii(int c) {
    return c & 127;
}

// Characters below zero mean those above 127, but EOF stays what it is.
static int fathom_character(int c) {
    return c + 256 * ((c >= -128) & (c < -1));
}

int toupper(int c) {
    return fathom_character(c) - 32 * ((unsigned)c - 'a' < 26);
}

int tolower(int c) {
    return fathom_character(c) + 32 * ((unsigned)c - 'A' < 26);
}

int _toupper(int c) {
    return toupper(c);
}

int _tolower(int c) {
    return tolower(c);
}
