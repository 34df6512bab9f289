//! unreach-call: true
// Environment models of drivers hand structures to callbacks that nobody made: each is an object of its own.
extern void reach_error(void);
struct bus { int lock; };
struct device { int id; struct bus *bus; };
static int held;
static void lock(struct bus *bus) { if (held) reach_error(); held = 1; bus->lock = 1; }
static void unlock(struct bus *bus) { if (!held) reach_error(); held = 0; bus->lock = 0; }
static int probe(struct device *device) {
  lock(device->bus);
  int id = device->id;
  unlock(device->bus);
  return id;
}
int main(void) {
  struct device *device;
  return probe(device);
}
