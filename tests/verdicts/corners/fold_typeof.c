//! no-overflow: true
// The operand of typeof is not evaluated, wherever the type stands.
static __typeof__(2147483647 + 1) outside = 2;
int main(void) {
  __typeof__(2147483647 + 1) inside[2] = {1, (__typeof__(2147483647 + 1))2};
  return inside[1] - outside + *(__typeof__(2147483647 + 1)[]){0};
}
