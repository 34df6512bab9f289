//! unreach-call: true
// There is no such category.
#include <errno.h>
#include <locale.h>
extern void reach_error(void);
int main(void) {
  if (setlocale(99, "C") != 0 || errno != EINVAL || setlocale(LC_ALL, 0) == 0) reach_error();
  return 0;
}
