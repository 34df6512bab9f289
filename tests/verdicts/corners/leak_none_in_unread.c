//! valid-memsafety: true
// A variable that is never read holds its value all the same.
#include <stdlib.h>
int main(void) {
    char *first = malloc(3);
    char *second = first;
    first = 0;
    char *third = malloc(4);
    exit(0);
}
