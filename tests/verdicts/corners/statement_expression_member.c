//! valid-memsafety: true
//! unreach-call: true
// What a statement expression gives lives until the end of the full expression around it, not inside of it.
extern void reach_error(void);

struct numbers {
  int at[3];
};

int main(void) {
  int second = ({
                 struct numbers inner = {{1, 2, 3}};
                 inner;
               }).at[1];
  if (second != 2)
    reach_error();
  return 0;
}
