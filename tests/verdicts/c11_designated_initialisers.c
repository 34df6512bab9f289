//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Designated initialisers: out of order, overriding, nested, in unions; what is not named is zero.
extern void reach_error(void);

struct point { int x, y; };
struct shape {
  const char *name;
  struct point corner[3];
  union { unsigned word; unsigned char byte[4]; } tag;
};

static const struct shape shapes[3] = {
  [2] = { .tag.byte = { 1, [2] = 3 }, .name = "last" },
  [0] = { "first", .corner[1] = { .y = 5 } },
};

int main(void) {
  int a[] = { [4] = 7, [1] = 2, 3, [4] = 9 };
  if (sizeof a / sizeof a[0] != 5) reach_error();
  if (a[0] != 0 || a[1] != 2 || a[2] != 3 || a[3] != 0 || a[4] != 9) reach_error();
  if (shapes[0].corner[1].y != 5 || shapes[0].corner[1].x != 0) reach_error();
  if (shapes[1].name != 0 || shapes[1].tag.word != 0) reach_error();
  if (shapes[2].name[3] != 't' || shapes[2].tag.word != 0x00030001) reach_error();
  return 0;
}
