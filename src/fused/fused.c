#include "fused/fused.h"

#include "base/memory.h"
#include "course/elimination.h"
#include "expr/factors.h"
#include "expr/function.h"
#include "fused/fusing.h"
#include "fused/sampled.h"

#include <string.h>

/* Steps with more operations or columns are taken by the course: for them its passes
 * over vectors cost little compared with the formulas. On groups every entry of a matrix
 * is a formula anyway, so programs pay off for longer; so do programs that keep their
 * matrices, since most of their operations are done once in a step. */
enum {
    MOST_OPERATIONS = 9000,
    MOST_TURNING_OPERATIONS = 32000,
    MOST_KEPT_OPERATIONS = 32000,
    MOST_COLUMNS = 80,
    MOST_KEPT_COLUMNS = 400
};

/* Number of step sizes whose numbers are remembered: substeps of a composed step have a
 * few sizes in turn. */
enum { SIZES = 32 };

static int most_operations(const lv_course *c, bool keeps)
{
    return c->turning.motion ? MOST_TURNING_OPERATIONS
           : keeps           ? MOST_KEPT_OPERATIONS
                             : MOST_OPERATIONS;
}

/* Row k of `known`: the step size, then the numbers that depend on it. */
static double *known_row(const lv_fused *f, int k)
{
    return f->known + (ptrdiff_t)k * (1 + f->program->carried_count);
}

/* ---- creation ---------------------------------------------------------------------- */

/* Whether Newton passes can do with matrices without second derivatives: not if the
 * exact ones have none, and not on groups. */
static bool can_keep(const lv_course *c)
{
    bool simpler = false, fits = !c->turning.motion;
    for (int p = 1; p <= c->phases.count && fits; p++) {
        const lv_phase *phase = &c->phase[p];
        fits = phase->linear || lv_elimination_fits(c, phase);
        for (int k = 0; k < phase->blocks.count; k++)
            simpler = simpler || (!phase->linear && !phase->blocks.data[k].cheap);
    }
    return fits && simpler;
}

/* Whether the step may be a program, which keeps its matrices or does not. */
static bool may_be_program(const lv_course *c, bool keeps)
{
    long operations = 0;
    for (int k = 0; k < c->plans.count; k++) {
        if (!c->plans.data[k].plan || !lv_plan_unfolds(c->plans.data[k].plan))
            return false;
        operations += lv_plan_operations(c->plans.data[k].plan);
    }
    for (int p = 1; p <= c->phases.count; p++)
        if (c->phase[p].size > (keeps ? MOST_KEPT_COLUMNS : MOST_COLUMNS) ||
            c->phase[p].inexact)
            return false;
    return c->form.calls.count == 0 && operations <= most_operations(c, keeps) &&
           (!keeps || can_keep(c));
}

