//! unreach-call: false
// Constructor functions run before main.
extern void reach_error(void);

static int ready;
static __attribute__((constructor)) void setup(void) { ready = 1; }

int main(void) {
  if (ready) reach_error();
  return 0;
}
