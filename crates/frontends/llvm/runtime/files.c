// A small file system. In the open world (the default) every file that is opened may exist or not and holds arbitrary
// bytes without end, and so does standard input; what is written goes nowhere. In the closed world (--sym-stdin or
// --sym-file was given) there are the files that the flags name and those that the program makes, with exactly the
// contents that were given or written.
#include "stdio.h"

int fathom_closed_world; // set by Fathom
int fathom_end_is_asked_for; // likewise: whether the program calls feof or ferror

int strcmp(const char *a, const char *b);
size_t strlen(const char *s);

struct fathom_file {
    char *name; // null once it is removed
    byte *data;
    size_t size, room;
    int writer; // the descriptor of the stream that may keep what was written for itself, and 1
    unsigned changes;
};

enum { fathom_FILES = 32, fathom_DESCRIPTORS = 32 };
static struct fathom_file fathom_files[fathom_FILES];
static int fathom_file_count;

enum { fathom_CLOSED, fathom_ARBITRARY, fathom_NOWHERE, fathom_STORED };
struct fathom_description {
    int kind;
    int is_stdin;
    int can_read, can_write, appends;
    struct fathom_file *file;
    size_t position;
    int is_lost; // the position of an arbitrary file is not known
    int has_read;
    int was_asked, is_terminal; // isatty
    unsigned changes_seen; // of what its stream may keep
};
static struct fathom_description fathom_descriptions[fathom_DESCRIPTORS] = {
    {fathom_ARBITRARY, 1, 1, 0, 0, 0, 0, 1},
    {fathom_NOWHERE, 0, 0, 1, 0, 0, 0, 1},
    {fathom_NOWHERE, 0, 0, 1, 0, 0, 0, 1},
};

static struct fathom_description *fathom_described(int descriptor) {
    if (descriptor < 0 || descriptor >= fathom_DESCRIPTORS || fathom_descriptions[descriptor].kind == fathom_CLOSED) {
        errno = fathom_EBADF;
        return 0;
    }
    return &fathom_descriptions[descriptor];
}

static int fathom_free_descriptor(void) {
    for (int i = 0; i < fathom_DESCRIPTORS; i++)
        if (fathom_descriptions[i].kind == fathom_CLOSED)
            return i;
    fathom_unsupported("more than 32 open files");
    return -1;
}

static struct fathom_file *fathom_find_file(const char *name) {
    for (int i = 0; i < fathom_file_count; i++)
        if (fathom_files[i].name != 0 && strcmp(fathom_files[i].name, name) == 0)
            return &fathom_files[i];
    return 0;
}

// A file that was removed and that nobody has open makes room.
static struct fathom_file *fathom_room_for_file(void) {
    for (int i = 0; i < fathom_file_count; i++) {
        struct fathom_file *file = &fathom_files[i];
        int is_open = file->name != 0;
        for (int d = 0; d < fathom_DESCRIPTORS; d++)
            is_open |= fathom_descriptions[d].kind == fathom_STORED && fathom_descriptions[d].file == file;
        if (!is_open) {
            file->size = 0;
            file->writer = 0;
            return file;
        }
    }
    if (fathom_file_count == fathom_FILES)
        fathom_unsupported("more than 32 files");
    return &fathom_files[fathom_file_count++];
}

static struct fathom_file *fathom_new_file(const char *name) {
    struct fathom_file *file = fathom_room_for_file();
    size_t length = strlen(name) + 1;
    file->name = fathom_heap(length);
    memcpy(file->name, name, length);
    return file;
}

// The file stays for those who have it open; its name must not count as lost memory.
static void fathom_forget_name(struct fathom_file *file) {
    free(file->name);
    file->name = 0;
}

// Called before main for every file of the command line; the first one is standard input.
void fathom_add_file(const char *name, byte *data, size_t size) {
    struct fathom_file *file = fathom_new_file(name);
    file->data = data;
    file->size = file->room = size;
    if (fathom_file_count == 1) {
        fathom_descriptions[0].kind = fathom_STORED;
        fathom_descriptions[0].file = file;
    }
}

