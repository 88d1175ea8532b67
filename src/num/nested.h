/* Matrices with lines ("inner" ones) that fall into many small sets, which only the other,
 * outer lines join:
 *
 *     | N  B |
 *     | C  D |     where N consists of small blocks, one for each set.
 *
 * Here is what their pattern alone tells: the sets, and where numbers are stored. Their
 * elimination (num/linear_nested.c) leaves the matrix S = D - C N^-1 B for the outer
 * lines. */
#ifndef LV_NUM_NESTED_H
#define LV_NUM_NESTED_H

#include "base/arena.h"
#include "num/linear.h"

/* Inner lines that are eliminated together. */
typedef struct lv_nested_set {
    int size;
    int *lines;
    int columns, rows;
    /* The outer lines in its parts of B and C, counted from the first outer line */
    int *column, *row;
    int width; /* numbers in a row of B: its columns, filled up to whole pieces */
    /* Where its parts of N, B and C begin in the storage, row by row */
    int first, push, pull;
    int *slots;    /* where C N^-1 B belongs in the storage of S, row by row */
    bool straight; /* rows of C N^-1 B are side by side in that storage */
    int *pivot;    /* room for the factors of N */
} lv_nested_set;

typedef struct lv_nested {
    lv_nested_set *sets;
    int set_count;
    int *outer; /* the outer lines */
    int outer_count;
    /* numbers of N, B and C in the storage; those of D follow, laid out as in S */
    int value_count;
    lv_pattern pattern; /* pattern of S */
    lv_linear *rest;    /* S; NULL: there are no outer lines */
    int *diagonal;      /* by outer line: where S has its diagonal entry; -1: nowhere */
} lv_nested;

/* Most lines of a set, and most outer lines that it may join: S is full where they
 * meet. */
enum { LV_NESTED_MOST = 48, LV_NESTED_JOINED_MOST = 120 };

/* This many columns of B are computed at once. */
enum { LV_NESTED_PIECE = 4 };

/* Finds all of it for a square pattern; slot[e] becomes where its entry e is stored. *good
 * tells whether there are several sets and all are small; otherwise the rest has no
 * meaning. `rest` belongs to the caller, also after a failure; all other memory is taken
 * from the arena. */
lv_status lv_nested_find(lv_nested *nested, bool *good, int *slot, lv_arena *arena,
                         const lv_pattern *pattern, const bool *inner, lv_error *err);

#endif
