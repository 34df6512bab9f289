//! property: valid-deref
//! says: `local`
//! says: went out of scope

#include <stdio.h>

struct config {
    const char *name;
    int *limit;
};

static void set_limit(struct config *config, int verbose) {
    if (verbose) {
        int local = 10;
        config->limit = &local;
    }
}

int main(void) {
    static int standard = 5;
    struct config config = {"server", &standard};
    set_limit(&config, 1);
    *config.limit += 1;
    printf("%s: %d\n", config.name, *config.limit);
    return 0;
}
