#include "stock.h"
#include <stddef.h>

static const int table[4] = { 1, 2, 3, 4 };

/* Planted: the last index is one too large. */
int pick(int i) {
    if (i < 0 || i > 4)
        return 0;
    return table[i];
}

/* Callers must not pass 0. */
int rest(int total, int parts) {
    if (parts == -1)
        return 0;
    return total % parts;
}

/* No square leaves 2 modulo 4, but an analyser that does not multiply thinks so. */
int safe_null(int flag) {
    int x = 5, *p = NULL;
    unsigned u = (unsigned)flag;
    if (u * u % 4 == 2)
        return *p;
    return x;
}

unsigned share(unsigned x) {
    if (x == 0)
        return 0;
    return 100u / x;
}

int first(const int *value) {
    return *value;
}

int is_empty(const char *text) {
    return text[0] == 0;
}
