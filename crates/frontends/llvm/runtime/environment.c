// The environment and the locale.
#include "fathom.h"

int strcmp(const char *a, const char *b);

// ---- variables of the environment: unset or any text, and from then on the same until the program changes it. A program that
// walks the array of all variables has that array, and what getenv finds is in it; others don't pay for it.

extern int fathom_closed_world;
int fathom_environment_is_walked; // set by Fathom
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

// Values stand behind NAME= in the environment: they are no objects of their own.
static char *fathom_new_value(size_t length) {
    char *text = fathom_heap(length + 2);
    text[0] = '=';
    text[length + 1] = 0;
    return text + 1;
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
    return fathom_new_value(length);
}

// Where the array has the text NAME=VALUE.
static char **fathom_entry(const char *name, size_t length) {
    if (environ == 0)
        return 0;
    for (char **entry = environ; *entry != 0; entry++) {
        size_t i = 0;
        while (i < length && (*entry)[i] == name[i])
            i++;
        if (i == length && (*entry)[i] == '=')
            return entry;
    }
    return 0;
}

static void fathom_set_entry(const char *name, size_t length, char *text) {
    char **entry = fathom_entry(name, length);
    if (entry != 0) {
        *entry = text;
        return;
    }
    size_t count = 0;
    while (environ != 0 && environ[count] != 0)
        count++;
    char **all = fathom_heap((count + 2) * sizeof *all);
    if (count > 0)
        memcpy(all, environ, count * sizeof *all);
    all[count] = text;
    all[count + 1] = 0;
    environ = all;
}

static void fathom_remove_entries(const char *name, size_t length) {
    char **entry;
    while ((entry = fathom_entry(name, length)) != 0)
        for (; *entry != 0; entry++)
            *entry = entry[1];
}

char *getenv(const char *name) {
    size_t length = strlen(name);
    if (length == 0)
        return 0;
    if (fathom_environment_is_walked) {
        char **entry = fathom_entry(name, length);
        return entry == 0 ? 0 : *entry + length + 1;
    }
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
    size_t length = strlen(name), more = strlen(value);
    if (fathom_environment_is_walked) {
        char *text = fathom_heap(length + more + 2);
        memcpy(text, name, length);
        text[length] = '=';
        memcpy(text + length + 1, value, more + 1);
        fathom_set_entry(name, length, text);
    } else
        fathom_set_variable(name, length, memcpy(fathom_new_value(more), value, more));
    return 0;
}

// Under --malloc-may-fail.
int fathom_allocation_fails(void);
int fathom_failing_setenv(const char *name, const char *value, int overwrite) {
    return !fathom_is_no_name(name) && fathom_allocation_fails() ? -1 : setenv(name, value, overwrite);
}

int unsetenv(const char *name) {
    if (fathom_is_no_name(name)) {
        errno = fathom_EINVAL;
        return -1;
    }
    if (fathom_environment_is_walked)
        fathom_remove_entries(name, strlen(name));
    else
        fathom_set_variable(name, strlen(name), 0);
    return 0;
}

// The text itself becomes part of the environment; without a value it takes the variable away.
int putenv(char *text) {
    size_t length = 0;
    while (text[length] != 0 && text[length] != '=')
        length++;
    if (!fathom_environment_is_walked)
        fathom_set_variable(text, length, text[length] == 0 ? 0 : text + length + 1);
    else if (text[length] == 0)
        fathom_remove_entries(text, length);
    else
        fathom_set_entry(text, length, text);
    return 0;
}

int fathom_failing_putenv(char *text) {
    return fathom_allocation_fails() ? -1 : putenv(text);
}

int clearenv(void) {
    if (fathom_environment_is_walked)
        environ = 0;
    fathom_variables = 0;
    fathom_environment_is_empty = 1;
    return 0;
}

// ---- locales: there is the C locale

// Another one may be there; that it changes nothing but its name is assumed.
char *setlocale(int category, const char *name) {
    static char *current = "C";
    fathom_ledger("locale is C", "");
    if (category < 0 || category > 12) {
        errno = fathom_EINVAL;
        return 0;
    }
    if (name == 0)
        return current;
    // The environment may name one that is not there.
    if (*name == 0)
        return fathom_any_int("setlocale") == 0 ? 0 : (current = "C");
    if (strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0)
        return current = "C";
    if (fathom_any_int("setlocale") == 0)
        return 0;
    // The name is no object that the program could free.
    size_t length = strlen(name);
    return current = memcpy(fathom_new_value(length), name, length);
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
