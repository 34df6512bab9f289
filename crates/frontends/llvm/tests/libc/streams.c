/* Files against the system's: random operations on streams and descriptors, on the same contents, give the same results and
 * leave the same files. The models have their own small file system (as with --sym-stdin and --sym-file); the system's
 * files are in the current directory. Writing and reading take turns with a change of position between, as C demands. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "check.h"

#define MODEL(name) extern __typeof(name) model_##name;
MODEL(fopen) MODEL(fclose) MODEL(fgetc) MODEL(getc) MODEL(fgets) MODEL(fputc) MODEL(putc) MODEL(fputs) MODEL(fread) MODEL(fwrite)
MODEL(fseek) MODEL(ftell) MODEL(rewind) MODEL(feof) MODEL(ferror) MODEL(clearerr) MODEL(fflush) MODEL(ungetc) MODEL(fprintf)
MODEL(fscanf) MODEL(remove) MODEL(rename) MODEL(access) MODEL(open) MODEL(close) MODEL(read) MODEL(write) MODEL(lseek)
MODEL(getline) MODEL(tmpfile) MODEL(vsnprintf) MODEL(vsprintf) MODEL(sprintf) MODEL(vsscanf) MODEL(strtok) MODEL(ldiv)
MODEL(asctime) MODEL(ctime) MODEL(gmtime) MODEL(localtime) MODEL(mktime) MODEL(difftime) MODEL(setlocale) MODEL(atexit)
extern int model_fathom_closed_world;
void model_fathom_run_handlers(void);

static char *letters(char *to, unsigned most)
{ unsigned n = below(most + 1); for (unsigned i = 0; i < n; i++) to[i] = "ab 17\n-x"[below(8)]; to[n] = 0; return to; }

/* The model's FILE is its own type: only pointers to it are passed around. */
static void one_operation(FILE *f, FILE *m, int reads)
{
  char a[64], b[64], t[32]; int x, y; long at = ftell(f);
  memset(a, 0, 64); memset(b, 0, 64);
  if (reads) switch (below(7)) {
    case 0: current = "fgetc"; x = fgetc(f); y = model_fgetc(m); CHECK(x == y, "%d %d", x, y); break;
    case 1: current = "getc"; x = getc(f); y = model_getc(m); CHECK(x == y, "%d %d", x, y); break;
    case 2: { int n = 1 + below(10); current = "fgets"; char *p = fgets(a, n, f), *q = model_fgets(b, n, m); CHECK(!p == !q && (!p || !strcmp(a, b)), "%s %s", a, b); break; }
    case 3: { size_t s = 1 + below(3), n = below(8); current = "fread"; size_t p = fread(a, s, n, f), q = model_fread(b, s, n, m); CHECK(p == q && !memcmp(a, b, p * s), "%zu %zu", p, q); break; }
    case 4: { current = "ungetc"; int c = 'a' + below(3); if (at > 0) { x = ungetc(c, f); y = model_ungetc(c, m); CHECK(x == y, "%d %d", x, y); CHECK(fgetc(f) == model_fgetc(m), "what was put back"); } break; }
    case 5: { int i = 7, j = 7; current = "fscanf"; x = fscanf(f, "%d%3s", &i, a); y = model_fscanf(m, "%d%3s", &j, b); CHECK(x == y && i == j && !strcmp(a, b), "%d %d, %d %d, \"%s\" \"%s\"", x, y, i, j, a, b); break; }
    default: { char *p = 0, *q = 0; size_t n = 0, k = 0; current = "getline"; long r = getline(&p, &n, f), s = model_getline(&q, &k, m); CHECK(r == s && (r < 0 || !strcmp(p, q)), "%ld %ld", r, s); free(p); free(q); }
  } else switch (below(5)) {
    case 0: x = 'a' + below(26); current = "fputc"; CHECK(fputc(x, f) == model_fputc(x, m), "%d", x); break;
    case 1: x = 'A' + below(26); current = "putc"; CHECK(putc(x, f) == model_putc(x, m), "%d", x); break;
    case 2: current = "fputs"; letters(t, 12); CHECK((fputs(t, f) < 0) == (model_fputs(t, m) < 0), "%s", t); break;
    case 3: { letters(t, 12); size_t n = below(strlen(t) + 1); current = "fwrite"; CHECK(fwrite(t, 1, n, f) == model_fwrite(t, 1, n, m), "%s", t); break; }
    default: x = (int)rnd(); letters(t, 6); current = "fprintf"; { int r = fprintf(f, "%d,%5s;", x, t), s = model_fprintf(m, "%d,%5s;", x, t); CHECK(r == s, "%d %d", r, s); }
  }
  current = "feof"; CHECK(!feof(f) == !model_feof(m), "%d %d", feof(f), model_feof(m));
  current = "ferror"; CHECK(!ferror(f) == !model_ferror(m), "%d", ferror(f));
  current = "ftell"; CHECK(ftell(f) == model_ftell(m), "%ld %ld", ftell(f), model_ftell(m));
}

