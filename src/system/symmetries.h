/* Symmetries that a model has without having declared them (theory 1.7).
 *
 * Candidates are linear motions of the coordinates with generators xi(q) = A q + b:
 *
 *     p_NAME          one scalar coordinate that is no member of a family
 *     P_x P_y P_z     translation of all vectors of length 3 (P_x P_y: of length 2), except
 *                     directions
 *     L_x L_y L_z     rotation of all vectors of length 3 about an axis through the origin
 *     L               rotation of all vectors of length 2 and of all angles
 *
 * Along a motion d/dt (p . xi) = xi . (L_q + f) + (A v) . L_v + mu . G xi + lambda .
 * Phi_v xi. A candidate is a symmetry if, at a few random points, the sum of the first
 * two terms vanishes, and G xi and Phi_v xi vanish row by row. The points need not
 * satisfy the constraints. Rows of g that form vectors may instead turn with the
 * coordinates, G xi = A g, as in a - b = 0. Derivatives are exact, also of terms that
 * underflow or saturate (expr/lie.h), so that for a symmetry only rounding remains. If no
 * point has finite values, no symmetry is reported. */
#ifndef LV_SYSTEM_SYMMETRIES_H
#define LV_SYSTEM_SYMMETRIES_H

#include "system/symmetry.h"

/* At most this many symmetries are listed: more would be of no use to anybody. */
enum { LV_SYMMETRIES_MOST = 100 };

typedef struct lv_symmetries {
    int count;
    const lv_symmetry *list;
    /* By declared symmetry: is it a multiple of one that was found? NULL: none is, or it
     * was not asked */
    const bool *proven;
} lv_symmetries;

/* Finds the symmetries, in a fixed order. Left out are those whose momentum is always
 * zero and, unless `with_declared`, those whose momentum is a multiple of a declared
 * one's. Names differ from those of declared symmetries. The result is allocated in the
 * arena. */
lv_status lv_symmetries_find(lv_symmetries *found, lv_arena *arena, const lv_model *model,
                             bool with_declared, lv_error *err);

/* The same without `with_declared`. The finder is kept to decide, when numbers of the
 * model have changed (model/alike.h), whether the same symmetries would be found
 * (lv_symmetry_finder_agrees). Free it in any case. */
typedef struct lv_symmetry_finder lv_symmetry_finder;

lv_status lv_symmetry_finder_create(lv_symmetry_finder **finder, lv_symmetries *found,
                                    lv_arena *arena, const lv_model *model,
                                    lv_error *err);
void lv_symmetry_finder_free(lv_symmetry_finder *finder);
bool lv_symmetry_finder_agrees(lv_symmetry_finder *finder);

#endif
