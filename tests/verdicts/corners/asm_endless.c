//! termination: false
// Inline assembly may go round for ever.
int main(void) {
  __asm__ volatile("1: jmp 1b");
  return 0;
}
