#include "system/dissipation.h"

#include "num/random.h"
#include "system/kernel_samples.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* number of velocities that are tried: those of the start and random ones */
enum { VELOCITIES = 6 };

/* One dissipation: its graph with the power, compiled. */
typedef struct source {
    lv_graph *graph;
    lv_kernel_samples samples;
} source;

struct lv_dissipations {
    const lv_model *model;
    source *sources;
    int count;
};

static bool is_dissipation(const lv_kernel *k)
{
    return k->instance_count > 0 && lv_kernel_is_dissipation(k);
}

/* ---- creation ---------------------------------------------------------------------- */

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

static lv_status prepare(source *s, const lv_model *model, const lv_kernel *kernel,
                         lv_error *err)
{
    lv_node nodes[2];
    s->graph = lv_graph_copy(kernel->graph);
    if (!s->graph)
        return lv_fail_memory(err);
    power_nodes(s->graph, kernel, nodes);
    LV_TRY(lv_graph_check(s->graph, err));
    return lv_kernel_samples_init(&s->samples, model, kernel, s->graph, nodes, 2, err);
}

static lv_status prepare_all(lv_dissipations *d, lv_error *err)
{
    const lv_model *model = d->model;
    for (int k = 0; k < model->kernels.count; k++)
        if (is_dissipation(&model->kernels.data[k]))
            LV_TRY(prepare(&d->sources[d->count++], model, &model->kernels.data[k], err));
    return LV_OK;
}

lv_status lv_dissipations_create(lv_dissipations **d, const lv_model *model,
                                 lv_error *err)
{
    size_t count = 0;
    *d = NULL;
    for (int k = 0; k < model->kernels.count; k++)
        count += is_dissipation(&model->kernels.data[k]);
    if (count == 0)
        return LV_OK;
    lv_dissipations *own = lv_memory_zeroed(1, sizeof *own);
    source *sources = own ? lv_memory_zeroed(count, sizeof *sources) : NULL;
    if (!sources) {
        lv_memory_free(own);
        return lv_fail_memory(err);
    }
    *own = (lv_dissipations){.model = model, .sources = sources};
    lv_status status = prepare_all(own, err);
    if (status == LV_OK)
        *d = own;
    else
        lv_dissipations_free(own);
    return status;
}

void lv_dissipations_free(lv_dissipations *d)
{
    if (!d)
        return;
    for (int k = 0; k < d->count; k++) {
        lv_kernel_samples_done(&d->sources[k].samples);
        lv_graph_free(d->sources[k].graph);
    }
    lv_memory_free(d->sources);
    lv_memory_free(d);
}

int lv_dissipations_count(const lv_dissipations *d)
{
    return d ? d->count : 0;
}

/* ---- powers ------------------------------------------------------------------------ */

static lv_status visit(void *user, const lv_kernel *kernel, int instance,
                       const double *values, lv_error *err)
{
    bool *feeds = user;
    (void)kernel, (void)instance, (void)err;
    *feeds = *feeds || values[0] > 1e-9 * values[1];
    return LV_OK;
}

bool lv_dissipations_feeds(lv_dissipations *d, int k, double t, const double *q,
                           const double *v)
{
    bool feeds = false;
    assert(k >= 0 && k < lv_dissipations_count(d));
    lv_status ignored =
        lv_kernel_samples_run(&d->sources[k].samples, q, v, t, visit, &feeds, NULL);
    (void)ignored; /* it may have no value here; other checks report that */
    return feeds;
}

static void draw_velocities(const lv_model *m, double *v, int number)
{
    double size = 0;
    for (int k = 0; k < m->coordinate_count; k++)
        size = fmax(size, fabs(m->start_v[k]));
    for (int k = 0; k < m->coordinate_count; k++) {
        const lv_draw draw = {1, "v", (uint32_t)number, (uint32_t)k};
        const double random = 2 * lv_random_uniform(&draw) - 1;
        v[k] = number == 0 ? m->start_v[k] : (size > 0 ? size : 1) * random;
    }
}

lv_status lv_dissipations_feeds_at_start(lv_dissipations *d, int k, bool *feeds,
                                         lv_error *err)
{
    const lv_model *m = d->model;
    double *v = lv_memory_zeroed((size_t)m->coordinate_count + 1, sizeof *v);
    *feeds = false;
    if (!v)
        return lv_fail_memory(err);
    for (int number = 0; number < VELOCITIES && !*feeds; number++) {
        draw_velocities(m, v, number);
        *feeds = lv_dissipations_feeds(d, k, 0, m->start_q, v);
    }
    lv_memory_free(v);
    return LV_OK;
}

const char *lv_dissipations_text(const lv_dissipations *d, int k, char *text, size_t size)
{
    const lv_kernel *kernel = d->sources[k].samples.kernel;
    lv_error at = {0};
    lv_error_locate(&at, LV_AT(kernel->entry->place));
    (void)snprintf(text, size, "'%s' (%s:%d:%d)", kernel->item->name, at.file, at.line,
                   at.column);
    return text;
}

lv_status lv_dissipation_test(const lv_model *model, char *text, size_t size,
                              lv_error *err)
{
    lv_dissipations *d = NULL;
    bool feeds = false;
    text[0] = '\0';
    LV_TRY(lv_dissipations_create(&d, model, err));
    lv_status status = LV_OK;
    for (int k = 0; status == LV_OK && !feeds && k < lv_dissipations_count(d); k++) {
        status = lv_dissipations_feeds_at_start(d, k, &feeds, err);
        if (feeds)
            lv_dissipations_text(d, k, text, size);
    }
    lv_dissipations_free(d);
    return status;
}
