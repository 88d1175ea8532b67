/* The point at which formulas of a step are sampled to choose the elimination order of
 * its linear systems (fused/node_solve.h), and whether other numbers of the model would
 * give the same orders. */
#ifndef LV_FUSED_SAMPLED_H
#define LV_FUSED_SAMPLED_H

#include "fused/fusing.h"

typedef struct lv_sampled lv_sampled;

/* Sets the course to a step that begins at the start of the model. */
void lv_course_sample(lv_course *course);

/* Takes ownership of the graph and the orders of `made`. */
lv_status lv_sampled_create(lv_sampled **sampled, lv_fusing *made, lv_error *err);
void lv_sampled_free(lv_sampled *sampled);

/* Are all orders the same at the present state of the course, with these inputs I?
 * `sizes` receives the sizes of the pivots. */
bool lv_sampled_agrees(lv_sampled *sampled, const double *numbers, double *sizes);

#endif
