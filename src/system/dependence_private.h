/* What an lv_dependence consists of, for dependence.c and dependence_sets.c. */
#ifndef LV_SYSTEM_DEPENDENCE_PRIVATE_H
#define LV_SYSTEM_DEPENDENCE_PRIVATE_H

#include "base/arena.h"
#include "num/least_norm.h"
#include "num/row_rank.h"
#include "system/dependence.h"

#include <stddef.h>

/* Rows that depend on each other, as a dense matrix. */
typedef struct lv_row_set {
    lv_least_norm least;
    const int *rows;    /* which */
    const int *columns; /* that they have entries in */
} lv_row_set;

/* A dependent row: where it is among the rows of its set. */
typedef struct lv_dependent_row {
    int set, at;
} lv_dependent_row;

struct lv_dependence {
    lv_arena arena;
    int rows, columns, entries; /* at most */
    lv_row_rank *rank;          /* NULL: too closely knit */
    bool by_rank;               /* the last look was a clear case: `rank` has all of it */
    double gap; /* of these gradients, the factors of `rank`; 0: of none */
    int seen_rows;
    double *seen;
    int looks;
    bool too_many;
    int count, sets;
    lv_row_set *set;
    lv_dependent_row *dependent;
    int *row, *column, *order; /* of the sets, one after the other */
    int *parent, *size;        /* by row: sets that are being joined */
    int *place;                /* by column: where it is in the set at work */
    double *weights;           /* rows */
    double *scratch;           /* rows or columns, whichever is more, */
    double *part;              /* twice */
    double *rest, *direction;  /* rows: of a least-norm solution */
    bool *suspect;             /* rows that take part */
    bool *lines;               /* of a matrix, to be left out */
    double *numbers;           /* of the sets */
    size_t room;
};

/* Room for the sets; false if there is no memory. */
bool lv_dependence_take_numbers(lv_dependence *dependence);

/* Which rows depend on others where the case is not clear, as lv_dependence_look. */
int lv_dependence_look_at_sets(lv_dependence *dependence, const lv_pattern *pattern,
                               const double *values, double tolerance);

#endif
