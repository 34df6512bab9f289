//! termination: true
// Each pointer of the array leads one further, and the last one nowhere: what a round makes of any pointer is not what it makes of these.
int main(void) {
    int *places[4], values[4] = {1, 2, 3, 0};
    unsigned steps = 0;
    for (int i = 0; i < 4; i++)
        places[i] = &values[i];
    int *at = places[0];
    while (*at != 0) {
        at = places[*at];
        steps++;
    }
    return 0;
}
