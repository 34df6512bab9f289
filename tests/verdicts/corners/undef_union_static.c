//! unreach-call: true
// A static union starts with zeros where nothing is said at all.
extern void reach_error(void);
union both { char c; int i[2]; };
static union both b;
int main(void) {
  if (b.i[1] != 0) reach_error();
  return 0;
}
