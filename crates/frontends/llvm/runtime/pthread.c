// POSIX threads over a few primitives of Fathom. Whoever has to wait assumes, in one atomic section with what it does
// next, that it need not (fathom_await): runs in which it would are left out, and others, in which it comes later, are
// not; where there is nobody who could end the wait, the program never ends. The layout
// is glibc's, so that static initialisers mean what they say. Who waits for a condition may wake without a signal, as
// POSIX has it. Return values are those of <errno.h>. What is done to the objects of synchronisation is done in
// atomic sections, so that it races with nothing but accesses of the program's own to them.

#include "fathom.h"

// Fathom numbers threads from 1. What the program sees instead is the address of an object that ends when the thread was
// joined: nobody knows more of it than of other addresses.
typedef const char *fathom_thread_id;

fathom_thread_id fathom_thread_start(void *(*function)(void *), void *argument);
size_t fathom_thread_number(fathom_thread_id thread);
void *fathom_thread_join(size_t number);
void fathom_thread_exit(void *result);
size_t fathom_thread_self(void);
int fathom_choice(void);
size_t strlen(const char *s);
void fathom_unsupported(const char *what);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void fathom_await(int condition);
// What is done to locks, for those who want to know which lock protects what.
void fathom_lock_wanted(const void *lock);
void fathom_lock_taken(const void *lock);
void fathom_lock_released(const void *lock);
void fathom_lock_looked_at(const void *lock);
// What POSIX leaves undefined, for those who ask.
void fathom_require_lock(const char *what, int condition);

enum { FATHOM_BUSY = 16, FATHOM_DEADLOCK = 35, FATHOM_NOT_OWNER = 1, FATHOM_AGAIN = 11, FATHOM_INVALID = 22, FATHOM_TIMEOUT = 110 };
enum { FATHOM_TOO_LONG = 34, FATHOM_NOT_SUPPORTED = 95, FATHOM_LEAST_STACK = 16384 };
enum { FATHOM_NORMAL, FATHOM_RECURSIVE, FATHOM_ERRORCHECK, FATHOM_ADAPTIVE, FATHOM_DESTROYED = -1 };

// Options are numbered from 0.
static int fathom_one_of(int option, int count) {
    return option < 0 || option >= count ? FATHOM_INVALID : 0;
}

struct fathom_attributes {
    int detached;
};

struct fathom_mutex {
    int lock;
    unsigned count;
    int owner;
#if __SIZEOF_POINTER__ == 8
    unsigned users;
#endif
    int kind;
};

struct fathom_condition {
    // A bit for each thread.
    unsigned long long waiting;
    unsigned long long woken;
};

struct fathom_barrier {
    unsigned count;
    unsigned waiting;
    unsigned rounds;
};

struct fathom_rwlock {
    // The thread that has it alone: to wait for oneself is an error as glibc has it.
    int writer;
    unsigned readers;
};

// A bit for each thread that nobody may join. As glibc has it, the second pthread_detach says so; POSIX leaves it open.
static unsigned long long fathom_detached;

enum { FATHOM_THREADS = 1024 }; // as many as Fathom follows
static const char fathom_first_thread[64] __attribute__((aligned(64)));
static fathom_thread_id fathom_threads[FATHOM_THREADS + 1] = {0, fathom_first_thread};

static size_t fathom_number_of(fathom_thread_id thread) {
    return thread == fathom_first_thread ? 1 : fathom_thread_number(thread);
}

static unsigned long long fathom_bit_of(size_t thread) {
    return thread >= 1 && thread <= 64 ? 1ull << (thread - 1) : 0;
}

static int fathom_detach(size_t thread) {
    unsigned long long bit = fathom_bit_of(thread);
    __VERIFIER_atomic_begin();
    int again = (fathom_detached & bit) != 0;
    fathom_detached |= bit;
    __VERIFIER_atomic_end();
    return again ? FATHOM_INVALID : 0;
}

// Threads of programs with keys run the destructors of their values when they return.
int fathom_has_keys; // set by Fathom
static void fathom_run_destructors(void);

