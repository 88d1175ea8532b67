/* Methods of lv_scheme for schemes whose steps are those of a stepper (stepper/stepper.h).
 * lv_stepped is the first member of the struct that their `create` allocates. */
#ifndef LV_SCHEME_STEPPED_H
#define LV_SCHEME_STEPPED_H

#include "scheme/scheme.h"
#include "stepper/stepper.h"

typedef struct lv_stepped {
    lv_stepper *stepper;
    int m; /* number of holonomic constraint rows */
} lv_stepped;

/* `create` for schemes that consist of a text only; text, table and options as in
 * lv_stepper_create. */
lv_status lv_stepped_create(void **work, lv_system *system, const char *text,
                            const lv_step_table *table, lv_stepper_options options,
                            lv_error *err);
void lv_stepped_free(void *work);

lv_status lv_stepped_step(void *work, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err);
lv_memory_view lv_stepped_memory(void *work);
void lv_stepped_forget(void *work);
lv_stepper *lv_stepped_stepper(void *work);
lv_status lv_stepped_tangent(void *work, double *matrix, lv_error *err);

/* The carried fields last_lambda and last_gamma, of least norm at this state, m numbers
 * each. They are 0 if the text does not carry them, and before the first step. */
void lv_stepped_multipliers(void *work, const lv_state *state, double *lambda,
                            double *gamma);

#define LV_STEPPED_METHODS                                                               \
    .step = lv_stepped_step, .memory = lv_stepped_memory, .forget = lv_stepped_forget,   \
    .stepper = lv_stepped_stepper, .tangent = lv_stepped_tangent

#endif
