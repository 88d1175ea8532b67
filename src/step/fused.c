#include "step/fused.h"

#include "base/memory.h"
#include "expr/factors.h"
#include "expr/function.h"
#include "step/fusing.h"
#include "step/sampled.h"

#include <string.h>

/* Larger steps are taken by the course: passes over vectors then cost little beside the formulas, and it has cheaper
 * matrices. On groups every number of a matrix is a formula anyway, and programs pay for longer. */
enum { MOST_OPERATIONS = 9000, MOST_TURNING_OPERATIONS = 32000, MOST_COLUMNS = 80 };

/* Steps of a composition have a few sizes in turn, which are remembered. */
enum { SIZES = 32 };

static int most_operations(const lv_course *c)
{
    return c->turning.motion ? MOST_TURNING_OPERATIONS : MOST_OPERATIONS;
}

/* ---- creation --------------------------------------------------------------------------------------------- */

bool lv_fused_is_possible(const lv_course *c)
{
    long operations = 0;
    for (int k = 0; k < c->plans.count; k++) {
        if (!c->plans.data[k].plan || !lv_plan_unfolds(c->plans.data[k].plan))
            return false;
        operations += lv_plan_operations(c->plans.data[k].plan);
    }
    for (int p = 1; p <= c->phases.count; p++)
        if (c->phase[p].size > MOST_COLUMNS || c->phase[p].inexact)
            return false;
    return c->form.calls.count == 0 && operations <= most_operations(c);
}

static void find_numbers(lv_fused *f)
{
    for (int k = 0; k < f->number_count; k++)
        f->numbers[k + 1] = lv_number_value(f->c->system->model, &f->number[k]);
}

static lv_status keep_numbers(lv_fused *f, const lv_fusing *made, lv_error *err)
{
    const int count = made->unfolding.numbers.count;
    f->numbers = lv_arena_alloc(&f->arena, (size_t)count + 1, sizeof *f->numbers);
    f->number = lv_arena_copy(&f->arena, made->unfolding.numbers.data, (size_t)count,
                              sizeof *f->number);
    f->number_count = count;
    f->sizes =
        lv_arena_alloc(&f->arena, (size_t)made->orders.sizes.count + 1, sizeof *f->sizes);
    f->size_count = made->orders.sizes.count;
    if (!f->numbers || !f->number || !f->sizes)
        return lv_fail_memory(err);
    lv_copy(f->sizes, made->orders.sizes.data, f->size_count);
    find_numbers(f);
    return LV_OK;
}

/* Steps that ask more where constraints are nearly dependent leave their programs early. */
static double growth_scale(const lv_course *c, const lv_fusing *made)
{
    const double most = 30;
    for (int k = 0; k < c->phases.count; k++)
        if (c->phase[k + 1].asked == LV_ASKED_DEPENDENT &&
            !made->asks[LV_ASKED_DEPENDENT])
            return LV_FUSED_GROWTH / most;
    return 1;
}

/* The largest factor by which pivots are smaller than at the sample, scaled. */
static lv_node growth_of(const lv_course *c, const lv_fusing *made)
{
    const lv_node one = lv_graph_const(made->graph, 1);
    const lv_node scale = lv_graph_const(made->graph, growth_scale(c, made));
    return made->growth == LV_NODE_NONE ? one
                                        : lv_graph_mul(made->graph, scale, made->growth);
}

/* The outputs of the program in their order: growth, sizes and excesses, what was found, those of the course, what is left
 * over. */
typedef LV_ARRAY(lv_node) node_list;

static bool list_outputs(node_list *list, const lv_course *c, const lv_fusing *made,
                         int phases)
{
    bool fits = LV_PUSH(*list, growth_of(c, made));
    for (int k = 0; k < phases; k++)
        if (made->guesses[k].count > 0)
            fits = fits && LV_PUSH(*list, made->guesses[k].size) &&
                   LV_PUSH(*list, made->guesses[k].excess);
    for (int k = 0; k < phases; k++)
        for (int i = 0; i < made->guesses[k].count; i++)
            fits = fits && LV_PUSH(*list, made->guesses[k].found[i]);
    for (int k = 0; k < made->outputs.count; k++)
        for (int i = 0; i < made->outputs.data[k].count; i++)
            fits = fits && LV_PUSH(*list, made->outputs.data[k].nodes[i]);
    if (made->left_over != LV_NODE_NONE)
        fits = fits && LV_PUSH(*list, made->left_over);
    return fits;
}

