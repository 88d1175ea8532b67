/* Predictions with fitted weights.
 *
 * Values that change a lot from step to step are no polynomials of time, but they still
 * follow from the values before them: all multipliers of a chain, say, oscillate with the
 * same frequencies, and such values satisfy linear recursions. A column is therefore
 * predicted as a weighted sum of its sources: the same column in the last steps, and the
 * columns of the same kind in the newest stages and substeps, which are closer in time
 * than a whole step. The weights are those that would have predicted the column best in
 * some past steps (least squares over its rows). They change slowly, and serve for many
 * steps.
 *
 * Weights are used only if they predict the newest step, to which they were not fitted,
 * clearly better than the polynomial. */
#ifndef LV_COURSE_FITTED_H
#define LV_COURSE_FITTED_H

#include "course/past.h"

enum {
    LV_FITTED_EQUATIONS = 128,
    LV_FITTED_WORK = LV_FITTED_SOURCES * LV_FITTED_EQUATIONS
};

/* Predicts the columns whose weights are fitted; leaves the others as they are. */
void lv_fitted_expect(lv_predictor *predictor, double *expected);

/* Call after the values of a step were added. like: it had the size of the steps before.
 * Fits weights if the prediction missed, and if that was not done recently. */
void lv_fitted_renew(lv_predictor *predictor, bool like, bool missed, double miss);

#endif
