//! unreach-call: true
// A lock is taken and given back in turn, forever.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int locked;
static void lock(void) { if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; }

int main(void) {
  for (;;) {
    lock();
    int failed = __VERIFIER_nondet_int();
    if (failed) { unlock(); continue; }
    unlock();
  }
}
