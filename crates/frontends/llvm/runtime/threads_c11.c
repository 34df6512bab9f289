// <threads.h> over the POSIX threads (pthread.c, which comes before), as glibc has it: the same objects, other results.

enum { fathom_thrd_success, fathom_thrd_busy, fathom_thrd_error, fathom_thrd_nomem, fathom_thrd_timedout };

typedef fathom_thread_id fathom_thrd;

static int fathom_thrd_result(int error) {
    switch (error) {
    case 0:
        return fathom_thrd_success;
    case 12:
        return fathom_thrd_nomem;
    case 16:
        return fathom_thrd_busy;
    case 110:
        return fathom_thrd_timedout;
    }
    return fathom_thrd_error;
}

struct fathom_thrd_start {
    int (*function)(void *);
    void *argument;
};

static void *fathom_run_thrd(void *given) {
    struct fathom_thrd_start start = *(struct fathom_thrd_start *)given;
    free(given);
    return (void *)(intptr_t)start.function(start.argument);
}

int thrd_create(fathom_thrd *thread, int (*function)(void *), void *argument) {
    struct fathom_thrd_start *start = fathom_heap(sizeof *start);
    start->function = function;
    start->argument = argument;
    return fathom_thrd_result(pthread_create(thread, 0, fathom_run_thrd, start));
}

int thrd_join(fathom_thrd thread, int *result) {
    void *returned = 0;
    int error = pthread_join(thread, &returned);
    if (result)
        *result = (int)(intptr_t)returned;
    return fathom_thrd_result(error);
}

void thrd_exit(int result) {
    pthread_exit((void *)(intptr_t)result);
}

int thrd_detach(fathom_thrd thread) {
    return fathom_thrd_result(pthread_detach(thread));
}

fathom_thrd thrd_current(void) {
    return pthread_self();
}

int thrd_equal(fathom_thrd first, fathom_thrd second) {
    return first == second;
}

void thrd_yield(void) {
}

int thrd_sleep(const void *time, void *left) {
    return 0;
}

int mtx_init(struct fathom_mutex *mutex, int type) {
    // Plain and timed ones are normal mutexes, the flag 1 says recursive.
    int kind = type & 1;
    return type < 0 || type > 3 ? fathom_thrd_error : fathom_thrd_result(pthread_mutex_init(mutex, &kind));
}

void mtx_destroy(struct fathom_mutex *mutex) {
    pthread_mutex_destroy(mutex);
}

int mtx_lock(struct fathom_mutex *mutex) {
    return fathom_thrd_result(pthread_mutex_lock(mutex));
}

int mtx_trylock(struct fathom_mutex *mutex) {
    return fathom_thrd_result(pthread_mutex_trylock(mutex));
}

int mtx_timedlock(struct fathom_mutex *mutex, const void *until) {
    return fathom_thrd_result(pthread_mutex_timedlock(mutex, until));
}

int mtx_unlock(struct fathom_mutex *mutex) {
    return fathom_thrd_result(pthread_mutex_unlock(mutex));
}

int cnd_init(struct fathom_condition *condition) {
    return fathom_thrd_result(pthread_cond_init(condition, 0));
}

void cnd_destroy(struct fathom_condition *condition) {
}

int cnd_wait(struct fathom_condition *condition, struct fathom_mutex *mutex) {
    return fathom_thrd_result(pthread_cond_wait(condition, mutex));
}

int cnd_timedwait(struct fathom_condition *condition, struct fathom_mutex *mutex, const void *until) {
    return fathom_thrd_result(pthread_cond_timedwait(condition, mutex, until));
}

int cnd_signal(struct fathom_condition *condition) {
    return fathom_thrd_result(pthread_cond_signal(condition));
}

int cnd_broadcast(struct fathom_condition *condition) {
    return fathom_thrd_result(pthread_cond_broadcast(condition));
}

void call_once(int *flag, void (*routine)(void)) {
    pthread_once(flag, routine);
}

int tss_create(unsigned *key, void (*destructor)(void *)) {
    return fathom_thrd_result(pthread_key_create(key, destructor));
}

void tss_delete(unsigned key) {
    pthread_key_delete(key);
}

int tss_set(unsigned key, void *value) {
    return fathom_thrd_result(pthread_setspecific(key, value));
}

void *tss_get(unsigned key) {
    return pthread_getspecific(key);
}
