#include "system/watch_program.h"

#include "base/inline.h"
#include "base/memory.h"
#include "expr/code.h"
#include "num/copy.h"
#include "num/extent.h"
#include "plan/plan_unfold.h"

#include <math.h>
#include <string.h>

/* Larger systems are watched by plans: gathering numbers then costs little compared with
 * the formulas. */
enum { MOST_OPERATIONS = 1500, MOST_NODES = 10000 };

struct lv_watch_program {
    lv_program *program;
    lv_code *code; /* NULL: the program is interpreted */
    /* workspace: all slots of the program; values: one number per output */
    double *workspace, *values;
    const lv_model *model;
    int edition;          /* edition of the model whose numbers the workspace has */
    lv_number_of *number; /* which number of the model each input I is */
    double *numbers;      /* its value */
    int number_count;
    int n, m;
    int constraints, rates, maps; /* numbers of the first outputs of each */
    bool takes_time;
    int given, seen; /* first slots of these inputs, in a program that compares */
    /* number of largest values that it updates; 0: it does not compare */
    int seen_count;
    /* numbers of outputs: the first updated largest value; the two of put_unusual */
    int becomes, unusual;
    /* slot of the first updated largest value if these follow each other, otherwise -1 */
    int row;
};

/* ---- formulas ---------------------------------------------------------------------- */

typedef struct watching {
    lv_system *system;
    lv_unfolding unfolding;
    lv_arena arena;
    lv_node *q, *v, *p, t;
    LV_ARRAY(lv_node) outputs;
    bool failed;          /* memory was short */
    int becomes, unusual; /* as in lv_watch_program; 0: it does not compare */
} watching;

/* Inputs Q: coordinates, velocities and momenta, one after the other as in a state. */
static lv_node *make_inputs(watching *w, int part)
{
    const int n = w->system->n;
    lv_node *x = lv_arena_alloc(&w->arena, (size_t)n + 1, sizeof *x);
    w->failed = w->failed || !x;
    for (int i = 0; x && i < n; i++)
        x[i] = lv_graph_input(w->unfolding.graph, LV_INPUT_Q, part * n + i);
    return x;
}

static void put_output(watching *w, lv_node node)
{
    w->failed = !LV_PUSH(w->outputs, node) || w->failed;
}

static lv_node op(watching *w, lv_op kind, lv_node a, lv_node b)
{
    return lv_graph_op(w->unfolding.graph, kind, a, b, LV_NODE_NONE);
}

static lv_node size_of(watching *w, lv_node x)
{
    return op(w, LV_OP_ABS, x, LV_NODE_NONE);
}

/* max |x_i|; 0 if there are none. */
static lv_node extent_of(watching *w, const lv_node *x, int count)
{
    lv_node largest = lv_graph_const(w->unfolding.graph, 0);
    for (int i = 0; i < count; i++)
        largest = i == 0 ? size_of(w, x[0]) : op(w, LV_OP_MAX, largest, size_of(w, x[i]));
    return largest;
}

static lv_node product_of(watching *w, const lv_node *x, const lv_node *y, int count)
{
    lv_graph *g = w->unfolding.graph;
    lv_node sum = lv_graph_const(g, 0);
    for (int i = 0; i < count; i++)
        sum = lv_graph_add(g, sum, lv_graph_mul(g, x[i], y[i]));
    return sum;
}

/* The scale of momentum maps: sum of |p| times max(1, |q|). */
static lv_node lever_of(watching *w)
{
    lv_graph *g = w->unfolding.graph;
    const int n = w->system->n;
    lv_node sum = lv_graph_const(g, 0);
    for (int i = 0; i < n; i++)
        sum = lv_graph_add(g, sum, size_of(w, w->p[i]));
    const lv_node one = lv_graph_const(g, 1), reach = extent_of(w, w->q, n);
    return lv_graph_mul(g, sum, op(w, LV_OP_MAX, one, reach));
}

static lv_node *evaluate(watching *w, const lv_plan *plan, lv_quantity quantity,
                         int count, const lv_point_nodes *at, lv_error *err)
{
    lv_node *result[LV_QUANTITIES] = {NULL};
    lv_node *x = lv_arena_alloc(&w->arena, (size_t)count + 1, sizeof *x);
    w->failed = w->failed || !x;
    result[quantity] = x;
    if (w->failed || count == 0 || lv_graph_status(w->unfolding.graph) != LV_OK)
        return x;
    if (lv_plan_unfold(plan, &w->unfolding, at, result, err) == LV_ERR_MEMORY)
        w->failed = true;
    return x;
}

