int divide(int a, int b);
int value_of(const int *p);

/* Planted: two arguments make the divisor 0. */
int main(int argc, char **argv) {
    int x = 20;
    (void)argv;
    return divide(value_of(&x), argc - 3);
}
