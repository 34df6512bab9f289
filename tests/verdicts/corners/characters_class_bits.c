//! unreach-call: false
// The functions give the bit of a class, not 1.
extern void reach_error(void);
int isalpha(int);
int main(void) {
    if (isalpha('a') != 1)
        reach_error();
    return 0;
}
