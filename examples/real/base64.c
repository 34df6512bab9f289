/* base64: encodes and decodes after RFC 4648, with the alphabets for texts and for file names, line breaks, strict and
 * lenient reading, and the streaming interface that a tool needs, which gets its data in pieces.
 *
 * Usage as a program: the first byte of the input says what to do (e, d, u for the other alphabet, l for lenient, c for
 * a check of a round trip), the rest is the data.
 *
 * Planted defect: see `encode_finish`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

#define PAD '='
#define LINE 76

/* ---- alphabets */

struct alphabet {
    const char *name;
    char last[2];      /* the digits 62 and 63 */
    bool padded;
};

static const struct alphabet standard = { "base64", { '+', '/' }, true };
static const struct alphabet for_names = { "base64url", { '-', '_' }, false };

static char digit_of(const struct alphabet *a, unsigned value)
{
    if (value < 26)
        return (char)('A' + value);
    if (value < 52)
        return (char)('a' + (value - 26));
    if (value < 62)
        return (char)('0' + (value - 52));
    return a->last[value - 62];
}

/* The value of a digit, or -1. */
static int value_of(const struct alphabet *a, unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == (unsigned char)a->last[0])
        return 62;
    if (c == (unsigned char)a->last[1])
        return 63;
    return -1;
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ---- buffers that grow */

struct buffer {
    unsigned char *data;
    size_t used;
    size_t size;
    bool failed;
};

static void buffer_init(struct buffer *b)
{
    b->data = NULL;
    b->used = b->size = 0;
    b->failed = false;
}

static void buffer_free(struct buffer *b)
{
    free(b->data);
    buffer_init(b);
}

static bool buffer_reserve(struct buffer *b, size_t more)
{
    size_t size = b->size ? b->size : 16;
    unsigned char *data;
    if (b->failed)
        return false;
    if (more <= b->size - b->used)
        return true;
    while (size - b->used < more)
        size *= 2;
    data = malloc(size);
    if (data == NULL) {
        b->failed = true;
        return false;
    }
    if (b->used > 0)
        memcpy(data, b->data, b->used);
    free(b->data);
    b->data = data;
    b->size = size;
    return true;
}

static void buffer_add(struct buffer *b, unsigned char c)
{
    if (buffer_reserve(b, 1))
        b->data[b->used++] = c;
}

static bool buffer_equals(const struct buffer *b, const unsigned char *data, size_t length)
{
    if (b->failed || b->used != length)
        return false;
    return length == 0 || memcmp(b->data, data, length) == 0;
}

/* ---- encoding */

struct encoder {
    const struct alphabet *alphabet;
    struct buffer *out;
    unsigned char held[3];
    unsigned count;        /* bytes that are held */
    unsigned column;
    unsigned line_length;  /* 0: no line breaks */
};

static void encode_init(struct encoder *e, const struct alphabet *a, struct buffer *out, unsigned line_length)
{
    e->alphabet = a;
    e->out = out;
    e->count = 0;
    e->column = 0;
    e->line_length = line_length;
}

static void encode_put(struct encoder *e, char c)
{
    if (e->line_length && e->column == e->line_length) {
        buffer_add(e->out, '\n');
        e->column = 0;
    }
    buffer_add(e->out, (unsigned char)c);
    e->column++;
}

static void encode_group(struct encoder *e)
{
    uint32_t bits = (uint32_t)e->held[0] << 16 | (uint32_t)e->held[1] << 8 | e->held[2];
    for (int shift = 18; shift >= 0; shift -= 6)
        encode_put(e, digit_of(e->alphabet, bits >> shift & 63));
    e->count = 0;
}

static void encode_update(struct encoder *e, const unsigned char *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        e->held[e->count++] = data[i];
        if (e->count == 3)
            encode_group(e);
    }
}

/* The last one or two bytes. Planted defect: with one byte left, held[1] still has what an earlier group put there, and
 * its upper bits go into the second digit; decoders that look at those bits refuse the result. */
static void encode_finish(struct encoder *e)
{
    uint32_t bits;
    if (e->count == 0)
        return;
    bits = (uint32_t)e->held[0] << 16 | (uint32_t)e->held[1] << 8;
    encode_put(e, digit_of(e->alphabet, bits >> 18 & 63));
    encode_put(e, digit_of(e->alphabet, bits >> 12 & 63));
    if (e->count == 2)
        encode_put(e, digit_of(e->alphabet, bits >> 6 & 63));
    if (e->alphabet->padded)
        for (unsigned i = e->count; i < 3; i++)
            encode_put(e, PAD);
    e->count = 0;
}

/* ---- decoding */

enum problem {
    PROBLEM_NONE,
    PROBLEM_CHARACTER,     /* not a digit of the alphabet */
    PROBLEM_LENGTH,        /* one digit too many */
    PROBLEM_PADDING,       /* missing, or in the wrong place */
    PROBLEM_BITS,          /* bits that no byte has are not zero */
    PROBLEM_BEHIND,        /* something behind the padding */
    PROBLEM_MEMORY
};

