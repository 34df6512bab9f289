//! valid-memsafety: false(valid-deref)
// So does a const object with static storage.
static const int limits[2] = {1, 2};
int main(void) {
  *(int *)&limits[1] = 3;
  return limits[1];
}