static void reposition(FILE *f, FILE *m)
{
  int how = below(4); long offset = (long)below(30) - 5;
  current = "fflush"; CHECK(fflush(f) == model_fflush(m), "flush");
  if (how == 3) { rewind(f); model_rewind(m); return; }
  current = "fseek"; int whence = how == 0 ? SEEK_SET : how == 1 ? SEEK_CUR : SEEK_END;
  int x = fseek(f, offset, whence), y = model_fseek(m, offset, whence); CHECK(!x == !y, "%ld %d: %d %d", offset, whence, x, y);
  if (below(3) == 0) { clearerr(f); model_clearerr(m); }
}

static void open_files(void)
{
  static const char *modes[] = {"w+", "r+", "a+", "r", "w", "a", "wx", "r+b"}, *names[] = {"one", "two"};
  for (int round = 0; round < 1500; round++) {
    const char *name = names[below(2)], *mode = modes[below(8)];
    current = "fopen"; errno = 0; FILE *f = fopen(name, mode), *m = model_fopen(name, mode); CHECK(!f == !m, "%s %s", name, mode);
    if (f && m) {
      int can_read = *mode == 'r' || strchr(mode, '+'), can_write = *mode != 'r' || strchr(mode, '+');
      for (int turn = 0; turn < 4; turn++) {
        int reads = can_read && (!can_write || below(2));
        for (int i = below(6); i > 0; i--) one_operation(f, m, reads);
        reposition(f, m);
      }
      current = "fclose"; CHECK(fclose(f) == model_fclose(m), "%s", name);
    }
    if (below(5) == 0) { current = "remove"; int x = remove(name), y = model_remove(name); CHECK(x == y, "%s: %d %d", name, x, y); }
    if (below(9) == 0) { current = "rename"; int x = rename("one", "two"), y = model_rename("one", "two"); CHECK(x == y, "%d %d", x, y); }
    current = "access"; CHECK(access(name, F_OK) == model_access(name, F_OK), "%s", name);
  }
  current = "tmpfile"; FILE *f = tmpfile(), *m = model_tmpfile(); CHECK(!f == !m, "tmpfile"); if (f && m) { for (int i = 0; i < 9; i++) one_operation(f, m, 0); fclose(f); model_fclose(m); }
}

static void descriptors(void)
{
  for (int round = 0; round < 500; round++) {
    static const int flags[] = {O_RDWR | O_CREAT, O_RDWR, O_RDWR | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND, O_RDONLY, O_RDWR | O_CREAT | O_EXCL};
    int how = flags[below(6)]; current = "open"; int f = open("raw", how, 0600), m = model_open("raw", how, 0600); CHECK((f < 0) == (m < 0), "%o: %d %d", how, f, m);
    if (f < 0 || m < 0) continue;
    for (int i = below(8); i > 0; i--) {
      char a[32], b[32]; memset(a, 0, 32); memset(b, 0, 32); size_t n = below(12);
      switch (below(3)) {
        case 0: { current = "read"; ssize_t x = read(f, a, n), y = model_read(m, b, n); CHECK(x == y && !memcmp(a, b, 32), "%zd %zd", x, y); break; }
        case 1: { letters(a, 11); current = "write"; ssize_t x = write(f, a, strlen(a)), y = model_write(m, a, strlen(a)); CHECK(x == y, "%zd %zd", x, y); break; }
        default: { long o = (long)below(25) - 4; int w = below(3); current = "lseek"; long x = lseek(f, o, w), y = model_lseek(m, o, w); CHECK(x == y, "%ld %d: %ld %ld", o, w, x, y); }
      }
    }
    current = "close"; CHECK(close(f) == model_close(m), "close"); CHECK(close(-1) == model_close(-1), "close of nothing");
    if (below(4) == 0) { remove("raw"); model_remove("raw"); }
  }
}

