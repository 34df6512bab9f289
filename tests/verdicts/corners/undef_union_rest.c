//! unreach-call: false
// The bytes behind the member that is initialised are arbitrary.
extern void reach_error(void);
union both { char c; int i[2]; };
int main(void) {
  union both b = {.c = 0};
  if (b.i[1] != 0) reach_error();
  return 0;
}
