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
    fathom_ledger("no signals", "");
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

// What abort does first; Fathom calls it where abort is called and where an assertion fails.
void fathom_run_abort_handler(void) {
    fathom_action *action = fathom_actions[6];
    if (action != 0 && action != (fathom_action *)1)
        action(6);
}

unsigned alarm(unsigned seconds) {
    fathom_ledger("no signals", "");
    return 0;
}

// ---- variables of the environment: unset or any text, and from then on the same until the program changes it

extern int fathom_closed_world;
size_t strlen(const char *s);

struct fathom_variable {
    const char *name; // not null-terminated: up to `length`
    size_t length;
    char *value; // null: unset
    struct fathom_variable *next;
};
static struct fathom_variable *fathom_variables;
static int fathom_environment_is_empty;

// With a closed world whoever walks the environment finds nothing there (Fathom notes that in the ledger); otherwise
// the start of the program makes it lead to an arbitrary array.
static char *fathom_no_variables[1];
char **environ = fathom_no_variables;

static struct fathom_variable *fathom_find_variable(const char *name, size_t length) {
    for (struct fathom_variable *v = fathom_variables; v != 0; v = v->next) {
        size_t i = 0;
        while (i < length && i < v->length && v->name[i] == name[i])
            i++;
        if (i == length && i == v->length)
            return v;
    }
    return 0;
}

static char *fathom_copy_text(const char *text, size_t length) {
    char *copy = fathom_heap(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

static struct fathom_variable *fathom_add_variable(const char *name, size_t length, char *value) {
    struct fathom_variable *v = fathom_heap(sizeof *v);
    v->name = fathom_copy_text(name, length);
    v->length = length;
    v->value = value;
    v->next = fathom_variables;
    fathom_variables = v;
    return v;
}

// Linux takes texts of up to 128 KiB, with the name.
static char *fathom_any_value(void) {
    if (fathom_closed_world || fathom_environment_is_empty || fathom_any_int("getenv") == 0)
        return 0;
    size_t length = (size_t)fathom_any_long("getenv");
    __VERIFIER_assume(length < 131072);
    // What is never written is arbitrary, and costs nothing before it is read.
    char *text = fathom_heap(length + 1);
    text[length] = 0;
    return text;
}

char *getenv(const char *name) {
    size_t length = strlen(name);
    struct fathom_variable *v = fathom_find_variable(name, length);
    if (v == 0)
        v = fathom_add_variable(name, length, fathom_any_value());
    return v->value;
}

char *secure_getenv(const char *name) {
    return getenv(name);
}

static int fathom_is_no_name(const char *name) {
    if (name == 0 || *name == 0)
        return 1;
    for (; *name != 0; name++)
        if (*name == '=')
            return 1;
    return 0;
}

static void fathom_set_variable(const char *name, size_t length, char *value) {
    struct fathom_variable *v = fathom_find_variable(name, length);
    if (v == 0)
        fathom_add_variable(name, length, value);
    else
        v->value = value;
}

int setenv(const char *name, const char *value, int overwrite) {
    if (fathom_is_no_name(name)) {
        errno = fathom_EINVAL;
        return -1;
    }
    if (!overwrite && getenv(name) != 0)
        return 0;
    fathom_set_variable(name, strlen(name), fathom_copy_text(value, strlen(value)));
    return 0;
}

int unsetenv(const char *name) {
    if (fathom_is_no_name(name)) {
        errno = fathom_EINVAL;
        return -1;
    }
    fathom_set_variable(name, strlen(name), 0);
    return 0;
}

// The text itself becomes part of the environment.
int putenv(char *text) {
    size_t length = 0;
    while (text[length] != 0 && text[length] != '=')
        length++;
    fathom_set_variable(text, length, text[length] == 0 ? 0 : text + length + 1);
    return 0;
}

int clearenv(void) {
    fathom_variables = 0;
    fathom_environment_is_empty = 1;
    return 0;
}

// ---- locales: there is the C locale

char *setlocale(int category, const char *name) {
    if (name != 0 && *name != 0 && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
        return 0;
    fathom_ledger("locale is C", "");
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
