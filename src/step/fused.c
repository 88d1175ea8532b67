#include "step/fused.h"

#include "base/memory.h"
#include "expr/code.h"
#include "step/fusing.h"

#include <math.h>
#include <string.h>

struct lv_fused {
    lv_course *c;
    lv_arena arena;
    lv_program *program;
    lv_code *code; /* NULL: the program is interpreted */
    double *workspace;
    double *numbers; /* inputs I: the step size, then numbers of instances */
    lv_fused_range *inputs, *outputs;
    int input_count, output_count;
    double h; /* for which the workspace is ready */
    bool ready;
};

/* Larger steps are taken by the course: passes over vectors then cost little beside the formulas. */
enum { MOST_OPERATIONS = 6000, MOST_NODES = 20000, MOST_COLUMNS = 80 };

/* ---- creation --------------------------------------------------------------------------------------------- */

static bool may_be_program(const lv_course *c)
{
    long operations = 0;
    if (c->system->still)
        return false;
    for (int k = 0; k < c->plans.count; k++) {
        if (!c->plans.data[k].plan || !lv_plan_unfolds(c->plans.data[k].plan))
            return false;
        operations += lv_plan_operations(c->plans.data[k].plan);
    }
    for (int p = 1; p <= c->phases.count; p++)
        if (c->phase[p].size > MOST_COLUMNS || c->phase[p].inexact)
            return false;
    return c->form.calls.count == 0 && operations <= MOST_OPERATIONS;
}

/* The course as it is when a step begins at the start of the model: where formulas are sampled. */
static void load_sample(lv_course *c)
{
    const double h = 1e-3;
    const lv_model *model = c->system->model;
    const int n = c->system->n, q = lv_form_find(&c->form, "q", 0),
              v = lv_form_find(&c->form, "v", 0), p = lv_form_find(&c->form, "p", 0);
    const size_t bytes = (size_t)n * sizeof(double);
    if (q >= 0 && c->value[q])
        memcpy(c->value[q], model->start_q, bytes);
    if (v >= 0 && c->value[v])
        memcpy(c->value[v], model->start_v, bytes);
    if (p >= 0 && c->value[p])
        lv_system_momentum(c->system, c->value[p], 0, model->start_q, model->start_v);
    for (int k = 1; k <= c->phases.count; k++)
        for (int j = 0; j < c->phase[k].unknowns; j++) {
            const lv_column *column = &c->phase[k].columns.data[j];
            for (int i = 0; i < column->size; i++)
                column->value[i] = column->vector ? column->start * model->start_v[i] : 0;
        }
    lv_course_begin(c, 0, h);
}

static lv_status keep_ranges(lv_fused *f, const lv_fusing *made, lv_error *err)
{
    f->input_count = made->inputs.count;
    f->output_count = made->outputs.count;
    f->inputs = lv_arena_copy(&f->arena, made->inputs.data, (size_t)made->inputs.count,
                              sizeof *f->inputs);
    f->outputs = lv_arena_copy(&f->arena, made->outputs.data, (size_t)made->outputs.count,
                               sizeof *f->outputs);
    f->numbers = lv_arena_alloc(&f->arena, (size_t)made->unfolding.numbers.count + 1,
                                sizeof *f->numbers);
    if (!f->inputs || !f->outputs || !f->numbers)
        return lv_fail_memory(err);
    for (int k = 0; k < made->unfolding.numbers.count; k++)
        f->numbers[k + 1] =
            lv_number_value(f->c->system->model, &made->unfolding.numbers.data[k]);
    return LV_OK;
}

/* Steps that ask more where constraints are nearly dependent leave their programs early. */
static double growth_scale(const lv_course *c)
{
    const double most = 30;
    for (int k = 0; k < c->phases.count; k++)
        if (c->phase[k + 1].asked == LV_ASKED_DEPENDENT)
            return LV_FUSED_GROWTH / most;
    return 1;
}

/* The largest factor by which pivots are smaller than at the sample, scaled. */
static lv_node growth_of(const lv_fused *f, lv_fusing *made)
{
    const lv_node one = lv_graph_const(made->graph, 1);
    const lv_node scale = lv_graph_const(made->graph, growth_scale(f->c));
    return made->growth == LV_NODE_NONE ? one
                                        : lv_graph_mul(made->graph, scale, made->growth);
}

