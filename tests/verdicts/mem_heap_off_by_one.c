//! valid-memsafety: false(valid-deref)
// The terminating zero of a copied string is written one byte behind the block.
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *text = "hello";
  char *copy = malloc(strlen(text));
  if (!copy) return 0;
  int i;
  for (i = 0; text[i]; i++)
    copy[i] = text[i];
  copy[i] = 0;
  free(copy);
  return 0;
}
