/* Where formulas of a step are sampled, to choose the order in which linear systems are
 * solved (step/node_solve.h), and whether it would be the same at a sample with other
 * numbers. */
#ifndef LV_STEP_SAMPLED_H
#define LV_STEP_SAMPLED_H

#include "step/fusing.h"

typedef struct lv_sampled lv_sampled;

/* The course as it is when a step begins at the start of the model. */
void lv_course_sample(lv_course *course);

/* Takes the graph and the orders. */
lv_status lv_sampled_create(lv_sampled **sampled, lv_fusing *made, lv_error *err);
void lv_sampled_free(lv_sampled *sampled);

/* Are all orders the same where the course is now, with these inputs I? The sizes of
 * pivots are set. */
bool lv_sampled_agrees(lv_sampled *sampled, const double *numbers, double *sizes);

#endif
