//! valid-deref: false
int main(void) {
    int *p = ({ &(int){3}; });
    return *p == 7;
}
