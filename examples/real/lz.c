/* A small LZ77 compressor and decompressor with a format of its own, in the family of LZ4 and LZF: a header with sizes
 * and a checksum, then blocks of literals and copies. The decompressor is meant for untrusted data: every length and
 * distance is checked before it is used.
 *
 * Usage as a program: the first byte of the input is c (compress, decompress again, compare), d (decompress), v (look
 * whether a compressed file is whole) or i (information about it); the rest is the data.
 *
 * The format, all numbers with the low byte first:
 *   2 bytes  magic 'L' 'z'
 *   1 byte   flags: bit 0 checksum present, bit 1 stored blocks only
 *   2 bytes  size of the data
 *   4 bytes  checksum, if flags say so
 *   then tokens until the data is complete:
 *     high 4 bits: number of literals, 15 means more bytes follow; low 4 bits: length of the copy minus 3, same rule
 *     the literals, then 1 or 2 bytes distance (the high bit of the first says that a second follows)
 *   the last token has no copy: the data is complete behind its literals.
 *
 * Planted defect: see `copy_match`. Not planted, shown by a test of `fathom test` and left in: data whose end is a copy
 * does not come back, because `read_tokens` wants another token although nothing is missing.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "input.h"

#define MAX_DATA 2048
#define MIN_MATCH 3
#define MAX_DISTANCE 0x7fff
#define HASH_BITS 8

enum status {
    LZ_OK,
    LZ_TRUNCATED,      /* the compressed data ends early */
    LZ_MAGIC,          /* not this format */
    LZ_FLAGS,          /* flags that mean nothing */
    LZ_SIZE,           /* more data than the header says, or than there is room for */
    LZ_DISTANCE,       /* a copy from before the beginning */
    LZ_CHECKSUM,
    LZ_TRAILING,       /* bytes behind the end */
    LZ_ROOM            /* no room for the compressed data */
};

static const char *status_text(enum status s)
{
    switch (s) {
    case LZ_OK: return "fine";
    case LZ_TRUNCATED: return "truncated";
    case LZ_MAGIC: return "not compressed by this program";
    case LZ_FLAGS: return "unknown flags";
    case LZ_SIZE: return "wrong size";
    case LZ_DISTANCE: return "a copy from before the beginning";
    case LZ_CHECKSUM: return "wrong checksum";
    case LZ_TRAILING: return "trailing bytes";
    case LZ_ROOM: return "no room";
    }
    return "unknown";
}

/* ---- checksum: Adler-32 */

#define ADLER_BASE 65521u

static uint32_t adler32(const unsigned char *data, size_t length)
{
    uint32_t a = 1, b = 0;
    while (length > 0) {
        /* So many bytes can be added before the sums must be reduced. */
        size_t part = length < 5552 ? length : 5552;
        length -= part;
        while (part-- > 0) {
            a += *data++;
            b += a;
        }
        a %= ADLER_BASE;
        b %= ADLER_BASE;
    }
    return b << 16 | a;
}

/* ---- reading */

struct source {
    const unsigned char *at;
    const unsigned char *end;
};

static size_t left(const struct source *s)
{
    return (size_t)(s->end - s->at);
}

static bool get_byte(struct source *s, unsigned *value)
{
    if (s->at == s->end)
        return false;
    *value = *s->at++;
    return true;
}

static bool get_number(struct source *s, int bytes, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < bytes; i++) {
        unsigned byte;
        if (!get_byte(s, &byte))
            return false;
        *value |= (uint32_t)byte << (8 * i);
    }
    return true;
}

/* Four bits of a token, and more bytes as long as they are 255. */
static bool get_length(struct source *s, unsigned nibble, size_t *length)
{
    unsigned byte;
    *length = nibble;
    if (nibble < 15)
        return true;
    do {
        if (!get_byte(s, &byte))
            return false;
        *length += byte;
    } while (byte == 255);
    return true;
}