static void put_energies(watching *w, lv_error *err)
{
    const lv_plan *plan = w->system->monitor_plan;
    lv_graph *g = w->unfolding.graph;
    const lv_point_nodes at = {.q = w->q, .v = w->v, .t = w->t};
    const lv_node *kinetic = evaluate(w, plan, LV_Q_KINETIC, 1, &at, err),
                  *potential = evaluate(w, plan, LV_Q_POTENTIAL, 1, &at, err),
                  *lagrangian = evaluate(w, plan, LV_Q_LAGRANGIAN, 1, &at, err);
    if (w->failed || lv_graph_status(g) != LV_OK)
        return;
    const lv_node product = product_of(w, w->p, w->v, w->system->n),
                  size = size_of(w, product);
    put_output(w, kinetic[0]);
    put_output(w, potential[0]);
    put_output(w, lv_graph_sub(g, product, lagrangian[0]));
    put_output(w, lv_graph_add(g, size, size_of(w, lagrangian[0])));
}

static void put_residuals(watching *w, lv_error *err)
{
    const lv_system *s = w->system;
    const lv_point_nodes at = {.q = w->q, .v = w->v, .t = w->t};
    const lv_node *constraint =
                      evaluate(w, s->monitor_plan, LV_Q_CONSTRAINT, s->m, &at, err),
                  *rate = evaluate(w, s->monitor_plan, LV_Q_RATE, s->constraint_count,
                                   &at, err);
    if (w->failed || lv_graph_status(w->unfolding.graph) != LV_OK)
        return;
    put_output(w, extent_of(w, constraint, s->m));
    put_output(w, extent_of(w, rate, s->m));
    put_output(w, extent_of(w, rate + s->m, s->constraint_count - s->m));
    put_output(w, lever_of(w));
    for (int r = 0; r < s->m; r++)
        put_output(w, constraint[r]);
    for (int r = 0; r < s->constraint_count; r++)
        put_output(w, rate[r]);
}

static void put_maps(watching *w, lv_error *err)
{
    const lv_system *s = w->system;
    lv_graph *g = w->unfolding.graph;
    const lv_maps *maps = &s->forms;
    const lv_point_nodes at = {.q = w->q, .v = w->p, .w = w->p, .t = w->t};
    const lv_node *declared =
        s->maps ? evaluate(w, s->maps, LV_Q_MOMENTUM_MAP, s->declared, &at, err) : NULL;
    if (w->failed || lv_graph_status(g) != LV_OK)
        return;
    for (int k = 0; declared && k < s->declared; k++)
        put_output(w, declared[k]);
    for (int k = 0, i = 0, j = 0; k < maps->count; k++) {
        lv_node sum = lv_graph_const(g, 0);
        for (; i < maps->end[k].shifts; i++) {
            const lv_map_term *x = &maps->shifts.data[i];
            const lv_node factor = lv_graph_const(g, x->factor);
            sum = lv_graph_add(g, sum, lv_graph_mul(g, factor, w->p[x->p]));
        }
        for (; j < maps->end[k].turns; j++) {
            const lv_map_term *x = &maps->turns.data[j];
            const lv_node factor = lv_graph_const(g, x->factor),
                          product = lv_graph_mul(g, w->p[x->p], w->q[x->q]);
            sum = lv_graph_add(g, sum, lv_graph_mul(g, factor, product));
        }
        put_output(w, sum);
    }
}

/* ---- comparisons ------------------------------------------------------------------- */

/* Inputs Y: first those of LV_GIVEN_..., then those of LV_SEEN_..., each followed by its
 * momentum maps. */
static lv_node given(const watching *w, int number)
{
    return lv_graph_input(w->unfolding.graph, LV_INPUT_Y, number);
}

static lv_node seen(const watching *w, int number)
{
    return given(w, LV_GIVEN_SCALARS + lv_system_map_count(w->system) + number);
}

/* Adds the output max(seen, now), as lv_monitor_look computes it. */
static void put_seen(watching *w, int number, lv_node now)
{
    put_output(w, op(w, LV_OP_MAX, seen(w, number), now));
}

