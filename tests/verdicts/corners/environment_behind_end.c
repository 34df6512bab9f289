//! valid-memsafety: false(valid-deref)
// There may be fewer variables.
int main(int argc, char **argv, char **envp) {
  if (envp[0]) return envp[2] != 0;
  return 0;
}
