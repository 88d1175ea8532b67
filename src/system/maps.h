/* Momentum maps of generators that are affine in the coordinates, xi(q) = A q + b with
 * constant A and b:
 *
 *     p . xi(q) = sum of b_i p_i  +  sum of A_ij p_i q_j
 *
 * Each is a list of its nonzero terms. A and b are computed once; the terms of rotations
 * and translations then take one product or none each. */
#ifndef LV_SYSTEM_MAPS_H
#define LV_SYSTEM_MAPS_H

#include "system/symmetries.h"

/* The term factor * p[p] * q[q], or factor * p[p] if it belongs to a shift. */
typedef struct lv_map_term {
    double factor;
    int p, q;
} lv_map_term;

typedef LV_ARRAY(lv_map_term) lv_map_terms;

typedef struct lv_maps {
    int count;
    lv_map_terms shifts, turns; /* terms of all maps, one map after the other */
    struct {
        int shifts, turns;
    } * end;         /* by map: where its terms end in both lists */
    bool of_numbers; /* a generator depends on parameters or on numbers of instances */
} lv_maps;

/* Makes the maps of the declared symmetries, then those of the found ones. If a declared
 * generator is not affine, all declared ones are left out. Call lv_maps_done in any
 * case. */
lv_status lv_maps_init(lv_maps *maps, const lv_model *model, const lv_symmetries *found,
                       lv_error *err);
void lv_maps_done(lv_maps *maps);

/* Would the maps be the same for the present numbers of the model (model/alike.h)? */
bool lv_maps_agree(const lv_maps *maps, const lv_model *model,
                   const lv_symmetries *found);

void lv_maps_evaluate(const lv_maps *maps, double *values, const double *q,
                      const double *p);

#endif
