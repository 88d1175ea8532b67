#include "system/kernel_samples.h"

#include "expr/domain.h"
#include "model/turns.h"

#include <math.h>
#include <string.h>

lv_status lv_kernel_samples_init(lv_kernel_samples *s, const lv_model *model,
                                 const lv_kernel *kernel, const lv_graph *graph,
                                 const lv_node *nodes, int count, lv_error *err)
{
    *s = (lv_kernel_samples){.model = model, .kernel = kernel, .graph = graph};
    LV_TRY(lv_program_compile(&s->program, graph, nodes, count, &kernel->layout, err));
    size_t slots = (size_t)s->program->slots;
    s->workspace =
        lv_memory_zeroed(slots * LV_LANES + (size_t)count, sizeof *s->workspace);
    if (!s->workspace)
        return lv_fail_memory(err);
    lv_program_load(s->program, s->workspace, LV_LANES);
    for (int lane = 0; lane < LV_LANES; lane++)
        lv_program_put(s->program, LV_INPUT_P, model->parameter_values.data, s->workspace,
                       LV_LANES, lane);
    lv_program_run(s->program, LV_SEGMENT_UNIFORM, s->workspace, LV_LANES);
    return LV_OK;
}

void lv_kernel_samples_done(lv_kernel_samples *s)
{
    lv_program_free(s->program);
    lv_memory_free(s->workspace);
}

/* Copies one instance's coordinates, velocities and numbers into a lane. */
static void gather(const lv_kernel_samples *s, const double *q, const double *v,
                   int instance, int lane)
{
    const lv_kernel *k = s->kernel;
    const int *where = k->where + (size_t)instance * (size_t)k->slot_count;
    double *wq = s->workspace + (size_t)s->program->input[LV_INPUT_Q] * LV_LANES + lane;
    double *wv = s->workspace + (size_t)s->program->input[LV_INPUT_V] * LV_LANES + lane;
    for (int slot = 0; slot < k->slot_count; slot++)
        for (int j = 0; j < k->slots[slot].length; j++) {
            size_t local = (size_t)(k->slots[slot].first + j) * LV_LANES;
            wq[local] = q[where[slot] + j];
            wv[local] = v[where[slot] + j];
        }
    lv_kernel_put(k, s->program, instance, s->workspace, LV_LANES, lane);
    lv_program_put(s->program, LV_INPUT_R, lv_turns_of(s->model, k, instance),
                   s->workspace, LV_LANES, lane);
}

/* Explains why a value of this lane is not finite. */
static lv_status diagnose(const lv_kernel_samples *s, int instance, int lane,
                          lv_error *err)
{
    lv_status status =
        lv_domain_diagnose_lane(s->graph, s->program, s->workspace, LV_LANES, lane, err);
    if (status == LV_OK)
        return lv_fail_at(err, LV_ERR_DOMAIN, LV_AT(s->kernel->entry->place),
                          "this formula has no finite value at the start");
    char text[160];
    if (status == LV_ERR_DOMAIN && s->kernel->index_count > 0)
        lv_error_note(err, "in %s",
                      lv_kernel_row_text(s->kernel, instance, 0, text, sizeof text));
    return status;
}

static lv_status visit_lane(const lv_kernel_samples *s, int instance, int lane,
                            lv_visit visit, void *user, lv_error *err)
{
    const lv_program *p = s->program;
    double *values = s->workspace + (size_t)p->slots * LV_LANES;
    for (int k = 0; k < p->output_count; k++) {
        values[k] = s->workspace[(size_t)p->output[k] * LV_LANES + (size_t)lane];
        if (!isfinite(values[k]))
            return diagnose(s, instance, lane, err);
    }
    return visit(user, s->kernel, instance, values, err);
}

lv_status lv_kernel_samples_run(lv_kernel_samples *s, const double *q, const double *v,
                                double t, lv_visit visit, void *user, lv_error *err)
{
    int count = s->kernel->instance_count;
    for (int lane = 0; lane < LV_LANES; lane++)
        lv_model_put_time(s->model, s->program, t, s->workspace, LV_LANES, lane);
    for (int first = 0; first < count; first += LV_LANES) {
        int lanes = count - first < LV_LANES ? count - first : LV_LANES;
        for (int lane = 0; lane < LV_LANES; lane++) /* spare lanes repeat the last one */
            gather(s, q, v, first + (lane < lanes ? lane : lanes - 1), lane);
        lv_program_run(s->program, LV_SEGMENT_INSTANCE, s->workspace, LV_LANES);
        lv_program_run(s->program, LV_SEGMENT_MAIN, s->workspace, LV_LANES);
        for (int lane = 0; lane < lanes; lane++)
            LV_TRY(visit_lane(s, first + lane, lane, visit, user, err));
    }
    return LV_OK;
}
