//! unreach-call: true
//! flags: --memory-model tso
//! A mutex empties the buffer, what it protects is seen by the next one who takes it, structures and fills as well.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

struct pair {
    int left, right;
    char text[8];
};

struct pair shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
    struct pair own;
    pthread_mutex_lock(&mutex);
    own = shared;
    if (own.left != own.right || own.text[0] != own.text[7])
        reach_error();
    own.left++;
    own.right++;
    shared = own;
    __builtin_memset(shared.text, own.left, sizeof shared.text);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (shared.left != 2 || shared.right != 2 || shared.text[3] != 2)
        reach_error();
    return 0;
}
