//! unreach-call: true
// Character classes of an arbitrary character by function, of known ones by glibc's tables.
#include <ctype.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int c = __VERIFIER_nondet_uchar();
  int is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (!(isalpha)(c) != !is_letter)
    reach_error();
  if ((isupper)(c) && (tolower)(c) != c + 32)
    reach_error();
  if (!isdigit('7') || isdigit('x') || !isspace('\t') || toupper('q') != 'Q' || !ispunct(';'))
    reach_error();
  return 0;
}
