#include "scheme/stepped.h"

#include "step/course.h"

lv_stepper *lv_stepped_stepper(void *work)
{
    return work;
}

void lv_stepped_free(void *work)
{
    lv_stepper_free(work);
}

lv_status lv_stepped_step(void *work, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err)
{
    return lv_stepper_step(work, state, h, project, report, err);
}

lv_memory_view lv_stepped_memory(void *work)
{
    return lv_stepper_memory(work);
}

void lv_stepped_forget(void *work)
{
    lv_stepper_forget(work);
}

/* Before the first step they are 0. */
void lv_stepped_multipliers(void *work, double *lambda, double *gamma)
{
    const int m = lv_stepper_course(work)->system->m;
    const double *l = lv_stepper_carried(work, "last_lambda"),
                 *g = lv_stepper_carried(work, "last_gamma");
    for (int r = 0; r < m; r++)
        lambda[r] = l ? l[r] : 0;
    for (int r = 0; r < m && gamma; r++)
        gamma[r] = g ? g[r] : 0;
}

lv_status lv_stepped_tangent(void *work, double *matrix, lv_error *err)
{
    return lv_stepper_tangent(work, matrix, err);
}
