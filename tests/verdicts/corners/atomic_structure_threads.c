//! unreach-call: true
//! no-data-race: true
// The parts of an atomic structure are written in one step: nobody sees one of them alone.
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
    shared = ones;
    return 0;
}
int main(void) {
    pthread_t writer;
    pthread_create(&writer, 0, write, 0);
    struct triple seen = shared;
    if (seen.a != seen.b || seen.b != seen.c)
        reach_error();
    pthread_join(writer, 0);
    return 0;
}
