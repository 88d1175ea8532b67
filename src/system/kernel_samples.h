/* Evaluates formulas of a kernel, or derivatives of them, once in all its instances, in
 * blocks of LV_LANES. */
#ifndef LV_SYSTEM_KERNEL_SAMPLES_H
#define LV_SYSTEM_KERNEL_SAMPLES_H

#include "model/model.h"

typedef struct lv_kernel_samples {
    const lv_model *model;
    const lv_kernel *kernel;
    const lv_graph *graph;
    lv_program *program;
    double *workspace;
} lv_kernel_samples;

/* Compiles `nodes` of a graph that extends the kernel's. Call lv_kernel_samples_done in
 * any case. */
lv_status lv_kernel_samples_init(lv_kernel_samples *samples, const lv_model *model,
                                 const lv_kernel *kernel, const lv_graph *graph,
                                 const lv_node *nodes, int count, lv_error *err);
void lv_kernel_samples_done(lv_kernel_samples *samples);

/* Called for every instance, in order, with the values of the nodes. */
typedef lv_status (*lv_visit)(void *user, const lv_kernel *kernel, int instance,
                              const double *values, lv_error *err);

/* Evaluates all instances at one state. If a value is not finite, returns LV_ERR_DOMAIN
 * with the place in the formula and the instance. */
lv_status lv_kernel_samples_run(lv_kernel_samples *samples, const double *q,
                                const double *v, double t, lv_visit visit, void *user,
                                lv_error *err);

#endif
