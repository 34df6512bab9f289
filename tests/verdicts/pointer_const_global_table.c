//! unreach-call: true
//! valid-memsafety: true
// Global initialisers with addresses: of members, elements, functions, other pointers, themselves.
extern void reach_error(void);

struct node { int value; struct node *next; int *cell; };

static int numbers[4] = { 10, 20, 30, 40 };
static struct node ring[2] = { { 1, &ring[1], &numbers[2] }, { 2, ring, numbers + 3 } };
static int **indirect = &ring[1].cell;
static const char *const words[] = { "zero", "one" + 1, 0 };
static void *self = &self;
static int answer(void) { return 42; }
static struct { int (*f)(void); const char **p; } late = { answer, (const char **)words };

int main(void) {
  if (ring[0].next->next->value != 1) reach_error();
  if (*ring[0].cell != 30 || **indirect != 40) reach_error();
  if (words[1][0] != 'n' || words[2]) reach_error();
  if (self != (void *)&self) reach_error();
  if (late.f() != 42 || late.p[0][0] != 'z') reach_error();
  return 0;
}
