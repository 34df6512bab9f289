//! no-overflow: true
// However long the program runs, its computing time is a number that can be subtracted.
#include <time.h>
int main(void) {
    clock_t start = clock();
    return clock() - start > 10;
}
