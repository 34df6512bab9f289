//! valid-memsafety: true
// The array ends with a null pointer, and every text with a null character.
int main(int argc, char **argv, char **envp) {
  if (envp[0] && envp[1] && envp[0][0]) return envp[0][1] + (envp[2] != 0);
  return 0;
}
