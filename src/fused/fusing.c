#include "fused/fusing_private.h"

#include "course/blocks.h"

#include <string.h>

/* ---- shadows ----------------------------------------------------------------------- */

lv_node *lv_fusing_nodes_for(lv_fusing *f, const double *x, int count)
{
    const lv_shadow *known = find_shadow(f, x);
    if (known)
        return known->nodes + (x - known->from);
    const lv_shadow s = {x, count,
                         lv_arena_alloc(&f->arena, (size_t)count + 1, sizeof(lv_node))};
    if (!s.nodes || !LV_PUSH(f->shadows, s)) {
        f->failed = true;
        return NULL;
    }
    return s.nodes;
}

/* Records a failure. If the graph becomes too large, the step cannot be a program. */
static void note_status(lv_fusing *f, lv_status status)
{
    f->failed = f->failed || status == LV_ERR_MEMORY;
    f->unsupported = f->unsupported || status != LV_OK;
}

/* Makes numbers of the course outputs of the program. */
static void deliver(lv_fusing *f, double *x, int count)
{
    if (count == 0 || is_broken(f))
        return;
    lv_node *copy = lv_arena_copy(&f->arena, nodes_of(f, x), (size_t)count, sizeof *copy);
    const lv_shadowed output = {.numbers = x, .count = count, .nodes = copy};
    if (!copy || !LV_PUSH(f->outputs, output))
        f->failed = true;
}

/* ---- linear combinations ----------------------------------------------------------- */

static void sum_sources(lv_fusing *f, lv_node *sum, const lv_summand *sources, int count,
                        int size)
{
    for (int i = 0; i < size; i++)
        sum[i] = lv_graph_const(f->graph, 0);
    for (int k = 0; k < count && !is_broken(f); k++) {
        const lv_node factor = weight(f, sources[k].c, sources[k].power);
        const lv_node *x = nodes_of(f, sources[k].x);
        for (int i = 0; i < size && !f->unsupported; i++) {
            const lv_node term = lv_graph_mul(f->graph, factor, x[i]);
            sum[i] = lv_graph_add(f->graph, sum[i], term);
        }
    }
}

/* Makes a number of the factors an input, so that passes can use that of an earlier
 * pass. */
static lv_node keep_number(void *work, lv_node x, double value)
{
    lv_fusing *f = work;
    const lv_kept_number number = {f->input_count, x};
    f->failed = !LV_PUSH(f->kept, number) || f->failed;
    return next_input(f, value);
}

static void solve_nodes(lv_fusing *f, lv_node *a, lv_node *b, int n, const int *rank,
                        const bool *self_measured, bool keeps)
{
    const double *sample[LV_INPUT_KINDS] = {NULL};
    sample[LV_INPUT_Q] = f->sample_q.data;
    sample[LV_INPUT_T] = f->sample_t.data;
    sample[LV_INPUT_R] = f->c->system->model->references;
    sample[LV_INPUT_P] = f->c->system->model->parameter_values.data;
    for (int k = f->sample_i.count - 1; k < f->unfolding.numbers.count; k++)
        if (!LV_PUSH(f->sample_i,
                     lv_number_value(f->c->system->model, &f->unfolding.numbers.data[k])))
            f->failed = true;
    sample[LV_INPUT_I] = f->sample_i.data;
    lv_node_system s = {.graph = f->graph,
                        .n = n,
                        .a = a,
                        .b = b,
                        .rank = rank,
                        .self_measured = self_measured,
                        .sample = sample,
                        .growth = f->growth,
                        .orders = &f->orders,
                        .keep = keeps ? keep_number : NULL,
                        .work = f};
    if (!is_broken(f))
        note_status(f, lv_node_solve(&s, f->err));
    f->growth = s.growth;
}

static lv_node *make_matrix(lv_fusing *f, int n)
{
    const size_t entries = (size_t)n * (size_t)n;
    lv_node *a = lv_arena_alloc(&f->arena, entries + 1, sizeof *a);
    f->failed = f->failed || !a;
    for (size_t k = 0; a && k < entries; k++)
        a[k] = LV_NODE_NONE;
    return a;
}

