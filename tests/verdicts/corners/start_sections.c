//! unreach-call: true
// Functions in the sections of which the linker makes tables run before main, those with a priority first.
extern void reach_error(void);
static int step;
static void first(void) { step = step == 0 ? 1 : -1; }
static void second(void) { step = step == 1 ? 2 : -1; }
static void third(void) { step = step == 2 ? 3 : -1; }
__attribute__((section(".init_array"), used)) static void (*const late)(void) = third;
__attribute__((section(".init_array.00200"), used)) static void (*const early)(void) = second;
__attribute__((section(".preinit_array"), used)) static void (*const earliest)(void) = first;
int main(void) {
  if (step != 3) reach_error();
  return 0;
}
