// Signals: nobody sends any but the program itself. One that is blocked waits until it is not. Masks belong to threads; what
// kill sends to the own process is taken by the thread that calls it.
#include "fathom.h"

typedef void fathom_action(int);
#define fathom_IGNORE ((fathom_action *)1)

enum { fathom_SIGABRT = 6, fathom_SIGKILL = 9, fathom_SIGALRM = 14, fathom_SIGSTOP = 19 };
enum { fathom_SA_SIGINFO = 4, fathom_SA_RESTART = 0x10000000, fathom_SA_INTERRUPT = 0x20000000, fathom_SA_NODEFER = 0x40000000,
       fathom_SA_RESETHAND = (int)0x80000000 };
// What sigaction tells of every disposition that was set: glibc's way back from handlers.
enum { fathom_SA_RESTORER = sizeof(long) == 8 ? 0x04000000 : 0 };

// Of sigset_t only the first 64 bits mean something.
struct fathom_signal_set {
    unsigned long words[128 / sizeof(long)];
};

struct fathom_sigaction {
    fathom_action *action;
    struct fathom_signal_set mask;
    int flags;
    void (*restorer)(void);
};

static struct fathom_disposition {
    fathom_action *action;
    u64 mask;
    int flags;
} fathom_dispositions[65];
static __thread u64 fathom_blocked, fathom_waiting_signals;
static unsigned fathom_alarm_is_set;

static u64 fathom_signal_bit(int number) {
    return 1ull << (number - 1);
}

static u64 fathom_bits_of_set(const struct fathom_signal_set *set) {
    return sizeof(long) == 8 ? set->words[0] : set->words[0] | (u64)set->words[1] << 32;
}

static void fathom_set_bits(struct fathom_signal_set *set, u64 bits) {
    set->words[0] = (unsigned long)bits;
    if (sizeof(long) == 4)
        set->words[1] = (unsigned long)(bits >> 32);
}

static int fathom_refuse(void) {
    errno = fathom_EINVAL;
    return -1;
}

static int fathom_is_no_signal(int number) {
    return number < 1 || number > 64;
}

// glibc keeps two for itself.
static int fathom_is_no_signal_of_the_program(int number) {
    return fathom_is_no_signal(number) || number == 32 || number == 33;
}

// SIGKILL and SIGSTOP can't be handled or blocked.
static int fathom_is_unstoppable(int number) {
    return number == fathom_SIGKILL || number == fathom_SIGSTOP;
}

static int fathom_is_ignored(int number) {
    fathom_action *action = fathom_dispositions[number].action;
    int is_ignored_by_default = number == 17 || number == 18 || number == 23 || number == 28;
    return action == fathom_IGNORE || (action == 0 && is_ignored_by_default);
}

static fathom_action *fathom_handle(int number, fathom_action *action, u64 mask, int flags) {
    fathom_ledger("no signals", "");
    if (number == fathom_SIGALRM && fathom_alarm_is_set && action != 0 && action != fathom_IGNORE)
        fathom_unsupported("an alarm that the program handles");
    struct fathom_disposition *d = &fathom_dispositions[number];
    fathom_action *old = d->action;
    d->action = action;
    d->mask = mask;
    d->flags = flags | fathom_SA_RESTORER;
    // One that waits is forgotten.
    if (fathom_is_ignored(number))
        fathom_waiting_signals &= ~fathom_signal_bit(number);
    return old;
}

static fathom_action *fathom_signal(int number, fathom_action *action, int flags) {
    if (fathom_is_no_signal_of_the_program(number) || fathom_is_unstoppable(number)) {
        fathom_refuse();
        return (fathom_action *)-1;
    }
    return fathom_handle(number, action, flags & fathom_SA_NODEFER ? 0 : fathom_signal_bit(number), flags);
}

fathom_action *signal(int number, fathom_action *action) {
    return fathom_signal(number, action, fathom_SA_RESTART);
}

fathom_action *bsd_signal(int number, fathom_action *action) {
    return fathom_signal(number, action, fathom_SA_RESTART);
}

// What signal is called in strict modes of the language: the handler runs once.
fathom_action *__sysv_signal(int number, fathom_action *action) {
    return fathom_signal(number, action, fathom_SA_RESETHAND | fathom_SA_NODEFER | fathom_SA_INTERRUPT);
}

int sigaction(int number, const struct fathom_sigaction *new, struct fathom_sigaction *old) {
    if (fathom_is_no_signal_of_the_program(number) || (new != 0 && fathom_is_unstoppable(number)))
        return fathom_refuse();
    struct fathom_disposition before = fathom_dispositions[number];
    if (new != 0)
        fathom_handle(number, new->action, fathom_bits_of_set(&new->mask), new->flags);
    if (old != 0) {
        old->action = before.action;
        fathom_set_bits(&old->mask, before.mask);
        old->flags = before.flags;
    }
    return 0;
}

static void fathom_run_handler(int number) {
    struct fathom_disposition *d = &fathom_dispositions[number];
    fathom_action *action = d->action;
    if (d->flags & fathom_SA_SIGINFO)
        fathom_unsupported("a handler with information about its signal");
    u64 before = fathom_blocked;
    fathom_blocked |= d->mask;
    if (!(d->flags & fathom_SA_NODEFER))
        fathom_blocked |= fathom_signal_bit(number);
    if (d->flags & fathom_SA_RESETHAND)
        d->action = 0;
    action(number);
    fathom_blocked = before;
}