/* *a += factor * entry; an entry that is zero becomes LV_NODE_NONE. */
static void add_entry(lv_fusing *f, lv_node *a, lv_node factor, lv_node entry)
{
    const lv_node term = lv_graph_mul(f->graph, factor, entry);
    *a = *a == LV_NODE_NONE ? term : lv_graph_add(f->graph, *a, term);
    if (lv_graph_is_const(f->graph, *a, 0))
        *a = LV_NODE_NONE;
}

/* x = M^-1 x */
static void solve_mass(lv_fusing *f, lv_node *x)
{
    const int n = f->c->system->n;
    const lv_pattern *pattern = f->c->mass_pattern;
    const lv_node one = lv_graph_const(f->graph, 1);
    lv_node *a = make_matrix(f, n);
    const lv_node *mass = nodes_of(f, f->c->mass_values);
    if (is_broken(f))
        return;
    for (int i = 0; i < n; i++)
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
            add_entry(f, &a[(ptrdiff_t)i * n + pattern->column[k]], one, mass[k]);
    solve_nodes(f, a, x, n, NULL, NULL, false);
}

static void combine(lv_fusing *f, const lv_combination *s)
{
    lv_node *x = lv_arena_alloc(&f->arena, (size_t)s->size + 1, sizeof *x);
    lv_node *sum = lv_arena_alloc(&f->arena, (size_t)s->size + 1, sizeof *sum);
    if (!x || !sum) {
        f->failed = true;
        return;
    }
    sum_sources(f, sum, s->sources, s->plain, s->size);
    if (s->inverse > 0) {
        sum_sources(f, x, s->sources + s->plain, s->inverse, s->size);
        solve_mass(f, x);
        for (int i = 0; i < s->size && !is_broken(f); i++)
            sum[i] = lv_graph_add(f->graph, sum[i], x[i]);
    }
    lv_node *out = s->size > 0 ? lv_fusing_nodes_for(f, s->out, s->size) : NULL;
    if (out)
        memcpy(out, sum, (size_t)s->size * sizeof *out);
}

/* ---- evaluations ------------------------------------------------------------------- */

/* The multipliers of all constraints; those that the site does not have are zero. */
static const lv_node *all_multipliers(lv_fusing *f, const lv_site *site)
{
    const lv_node *y = value_of(f, site->arg[LV_ARG_Y]),
                  *l = value_of(f, site->arg[LV_ARG_L]);
    const int m = f->c->system->m, rates = f->c->system->constraint_count;
    lv_node *all = lv_arena_alloc(&f->arena, (size_t)rates + 1, sizeof *all);
    f->failed = f->failed || !all;
    for (int r = 0; all && r < rates; r++)
        all[r] = r < m && y ? y[r] : r >= m && l ? l[r - m] : lv_graph_const(f->graph, 0);
    return all;
}

lv_point_nodes lv_fusing_point(lv_fusing *f, const lv_site *site)
{
    const lv_course *c = f->c;
    const bool pair = site->arg[LV_ARG_Q0] >= 0;
    const lv_node later = weight(f, site->at, 1);
    lv_point_nodes point = {.q = value_of(f, site->arg[LV_ARG_Q]),
                            .v = value_of(f, site->arg[LV_ARG_V]),
                            .t = lv_graph_add(f->graph, f->t, later),
                            .w = value_of(f, site->arg[pair ? LV_ARG_Q0 : LV_ARG_W]),
                            .x = value_of(f, site->arg[LV_ARG_V0])};
    if (site->arg[LV_ARG_Y] >= 0 || site->arg[LV_ARG_L] >= 0)
        point.y = all_multipliers(f, site);
    if (!point.v)
        point.v = value_of(f, c->facts.v >= 0 ? c->facts.v : site->arg[LV_ARG_Q]);
    return point;
}

void lv_fusing_unfold(lv_fusing *f, const lv_plan *plan, const lv_point_nodes *point,
                      lv_node *const result[LV_QUANTITIES])
{
    f->unsupported = f->unsupported || !lv_plan_unfolds(plan);
    if (!is_broken(f))
        note_status(f, lv_plan_unfold(plan, &f->unfolding, point, result, f->err));
}

static void evaluate(lv_fusing *f, const lv_evaluation *e)
{
    lv_node *result[LV_QUANTITIES] = {NULL};
    const lv_site *site = &f->c->sites.data[e->site];
    const lv_point_nodes point = lv_fusing_point(f, site);
    for (int k = 0; k < e->quantities; k++) {
        const lv_quantity q = e->quantity[k];
        const int size = lv_course_quantity_size(f->c, q);
        if (size > 0)
            result[q] = lv_fusing_nodes_for(f, site->storage[q], size);
    }
    lv_fusing_unfold(f, e->plan, &point, result);
}

