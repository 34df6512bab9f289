//! unreach-call: true
// A key that was deleted is none.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &key);
    pthread_key_delete(key);
    if (pthread_setspecific(key, &key) != EINVAL || pthread_key_delete(key) != EINVAL)
        reach_error();
    return 0;
}
