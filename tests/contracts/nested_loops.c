//! verdict: true
// A cut loop in a cut loop, with variables of their bodies; break and return leave them.
#include <fathom.h>
int count(int n, int m)
fathom_requires(n >= 0 && n < 1000 && m >= 0 && m < 1000)
fathom_ensures(fathom_result >= -1 && fathom_result <= 1000000)
{
    int total = 0;
    for (int i = 0; i < n; i++)
    fathom_invariant(0 <= i && i <= n && 0 <= total && total <= 1000 * i)
    fathom_decreases(n - i)
    {
        int row = 0, j = 0;
        while (j < m)
        fathom_invariant(0 <= j && j <= m && row == j)
        fathom_decreases(m - j)
        {
            int step = 1;
            row += step;
            j++;
            if (row == 500 && i == 77)
                return -1;
        }
        if (row > 900)
            break;
        total += row;
    }
    return total;
}
int main(void) {
    return 0;
}
