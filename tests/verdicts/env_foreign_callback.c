//! unreach-call: true
// A callback out of a structure that other code fills in may be anything, but not just any function of this program.
extern void reach_error(void);
struct operations { int (*run)(int); };
extern struct operations *find_operations(void);
void never(void) { reach_error(); }
int main(void) {
  struct operations *found = find_operations();
  int result = found->run(3);
  return result > 0;
}
