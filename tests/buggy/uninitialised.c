//! property: uninitialised
//! open: the property of uninitialised reads is not there yet

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
