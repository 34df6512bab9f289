//! unreach-call: false
// Nobody knows the order of functions.
extern void reach_error(void);
void first(void) {
}
void second(void) {
}
int main(void) {
    if ((unsigned long)first > (unsigned long)second)
        reach_error();
    return 0;
}
