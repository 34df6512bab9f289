//! unreach-call: true
//! valid-memsafety: true
// Memory from alloca lives until the function returns, also when taken in a loop.
#include <alloca.h>
extern void reach_error(void);

int main(void) {
  int *cells[3];
  for (int i = 0; i < 3; i++) {
    cells[i] = alloca(sizeof(int));
    *cells[i] = i;
  }
  if (*cells[0] + *cells[1] + *cells[2] != 3) reach_error();
  if (cells[0] == cells[1] || cells[1] == cells[2]) reach_error();
  return 0;
}
