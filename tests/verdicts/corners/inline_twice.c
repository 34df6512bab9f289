//! unreach-call: true
// A body that is only offered (C99's inline) is the function's meaning where no other file defines it, beside one that is defined.
extern void reach_error(void);

inline int next(int x) { return x + 1; }
extern inline int after_next(int x) { return next(x) + 1; }
extern inline __attribute__((gnu_inline)) int third(int x) { return x + 3; }

int main(void) {
  if (next(1) != 2 || after_next(1) != 3 || third(1) != 4)
    reach_error();
  return 0;
}
