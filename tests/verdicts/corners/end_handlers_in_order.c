//! unreach-call: true
// atexit handlers run last one first, and one that is registered meanwhile runs next.
#include <stdlib.h>
extern void reach_error(void);
static int step;
static void first(void) { if (step++ != 2) reach_error(); }
static void meanwhile(void) { if (step++ != 1) reach_error(); }
static void last(void) { if (step++ != 0) reach_error(); atexit(meanwhile); }
int main(void) {
    atexit(first);
    atexit(last);
    return 0;
}
