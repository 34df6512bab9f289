/* Random numbers, and comparisons that are counted and said when they fail. */
#include <stdint.h>
extern int failures;
extern const char *current;
extern long runs;
uint64_t rnd(void);
unsigned below(unsigned n);
int worth_saying(void);
#define CHECK(condition, ...) \
    do { \
        runs++; \
        if (!(condition)) { failures++; if (worth_saying()) { printf("%s: ", current); printf(__VA_ARGS__); printf("\n"); } } \
    } while (0)
