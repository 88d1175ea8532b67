/* Symmetries that a model has without having declared them (theory 1.7).
 *
 * Candidates are linear motions of the coordinates with generators xi(q) = A q + b:
 *
 *     p_NAME               one scalar coordinate that is no member of a family
 *     P_x P_y P_z          translation of all vectors of length 3 (P_x P_y: of length 2), except
 *                          directions
 *     L_x L_y L_z          rotation of all vectors of length 3 about an axis through the origin
 *     L                    rotation of all vectors of length 2 and of all angles
 *
 * Along a motion d/dt (p . xi) = xi . (L_q + f) + (A v) . L_v + mu . G xi + lambda .
 * Phi_v xi. A candidate is a symmetry if the first two terms vanish together, and G xi
 * and Phi_v xi row by row, at a few random points, on the constraints or not. Rows of g
 * that form vectors may instead turn with the coordinates, G xi = A g, as in a - b = 0.
 * Derivatives are exact, and terms that underflow or saturate are as good as others
 * (expr/lie.h): what is left of a symmetry is rounding. Where no point has finite values
 * nothing is claimed. */
#ifndef LV_SYSTEM_SYMMETRIES_H
#define LV_SYSTEM_SYMMETRIES_H

#include "system/symmetry.h"

/* Of more symmetries than this only the first are listed: nobody could watch them. */
enum { LV_SYMMETRIES_MOST = 100 };

typedef struct lv_symmetries {
    int count;
    const lv_symmetry *list;
    /* of the declared ones, by number: is it a multiple of one that was found? NULL: none
     * is, or nobody asked */
    const bool *proven;
} lv_symmetries;

/* Finds them, in a fixed order. Those whose momentum is always zero are left out, and,
 * unless `with_declared`, those whose momentum is a multiple of a declared one's. Names
 * differ from the declared ones. The result lives in the arena. */
lv_status lv_symmetries_find(lv_symmetries *found, lv_arena *arena, const lv_model *model,
                             bool with_declared, lv_error *err);

/* The same without declared ones, kept so that it can be asked whether the same would be
 * found when numbers of the model have changed (model/alike.h). Free it in any case. */
typedef struct lv_symmetry_finder lv_symmetry_finder;

lv_status lv_symmetry_finder_create(lv_symmetry_finder **finder, lv_symmetries *found,
                                    lv_arena *arena, const lv_model *model,
                                    lv_error *err);
void lv_symmetry_finder_free(lv_symmetry_finder *finder);
bool lv_symmetry_finder_agrees(lv_symmetry_finder *finder);

#endif
