/* What lv_linear consists of; for the back ends only. */
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
    /* Fills slot, storage, stored and factors; memory comes from the arena. */
    lv_status (*create)(lv_linear *linear, const int *order, lv_error *err);
    /* Sets worst and worst_unknown. */
    bool (*factor)(lv_linear *linear);
    void (*solve)(const lv_linear *linear, double *x);
    void (*free)(lv_linear *linear); /* what is not in the arena; may be NULL */
    /* Makes 1 of the pivots of lines that are left out, of which nothing is stored. */
    void (*leave_out)(lv_linear *linear);
} lv_linear_methods;

extern const lv_linear_methods lv_linear_dense;
extern const lv_linear_methods lv_linear_banded;
extern const lv_linear_methods lv_linear_sparse;

/* The order that gives the narrowest band: natural, the one given (or NULL), or reverse
 * Cuthill-McKee. order[i] is the unknown at place i; half-bandwidths count diagonals
 * below and above the main one. */
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
    bool symmetric; /* the caller's word for the values */
    lv_band band;   /* order NULL unless the choice of the back end needed it */
    int *slot;
    double *storage;
    size_t stored; /* numbers in storage */
    double *residual;
    double *row, *column; /* factors of num/equilibrate.h, if `scaled` */
    lv_equilibration room;
    bool scaled; /* the factors are those of the matrix with these */
    double worst;
    int worst_unknown;
    void *factors;  /* the back end's own */
    bool *left_out; /* by unknown */
    int left;       /* how many are */
    /* without lines that are expected to be left out; NULL: there are none */
    struct lv_linear_rest *rest;
    bool by_rest;  /* these are left out now: `rest` is factored instead */
    int redundant; /* dependent equations found by the last factorisation */
    struct lv_redundancy *deficient; /* memory for them; NULL: they are not let through */
};

/* Takes the memory, unless that has been done; false if there is none. */
bool lv_redundancy_reserve(lv_linear *linear);

/* Factors what is stored, scaled, for least-norm solutions; false if it is regular after
 * all or not finite. The solution is that of the unknowns without their factors, from
 * equations with theirs. */
bool lv_redundancy_factor(lv_linear *linear);
void lv_redundancy_solve(const lv_linear *linear, double *x);
void lv_redundancy_free(lv_linear *linear);

/* What is left without the lines that are expected to be left out: are they these?
 * `worst` and `redundant` are set, in numbers of the whole. */
bool lv_rest_fits(const lv_linear *linear, const bool *lines);
bool lv_rest_factor(lv_linear *linear);
void lv_rest_solve(const lv_linear *linear, double *x);
void lv_rest_free(lv_linear *linear);

lv_status lv_band_find(lv_band *band, lv_arena *arena, const lv_pattern *pattern,
                       const int *given, lv_error *err);

#endif
