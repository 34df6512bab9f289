//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Rows and columns: layout, pointer to a row, symbolic indices in both dimensions.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int m[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = 4 * i + j;
  unsigned r = __VERIFIER_nondet_uint() % 3, c = __VERIFIER_nondet_uint() % 4;
  if (m[r][c] != (int)(4 * r + c)) reach_error();
  int (*row)[4] = m + 1;
  if ((*row)[2] != 6 || row[1][0] != 8) reach_error();
  if (sizeof m != 48 || sizeof m[0] != 16) reach_error();
  return 0;
}
