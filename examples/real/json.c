/* A JSON reader: parses a document into a tree, checks it, and answers simple queries.
 *
 * The tree lives in one pool of nodes, strings in one pool of characters, so that a document either fits or is
 * refused as a whole. Numbers are kept as decimal digits with an exponent, not as floating point.
 *
 * Known defect, left in on purpose: see `decode_unicode`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "input.h"

#define MAX_NODES 64
#define MAX_TEXT 256
#define MAX_DEPTH 8

enum kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

enum error {
    ERROR_NONE,
    ERROR_END,         /* the document ends early */
    ERROR_CHARACTER,   /* a character that cannot be here */
    ERROR_LITERAL,     /* neither true nor false nor null */
    ERROR_NUMBER,      /* digits are missing, or a leading zero */
    ERROR_RANGE,       /* a number with too many digits */
    ERROR_ESCAPE,      /* a bad escape in a string */
    ERROR_SURROGATE,   /* half of a pair of surrogates */
    ERROR_DEPTH,       /* nested too deeply */
    ERROR_NODES,       /* too many values */
    ERROR_TEXT,        /* too many characters in strings */
    ERROR_DUPLICATE,   /* a name twice in one object */
    ERROR_TRAILING     /* something behind the document */
};

struct node {
    enum kind kind;
    int next;          /* sibling, or -1 */
    int child;         /* first element or member, or -1 */
    int name;          /* of a member: offset of its name, or -1 */
    int text;          /* of a string: offset of its characters */
    int length;        /* of a string: how many; of a number: digits */
    bool negative;
    int64_t digits;    /* of a number: all digits as an integer */
    int exponent;      /* and the power of ten */
};

struct document {
    const unsigned char *at;
    const unsigned char *end;
    const unsigned char *begin;
    enum error error;
    int nodes;
    int used;
    struct node node[MAX_NODES];
    char text[MAX_TEXT];
};

static const char *error_text(enum error error)
{
    switch (error) {
    case ERROR_NONE: return "fine";
    case ERROR_END: return "the document ends early";
    case ERROR_CHARACTER: return "unexpected character";
    case ERROR_LITERAL: return "unknown word";
    case ERROR_NUMBER: return "malformed number";
    case ERROR_RANGE: return "number out of range";
    case ERROR_ESCAPE: return "malformed escape";
    case ERROR_SURROGATE: return "unpaired surrogate";
    case ERROR_DEPTH: return "nested too deeply";
    case ERROR_NODES: return "too many values";
    case ERROR_TEXT: return "strings are too long";
    case ERROR_DUPLICATE: return "duplicate name";
    case ERROR_TRAILING: return "trailing characters";
    }
    return "unknown error";
}

static int fail(struct document *d, enum error error)
{
    if (d->error == ERROR_NONE)
        d->error = error;
    return -1;
}

/* ---- characters */

static bool at_end(const struct document *d)
{
    return d->at == d->end;
}

static int peek(const struct document *d)
{
    return at_end(d) ? -1 : *d->at;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static void skip_blanks(struct document *d)
{
    while (!at_end(d) && is_blank(*d->at))
        d->at++;
}

static bool accept(struct document *d, int c)
{
    if (peek(d) != c)
        return false;
    d->at++;
    return true;
}

/* ---- pools */

static int new_node(struct document *d, enum kind kind)
{
    struct node *n;
    if (d->nodes == MAX_NODES)
        return fail(d, ERROR_NODES);
    n = &d->node[d->nodes];
    memset(n, 0, sizeof *n);
    n->kind = kind;
    n->next = n->child = n->name = -1;
    return d->nodes++;
}

static bool add_character(struct document *d, unsigned char c)
{
    if (d->used == MAX_TEXT) {
        fail(d, ERROR_TEXT);
        return false;
    }
    d->text[d->used++] = (char)c;
    return true;
}

static bool add_utf8(struct document *d, uint32_t point)
{
    if (point < 0x80)
        return add_character(d, (unsigned char)point);
    if (point < 0x800)
        return add_character(d, (unsigned char)(0xc0 | point >> 6)) && add_character(d, 0x80 | (point & 0x3f));
    if (point < 0x10000)
        return add_character(d, (unsigned char)(0xe0 | point >> 12)) && add_character(d, 0x80 | (point >> 6 & 0x3f))
            && add_character(d, 0x80 | (point & 0x3f));
    return add_character(d, (unsigned char)(0xf0 | point >> 18)) && add_character(d, 0x80 | (point >> 12 & 0x3f))
        && add_character(d, 0x80 | (point >> 6 & 0x3f)) && add_character(d, 0x80 | (point & 0x3f));
}

/* ---- strings */

static int hex_digit(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Four hexadecimal digits. Planted defect: the end of the document is not looked for between them, so a document that
 * ends inside of \u reads beyond its end. */
static int decode_unicode(struct document *d)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(d->at[i]);
        if (digit < 0)
            return fail(d, ERROR_ESCAPE);
        value = value * 16 + digit;
    }
    d->at += 4;
    return value;
}

