// Wide characters in the C locale: strings of them, their classes, which know ASCII only, and conversions with a state, which
// never has anything in it because every character is one byte.

size_t wcslen(const wchar_t *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

size_t wcsnlen(const wchar_t *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
    return memcpy(to, from, count * sizeof *to);
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    return memmove(to, from, count * sizeof *to);
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t count) {
    return wmemcpy(to, from, count) + count;
}

wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = value;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return 0;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) {
    return wcscpy(to, from) + wcslen(from);
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
    size_t length = wcsnlen(from, n);
    wmemcpy(to, from, length);
    wmemset(to + length, 0, n - length);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
    size_t end = wcslen(to), length = wcsnlen(from, n);
    wmemcpy(to + end, from, length);
    to[end + length] = 0;
    return to;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) {
    return wcsncmp(a, b, (size_t)-1);
}

int wcscoll(const wchar_t *a, const wchar_t *b) {
    return wcscmp(a, b);
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
    for (;; s++) {
        if (*s == c)
            return (wchar_t *)s;
        if (*s == 0)
            return 0;
    }
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    for (size_t i = wcslen(s) + 1; i > 0; i--)
        if (s[i - 1] == c)
            return (wchar_t *)s + i - 1;
    return 0;
}

static size_t fathom_wide_span(const wchar_t *s, const wchar_t *set, int inside) {
    size_t n = 0;
    while (s[n] != 0 && (wcschr(set, s[n]) != 0) == inside)
        n++;
    return n;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set) {
    return fathom_wide_span(s, set, 1);
}

size_t wcscspn(const wchar_t *s, const wchar_t *set) {
    return fathom_wide_span(s, set, 0);
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
    s += wcscspn(s, set);
    return *s != 0 ? (wchar_t *)s : 0;
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
    size_t length = wcslen(part);
    for (;; s++) {
        if (wcsncmp(s, part, length) == 0)
            return (wchar_t *)s;
        if (*s == 0)
            return 0;
    }
}

wchar_t *wcstok(wchar_t *s, const wchar_t *separators, wchar_t **rest) {
    if (s == 0)
        s = *rest;
    if (s == 0)
        return 0;
    s += wcsspn(s, separators);
    if (*s == 0) {
        *rest = 0;
        return 0;
    }
    wchar_t *end = wcspbrk(s, separators);
    if (end != 0)
        *end++ = 0;
    *rest = end;
    return s;
}

int iswalpha(wint_t c) {
    return (c < 128) * isalpha((int)c);
}

int iswalnum(wint_t c) {
    return (c < 128) * isalnum((int)c);
}

int iswdigit(wint_t c) {
    return c < 128 && isdigit((int)c);
}

int iswxdigit(wint_t c) {
    return (c < 128) * isxdigit((int)c);
}

int iswupper(wint_t c) {
    return (c < 128) * isupper((int)c);
}

int iswlower(wint_t c) {
    return (c < 128) * islower((int)c);
}

int iswspace(wint_t c) {
    return (c < 128) * isspace((int)c);
}

int iswblank(wint_t c) {
    return (c < 128) * isblank((int)c);
}

int iswcntrl(wint_t c) {
    return (c < 128) * iscntrl((int)c);
}

int iswprint(wint_t c) {
    return (c < 128) * isprint((int)c);
}

int iswgraph(wint_t c) {
    return (c < 128) * isgraph((int)c);
}

int iswpunct(wint_t c) {
    return (c < 128) * ispunct((int)c);
}

wint_t towupper(wint_t c) {
    return c < 128 ? (wint_t)toupper((int)c) : c;
}

wint_t towlower(wint_t c) {
    return c < 128 ? (wint_t)tolower((int)c) : c;
}

wint_t btowc(int c) {
    return (unsigned)c < 128 ? (wint_t)c : (wint_t)EOF;
}

int wctob(wint_t c) {
    return c < 128 ? (int)c : EOF;
}

int mbsinit(const void *state) {
    return 1;
}

size_t mbrtowc(wchar_t *to, const char *s, size_t n, void *state) {
    if (s == 0)
        return 0;
    return n == 0 ? (size_t)-2 : (size_t)mbtowc(to, s, n);
}

size_t mbrlen(const char *s, size_t n, void *state) {
    return mbrtowc(0, s, n, state);
}

size_t wcrtomb(char *to, wchar_t c, void *state) {
    return to == 0 ? 1 : (size_t)wctomb(to, c);
}

wchar_t *wcsdup(const wchar_t *s) {
    size_t count = wcslen(s) + 1;
    wchar_t *copy = malloc(count * sizeof *copy);
    return copy == 0 ? 0 : wmemcpy(copy, s, count);
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        wint_t x = towlower((wint_t)a[i]), y = towlower((wint_t)b[i]);
        if (x != y)
            return x < y ? -1 : 1;
        if (x == 0)
            return 0;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) {
    return wcsncasecmp(a, b, (size_t)-1);
}

// Numbers are made of ASCII: what is not ends them.
static const char *fathom_narrow(char *to, const wchar_t *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = (wint_t)from[i] < 128 ? (char)from[i] : '\x7f';
    return to;
}

#define fathom_WIDE_NUMBER(type, name, narrow, ...) \
    { \
        size_t count = wcslen(s) + 1; \
        char text[count], *stop; \
        type value = narrow(fathom_narrow(text, s, count), &stop __VA_ARGS__); \
        if (end != 0) \
            *end = (wchar_t *)s + (stop - text); \
        return value; \
    }
#define fathom_WIDE_INTEGER(type, name, narrow) \
    type name(const wchar_t *s, wchar_t **end, int base) fathom_WIDE_NUMBER(type, name, narrow, , base)
#define fathom_WIDE_FLOAT(type, name, narrow) \
    type name(const wchar_t *s, wchar_t **end) fathom_WIDE_NUMBER(type, name, narrow, )

fathom_WIDE_INTEGER(long, wcstol, strtol)
fathom_WIDE_INTEGER(unsigned long, wcstoul, strtoul)
fathom_WIDE_INTEGER(long long, wcstoll, strtoll)
fathom_WIDE_INTEGER(unsigned long long, wcstoull, strtoull)
fathom_WIDE_INTEGER(long, __isoc23_wcstol, strtol)
fathom_WIDE_INTEGER(unsigned long, __isoc23_wcstoul, strtoul)
fathom_WIDE_INTEGER(long long, __isoc23_wcstoll, strtoll)
fathom_WIDE_INTEGER(unsigned long long, __isoc23_wcstoull, strtoull)
fathom_WIDE_FLOAT(double, wcstod, strtod)
fathom_WIDE_FLOAT(float, wcstof, strtof)
fathom_WIDE_FLOAT(long double, wcstold, strtold)
