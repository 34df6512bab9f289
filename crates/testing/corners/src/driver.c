/* Runs corners natively, each on each of its inputs in a process of its own, and says what happened.

   A line of standard input is a job: the corner's number, whether to look for leaks, how many inputs there are, and each
   as two hexadecimal words. The answer is a line of words: j in front, oHEX for an observed value, eNAME for an event, r at the end.
   The handlers of UBSan are defined here, so that both compilers and word sizes do without its run-time library; ASan
   and MSan are told apart by WITH_ASAN and WITH_MSAN. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <unistd.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>

extern int (*const corner_table[])(void);

static int out = 3;
static unsigned long long words[32];
static int next_word;

static void say(const char *kind, const char *text) {
  char line[64];
  int n = snprintf(line, sizeof line, "%s%s ", kind, text);
  if (write(out, line, n) != n) _exit(1);
}

static void happened(const char *name) {
  say("e", name);
  _exit(0);
}

void corner_observe(unsigned long long value) {
  char text[24];
  snprintf(text, sizeof text, "%llx", value);
  say("o", text);
}

static unsigned long long input(void) {
  next_word += 2;
  return words[next_word - 1];
}

#define NONDET(name, type) type __VERIFIER_nondet_##name(void) { return (type)input(); }
NONDET(bool, _Bool)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
float __VERIFIER_nondet_float(void) {
  unsigned bits = (unsigned)input();
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
double __VERIFIER_nondet_double(void) {
  unsigned long long bits = input();
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
#ifdef __SIZEOF_INT128__
typedef __int128 widest;
unsigned __int128 __VERIFIER_nondet_uint128(void) {
  unsigned __int128 high = words[next_word];
  return high << 64 | input();
}
__int128 __VERIFIER_nondet_int128(void) { return (__int128)__VERIFIER_nondet_uint128(); }
#else
typedef long long widest;
#endif

#if !defined(WITH_ASAN) && !defined(WITH_MSAN)
/* What UBSan's handlers are given. */
struct place { const char *file; uint32_t line, column; };
struct type { uint16_t kind, info; char name[1]; };
struct one_type { struct place place; struct type *type; };
struct two_types { struct place place; struct type *left, *right; };

/* A value is passed as it is if it fits a word, or else by its address. */
static widest value_of(struct type *type, uintptr_t handle) {
  unsigned bits = 1u << (type->info >> 1);
  widest value = 0;
  if (bits <= 8 * sizeof handle) value = (widest)handle;
  else memcpy(&value, (void *)handle, bits / 8);
  unsigned unused = 8 * sizeof value - bits;
  if (!unused) return value;
#ifdef __SIZEOF_INT128__
  unsigned __int128 shifted = (unsigned __int128)value << unused;
#else
  unsigned long long shifted = (unsigned long long)value << unused;
#endif
  return type->info & 1 ? (widest)shifted >> unused : (widest)(shifted >> unused);
}

#define HANDLER(name) void __ubsan_handle_##name##_abort(void) { happened(#name); }
HANDLER(add_overflow)
HANDLER(sub_overflow)
HANDLER(mul_overflow)
HANDLER(negate_overflow)
HANDLER(out_of_bounds)
HANDLER(float_cast_overflow)
HANDLER(load_invalid_value)
HANDLER(vla_bound_not_positive)
HANDLER(nonnull_arg)
HANDLER(nonnull_return_v1)
HANDLER(pointer_overflow)
HANDLER(invalid_builtin)
HANDLER(alignment_assumption)
void __ubsan_handle_builtin_unreachable(void) { happened("builtin_unreachable"); }
void __ubsan_handle_missing_return(void) { happened("missing_return"); }
void __ubsan_handle_divrem_overflow_abort(struct one_type *data, uintptr_t left, uintptr_t right) {
  happened(value_of(data->type, right) == 0 ? "divrem_zero" : "divrem_overflow");
}
void __ubsan_handle_shift_out_of_bounds_abort(struct two_types *data, uintptr_t left, uintptr_t right) {
  widest count = value_of(data->right, right);
  if (count < 0 || count >= 1 << (data->left->info >> 1)) happened("shift_count");
  happened(value_of(data->left, left) < 0 ? "shift_negative" : "shift_result");
}
struct mismatch { struct place place; struct type *type; unsigned char log_alignment, kind; };
void __ubsan_handle_type_mismatch_v1_abort(struct mismatch *data, uintptr_t pointer) {
  if (!pointer) happened("null");
  happened(pointer & (((uintptr_t)1 << data->log_alignment) - 1) ? "alignment" : "object_size");
}
#endif

#ifdef WITH_ASAN
const char *__asan_get_report_description(void);
int __lsan_do_recoverable_leak_check(void);
const char *__asan_default_options(void) { return "leak_check_at_exit=0:detect_leaks=1:allocator_may_return_null=1:print_summary=0:symbolize=0:detect_stack_use_after_return=1"; }
void __asan_on_error(void) {
  const char *what = __asan_get_report_description();
  int release = strstr(what, "free") && !strstr(what, "use-after");
  happened(release ? "free" : "deref");
}
#ifdef __i386__
/* There is no unwinder for 32-bit programs where only the 64-bit one is installed, and nobody reads these traces. */
int _Unwind_Backtrace(void *step, void *data) { return 5; }
uintptr_t _Unwind_GetIP(void *context) { return 0; }
#endif
#endif
#ifdef WITH_MSAN
const char *__msan_default_options(void) { return "exit_code=86:symbolize=0"; }
#endif

static void child(int corner, int leaks) {
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  dup2(null, 2);
  alarm(5);
  corner_table[corner]();
#ifdef WITH_ASAN
  if (leaks && __lsan_do_recoverable_leak_check()) happened("leak");
#endif
  say("", "r");
  _exit(0);
}

static pid_t parent;

static void job(int corner, int leaks) {
  say("j", "");
  pid_t pid = fork();
  if (pid == 0) child(corner, leaks);
  int status = 0;
  waitpid(pid, &status, 0);
  /* A run that is undefined may come back here, or to the start of main; the jobs are not its own. */
  if (getpid() != parent) _exit(0);
  if (WIFSIGNALED(status)) say("e", WTERMSIG(status) == SIGALRM ? "timeout" : "crash");
  else if (WEXITSTATUS(status) == 86) say("e", "uninitialised");
  if (write(out, "\n", 1) != 1) exit(1);
}

int main(void) {
  if (parent) _exit(0);
  parent = getpid();
  dup2(1, out);
  int corner, leaks, inputs;
  static char buffer[1 << 20];
  setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
  while (scanf("%d %d %d", &corner, &leaks, &inputs) == 3) {
    for (int i = 0; i < 2 * inputs; i++)
      if (scanf("%llx", &words[i]) != 1) return 1;
    next_word = 0;
    job(corner, leaks);
  }
  return 0;
}