/* Compiles the outputs with their fixed factors collected. */
static lv_status compile_nodes(lv_fused *f, const lv_fusing *made, node_list *list,
                               const lv_layout *layout, lv_error *err)
{
    lv_graph *graph = lv_graph_create(2 * most_operations(f->c));
    if (!graph)
        return lv_fail_memory(err);
    lv_graph_collect_factors(graph, list->data, made->graph, list->data, list->count);
    lv_status status = lv_graph_check(graph, err);
    if (status == LV_OK)
        status =
            lv_program_compile(&f->program, graph, list->data, list->count, layout, err);
    lv_graph_free(graph);
    return status;
}

static lv_status compile(lv_fused *f, lv_fusing *made, lv_error *err)
{
    node_list list = {0};
    lv_layout layout = {{0}};
    layout.size[LV_INPUT_Q] = made->input_count;
    layout.size[LV_INPUT_T] = 1 + f->c->system->model->input_count;
    if (made->unfolding.turns)
        layout.size[LV_INPUT_R] = LV_TURN_NUMBERS * f->c->system->model->turn_count;
    layout.size[LV_INPUT_P] = f->c->system->model->parameter_values.count;
    layout.size[LV_INPUT_I] = 1 + made->unfolding.numbers.count;
    layout.size[LV_INPUT_Y] = made->orders.sizes.count;
    lv_status status = list_outputs(&list, f->c, made, f->c->phases.count)
                           ? lv_graph_check(made->graph, err)
                           : lv_fail_memory(err);
    if (status == LV_OK)
        status = compile_nodes(f, made, &list, &layout, err);
    LV_ARRAY_FREE(list);
    return status;
}

/* The next outputs as a range. */
static lv_fused_range next_range(const lv_fused *f, int *at, int count, double *numbers)
{
    const int *slot = f->program->output + *at;
    bool row = true;
    for (int i = 1; i < count; i++)
        row = row && slot[i] == slot[0] + i;
    const lv_fused_range range = {.numbers = numbers,
                                  .at = *at,
                                  .count = count,
                                  .first = count > 0 ? slot[0] : 0,
                                  .slots = row ? NULL : slot};
    *at += count;
    return range;
}

static int find_passes(lv_fused *f, const lv_fusing *made)
{
    int at = 1;
    for (int k = 0; k < f->c->phases.count; k++)
        if (made->guesses[k].count > 0) {
            lv_fused_pass *pass = &f->passes[f->pass_count++];
            pass->phase = k;
            pass->guess = f->program->input[LV_INPUT_Q] + made->guesses[k].first;
            pass->size = f->program->output[at++];
            pass->excess = f->program->output[at++];
        }
    for (int k = 0; k < f->pass_count; k++) {
        lv_fused_pass *pass = &f->passes[k];
        pass->found = next_range(f, &at, made->guesses[pass->phase].count, NULL);
    }
    return at;
}

/* Where everything is. Guesses are inputs between those of the course. */
static lv_status find_ranges(lv_fused *f, const lv_fusing *made, lv_error *err)
{
    const size_t inputs = (size_t)made->inputs.count,
                 outputs = (size_t)made->outputs.count;
    f->inputs = lv_arena_alloc(&f->arena, inputs + 1, sizeof *f->inputs);
    f->outputs = lv_arena_alloc(&f->arena, outputs + 1, sizeof *f->outputs);
    f->passes =
        lv_arena_alloc(&f->arena, (size_t)f->c->phases.count + 1, sizeof *f->passes);
    if (!f->inputs || !f->outputs || !f->passes)
        return lv_fail_memory(err);
    for (int k = 0; k < made->inputs.count; k++) {
        const lv_shadowed *x = &made->inputs.data[k];
        const bool *fixed =
            x->fixed ? lv_arena_copy(&f->arena, x->fixed, (size_t)x->count, sizeof *fixed)
                     : NULL;
        if (x->fixed && !fixed)
            return lv_fail_memory(err);
        f->inputs[f->input_count++] =
            (lv_fused_range){.numbers = x->numbers,
                             .at = x->first,
                             .count = x->count,
                             .first = f->program->input[LV_INPUT_Q] + x->first,
                             .fixed = fixed,
                             .given = x->numbers == made->left_out->taken};
    }
    f->growth = f->program->output[0];
    int at = find_passes(f, made), needed = at;
    for (int k = 0; k < made->outputs.count; k++) {
        const lv_shadowed *x = &made->outputs.data[k];
        f->outputs[f->output_count++] = next_range(f, &at, x->count, x->numbers);
        needed = k < made->needed ? at : needed;
    }
    f->left_over = made->left_over == LV_NODE_NONE ? -1 : f->program->output[at];
    f->checked = f->behind = f->program->constants + f->program->constant_count;
    for (int k = 0; k < needed; k++)
        f->behind += f->program->output[k] == f->behind;
    return LV_OK;
}

