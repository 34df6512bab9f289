//! unreach-call: true
//! valid-memsafety: true
// The clock goes forward; other bases than TIME_UTC are refused and leave the object alone.
#include <time.h>
extern void reach_error(void);

int main(void) {
  struct timespec first, second = { -5, 0 };
  if (timespec_get(&first, TIME_UTC) != TIME_UTC) reach_error();
  if (timespec_get(&second, 77) != 0 || second.tv_sec != -5) reach_error();
  if (timespec_get(&second, TIME_UTC) != TIME_UTC || second.tv_sec < first.tv_sec) reach_error();
  if (second.tv_nsec < 0 || second.tv_nsec > 999999999) reach_error();
  return 0;
}