static bool get_distance(struct source *s, size_t *distance)
{
    unsigned first, second = 0;
    if (!get_byte(s, &first))
        return false;
    if (first & 0x80) {
        if (!get_byte(s, &second))
            return false;
    }
    *distance = (first & 0x7f) | (size_t)second << 7;
    return true;
}

/* ---- writing */

struct sink {
    unsigned char *data;
    size_t used;
    size_t size;
};

static size_t room(const struct sink *s)
{
    return s->size - s->used;
}

static bool put_byte(struct sink *s, unsigned value)
{
    if (s->used == s->size)
        return false;
    s->data[s->used++] = (unsigned char)value;
    return true;
}

static bool put_number(struct sink *s, int bytes, uint32_t value)
{
    for (int i = 0; i < bytes; i++)
        if (!put_byte(s, value >> (8 * i) & 255))
            return false;
    return true;
}

static bool put_bytes(struct sink *s, const unsigned char *data, size_t length)
{
    if (length > room(s))
        return false;
    if (length > 0)
        memcpy(s->data + s->used, data, length);
    s->used += length;
    return true;
}

static bool put_length(struct sink *s, size_t length)
{
    if (length < 15)
        return true;
    for (length -= 15; length >= 255; length -= 255)
        if (!put_byte(s, 255))
            return false;
    return put_byte(s, (unsigned)length);
}

static bool put_distance(struct sink *s, size_t distance)
{
    if (distance < 0x80)
        return put_byte(s, (unsigned)distance);
    return put_byte(s, 0x80 | (distance & 0x7f)) && put_byte(s, (unsigned)(distance >> 7));
}

/* ---- the header */

struct header {
    unsigned flags;
    uint32_t size;
    uint32_t checksum;
};

#define FLAG_CHECKSUM 1u
#define FLAG_STORED 2u

static enum status read_header(struct source *s, struct header *h)
{
    unsigned l, z;
    if (!get_byte(s, &l) || !get_byte(s, &z))
        return LZ_TRUNCATED;
    if (l != 'L' || z != 'z')
        return LZ_MAGIC;
    if (!get_byte(s, &h->flags) || !get_number(s, 2, &h->size))
        return LZ_TRUNCATED;
    if (h->flags & ~(FLAG_CHECKSUM | FLAG_STORED))
        return LZ_FLAGS;
    h->checksum = 0;
    if (h->flags & FLAG_CHECKSUM && !get_number(s, 4, &h->checksum))
        return LZ_TRUNCATED;
    return LZ_OK;
}

static bool write_header(struct sink *s, const struct header *h)
{
    if (!put_byte(s, 'L') || !put_byte(s, 'z') || !put_byte(s, h->flags) || !put_number(s, 2, h->size))
        return false;
    return !(h->flags & FLAG_CHECKSUM) || put_number(s, 4, h->checksum);
}

/* ---- decompression */

static enum status copy_literals(struct source *in, struct sink *out, size_t count)
{
    if (count > left(in))
        return LZ_TRUNCATED;
    if (!put_bytes(out, in->at, count))
        return LZ_SIZE;
    in->at += count;
    return LZ_OK;
}

/* Byte by byte, because a copy may overlap with what it makes. Planted defect: a distance of zero passes the check. Then
 * the bytes that are copied are those that are about to be written, which are whatever lay in the buffer. */
static enum status copy_match(struct sink *out, size_t distance, size_t length)
{
    const unsigned char *from;
    if (distance > out->used)
        return LZ_DISTANCE;
    if (length > room(out))
        return LZ_SIZE;
    from = out->data + out->used - distance;
#ifdef SYMBOLIC
    extern void __assert_fail(const char *, const char *, unsigned, const char *);
    if (length > 0 && from == out->data + out->used)
        __assert_fail("from < to", "lz.c", __LINE__, "copy_match");
#endif
    for (size_t i = 0; i < length; i++)
        out->data[out->used++] = from[i];
    return LZ_OK;
}

