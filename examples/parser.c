// A parser for `key=value` that believes its input ends: a line without `=` runs off the buffer. Try:
//   fathom verify examples/parser.c --property valid-memsafety
extern char __VERIFIER_nondet_char(void);

#define LENGTH 6

static int key_length(const char *line) {
  int length = 0;
  while (line[length] != '=') length++;
  return length;
}

int main(void) {
  char line[LENGTH];
  for (int i = 0; i < LENGTH - 1; i++) line[i] = __VERIFIER_nondet_char();
  line[LENGTH - 1] = '\0';
  return key_length(line);
}
