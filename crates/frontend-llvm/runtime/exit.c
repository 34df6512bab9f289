// Handlers that run when the program ends; Fathom calls fathom_run_handlers from exit and after main.

static void (*fathom_handlers[32])(void);
static int fathom_handler_count;

int atexit(void (*handler)(void)) {
    if (fathom_handler_count == 32)
        return 1;
    fathom_handlers[fathom_handler_count++] = handler;
    return 0;
}

void fathom_run_handlers(void) {
    while (fathom_handler_count > 0)
        fathom_handlers[--fathom_handler_count]();
}