/* ---- products ---------------------------------------------------------------------- */

static void multiply(lv_fusing *f, const lv_product *p)
{
    const lv_course *c = f->c;
    const lv_atom *atom = &c->form.atoms.data[p->atom];
    const lv_operator *op = atom->op;
    if (op->turn != LV_TURN_NONE) {
        const bool point = op->result == LV_RESULT_POINT;
        lv_node *to =
            lv_fusing_nodes_for(f, p->out, point ? c->system->points : c->system->n);
        if (to && !is_broken(f))
            lv_fusing_turn(f, atom, to);
        return;
    }
    const lv_pattern *pattern = lv_course_pattern(c, op->value);
    const int size = op->value.transposed ? pattern->columns : pattern->rows,
              entries = pattern->start[pattern->rows];
    const lv_node *values =
        entries > 0 ? nodes_of(f, lv_course_values(c, op->value, p->site)) : NULL;
    const lv_node *x = value_of(f, atom->arg[op->vector]);
    const lv_node *constant =
        op->constant >= 0 && size > 0
            ? nodes_of(f, c->sites.data[p->site].storage[op->constant])
            : NULL;
    lv_node *out = size > 0 ? lv_fusing_nodes_for(f, p->out, size) : NULL;
    for (int i = 0; out && i < size && !is_broken(f); i++)
        out[i] = constant ? constant[i] : lv_graph_const(f->graph, 0);
    for (int i = 0; out && values && x && i < pattern->rows; i++)
        for (int k = pattern->start[i]; k < pattern->start[i + 1] && !is_broken(f); k++) {
            const int j = pattern->column[k], to = op->value.transposed ? j : i;
            const lv_node term =
                lv_graph_mul(f->graph, values[k], x[op->value.transposed ? i : j]);
            out[to] = lv_graph_add(f->graph, out[to], term);
        }
}

/* ---- actions ----------------------------------------------------------------------- */

static void act(lv_fusing *f, const lv_action *a)
{
    if (is_broken(f))
        return;
    if (a->kind == LV_DO_COMBINE)
        combine(f, &a->combine);
    else if (a->kind == LV_DO_EVALUATE)
        evaluate(f, &a->evaluate);
    else if (a->kind == LV_DO_MULTIPLY)
        multiply(f, &a->multiply);
    else
        f->unsupported = true;
}

static void run(lv_fusing *f, const lv_actions *actions, bool later_only)
{
    for (int k = 0; k < actions->count; k++)
        if (!later_only || actions->data[k].later)
            act(f, &actions->data[k]);
}

/* ---- phases ------------------------------------------------------------------------ */

/* The matrix of a block, rows x columns, with transposition applied; LV_NODE_NONE: no
 * entry. */
static void fill_block(lv_fusing *f, const lv_block *b, lv_node *a, int rows, int columns)
{
    const lv_pattern *pattern = b->bare ? NULL : lv_course_pattern(f->c, b->matrix);
    for (int i = 0; i < rows * columns; i++)
        a[i] = LV_NODE_NONE;
    for (int i = 0; b->bare && i < rows; i++)
        a[i * columns + i] = lv_graph_const(f->graph, 1);
    if (b->bare || pattern->start[pattern->rows] == 0)
        return;
    const lv_node *values = nodes_of(f, lv_course_values(f->c, b->matrix, b->site));
    for (int i = 0; i < pattern->rows && !is_broken(f); i++)
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
            const int j = pattern->column[k];
            a[b->matrix.transposed ? j * columns + i : i * columns + j] = values[k];
        }
}