// One byte, or EOF.
static int fathom_read_byte(struct fathom_description *d) {
    if (d->kind == fathom_ARBITRARY) {
        int c = d->is_stdin ? fathom_any_int("stdin") : fathom_any_int("file");
        __VERIFIER_assume((c >= -1) & (c <= 255));
        d->position += c != EOF;
        return c;
    }
    if (d->kind != fathom_STORED || d->position >= d->file->size)
        return EOF;
    return d->file->data[d->position++];
}

static int fathom_write_byte(struct fathom_description *d, int c) {
    if (d->kind != fathom_STORED) {
        d->is_lost = 1;
        return 1;
    }
    struct fathom_file *file = d->file;
    if (d->appends)
        d->position = file->size;
    while (d->position >= file->room) {
        size_t room = file->room < 16 ? 32 : 2 * file->room;
        byte *data = fathom_heap(room);
        memcpy(data, file->data, file->size);
        free(file->data);
        file->data = data;
        file->room = room;
    }
    // A hole before the position reads as zeros.
    for (; file->size < d->position; file->size++)
        file->data[file->size] = 0;
    file->data[d->position++] = (byte)c;
    file->changes++;
    if (file->size < d->position)
        file->size = d->position;
    return 1;
}

enum { fathom_O_WRONLY = 1, fathom_O_RDWR = 2, fathom_O_CREAT = 0100, fathom_O_EXCL = 0200, fathom_O_TRUNC = 01000,
       fathom_O_APPEND = 02000 };

// Under names of its own, because a program may have an `open` or `close` that means something else.
int fathom_open(const char *name, int flags) {
    int descriptor = fathom_free_descriptor();
    for (const char *p = name; *p != 0; p++)
        ;
    if (descriptor < 0)
        return -1;
    struct fathom_description d = {fathom_ARBITRARY, 0, (flags & 3) != fathom_O_WRONLY, (flags & 3) != 0, 0, 0, 0,
                                   (flags & fathom_O_APPEND) != 0};
    if (!fathom_closed_world) {
        // EINTR, ENXIO, EBUSY, ENODEV, EISDIR, EINVAL, ENFILE, EMFILE, ETXTBSY, and of new files EEXIST and ENOSPC.
        u64 errors = fathom_PATH_ERRORS | fathom_error(4) | fathom_error(6) | fathom_error(16) | fathom_error(19) | fathom_error(21)
                     | fathom_error(22) | fathom_error(23) | fathom_error(24) | fathom_error(26);
        if (flags & fathom_O_CREAT)
            errors |= fathom_NEW_PATH_ERRORS;
        if (fathom_outcome(fathom_any_int("open"), errors) < 0)
            return -1;
        fathom_descriptions[descriptor] = d;
        return descriptor;
    }
    d.kind = fathom_STORED;
    d.appends = (flags & fathom_O_APPEND) != 0;
    d.file = fathom_find_file(name);
    if (strcmp(name, "/dev/null") == 0)
        d.kind = fathom_NOWHERE;
    else if (d.file == 0 && !(flags & fathom_O_CREAT)) {
        errno = fathom_ENOENT;
        return -1;
    } else if (d.file != 0 && (flags & fathom_O_CREAT) && (flags & fathom_O_EXCL)) {
        errno = fathom_EEXIST;
        return -1;
    } else if (d.file == 0)
        d.file = fathom_new_file(name);
    else if (flags & fathom_O_TRUNC) {
        d.file->size = 0;
        d.file->changes++;
    }
    fathom_descriptions[descriptor] = d;
    return descriptor;
}

int open(const char *name, int flags, ...) {
    return fathom_open(name, flags);
}

int open64(const char *name, int flags, ...) {
    return fathom_open(name, flags);
}