/* What never changes between steps. */
static void load_program(lv_fused *f)
{
    const lv_program *p = f->program;
    lv_program_load(p, f->workspace, 1);
    lv_program_put(p, LV_INPUT_P, lv_fused_parameters(f), f->workspace, 1, 0);
    lv_program_put(p, LV_INPUT_Y, f->sizes, f->workspace, 1, 0);
    lv_program_run(p, LV_SEGMENT_UNIFORM, f->workspace, 1);
}

static lv_status prepare(lv_fused *f, lv_error *err)
{
    f->workspace =
        lv_arena_alloc(&f->arena, (size_t)f->program->slots + 1, sizeof *f->workspace);
    f->known = lv_arena_alloc(&f->arena, SIZES * (1 + (size_t)f->program->carried_count),
                              sizeof *f->known);
    if (!f->workspace || !f->known)
        return lv_fail_memory(err);
    load_program(f);
    f->code = lv_code_create(f->program, 1);
    f->takes_time = lv_program_reads(f->program, LV_INPUT_T) ||
                    lv_program_reads(f->program, LV_INPUT_R);
    return LV_OK;
}

static lv_status fill(lv_fused *f, bool project, const lv_rows_left_out *left_out,
                      bool *made_it, lv_error *err)
{
    lv_fusing made = {.c = f->c,
                      .left_out = left_out,
                      .graph = lv_graph_create(2 * most_operations(f->c)),
                      .asks = {[LV_ASKED_ALWAYS] = true,
                               [LV_ASKED_ONCE] = project,
                               [LV_ASKED_DEPENDENT] = left_out->taken != NULL},
                      .orders = {.kept = f->c->system->renewable},
                      .err = err};
    lv_status status = made.graph ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK)
        status = lv_fusing_unroll(&made);
    *made_it = status == LV_OK && !made.unsupported;
    if (*made_it) {
        status = keep_numbers(f, &made, err);
        if (status == LV_OK)
            status = compile(f, &made, err);
        *made_it = status == LV_OK && f->program->operations <= most_operations(f->c);
        if (*made_it)
            status = find_ranges(f, &made, err);
        if (status == LV_OK && *made_it && f->c->system->renewable)
            status = lv_sampled_create(&f->sampled, &made, err);
    }
    lv_fusing_done(&made);
    return status == LV_OK && *made_it ? prepare(f, err) : status;
}

lv_status lv_fused_create(lv_fused **result, lv_course *course, bool project,
                          const lv_rows_left_out *left_out, lv_error *err)
{
    bool made_it = false;
    *result = NULL;
    if (!lv_fused_is_possible(course))
        return LV_OK;
    lv_fused *f = lv_memory_zeroed(1, sizeof *f);
    if (!f)
        return lv_fail_memory(err);
    f->c = course;
    lv_course_sample(course);
    lv_status status = fill(f, project, left_out, &made_it, err);
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
    lv_sampled_free(f->sampled);
    lv_arena_done(&f->arena);
    lv_memory_free(f);
}

