//! unreach-call: false
// A symbolic buffer holds the word that the program looks for.
// Witness for unreach-call: 102 116 109
#include <stddef.h>
extern void reach_error(void);
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

int main(void) {
  char word[3];
  klee_make_symbolic(word, sizeof word, "word");
  if (word[0] == 'f' && word[1] == 't' && word[2] == 'm') reach_error();
  return 0;
}
