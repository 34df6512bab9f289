//! property: deadlock
//! says: pthread_mutex_lock(&a->lock)
//! says: it locked that itself at

#include <pthread.h>
#include <stdio.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, 100};

static int balance(struct account *a) {
    pthread_mutex_lock(&a->lock);
    int result = a->balance;
    pthread_mutex_unlock(&a->lock);
    return result;
}

static void *withdraw(void *argument) {
    struct account *a = argument;
    pthread_mutex_lock(&a->lock);
    if (balance(a) >= 30)
        a->balance -= 30;
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, withdraw, &account);
    pthread_join(thread, NULL);
    printf("%d\n", account.balance);
    return 0;
}
