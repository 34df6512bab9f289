//! valid-deref: true
//! unreach-call: true
// Only a copy that is not followed any more outlives the object.
extern void reach_error(void);
int main(void) {
    int kept = 1;
    int *first, *second = &kept;
    {
        int x = 3;
        first = &x;
        if (*first != 3)
            reach_error();
        first = second;
    }
    if (*first != 1)
        reach_error();
    return 0;
}
