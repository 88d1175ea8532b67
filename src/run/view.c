/* Frames: the positions of everything that a model draws. The pictures of a model are
 * kernels beside its own ones (model/view.h). A copy of the model's head with these
 * kernels in place of its own gives one plan for all of them. */
#include <livens/view.h>

#include "base/usage.h"
#include "model/footprint.h"
#include "model/view.h"
#include "run/sim.h"

#include <string.h>

struct lv_viewer {
    lv_model head;
    lv_plan *plan;  /* NULL: nothing moves */
    double *rest;   /* n velocities, all 0 */
    double *inputs; /* values of inputs; NULL: those of a simulation are used */
};

/* Frames use copies of the model's inputs, unless the viewer follows a simulation, whose
 * model has the current values. */
static lv_status take_inputs(lv_viewer *w, const lv_model *m, lv_error *err)
{
    const size_t count = (size_t)m->input_count;
    w->inputs = lv_memory_zeroed(count + 1, sizeof *w->inputs);
    if (!w->inputs)
        return lv_fail_memory(err);
    if (count > 0)
        memcpy(w->inputs, m->input_values, count * sizeof *w->inputs);
    w->head.input_values = w->inputs;
    return LV_OK;
}

static lv_status viewer_fill(lv_viewer *w, const lv_model *m, bool follows, lv_error *err)
{
    w->head = *m;
    w->head.kernels.data = m->pictures.data;
    w->head.kernels.count = m->pictures.count;
    w->head.references = m->picture_references;
    if (!follows)
        LV_TRY(take_inputs(w, m, err));
    w->rest = lv_memory_zeroed((size_t)m->coordinate_count + 1, sizeof *w->rest);
    if (!w->rest)
        return lv_fail_memory(err);
    return m->pictures.count > 0 ? lv_plan_create(&w->plan, &w->head, LV_WANT(SHOWN), err)
                                 : LV_OK;
}

static lv_status make_viewer(lv_viewer **viewer, const lv_model *model, bool follows,
                             lv_error *err)
{
    lv_viewer *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    const lv_status status =
        lv_model_settle(model, viewer_fill(w, model, follows, err), err);
    if (status == LV_OK)
        *viewer = w;
    else
        lv_viewer_free(w);
    return status;
}

lv_status lv_viewer_create(lv_viewer **viewer, const lv_model *model, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, viewer);
    *viewer = NULL;
    LV_NEED(err, model);
    return make_viewer(viewer, model, false, err);
}

lv_status lv_viewer_set_inputs(lv_viewer *viewer, const double *values, int count,
                               lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, viewer);
    LV_NEED(err, values);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    if (count != viewer->head.input_count)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_viewer_set_inputs: count is %d, but the inputs of the model "
                       "have %d numbers",
                       count, viewer->head.input_count);
    if (count > 0)
        memcpy(viewer->inputs, values, (size_t)count * sizeof *values);
    return LV_OK;
}

void lv_viewer_free(lv_viewer *viewer)
{
    if (!viewer)
        return;
    lv_plan_free(viewer->plan);
    lv_memory_free(viewer->rest);
    lv_memory_free(viewer->inputs);
    lv_memory_free(viewer);
}

static void make_frame(lv_viewer *w, double *numbers, double t, const double *q,
                       const double *v)
{
    const lv_point point = {.q = q, .v = v ? v : w->rest, .t = t};
    if (!w->plan)
        return;
    lv_plan_run(w->plan, &point);
    const double *rows = lv_plan_result(w->plan, LV_Q_SHOWN);
    for (int k = 0; k < w->head.kernels.count; k++) {
        const lv_kernel *kernel = &w->head.kernels.data[k];
        const int count = lv_picture_numbers(kernel->picture);
        for (int i = 0; i < kernel->instance_count; i++) {
            lv_picture_place(kernel->picture, i, numbers, rows);
            rows += kernel->row_count;
            numbers += count;
        }
    }
}

lv_status lv_viewer_frame(lv_viewer *viewer, double *numbers, double t, const double *q,
                          const double *v, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, viewer);
    LV_NEED(err, numbers);
    LV_NEED(err, q);
    make_frame(viewer, numbers, t, q, v);
    return LV_OK;
}

lv_status lv_sim_view(lv_sim *sim, double *numbers, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, numbers);
    if (!sim->viewer)
        LV_TRY(make_viewer(&sim->viewer, sim->system->model, true, err));
    make_frame(sim->viewer, numbers, sim->state.t, sim->state.q, sim->state.v);
    return LV_OK;
}
