#include "system/defect.h"

#include "expr/diff.h"
#include "expr/kink.h"

#include <math.h>
#include <string.h>

/* A kernel while its tests are built, and the form (c, b) in hand. */
typedef struct subject {
    lv_defects *to;
    const lv_model *model;
    const lv_kernel *kernel;
    lv_graph *g;
    lv_arena arena;
    int local;
    lv_node *q, *v; /* inputs; v follows q */
    lv_node *c, *b; /* coefficients of xi and of A v; b follows c */
    bool alone;
    const lv_node *rows; /* holonomic: all rows, and the one in hand */
    int row;
} subject;

static int length_of(const subject *u, const lv_slot *slot)
{
    return u->model->groups.data[slot->group].length;
}

/* ---- d and s ----------------------------------------------------------------------- */

/* Adds coefficient * direction to d and its absolute value to s. */
static void add_term(lv_graph *g, lv_node *d, lv_node *s, lv_node coefficient,
                     lv_node direction)
{
    lv_node term = lv_graph_mul(g, coefficient, direction);
    *d = lv_graph_add(g, *d, term);
    lv_node size = lv_graph_op(g, LV_OP_ABS, term, 0, 0);
    *s = lv_graph_add(g, *s, size);
}

/* The entry 1 or -1 of A at (target, source). */
static void add_entry(subject *u, lv_node *d, lv_node *s, int target, int source,
                      bool minus)
{
    lv_node x = minus ? lv_graph_neg(u->g, u->q[source]) : u->q[source];
    add_term(u->g, d, s, u->c[target], x);
    x = minus ? lv_graph_neg(u->g, u->v[source]) : u->v[source];
    add_term(u->g, d, s, u->b[target], x);
}

static void add_slot(subject *u, lv_node *d, lv_node *s, const lv_symmetry *is, int first)
{
    if (is->b < 0) {
        lv_node one = lv_graph_const(u->g, 1);
        add_term(u->g, d, s, u->c[first + is->a], one);
        return;
    }
    add_entry(u, d, s, first + is->a, first + is->b, true);
    add_entry(u, d, s, first + is->b, first + is->a, false);
}

/* There is nothing to test where d is zero already. */
static void push_test(subject *u, lv_node d, lv_node s, lv_defect_test test)
{
    if (lv_graph_status(u->g) != LV_OK || lv_graph_is_const(u->g, d, 0))
        return;
    if (!LV_PUSH(u->to->nodes, d) || !LV_PUSH(u->to->nodes, s) ||
        !LV_PUSH(u->to->tests, test))
        lv_graph_give_up(u->g, LV_ERR_MEMORY);
}

/* Takes component r of A g away: rows that form a vector may turn too. */
static void add_turn(subject *u, lv_node *d, lv_node *s, const lv_symmetry *is, int r)
{
    int first = u->row - r;
    lv_node one = lv_graph_const(u->g, 1), minus = lv_graph_const(u->g, -1);
    if (r == is->a)
        add_term(u->g, d, s, u->rows[first + is->b], one);
    if (r == is->b)
        add_term(u->g, d, s, u->rows[first + is->a], minus);
}

/* The test of one candidate, which moves those of the slots that have its length. */
static void add_test(subject *u, int candidate, int first_slot, int slot_count)
{
    const lv_symmetry *is = &u->to->candidates->list[candidate].is;
    lv_defect_test test = {candidate, u->alone, -1, 0};
    lv_node d = lv_graph_const(u->g, 0), s = d;
    for (int k = first_slot; k < first_slot + slot_count; k++)
        if (length_of(u, &u->kernel->slots[k]) == is->length)
            add_slot(u, &d, &s, is, u->kernel->slots[k].first);
    if (u->rows && is->b >= 0 && u->kernel->row_count % is->length == 0) {
        int r = u->row % is->length;
        lv_node turned = d, size = s;
        add_turn(u, &turned, &size, is, r);
        test.choice =
            (candidate - u->to->candidates->together) * u->kernel->row_count + u->row - r;
        test.way = 2;
        push_test(u, turned, size, test);
        test.way = 1;
    }
    push_test(u, d, s, test);
}

