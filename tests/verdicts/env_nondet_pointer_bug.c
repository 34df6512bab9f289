//! unreach-call: false
// A pointer that the program asks for leads to some object, which keeps what is written to it.
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);
struct device { int id; int state; };
int main(void) {
  struct device *device = __VERIFIER_nondet_pointer();
  if (!device) return 0;
  device->id = 7;
  if (device->id == 7 && device->state == 3) reach_error();
  return 0;
}
