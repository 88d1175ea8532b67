#include "scheme/stepped.h"

<<<<<<< HEAD
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
=======
lv_status lv_stepped_step(void *work, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err)
{
    lv_stepped *w = work;
    return lv_stepper_step(w->stepper, state, h, project || w->projects_always, report,
                           err);
>>>>>>> main
}

lv_memory_view lv_stepped_memory(void *work)
{
<<<<<<< HEAD
    return lv_stepper_memory(work);
=======
    lv_stepped *w = work;
    return lv_stepper_memory(w->stepper);
>>>>>>> main
}

void lv_stepped_forget(void *work)
{
<<<<<<< HEAD
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
=======
    lv_stepped *w = work;
    lv_stepper_forget(w->stepper);
}

lv_stepper *lv_stepped_stepper(void *work)
{
    lv_stepped *w = work;
    return w->stepper;
>>>>>>> main
}

lv_status lv_stepped_tangent(void *work, double *matrix, lv_error *err)
{
<<<<<<< HEAD
    return lv_stepper_tangent(work, matrix, err);
=======
    lv_stepped *w = work;
    return lv_stepper_tangent(w->stepper, matrix, err);
}

static void copy_carried(const lv_stepped *w, const char *name, double *to)
{
    const double *from = lv_stepper_carried(w->stepper, name);
    for (int r = 0; r < w->m; r++)
        to[r] = from ? from[r] : 0;
}

void lv_stepped_multipliers(void *work, double *lambda, double *gamma)
{
    copy_carried(work, "last_lambda", lambda);
    copy_carried(work, "last_gamma", gamma);
>>>>>>> main
}