static const char *problem_text(enum problem p)
{
    switch (p) {
    case PROBLEM_NONE: return "none";
    case PROBLEM_CHARACTER: return "a character that is no digit";
    case PROBLEM_LENGTH: return "one digit too many";
    case PROBLEM_PADDING: return "wrong padding";
    case PROBLEM_BITS: return "left-over bits";
    case PROBLEM_BEHIND: return "data behind the padding";
    case PROBLEM_MEMORY: return "out of memory";
    }
    return "unknown";
}

struct decoder {
    const struct alphabet *alphabet;
    struct buffer *out;
    bool lenient;          /* skips what is no digit, forgives padding */
    uint32_t bits;
    unsigned count;        /* digits in bits */
    unsigned padding;
    size_t position;
    enum problem problem;
};

static void decode_init(struct decoder *d, const struct alphabet *a, struct buffer *out, bool lenient)
{
    d->alphabet = a;
    d->out = out;
    d->lenient = lenient;
    d->bits = 0;
    d->count = d->padding = 0;
    d->position = 0;
    d->problem = PROBLEM_NONE;
}

static void decode_fail(struct decoder *d, enum problem p)
{
    if (d->problem == PROBLEM_NONE)
        d->problem = p;
}

static void decode_group(struct decoder *d)
{
    buffer_add(d->out, (unsigned char)(d->bits >> 16));
    buffer_add(d->out, (unsigned char)(d->bits >> 8));
    buffer_add(d->out, (unsigned char)d->bits);
    d->bits = 0;
    d->count = 0;
}

static void decode_digit(struct decoder *d, unsigned value)
{
    if (d->padding > 0) {
        if (!d->lenient)
            decode_fail(d, PROBLEM_BEHIND);
        return;
    }
    d->bits = d->bits << 6 | value;
    if (++d->count == 4)
        decode_group(d);
}

static void decode_pad(struct decoder *d)
{
    d->padding++;
    if (d->lenient)
        return;
    if (d->count < 2 || d->count + d->padding > 4)
        decode_fail(d, PROBLEM_PADDING);
}

static void decode_update(struct decoder *d, const unsigned char *data, size_t length)
{
    for (size_t i = 0; i < length && d->problem == PROBLEM_NONE; i++, d->position++) {
        unsigned char c = data[i];
        int value;
        if (c == PAD) {
            decode_pad(d);
            continue;
        }
        value = value_of(d->alphabet, c);
        if (value >= 0)
            decode_digit(d, (unsigned)value);
        else if (!is_blank(c) && !d->lenient)
            decode_fail(d, PROBLEM_CHARACTER);
    }
}

static enum problem decode_finish(struct decoder *d)
{
    if (d->problem != PROBLEM_NONE)
        return d->problem;
    if (d->count == 1 && !d->lenient)
        decode_fail(d, PROBLEM_LENGTH);
    if (!d->lenient && d->alphabet->padded && d->count > 0 && d->count + d->padding != 4)
        decode_fail(d, PROBLEM_PADDING);
    switch (d->count) {
    case 2:
        if (d->bits & 15 && !d->lenient)
            decode_fail(d, PROBLEM_BITS);
        buffer_add(d->out, (unsigned char)(d->bits >> 4));
        break;
    case 3:
        if (d->bits & 3 && !d->lenient)
            decode_fail(d, PROBLEM_BITS);
        buffer_add(d->out, (unsigned char)(d->bits >> 10));
        buffer_add(d->out, (unsigned char)(d->bits >> 2));
        break;
    default:
        break;
    }
    if (d->out->failed)
        decode_fail(d, PROBLEM_MEMORY);
    return d->problem;
}

/* ---- sizes, for callers that have their own memory */

static size_t encoded_size(const struct alphabet *a, size_t length, unsigned line_length)
{
    size_t digits = a->padded ? (length + 2) / 3 * 4 : (length * 4 + 2) / 3;
    if (line_length && digits > 0)
        digits += (digits - 1) / line_length;
    return digits;
}

static size_t decoded_size(size_t digits)
{
    return digits / 4 * 3 + (digits % 4 > 1 ? digits % 4 - 1 : 0);
}

/* ---- what the tool does */

static void print_buffer(const struct buffer *b)
{
    for (size_t i = 0; i < b->used; i++)
        putchar(b->data[i]);
    putchar('\n');
}

static int run_encode(const struct alphabet *a, const unsigned char *data, size_t length)
{
    struct buffer out;
    struct encoder e;
    int result = 0;
    buffer_init(&out);
    encode_init(&e, a, &out, LINE);
    encode_update(&e, data, length);
    encode_finish(&e);
    if (out.failed || out.used != encoded_size(a, length, LINE))
        result = 2;
    else
        print_buffer(&out);
    buffer_free(&out);
    return result;
}