bool lv_fused_is_possible(const lv_course *c)
{
    return may_be_program(c, false) || may_be_program(c, true);
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

/* Factor of the growth. Programs of steps with additional equations for nearly dependent
 * constraints, which they do not contain, are left early: at a growth of 30. */
static double growth_scale(const lv_course *c, const lv_fusing *made)
{
    const double most = 30;
    for (int k = 0; k < c->phases.count; k++)
        if (c->phase[k + 1].asked == LV_ASKED_DEPENDENT &&
            !made->asks[LV_ASKED_DEPENDENT])
            return LV_FUSED_GROWTH / most;
    return 1;
}

/* The growth of pivots times growth_scale; 1 if there are no pivots. */
static lv_node scaled_growth(const lv_course *c, const lv_fusing *made, lv_node growth)
{
    const lv_node one = lv_graph_const(made->graph, 1);
    const lv_node scale = lv_graph_const(made->graph, growth_scale(c, made));
    return growth == LV_NODE_NONE ? one : lv_graph_mul(made->graph, scale, growth);
}

/* The sum of all results that the next step needs: finite only if all of them are.
 * Results that depend on parameters alone are not included. */
static lv_node sum_results(const lv_fusing *made, const lv_kinds *kinds)
{
    /* independent partial sums, which processors compute in parallel */
    enum { SUMS = 4 };
    lv_graph *g = made->graph;
    const lv_node zero = lv_graph_const(g, 0);
    lv_node sum[SUMS] = {zero, zero, zero, zero};
    int next = 0;
    for (int k = 0; k < made->needed; k++)
        for (int i = 0; i < made->outputs.data[k].count; i++) {
            const lv_node x = made->outputs.data[k].nodes[i];
            if ((kinds[x] & ~(LV_KIND(P) | LV_KIND(I))) == 0 ||
                lv_graph_node(g, x)->op == LV_OP_INPUT)
                continue;
            sum[next] = lv_graph_add(g, sum[next], x);
            next = (next + 1) % SUMS;
        }
    const lv_node first = lv_graph_add(g, sum[0], sum[1]),
                  second = lv_graph_add(g, sum[2], sum[3]);
    return lv_graph_add(g, first, second);
}

/* The order of the outputs: growth of all pivots, sum of the results, growth of the
 * pivots of passes, size and excess of each phase with passes, the unknowns that these
 * found, the outputs of the course, `left_over`, the factors of kept matrices. Behind them
 * are the nodes that parts compute for each other. */
enum { GROWTH, SUM, GROWTH_PASSES, FIRST_SIZE };

static bool list_outputs(lv_node_list *list, const lv_course *c, const lv_fusing *made,
                         const lv_kinds *kinds)
{
    const int phases = c->phases.count;
    bool fits = LV_PUSH(*list, scaled_growth(c, made, made->growth)) &&
                LV_PUSH(*list, sum_results(made, kinds)) &&
                LV_PUSH(*list, scaled_growth(c, made, made->growth_passes));
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
    for (int k = 0; k < made->kept.count; k++)
        fits = fits && LV_PUSH(*list, made->kept.data[k].node);
    return fits;
}

/* Finds the parts of a step. The unknowns of passes are inputs of the program, and their
 * new values are outputs. */
static lv_status find_parts(lv_fused *f, const lv_fusing *made, const lv_graph *graph,
                            lv_node_list *list, lv_error *err)
{
    lv_pass_outputs pass = {
        .first = GROWTH_PASSES,
        .behind = FIRST_SIZE,
        .factors = made->kept.count > 0 ? list->count - made->kept.count : -1};
    bool *unknown =
        lv_arena_alloc(&f->arena, (size_t)made->input_count + 1, sizeof *unknown);
    if (!unknown)
        return lv_fail_memory(err);
    for (int k = 0; k < f->c->phases.count; k++) {
        const lv_shadowed_guess *guess = &made->guesses[k];
        pass.behind += guess->count > 0 ? 2 + guess->count : 0;
        for (int i = 0; i < guess->count; i++)
            unknown[guess->first + i] = true;
    }
    /* Factors are computed in one part and read by passes, as unknowns are. */
    for (int k = 0; k < made->kept.count; k++)
        unknown[made->kept.data[k].input] = true;
    pass.unknown = unknown;
    return lv_fused_parts_find(&f->parts, graph, list, &pass, &f->arena, err);
}

/* Compiles the outputs, with their constant factors collected. */
static lv_status compile_nodes(lv_fused *f, const lv_fusing *made, lv_node_list *list,
                               const lv_layout *layout, lv_error *err)
{
    lv_graph *graph = lv_graph_create(2 * most_operations(f->c, made->keeps));
    if (!graph)
        return lv_fail_memory(err);
    lv_graph_collect_factors(graph, list->data, made->graph, list->data, list->count);
    lv_status status = lv_graph_check(graph, err);
    if (status == LV_OK)
        status = find_parts(f, made, graph, list, err);
    if (status == LV_OK)
        status =
            lv_program_compile(&f->program, graph, list->data, list->count, layout, err);
    lv_graph_free(graph);
    return status;
}

static lv_status compile(lv_fused *f, lv_fusing *made, lv_error *err)
{
    lv_node_list list = {0};
    lv_layout layout = {{0}};
    layout.size[LV_INPUT_Q] = made->input_count;
    layout.size[LV_INPUT_T] = 1 + f->c->system->model->input_count;
    if (made->unfolding.turns)
        layout.size[LV_INPUT_R] = LV_TURN_NUMBERS * f->c->system->model->turn_count;
    layout.size[LV_INPUT_P] = f->c->system->model->parameter_values.count;
    layout.size[LV_INPUT_I] = 1 + made->unfolding.numbers.count;
    layout.size[LV_INPUT_Y] = made->orders.sizes.count;
    lv_arena scratch = {0};
    lv_kinds *kinds =
        lv_arena_alloc(&scratch, (size_t)lv_graph_count(made->graph) + 1, sizeof *kinds);
    if (kinds)
        lv_analyse_kinds(made->graph, kinds);
    lv_status status = kinds && list_outputs(&list, f->c, made, kinds)
                           ? lv_graph_check(made->graph, err)
                           : lv_fail_memory(err);
    lv_arena_done(&scratch);
    if (status == LV_OK)
        status = compile_nodes(f, made, &list, &layout, err);
    LV_ARRAY_FREE(list);
    return status;
}

/* The next `count` outputs, from number *at on, as a range. */
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
    int at = FIRST_SIZE;
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

/* Numbers of quantities that depend on parameters alone do so at the end of a step as at
 * its start. */
static void find_fixed(lv_fused *f)
{
    for (int h = 0; h < f->c->handovers.count; h++)
        for (int i = 0; i < f->c->handovers.data[h].parts; i++) {
            const lv_handed *part = &f->c->handovers.data[h].part[i];
            const lv_fused_range *start = lv_fused_input_range(f, part->to);
            for (int k = 0; start && k < f->output_count; k++)
                if (f->outputs[k].numbers == part->from)
                    f->outputs[k].fixed = start->fixed;
        }
}

/* Finds all ranges. Initial guesses are inputs between those of the course. */
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
    f->growth = f->program->output[GROWTH];
    f->sum = f->program->output[SUM];
    f->growth_passes = f->program->output[GROWTH_PASSES];
    int at = find_passes(f, made);
    for (int k = 0; k < made->outputs.count; k++) {
        const lv_shadowed *x = &made->outputs.data[k];
        f->outputs[f->output_count++] = next_range(f, &at, x->count, x->numbers);
    }
    find_fixed(f);
    f->left_over = made->left_over == LV_NODE_NONE ? -1 : f->program->output[at++];
    if (made->kept.count > 0)
        f->kept = f->program->input[LV_INPUT_Q] + made->kept.data[0].input;
    f->factors = next_range(f, &at, made->kept.count, NULL);
    return LV_OK;
}

