//! property: valid-deref
//! says: text = "100%s broken"
//! says: passes 0 arguments
//! says: one more is asked for

#include <stdio.h>

enum level { INFO, ERROR };

static void report(enum level level, const char *text) {
    if (level == ERROR)
        fprintf(stderr, "error: ");
    fprintf(stderr, text);
    fprintf(stderr, "\n");
}

int main(void) {
    report(INFO, "starting");
    report(ERROR, "100%s broken");
    return 0;
}
