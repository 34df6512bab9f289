//! unreach-call: true
// Each call of a function has a way back of its own: a jump to an outer one leaves the inner ones.
#include <setjmp.h>
extern void reach_error(void);

static jmp_buf *places[3];

static int level(int number) {
  jmp_buf mine;
  places[number] = &mine;
  if (setjmp(mine)) return number;
  if (number == 2) longjmp(*places[1], 5);
  int deeper = level(number + 1);
  if (number == 1) reach_error();
  return deeper * 10 + number;
}

int main(void) {
  if (level(0) != 10) reach_error();
  return 0;
}