/* Adds a block to the Newton matrix. */
static void add_block(lv_fusing *f, const lv_phase *p, const lv_block *b, lv_node *a)
{
    const lv_phase_column *row = &p->columns.data[b->row],
                          *column = &p->columns.data[b->column];
    const lv_node factor = weight(f, b->c, b->power + row->row_power - column->scale);
    const lv_node *taken = taken_of(f, row);
    lv_node *to = a + (ptrdiff_t)row->offset * p->size + column->offset;
    lv_arena scratch = {0};
    lv_node *block =
        lv_arena_alloc(&scratch, (size_t)(row->size * column->size) + 1, sizeof *block);
    f->failed = f->failed || !block;
    if (!is_left_out(f, p, row) && !is_left_out(f, p, column) && !is_broken(f))
        fill_block(f, b, block, row->size, column->size);
    else
        block = NULL;
    if (block)
        lv_fusing_dress(f, b, block, row->size, column->size);
    for (int i = 0; block && i < row->size; i++)
        for (int j = 0; j < column->size && !is_broken(f); j++)
            if (block[i * column->size + j] != LV_NODE_NONE) {
                const lv_node entry = if_taken(f, taken, i, block[i * column->size + j]);
                add_entry(f, &to[(ptrdiff_t)i * p->size + j], factor, entry);
            }
    lv_arena_done(&scratch);
}

/* b = minus the scaled residuals. Rows of defined fields are 0: their equations hold. */
static void find_residuals(lv_fusing *f, const lv_phase *p, lv_node *b)
{
    for (int k = 0; k < p->size; k++)
        b[k] = lv_graph_const(f->graph, 0);
    for (int k = 0; k < p->unknowns && !is_broken(f); k++) {
        const lv_phase_column *column = &p->columns.data[k];
        if (column->size == 0 || is_left_out(f, p, column))
            continue;
        combine(f, &column->residual);
        const lv_node factor = weight(f, -1, column->row_power);
        const lv_node *residual = nodes_of(f, column->residual.out);
        const lv_node *taken = taken_of(f, column);
        for (int i = 0; i < column->size && !is_broken(f); i++) {
            const lv_node scaled = lv_graph_mul(f->graph, factor, residual[i]);
            b[column->offset + i] = if_taken(f, taken, i, scaled);
        }
    }
}

/* unknowns += corrections */
static void move(lv_fusing *f, const lv_phase *p, const lv_node *x)
{
    for (int k = 0; k < p->unknowns && !is_broken(f); k++) {
        const lv_phase_column *column = &p->columns.data[k];
        const lv_node factor = weight(f, 1, -column->scale);
        lv_node *value =
            column->size > 0 ? lv_fusing_nodes_for(f, column->value, column->size) : NULL;
        for (int i = 0; value && i < column->size; i++) {
            const lv_node change = lv_graph_mul(f->graph, factor, x[column->offset + i]);
            value[i] = lv_graph_add(f->graph, value[i], change);
        }
    }
}

/* Sets the unknowns to their initial guesses, or to 0 if the phase is linear or their
 * equations are left out. */
static void begin_unknowns(lv_fusing *f, const lv_phase *p, lv_shadowed_guess *guess)
{
    guess->first = f->input_count;
    for (int k = 0; k < p->unknowns && !is_broken(f); k++) {
        const lv_phase_column *column = &p->columns.data[k];
        lv_node *value =
            column->size > 0 ? lv_fusing_nodes_for(f, column->value, column->size) : NULL;
        if (value && !p->linear)
            lv_fusing_guess(f, column, value);
        const bool zero = p->linear || is_left_out(f, p, column);
        const lv_node *taken = taken_of(f, column);
        for (int i = 0; value && i < column->size; i++)
            value[i] =
                zero ? lv_graph_const(f->graph, 0) : if_taken(f, taken, i, value[i]);
    }
    guess->count = f->input_count - guess->first;
}

/* Gives unknowns that are left out the equation that their corrections are 0. */
static void fix_left_out(lv_fusing *f, const lv_phase *p, lv_node *a)
{
    const lv_node one = lv_graph_const(f->graph, 1);
    for (int k = 0; k < p->columns.count; k++) {
        const lv_phase_column *column = &p->columns.data[k];
        const lv_node *taken = taken_of(f, column);
        for (int i = 0; i < column->size && !is_broken(f); i++) {
            lv_node *diagonal = &a[(ptrdiff_t)(column->offset + i) * (p->size + 1)];
            if (is_left_out(f, p, column))
                *diagonal = one;
            else if (taken)
                add_entry(f, diagonal, one, lv_graph_sub(f->graph, one, taken[i]));
        }
    }
}

/* Which pivots are compared with their own diagonal entries, not with the sample: those
 * of multipliers if some may be left out, since the sample may leave out other ones.
 * NULL: none. */
