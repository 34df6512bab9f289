//! unreach-call: false
// On the failure path the lock is kept, and taken again in the next round.
// Witness for unreach-call: 0 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int locked;
static void lock(void) { if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; }

int main(void) {
  for (;;) {
    lock();
    if (__VERIFIER_nondet_int()) continue;
    unlock();
  }
}
