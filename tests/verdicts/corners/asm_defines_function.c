//! unreach-call: true
// A function that assembly between the functions defines has a body, which is not known.
extern void reach_error(void);
__asm__(".globl three\nthree: mov $3, %eax\n ret\n");
int three(void);

int main(void) {
  if (three() != 3)
    reach_error();
  return 0;
}
