//! unreach-call: false
// The same of an array without elements.
extern void reach_error(void);
int none[0];
int one;
int main(void) {
  if ((void *)none == (void *)&one) reach_error();
  return 0;
}
