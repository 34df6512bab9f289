//! unreach-call: false
// What other code hands out is arbitrary: its field may be the value that this program does not expect.
extern void reach_error(void);
struct settings { int level; };
extern struct settings *find_settings(void);
int main(void) {
  struct settings *found = find_settings();
  if (found && found->level == 42) reach_error();
  return 0;
}
