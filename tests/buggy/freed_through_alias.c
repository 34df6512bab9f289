//! property: valid-deref
//! says: malloc #2
//! says: was freed at
//! says: where cursor = malloc #2

#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->value = value;
    n->next = head;
    return n;
}

static struct node *remove_value(struct node *head, int value) {
    struct node **link = &head;
    while (*link != NULL) {
        struct node *current = *link;
        if (current->value == value) {
            *link = current->next;
            free(current);
        } else {
            link = &current->next;
        }
    }
    return head;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 1; i <= 3; i++)
        list = push(list, i);
    struct node *cursor = list->next;
    list = remove_value(list, 2);
    printf("%d\n", cursor->value);
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
