//! unreach-call: true
//! valid-memsafety: true
// Member functions lie at even addresses: an odd pointer to a member function stands for a virtual one.
extern "C" void reach_error();

struct Counter {
  int start;
  int next(int step) { return start + step; }
};

int main() {
  Counter counter{1};
  int (Counter::*function)(int) = &Counter::next;
  if ((counter.*function)(3) != 4)
    reach_error();
  return 0;
}
