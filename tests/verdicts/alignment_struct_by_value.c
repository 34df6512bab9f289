//! alignment: true
// Structures of more than two words come through the stack, whose words are aligned more than the members are.
struct Numbers { int count; int values[4]; };
static int last(struct Numbers numbers) { return numbers.values[numbers.count]; }
int main(void) {
    struct Numbers numbers = { 3, { 0 } };
    return last(numbers);
}