static int run_decode(const struct alphabet *a, const unsigned char *data, size_t length, bool lenient)
{
    struct buffer out;
    struct decoder d;
    enum problem problem;
    buffer_init(&out);
    decode_init(&d, a, &out, lenient);
    /* In two pieces, as a pipe would give it. */
    decode_update(&d, data, length / 2);
    decode_update(&d, data + length / 2, length - length / 2);
    problem = decode_finish(&d);
    if (problem == PROBLEM_NONE) {
        if (out.used > decoded_size(length))
            problem = PROBLEM_LENGTH;
        else
            print_buffer(&out);
    } else {
        printf("at %lu: %s\n", (unsigned long)d.position, problem_text(problem));
    }
    buffer_free(&out);
    return problem == PROBLEM_NONE ? 0 : 1;
}

/* Encodes, decodes strictly, and compares. */
static int run_check(const struct alphabet *a, const unsigned char *data, size_t length)
{
    struct buffer text, back;
    struct encoder e;
    struct decoder d;
    bool same;
    buffer_init(&text);
    buffer_init(&back);
    encode_init(&e, a, &text, 0);
    memset(e.held, 0, sizeof e.held);
    encode_update(&e, data, length);
    encode_finish(&e);
    decode_init(&d, a, &back, false);
    decode_update(&d, text.data, text.used);
    same = decode_finish(&d) == PROBLEM_NONE && buffer_equals(&back, data, length);
    buffer_free(&text);
    buffer_free(&back);
#ifdef SYMBOLIC
    /* What was encoded must come back. */
    extern void __assert_fail(const char *, const char *, unsigned, const char *);
    if (!same)
        __assert_fail("same", "base64.c", __LINE__, "run_check");
#endif
    return same ? 0 : 3;
}

/* ---- a picture of the data, for people who look for differences */

static char visible(unsigned char c)
{
    return c >= 0x20 && c < 0x7f ? (char)c : '.';
}

static void dump_line(size_t offset, const unsigned char *data, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    char line[16 * 3 + 2 + 16 + 1];
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        if (i < length) {
            line[at++] = hex[data[i] >> 4];
            line[at++] = hex[data[i] & 15];
        } else {
            line[at++] = ' ';
            line[at++] = ' ';
        }
        line[at++] = ' ';
    }
    line[at++] = ' ';
    for (size_t i = 0; i < length; i++)
        line[at++] = visible(data[i]);
    line[at] = 0;
    printf("%06lx %s\n", (unsigned long)offset, line);
}

static int run_dump(const unsigned char *data, size_t length)
{
    for (size_t offset = 0; offset < length; offset += 16)
        dump_line(offset, data + offset, length - offset < 16 ? length - offset : 16);
    return 0;
}

/* ---- CRC-24, which armoured texts carry behind their data */

#define CRC_INIT 0xb704ceu
#define CRC_POLYNOMIAL 0x864cfbu

static uint32_t crc24(const unsigned char *data, size_t length)
{
    uint32_t crc = CRC_INIT;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint32_t)data[i] << 16;
        for (int bit = 0; bit < 8; bit++) {
            crc <<= 1;
            if (crc & 0x1000000)
                crc ^= CRC_POLYNOMIAL | 0x1000000;
        }
    }
    return crc & 0xffffff;
}

/* Text, '=' and four digits of the checksum, as OpenPGP has it. */
static int run_armour(const unsigned char *data, size_t length)
{
    struct buffer out;
    struct encoder e;
    uint32_t crc = crc24(data, length);
    unsigned char sum[3];
    buffer_init(&out);
    encode_init(&e, &standard, &out, 64);
    memset(e.held, 0, sizeof e.held);
    encode_update(&e, data, length);
    encode_finish(&e);
    buffer_add(&out, '\n');
    buffer_add(&out, '=');
    sum[0] = (unsigned char)(crc >> 16);
    sum[1] = (unsigned char)(crc >> 8);
    sum[2] = (unsigned char)crc;
    encode_init(&e, &standard, &out, 0);
    encode_update(&e, sum, sizeof sum);
    encode_finish(&e);
    if (!out.failed)
        print_buffer(&out);
    buffer_free(&out);
    return out.failed ? 2 : 0;
}

static int usage(void)
{
    printf("first byte: e encode, u encode for names, d decode, n decode names, l decode leniently,\n"
           "            c check, v check for names, a armour, x dump\n");
    return 64;
}

static int run(unsigned char mode, const unsigned char *data, size_t length)
{
    switch (mode) {
    case 'e': return run_encode(&standard, data, length);
    case 'u': return run_encode(&for_names, data, length);
    case 'd': return run_decode(&standard, data, length, false);
    case 'n': return run_decode(&for_names, data, length, false);
    case 'l': return run_decode(&standard, data, length, true);
    case 'c': return run_check(&standard, data, length);
    case 'v': return run_check(&for_names, data, length);
    case 'a': return run_armour(data, length);
    case 'x': return run_dump(data, length);
    default: return usage();
    }
}

int main(void)
{
    unsigned char input[4096];
    size_t length = read_input(input, sizeof input);
    if (length == 0)
        return usage();
    return run(input[0], input + 1, length - 1);
}
