//! unreach-call: true
// The proof speaks of inputs that come several blocks later.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
struct time {
    long seconds, rest;
};
struct time clocks[13];
static struct time tick(int clock) {
    struct time now = {__VERIFIER_nondet_long(), __VERIFIER_nondet_long()};
    struct time *last = &clocks[clock];
    __VERIFIER_assume((now.seconds > last->seconds) | ((now.seconds == last->seconds) & (now.rest >= last->rest)));
    *last = now;
    return now;
}
static int is_none(int clock) {
    if (clock > 11) {
        return 1;
    }
    return 0;
}
int get(int clock, struct time *to) {
    if (is_none(clock))
        return -1;
    *to = tick(clock);
    return 0;
}
int main(void) {
    struct time a, b, c;
    get(1, &a);
    get(0, &b);
    get(1, &c);
    if (c.seconds < a.seconds)
        reach_error();
    return 0;
}
