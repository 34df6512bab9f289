// Character classes of the C locale, and small integer functions.

int isdigit(int c) {
    return c >= '0' && c <= '9';
}

int isupper(int c) {
    return c >= 'A' && c <= 'Z';
}

int islower(int c) {
    return c >= 'a' && c <= 'z';
}

int isalpha(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int isalnum(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

int isspace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isblank(int c) {
    return c == ' ' || c == '\t';
}

int isxdigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

int iscntrl(int c) {
    return (c >= 0 && c < 32) || c == 127;
}

int isprint(int c) {
    return c >= 32 && c < 127;
}

int isgraph(int c) {
    return c > 32 && c < 127;
}

int ispunct(int c) {
    return c > 32 && c < 127 && !((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
}

int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

int tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int abs(int x) {
    return x < 0 ? -x : x;
}

long labs(long x) {
    return x < 0 ? -x : x;
}

long long llabs(long long x) {
    return x < 0 ? -x : x;
}

static long fathom_decimal(const char *s) {
    long value = 0;
    int negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+')
        negative = *s++ == '-';
    for (; *s >= '0' && *s <= '9'; s++)
        value = negative ? value * 10 - (*s - '0') : value * 10 + (*s - '0');
    return value;
}

int atoi(const char *s) {
    return (int)fathom_decimal(s);
}

long atol(const char *s) {
    return fathom_decimal(s);
}
