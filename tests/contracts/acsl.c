//! verdict: true
// Annotations in comments, as Frama-C reads them.
/*@ requires \valid_read(a + (0 .. n - 1)) && 0 < n < 4;
  @ assigns \nothing;
  @ ensures \exists integer k; 0 <= k < n && \result == a[k];
  @ ensures \result >= a[0];
  @*/
int max(const int *a, int n)
{
    int m = a[0];
    /*@ loop invariant 1 <= i <= n && m >= a[0];
      @ loop invariant \exists integer k; 0 <= k < i && m == a[k];
      @ loop assigns i, m;
      @ loop variant n - i;
      @*/
    for (int i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}
int main(void) {
    int x[1] = {3};
    int r = max(x, 1);
    //@ assert r == 3;
    return 0;
}