// Descriptors of directories are not modelled.
int openat(int directory, const char *name, int flags, ...) {
    enum { fathom_AT_FDCWD = -100 };
    if (*name != '/' && directory != fathom_AT_FDCWD)
        fathom_unsupported("openat in a directory");
    return fathom_open(name, flags);
}

int creat(const char *name, unsigned mode) {
    return fathom_open(name, fathom_O_WRONLY | fathom_O_CREAT | fathom_O_TRUNC);
}

// What a stream has written is in its file now.
void fathom_written(int descriptor) {
    for (int i = 0; i < fathom_file_count; i++)
        if (fathom_files[i].writer == descriptor + 1)
            fathom_files[i].writer = 0;
}

int fathom_close(int descriptor) {
    struct fathom_description *d = fathom_described(descriptor);
    if (d == 0)
        return -1;
    fathom_written(descriptor);
    d->kind = fathom_CLOSED;
    return 0;
}

int fathom_is_open(int descriptor) {
    return fathom_described(descriptor) != 0;
}

// What was written may turn out to be lost (EIO, ENOSPC), or a signal came (EINTR); the descriptor is gone all the same.
int close(int descriptor) {
    struct fathom_description *d = fathom_described(descriptor);
    int is_outside = d != 0 && d->kind != fathom_STORED && !fathom_closed_world;
    if (fathom_close(descriptor) < 0)
        return -1;
    return is_outside ? fathom_outcome(fathom_any_int("close"), fathom_error(4) | fathom_error(5) | fathom_error(28)) : 0;
}

int dup(int descriptor) {
    struct fathom_description *d = fathom_described(descriptor);
    int new = fathom_free_descriptor();
    if (d == 0 || new < 0)
        return -1;
    if (d->kind == fathom_STORED)
        fathom_unsupported("two descriptors of one open file");
    fathom_descriptions[new] = *d;
    return new;
}

// The other descriptor is closed without a word about errors.
int dup2(int descriptor, int new) {
    struct fathom_description *d = fathom_described(descriptor);
    if (d == 0)
        return -1;
    if (new < 0) {
        errno = fathom_EBADF;
        return -1;
    }
    if (new == descriptor)
        return new;
    if (new >= fathom_DESCRIPTORS)
        fathom_unsupported("a descriptor that the program chose and that is large");
    if (d->kind == fathom_STORED)
        fathom_unsupported("two descriptors of one open file");
    if (fathom_descriptions[new].kind != fathom_CLOSED)
        fathom_close(new);
    fathom_descriptions[new] = *d;
    return new;
}

// Why a read or a write fails: EINTR, EIO, EAGAIN, EINVAL, EISDIR; EFBIG, ENOSPC, EPIPE.
#define fathom_READ_ERRORS (fathom_error(4) | fathom_error(5) | fathom_error(11) | fathom_error(22) | fathom_error(21))
#define fathom_WRITE_ERRORS (fathom_READ_ERRORS | fathom_error(27) | fathom_error(28) | fathom_error(32))

// What is behind the first `got` bytes stays as it was.
void fathom_put_back(byte *to, const byte *before, size_t got, size_t count) {
    for (size_t i = 0; i < count; i++) {
        byte kept = (byte)-(i >= got);
        to[i] = (byte)((to[i] & ~kept) | (before[i] & kept));
    }
}

// Streams keep what they write for a while, nobody knows how long.
static void fathom_expect_written(struct fathom_description *d, int descriptor) {
    if (d->kind == fathom_STORED && d->file->writer != 0 && d->file->writer != descriptor + 1)
        fathom_unsupported("reading what another stream may not have written yet");
}

// They also keep what they read ahead.
static void fathom_expect_unchanged(struct fathom_description *d) {
    if (d->kind != fathom_STORED)
        return;
    if (d->has_read && d->changes_seen != d->file->changes)
        fathom_unsupported("reading a file that was changed since its stream may have read ahead");
    d->has_read = 1;
    d->changes_seen = d->file->changes;
}

