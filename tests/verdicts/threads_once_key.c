//! unreach-call: true
//! deadlock: true
//! pthread_once runs its function once; values of keys belong to a thread; pthread_self and pthread_equal tell threads apart.
#include <pthread.h>
void reach_error(void);

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key;
int made;
pthread_t main_thread;

void make(void) {
    made++;
    pthread_key_create(&key, 0);
}

void *work(void *argument) {
    pthread_once(&once, make);
    if (made != 1 || pthread_getspecific(key))
        reach_error();
    if (pthread_equal(pthread_self(), main_thread))
        reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    pthread_create(&thread, 0, work, 0);
    pthread_once(&once, make);
    pthread_setspecific(key, &made);
    pthread_join(thread, 0);
    if (pthread_getspecific(key) != &made)
        reach_error();
    return 0;
}
