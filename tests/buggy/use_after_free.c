//! property: valid-deref
//! says: malloc #3 at use_after_free.c:14
//! says: freed at use_after_free.c:29

#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->value = value;
    node->next = head;
    return node;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    int sum = 0;
    for (struct node *at = list; at; at = at->next) {
        sum += at->value;
        free(at);
    }
    printf("%d\n", sum);
    return 0;
}
