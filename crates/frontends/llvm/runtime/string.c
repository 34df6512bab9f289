// <string.h> and <strings.h>, written plainly: byte by byte, never past what C allows to be read. Where all bytes are
// read anyway (memcmp) nothing branches on their values, so symbolic bytes don't fork.
#include "fathom.h"

int fathom_promises_are_exceeded;

// What a comparison gives that found this difference: the library says that, compilers that do it in line anything of its sign.
#define fathom_order(name, difference) \
    (fathom_promises_are_exceeded ? fathom_same_sign(fathom_any_int("bounds of " name), difference) : (difference))

// Equal texts give zero whatever does it.
#define fathom_order_of_texts(name, difference) ((difference) == 0 ? 0 : fathom_order(name, difference))

static int fathom_same_sign(int result, int difference) {
    __VERIFIER_assume(((result > 0) == (difference > 0)) & ((result < 0) == (difference < 0)));
    return result;
}

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

size_t strnlen(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n] != 0)
        n++;
    return n;
}

int memcmp(const void *a, const void *b, size_t n) {
    const byte *x = a, *y = b;
    int result = 0;
    while (n > 0) {
        n--;
        int difference = x[n] - y[n];
        int same = -(difference == 0);
        result = (result & same) | (difference & ~same);
    }
    return fathom_order("memcmp", result);
}

int bcmp(const void *a, const void *b, size_t n) {
    return memcmp(a, b, n);
}

void *memchr(const void *s, int c, size_t n) {
    const byte *x = s;
    for (size_t i = 0; i < n; i++)
        if (x[i] == (byte)c)
            return (void *)(x + i);
    return 0;
}

void *memrchr(const void *s, int c, size_t n) {
    const byte *x = s;
    while (n-- > 0)
        if (x[n] == (byte)c)
            return (void *)(x + n);
    return 0;
}

void *rawmemchr(const void *s, int c) {
    const byte *x = s;
    while (*x != (byte)c)
        x++;
    return (void *)x;
}

void *memmem(const void *s, size_t n, const void *wanted, size_t m) {
    const byte *x = s;
    if (m > n)
        return 0;
    for (size_t i = 0; i <= n - m; i++) {
        size_t j = 0;
        while (j < m && x[i + j] == ((const byte *)wanted)[j])
            j++;
        if (j == m)
            return (void *)(x + i);
    }
    return 0;
}

void *memccpy(void *to, const void *from, int c, size_t n) {
    byte *x = to;
    const byte *y = from;
    for (size_t i = 0; i < n; i++) {
        x[i] = y[i];
        if (y[i] == (byte)c)
            return x + i + 1;
    }
    return 0;
}

char *strcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

char *stpcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to + i;
}

char *stpncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    char *end = to + i;
    for (; i < n; i++)
        to[i] = 0;
    return end;
}

char *strncpy(char *to, const char *from, size_t n) {
    stpncpy(to, from, n);
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t n = 0;
    for (; from[n] != 0; n++)
        if (n + 1 < size)
            to[n] = from[n];
    if (size > 0)
        to[n < size ? n : size - 1] = 0;
    return n;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t start = strnlen(to, size), n = 0;
    for (; from[n] != 0; n++)
        if (start + n + 1 < size)
            to[start + n] = from[n];
    if (start < size)
        to[start + n < size ? start + n : size - 1] = 0;
    return start + n;
}

char *strcat(char *to, const char *from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t n) {
    size_t end = strlen(to), i = 0;
    for (; i < n && from[i] != 0; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

int strcmp(const char *a, const char *b) {
    const byte *x = (const byte *)a, *y = (const byte *)b;
    while (*x != 0 && *x == *y) {
        x++;
        y++;
    }
    return fathom_order_of_texts("strcmp", *x - *y);
}

int strcoll(const char *a, const char *b) {
    return strcmp(a, b);
}

int strncmp(const char *a, const char *b, size_t n) {
    const byte *x = (const byte *)a, *y = (const byte *)b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i] || x[i] == 0)
            return fathom_order_of_texts("strncmp", x[i] - y[i]);
    return 0;
}

size_t strxfrm(char *to, const char *from, size_t size) {
    size_t n = strlen(from);
    for (size_t i = 0; i < size && i <= n; i++)
        to[i] = from[i];
    return n;
}

static int fathom_lower(byte c) {
    return c + 32 * (c >= 'A' & c <= 'Z');
}

int strcasecmp(const char *a, const char *b) {
    const byte *x = (const byte *)a, *y = (const byte *)b;
    while (*x != 0 && fathom_lower(*x) == fathom_lower(*y)) {
        x++;
        y++;
    }
    return fathom_lower(*x) - fathom_lower(*y);
}

int strncasecmp(const char *a, const char *b, size_t n) {
    const byte *x = (const byte *)a, *y = (const byte *)b;
    for (size_t i = 0; i < n; i++) {
        int difference = fathom_lower(x[i]) - fathom_lower(y[i]);
        if (difference != 0 || x[i] == 0)
            return difference;
    }
    return 0;
}

