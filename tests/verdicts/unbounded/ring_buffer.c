//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A ring buffer served forever: indices stay inside and the count between its limits.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int ring[8];

int main(void) {
  unsigned head = 0, count = 0;
  for (;;) {
    if (__VERIFIER_nondet_int()) {
      if (count < 8) { ring[(head + count) % 8] = 1; count++; }
    } else if (count > 0) {
      if (ring[head] != 1) reach_error();
      head = (head + 1) % 8;
      count--;
    }
    if (count > 8) reach_error();
  }
}
