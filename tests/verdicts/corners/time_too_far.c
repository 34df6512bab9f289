//! unreach-call: true
//! flags: --32
// What a time or a text has no room for is an error.
#include <errno.h>
#include <time.h>
extern void reach_error(void);
int main(void) {
    struct tm when = {0};
    char text[26];
    when.tm_year = 200;
    when.tm_mday = 1;
    if (timegm(&when) != -1 || errno != EOVERFLOW)
        reach_error();
    when.tm_year = 8100;
    if (asctime_r(&when, text) != 0 || asctime(&when) == 0)
        reach_error();
    return 0;
}
