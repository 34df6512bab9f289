//! unreach-call: true
// Calls of the system give 0 or -1, and -1 with a reason.
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    int made = mkdir("folder", 0777);
    if (made != 0 && (made != -1 || errno == 0 || errno == EDOM))
        reach_error();
    errno = 0;
    if (remove("file") == -1 && errno == 0)
        reach_error();
    errno = 0;
    if (lseek(0, 0, SEEK_CUR) == -1 && errno == 0)
        reach_error();
    return 0;
}
