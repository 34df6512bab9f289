//! unreach-call: false
// The output of inline assembly is arbitrary; a run that shows it has to confirm that.
extern void reach_error(void);
int main(void) {
  unsigned low;
  __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
  if (low != 12345) reach_error();
  return 0;
}