static lv_node deviation(watching *w, lv_node now, int initial)
{
    return size_of(w, lv_graph_sub(w->unfolding.graph, now, given(w, initial)));
}

static void put_largest(watching *w)
{
    const lv_node *now = w->outputs.data;
    const lv_node energy = deviation(w, now[LV_WATCHED_ENERGY], LV_GIVEN_ENERGY),
                  size = now[LV_WATCHED_SIZE], position = now[LV_WATCHED_POSITION],
                  velocity = now[LV_WATCHED_VELOCITY], rolling = now[LV_WATCHED_ROLLING],
                  lever = now[LV_WATCHED_LEVER];
    const int maps = lv_system_map_count(w->system),
              first = LV_WATCHED_SCALARS + w->system->m + w->system->constraint_count;
    w->becomes = w->outputs.count;
    put_seen(w, LV_SEEN_ENERGY, energy);
    put_seen(w, LV_SEEN_SIZE, size);
    put_seen(w, LV_SEEN_POSITION, position);
    put_seen(w, LV_SEEN_VELOCITY, velocity);
    put_seen(w, LV_SEEN_ROLLING, rolling);
    put_seen(w, LV_SEEN_LEVER, lever);
    for (int k = 0; k < maps; k++)
        put_seen(w, LV_SEEN_SCALARS + k,
                 deviation(w, w->outputs.data[first + k], LV_GIVEN_SCALARS + k));
}

/* The sum of all x, by halves, which processors can add in parallel. */
static lv_node sum_of(lv_graph *g, const lv_node *x, int count)
{
    const int half = count / 2;
    if (count == 1)
        return x[0];
    const lv_node first = sum_of(g, x, half), second = sum_of(g, x + half, count - half);
    return lv_graph_add(g, first, second);
}

/* Adds two outputs: the largest excess over a bound, and a sum that is not finite if one
 * of the numbers is not. */
static void put_unusual(watching *w)
{
    static const int watched[] = {LV_WATCHED_SIZE, LV_WATCHED_POSITION,
                                  LV_WATCHED_VELOCITY, LV_WATCHED_ROLLING},
                     bounds[] = {LV_GIVEN_SIZE, LV_GIVEN_POSITION, LV_GIVEN_VELOCITY,
                                 LV_GIVEN_ROLLING};
    lv_graph *g = w->unfolding.graph;
    const lv_node *now = w->outputs.data;
    lv_node beyond =
        lv_graph_sub(g, deviation(w, now[LV_WATCHED_ENERGY], LV_GIVEN_ENERGY),
                     given(w, LV_GIVEN_LEAP));
    for (size_t k = 0; k < sizeof watched / sizeof *watched; k++)
        beyond = op(w, LV_OP_MAX, beyond,
                    lv_graph_sub(g, now[watched[k]], given(w, bounds[k])));
    const lv_node sum =
        sum_of(g, now + LV_WATCHED_ENERGY, w->becomes - LV_WATCHED_ENERGY);
    w->unusual = w->outputs.count;
    put_output(w, beyond);
    put_output(w, sum);
}

/* ---- creation ---------------------------------------------------------------------- */

/* Puts the numbers into the workspace that do not change with the motion. */
static void load_numbers(lv_watch_program *x)
{
    const lv_program *p = x->program;
    for (int k = 0; k < x->number_count; k++)
        x->numbers[k] = lv_number_value(x->model, &x->number[k]);
    lv_program_load(p, x->workspace, 1);
    lv_program_put(p, LV_INPUT_P, x->model->parameter_values.data, x->workspace, 1, 0);
    lv_program_put(p, LV_INPUT_I, x->numbers, x->workspace, 1, 0);
    lv_program_run(p, LV_SEGMENT_UNIFORM, x->workspace, 1);
    lv_program_run(p, LV_SEGMENT_INSTANCE, x->workspace, 1);
    x->edition = x->model->edition;
}

/* Allocates and fills the workspace. */
static lv_status prepare(lv_watch_program *x, const watching *w, lv_error *err)
{
    const size_t count = (size_t)w->unfolding.numbers.count;
    x->number_count = w->unfolding.numbers.count;
    x->number = lv_memory_zeroed(count + 1, sizeof *x->number);
    x->numbers = lv_memory_zeroed(count + 1, sizeof *x->numbers);
    x->workspace = lv_memory_zeroed((size_t)x->program->slots + 1, sizeof *x->workspace);
    if (!x->number || !x->numbers || !x->workspace)
        return lv_fail_memory(err);
    if (count > 0)
        memcpy(x->number, w->unfolding.numbers.data, count * sizeof *x->number);
    load_numbers(x);
    x->code = lv_code_create(x->program, 1);
    return LV_OK;
}

