//! no-overflow: false
// A destructor runs when the only thread ends.
#include <pthread.h>
static int count = 2147483647;
__attribute__((destructor)) static void at_end(void) { count++; }
int main(void) { pthread_exit(0); }
