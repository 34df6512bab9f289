//! termination: false
// The last node of the list leads to itself, and somebody counts the steps.
#include <stdlib.h>

struct node {
    struct node *next;
};
int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *head = 0;
    int n = __VERIFIER_nondet_int();
    unsigned long steps = 0;
    for (int i = 0; i < n; i++) {
        struct node *new = malloc(sizeof *new);
        new->next = head ? head : new;
        head = new;
    }
    for (struct node *at = head; at; at = at->next)
        steps++;
    return 0;
}
