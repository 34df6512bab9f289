//! valid-memtrack: false
// Two blocks hold each other, and nothing else holds them for some inputs.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; };
static struct node *held[2];
int main(void) {
    struct node *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    unsigned at = __VERIFIER_nondet_uint() % 2, over = __VERIFIER_nondet_uint() % 2;
    one->next = other;
    other->next = one;
    held[at] = one;
    held[over] = NULL;
    return 0;
}
