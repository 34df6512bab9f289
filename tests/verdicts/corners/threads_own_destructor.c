//! unreach-call: true
// The destructor of a key runs for the values of threads that end, not for that of main.
#include <pthread.h>
extern void reach_error(void);
pthread_key_t key;
int count, value;
void destroy(void *p) {
    count++;
    if (p != &value || pthread_getspecific(key))
        reach_error();
}
void *run(void *p) {
    pthread_setspecific(key, p);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &count);
    pthread_create(&t, 0, run, &value);
    pthread_join(t, 0);
    if (count != 1)
        reach_error();
    return 0;
}