static int through_list(int (*to)(char *, const char *, va_list), char *text, const char *format, ...)
{ va_list list; va_start(list, format); int r = to(text, format, list); va_end(list); return r; }
static int through_sized(int (*to)(char *, size_t, const char *, va_list), char *text, size_t size, const char *format, ...)
{ va_list list; va_start(list, format); int r = to(text, size, format, list); va_end(list); return r; }
static int through_scan(int (*from)(const char *, const char *, va_list), const char *text, const char *format, ...)
{ va_list list; va_start(list, format); int r = from(text, format, list); va_end(list); return r; }

static int order; static void first_handler(void) { order = order * 10 + 1; } static void second_handler(void) { order = order * 10 + 2; }

static void others(void)
{
  char a[128], b[128], t[32];
  for (int round = 0; round < 500; round++) {
    int x = (int)rnd(), i = 0, j = 0; letters(t, 9); unsigned n = below(30);
    current = "sprintf"; CHECK(sprintf(a, "%x:%s", x, t) == model_sprintf(b, "%x:%s", x, t) && !strcmp(a, b), "%s %s", a, b);
    current = "vsprintf"; CHECK(through_list(vsprintf, a, "%d|%-9s", x, t) == through_list(model_vsprintf, b, "%d|%-9s", x, t) && !strcmp(a, b), "%s %s", a, b);
    memset(a, 1, 128); memset(b, 1, 128);
    current = "vsnprintf"; CHECK(through_sized(vsnprintf, a, n, "%u %s", x, t) == through_sized(model_vsnprintf, b, n, "%u %s", x, t) && !memcmp(a, b, 128), "%u", n);
    memset(a, 0, 128); memset(b, 0, 128);
    current = "vsscanf"; CHECK(through_scan(vsscanf, t, "%d %s", &i, a) == through_scan(model_vsscanf, t, "%d %s", &j, b) && i == j && !strcmp(a, b), "%s", t);
    current = "strtok"; strcpy(a, t); strcpy(b, t);
    for (int k = 0; k < 20; k++) { char *p = strtok(k ? 0 : a, " 1\n"), *q = model_strtok(k ? 0 : b, " 1\n"); CHECK(!p == !q && (!p || (p - a == q - b && !strcmp(p, q))), "%s", t); if (!p) break; }
    long l = (long)rnd(), d = (long)(rnd() >> below(60)) + 2; current = "ldiv"; ldiv_t p = ldiv(l, d), q = model_ldiv(l, d); CHECK(p.quot == q.quot && p.rem == q.rem, "%ld %ld", l, d);
    time_t when = (time_t)(rnd() >> 32), other = (time_t)(rnd() >> 30);
    current = "gmtime"; CHECK(!memcmp(gmtime(&when), model_gmtime(&when), 9 * sizeof(int)), "%ld", (long)when);
    current = "localtime"; CHECK(!memcmp(localtime(&when), model_localtime(&when), 9 * sizeof(int)), "%ld", (long)when);
    struct tm u = *gmtime(&when), v; u.tm_mday += (int)below(90) - 40; u.tm_isdst = 0; v = u;
    current = "mktime"; CHECK(mktime(&u) == model_mktime(&v) && !memcmp(&u, &v, 8 * sizeof(int)), "%ld", (long)when);
    current = "asctime"; CHECK(!strcmp(asctime(&u), model_asctime(&u)), "%ld", (long)when);
    current = "ctime"; CHECK(!strcmp(ctime(&when), model_ctime(&when)), "%ld", (long)when);
    current = "difftime"; CHECK(difftime(when, other) == model_difftime(when, other), "%ld", (long)when);
  }
  current = "setlocale"; CHECK(!strcmp(setlocale(LC_ALL, "C"), model_setlocale(LC_ALL, "C")), "C"); CHECK(!strcmp(setlocale(LC_ALL, 0), model_setlocale(LC_ALL, 0)), "the current one");
  current = "atexit"; model_atexit(first_handler); model_atexit(second_handler); model_fathom_run_handlers(); CHECK(order == 21, "%d", order);
}

void streams(void)
{
  model_fathom_closed_world = 1;
  setenv("TZ", "UTC0", 1); tzset();
  open_files(); descriptors(); others();
  remove("one"); remove("two"); remove("raw");
}
