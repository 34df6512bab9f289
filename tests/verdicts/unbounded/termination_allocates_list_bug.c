//! termination: false
// A list that grows at its end is never walked to its end.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *last = malloc(sizeof *last);
    last->next = 0;
    for (struct node *at = last; at; at = at->next) {
        last->next = malloc(sizeof *last);
        last = last->next;
        last->next = 0;
    }
    return 0;
}
