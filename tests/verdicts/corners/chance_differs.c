//! unreach-call: false
// Another seed may give other numbers.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    srand(3);
    int a = rand();
    srand(4);
    if (rand() != a)
        reach_error();
    return 0;
}