static bool parse_unicode(struct document *d)
{
    int low, high = decode_unicode(d);
    if (high < 0)
        return false;
    if (high >= 0xdc00 && high <= 0xdfff) {
        fail(d, ERROR_SURROGATE);
        return false;
    }
    if (high < 0xd800 || high > 0xdbff)
        return add_utf8(d, (uint32_t)high);
    if (!accept(d, '\\') || !accept(d, 'u')) {
        fail(d, ERROR_SURROGATE);
        return false;
    }
    low = decode_unicode(d);
    if (low < 0xdc00 || low > 0xdfff) {
        fail(d, ERROR_SURROGATE);
        return false;
    }
    return add_utf8(d, 0x10000u + ((uint32_t)(high - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
}

static bool parse_escape(struct document *d)
{
    int c = peek(d);
    if (c < 0) {
        fail(d, ERROR_END);
        return false;
    }
    d->at++;
    switch (c) {
    case '"': case '\\': case '/': return add_character(d, (unsigned char)c);
    case 'b': return add_character(d, '\b');
    case 'f': return add_character(d, '\f');
    case 'n': return add_character(d, '\n');
    case 'r': return add_character(d, '\r');
    case 't': return add_character(d, '\t');
    case 'u': return parse_unicode(d);
    default:
        fail(d, ERROR_ESCAPE);
        return false;
    }
}

/* The offset of the characters; their number goes to *length. The opening quote was read. */
static int parse_characters(struct document *d, int *length)
{
    int start = d->used;
    for (;;) {
        int c = peek(d);
        if (c < 0)
            return fail(d, ERROR_END);
        if (c < 0x20)
            return fail(d, ERROR_CHARACTER);
        d->at++;
        if (c == '"')
            break;
        if (c == '\\' ? !parse_escape(d) : !add_character(d, (unsigned char)c))
            return -1;
    }
    *length = d->used - start;
    /* Behind every string a zero, so that it can be printed. */
    return add_character(d, 0) ? start : -1;
}

static int parse_string(struct document *d)
{
    int length, text = parse_characters(d, &length);
    int at;
    if (text < 0)
        return -1;
    at = new_node(d, JSON_STRING);
    if (at >= 0) {
        d->node[at].text = text;
        d->node[at].length = length;
    }
    return at;
}

/* ---- numbers */

static bool parse_digits(struct document *d, int64_t *value, int *count)
{
    int before = *count;
    while (is_digit(peek(d))) {
        if (*count >= 18) {
            fail(d, ERROR_RANGE);
            return false;
        }
        *value = *value * 10 + (*d->at++ - '0');
        ++*count;
    }
    if (*count == before) {
        fail(d, at_end(d) ? ERROR_END : ERROR_NUMBER);
        return false;
    }
    return true;
}

static bool parse_exponent(struct document *d, int *exponent)
{
    bool negative = false;
    int64_t value = 0;
    int count = 0;
    if (!accept(d, 'e') && !accept(d, 'E'))
        return true;
    if (accept(d, '-'))
        negative = true;
    else
        accept(d, '+');
    if (!parse_digits(d, &value, &count))
        return false;
    if (value > 400) {
        fail(d, ERROR_RANGE);
        return false;
    }
    *exponent += negative ? -(int)value : (int)value;
    return true;
}

static int parse_number(struct document *d)
{
    bool negative = accept(d, '-');
    int64_t digits = 0;
    int count = 0, exponent = 0, at;
    const unsigned char *first = d->at;
    if (!parse_digits(d, &digits, &count))
        return -1;
    if (*first == '0' && count > 1)
        return fail(d, ERROR_NUMBER);
    if (accept(d, '.')) {
        int whole = count;
        if (!parse_digits(d, &digits, &count))
            return -1;
        exponent = whole - count;
    }
    if (!parse_exponent(d, &exponent))
        return -1;
    at = new_node(d, JSON_NUMBER);
    if (at >= 0) {
        d->node[at].negative = negative;
        d->node[at].digits = digits;
        d->node[at].exponent = exponent;
        d->node[at].length = count;
    }
    return at;
}

/* ---- values */

static int parse_value(struct document *d, int depth);

static int parse_literal(struct document *d, const char *word, enum kind kind)
{
    for (; *word; word++) {
        if (at_end(d))
            return fail(d, ERROR_END);
        if (!accept(d, *word))
            return fail(d, ERROR_LITERAL);
    }
    return new_node(d, kind);
}

static void append(struct document *d, int parent, int *last, int child)
{
    if (*last < 0)
        d->node[parent].child = child;
    else
        d->node[*last].next = child;
    *last = child;
}

static int parse_array(struct document *d, int depth)
{
    int at = new_node(d, JSON_ARRAY), last = -1;
    if (at < 0)
        return -1;
    skip_blanks(d);
    if (accept(d, ']'))
        return at;
    for (;;) {
        int child = parse_value(d, depth + 1);
        if (child < 0)
            return -1;
        append(d, at, &last, child);
        skip_blanks(d);
        if (accept(d, ']'))
            return at;
        if (!accept(d, ','))
            return fail(d, at_end(d) ? ERROR_END : ERROR_CHARACTER);
    }
}

static bool has_member(const struct document *d, int object, const char *name)
{
    for (int m = d->node[object].child; m >= 0; m = d->node[m].next)
        if (strcmp(&d->text[d->node[m].name], name) == 0)
            return true;
    return false;
}

static int parse_member(struct document *d, int object, int depth)
{
    int length, name, value;
    skip_blanks(d);
    if (!accept(d, '"'))
        return fail(d, at_end(d) ? ERROR_END : ERROR_CHARACTER);
    name = parse_characters(d, &length);
    if (name < 0)
        return -1;
    if (has_member(d, object, &d->text[name]))
        return fail(d, ERROR_DUPLICATE);
    skip_blanks(d);
    if (!accept(d, ':'))
        return fail(d, at_end(d) ? ERROR_END : ERROR_CHARACTER);
    value = parse_value(d, depth + 1);
    if (value >= 0)
        d->node[value].name = name;
    return value;
}

static int parse_object(struct document *d, int depth)
{
    int at = new_node(d, JSON_OBJECT), last = -1;
    if (at < 0)
        return -1;
    skip_blanks(d);
    if (accept(d, '}'))
        return at;
    for (;;) {
        int member = parse_member(d, at, depth);
        if (member < 0)
            return -1;
        append(d, at, &last, member);
        skip_blanks(d);
        if (accept(d, '}'))
            return at;
        if (!accept(d, ','))
            return fail(d, at_end(d) ? ERROR_END : ERROR_CHARACTER);
    }
}

static int parse_value(struct document *d, int depth)
{
    int c;
    if (depth > MAX_DEPTH)
        return fail(d, ERROR_DEPTH);
    skip_blanks(d);
    c = peek(d);
    switch (c) {
    case -1: return fail(d, ERROR_END);
    case 'n': return parse_literal(d, "null", JSON_NULL);
    case 't': return parse_literal(d, "true", JSON_TRUE);
    case 'f': return parse_literal(d, "false", JSON_FALSE);
    case '"': d->at++; return parse_string(d);
    case '[': d->at++; return parse_array(d, depth);
    case '{': d->at++; return parse_object(d, depth);
    default: break;
    }
    if (c == '-' || is_digit(c))
        return parse_number(d);
    return fail(d, ERROR_CHARACTER);
}

static int parse(struct document *d, const unsigned char *text, size_t length)
{
    int root;
    d->begin = d->at = text;
    d->end = text + length;
    d->error = ERROR_NONE;
    d->nodes = d->used = 0;
    root = parse_value(d, 0);
    if (root < 0)
        return -1;
    skip_blanks(d);
    return at_end(d) ? root : fail(d, ERROR_TRAILING);
}

/* ---- queries */

/* The element or member that a path such as `a.0.b` leads to, or -1. */
static int find(const struct document *d, int at, const char *path)
{
    while (at >= 0 && *path) {
        char step[16];
        size_t length = strcspn(path, ".");
        int child = d->node[at].child;
        if (length >= sizeof step)
            return -1;
        memcpy(step, path, length);
        step[length] = 0;
        path += length;
        if (*path == '.')
            path++;
        if (d->node[at].kind == JSON_OBJECT) {
            while (child >= 0 && strcmp(&d->text[d->node[child].name], step) != 0)
                child = d->node[child].next;
        } else if (d->node[at].kind == JSON_ARRAY) {
            int index = 0;
            for (const char *c = step; *c; c++) {
                if (!is_digit(*c))
                    return -1;
                index = index * 10 + (*c - '0');
            }
            while (child >= 0 && index-- > 0)
                child = d->node[child].next;
        } else {
            return -1;
        }
        at = child;
    }
    return at;
}

/* The number as an integer, rounded towards zero; false if it has no place in 64 bits. */
static bool to_integer(const struct node *n, int64_t *result)
{
    int64_t value = n->digits;
    int exponent = n->exponent;
    while (exponent < 0 && value != 0) {
        value /= 10;
        exponent++;
    }
    while (exponent > 0 && value != 0) {
        if (value > INT64_MAX / 10)
            return false;
        value *= 10;
        exponent--;
    }
    *result = n->negative ? -value : value;
    return true;
}

struct summary {
    int values[7];
    int deepest;
    int64_t total;
    bool overflowed;
};

static void summarise(const struct document *d, int at, int depth, struct summary *s)
{
    const struct node *n = &d->node[at];
    s->values[n->kind]++;
    if (depth > s->deepest)
        s->deepest = depth;
    if (n->kind == JSON_NUMBER) {
        int64_t value;
        if (!to_integer(n, &value) || __builtin_add_overflow(s->total, value, &s->total))
            s->overflowed = true;
    }
    for (int child = n->child; child >= 0; child = d->node[child].next)
        summarise(d, child, depth + 1, s);
}

static void report(const struct document *d, int root)
{
    struct summary s;
    int found;
    memset(&s, 0, sizeof s);
    summarise(d, root, 1, &s);
    printf("%d values, %d deep, sum %lld%s\n", d->nodes, s.deepest, (long long)s.total, s.overflowed ? " (overflowed)" : "");
    found = find(d, root, "a.0");
    if (found >= 0)
        printf("a.0 is of kind %d\n", (int)d->node[found].kind);
}

int main(void)
{
    static struct document d;
    unsigned char input[
#ifdef SYMBOLIC
        SYMBOLIC
#else
        4096
#endif
    ];
    size_t length = read_input(input, sizeof input);
    int root = parse(&d, input, length);
    if (root < 0) {
        printf("error at %d: %s\n", (int)(d.at - d.begin), error_text(d.error));
        return 1;
    }
    report(&d, root);
    return 0;
}