static const bool *find_self_measured(lv_fusing *f, const lv_phase *p)
{
    bool *self = f->left_out->taken
                     ? lv_arena_alloc(&f->arena, (size_t)p->size + 1, sizeof *self)
                     : NULL;
    f->failed = f->failed || (f->left_out->taken && !self);
    for (int k = 0; self && k < p->columns.count; k++)
        for (int i = 0; i < p->columns.data[k].size; i++)
            self[p->columns.data[k].offset + i] =
                p->columns.data[k].space == LV_SPACE_HOLONOMIC;
    return self;
}

/* Ranks of the unknowns: defined vectors 0, other vectors 1, multipliers 2. Multipliers
 * are eliminated last, so what remains for them is of the form G M^-1 G^T. */
static const int *find_ranks(lv_fusing *f, const lv_phase *p)
{
    int *rank = lv_arena_alloc(&f->arena, (size_t)p->size + 1, sizeof *rank);
    f->failed = f->failed || !rank;
    for (int k = 0; rank && k < p->columns.count; k++)
        for (int i = 0; i < p->columns.data[k].size; i++)
            rank[p->columns.data[k].offset + i] =
                k < p->unknowns ? 1 + !p->columns.data[k].vector : 0;
    return rank;
}

static void forget_factors(lv_fusing *f)
{
    for (int k = 0; k < f->c->factors.count; k++)
        f->factors[k] = NULL;
}

static void unroll_phase(lv_fusing *f, const lv_phase *p, lv_shadowed_guess *guess)
{
    lv_node *a = make_matrix(f, p->size);
    lv_node *b = lv_arena_alloc(&f->arena, (size_t)p->size + 1, sizeof *b);
    f->failed = f->failed || !b;
    if (is_broken(f))
        return;
    run(f, &p->before, false);
    begin_unknowns(f, p, guess);
    if (!f->asks[p->asked] && p->multipliers_only) {
        guess->count = 0;
        run(f, &p->pass, true);
        return;
    }
    run(f, &p->pass, false);
    find_residuals(f, p, b);
    const bool keeps = f->keeps && guess->count > 0;
    run(f, &p->cheap, false);
    if (!keeps)
        run(f, &p->full, false);
    forget_factors(f);
    for (int k = 0; k < p->blocks.count && !is_broken(f); k++)
        if (!keeps || p->blocks.data[k].cheap)
            add_block(f, p, &p->blocks.data[k], a);
    fix_left_out(f, p, a);
    solve_nodes(f, a, b, p->size, find_ranks(f, p), find_self_measured(f, p), keeps);
    if (is_broken(f))
        return;
    move(f, p, b);
    run(f, &p->pass, true);
    if (guess->count > 0 && !is_broken(f)) {
        lv_fusing_find(f, p, guess);
        lv_fusing_measure(f, p, b, guess);
        f->growth_passes = f->growth;
    }
}

/* ---- steps ------------------------------------------------------------------------- */

static void find_mass(lv_fusing *f)
{
    lv_node *result[LV_QUANTITIES] = {NULL};
    const lv_point_nodes nowhere = {.t = f->t};
    const lv_course *c = f->c;
    if (!c->mass_values)
        return;
    result[LV_Q_MASS] = lv_fusing_nodes_for(
        f, c->mass_values, c->mass_pattern->start[c->mass_pattern->rows]);
    lv_fusing_unfold(f, c->system->legendre, &nowhere, result);
}

static void deliver_carried(lv_fusing *f, int field)
{
    const lv_course *c = f->c;
    for (int k = 0; k < c->form.assignments.count; k++)
        if (!c->form.assignments.data[k].first &&
            c->form.assignments.data[k].field == field)
            deliver(f, c->assignments[k].out, c->assignments[k].size);
}

/* Makes outputs of all numbers with which the next step begins. */
static void deliver_end(lv_fusing *f)
{
    const lv_course *c = f->c;
    for_each_carried(f, deliver_carried);
    for (int k = 0; k < c->handovers.count; k++) {
        const lv_handover *h = &c->handovers.data[k];
        for (int i = 0; i < h->parts; i++)
            deliver(f, h->part[i].from, h->part[i].count);
    }
    f->needed = f->outputs.count;
}