/* Puts everything into the workspace that does not change between steps. */
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
    f->code = lv_code_create_parts(f->program, 1, f->parts.part, LV_FUSED_PARTS);
    for (int k = 0; f->code && k < LV_FUSED_PARTS; k++)
        f->run[k] = lv_code_entry(f->code, k);
    f->takes_time = lv_program_reads(f->program, LV_INPUT_T) ||
                    lv_program_reads(f->program, LV_INPUT_R);
    return LV_OK;
}

/* Whether the inputs for factors of kept matrices are side by side. */
static bool are_in_row(const lv_fusing *made)
{
    const int count = made->kept.count;
    return count == 0 ||
           made->kept.data[count - 1].input - made->kept.data[0].input == count - 1;
}

static lv_status fill(lv_fused *f, bool project, bool keeps,
                      const lv_rows_left_out *left_out, bool *made_it, lv_error *err)
{
    const int most = most_operations(f->c, keeps);
    f->keeps = keeps;
    lv_fusing made = {.c = f->c,
                      .keeps = keeps,
                      .left_out = left_out,
                      .graph = lv_graph_create(2 * most),
                      .asks = {[LV_ASKED_ALWAYS] = true,
                               [LV_ASKED_ONCE] = project,
                               [LV_ASKED_DEPENDENT] = left_out->taken != NULL},
                      .orders = {.kept = f->c->system->renewable},
                      .err = err};
    lv_status status = made.graph ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK)
        status = lv_fusing_unroll(&made);
    *made_it = status == LV_OK && !made.unsupported && are_in_row(&made);
    if (*made_it) {
        status = keep_numbers(f, &made, err);
        if (status == LV_OK)
            status = compile(f, &made, err);
        *made_it = status == LV_OK && f->program->operations <= most;
        if (status == LV_ERR_LIMIT) { /* outputs and factors take nodes, too */
            lv_error_clear(err);
            status = LV_OK;
        }
        if (*made_it)
            status = find_ranges(f, &made, err);
        if (status == LV_OK && *made_it && f->c->system->renewable && !keeps)
            status = lv_sampled_create(&f->sampled, &made, err);
    }
    lv_fusing_done(&made);
    return status == LV_OK && *made_it ? prepare(f, err) : status;
}

