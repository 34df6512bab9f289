//! unreach-call: true
// The C locale has no characters above 127.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    wchar_t wide;
    if (mblen("\xff", 1) != -1 || mbtowc(&wide, "\xff", 1) != -1)
        reach_error();
    return 0;
}
