//! unreach-call: true
// Pointers that are copied piece by piece are pointers still.
#include <pthread.h>
extern void reach_error(void);
struct node { int *value; struct node *next; } head, spare;
int number = 3;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *link(void *p) {
    struct node fresh = {&number, &spare};
    pthread_mutex_lock(&mutex);
    head = fresh;
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, link, 0);
    pthread_mutex_lock(&mutex);
    struct node seen = head;
    pthread_mutex_unlock(&mutex);
    if (seen.value && (*seen.value != 3 || seen.next != &spare))
        reach_error();
    pthread_join(t, 0);
    if (*head.value != 3 || head.next->value)
        reach_error();
    return 0;
}
