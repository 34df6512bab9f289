//! unreach-call: false
// Functions begin at any byte: gcc -O0 aligns none.
extern void reach_error(void);
void called(void) {
}
int main(void) {
    if ((unsigned long)called % 16 != 0)
        reach_error();
    return 0;
}