/* The form in hand against all candidates. */
static void add_tests(subject *u)
{
    const lv_candidates *all = u->to->candidates;
    int slots = u->kernel->slot_count;
    for (int k = 0; k < slots; k++)
        if (all->cyclic[u->kernel->slots[k].group] >= 0)
            add_test(u, all->cyclic[u->kernel->slots[k].group], k, 1);
    for (int k = all->together; k < all->count; k++)
        add_test(u, k, 0, slots);
}

/* ---- forms ------------------------------------------------------------------------- */

static void note_momentum(subject *u, const lv_slot *slot, lv_candidate *candidate)
{
    const lv_symmetry *is = &candidate->is;
    if (!lv_graph_is_const(u->g, u->b[slot->first + is->a], 0) ||
        (is->b >= 0 && !lv_graph_is_const(u->g, u->b[slot->first + is->b], 0)))
        candidate->has_momentum = true;
}

/* Candidates that move a coordinate with L_v != 0 have momentum. */
static void note_momenta(subject *u)
{
    const lv_candidates *all = u->to->candidates;
    for (int k = 0; k < u->kernel->slot_count; k++) {
        const lv_slot *slot = &u->kernel->slots[k];
        if (all->cyclic[slot->group] >= 0)
            note_momentum(u, slot, &all->list[all->cyclic[slot->group]]);
        for (int j = all->together; j < all->count; j++)
            if (all->list[j].is.length == length_of(u, slot))
                note_momentum(u, slot, &all->list[j]);
    }
}

/* The change of a function: phi_q . xi + phi_v . A v */
static void function_form(subject *u, lv_node phi, bool is_energy)
{
    lv_diff_gradient(u->g, u->c, phi, u->q, 2 * u->local); /* b and v too */
    if (lv_graph_status(u->g) != LV_OK)
        return;
    if (is_energy)
        note_momenta(u);
    add_tests(u);
}

static void clear_form(subject *u)
{
    lv_node zero = lv_graph_const(u->g, 0);
    for (int k = 0; k < 2 * u->local; k++)
        u->c[k] = zero;
}

static void row_form(subject *u, lv_node row, const lv_node *variables)
{
    clear_form(u);
    lv_diff_gradient(u->g, u->c, row, variables, u->local);
    if (lv_graph_status(u->g) == LV_OK)
        add_tests(u);
}

static void force_form(subject *u, const lv_node *rows)
{
    clear_form(u);
    for (int r = 0; r < u->kernel->row_count; r++) {
        int target = lv_graph_node(u->g, u->kernel->targets[r])->b;
        u->c[target] = lv_graph_add(u->g, u->c[target], rows[r]);
    }
    if (lv_graph_status(u->g) == LV_OK)
        add_tests(u);
}

static void add_forms(subject *u, const lv_node *rows)
{
    switch (u->kernel->role) {
    case LV_ROLE_KINETIC:
    case LV_ROLE_LAGRANGIAN:
        function_form(u, rows[0], true);
        break;
    case LV_ROLE_POTENTIAL:
        function_form(u, lv_graph_neg(u->g, rows[0]), true);
        break;
    case LV_ROLE_FORCE:
        force_form(u, rows);
        break;
    case LV_ROLE_HOLONOMIC:
        u->alone = true;
        u->rows = rows;
        for (u->row = 0; u->row < u->kernel->row_count; u->row++)
            row_form(u, rows[u->row], u->q);
        u->rows = NULL;
        break;
    case LV_ROLE_NONHOLONOMIC:
        u->alone = true;
        for (int r = 0; r < u->kernel->row_count; r++)
            row_form(u, rows[r], u->v);
        break;
    case LV_ROLE_SYMMETRY:
    case LV_ROLE_OUTPUT:
    case LV_ROLE_HAMILTONIAN:
    case LV_ROLES:
        break;
    }
}

/* ---- kernels ----------------------------------------------------------------------- */