static enum status read_tokens(struct source *in, struct sink *out)
{
    for (;;) {
        unsigned token;
        size_t literals, length, distance;
        enum status status;
        if (!get_byte(in, &token))
            return LZ_TRUNCATED;
        if (!get_length(in, token >> 4, &literals))
            return LZ_TRUNCATED;
        status = copy_literals(in, out, literals);
        if (status != LZ_OK)
            return status;
        if (room(out) == 0)
            return LZ_OK;
        if (!get_length(in, token & 15, &length) || !get_distance(in, &distance))
            return LZ_TRUNCATED;
        status = copy_match(out, distance, length + MIN_MATCH);
        if (status != LZ_OK)
            return status;
    }
}

static enum status decompress(const unsigned char *data, size_t length, unsigned char *result, size_t size, size_t *used)
{
    struct source in = { data, data + length };
    struct sink out = { result, 0, size };
    struct header h;
    enum status status = read_header(&in, &h);
    *used = 0;
    if (status != LZ_OK)
        return status;
    if (h.size > size)
        return LZ_SIZE;
    out.size = h.size;
    if (h.flags & FLAG_STORED)
        status = left(&in) < h.size ? LZ_TRUNCATED : copy_literals(&in, &out, h.size);
    else if (h.size > 0)
        status = read_tokens(&in, &out);
    if (status != LZ_OK)
        return status;
    if (left(&in) > 0)
        return LZ_TRAILING;
    if (h.flags & FLAG_CHECKSUM && adler32(result, out.used) != h.checksum)
        return LZ_CHECKSUM;
    *used = out.used;
    return LZ_OK;
}

/* ---- compression */

struct matcher {
    const unsigned char *data;
    size_t length;
    int last[1 << HASH_BITS];      /* where a hash was seen last, or -1 */
};

static unsigned hash(const unsigned char *p)
{
    uint32_t value = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return (value * 2654435761u) >> (32 - HASH_BITS);
}

static void matcher_init(struct matcher *m, const unsigned char *data, size_t length)
{
    m->data = data;
    m->length = length;
    for (size_t i = 0; i < sizeof m->last / sizeof m->last[0]; i++)
        m->last[i] = -1;
}

/* The length of a match at `at`, or 0; its distance goes to *distance. */
static size_t find_match(struct matcher *m, size_t at, size_t *distance)
{
    size_t length = 0;
    unsigned h;
    int before;
    if (m->length - at < MIN_MATCH)
        return 0;
    h = hash(m->data + at);
    before = m->last[h];
    m->last[h] = (int)at;
    if (before < 0 || at - (size_t)before > MAX_DISTANCE)
        return 0;
    while (at + length < m->length && m->data[(size_t)before + length] == m->data[at + length])
        length++;
    *distance = at - (size_t)before;
    return length >= MIN_MATCH ? length : 0;
}

static bool write_token(struct sink *out, const unsigned char *literals, size_t count, size_t match, size_t distance)
{
    size_t rest = match ? match - MIN_MATCH : 0;
    unsigned token = (unsigned)((count < 15 ? count : 15) << 4 | (rest < 15 ? rest : 15));
    if (!put_byte(out, token) || !put_length(out, count) || !put_bytes(out, literals, count))
        return false;
    return match == 0 || (put_length(out, rest) && put_distance(out, distance));
}

static bool write_tokens(struct sink *out, const unsigned char *data, size_t length)
{
    static struct matcher m;
    size_t at = 0, literals = 0;
    matcher_init(&m, data, length);
    while (at < length) {
        size_t distance, match = find_match(&m, at, &distance);
        if (match == 0) {
            at++;
            continue;
        }
        if (!write_token(out, data + literals, at - literals, match, distance))
            return false;
        at += match;
        literals = at;
    }
    /* A match that reaches the end is followed by an empty token only if something is missing. */
    return literals == length || write_token(out, data + literals, length - literals, 0, 0);
}

