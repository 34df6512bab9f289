//! unreach-call: true
//! flags: --32
// Any number of threads push pairs of slots of an array onto a stack, as long as there are some: what they take is odd and below the
// array's size. The many other constants must not crowd that out.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int slots[65], next = 1, lock, top, once, ready;

static void acquire(int *lock) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*lock == 0);
    *lock = 1;
    __VERIFIER_atomic_end();
}

static void release(int *lock) {
    __VERIFIER_atomic_begin();
    *lock = 0;
    __VERIFIER_atomic_end();
}

static void swap(int *at, int from, int to, int *done) {
    __VERIFIER_atomic_begin();
    *done = *at == from;
    if (*done)
        *at = to;
    __VERIFIER_atomic_end();
}

static int take(void) {
    int slot;
    acquire(&lock);
    if (next + 1 > 65) {
        release(&lock);
        return 0;
    }
    slot = next;
    next += 2;
    release(&lock);
    return slot;
}

static int push(int value) {
    int slot = take(), seen, done = 0;
    if (slot == 0)
        return 0;
    slots[slot] = value;
    do {
        seen = top;
        slots[slot + 1] = seen;
        swap(&top, seen, slot, &done);
    } while (!done);
    return 1;
}

static void *work(void *unused) {
    acquire(&once);
    if (ready == 0) {
        top = 0;
        ready = 1;
    }
    release(&once);
    while (1)
        if (push(-1) && top == 0)
            reach_error();
}

int main(void) {
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, work, 0);
}
