//! property: uninitialised
//! says: `point.y`, declared at uninitialised.c:16, was not written
//! says: the condition depends on

#include <stdio.h>

struct point {
    int x, y;
};

static int parse(const char *text, struct point *point) {
    return sscanf(text, "%d,%d", &point->x, &point->y);
}

int main(void) {
    struct point point;
    if (parse("17", &point) < 1)
        return 1;
    if (point.y > 100)
        printf("far away\n");
    return 0;
}
