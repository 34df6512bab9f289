//! unreach-call: false
// What read writes others may see in the middle.
#include <pthread.h>
#include <unistd.h>
extern void reach_error(void);
char buffer[2];
void *get(void *p) {
    read(0, buffer, 2);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, get, 0);
    char first = buffer[0], second = buffer[1];
    if (first != 0 && second == 0 && buffer[1] != 0)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