char *strchrnul(const char *s, int c) {
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c) {
    s = strchrnul(s, c);
    return *s == (char)c ? (char *)s : 0;
}

char *index(const char *s, int c) {
    return strchr(s, c);
}

char *strrchr(const char *s, int c) {
    const char *last = 0;
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (*s == 0)
            return (char *)last;
    }
}

char *rindex(const char *s, int c) {
    return strrchr(s, c);
}

char *strstr(const char *s, const char *wanted) {
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] != 0 && s[i] == wanted[i])
            i++;
        if (wanted[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

char *strcasestr(const char *s, const char *wanted) {
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] != 0 && fathom_lower(s[i]) == fathom_lower(wanted[i]))
            i++;
        if (wanted[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

size_t strspn(const char *s, const char *accepted) {
    size_t n = 0;
    while (s[n] != 0 && strchr(accepted, s[n]) != 0)
        n++;
    return n;
}

size_t strcspn(const char *s, const char *rejected) {
    size_t n = 0;
    while (s[n] != 0 && strchr(rejected, s[n]) == 0)
        n++;
    return n;
}

char *strpbrk(const char *s, const char *accepted) {
    s += strcspn(s, accepted);
    return *s != 0 ? (char *)s : 0;
}

char *strtok_r(char *s, const char *separators, char **rest) {
    if (s == 0)
        s = *rest;
    s += strspn(s, separators);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, separators);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return s;
}

char *__strtok_r(char *s, const char *separators, char **rest) {
    return strtok_r(s, separators, rest);
}

char *strtok(char *s, const char *separators) {
    static char *unprotected_rest;
    return strtok_r(s, separators, &unprotected_rest);
}

char *strsep(char **rest, const char *separators) {
    char *start = *rest;
    if (start == 0)
        return 0;
    char *end = start + strcspn(start, separators);
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return start;
}

char *strndup(const char *s, size_t max) {
    size_t n = strnlen(s, max);
    char *copy = malloc(n + 1);
    if (copy == 0)
        return 0;
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    return copy == 0 ? 0 : memcpy(copy, s, n);
}

char *__strdup(const char *s) {
    return strdup(s);
}

char *__strndup(const char *s, size_t max) {
    return strndup(s, max);
}

char *basename(const char *path) {
    const char *slash = strrchr(path, '/');
    return (char *)(slash == 0 ? path : slash + 1);
}

static int fathom_is_separator(const char *path, size_t at) {
    return path[at] == '/';
}

// The other one, of <libgen.h>, which leaves out slashes at the end and writes to its argument.
char *__xpg_basename(char *path) {
    if (path == 0 || path[0] == 0)
        return (char *)".";
    size_t end = strlen(path);
    while (end > 1 && fathom_is_separator(path, end - 1))
        end--;
    if (path[end] != 0 && !(end == 1 && fathom_is_separator(path, 0)))
        path[end] = 0;
    if (end == 1 && fathom_is_separator(path, 0))
        return path + strlen(path) - 1;
    size_t start = end;
    while (start > 0 && !fathom_is_separator(path, start - 1))
        start--;
    return path + start;
}

// Two slashes at the start stay two, as POSIX allows.
char *dirname(char *path) {
    if (path == 0)
        return (char *)".";
    size_t end = strlen(path);
    while (end > 1 && fathom_is_separator(path, end - 1))
        end--;
    if (end <= 1 && fathom_is_separator(path, 0)) {
        path[strlen(path) == 2 ? 2 : 1] = 0;
        return path;
    }
    while (end > 0 && !fathom_is_separator(path, end - 1))
        end--;
    if (end == 0)
        return (char *)".";
    size_t last = end - 1;
    while (last > 0 && fathom_is_separator(path, last - 1))
        last--;
    if (last == 0)
        last = end == 2 ? 2 : 1;
    path[last] = 0;
    return path;
}

int ffsll(long long x) {
    return x == 0 ? 0 : __builtin_ctzll((u64)x) + 1;
}

int ffsl(long x) {
    return ffsll(x);
}

int ffs(int x) {
    return ffsll(x);
}

void swab(const void *from, void *to, ssize_t count) {
    const byte *x = from;
    byte *y = to;
    for (ssize_t i = 0; i + 1 < count; i += 2) {
        byte first = x[i];
        y[i] = x[i + 1];
        y[i + 1] = first;
    }
}

// What clang and gcc make of these with _FORTIFY_SOURCE. The bound is checked by the memory model anyway.
char *__strcpy_chk(char *to, const char *from, size_t room) {
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room) {
    return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
    return strncpy(to, from, n);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room) {
    return stpncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t room) {
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t room) {
    return strncat(to, from, n);
}

size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t room) {
    return strlcpy(to, from, size);
}

size_t __strlcat_chk(char *to, const char *from, size_t size, size_t room) {
    return strlcat(to, from, size);
}

void *__rawmemchr(const void *s, int c) {
    return rawmemchr(s, c);
}

int __strcmp(const char *a, const char *b) {
    return strcmp(a, b);
}