/* All outputs in the order of their ranges, then the growth. */
static lv_status compile(lv_fused *f, lv_fusing *made, lv_error *err)
{
    int count = 0;
    for (int k = 0; k < made->outputs.count; k++)
        count += made->outputs.data[k].count;
    lv_node *nodes = lv_arena_alloc(&made->arena, (size_t)count + 1, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(err);
    int at = 0;
    for (int k = 0; k < made->outputs.count; k++)
        for (int i = 0; i < made->outputs.data[k].count; i++)
            nodes[at++] = made->outputs.data[k].nodes[i];
    nodes[at] = growth_of(f, made);
    lv_layout layout = {{0}};
    layout.size[LV_INPUT_Q] = made->input_count;
    layout.size[LV_INPUT_T] = 1;
    layout.size[LV_INPUT_P] = f->c->system->model->parameter_values.count;
    layout.size[LV_INPUT_I] = 1 + made->unfolding.numbers.count;
    LV_TRY(lv_graph_check(made->graph, err));
    return lv_program_compile(&f->program, made->graph, nodes, count + 1, &layout, err);
}

static lv_status prepare(lv_fused *f, lv_error *err)
{
    f->workspace =
        lv_arena_alloc(&f->arena, (size_t)f->program->slots + 1, sizeof *f->workspace);
    if (!f->workspace)
        return lv_fail_memory(err);
    lv_program_load(f->program, f->workspace, 1);
    lv_program_put(f->program, LV_INPUT_P, f->c->system->model->parameter_values.data,
                   f->workspace, 1, 0);
    lv_program_run(f->program, LV_SEGMENT_UNIFORM, f->workspace, 1);
    f->code = lv_code_create(f->program, 1);
    return LV_OK;
}

static lv_status fill(lv_fused *f, bool project, double *const *updates, bool *made_it,
                      lv_error *err)
{
    lv_fusing made = {.c = f->c,
                      .graph = lv_graph_create(MOST_NODES),
                      .asks = {[LV_ASKED_ALWAYS] = true, [LV_ASKED_ONCE] = project},
                      .err = err};
    lv_status status = made.graph ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK)
        status = lv_fusing_unroll(&made, updates);
    *made_it = status == LV_OK && !made.unsupported;
    if (*made_it) {
        status = keep_ranges(f, &made, err);
        if (status == LV_OK)
            status = compile(f, &made, err);
        *made_it = status == LV_OK && f->program->operations <= MOST_OPERATIONS;
    }
    lv_fusing_done(&made);
    return status == LV_OK && *made_it ? prepare(f, err) : status;
}

lv_status lv_fused_create(lv_fused **result, lv_course *course, bool project,
                          double *const *updates, lv_error *err)
{
    bool made_it = false;
    *result = NULL;
    if (!may_be_program(course))
        return LV_OK;
    lv_fused *f = lv_memory_zeroed(1, sizeof *f);
    if (!f)
        return lv_fail_memory(err);
    f->c = course;
    load_sample(course);
    lv_status status = fill(f, project, updates, &made_it, err);
    if (status == LV_OK && made_it)
        *result = f;
    else
        lv_fused_free(f);
    return status;
}

void lv_fused_free(lv_fused *f)
{
    if (!f)
        return;
    lv_code_free(f->code);
    lv_program_free(f->program);
    lv_arena_done(&f->arena);
    lv_memory_free(f);
}

/* ---- steps ------------------------------------------------------------------------------------------------ */

static void refresh(lv_fused *f, double h)
{
    f->numbers[0] = f->h = h;
    f->ready = true;
    lv_program_put(f->program, LV_INPUT_I, f->numbers, f->workspace, 1, 0);
    lv_program_run(f->program, LV_SEGMENT_INSTANCE, f->workspace, 1);
}

double lv_fused_run(lv_fused *f, double t, double h)
{
    const lv_program *p = f->program;
    if (!f->ready || h != f->h)
        refresh(f, h);
    double *to = f->workspace + p->input[LV_INPUT_Q], check = 0;
    for (int k = 0; k < f->input_count; k++) {
        const lv_fused_range *r = &f->inputs[k];
        for (int i = 0; i < r->count; i++)
            *to++ = r->numbers[i];
    }
    f->workspace[p->input[LV_INPUT_T]] = t;
    if (f->code)
        lv_code_run(f->code, f->workspace);
    else
        lv_program_run(p, LV_SEGMENT_MAIN, f->workspace, 1);
    const int *slot = p->output;
    for (int k = 0; k < f->output_count; k++) {
        const lv_fused_range *r = &f->outputs[k];
        for (int i = 0; i < r->count; i++) {
            r->numbers[i] = f->workspace[*slot++];
            check += 0 * r->numbers[i];
        }
    }
    return f->workspace[*slot] + check;
}

int lv_fused_phases(const lv_fused *f)
{
    return f->c->phases.count;
}

/* ---- for others that run the program ------------------------------------------------------------------------ */

const lv_program *lv_fused_program(const lv_fused *f)
{
    return f->program;
}

const double *lv_fused_parameters(const lv_fused *f)
{
    return f->c->system->model->parameter_values.data;
}

const double *lv_fused_numbers(lv_fused *f, double h)
{
    f->ready = f->ready && h == f->h;
    f->numbers[0] = h;
    return f->numbers;
}

static int find_range(const lv_fused_range *ranges, int count, const double *x)
{
    int at = 0;
    for (int k = 0; k < count; at += ranges[k++].count)
        if (x >= ranges[k].numbers && x < ranges[k].numbers + ranges[k].count)
            return at + (int)(x - ranges[k].numbers);
    return -1;
}

int lv_fused_input(const lv_fused *f, const double *x)
{
    return find_range(f->inputs, f->input_count, x);
}

int lv_fused_output(const lv_fused *f, const double *x)
{
    return find_range(f->outputs, f->output_count, x);
}
