/* Linear combinations of vectors, which are most of what a step of a large system does besides its formulas. All vectors
 * of a combination are read in one pass, in which the result is made in registers. */
#ifndef LV_STEP_COMBINE_H
#define LV_STEP_COMBINE_H

#include "system/mass.h"

/* c h^power times a vector. */
typedef struct lv_summand {
    double c;
    int power;
    double weight; /* c h^power for the step size at hand */
    const double *x;
    int atom; /* whose value it is, in the storage of a site; -1: of none */
} lv_summand;

/* out = sum of the plain sources + M^-1 (sum of the inverse ones, which stand behind) */
typedef struct lv_combination {
    int size; /* of the vectors */
    int plain, inverse;
    lv_summand *sources;
    double *out;
} lv_combination;

/* Finds the weights for a step size. */
void lv_combination_weigh(const lv_combination *combination, double h);

/* out = sum of `count` sources, of as many numbers as `size` says */
void lv_sum_sources(double *out, const lv_summand *sources, int count, int size);

/* mass: may be NULL where no source is inverse. work: as many numbers as the vectors have. */
void lv_combination_run(const lv_combination *combination, const lv_mass *mass,
                        double *work);

#endif