static lv_status create(lv_fused **result, lv_course *course, bool project, bool keeps,
                        const lv_rows_left_out *left_out, lv_error *err)
{
    bool made_it = false;
    if (!may_be_program(course, keeps))
        return LV_OK;
    lv_fused *f = lv_memory_zeroed(1, sizeof *f);
    if (!f)
        return lv_fail_memory(err);
    f->c = course;
    lv_course_sample(course);
    lv_status status = fill(f, project, keeps, left_out, &made_it, err);
    if (status == LV_OK && made_it)
        *result = f;
    else
        lv_fused_free(f);
    return status;
}

lv_status lv_fused_create(lv_fused **result, lv_course *course, bool project,
                          const lv_rows_left_out *left_out, lv_error *err)
{
    *result = NULL;
    LV_TRY(create(result, course, project, false, left_out, err));
    return *result ? LV_OK : create(result, course, project, true, left_out, err);
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
    for (int k = 0; k < SIZES; k++)
        known_row(f, k)[0] = 0;
    f->ready = false;
    f->numbers[0] = f->c->h;
    if (!f->sampled || !lv_sampled_agrees(f->sampled, f->numbers, f->sizes))
        return false;
    load_program(f);
    return true;
}

/* ---- steps ------------------------------------------------------------------------- */

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

/* Numbers that depend on parameters alone stay as the plans of the course have computed
 * them, which may be zeros of the other sign. */
static void deliver_range(const lv_fused *f, const lv_fused_range *r)
{
    if (!r->fixed)
        lv_fused_take(f, r, r->numbers);
    for (int i = 0; r->fixed && i < r->count; i++)
        if (!r->fixed[i])
            r->numbers[i] = f->workspace[r->slots ? r->slots[i] : r->first + i];
}

void lv_fused_deliver(const lv_fused *f, bool complete)
{
    for (int k = 0; k < f->input_count; k++)
        if (!f->inputs[k].given)
            deliver_range(f, &f->inputs[k]);
    for (int k = 0; complete && k < f->output_count; k++)
        deliver_range(f, &f->outputs[k]);
    lv_course_place(f->c, f->t, f->h);
}

/* Numbers for a step size are computed only if this substep had another size before. */
void lv_fused_refresh(lv_fused *f, double h, int substep)
{
    const lv_program *p = f->program;
    double *row = known_row(f, substep % SIZES);
    f->numbers[0] = f->h = h;
    f->ready = true;
    if (row[0] == h) {
        for (int i = 0; i < p->carried_count; i++)
            f->workspace[p->carried[i]] = row[1 + i];
        return;
    }
    lv_program_put(p, LV_INPUT_I, f->numbers, f->workspace, 1, 0);
    lv_program_run(p, LV_SEGMENT_INSTANCE, f->workspace, 1);
    row[0] = h;
    for (int i = 0; i < p->carried_count; i++)
        row[1 + i] = f->workspace[p->carried[i]];
}

void lv_fused_put_time(const lv_fused *f, double t)
{
    const lv_model *model = f->c->system->model;
    lv_model_put_time(model, f->program, t, f->workspace, 1, 0);
    if (f->program->input_size[LV_INPUT_R] > 0)
        lv_program_put(f->program, LV_INPUT_R, model->references, f->workspace, 1, 0);
}

/* ---- for others that run the program ----------------------------------------------- */

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