static void fathom_deliver(int number) {
    if (fathom_is_ignored(number))
        return;
    if (fathom_dispositions[number].action == 0) {
        if (number >= fathom_SIGSTOP && number <= 22)
            fathom_unsupported("a signal that stops the program");
        // The program dies of this signal, not of SIGABRT.
        fathom_dispositions[fathom_SIGABRT].action = 0;
        abort();
    }
    fathom_run_handler(number);
}

static void fathom_deliver_waiting(void) {
    for (int number = 1; number <= 64 && fathom_waiting_signals != 0; number++) {
        u64 bit = fathom_signal_bit(number);
        if ((fathom_waiting_signals & bit) != 0 && (fathom_blocked & bit) == 0) {
            fathom_waiting_signals &= ~bit;
            fathom_deliver(number);
            number = 0;
        }
    }
}

int raise(int number) {
    if (number == 0)
        return 0;
    if (fathom_is_no_signal_of_the_program(number))
        return fathom_refuse();
    if ((fathom_blocked & fathom_signal_bit(number)) == 0)
        fathom_deliver(number);
    else if (!fathom_is_ignored(number))
        fathom_waiting_signals |= fathom_signal_bit(number);
    fathom_deliver_waiting();
    return 0;
}

int getpid(void);

// To the own process, or a group that it belongs to; whether others exist is not known.
int kill(int process, int number) {
    if (number != 0 && fathom_is_no_signal(number))
        return fathom_refuse();
    int is_for_self = process == 0 || process == getpid();
    if (!is_for_self && (process >= -1 || fathom_any_int("kill") == 0))
        return fathom_outcome(fathom_any_int("kill"), fathom_error(1) | fathom_error(3));
    if (number != 32 && number != 33)
        return raise(number);
    // Nobody can handle these, so they end the program.
    fathom_dispositions[fathom_SIGABRT].action = 0;
    abort();
}

// What abort does first; Fathom calls it where abort is called and where an assertion fails.
void fathom_run_abort_handler(void) {
    fathom_action *action = fathom_dispositions[fathom_SIGABRT].action;
    if (action != 0 && action != fathom_IGNORE)
        fathom_run_handler(fathom_SIGABRT);
}

// What the processor sends where it can't go on. Fathom calls it in front of such places, in programs that may handle that.
void fathom_fault_unless(int is_fine, int number) {
    if (is_fine)
        return;
    fathom_action *action = fathom_dispositions[number].action;
    if (action == 0 || action == fathom_IGNORE || (fathom_blocked & fathom_signal_bit(number)) != 0) {
        fathom_dispositions[fathom_SIGABRT].action = 0;
        abort();
    }
    fathom_run_handler(number);
    fathom_unsupported("going on behind the handler of a fault");
}

unsigned alarm(unsigned seconds) {
    fathom_action *action = fathom_dispositions[fathom_SIGALRM].action;
    if (seconds > 0 && action != 0 && action != fathom_IGNORE)
        fathom_unsupported("an alarm that the program handles");
    fathom_ledger("no signals", "");
    unsigned left = fathom_alarm_is_set ? (unsigned)fathom_any_int("alarm") : 0;
    __VERIFIER_assume(left <= fathom_alarm_is_set);
    fathom_alarm_is_set = seconds;
    return left;
}

// ---- sets and masks

int sigemptyset(struct fathom_signal_set *set) {
    fathom_set_bits(set, 0);
    return 0;
}

int sigfillset(struct fathom_signal_set *set) {
    // Without the two that glibc keeps for itself.
    fathom_set_bits(set, ~(fathom_signal_bit(32) | fathom_signal_bit(33)));
    return 0;
}

int sigaddset(struct fathom_signal_set *set, int number) {
    if (fathom_is_no_signal_of_the_program(number))
        return fathom_refuse();
    fathom_set_bits(set, fathom_bits_of_set(set) | fathom_signal_bit(number));
    return 0;
}

int sigdelset(struct fathom_signal_set *set, int number) {
    if (fathom_is_no_signal_of_the_program(number))
        return fathom_refuse();
    fathom_set_bits(set, fathom_bits_of_set(set) & ~fathom_signal_bit(number));
    return 0;
}

int sigismember(const struct fathom_signal_set *set, int number) {
    if (fathom_is_no_signal(number))
        return fathom_refuse();
    return (fathom_bits_of_set(set) & fathom_signal_bit(number)) != 0;
}

int sigprocmask(int how, const struct fathom_signal_set *set, struct fathom_signal_set *old) {
    u64 before = fathom_blocked;
    if (set != 0) {
        u64 bits = fathom_bits_of_set(set);
        if (how < 0 || how > 2)
            return fathom_refuse();
        u64 after = how == 0 ? before | bits : how == 1 ? before & ~bits : bits;
        fathom_blocked = after & ~(fathom_signal_bit(fathom_SIGKILL) | fathom_signal_bit(fathom_SIGSTOP));
    }
    if (old != 0)
        fathom_set_bits(old, before);
    fathom_deliver_waiting();
    return 0;
}

int pthread_sigmask(int how, const struct fathom_signal_set *set, struct fathom_signal_set *old) {
    if (set != 0 && (how < 0 || how > 2))
        return fathom_EINVAL;
    return sigprocmask(how, set, old);
}

int sigpending(struct fathom_signal_set *set) {
    fathom_set_bits(set, fathom_waiting_signals);
    return 0;
}

const char *pthread_self(void);

// Other threads would be interrupted.
int pthread_kill(const char *thread, int number) {
    if (number != 0 && fathom_is_no_signal_of_the_program(number))
        return fathom_EINVAL;
    if (thread != pthread_self())
        fathom_unsupported("a signal to another thread");
    raise(number);
    return 0;
}
