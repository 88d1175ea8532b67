/* Momentum maps of generators that are affine in the coordinates, xi(q) = A q + b with
 * constant A and b:
 *
 *     p . xi(q) = sum of b_i p_i  +  sum of A_ij p_i q_j
 *
 * as lists of the terms that are not zero. The numbers A and b are computed once;
 * rotations and translations need one product or none for each of their terms then. */
#ifndef LV_SYSTEM_MAPS_H
#define LV_SYSTEM_MAPS_H

#include "system/symmetries.h"

/* factor * p[p] * q[q], or factor * p[p]. */
typedef struct lv_map_term {
    double factor;
    int p, q;
} lv_map_term;

typedef LV_ARRAY(lv_map_term) lv_map_terms;

typedef struct lv_maps {
    int count;
    lv_map_terms shifts, turns; /* of all maps, one after the other */
    struct {
        int shifts, turns;
    } * end;         /* of the terms of each map */
    bool of_numbers; /* generators depend on parameters, or on numbers of instances */
} lv_maps;

/* Of the declared symmetries, and then of the found ones; without the declared ones if a
 * generator among these is not affine. Call lv_maps_done in any case. */
lv_status lv_maps_init(lv_maps *maps, const lv_model *model, const lv_symmetries *found,
                       lv_error *err);
void lv_maps_done(lv_maps *maps);

/* Would they be the same for the numbers that the model has now (model/alike.h)? */
bool lv_maps_agree(const lv_maps *maps, const lv_model *model,
                   const lv_symmetries *found);

void lv_maps_evaluate(const lv_maps *maps, double *values, const double *q,
                      const double *p);

#endif
