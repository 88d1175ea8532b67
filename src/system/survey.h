/* Evaluates formulas of a kernel, or derivatives of them, once in all its instances, in
 * blocks of LV_LANES. */
#ifndef LV_SYSTEM_SURVEY_H
#define LV_SYSTEM_SURVEY_H

#include "model/model.h"

typedef struct lv_survey {
    const lv_model *model;
    const lv_kernel *kernel;
    const lv_graph *graph;
    lv_program *program;
    double *workspace;
} lv_survey;

/* Compiles `nodes` of a graph that extends the kernel's. Call lv_survey_done in any
 * case. */
lv_status lv_survey_init(lv_survey *survey, const lv_model *model,
                         const lv_kernel *kernel, const lv_graph *graph,
                         const lv_node *nodes, int count, lv_error *err);
void lv_survey_done(lv_survey *survey);

/* Called for every instance, in order, with the values of the nodes. */
typedef lv_status (*lv_visit)(void *user, const lv_kernel *kernel, int instance,
                              const double *values, lv_error *err);

/* Evaluates all instances at one state. If a value is not finite, returns LV_ERR_DOMAIN
 * with the place in the formula and the instance. */
lv_status lv_survey_run(lv_survey *survey, const double *q, const double *v, double t,
                        lv_visit visit, void *user, lv_error *err);

#endif
