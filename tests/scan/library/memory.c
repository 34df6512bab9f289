#include "stock.h"
#include <stdlib.h>

/* Planted: used after it was freed. */
int reuse(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    free(p);
    return *p;
}

/* Planted: one way out forgets to free. */
int lost(int n) {
    char *p = malloc(8);
    if (!p)
        return 1;
    if (n == 7)
        return 2;
    free(p);
    return 0;
}

/* Planted: not every way sets the variable. */
int unset(int n) {
    int x;
    if (n > 2)
        x = 1;
    if (x)
        return 1;
    return 0;
}

/* Planted: malloc may fail. */
int scribble(int n) {
    int *p = malloc(sizeof *p);
    *p = n;
    free(p);
    return n;
}
