//! unreach-call: true
// The end of one member and the next one are the same place in one object; the ends of arrays compare within it.
extern void reach_error(void);
struct pair { int a[2]; int b[2]; };
int main(void) {
    struct pair p;
    if (&p.a[2] != &p.b[0] || &p.b[2] <= &p.a[0])
        reach_error();
    return 0;
}
