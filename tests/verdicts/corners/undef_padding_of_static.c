//! unreach-call: true
// A copy of all bytes has the padding of the original.
#include <string.h>
extern void reach_error(void);
struct pair {
    char c;
    int i;
};
int main(void) {
    static const struct pair a = {1, 2};
    struct pair b;
    memcpy(&b, &a, sizeof b);
    if (memcmp(&a, &b, sizeof a) != 0)
        reach_error();
    return 0;
}
