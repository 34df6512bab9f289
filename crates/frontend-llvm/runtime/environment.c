// Processes, signals and locales, as far as one process that nobody disturbs sees them.
#include "fathom.h"

int strcmp(const char *a, const char *b);


int getpid(void) {
    static int known;
    if (known == 0) {
        known = fathom_any_int("getpid");
        __VERIFIER_assume(known > 0);
    }
    return known;
}

int getppid(void) {
    int id = fathom_any_int("getppid");
    __VERIFIER_assume(id >= 0);
    return id;
}

unsigned getuid(void) {
    static int asked, known;
    if (!asked) {
        asked = 1;
        known = fathom_any_int("getuid");
    }
    return (unsigned)known;
}

unsigned geteuid(void) {
    static int asked, known;
    if (!asked) {
        asked = 1;
        known = fathom_any_int("geteuid");
    }
    return (unsigned)known;
}

// ---- signals: only raise sends any

typedef void fathom_action(int);
static fathom_action *fathom_actions[65];

fathom_action *signal(int number, fathom_action *action) {
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        errno = fathom_EINVAL;
        return (fathom_action *)-1;
    }
    fathom_ledger("no signals arrive but those that the program raises itself");
    fathom_action *old = fathom_actions[number];
    fathom_actions[number] = action;
    return old;
}

fathom_action *__sysv_signal(int number, fathom_action *action) {
    return signal(number, action);
}

fathom_action *bsd_signal(int number, fathom_action *action) {
    return signal(number, action);
}

int raise(int number) {
    if (number == 0)
        return 0;
    if (number < 0 || number > 64) {
        errno = fathom_EINVAL;
        return -1;
    }
    fathom_action *action = fathom_actions[number];
    int is_ignored_by_default = number == 17 || number == 18 || number == 23 || number == 28;
    if (action == (fathom_action *)1 || (action == 0 && is_ignored_by_default))
        return 0;
    if (action == 0)
        abort();
    action(number);
    return 0;
}

unsigned alarm(unsigned seconds) {
    fathom_ledger("no signals arrive but those that the program raises itself");
    return 0;
}

// ---- locales: there is the C locale

char *setlocale(int category, const char *name) {
    if (name != 0 && *name != 0 && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
        return 0;
    fathom_ledger("the locale is \"C\"");
    return "C";
}

struct fathom_lconv {
    const char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point,
        *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
    char rest[14];
};

struct fathom_lconv *localeconv(void) {
    static struct fathom_lconv c = {
        ".", "", "", "", "", "", "", "", "", "",
        {127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127},
    };
    return &c;
}
