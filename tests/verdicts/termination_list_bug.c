//! termination: false
//! A list that bites its tail.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    first->next = second;
    second->next = first;
    while (first)
        first = first->next;
    return 0;
}
