//! termination: false
// A new object is none of those that live, however many there have been: allocating is no progress.
#include <stdlib.h>

int main(void) {
    int *first = malloc(sizeof *first), *p;
    do
        p = malloc(sizeof *p);
    while (p != first);
    return 0;
}
