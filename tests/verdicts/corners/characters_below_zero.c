//! unreach-call: true
// Characters below zero mean those above 127.
extern void reach_error(void);
int toupper(int);
int tolower(int);
int main(void) {
    if (toupper(-100) != 156 || tolower(-1) != -1 || tolower(-129) != -129 || toupper('a') != 'A')
        reach_error();
    return 0;
}
