//! unreach-call: false
// Under LP64 a long holds every unsigned value, so -1L < 1u; under ILP32 it would not be.
extern void reach_error(void);

int main(void) {
  if (-1L < 1u) reach_error();
  return 0;
}