static enum status compress(const unsigned char *data, size_t length, unsigned char *result, size_t size, size_t *used)
{
    struct sink out = { result, 0, size };
    struct header h = { FLAG_CHECKSUM, (uint32_t)length, adler32(data, length) };
    *used = 0;
    if (length > 0xffff)
        return LZ_SIZE;
    if (!write_header(&out, &h))
        return LZ_ROOM;
    if (!write_tokens(&out, data, length) || out.used > length + 9) {
        /* Nothing to gain: as it is. */
        h.flags |= FLAG_STORED;
        out.used = 0;
        if (!write_header(&out, &h) || !put_bytes(&out, data, length))
            return LZ_ROOM;
    }
    *used = out.used;
    return LZ_OK;
}

/* ---- what the program does */

static int complain(enum status s)
{
    printf("%s\n", status_text(s));
    return (int)s;
}

static int run_decompress(const unsigned char *data, size_t length)
{
    static unsigned char result[MAX_DATA];
    size_t used;
    enum status status = decompress(data, length, result, sizeof result, &used);
    if (status != LZ_OK)
        return complain(status);
    for (size_t i = 0; i < used; i++)
        putchar(result[i]);
    return 0;
}

static int run_compress(const unsigned char *data, size_t length)
{
    static unsigned char packed[MAX_DATA + 64];
    static unsigned char back[MAX_DATA];
    size_t packed_size, back_size;
    enum status status = compress(data, length, packed, sizeof packed, &packed_size);
    if (status != LZ_OK)
        return complain(status);
    status = decompress(packed, packed_size, back, sizeof back, &back_size);
#ifdef SYMBOLIC
    /* What was compressed must come back. */
    extern void __assert_fail(const char *, const char *, unsigned, const char *);
    if (status != LZ_OK || back_size != length || memcmp(back, data, length) != 0)
        __assert_fail("the data comes back", "lz.c", __LINE__, "run_compress");
#endif
    if (status != LZ_OK)
        return complain(status);
    printf("%lu bytes in, %lu bytes out\n", (unsigned long)length, (unsigned long)packed_size);
    return back_size == length ? 0 : 1;
}

/* Whether the data can be made, without printing it. */
static int run_verification(const unsigned char *data, size_t length)
{
    static unsigned char result[MAX_DATA];
    size_t used;
    enum status status = decompress(data, length, result, sizeof result, &used);
    printf("%s\n", status == LZ_OK ? "whole" : status_text(status));
    return status == LZ_OK ? 0 : (int)status;
}

/* Tokens of a compressed file, without making its data. */
static int run_information(const unsigned char *data, size_t length)
{
    struct source in = { data, data + length };
    struct header h;
    unsigned token;
    size_t literals, match, distance, made = 0;
    int tokens = 0, far = 0;
    enum status status = read_header(&in, &h);
    if (status != LZ_OK)
        return complain(status);
    while (!(h.flags & FLAG_STORED) && made < h.size && get_byte(&in, &token)) {
        tokens++;
        if (!get_length(&in, token >> 4, &literals) || literals > left(&in))
            return complain(LZ_TRUNCATED);
        in.at += literals;
        made += literals;
        if (made >= h.size)
            break;
        if (!get_length(&in, token & 15, &match) || !get_distance(&in, &distance))
            return complain(LZ_TRUNCATED);
        if (distance > 127)
            far++;
        made += match + MIN_MATCH;
    }
    if (made > h.size)
        return complain(LZ_SIZE);
    printf("%lu bytes, %d tokens, %d far copies, %s, checksum %08lx\n", (unsigned long)h.size, tokens, far,
           h.flags & FLAG_STORED ? "stored" : "compressed", (unsigned long)h.checksum);
    return 0;
}

static int usage(void)
{
    printf("first byte: c compress and check, d decompress, v verify, i information\n");
    return 64;
}

int main(void)
{
    static unsigned char input[MAX_DATA];
    size_t length = read_input(input, sizeof input);
    if (length == 0)
        return usage();
    switch (input[0]) {
    case 'c': return run_compress(input + 1, length - 1);
    case 'd': return run_decompress(input + 1, length - 1);
    case 'v': return run_verification(input + 1, length - 1);
    case 'i': return run_information(input + 1, length - 1);
    default: return usage();
    }
}
