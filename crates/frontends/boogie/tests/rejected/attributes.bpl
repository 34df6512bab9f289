procedure {:a missing} {:b x + true} {:c x} p(x: int);
