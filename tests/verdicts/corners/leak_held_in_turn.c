//! valid-memtrack: true
// Of two blocks one is held by a variable, and that one holds the other, whichever it is.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; };
static struct node *held[2], *root;
int main(void) {
    struct node *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    unsigned first = __VERIFIER_nondet_uint() % 2;
    held[first] = one;
    held[1 - first] = other;
    root = held[0];
    root->next = held[1];
    held[1]->next = NULL;
    held[0] = held[1] = NULL;
    return 0;
}
