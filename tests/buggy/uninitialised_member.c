//! property: uninitialised
//! says: `s.retries`
//! says: was not written
//! says: s->retries

#include <stdio.h>

enum mode { OFF, SLOW, FAST };

struct settings {
    enum mode mode;
    int retries;
    double factor;
};

static void defaults(struct settings *s) {
    s->mode = SLOW;
    s->factor = 0.1;
}

static int attempts(const struct settings *s) {
    if (s->retries > 3)
        return 3;
    return s->retries;
}

int main(void) {
    struct settings s;
    defaults(&s);
    printf("%d\n", attempts(&s));
    return 0;
}