void lv_watch_program_renew(lv_watch_program *x)
{
    if (x->edition != x->model->edition)
        load_numbers(x);
}

static lv_status build(lv_watch_program *x, watching *w, bool *made, lv_error *err)
{
    lv_layout layout = {{0}};
    const lv_graph *g = w->unfolding.graph;
    layout.size[LV_INPUT_Q] = 3 * w->system->n;
    layout.size[LV_INPUT_T] = 1 + w->system->model->input_count;
    layout.size[LV_INPUT_P] = w->system->model->parameter_values.count;
    layout.size[LV_INPUT_I] = w->unfolding.numbers.count;
    if (w->becomes > 0)
        layout.size[LV_INPUT_Y] =
            LV_GIVEN_SCALARS + LV_SEEN_SCALARS + 2 * lv_system_map_count(w->system);
    x->values = lv_memory_zeroed((size_t)w->outputs.count, sizeof *x->values);
    if (!x->values)
        return lv_fail_memory(err);
    const lv_status status = lv_program_compile(&x->program, g, w->outputs.data,
                                                w->outputs.count, &layout, err);
    /* Formulas with references of angles that count turns are left to plans. */
    if (status == LV_ERR_USAGE && w->unfolding.turns) {
        lv_error_clear(err);
        return LV_OK;
    }
    LV_TRY(status);
    *made = x->program->operations <= MOST_OPERATIONS;
    x->n = w->system->n;
    x->m = w->system->m;
    x->model = w->system->model;
    x->constraints = LV_WATCHED_SCALARS;
    x->rates = x->constraints + w->system->m;
    x->maps = x->rates + w->system->constraint_count;
    x->becomes = w->becomes;
    x->unusual = w->unusual;
    x->seen_count = w->becomes > 0 ? w->unusual - w->becomes : 0;
    x->given = x->program->input[LV_INPUT_Y];
    x->seen = x->given + LV_GIVEN_SCALARS + lv_system_map_count(w->system);
    x->takes_time = lv_program_reads(x->program, LV_INPUT_T);
    x->row = x->seen_count > 0 ? x->program->output[x->becomes] : -1;
    for (int k = 0; x->row >= 0 && k < x->seen_count; k++)
        x->row = x->program->output[x->becomes + k] == x->row + k ? x->row : -1;
    return *made ? prepare(x, w, err) : LV_OK;
}

static lv_status fill(lv_watch_program *x, lv_system *s, bool compares, bool *made,
                      lv_error *err)
{
    watching w = {.system = s, .unfolding = {.graph = lv_graph_create(MOST_NODES)}};
    if (!w.unfolding.graph)
        return lv_fail_memory(err);
    w.q = make_inputs(&w, 0);
    w.v = make_inputs(&w, 1);
    w.p = make_inputs(&w, 2);
    w.t = lv_graph_input(w.unfolding.graph, LV_INPUT_T, 0);
    if (!w.failed) {
        put_energies(&w, err);
        put_residuals(&w, err);
        put_maps(&w, err);
    }
    if (compares && !w.failed && lv_graph_status(w.unfolding.graph) == LV_OK) {
        put_largest(&w);
        put_unusual(&w);
    }
    const lv_status state = lv_graph_status(w.unfolding.graph);
    lv_status status = w.failed || state == LV_ERR_MEMORY ? lv_fail_memory(err) : LV_OK;
    if (status == LV_OK && state == LV_OK)
        status = build(x, &w, made, err);
    LV_ARRAY_FREE(w.outputs);
    LV_ARRAY_FREE(w.unfolding.numbers);
    lv_graph_free(w.unfolding.graph);
    lv_arena_done(&w.arena);
    return status;
}

static bool may_be_program(const lv_system *s)
{
    return lv_plan_unfolds(s->monitor_plan) && (!s->maps || lv_plan_unfolds(s->maps)) &&
           lv_plan_operations(s->monitor_plan) <= MOST_OPERATIONS;
}

