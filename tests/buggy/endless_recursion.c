//! property: stack-overflow
//! says: the stack is full
//! says: total

#include <stdio.h>

struct item {
    int size;
    int parent;
};

static struct item items[] = {{4, 1}, {2, 2}, {1, 0}};

static int total(int at) {
    if (at < 0)
        return 0;
    return items[at].size + total(items[at].parent);
}

int main(void) {
    printf("%d\n", total(0));
    return 0;
}