bool lv_fused_renew(lv_fused *f)
{
    lv_course_sample(f->c);
    find_numbers(f);
    f->known_count = 0;
    f->ready = false;
    f->numbers[0] = f->c->h;
    if (!f->sampled || !lv_sampled_agrees(f->sampled, f->numbers, f->sizes))
        return false;
    load_program(f);
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------ */

static const lv_fused_range *find_range(const lv_fused_range *ranges, int count,
                                        const double *x)
{
    for (int k = 0; k < count; k++)
        if (x >= ranges[k].numbers && x < ranges[k].numbers + ranges[k].count)
            return &ranges[k];
    return NULL;
}

const lv_fused_range *lv_fused_input_range(const lv_fused *f, const double *numbers)
{
    return find_range(f->inputs, f->input_count, numbers);
}

const lv_fused_range *lv_fused_output_range(const lv_fused *f, const double *numbers)
{
    return find_range(f->outputs, f->output_count, numbers);
}

void lv_fused_load(lv_fused *f)
{
    for (int k = 0; k < f->input_count; k++)
        lv_copy(f->workspace + f->inputs[k].first, f->inputs[k].numbers,
                f->inputs[k].count);
}

void lv_fused_deliver(const lv_fused *f, bool complete)
{
    for (int k = 0; k < f->input_count; k++)
        if (!f->inputs[k].given)
            lv_fused_take(f, &f->inputs[k], f->inputs[k].numbers);
    for (int k = 0; complete && k < f->output_count; k++)
        lv_fused_take(f, &f->outputs[k], f->outputs[k].numbers);
    lv_course_place(f->c, f->t, f->h);
}

/* A row has the size, then what depends on it. */
static double *known_row(const lv_fused *f, int k)
{
    return f->known + (ptrdiff_t)k * (1 + f->program->carried_count);
}

static bool recall(lv_fused *f, double h)
{
    const lv_program *p = f->program;
    for (int k = 0; k < f->known_count; k++) {
        const double *row = known_row(f, k);
        if (row[0] != h)
            continue;
        for (int i = 0; i < p->carried_count; i++)
            f->workspace[p->carried[i]] = row[1 + i];
        return true;
    }
    return false;
}

static void remember(lv_fused *f, double h)
{
    const lv_program *p = f->program;
    double *row = known_row(f, f->known_count < SIZES ? f->known_count++ : SIZES - 1);
    row[0] = h;
    for (int i = 0; i < p->carried_count; i++)
        row[1 + i] = f->workspace[p->carried[i]];
}

static void refresh(lv_fused *f, double h)
{
    f->numbers[0] = f->h = h;
    f->ready = true;
    if (recall(f, h))
        return;
    lv_program_put(f->program, LV_INPUT_I, f->numbers, f->workspace, 1, 0);
    lv_program_run(f->program, LV_SEGMENT_INSTANCE, f->workspace, 1);
    remember(f, h);
}

/* Two numbers as one, from which compilers make vectors. */
enum { PAIR = 2, FOUR = 4 };
typedef double pair
    __attribute__((vector_size(PAIR * sizeof(double)), aligned(8), may_alias));

/* 0 if all results are finite. */
static double check(const lv_fused *f)
{
    const double *x = f->workspace + f->checked, *end = f->workspace + f->behind;
    pair first = {0}, second = {0};
    for (; x + FOUR <= end; x += FOUR) {
        first += *(const pair *)x;
        second += *(const pair *)(x + PAIR);
    }
    double sum = first[0];
    for (; x < end; x++)
        sum += *x;
    return 0 * ((sum + first[1]) + (second[0] + second[1]));
}

static void put_time(const lv_fused *f, double t)
{
    const lv_model *model = f->c->system->model;
    lv_model_put_time(model, f->program, t, f->workspace, 1, 0);
    if (f->program->input_size[LV_INPUT_R] > 0)
        lv_program_put(f->program, LV_INPUT_R, model->references, f->workspace, 1, 0);
}

double lv_fused_run(lv_fused *f, double t, double h)
{
    if (!f->ready || h != f->h)
        refresh(f, h);
    f->t = t;
    if (f->takes_time)
        put_time(f, t);
    if (f->code)
        lv_code_run(f->code, f->workspace);
    else
        lv_program_run(f->program, LV_SEGMENT_MAIN, f->workspace, 1);
    return f->workspace[f->growth] + check(f);
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

const double *lv_fused_sizes(const lv_fused *f)
{
    return f->sizes;
}

const double *lv_fused_numbers(lv_fused *f, double h)
{
    f->ready = f->ready && h == f->h;
    f->numbers[0] = h;
    return f->numbers;
}

static int number_in(const lv_fused_range *range, const double *x)
{
    return range ? range->at + (int)(x - range->numbers) : -1;
}

int lv_fused_input(const lv_fused *f, const double *x)
{
    return number_in(lv_fused_input_range(f, x), x);
}

int lv_fused_output(const lv_fused *f, const double *x)
{
    return number_in(lv_fused_output_range(f, x), x);
}