lv_status lv_watch_program_create(lv_watch_program **result, lv_system *s, bool compares,
                                  lv_error *err)
{
    bool made = false;
    *result = NULL;
    if (!may_be_program(s))
        return LV_OK;
    lv_watch_program *x = lv_memory_zeroed(1, sizeof *x);
    if (!x)
        return lv_fail_memory(err);
    const lv_status status = fill(x, s, compares, &made, err);
    if (status == LV_OK && made)
        *result = x;
    else
        lv_watch_program_free(x);
    return status;
}

void lv_watch_program_free(lv_watch_program *x)
{
    if (!x)
        return;
    lv_code_free(x->code);
    lv_program_free(x->program);
    lv_memory_free(x->workspace);
    lv_memory_free(x->number);
    lv_memory_free(x->numbers);
    lv_memory_free(x->values);
    lv_memory_free(x);
}

/* ---- evaluation -------------------------------------------------------------------- */

/* The largest |x|, which the program has computed as `largest`; infinite or NaN if one
 * of the numbers is. */
static double largest_of(double largest, const double *x, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += x[k];
    return isfinite(sum) ? largest : lv_largest(x, count);
}

LV_INLINE void run(const lv_watch_program *x, double t, const double *q, const double *v,
                   const double *p)
{
    const lv_program *program = x->program;
    const size_t size = (size_t)x->n * sizeof *q;
    double *to = x->workspace, *state = to + program->input[LV_INPUT_Q];
    if (v == q + x->n && p == v + x->n) {
        memcpy(state, q, 3 * size);
    } else {
        memcpy(state, q, size);
        memcpy(state + x->n, v, size);
        memcpy(state + (ptrdiff_t)2 * x->n, p, size);
    }
    if (x->takes_time)
        lv_model_put_time(x->model, program, t, to, 1, 0);
    if (x->code)
        lv_code_run(x->code, to);
    else
        lv_program_run(program, LV_SEGMENT_MAIN, to, 1);
}

void lv_watch_program_run(const lv_watch_program *x, lv_watch *w, double t,
                          const double *q, const double *v, const double *p)
{
    run(x, t, q, v, p);
    lv_watch_program_show(x, w);
}

double *lv_watch_program_given(const lv_watch_program *x)
{
    return x->workspace + x->given;
}

double *lv_watch_program_seen(const lv_watch_program *x)
{
    return x->workspace + x->seen;
}

bool lv_watch_program_compare(const lv_watch_program *x, double t, const double *q,
                              const double *v, const double *p)
{
    const double *from = x->workspace;
    const int *output = x->program->output;
    run(x, t, q, v, p);
    const double sum = from[output[x->unusual + 1]];
    if (!(from[output[x->unusual]] + (sum - sum) <= 0))
        return false;
    double *to = x->workspace + x->seen;
    if (x->row >= 0)
        lv_copy(to, from + x->row, x->seen_count);
    for (int k = 0; x->row < 0 && k < x->seen_count; k++)
        to[k] = from[output[x->becomes + k]];
    return true;
}

void lv_watch_program_show(const lv_watch_program *x, lv_watch *w)
{
    const lv_program *program = x->program;
    double *values = x->values;
    for (int k = 0; k < program->output_count; k++)
        values[k] = x->workspace[program->output[k]];
    const double *constraints = values + x->constraints, *rates = values + x->rates;
    *w =
        (lv_watch){.kinetic = values[LV_WATCHED_KINETIC] + 0.0, /* never -0 */
                   .potential = values[LV_WATCHED_POTENTIAL] + 0.0,
                   .energy = values[LV_WATCHED_ENERGY] + 0.0,
                   .size = values[LV_WATCHED_SIZE],
                   .position = largest_of(values[LV_WATCHED_POSITION], constraints, x->m),
                   .velocity = largest_of(values[LV_WATCHED_VELOCITY], rates, x->m),
                   .rolling = largest_of(values[LV_WATCHED_ROLLING], rates + x->m,
                                         x->maps - x->rates - x->m),
                   .lever = values[LV_WATCHED_LEVER],
                   .constraints = constraints,
                   .rates = rates,
                   .maps = values + x->maps};
}

lv_compare_layout lv_watch_program_layout(const lv_watch_program *x)
{
    return (lv_compare_layout){.program = x->program,
                               .workspace = x->workspace,
                               .n = x->n,
                               .seen = x->seen,
                               .seen_count = x->seen_count,
                               .becomes = x->becomes,
                               .unusual = x->unusual};
}
