<<<<<<< HEAD
/* Methods of schemes whose work is a stepper and nothing else. Multipliers of the last step are the carried fields
 * last_lambda and last_gamma of the text, where it has them. */
=======
/* What schemes share whose steps are those of a stepper (step/stepper.h): lv_stepped is the first member of what their
 * `create` makes. */
>>>>>>> main
#ifndef LV_SCHEME_STEPPED_H
#define LV_SCHEME_STEPPED_H

#include "scheme/scheme.h"
#include "step/stepper.h"

<<<<<<< HEAD
void lv_stepped_free(void *work);
=======
typedef struct lv_stepped {
    lv_stepper *stepper;
    int m;                /* holonomic constraints */
    bool projects_always; /* at the end of every part of a composed step, too */
} lv_stepped;

>>>>>>> main
lv_status lv_stepped_step(void *work, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err);
lv_memory_view lv_stepped_memory(void *work);
void lv_stepped_forget(void *work);
<<<<<<< HEAD
void lv_stepped_multipliers(void *work, double *lambda, double *gamma);
lv_status lv_stepped_tangent(void *work, double *matrix, lv_error *err);
lv_stepper *lv_stepped_stepper(void *work);

#define LV_STEPPED_METHODS                                                               \
    .free = lv_stepped_free, .step = lv_stepped_step, .memory = lv_stepped_memory,       \
    .forget = lv_stepped_forget, .multipliers = lv_stepped_multipliers,                  \
    .tangent = lv_stepped_tangent, .stepper = lv_stepped_stepper
=======
lv_stepper *lv_stepped_stepper(void *work);
lv_status lv_stepped_tangent(void *work, double *matrix, lv_error *err);

/* The carried fields last_lambda and last_gamma; 0 where the text has none, and before the first step. */
void lv_stepped_multipliers(void *work, double *lambda, double *gamma);

#define LV_STEPPED_METHODS                                                               \
    .step = lv_stepped_step, .memory = lv_stepped_memory, .forget = lv_stepped_forget,   \
    .stepper = lv_stepped_stepper, .tangent = lv_stepped_tangent
>>>>>>> main

#endif