// In the open world a read may be short, fail, or fill everything. Behind a short one bytes of a large buffer become arbitrary too.
ssize_t read(int descriptor, void *to, size_t count) {
    struct fathom_description *d = fathom_described(descriptor);
    if (d == 0 || !d->can_read) {
        errno = fathom_EBADF;
        return -1;
    }
    if (d->kind == fathom_ARBITRARY) {
        int is_input = d->is_stdin;
        long got = is_input ? fathom_any_long("length of stdin") : fathom_any_long("read");
        __VERIFIER_assume((got >= -1) & ((got < 0) | ((unsigned long)got <= count)));
        if (got < 0)
            return fathom_failure(fathom_any_int("read"), fathom_READ_ERRORS);
        d->position += (size_t)got;
        byte before[fathom_EXACT];
        int is_exact = count <= fathom_EXACT;
        if (count == 0 || (!is_exact && got == 0))
            return 0;
        if (is_exact)
            memcpy(before, to, count);
        if (is_input)
            fathom_any_bytes(to, count, "bytes of stdin");
        else
            fathom_any_bytes(to, count, "read");
        if (is_exact)
            fathom_put_back(to, before, (size_t)got, count);
        return got;
    }
    fathom_expect_written(d, descriptor);
    size_t done = 0;
    for (; done < count; done++) {
        int c = fathom_read_byte(d);
        if (c == EOF)
            break;
        ((byte *)to)[done] = (byte)c;
    }
    return (ssize_t)done;
}

void fathom_check_bytes(const void *p, size_t count);

ssize_t write(int descriptor, const void *from, size_t count) {
    struct fathom_description *d = fathom_described(descriptor);
    if (d == 0 || !d->can_write) {
        errno = fathom_EBADF;
        return -1;
    }
    if (d->kind != fathom_STORED) {
        fathom_check_bytes(from, count);
        d->is_lost = 1;
        if (fathom_closed_world)
            return (ssize_t)count;
        long put = fathom_any_long("write");
        __VERIFIER_assume((put >= -1) & ((put < 0) | ((unsigned long)put <= count)));
        return put < 0 ? fathom_failure(fathom_any_int("write"), fathom_WRITE_ERRORS) : put;
    }
    for (size_t i = 0; i < count; i++)
        fathom_write_byte(d, ((const byte *)from)[i]);
    return (ssize_t)count;
}

// Of an arbitrary file nobody knows the size, nor whether it has positions at all (EINVAL, ESPIPE).
static long fathom_seek_somewhere(struct fathom_description *d, long offset, int whence) {
    long at = fathom_any_long("lseek");
    int is_known = whence == 0 || (whence == 1 && !d->is_lost);
    long wanted = offset + (whence == 1 ? (long)d->position : 0);
    int is_wrong = whence < 0 || whence > 2;
    __VERIFIER_assume((at == -1) | ((at >= 0) & !is_wrong & (!is_known | (at == wanted))));
    if (at < 0)
        return fathom_failure(fathom_any_int("lseek"), fathom_error(22) | fathom_error(29));
    d->position = (size_t)at;
    d->is_lost = 0;
    return at;
}

static long fathom_seek(struct fathom_description *d, long offset, int whence) {
    if (d->kind != fathom_STORED)
        return fathom_seek_somewhere(d, offset, whence);
    long from = whence == 0 ? 0 : whence == 1 ? (long)d->position : (long)d->file->size;
    if (whence < 0 || whence > 2 || offset < -from) {
        errno = fathom_EINVAL;
        return -1;
    }
    d->position = (size_t)(from + offset);
    return from + offset;
}

long lseek(int descriptor, long offset, int whence) {
    struct fathom_description *d = fathom_described(descriptor);
    return d == 0 ? -1 : fathom_seek(d, offset, whence);
}

