//! unreach-call: true
//! no-overflow: true
// Numbers from text, with their limits.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *end;
  const char *text = "  -0x7fz";
  if (strtol(text, &end, 16) != -127 || *end != 'z')
    reach_error();
  errno = 0;
  if (strtol("99999999999999999999", 0, 10) != LONG_MAX || errno != ERANGE)
    reach_error();
  if (atoi("42abc") != 42 || strtoul("-1", 0, 10) != ULONG_MAX)
    reach_error();
  if (strtod("1.5e3", 0) != 1500.0 || strtod("0.1", 0) != 0.1 || strtof("3.4028236e38", 0) * 2 < 1e38f)
    reach_error();
  if (strtod("123456789012345678901234567890e-10", 0) != 123456789012345678901234567890e-10)
    reach_error();
  return 0;
}
