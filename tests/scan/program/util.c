int divide(int a, int b);
int value_of(const int *p);

int divide(int a, int b) {
    return a / b;
}

int value_of(const int *p) {
    return *p;
}
