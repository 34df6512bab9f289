// What glibc's headers expand the character functions to: tables of the C locale, from -128 to 255.
#include "fathom.h"

static const unsigned short fathom_ctype[384] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 55304, 55304, 55304, 55304,
    55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156, 49156, 54792, 54792, 54792,
    54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156,
    49156, 49156, 49156, 2, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
// Sixteen characters that are mapped to others in a row.
#define ROW(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14, n + 15
#define HALF(n) ROW(n), ROW(n + 16), ROW(n + 32), ROW(n + 48)
// Characters below zero mean those above 127, but EOF stays what it is.
#define BELOW_ZERO HALF(128), ROW(192), ROW(208), ROW(224), \
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1
#define LETTERS(first) ROW(first), first + 16, first + 17, first + 18, first + 19, first + 20, first + 21, first + 22, \
    first + 23, first + 24, first + 25
static const int fathom_tolower[384] = {
    BELOW_ZERO, HALF(0), 64, LETTERS('a'), 91, 92, 93, 94, 95, 96, LETTERS('a'), 123, 124, 125, 126, 127, HALF(128), HALF(192),
};
static const int fathom_toupper[384] = {
    BELOW_ZERO, HALF(0), 64, LETTERS('A'), 91, 92, 93, 94, 95, 96, LETTERS('A'), 123, 124, 125, 126, 127, HALF(128), HALF(192),
};
#undef ROW
#undef HALF
#undef BELOW_ZERO
#undef LETTERS
static const unsigned short *fathom_ctype_start = fathom_ctype + 128;
static const int *fathom_tolower_start = fathom_tolower + 128;
static const int *fathom_toupper_start = fathom_toupper + 128;

const unsigned short **__ctype_b_loc(void) {
    return &fathom_ctype_start;
}

const int **__ctype_tolower_loc(void) {
    return &fathom_tolower_start;
}

const int **__ctype_toupper_loc(void) {
    return &fathom_toupper_start;
}

size_t __ctype_get_mb_cur_max(void) {
    return 1;
}
