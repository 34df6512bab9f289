//! unreach-call: true
// The texts of errors and signals.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    if (strcmp(strerror(ETIMEDOUT), "Connection timed out") != 0 || strcmp(strerror(41), "Unknown error 41") != 0)
        reach_error();
    if (strcmp(strsignal(SIGCHLD), "Child exited") != 0)
        reach_error();
    return 0;
}