static lv_status prepare(subject *u, lv_error *err)
{
    size_t local = (size_t)u->local;
    lv_node *all = lv_arena_alloc(&u->arena, 4 * local, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    u->q = all;
    u->v = all + local;
    u->c = all + 2 * local;
    u->b = all + 3 * local;
    for (int k = 0; k < u->local; k++) {
        u->q[k] = lv_graph_input(u->g, LV_INPUT_Q, k);
        u->v[k] = lv_graph_input(u->g, LV_INPUT_V, k);
    }
    return lv_graph_check(u->g, err);
}

static lv_status build(subject *u, lv_error *err)
{
    const lv_kernel *kernel = u->kernel;
    size_t count = (size_t)kernel->row_count;
    lv_node_list guards = {0};
    LV_TRY(prepare(u, err));
    lv_node *rows = lv_arena_alloc(&u->arena, count, sizeof *rows);
    if (!rows)
        return lv_fail_memory(err);
    lv_status status =
        lv_kink_open(u->g, rows, kernel->rows, kernel->row_count, &guards, err);
    if (status == LV_OK) {
        u->alone = memcmp(rows, kernel->rows, count * sizeof *rows) != 0;
        add_forms(u, rows);
        u->alone = true;
        for (int k = 0; k < guards.count && lv_graph_status(u->g) == LV_OK; k++)
            function_form(u, guards.data[k], false);
        status = lv_graph_check(u->g, err);
    }
    LV_ARRAY_FREE(guards);
    return status;
}

lv_status lv_defects_init(lv_defects *d, const lv_candidates *candidates,
                          const lv_model *model, const lv_kernel *kernel, lv_error *err)
{
    *d = (lv_defects){.candidates = candidates};
    if (kernel->instance_count == 0 || kernel->role == LV_ROLE_SYMMETRY ||
        kernel->role == LV_ROLE_OUTPUT)
        return LV_OK;
    size_t choices =
        (size_t)(candidates->count - candidates->together) * (size_t)kernel->row_count;
    d->graph = lv_graph_copy(kernel->graph);
    d->failed = lv_memory_zeroed(choices + 1, sizeof *d->failed);
    if (!d->graph || !d->failed)
        return lv_fail_memory(err);
    subject u = {.to = d,
                 .model = model,
                 .kernel = kernel,
                 .g = d->graph,
                 .local = kernel->layout.size[LV_INPUT_Q]};
    lv_status status = build(&u, err);
    lv_arena_done(&u.arena);
    if (status != LV_OK || d->tests.count == 0)
        return status;
    d->has_survey = true;
    return lv_survey_init(&d->survey, model, kernel, d->graph, d->nodes.data,
                          d->nodes.count, err);
}

void lv_defects_done(lv_defects *d)
{
    if (d->has_survey)
        lv_survey_done(&d->survey);
    LV_ARRAY_FREE(d->nodes);
    LV_ARRAY_FREE(d->tests);
    lv_memory_free(d->failed);
    lv_graph_free(d->graph);
}

/* ---- evaluation -------------------------------------------------------------------- */

typedef struct judge {
    const lv_defects *defects;
    double tolerance;
} judge;

/* A test is not passed: has the candidate failed? */
static bool fails(const lv_defects *d, const lv_defect_test *test)
{
    if (test->choice < 0)
        return true;
    d->failed[test->choice] |= (unsigned char)test->way;
    return d->failed[test->choice] == 3;
}

static lv_status visit(void *user, const lv_kernel *kernel, int instance,
                       const double *values, lv_error *err)
{
    const judge *j = user;
    (void)kernel, (void)instance, (void)err;
    for (int k = 0; k < j->defects->tests.count; k++) {
        const lv_defect_test *test = &j->defects->tests.data[k];
        lv_candidate *candidate = &j->defects->candidates->list[test->candidate];
        double d = values[(size_t)k * 2], s = values[(size_t)k * 2 + 1];
        if (fabs(d) <= j->tolerance * s)
            continue;
        if (test->alone)
            candidate->broken = candidate->broken || fails(j->defects, test);
        else {
            candidate->defect += d;
            candidate->size += s;
        }
    }
    return LV_OK;
}

/* Is a candidate left that could be spoilt here? */
static bool is_open(const lv_defects *d)
{
    for (int k = 0; k < d->tests.count; k++)
        if (!d->candidates->list[d->tests.data[k].candidate].broken)
            return true;
    return false;
}

lv_status lv_defects_add(lv_defects *d, const double *q, const double *v, double t,
                         double tolerance, lv_error *err)
{
    judge j = {d, tolerance};
    return is_open(d) ? lv_survey_run(&d->survey, q, v, t, visit, &j, err) : LV_OK;
}
