//! unreach-call: true
// A main that takes the number of arguments alone: it is never negative.
extern void reach_error(void);
int main(int argc) {
  if (argc < 0) reach_error();
  return 0;
}
