// String and memory functions of the C library, written plainly: the verifier executes them.
typedef __SIZE_TYPE__ size_t;

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
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

int bcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return 1;
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

char *strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from) {
    size_t end = 0, i = 0;
    while (to[end] != 0)
        end++;
    while ((to[end + i] = from[i]) != 0)
        i++;
    return to;
}

char *strncat(char *to, const char *from, size_t n) {
    size_t end = 0, i = 0;
    while (to[end] != 0)
        end++;
    for (; i < n && from[i] != 0; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

int strcmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (*x != 0 && *x == *y) {
        x++;
        y++;
    }
    return (*x > *y) - (*x < *y);
}

int strcoll(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (*x != 0 && *x == *y) {
        x++;
        y++;
    }
    return (*x > *y) - (*x < *y);
}

int strncmp(const char *a, const char *b, size_t n) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (size_t i = 0; i < n; i++) {
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
        if (x[i] == 0)
            return 0;
    }
    return 0;
}

static unsigned char fathom_lower(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int strcasecmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (*x != 0 && fathom_lower(*x) == fathom_lower(*y)) {
        x++;
        y++;
    }
    return fathom_lower(*x) - fathom_lower(*y);
}

int strncasecmp(const char *a, const char *b, size_t n) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (size_t i = 0; i < n; i++) {
        int difference = fathom_lower(x[i]) - fathom_lower(y[i]);
        if (difference != 0 || x[i] == 0)
            return difference;
    }
    return 0;
}

char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

char *index(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
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

void *memchr(const void *s, int c, size_t n) {
    const unsigned char *x = s;
    for (size_t i = 0; i < n; i++)
        if (x[i] == (unsigned char)c)
            return (void *)(x + i);
    return 0;
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

size_t strspn(const char *s, const char *accepted) {
    size_t n = 0;
    for (; s[n] != 0; n++) {
        const char *a = accepted;
        while (*a != 0 && *a != s[n])
            a++;
        if (*a == 0)
            break;
    }
    return n;
}

size_t strcspn(const char *s, const char *rejected) {
    size_t n = 0;
    for (; s[n] != 0; n++) {
        const char *r = rejected;
        while (*r != 0 && *r != s[n])
            r++;
        if (*r != 0)
            break;
    }
    return n;
}

char *strpbrk(const char *s, const char *accepted) {
    for (; *s != 0; s++)
        for (const char *a = accepted; *a != 0; a++)
            if (*a == *s)
                return (char *)s;
    return 0;
}

void *malloc(size_t size);

char *strdup(const char *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    char *copy = malloc(n + 1);
    if (copy == 0)
        return 0;
    for (size_t i = 0; i <= n; i++)
        copy[i] = s[i];
    return copy;
}

char *strndup(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n] != 0)
        n++;
    char *copy = malloc(n + 1);
    if (copy == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    copy[n] = 0;
    return copy;
}
