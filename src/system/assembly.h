/* Newton matrices assembled from blocks: "c times this operator at these rows and
 * columns".
 *
 * A scheme declares its blocks once, each a sparse pattern with a position of its rows
 * and columns among the equations and unknowns. Then, as often as needed, it clears the
 * matrix, adds values block by block, factors and solves. lv_assembly_finish chooses the
 * back end, and with it where entries are stored. */
#ifndef LV_SYSTEM_ASSEMBLY_H
#define LV_SYSTEM_ASSEMBLY_H

#include "num/linear.h"
#include "num/pattern.h"

/* Index i of a pattern is unknown (or equation) first + i * stride. */
typedef struct lv_range_of {
    int first, stride;
} lv_range_of;

typedef struct lv_assembly lv_assembly;

/* `size` unknowns; at most `blocks` blocks will be declared. NULL without memory. */
lv_assembly *lv_assembly_create(int size, int blocks);
void lv_assembly_free(lv_assembly *assembly);

/* Declares a block and returns its number: 0, 1, ... The pattern must stay valid until
 * lv_assembly_finish. `transposed`: the pattern's rows are the block's columns. */
int lv_assembly_block(lv_assembly *assembly, const lv_pattern *pattern, lv_range_of rows,
                      lv_range_of columns, bool transposed);

/* Promises that the sum of all blocks will be symmetric. */
void lv_assembly_symmetric(lv_assembly *assembly);

/* Tells which lines fall into small sets that are eliminated first, if that is possible
 * (lv_linear_create_nested). `lines` must stay valid until lv_assembly_finish. */
void lv_assembly_inner(lv_assembly *assembly, const bool *lines);

/* Ends the declaration. */
lv_status lv_assembly_finish(lv_assembly *assembly, lv_error *err);

void lv_assembly_clear(lv_assembly *assembly);

/* Adds c * values to a block; values are in the order of its pattern. */
void lv_assembly_add(lv_assembly *assembly, int block, const double *values, double c);

/* Positions of the entries of a block in the storage, for callers that compute them in
 * place. */
const int *lv_assembly_slots(const lv_assembly *assembly, int block);

/* The linear system itself, to access its storage, factor it, solve with it and read its
 * worst pivot. */
lv_linear *lv_assembly_linear(lv_assembly *assembly);

#endif
