//! unreach-call: false
// A function in the section of what runs after main.
extern void reach_error(void);
static int done;
static void last(void) {
  if (done) reach_error();
}
__attribute__((section(".fini_array"), used)) static void (*const table[])(void) = {last};
int main(void) {
  done = 1;
  return 0;
}
