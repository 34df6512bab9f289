//! property: div-by-zero
//! says: division
//! says: count = 0

extern int __VERIFIER_nondet_int(void);

static int average(const int *values, int length) {
    int sum = 0, count = 0;
    for (int i = 0; i < length; i++) {
        if (values[i] >= 0 && values[i] < 1000) {
            sum += values[i];
            count++;
        }
    }
    return sum / count;
}

int main(void) {
    int values[2];
    for (int i = 0; i < 2; i++)
        values[i] = __VERIFIER_nondet_int();
    return average(values, 2) > 100;
}