struct fathom_start {
    void *(*function)(void *);
    void *argument;
};

// Where main may end without the program, the program ends with the last of its threads; then handlers of atexit run there.
int fathom_last_thread_ends_program; // set by Fathom, where there may be handlers
void fathom_run_exit_handlers(void);
static unsigned fathom_threads_left = 1;

static void fathom_leave(void) {
    if (fathom_has_keys)
        fathom_run_destructors();
    if (!fathom_last_thread_ends_program)
        return;
    __VERIFIER_atomic_begin();
    unsigned left = --fathom_threads_left;
    __VERIFIER_atomic_end();
    if (left == 0)
        fathom_run_exit_handlers();
}

static void *fathom_run_thread(void *given) {
    struct fathom_start start = *(struct fathom_start *)given;
    free(given);
    void *result = start.function(start.argument);
    fathom_leave();
    return result;
}

// The program's variable is written like any other.
static void fathom_plain_store(fathom_thread_id *thread, fathom_thread_id value) {
    *thread = value;
}

int pthread_create(fathom_thread_id *thread, const struct fathom_attributes *attributes, void *(*function)(void *), void *argument) {
    int detached = attributes && attributes->detached;
    fathom_ledger("threads start", "");
    if (fathom_has_keys || fathom_last_thread_ends_program) {
        struct fathom_start *start = fathom_heap(sizeof *start);
        start->function = function;
        start->argument = argument;
        function = fathom_run_thread;
        argument = start;
    }
    __VERIFIER_atomic_begin();
    // Nobody may look at the number between the start of the thread and this function's end.
    fathom_plain_store(thread, 0);
    fathom_thread_id started = fathom_thread_start(function, argument);
    fathom_threads[fathom_thread_number(started)] = started;
    fathom_plain_store(thread, started);
    if (fathom_last_thread_ends_program)
        fathom_threads_left++;
    if (detached)
        fathom_detach(fathom_thread_number(started));
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_join(fathom_thread_id thread, void **result) {
    size_t number = fathom_number_of(thread);
    if (number == fathom_thread_self())
        return FATHOM_DEADLOCK;
    if (fathom_detached & fathom_bit_of(number))
        return FATHOM_INVALID;
    void *returned = fathom_thread_join(number);
    if (result)
        *result = returned;
    return 0;
}

// Handlers that pthread_cleanup_push has set and pthread_cleanup_pop has not taken away.
static __thread unsigned fathom_cleanups;

void __pthread_register_cancel(void *place) {
    fathom_cleanups++;
}

void __pthread_unregister_cancel(void *place) {
    fathom_cleanups--;
}

// Nobody cancels threads here: pthread_cancel is unsupported.
void pthread_testcancel(void) {
}

static int fathom_change(int *kept, int value, int *old) {
    if (value != 0 && value != 1)
        return FATHOM_INVALID;
    if (old)
        *old = *kept;
    *kept = value;
    return 0;
}

int pthread_setcancelstate(int state, int *old) {
    static __thread int kept;
    return fathom_change(&kept, state, old);
}

int pthread_setcanceltype(int type, int *old) {
    static __thread int kept;
    return fathom_change(&kept, type, old);
}

void pthread_exit(void *result) {
    if (fathom_cleanups > 0)
        fathom_unsupported("a thread that ends inside of pthread_cleanup_push");
    fathom_leave();
    fathom_thread_exit(result);
}

fathom_thread_id pthread_self(void) {
    return fathom_threads[fathom_thread_self()];
}

int pthread_equal(fathom_thread_id first, fathom_thread_id second) {
    return first == second;
}

int pthread_detach(fathom_thread_id thread) {
    return fathom_detach(fathom_number_of(thread));
}

int pthread_attr_init(struct fathom_attributes *attributes) {
    attributes->detached = 0;
    return 0;
}

int pthread_attr_destroy(void *attributes) {
    return 0;
}

int pthread_attr_setdetachstate(struct fathom_attributes *attributes, int state) {
    if (state != 0 && state != 1)
        return FATHOM_INVALID;
    attributes->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const struct fathom_attributes *attributes, int *state) {
    *state = attributes->detached;
    return 0;
}

int pthread_attr_setstacksize(void *attributes, size_t size) {
    return size < FATHOM_LEAST_STACK ? FATHOM_INVALID : 0;
}

int pthread_attr_setguardsize(void *attributes, size_t size) {
    return 0;
}

int pthread_attr_setscope(void *attributes, int scope) {
    return scope == 1 ? FATHOM_NOT_SUPPORTED : fathom_one_of(scope, 1);
}

int pthread_attr_setschedpolicy(void *attributes, int policy) {
    return fathom_one_of(policy, 3);
}

int pthread_attr_setinheritsched(void *attributes, int inherit) {
    return fathom_one_of(inherit, 2);
}

int pthread_setconcurrency(int level) {
    return level < 0 ? FATHOM_INVALID : 0;
}

int pthread_setname_np(fathom_thread_id thread, const char *name) {
    return strlen(name) > 15 ? FATHOM_TOO_LONG : 0;
}

int sched_yield(void) {
    return 0;
}

int pthread_yield(void) {
    return 0;
}

// ---- mutexes

int pthread_mutexattr_init(int *attributes) {
    *attributes = FATHOM_NORMAL;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes) {
    return 0;
}

int pthread_mutexattr_settype(int *attributes, int kind) {
    if (kind < FATHOM_NORMAL || kind > FATHOM_ADAPTIVE)
        return FATHOM_INVALID;
    *attributes = kind;
    return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *kind) {
    *kind = *attributes;
    return 0;
}

int pthread_mutexattr_setpshared(int *attributes, int shared) {
    return fathom_one_of(shared, 2);
}

int pthread_mutexattr_setprotocol(int *attributes, int protocol) {
    return fathom_one_of(protocol, 3);
}

int pthread_mutex_init(struct fathom_mutex *mutex, const int *attributes) {
    int kind = attributes ? *attributes : FATHOM_NORMAL;
    __VERIFIER_atomic_begin();
    mutex->lock = 0;
    mutex->count = 0;
    mutex->owner = 0;
    mutex->kind = kind;
    __VERIFIER_atomic_end();
    return 0;
}

static void fathom_require_mutex(const struct fathom_mutex *mutex) {
    fathom_require_lock("use of a mutex that was destroyed", mutex->kind != FATHOM_DESTROYED);
}

int pthread_mutex_destroy(struct fathom_mutex *mutex) {
    __VERIFIER_atomic_begin();
    fathom_require_mutex(mutex);
    fathom_require_lock("a mutex is destroyed while a thread has it", mutex->lock == 0);
    int result = mutex->lock ? FATHOM_BUSY : 0;
    if (result == 0)
        mutex->kind = FATHOM_DESTROYED;
    __VERIFIER_atomic_end();
    return result;
}

// Whether it looks at who has it; a normal one does not, nor does one that spins first.
static int fathom_knows_owner(const struct fathom_mutex *mutex) {
    return mutex->kind == FATHOM_RECURSIVE || mutex->kind == FATHOM_ERRORCHECK;
}

static int fathom_has_already(const struct fathom_mutex *mutex, int self) {
    return mutex->lock && fathom_knows_owner(mutex) && mutex->owner == self;
}

int fathom_checks_locks; // set by Fathom
// For those who ask: the mutex that each thread wants.
static const struct fathom_mutex *fathom_wanted[FATHOM_THREADS + 1];

// A step of its own before a mutex is taken, so that others see who wants it.
static void fathom_want(const struct fathom_mutex *mutex, int self) {
    __VERIFIER_atomic_begin();
    if (!fathom_has_already(mutex, self)) {
        fathom_wanted[self] = mutex;
        int is_circle = 0;
        for (int count = 0; count < FATHOM_THREADS && mutex && mutex->lock && !is_circle; count++) {
            is_circle = mutex->owner == self;
            mutex = fathom_wanted[mutex->owner];
        }
        fathom_require_lock("threads wait for each other's mutexes in a circle", !is_circle);
    }
    __VERIFIER_atomic_end();
}

int pthread_mutex_lock(struct fathom_mutex *mutex) {
    int self = (int)fathom_thread_self();
    if (fathom_checks_locks)
        fathom_want(mutex, self);
    __VERIFIER_atomic_begin();
    fathom_lock_wanted(mutex);
    fathom_require_mutex(mutex);
    if (fathom_has_already(mutex, self)) {
        int again = mutex->kind == FATHOM_RECURSIVE;
        if (again)
            mutex->count++;
        __VERIFIER_atomic_end();
        return again ? 0 : FATHOM_DEADLOCK;
    }
    fathom_await(mutex->lock == 0);
    mutex->lock = 1;
    mutex->owner = self;
    fathom_lock_taken(mutex);
    if (fathom_checks_locks)
        fathom_wanted[self] = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_mutex_trylock(struct fathom_mutex *mutex) {
    int self = (int)fathom_thread_self(), result = 0;
    __VERIFIER_atomic_begin();
    fathom_lock_looked_at(mutex);
    fathom_lock_wanted(mutex);
    fathom_require_mutex(mutex);
    if (mutex->lock == 0) {
        mutex->lock = 1;
        mutex->owner = self;
        fathom_lock_taken(mutex);
    } else if (mutex->kind == FATHOM_RECURSIVE && mutex->owner == self) {
        mutex->count++;
    } else {
        result = FATHOM_BUSY;
    }
    __VERIFIER_atomic_end();
    return result;
}

// Who finds it free gets it, however late it is; to come later is to wait. Nobody waits for ever.
int pthread_mutex_timedlock(struct fathom_mutex *mutex, const void *until) {
    int self = (int)fathom_thread_self();
    __VERIFIER_atomic_begin();
    int result = pthread_mutex_trylock(mutex);
    fathom_lock_wanted(mutex);
    if (result == FATHOM_BUSY)
        result = mutex->kind == FATHOM_ERRORCHECK && mutex->owner == self ? FATHOM_DEADLOCK : FATHOM_TIMEOUT;
    __VERIFIER_atomic_end();
    return result;
}

int pthread_mutex_unlock(struct fathom_mutex *mutex) {
    int self = (int)fathom_thread_self(), result = 0;
    __VERIFIER_atomic_begin();
    fathom_lock_wanted(mutex);
    if (fathom_knows_owner(mutex) && (!mutex->lock || mutex->owner != self)) {
        result = FATHOM_NOT_OWNER;
    } else if (mutex->count > 0) {
        mutex->count--;
    } else {
        fathom_require_mutex(mutex);
        fathom_require_lock("a mutex is unlocked by a thread that does not have it", (mutex->lock != 0) & (mutex->owner == self));
        mutex->lock = 0;
        mutex->owner = 0;
        fathom_lock_released(mutex);
    }
    __VERIFIER_atomic_end();
    return result;
}

// ---- conditions

static unsigned long long fathom_own_bit(void) {
    size_t self = fathom_thread_self();
    if (self > 64)
        fathom_unsupported("waiting for a condition in more than 64 threads");
    return 1ull << (self - 1);
}

int pthread_condattr_init(void *attributes) {
    return 0;
}

int pthread_condattr_destroy(void *attributes) {
    return 0;
}

int pthread_condattr_setpshared(void *attributes, int shared) {
    return fathom_one_of(shared, 2);
}

int pthread_condattr_setclock(void *attributes, int clock) {
    return fathom_one_of(clock, 2);
}

int pthread_cond_init(struct fathom_condition *condition, const void *attributes) {
    __VERIFIER_atomic_begin();
    condition->waiting = 0;
    condition->woken = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_cond_destroy(struct fathom_condition *condition) {
    __VERIFIER_atomic_begin();
    fathom_require_lock("a condition is destroyed while a thread waits for it", condition->waiting == 0);
    __VERIFIER_atomic_end();
    return 0;
}

// What comes first when a thread waits: it is among those who wait, and the mutex is free, in one step.
static int fathom_begin_wait(struct fathom_condition *condition, struct fathom_mutex *mutex, unsigned long long self) {
    __VERIFIER_atomic_begin();
    int error = pthread_mutex_unlock(mutex);
    if (error == 0)
        condition->waiting |= self;
    __VERIFIER_atomic_end();
    return error;
}

static int fathom_end_wait(struct fathom_condition *condition, unsigned long long self, int is_patient) {
    __VERIFIER_atomic_begin();
    int is_woken = (condition->woken & self) != 0;
    fathom_await(is_woken | !is_patient);
    condition->woken &= ~self;
    condition->waiting &= ~self;
    __VERIFIER_atomic_end();
    return is_woken;
}

int pthread_cond_wait(struct fathom_condition *condition, struct fathom_mutex *mutex) {
    unsigned long long self = fathom_own_bit();
    int error = fathom_begin_wait(condition, mutex, self);
    if (error != 0)
        return error;
    // POSIX lets it wake without a reason.
    if (fathom_choice())
        fathom_end_wait(condition, self, 1);
    else
        fathom_end_wait(condition, self, 0);
    pthread_mutex_lock(mutex);
    return 0;
}

int pthread_cond_timedwait(struct fathom_condition *condition, struct fathom_mutex *mutex, const void *until) {
    unsigned long long self = fathom_own_bit();
    int error = fathom_begin_wait(condition, mutex, self);
    if (error != 0)
        return error;
    // Others may run now; however long that takes, the time may be over afterwards, or it wakes without a reason, but not if
    // the time was over from the start.
    int is_woken = fathom_end_wait(condition, self, 0) || (fathom_choice() && *(const long *)until > 0);
    pthread_mutex_lock(mutex);
    return is_woken ? 0 : FATHOM_TIMEOUT;
}

int pthread_cond_signal(struct fathom_condition *condition) {
    __VERIFIER_atomic_begin();
    unsigned long long waiting = condition->waiting, chosen = waiting;
    // Any of those who wait.
    for (unsigned bit = 0; bit < 64 && (chosen & (chosen - 1)); bit++) {
        unsigned long long one = 1ull << bit;
        if (chosen & one)
            chosen = fathom_choice() ? one : chosen & ~one;
    }
    condition->waiting = waiting & ~chosen;
    condition->woken |= chosen;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_cond_broadcast(struct fathom_condition *condition) {
    __VERIFIER_atomic_begin();
    condition->woken |= condition->waiting;
    condition->waiting = 0;
    __VERIFIER_atomic_end();
    return 0;
}

// ---- barriers

int pthread_barrierattr_init(void *attributes) {
    return 0;
}

int pthread_barrierattr_destroy(void *attributes) {
    return 0;
}

int pthread_barrierattr_setpshared(void *attributes, int shared) {
    return fathom_one_of(shared, 2);
}

int pthread_barrier_init(struct fathom_barrier *barrier, const void *attributes, unsigned count) {
    if (count == 0)
        return FATHOM_INVALID;
    __VERIFIER_atomic_begin();
    barrier->count = count;
    barrier->waiting = 0;
    barrier->rounds = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_barrier_destroy(struct fathom_barrier *barrier) {
    __VERIFIER_atomic_begin();
    fathom_require_lock("a barrier is destroyed while a thread waits at it", barrier->waiting == 0);
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_barrier_wait(struct fathom_barrier *barrier) {
    __VERIFIER_atomic_begin();
    unsigned round = barrier->rounds;
    barrier->waiting++;
    int is_last = barrier->waiting == barrier->count;
    if (is_last) {
        barrier->waiting = 0;
        barrier->rounds++;
    }
    __VERIFIER_atomic_end();
    if (is_last)
        return -1;
    __VERIFIER_atomic_begin();
    fathom_await(barrier->rounds != round);
    __VERIFIER_atomic_end();
    return 0;
}

// ---- read-write locks

int pthread_rwlockattr_init(void *attributes) {
    return 0;
}

int pthread_rwlockattr_destroy(void *attributes) {
    return 0;
}

int pthread_rwlockattr_setpshared(void *attributes, int shared) {
    return fathom_one_of(shared, 2);
}

int pthread_rwlock_init(struct fathom_rwlock *lock, const void *attributes) {
    __VERIFIER_atomic_begin();
    lock->writer = 0;
    lock->readers = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(struct fathom_rwlock *lock) {
    __VERIFIER_atomic_begin();
    fathom_require_lock("a read-write lock is destroyed while a thread has it", (lock->writer == 0) & (lock->readers == 0));
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_rdlock(struct fathom_rwlock *lock) {
    __VERIFIER_atomic_begin();
    if (lock->writer == (int)fathom_thread_self()) {
        __VERIFIER_atomic_end();
        return FATHOM_DEADLOCK;
    }
    fathom_await(!lock->writer);
    lock->readers++;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(struct fathom_rwlock *lock) {
    int self = (int)fathom_thread_self();
    __VERIFIER_atomic_begin();
    if (lock->writer == self) {
        __VERIFIER_atomic_end();
        return FATHOM_DEADLOCK;
    }
    fathom_await(!lock->writer && lock->readers == 0);
    lock->writer = self;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(struct fathom_rwlock *lock) {
    int result = FATHOM_BUSY;
    __VERIFIER_atomic_begin();
    if (!lock->writer) {
        lock->readers++;
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_trywrlock(struct fathom_rwlock *lock) {
    int result = FATHOM_BUSY;
    __VERIFIER_atomic_begin();
    if (!lock->writer && lock->readers == 0) {
        lock->writer = (int)fathom_thread_self();
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

static int fathom_has_for_writing(const struct fathom_rwlock *lock) {
    __VERIFIER_atomic_begin();
    int writer = lock->writer;
    __VERIFIER_atomic_end();
    return writer == (int)fathom_thread_self();
}

static int fathom_in_time(int result) {
    return result == FATHOM_BUSY ? FATHOM_TIMEOUT : result;
}

int pthread_rwlock_timedrdlock(struct fathom_rwlock *lock, const void *until) {
    return fathom_has_for_writing(lock) ? FATHOM_DEADLOCK : fathom_in_time(pthread_rwlock_tryrdlock(lock));
}

int pthread_rwlock_timedwrlock(struct fathom_rwlock *lock, const void *until) {
    return fathom_has_for_writing(lock) ? FATHOM_DEADLOCK : fathom_in_time(pthread_rwlock_trywrlock(lock));
}

int pthread_rwlock_unlock(struct fathom_rwlock *lock) {
    __VERIFIER_atomic_begin();
    fathom_require_lock("a read-write lock is unlocked by a thread that does not have it",
                        (lock->writer == (int)fathom_thread_self()) | ((lock->writer == 0) & (lock->readers > 0)));
    if (lock->writer)
        lock->writer = 0;
    else if (lock->readers > 0)
        lock->readers--;
    __VERIFIER_atomic_end();
    return 0;
}

// ---- spin locks

int pthread_spin_init(int *lock, int shared) {
    __VERIFIER_atomic_begin();
    *lock = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_destroy(int *lock) {
    return 0;
}

int pthread_spin_lock(int *lock) {
    __VERIFIER_atomic_begin();
    fathom_lock_wanted(lock);
    fathom_await(*lock == 0);
    *lock = 1;
    fathom_lock_taken(lock);
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_trylock(int *lock) {
    int result = FATHOM_BUSY;
    __VERIFIER_atomic_begin();
    fathom_lock_looked_at(lock);
    fathom_lock_wanted(lock);
    if (*lock == 0) {
        *lock = 1;
        fathom_lock_taken(lock);
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_spin_unlock(int *lock) {
    __VERIFIER_atomic_begin();
    fathom_lock_wanted(lock);
    fathom_require_lock("a spin lock is unlocked that nobody has", *lock != 0);
    *lock = 0;
    fathom_lock_released(lock);
    __VERIFIER_atomic_end();
    return 0;
}

// ---- semaphores

// The greatest value of a semaphore.
enum { FATHOM_MOST = 0x7FFFFFFF };

int sem_init(unsigned *semaphore, int shared, unsigned value) {
    if (value > FATHOM_MOST) {
        errno = FATHOM_INVALID;
        return -1;
    }
    __VERIFIER_atomic_begin();
    *semaphore = value;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_destroy(unsigned *semaphore) {
    return 0;
}

int sem_wait(unsigned *semaphore) {
    __VERIFIER_atomic_begin();
    fathom_await(*semaphore > 0);
    --*semaphore;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_trywait(unsigned *semaphore) {
    int result = -1;
    __VERIFIER_atomic_begin();
    if (*semaphore > 0) {
        --*semaphore;
        result = 0;
    }
    __VERIFIER_atomic_end();
    if (result < 0)
        errno = FATHOM_AGAIN;
    return result;
}

int sem_timedwait(unsigned *semaphore, const void *until) {
    int result = sem_trywait(semaphore);
    if (result < 0)
        errno = FATHOM_TIMEOUT;
    return result;
}

int sem_post(unsigned *semaphore) {
    __VERIFIER_atomic_begin();
    int is_full = *semaphore == FATHOM_MOST;
    *semaphore += !is_full;
    __VERIFIER_atomic_end();
    if (is_full)
        errno = fathom_EOVERFLOW;
    return -is_full;
}

int sem_getvalue(unsigned *semaphore, int *value) {
    __VERIFIER_atomic_begin();
    int current = (int)*semaphore;
    __VERIFIER_atomic_end();
    *value = current;
    return 0;
}

// ---- once, and values of a thread

int pthread_once(int *control, void (*routine)(void)) {
    __VERIFIER_atomic_begin();
    int is_first = *control == 0;
    if (is_first)
        *control = 1;
    __VERIFIER_atomic_end();
    if (is_first) {
        routine();
        __VERIFIER_atomic_begin();
        *control = 2;
        __VERIFIER_atomic_end();
    } else {
        __VERIFIER_atomic_begin();
        fathom_await(*control == 2);
        __VERIFIER_atomic_end();
    }
    return 0;
}

enum { FATHOM_KEYS = 128 };
static __thread void *fathom_values[FATHOM_KEYS];
static unsigned fathom_key_count;
static void (*fathom_destructors[FATHOM_KEYS])(void *);
static char fathom_is_deleted[FATHOM_KEYS];

static int fathom_is_no_key(unsigned key) {
    return key >= fathom_key_count || fathom_is_deleted[key];
}

// Values that destructors leave behind are tried again, four times in all.
static void fathom_run_destructors(void) {
    for (int round = 0; round < 4; round++)
        for (unsigned key = 0; key < fathom_key_count; key++) {
            void *value = fathom_values[key];
            if (value == 0 || fathom_destructors[key] == 0)
                continue;
            fathom_values[key] = 0;
            fathom_destructors[key](value);
        }
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    __VERIFIER_atomic_begin();
    unsigned number = fathom_key_count;
    fathom_key_count = number + 1;
    __VERIFIER_atomic_end();
    if (number >= FATHOM_KEYS)
        fathom_unsupported("more than 128 keys of threads' values");
    fathom_destructors[number] = destructor;
    *key = number;
    return 0;
}

// Its number is not given to another key.
int pthread_key_delete(unsigned key) {
    if (fathom_is_no_key(key))
        return FATHOM_INVALID;
    fathom_is_deleted[key] = 1;
    fathom_destructors[key] = 0;
    return 0;
}

int pthread_setspecific(unsigned key, void *value) {
    if (fathom_is_no_key(key))
        return FATHOM_INVALID;
    fathom_values[key] = value;
    return 0;
}

void *pthread_getspecific(unsigned key) {
    return fathom_is_no_key(key) ? 0 : fathom_values[key];
}
