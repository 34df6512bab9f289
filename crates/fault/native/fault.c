// Calls that come back although the work inside was ended by a fault. C, because nothing else may call sigsetjmp.

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { COUNT = sizeof faults / sizeof faults[0] };

// Whoever handled them before.
static struct sigaction before[COUNT];

// Where the innermost guarded call of this thread began.
static __thread sigjmp_buf *innermost;

static void on_fault(int signal, siginfo_t *info, void *context)
{
  (void)context;
  if (innermost) siglongjmp(*innermost, signal);
  // Nobody guards this: the handler that was there before decides. A faulting instruction runs again and finds it.
  for (int i = 0; i < COUNT; i++)
    if (faults[i] == signal) sigaction(signal, &before[i], NULL);
  if (info->si_code <= 0) raise(signal);
}

static void install(void)
{
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
