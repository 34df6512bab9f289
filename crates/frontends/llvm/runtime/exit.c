// Handlers that run when the program ends; Fathom calls fathom_run_handlers from exit and after main, with the status, and
// fathom_run_quick_handlers from quick_exit.
#include "fathom.h"

struct fathom_handler {
    void (*plain)(void);
    void (*with_argument)(void *);
    void (*with_status)(int, void *);
    void *argument;
};

static struct fathom_handler fathom_handlers[256];
static int fathom_handler_count;

// As the GNU C library has it, a null pointer is an assertion that fails.
static struct fathom_handler *fathom_new_handler(int is_there) {
    if (!is_there)
        abort();
    if (fathom_handler_count == 256)
        fathom_unsupported("more than 256 handlers of atexit");
    struct fathom_handler *new = &fathom_handlers[fathom_handler_count++];
    new->plain = 0;
    new->with_argument = 0;
    new->with_status = 0;
    return new;
}

int atexit(void (*handler)(void)) {
    fathom_new_handler(handler != 0)->plain = handler;
    return 0;
}

int __cxa_atexit(void (*handler)(void *), void *argument, void *dso) {
    struct fathom_handler *new = fathom_new_handler(handler != 0);
    new->with_argument = handler;
    new->argument = argument;
    return 0;
}

int on_exit(void (*handler)(int, void *), void *argument) {
    struct fathom_handler *new = fathom_new_handler(handler != 0);
    new->with_status = handler;
    new->argument = argument;
    return 0;
}

void fathom_run_handlers(int status) {
    while (fathom_handler_count > 0) {
        // A handler may register others, in its own place too.
        struct fathom_handler last = fathom_handlers[--fathom_handler_count];
        if (last.plain != 0)
            last.plain();
        if (last.with_argument != 0)
            last.with_argument(last.argument);
        if (last.with_status != 0)
            last.with_status(status, last.argument);
    }
}

static void (*fathom_quick_handlers[32])(void);
static int fathom_quick_handler_count;

int at_quick_exit(void (*handler)(void)) {
    if (handler == 0)
        abort();
    if (fathom_quick_handler_count == 32)
        fathom_unsupported("more than 32 handlers of at_quick_exit");
    fathom_quick_handlers[fathom_quick_handler_count++] = handler;
    return 0;
}

void fathom_run_quick_handlers(void) {
    while (fathom_quick_handler_count > 0)
        fathom_quick_handlers[--fathom_quick_handler_count]();
}
