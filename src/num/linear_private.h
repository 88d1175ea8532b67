/* The struct lv_linear and the interface of its back ends; for the back ends only. */
#ifndef LV_NUM_LINEAR_PRIVATE_H
#define LV_NUM_LINEAR_PRIVATE_H

#include "base/arena.h"
#include "num/equilibrate.h"
#include "num/linear.h"

#include <stddef.h>

struct lv_redundancy;
struct lv_linear_rest;

typedef struct lv_linear_methods {
    lv_back_end back_end;
    /* Sets slot, storage, stored and factors; memory comes from the arena. NULL:
     * lv_nested_create does. */
    lv_status (*create)(lv_linear *linear, const int *order, lv_error *err);
    /* Sets worst and worst_unknown. */
    bool (*factor)(lv_linear *linear);
    void (*solve)(const lv_linear *linear, double *x);
    void (*free)(lv_linear *linear); /* frees memory outside the arena; may be NULL */
    /* Makes the pivots of the lines that are left out, all entries of which are 0, equal
     * to 1. */
    void (*leave_out)(lv_linear *linear);
} lv_linear_methods;

extern const lv_linear_methods lv_linear_dense;
extern const lv_linear_methods lv_linear_banded;
extern const lv_linear_methods lv_linear_sparse;
extern const lv_linear_methods lv_linear_nested;

/* Makes a system whose inner lines are eliminated set by set; *good tells whether they can
 * be. Otherwise nothing is set. */
lv_status lv_nested_create(lv_linear *linear, const bool *inner, bool *good,
                           lv_error *err);

/* The system of the outer lines, which judges small pivots and dependent equations;
 * NULL: there are none. */
lv_linear *lv_nested_rest(const lv_linear *linear);
lv_status lv_nested_expect_left_out(lv_linear *linear, const bool *lines, lv_error *err);
lv_linear_work lv_nested_count_work(const lv_linear *linear);

/* The order of unknowns with the narrowest band: the natural one, the given one (unless
 * NULL), or reverse Cuthill-McKee. order[i] is the unknown at position i; `lower` and
 * `upper` count the diagonals below and above the main one. */
typedef struct lv_band {
    int *order;
    int lower, upper;
} lv_band;

struct lv_linear {
    const lv_linear_methods *methods;
    lv_arena arena;
    lv_pattern pattern; /* a copy */
    int n;
    int bandwidth;
    double fill;    /* sparse back end: entries of U, if all pivots are on the diagonal */
    bool symmetric; /* the caller promises symmetric values */
    lv_band band;   /* its order is NULL unless choosing the back end computed it */
    int *slot;
    double *storage;
    size_t stored; /* number of elements of storage */
    double *residual;
    double *row, *column; /* scaling factors of num/equilibrate.h, valid if `scaled` */
    lv_equilibration room;
    bool scaled; /* the scaled matrix was factored */
    /* The stored values are differences of much larger numbers, with as much larger
     * rounding errors */
    bool cancelled;
    double worst;
    int worst_unknown;
    void *factors;  /* data of the back end */
    bool *left_out; /* by unknown: it is left out with its equation */
    int left;       /* number of unknowns that are left out */
    /* The matrix without the lines that are expected to be left out; NULL: none are
     * expected */
    struct lv_linear_rest *rest;
    bool by_rest;  /* the expected lines are left out now: `rest` is factored instead */
    int redundant; /* dependent equations found by the last factorisation */
    /* Memory for solving with them; NULL: they are not accepted */
    struct lv_redundancy *deficient;
};

/* Reserves the memory on the first call; returns false if there is none. */
bool lv_redundancy_reserve(lv_linear *linear);

/* Factors the stored values, which are scaled, for least-norm solutions; returns false if
 * the matrix turns out to be regular or is not finite. Solving takes the right side
 * multiplied by the row factors and returns the unknowns without any scaling. */
bool lv_redundancy_factor(lv_linear *linear);
void lv_redundancy_solve(const lv_linear *linear, double *x);
void lv_redundancy_free(lv_linear *linear);

/* The smaller matrix without the lines that are expected to be left out. lv_rest_fits:
 * are `lines` exactly these? lv_rest_factor sets `worst`, `worst_unknown` and `redundant`
 * as they are for the whole matrix. */
bool lv_rest_fits(const lv_linear *linear, const bool *lines);
bool lv_rest_factor(lv_linear *linear);
void lv_rest_solve(const lv_linear *linear, double *x);
void lv_rest_free(lv_linear *linear);

lv_status lv_band_find(lv_band *band, lv_arena *arena, const lv_pattern *pattern,
                       const int *given, lv_error *err);

#endif
