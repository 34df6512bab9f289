//! unreach-call: true
// The variables of a section follow each other between two symbols that the linker defines: not followed.
extern void reach_error(void);
__attribute__((section("numbers"), used)) static int one = 1;
__attribute__((section("numbers"), used)) static int two = 2;
extern int __start_numbers[], __stop_numbers[];
int main(void) {
  int sum = 0;
  for (int *at = __start_numbers; at < __stop_numbers; at++) sum += *at;
  if (sum != 3) reach_error();
  return 0;
}
