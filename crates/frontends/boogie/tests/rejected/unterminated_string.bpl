procedure {:a "open} p();
const c: int;
