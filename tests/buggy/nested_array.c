//! property: bounds
//! says: b->rows[0].cells has 4 elements
//! says: s = 4
//! says: last condition: `s <= SLOTS`

#include <stdio.h>

#define ROWS 3
#define SLOTS 4

struct cell {
    short kind;
    int weight;
};

struct row {
    char name[8];
    struct cell cells[SLOTS];
};

struct board {
    struct row rows[ROWS];
    int total;
};

static void fill(struct board *b) {
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s <= SLOTS; s++)
            b->rows[r].cells[s].weight = 10 * r + s;
}

int main(void) {
    struct board board = {0};
    fill(&board);
    for (int r = 0; r < ROWS; r++)
        board.total += board.rows[r].cells[0].weight;
    printf("%d\n", board.total);
    return 0;
}
