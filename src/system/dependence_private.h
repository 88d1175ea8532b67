/* The struct lv_dependence, for dependence.c and dependence_sets.c. */
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
    const int *rows;    /* numbers of the rows */
    const int *columns; /* columns in which these rows have entries */
} lv_row_set;

/* A dependent row: its set, and its position among the rows of the set. */
typedef struct lv_dependent_row {
    int set, at;
} lv_dependent_row;

struct lv_dependence {
    lv_arena arena;
    int rows, columns, entries; /* sizes of the largest matrix */
    lv_row_rank *rank;          /* sparse factors; NULL: they would be too large */
    bool by_rank;               /* the last case was clear: `rank` has the whole result */
    /* Tolerance with which the gradients in `seen` were factored in `rank`; 0: none
     * were */
    double gap;
    int seen_rows;
    double *seen;
    int looks;
    bool too_many;
    int count, sets;
    lv_row_set *set;
    lv_dependent_row *dependent;
    int *row, *column, *order; /* rows and columns of the sets, one set after the other */
    int *parent, *size;        /* by row: disjoint sets while they are joined */
    int *place;                /* by column: its position in the current set */
    double *weights;           /* one number per row */
    double *scratch;           /* max(rows, columns) numbers */
    double *part;              /* twice as many */
    /* One number per row: vectors of the conjugate gradient iteration */
    double *rest, *direction;
    bool *suspect;   /* by row: it may depend on others */
    bool *lines;     /* lines of a matrix that are left out */
    double *numbers; /* dense matrices and work space of the sets */
    size_t room;
};

/* Allocates `numbers`; returns false if there is no memory. */
bool lv_dependence_take_numbers(lv_dependence *dependence);

/* Finds the dependent rows where the case is not clear; results as of
 * lv_dependence_look. */
int lv_dependence_look_at_sets(lv_dependence *dependence, const lv_pattern *pattern,
                               const double *values, double tolerance);

#endif
