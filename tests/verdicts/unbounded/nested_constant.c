//! unreach-call: true
// Constant loops inside each other: too many rounds to run, each with the same end.
extern void reach_error(void);

int main(void) {
  unsigned inner = 0;
  for (unsigned i = 0; i < 0x0fffffff; i++)
    for (unsigned j = 0; j < 20; j++) {
      for (inner = 0; inner < 7; inner++) {
      }
      if (inner % 7) reach_error();
    }
  return 0;
}
