//! valid-memsafety: false(valid-deref)
// The address of a local is used after its function has returned.
static int *keep;

static void store(void) {
  int local = 5;
  keep = &local;
}

int main(void) {
  store();
  return *keep;
}
