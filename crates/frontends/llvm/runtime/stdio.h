// The run-time library's own FILE, and what its parts share.
#ifndef FATHOM_STDIO_H
#define FATHOM_STDIO_H
#include "fathom.h"

typedef struct fathom_stream {
    int descriptor;
    int eof, error;
    int pushed; // characters that ungetc put back
    byte pushback[8];
    struct fathom_stream *next; // all open streams, so that none is lost memory
} FILE;

extern FILE *stdin, *stdout, *stderr;

int fathom_get(FILE *f);
void fathom_put(FILE *f, int c);
int fathom_is_nowhere(FILE *f);
int fathom_write_fails(FILE *f);
int fathom_flush_fails(FILE *f);
void fathom_note_end(FILE *f, int has_stopped);

// Into buffers of at most so many bytes exactly as many are read as the call says.
enum { fathom_EXACT = 256 };
void fathom_put_back(byte *to, const byte *before, size_t got, size_t count);

// Where formatted text goes: a buffer, a stream, or nowhere.
struct fathom_sink {
    char *buffer;
    size_t room, count;
    FILE *stream;
};
void fathom_format_into(struct fathom_sink *sink, const char *format, va_list args);
void fathom_walk_format(const char *format, va_list args);
void fathom_check_string(const char *s, size_t most);
void fathom_check_text(const char *s);

// Reads a length modifier of printf or scanf ('H' stands for hh, 'q' for ll); returns what is behind it.
const char *fathom_length(const char *format, int *length);

// Where scanned text comes from.
struct fathom_source {
    const char *text;
    FILE *stream;
    size_t count;
};
int fathom_scan(struct fathom_source *source, const char *format, va_list args);

#endif
