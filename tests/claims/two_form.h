/* How far a step is from keeping the symplectic form (study/two_form.h), inside of tests. */
#ifndef LV_TESTS_TWO_FORM_H
#define LV_TESTS_TWO_FORM_H

#include "moving.h"
#include "study/two_form.h"

/* By differences; the error of derivatives is of sixth order in the spread. */
static inline double two_form_defect_along(lv_sim *sim, double spread, lv_form_point make)
{
    double defect = (double)NAN;
    lv_error err;
    if (lv_two_form_differences(sim, &defect, spread, make, &err) != LV_OK)
        fail_with(&err);
    return defect;
}

static inline double two_form_defect(lv_sim *sim, double spread)
{
    return two_form_defect_along(sim, spread, lv_form_point_projected);
}

/* By the derivatives of the next two steps. */
static inline double exact_two_form_defect(lv_sim *sim)
{
    double defect = (double)NAN;
    lv_error err;
    if (lv_two_form_exact(sim, &defect, &err) != LV_OK)
        fail_with(&err);
    return defect;
}

#endif
