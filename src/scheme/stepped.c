#include "scheme/stepped.h"

#include "base/memory.h"

lv_status lv_stepped_create(void **work, lv_system *system, const char *text,
                            const lv_step_table *table, lv_stepper_options options,
                            lv_error *err)
{
    lv_stepped *w = lv_memory_zeroed(1, sizeof *w);
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    w->m = system->m;
    const lv_status status =
        lv_stepper_create(&w->stepper, system, text, table, options, err);
    if (status == LV_OK)
        *work = w;
    else
        lv_stepped_free(w);
    return status;
}

void lv_stepped_free(void *work)
{
    lv_stepped *w = work;
    if (!w)
        return;
    lv_stepper_free(w->stepper);
    lv_memory_free(w);
}

lv_status lv_stepped_step(void *work, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err)
{
    lv_stepped *w = work;
    return lv_stepper_step(w->stepper, state, h, project, report, err);
}

lv_memory_view lv_stepped_memory(void *work)
{
    lv_stepped *w = work;
    return lv_stepper_memory(w->stepper);
}

void lv_stepped_forget(void *work)
{
    lv_stepped *w = work;
    lv_stepper_forget(w->stepper);
}

lv_stepper *lv_stepped_stepper(void *work)
{
    lv_stepped *w = work;
    return w->stepper;
}

lv_status lv_stepped_tangent(void *work, double *matrix, lv_error *err)
{
    lv_stepped *w = work;
    return lv_stepper_tangent(w->stepper, matrix, err);
}

static void copy_carried(const lv_stepped *w, const char *name, const lv_state *state,
                         double *to)
{
    const double *from = lv_stepper_carried(w->stepper, name);
    for (int r = 0; r < w->m; r++)
        to[r] = from ? from[r] : 0;
    if (from)
        lv_stepper_release(w->stepper, state, to);
}

void lv_stepped_multipliers(void *work, const lv_state *state, double *lambda,
                            double *gamma)
{
    copy_carried(work, "last_lambda", state, lambda);
    copy_carried(work, "last_gamma", state, gamma);
}
