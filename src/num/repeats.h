/* Lines of a table that repeat others, farther on. A line is a list of cells, and a
 * cell has a few indices. Constraints of a family have such lines: from one to the
 * next all indices grow by constant steps, so that loops over them need no table. */
#ifndef LV_NUM_REPEATS_H
#define LV_NUM_REPEATS_H

#include "base/arena.h"
#include "base/status.h"

enum { LV_CELL_INDICES = 3 };

typedef struct lv_cell {
    int at[LV_CELL_INDICES];
    int step[LV_CELL_INDICES]; /* what is added for each repetition */
    int kind;                  /* equal in all repetitions */
} lv_cell;

/* `period` lines from `line` on, and `repeats` - 1 repetitions of them. The cells of
 * line k < period are cell[start[k]] to cell[start[k + 1] - 1]. Lines that no
 * others repeat are a stretch with repeats = 1. */
typedef struct lv_stretch {
    int line, period, repeats;
    const int *start;
    const lv_cell *cell;
} lv_stretch;

typedef struct lv_repeats {
    const lv_stretch *stretch;
    int count;
} lv_repeats;

/* Divides lines into stretches, which are copied to the arena. start[k] is the first
 * cell of line k; start[lines] is the number of all. */
lv_status lv_repeats_find(lv_repeats *repeats, lv_arena *arena, int lines,
                          const int *start, const lv_cell *cell, lv_error *err);

#endif
