//! valid-memsafety: true
// Arrays of blocks that are entered again and left by jumps; what alloca gave before them lives as long as its function.
int main(void) {
  char *kept = 0;
  int sum = 0;
  for (int i = 1; i < 4; i++) {
    if (!kept) {
      kept = __builtin_alloca(4);
      kept[3] = 1;
    }
    char a[i];
    a[i - 1] = i;
    sum += a[i - 1];
    if (i == 2) continue;
    sum++;
  }
  return sum + kept[3];
}
