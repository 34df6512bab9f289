//! unreach-call: false
// What a function without a body writes others may see in the middle.
#include <pthread.h>
extern void reach_error(void);
extern void get(char *to);
char buffer[2];
void *run(void *p) {
    get(buffer);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    char first = buffer[0], second = buffer[1];
    if (first != 0 && second == 0 && buffer[1] != 0)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