static void sample_time(lv_fusing *f)
{
    const lv_model *model = f->c->system->model;
    bool good = LV_PUSH(f->sample_t, f->c->t);
    for (int k = 0; k < model->input_count; k++)
        good = good && LV_PUSH(f->sample_t, model->input_values[k]);
    f->failed = f->failed || !good;
}

static void begin_turning(lv_fusing *f)
{
    const lv_course *c = f->c;
    const size_t poses = c->turning.motion ? (size_t)c->turning.motion->pose_count : 0;
    f->turning =
        (lv_node_turning){.graph = f->graph,
                          .turning = &c->turning,
                          .charts = lv_arena_alloc(&f->arena, poses + 1, sizeof(void *)),
                          .reach = LV_NODE_NONE};
    f->factors =
        lv_arena_alloc(&f->arena, (size_t)c->factors.count + 1, sizeof *f->factors);
    f->failed = f->failed || !f->turning.charts || !f->factors;
}

/* Makes the growth huge if a rotation is too large for its formulas. */
static void bound_reach(lv_fusing *f)
{
    lv_graph *g = f->graph;
    if (f->turning.reach == LV_NODE_NONE)
        return;
    const lv_node one = lv_graph_const(g, 1), huge = lv_graph_const(g, 1e300);
    const lv_node within =
        lv_graph_op(g, LV_OP_LESS, f->turning.reach, one, LV_NODE_NONE);
    const lv_node known = f->growth == LV_NODE_NONE ? one : f->growth;
    f->growth = lv_graph_select(g, within, known, huge);
}

static bool is_delivered(const lv_fusing *f, const double *x)
{
    bool found = false;
    for (int k = 0; k < f->outputs.count; k++)
        found = found || f->outputs.data[k].numbers == x;
    return found;
}

/* Makes outputs of all other fields that callers may ask for. */
static void deliver_fields(lv_fusing *f)
{
    const lv_course *c = f->c;
    for (int k = 0; k < c->form.fields.count; k++) {
        const lv_field *field = &c->form.fields.data[k];
        if (field->role != LV_FIELD_CARRIED && c->value[k] &&
            c->sizes[field->space] > 0 && find_shadow(f, c->value[k]) &&
            !is_delivered(f, c->value[k]))
            deliver(f, c->value[k], c->sizes[field->space]);
    }
}

lv_status lv_fusing_unroll(lv_fusing *f)
{
    const lv_course *c = f->c;
    f->guesses =
        lv_arena_alloc(&f->arena, (size_t)c->phases.count + 1, sizeof *f->guesses);
    f->failed = !f->guesses;
    f->h = lv_graph_input(f->graph, LV_INPUT_I, 0);
    f->t = lv_graph_input(f->graph, LV_INPUT_T, 0);
    f->growth = f->growth_passes = f->left_over = LV_NODE_NONE;
    f->unfolding = (lv_unfolding){.graph = f->graph, .first_number = 1};
    sample_time(f);
    begin_turning(f);
    if (!LV_PUSH(f->sample_i, c->h))
        f->failed = true;
    lv_fusing_declare_start(f);
    find_mass(f);
    for (int p = 1; p <= c->phases.count && !is_broken(f); p++)
        unroll_phase(f, &c->phase[p], &f->guesses[p - 1]);
    run(f, &c->phase[LV_PLACE_END(c)].before, false);
    for (int k = 0; k < c->form.assignments.count && !is_broken(f); k++)
        if (!c->form.assignments.data[k].first)
            combine(f, &c->assignments[k]);
    deliver_end(f);
    deliver_fields(f);
    bound_reach(f);
    lv_fusing_check_left_out(f);
    note_status(f, lv_graph_status(f->graph));
    return f->failed ? lv_fail_memory(f->err) : LV_OK;
}

void lv_fusing_done(lv_fusing *f)
{
    lv_node_turning_done(&f->turning);
    LV_ARRAY_FREE(f->shadows);
    LV_ARRAY_FREE(f->inputs);
    LV_ARRAY_FREE(f->outputs);
    LV_ARRAY_FREE(f->unfolding.numbers);
    LV_ARRAY_FREE(f->sample_q);
    LV_ARRAY_FREE(f->sample_t);
    LV_ARRAY_FREE(f->sample_i);
    LV_ARRAY_FREE(f->kept);
    lv_node_orders_done(&f->orders);
    lv_graph_free(f->graph);
    lv_arena_done(&f->arena);
}
