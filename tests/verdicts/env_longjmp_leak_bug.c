//! valid-memsafety: false(valid-memtrack)
// The jump leaves a function before it frees its memory.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf place;
static void work(int fails) {
  char *buffer = malloc(10);
  if (fails) longjmp(place, 1);
  free(buffer);
}

int main(void) {
  if (setjmp(place) == 0) {
    work(0);
    work(1);
  }
  return 0;
}
