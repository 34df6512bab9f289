//! valid-deref: true
// The operand of __builtin_constant_p is not evaluated.
static int known(const char *text) { return __builtin_constant_p(text[123456]); }
int main(void) { return known("hi"); }
