//! unreach-call: false
// The environment may name a locale that is not there.
#include <locale.h>
extern void reach_error(void);
int main(void) {
  if (setlocale(LC_ALL, "") == 0) reach_error();
  return 0;
}
