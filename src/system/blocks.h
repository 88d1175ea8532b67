/* Rank of a large matrix that falls into small blocks: rows and columns that share
 * entries belong to one block, and the rank of each block is found by itself. */
#ifndef LV_SYSTEM_BLOCKS_H
#define LV_SYSTEM_BLOCKS_H

#include "base/memory.h"
#include "plan/plan.h"

typedef struct lv_blocks_entry {
    int row, column;
    double value;
} lv_blocks_entry;

/* Zero-initialise to start. */
typedef struct lv_blocks {
    LV_ARRAY(lv_blocks_entry) entries;
    bool too_many; /* entries beyond LV_BLOCKS_ENTRIES were dropped */
} lv_blocks;

void lv_blocks_done(lv_blocks *blocks);

/* Adds a value to an entry. */
lv_status lv_blocks_add(lv_blocks *blocks, int row, int column, double value,
                        lv_error *err);

/* Adds the entries of a matrix that a plan has evaluated, its first row at `row`. */
lv_status lv_blocks_add_result(lv_blocks *blocks, const lv_plan *plan,
                               lv_quantity quantity, int row, lv_error *err);

/* Sets *rank to the rank, or to -1 if a block has more than LV_BLOCKS_LARGEST rows or
 * columns or there are too many entries. */
enum { LV_BLOCKS_LARGEST = 600, LV_BLOCKS_ENTRIES = 20000000 };
lv_status lv_blocks_rank(const lv_blocks *blocks, int *rank, int rows, int columns,
                         lv_error *err);

#endif
