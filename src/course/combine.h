/* Linear combinations of vectors. Besides evaluating formulas, a step of a large system
 * spends most of its time on them. All vectors of a combination are read in one pass, in
 * pieces that stay in the nearest cache. */
#ifndef LV_COURSE_COMBINE_H
#define LV_COURSE_COMBINE_H

#include "system/mass.h"

/* One term of a combination: c h^power times the vector x. */
typedef struct lv_summand {
    double c;
    double weight; /* c h^power for the current step size */
    const double *x;
    int power;
    int atom; /* the atom whose value x is; -1: none */
} lv_summand;

/* out = (sum of the first `plain` sources) + M^-1 (sum of the `inverse` sources that
 * follow) */
typedef struct lv_combination {
    int size; /* length of all vectors */
    int plain, inverse;
    lv_summand *sources;
    double *out; /* none of the sources, unless it is the only one */
} lv_combination;

/* Computes the weights of all sources for step size h. */
void lv_combination_weigh(const lv_combination *combination, double h);

/* out = sum of `count` sources, which are vectors of length `size` */
void lv_sum_sources(double *out, const lv_summand *sources, int count, int size);

/* `mass` may be NULL if there are no inverse sources. `work` has room for one vector. */
void lv_combination_run(const lv_combination *combination, const lv_mass *mass,
                        double *work);

#endif