int unlink(const char *name) {
    if (!fathom_closed_world)
        return fathom_outcome(fathom_any_int("unlink"), fathom_PATH_ERRORS | fathom_error(16) | fathom_error(21));
    struct fathom_file *file = fathom_find_file(name);
    if (file == 0) {
        errno = fathom_ENOENT;
        return -1;
    }
    fathom_forget_name(file);
    return 0;
}

int remove(const char *name) {
    return unlink(name);
}

int rename(const char *from, const char *to) {
    if (!fathom_closed_world)
        return fathom_outcome(fathom_any_int("rename"), fathom_NEW_PATH_ERRORS | fathom_error(16) | fathom_error(18) | fathom_error(21) | fathom_error(39));
    struct fathom_file *file = fathom_find_file(from), *old = fathom_find_file(to);
    if (file == 0) {
        errno = fathom_ENOENT;
        return -1;
    }
    if (file == old)
        return 0;
    if (old != 0)
        fathom_forget_name(old);
    fathom_forget_name(file);
    size_t length = strlen(to) + 1;
    file->name = fathom_heap(length);
    memcpy(file->name, to, length);
    return 0;
}

int access(const char *name, int mode) {
    if (!fathom_closed_world)
        return fathom_outcome(fathom_any_int("access"), fathom_PATH_ERRORS | fathom_error(22) | fathom_error(26));
    if (fathom_find_file(name) != 0)
        return 0;
    errno = fathom_ENOENT;
    return -1;
}

int fsync(int descriptor) {
    struct fathom_description *d = fathom_described(descriptor);
    if (d == 0)
        return -1;
    if (d->kind == fathom_STORED || fathom_closed_world)
        return 0;
    // EIO, EINVAL, ENOSPC, EROFS
    return fathom_outcome(fathom_any_int("fsync"), fathom_error(5) | fathom_error(22) | fathom_error(28) | fathom_error(30));
}

int ftruncate(int descriptor, long size) {
    struct fathom_description *d = fathom_described(descriptor);
    if (d == 0)
        return -1;
    if (d->kind == fathom_STORED)
        fathom_unsupported("ftruncate of a file that is known");
    // EPERM, EINTR, EIO, EINVAL, EFBIG
    return fathom_outcome(fathom_any_int("ftruncate"), fathom_error(1) | fathom_error(4) | fathom_error(5) | fathom_error(22) | fathom_error(27));
}

int fchmod(int descriptor, unsigned mode) {
    return fathom_described(descriptor) == 0 ? -1 : fathom_outcome(fathom_any_int("fchmod"), fathom_error(1) | fathom_error(5) | fathom_error(30));
}

int fchown(int descriptor, unsigned user, unsigned group) {
    return fathom_described(descriptor) == 0 ? -1 : fathom_outcome(fathom_any_int("fchown"), fathom_error(1) | fathom_error(5) | fathom_error(30));
}

// ---- what streams need

int fathom_get(FILE *f) {
    if (f->pushed > 0)
        return f->pushback[--f->pushed];
    struct fathom_description *d = fathom_described(f->descriptor);
    if (d == 0 || !d->can_read) {
        errno = fathom_EBADF;
        f->error = 1;
        return EOF;
    }
    fathom_expect_written(d, f->descriptor);
    fathom_expect_unchanged(d);
    int c = fathom_read_byte(d);
    // The end of a stream stays until somebody clears it.
    __VERIFIER_assume((c == EOF) | !f->eof);
    fathom_note_end(f, c == EOF);
    return c;
}

// Reading stopped: at the end, or because the device is broken. Only programs that ask which it was see the difference.
void fathom_note_end(FILE *f, int has_stopped) {
    struct fathom_description *d = &fathom_descriptions[f->descriptor];
    int fails = 0;
    if (fathom_end_is_asked_for && d->kind == fathom_ARBITRARY)
        fails = has_stopped & !f->eof & (fathom_any_int("read error") != 0);
    errno ^= (errno ^ fathom_EIO) & -fails;
    f->error |= fails;
    f->eof |= has_stopped & !fails;
}

