//! unreach-call: false
// The output of inline assembly is arbitrary.
extern void reach_error(void);
int main(void) {
  unsigned low;
  __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
  if (low == 12345) reach_error();
  return 0;
}
