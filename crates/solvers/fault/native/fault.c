// Calls that come back although the work inside was ended by a fault. C, because nothing else may call sigsetjmp.

#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { COUNT = sizeof faults / sizeof faults[0] };

// Whoever handled them before.
static struct sigaction before[COUNT];

// Where the innermost guarded call of this thread began.
static __thread sigjmp_buf *innermost;

// Where the code of the C library is.
static uintptr_t library_start, library_end;

static int find_library(struct dl_phdr_info *object, size_t size, void *unused)
{
  (void)size, (void)unused;
  for (int i = 0; i < object->dlpi_phnum; i++)
  {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || (uintptr_t)&malloc < start || (uintptr_t)&malloc >= start + part->p_memsz) continue;
    library_start = start, library_end = start + part->p_memsz;
    return 1;
  }
  return 0;
}

// Whether somebody sent the signal just when the C library was at work. Its locks would never be opened again if that
// were left by a jump. A fault is none of these, nor is `abort`, which the C library sends itself.
static int comes_at_a_bad_time(int signal, const siginfo_t *info, const void *context)
{
#if defined(__x86_64__)
  uintptr_t at = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  uintptr_t at = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
  uintptr_t at = 0;
#endif
  return info->si_code <= 0 && signal != SIGABRT && library_start <= at && at < library_end;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
  if (innermost && comes_at_a_bad_time(signal, info, context)) return;
  if (innermost) siglongjmp(*innermost, signal);
  // Nobody guards this: the handler that was there before decides. A faulting instruction runs again and finds it.
  for (int i = 0; i < COUNT; i++)
    if (faults[i] == signal) sigaction(signal, &before[i], NULL);
  if (info->si_code <= 0) raise(signal);
}

static void install(void)
{
  dl_iterate_phdr(find_library, NULL);
  struct sigaction action = {0};
  action.sa_sigaction = on_fault;
  // On the alternate stack, because a stack overflow is a fault too; not blocked afterwards, because the handler is
  // left by a jump.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < COUNT; i++) sigaction(faults[i], &action, &before[i]);
}

// Runs the work. Returns 0, or the signal of the fault that ended it.
int fathom_survive(void (*work)(void *), void *data)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  sigjmp_buf *const outer = innermost;
  sigjmp_buf here;
  int signal = sigsetjmp(here, 0);
  if (signal == 0)
  {
    innermost = &here;
    work(data);
  }
  innermost = outer;
  return signal;
}