void fathom_put(FILE *f, int c) {
    struct fathom_description *d = fathom_described(f->descriptor);
    if (d == 0 || !d->can_write) {
        errno = fathom_EBADF;
        f->error = 1;
        return;
    }
    fathom_write_byte(d, c);
    if (d->kind == fathom_STORED) {
        d->file->writer = f->descriptor + 1;
        d->changes_seen = d->file->changes;
    }
}

// Does what is written there vanish?
int fathom_is_nowhere(FILE *f) {
    struct fathom_description *d = fathom_described(f->descriptor);
    return d == 0 || !d->can_write || d->kind != fathom_STORED;
}

// Whether something that was written does not arrive now: the device is full, or broken. Files of the closed world have room.
int fathom_flush_fails(FILE *f) {
    struct fathom_description *d = fathom_described(f->descriptor);
    if (d == 0 || !d->can_write || d->kind == fathom_STORED || fathom_closed_world)
        return 0;
    d->is_lost = 1;
    int fails = fathom_any_int("write") != 0;
    errno ^= (errno ^ fathom_ENOSPC) & -fails;
    f->error |= fails;
    return fails;
}

// Whether a call that writes fails: the same, or the stream is not for writing.
int fathom_write_fails(FILE *f) {
    struct fathom_description *d = fathom_described(f->descriptor);
    if (d != 0 && d->can_write)
        return fathom_flush_fails(f);
    errno = fathom_EBADF;
    f->error = 1;
    return 1;
}

// Are its bytes arbitrary, whatever was read before?
int fathom_is_arbitrary(FILE *f) {
    struct fathom_description *d = fathom_described(f->descriptor);
    return d != 0 && d->can_read && d->kind == fathom_ARBITRARY;
}

// Something was read or written, nobody knows how much.
void fathom_lose_position(FILE *f) {
    struct fathom_description *d = fathom_described(f->descriptor);
    if (d != 0)
        d->is_lost = 1;
}

int fathom_is_standard_input(FILE *f) {
    return f->descriptor == 0;
}

long fathom_position(FILE *f) {
    struct fathom_description *d = fathom_described(f->descriptor);
    if (d == 0)
        return -1;
    long at = d->kind == fathom_STORED ? (long)d->position : fathom_seek(d, 0, 1);
    return at < 0 ? at : at - f->pushed;
}

long fathom_reposition(FILE *f, long offset, int whence) {
    struct fathom_description *d = fathom_described(f->descriptor);
    if (d == 0)
        return -1;
    long at = fathom_seek(d, whence == 1 ? offset - f->pushed : offset, whence);
    if (at >= 0) {
        f->pushed = 0;
        f->eof = 0;
        fathom_written(f->descriptor);
    }
    return at;
}

// An unnamed file that only its descriptor leads to.
int fathom_temporary(void) {
    if (!fathom_closed_world && fathom_outcome(fathom_any_int("tmpfile"), fathom_NEW_PATH_ERRORS | fathom_error(24)) < 0)
        return -1;
    int descriptor = fathom_free_descriptor();
    if (descriptor < 0)
        return -1;
    struct fathom_description d = {fathom_STORED, 0, 1, 1, 0, 0, 0, 0};
    d.file = fathom_new_file("");
    fathom_forget_name(d.file);
    fathom_descriptions[descriptor] = d;
    return descriptor;
}

// What a descriptor leads to does not change from call to call.
int isatty(int descriptor) {
    struct fathom_description *d = fathom_described(descriptor);
    if (d == 0)
        return 0;
    if (!d->was_asked)
        d->is_terminal = !fathom_closed_world && fathom_any_int("isatty") != 0;
    d->was_asked = 1;
    if (d->is_terminal)
        return 1;
    errno = fathom_ENOTTY;
    return 0;
}
