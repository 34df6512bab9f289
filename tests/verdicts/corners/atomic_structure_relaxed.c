//! unreach-call: true
// What a weaker order lets other threads see is assumed away, so that there is no race is not proved.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
struct triple {
    long a, b, c;
};
_Atomic struct triple shared;
static void *write(void *unused) {
    struct triple ones = {1, 1, 1};
    __c11_atomic_store(&shared, ones, __ATOMIC_RELAXED);
    return 0;
}
int main(void) {
    pthread_t writer;
    pthread_create(&writer, 0, write, 0);
    struct triple seen = __c11_atomic_load(&shared, __ATOMIC_RELAXED);
    if (seen.a != seen.b)
        reach_error();
    pthread_join(writer, 0);
    return 0;
}
