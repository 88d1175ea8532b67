#include "system/dissipation.h"

#include "num/random.h"
#include "system/survey.h"

#include <math.h>
#include <stdio.h>

enum { VELOCITIES = 6 }; /* that are tried: those of the start and random ones */

typedef struct trial {
    const lv_model *model;
    double *v;
    bool negative;
} trial;

static void draw_velocities(trial *t, int number)
{
    const lv_model *m = t->model;
    double size = 0;
    for (int k = 0; k < m->coordinate_count; k++)
        size = fmax(size, fabs(m->start_v[k]));
    for (int k = 0; k < m->coordinate_count; k++) {
        const lv_draw draw = {1, "v", (uint32_t)number, (uint32_t)k};
        const double random = 2 * lv_random_uniform(&draw) - 1;
        t->v[k] = number == 0 ? m->start_v[k] : (size > 0 ? size : 1) * random;
    }
}

static bool is_dissipation(const lv_kernel *k)
{
    return k->role == LV_ROLE_FORCE && k->entry == lv_item_entry(k->item, "dissipation");
}

static lv_status visit(void *user, const lv_kernel *kernel, int instance,
                       const double *values, lv_error *err)
{
    trial *t = user;
    (void)kernel, (void)instance, (void)err;
    t->negative = t->negative || values[0] > 1e-9 * values[1];
    return LV_OK;
}

/* The power of the force and the size of its terms. */
static void power_nodes(lv_graph *g, const lv_kernel *k, lv_node nodes[2])
{
    nodes[0] = nodes[1] = lv_graph_const(g, 0);
    for (int r = 0; r < k->row_count; r++) {
        lv_node v = lv_graph_input(g, LV_INPUT_V, lv_graph_node(g, k->targets[r])->b);
        lv_node term = lv_graph_mul(g, k->rows[r], v);
        lv_node size = lv_graph_op(g, LV_OP_ABS, term, 0, 0);
        nodes[0] = lv_graph_add(g, nodes[0], term);
        nodes[1] = lv_graph_add(g, nodes[1], size);
    }
}

static lv_status try_velocities(trial *t, lv_survey *survey, lv_error *err)
{
    const lv_model *m = t->model;
    for (int k = 0; k < VELOCITIES && !t->negative; k++) {
        draw_velocities(t, k);
        lv_status status = lv_survey_run(survey, m->start_q, t->v, 0, visit, t, err);
        if (status != LV_OK && status != LV_ERR_DOMAIN)
            return status;
    }
    lv_error_clear(err); /* of velocities at which it has no value */
    return LV_OK;
}

static lv_status test_kernel(trial *t, const lv_kernel *kernel, lv_error *err)
{
    lv_survey survey = {0};
    lv_node nodes[2];
    lv_graph *g = lv_graph_copy(kernel->graph);
    if (!g)
        return lv_fail_memory(err);
    power_nodes(g, kernel, nodes);
    lv_status status = lv_graph_check(g, err);
    if (status == LV_OK)
        status = lv_survey_init(&survey, t->model, kernel, g, nodes, 2, err);
    if (status == LV_OK)
        status = try_velocities(t, &survey, err);
    lv_survey_done(&survey);
    lv_graph_free(g);
    return status;
}

static void describe(const lv_kernel *k, char *text, size_t size)
{
    lv_error at = {0};
    (void)lv_fail_at(&at, LV_ERR_MODEL, LV_AT(k->entry->place), "here");
    (void)snprintf(text, size, "'%s' (%s:%d:%d)", k->item->name, at.file, at.line,
                   at.column);
}

lv_status lv_dissipation_test(const lv_model *model, char *text, size_t size,
                              lv_error *err)
{
    trial t = {.model = model};
    lv_status status = LV_OK;
    text[0] = '\0';
    for (int k = 0; status == LV_OK && !t.negative && k < model->kernels.count; k++) {
        const lv_kernel *kernel = &model->kernels.data[k];
        if (!is_dissipation(kernel) || kernel->instance_count == 0)
            continue;
        if (!t.v)
            t.v = lv_memory_zeroed((size_t)model->coordinate_count + 1, sizeof *t.v);
        status = t.v ? test_kernel(&t, kernel, err) : lv_fail_memory(err);
        if (status == LV_OK && t.negative)
            describe(kernel, text, size);
    }
    lv_memory_free(t.v);
    return status;
}
