#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static int table[8];

static int sum_of(int from)
{
    int local[4];
    for (int i = 0; i < 4; i++)
        local[i] = i + 7;
    return local[from & 3] & 255;
}

static int *dangling(void)
{
    int local = 1;
    int *volatile address = &local;
    return address;
}

static void arrays(int n)
{
    for (int i = 0; i < 8; i++)
        table[i] = sum_of(i);
    for (int i = 0; i <= 8; i++)
        table[i] = i; /* may fail */
    if (n >= 0 && n < 8)
        table[n] = 100 / (n + 1);
    table[1] = 100 / n; /* may fail */
    table[2] = n + 1; /* may fail */
}

static void heap(void)
{
    char *text = malloc(8);
    if (text) {
        text[0] = 1; /* may fail: null is not told from other small numbers */
        memset(text, 0, 8);
        text[7] = 1;
        memset(text, 0, 9); /* may fail */
    }
    char *never = malloc(8);
    *never = 1; /* may fail */
    never[2] = 2;
    free(never);
    free(text); /* may fail: there is one object for everything that malloc gives */
}

static void scopes(int n)
{
    if (n > 5)
        *dangling() = 4; /* may fail */
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int inner[2] = {i, i};
        p = &inner[n & 1];
        *p = 2;
    }
    *p = 3; /* may fail */
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    arrays(n);
    heap();
    int sum = sum_of(n);
    scopes(n);
    return sum;
}
