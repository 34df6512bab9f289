// getopt and getopt_long. Arguments that are no options are moved behind the options, as GNU does it, unless the
// option text starts with '+' (stop there) or '-' (give each as the argument of option 1).
#include "fathom.h"

int strncmp(const char *a, const char *b, size_t n);
size_t strlen(const char *s);
char *strchr(const char *s, int c);
char *getenv(const char *name);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static int fathom_inside; // position in a group like -abc

struct fathom_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

// Arguments from `fathom_first` up to `fathom_last` are no options and were skipped.
static int fathom_first = 1, fathom_last = 1;

// They change places with the options that were found behind them.
static void fathom_exchange(char *const *const_arguments) {
    char **arguments = (char **)const_arguments;
    int skipped = fathom_last - fathom_first;
    for (int i = fathom_last; i < optind; i++) {
        char *moved = arguments[i];
        for (int k = i; k > i - skipped; k--)
            arguments[k] = arguments[k - 1];
        arguments[i - skipped] = moved;
    }
    fathom_first += optind - fathom_last;
    fathom_last = optind;
}

static int fathom_short(int count, char *const *arguments, const char *options, int missing) {
    char *group = arguments[optind];
    if (fathom_inside == 0)
        fathom_inside = 1;
    int c = (byte)group[fathom_inside++];
    int is_last = group[fathom_inside] == 0;
    const char *found = c == ':' || c == ';' ? 0 : strchr(options, c);
    if (is_last && (found == 0 || found[1] != ':')) {
        optind++;
        fathom_inside = 0;
    }
    if (found == 0) {
        optopt = c;
        return '?';
    }
    optarg = 0;
    if (found[1] != ':')
        return c;
    if (!is_last) {
        optarg = group + fathom_inside;
        optind++;
    } else {
        optind++;
        if (found[2] != ':') {
            if (optind >= count) {
                fathom_inside = 0;
                optopt = c;
                return missing;
            }
            optarg = arguments[optind++];
        }
    }
    fathom_inside = 0;
    return c;
}

static int fathom_long(int count, char *const *arguments, int dashes, const struct fathom_option *table, int *index,
                       int missing) {
    const char *name = arguments[optind] + dashes;
    size_t length = 0;
    while (name[length] != 0 && name[length] != '=')
        length++;
    int match = -1, matches = 0, exact = 0;
    for (int i = 0; table[i].name != 0; i++) {
        if (strncmp(table[i].name, name, length) != 0)
            continue;
        if (strlen(table[i].name) == length) {
            match = i;
            exact = 1;
            break;
        }
        if (matches == 0)
            match = i;
        else if (table[i].has_argument != table[match].has_argument || table[i].flag != table[match].flag
                 || table[i].value != table[match].value)
            matches = 2;
        if (matches == 0)
            matches = 1;
    }
    if (match < 0 || (!exact && matches != 1)) {
        optopt = 0;
        optind++;
        return match < 0 && dashes == 1 ? -2 : '?';
    }
    optind++;
    optarg = 0;
    const struct fathom_option *o = &table[match];
    if (name[length] == '=') {
        if (o->has_argument == 0) {
            optopt = o->value;
            return '?';
        }
        optarg = (char *)name + length + 1;
    } else if (o->has_argument == 1) {
        if (optind >= count) {
            optopt = o->value;
            return missing;
        }
        optarg = arguments[optind++];
    }
    if (index != 0)
        *index = match;
    if (o->flag != 0) {
        *o->flag = o->value;
        return 0;
    }
    return o->value;
}

static int fathom_option_at(int count, char *const *arguments, const char *options, const struct fathom_option *table,
                            int *index, int only) {
    int missing = options[0] == ':' ? ':' : '?';
    char *argument = arguments[optind];
    if (fathom_inside == 0 && table != 0 && (argument[1] == '-' || only)) {
        int dashes = argument[1] == '-' ? 2 : 1;
        if (dashes == 2 || argument[2] != 0 || strchr(options, argument[1]) == 0) {
            int before = optind, result = fathom_long(count, arguments, dashes, table, index, missing);
            if (result != -2)
                return result;
            if (strchr(options, argument[1]) == 0)
                return '?';
            optind = before;
        }
    }
    return fathom_short(count, arguments, options, missing);
}

static int fathom_is_plain(const char *argument) {
    return argument[0] != '-' || argument[1] == 0;
}

static int fathom_getopt(int count, char *const *arguments, const char *options, const struct fathom_option *table,
                         int *index, int only) {
    int in_order = options[0] == '-', stops = options[0] == '+';
    options += in_order | stops;
    optarg = 0;
    if (optind == 0) {
        optind = fathom_first = fathom_last = 1;
        fathom_inside = 0;
    }
    if (fathom_inside != 0)
        return fathom_option_at(count, arguments, options, table, index, only);
    if (fathom_last > optind)
        fathom_last = optind;
    if (fathom_first > optind)
        fathom_first = optind;
    if (!in_order && !stops) {
        if (fathom_first != fathom_last && fathom_last != optind)
            fathom_exchange(arguments);
        else if (fathom_last != optind)
            fathom_first = optind;
        while (optind < count && fathom_is_plain(arguments[optind]))
            optind++;
        fathom_last = optind;
    }
    if (optind < count && arguments[optind][0] == '-' && arguments[optind][1] == '-' && arguments[optind][2] == 0) {
        optind++;
        if (fathom_first != fathom_last && fathom_last != optind)
            fathom_exchange(arguments);
        else if (fathom_first == fathom_last)
            fathom_first = optind;
        fathom_last = optind = count;
    }
    if (optind >= count) {
        if (fathom_first != fathom_last)
            optind = fathom_first;
        return -1;
    }
    if (fathom_is_plain(arguments[optind])) {
        if (stops)
            return -1;
        optarg = arguments[optind++];
        return 1;
    }
    return fathom_option_at(count, arguments, options, table, index, only);
}

int getopt(int count, char *const *arguments, const char *options) {
    return fathom_getopt(count, arguments, options, 0, 0, 0);
}

int getopt_long(int count, char *const *arguments, const char *options, const struct fathom_option *table, int *index) {
    return fathom_getopt(count, arguments, options, table, index, 0);
}

int getopt_long_only(int count, char *const *arguments, const char *options, const struct fathom_option *table,
                     int *index) {
    return fathom_getopt(count, arguments, options, table, index, 1);
}
