/* How candidates are tested: per kernel and candidate, a program computes the defect
 *
 *     d = sum_j c_j xi_j + b_j (A v)_j     and     s = sum of the absolute values of its terms
 *
 * with c = L_q, b = L_v for energies; c = f for forces; a row of G or of Phi_v for constraints.
 * An instance with |d| <= tolerance * s is invariant by itself. What remains of energies and
 * forces may cancel between instances and is summed; weak terms thus are never compared with
 * strong ones that are invariant anyway. Formulas with kinks are tested on all their pieces at
 * once (expr/kink.h) and have to be invariant by themselves, as constraints do. */
#include "system/symmetry.h"

#include "expr/diff.h"
#include "expr/kink.h"
#include "system/plan.h"
#include "system/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double tolerance = 1e-11; /* of defects, relative to their terms */

/* Random points; each is drawn again, closer to the start, while something is not finite. */
enum { POINTS = 4, DRAWS = 7 };

typedef struct candidate {
    lv_symmetry is;
    bool broken;
    bool moves_mass; /* its momentum is not always zero */
    double defect,
        size; /* sums at the current point over instances that are not invariant */
} candidate;

typedef struct subject subject;

typedef struct finder {
    const lv_model *model;
    lv_arena *results;
    lv_arena scratch;
    candidate *candidates;
    int count;
    int *cyclic;  /* candidate of a group, or -1 */
    int together; /* from here on candidates move many coordinates */
    int subject_count;
    subject *subjects;
    double *q, *v, t; /* the current point */
} finder;

/* ---- candidates ---------------------------------------------------------------------------- */

static const lv_symmetry of_vectors[] = {
    {"P_x", -1, 2, 0, -1}, {"P_y", -1, 2, 1, -1}, {"L", -1, 2, 0, 1},
    {"P_x", -1, 3, 0, -1}, {"P_y", -1, 3, 1, -1}, {"P_z", -1, 3, 2, -1},
    {"L_x", -1, 3, 1, 2},  {"L_y", -1, 3, 2, 0},  {"L_z", -1, 3, 0, 1}};

enum { OF_VECTORS = sizeof of_vectors / sizeof *of_vectors };

static bool is_alone(const lv_group *group)
{
    return group->length == 0 && !group->is_family;
}

static lv_status list_candidates(finder *f, lv_error *err)
{
    const lv_model *m = f->model;
    size_t groups = (size_t)m->groups.count, n = (size_t)m->coordinate_count;
    bool occurs[4] = {false}; /* vectors of this length */
    f->candidates =
        lv_arena_alloc(&f->scratch, groups + OF_VECTORS, sizeof *f->candidates);
    f->cyclic = lv_arena_alloc(&f->scratch, groups, sizeof *f->cyclic);
    f->q = lv_arena_alloc(&f->scratch, n, sizeof *f->q);
    f->v = lv_arena_alloc(&f->scratch, n, sizeof *f->v);
    if (!f->candidates || !f->cyclic || !f->q || !f->v)
        return lv_fail_memory(err);
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        if (group->length < 4)
            occurs[group->length] = true;
        f->cyclic[k] = is_alone(group) ? f->count : -1;
        if (is_alone(group))
            f->candidates[f->count++].is = (lv_symmetry){NULL, k, 0, 0, -1};
    }
    f->together = f->count;
    for (int k = 0; k < OF_VECTORS; k++)
        if (occurs[of_vectors[k].length])
            f->candidates[f->count++].is = of_vectors[k];
    return LV_OK;
}

/* ---- what is evaluated for a kernel --------------------------------------------------------- */

typedef struct test {
    int candidate;
    bool alone; /* every instance has to be invariant by itself */
} test;

struct subject {
    finder *f;
    const lv_kernel *kernel;
    lv_graph *graph; /* the kernel's, extended */
    lv_sweep sweep;
    bool ready;         /* the sweep is to be done */
    lv_node_list nodes; /* d and s of each test */
    LV_ARRAY(test) tests;
    /* While building: */
    int local;
    lv_node *q, *v; /* inputs; v follows q */
    lv_node *c, *b; /* of the form in hand; b follows c */
    bool alone;
};

/* Adds coefficient * direction to d and its absolute value to s. */
static void add_term(lv_graph *g, lv_node *d, lv_node *s, lv_node coefficient,
                     lv_node direction)
{
    lv_node term = lv_graph_mul(g, coefficient, direction);
    *d = lv_graph_add(g, *d, term);
    lv_node size = lv_graph_op(g, LV_OP_ABS, term, 0, 0);
    *s = lv_graph_add(g, *s, size);
}

/* Entry (target, source) of A, as +1 or -1. */
static void add_entry(subject *u, lv_node *d, lv_node *s, int target, int source,
                      bool minus)
{
    lv_node x = minus ? lv_graph_neg(u->graph, u->q[source]) : u->q[source];
    add_term(u->graph, d, s, u->c[target], x);
    x = minus ? lv_graph_neg(u->graph, u->v[source]) : u->v[source];
    add_term(u->graph, d, s, u->b[target], x);
}

static void add_slot(subject *u, lv_node *d, lv_node *s, const lv_symmetry *is, int first)
{
    lv_node one = lv_graph_const(u->graph, 1);
    if (is->b < 0) {
        add_term(u->graph, d, s, u->c[first + is->a], one);
        return;
    }
    add_entry(u, d, s, first + is->a, first + is->b, true);
    add_entry(u, d, s, first + is->b, first + is->a, false);
}

/* The test of one candidate, which moves slots of its length among these. There is nothing to
 * test where d is zero already. */
static void add_test(subject *u, int number, int first_slot, int slot_count)
{
    const lv_model *m = u->f->model;
    const lv_symmetry *is = &u->f->candidates[number].is;
    lv_node d = lv_graph_const(u->graph, 0), s = d;
    for (int k = first_slot; k < first_slot + slot_count; k++) {
        const lv_slot *slot = &u->kernel->slots[k];
        if (m->groups.data[slot->group].length == is->length)
            add_slot(u, &d, &s, is, slot->first);
    }
    if (lv_graph_status(u->graph) != LV_OK || lv_graph_is_const(u->graph, d, 0))
        return;
    const test t = {number, u->alone};
    if (!LV_PUSH(u->nodes, d) || !LV_PUSH(u->nodes, s) || !LV_PUSH(u->tests, t))
        lv_graph_give_up(u->graph, LV_ERR_MEMORY);
}

/* The form (c, b) against all candidates that move one of the kernel's coordinates. */
static void add_tests(subject *u)
{
    const finder *f = u->f;
    int slots = u->kernel->slot_count;
    for (int k = 0; k < slots; k++)
        if (f->cyclic[u->kernel->slots[k].group] >= 0)
            add_test(u, f->cyclic[u->kernel->slots[k].group], k, 1);
    for (int k = f->together; k < f->count; k++)
        add_test(u, k, 0, slots);
}

/* ---- forms ------------------------------------------------------------------------------------ */

static void clear_form(subject *u)
{
    lv_node zero = lv_graph_const(u->graph, 0);
    for (int k = 0; k < 2 * u->local; k++)
        u->c[k] = zero;
}

static bool has_momentum(const subject *u, const lv_slot *slot, const lv_symmetry *is)
{
    return !lv_graph_is_const(u->graph, u->b[slot->first + is->a], 0) ||
           (is->b >= 0 && !lv_graph_is_const(u->graph, u->b[slot->first + is->b], 0));
}

/* Which candidates have momentum: those that move a coordinate with L_v != 0. */
static void note_mass(subject *u)
{
    finder *f = u->f;
    for (int k = 0; k < u->kernel->slot_count; k++) {
        const lv_slot *slot = &u->kernel->slots[k];
        int length = f->model->groups.data[slot->group].length,
            cyclic = f->cyclic[slot->group];
        if (cyclic >= 0 && has_momentum(u, slot, &f->candidates[cyclic].is))
            f->candidates[cyclic].moves_mass = true;
        for (int j = f->together; j < f->count; j++)
            if (f->candidates[j].is.length == length &&
                has_momentum(u, slot, &f->candidates[j].is))
                f->candidates[j].moves_mass = true;
    }
}

/* phi_q . xi + phi_v . A v: the change of a function */
static void function_form(subject *u, lv_node phi, bool momentum)
{
    lv_diff_gradient(u->graph, u->c, phi, u->q,
                     2 * u->local); /* v follows q, b follows c */
    if (lv_graph_status(u->graph) != LV_OK)
        return;
    if (momentum)
        note_mass(u);
    add_tests(u);
}

static void row_form(subject *u, lv_node row, const lv_node *variables)
{
    clear_form(u);
    lv_diff_gradient(u->graph, u->c, row, variables, u->local);
    if (lv_graph_status(u->graph) == LV_OK)
        add_tests(u);
}

static void force_form(subject *u, const lv_node *rows)
{
    clear_form(u);
    if (lv_graph_status(u->graph) != LV_OK)
        return;
    for (int r = 0; r < u->kernel->row_count; r++) {
        int target = lv_graph_node(u->graph, u->kernel->targets[r])->b;
        u->c[target] = lv_graph_add(u->graph, u->c[target], rows[r]);
    }
    add_tests(u);
}

static void add_forms(subject *u, const lv_node *rows)
{
    int m = u->kernel->row_count;
    switch (u->kernel->role) {
    case LV_ROLE_KINETIC:
    case LV_ROLE_POTENTIAL:
    case LV_ROLE_LAGRANGIAN: {
        bool minus = u->kernel->role == LV_ROLE_POTENTIAL;
        function_form(u, minus ? lv_graph_neg(u->graph, rows[0]) : rows[0], true);
        break;
    }
    case LV_ROLE_FORCE:
        force_form(u, rows);
        break;
    case LV_ROLE_HOLONOMIC:
    case LV_ROLE_NONHOLONOMIC:
        u->alone = true;
        for (int r = 0; r < m; r++)
            row_form(u, rows[r], u->kernel->role == LV_ROLE_HOLONOMIC ? u->q : u->v);
        break;
    case LV_ROLE_SYMMETRY:
    case LV_ROLE_OUTPUT:
    case LV_ROLES:
        break;
    }
}

/* ---- subjects ----------------------------------------------------------------------------------- */

static bool matters(const lv_kernel *kernel)
{
    return kernel->instance_count > 0 && kernel->role != LV_ROLE_SYMMETRY &&
           kernel->role != LV_ROLE_OUTPUT;
}

static lv_status subject_inputs(subject *u, lv_arena *arena, lv_error *err)
{
    size_t local = (size_t)u->local;
    lv_node *all = lv_arena_alloc(arena, 4 * local, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    u->q = all;
    u->v = all + local;
    u->c = all + 2 * local;
    u->b = all + 3 * local;
    for (int k = 0; k < u->local; k++) {
        u->q[k] = lv_graph_input(u->graph, LV_INPUT_Q, k);
        u->v[k] = lv_graph_input(u->graph, LV_INPUT_V, k);
    }
    return lv_graph_check(u->graph, err);
}

static lv_status subject_forms(subject *u, lv_arena *arena, lv_error *err)
{
    const lv_kernel *kernel = u->kernel;
    size_t bytes = (size_t)kernel->row_count * sizeof(lv_node);
    lv_node *rows = lv_arena_alloc(arena, (size_t)kernel->row_count, sizeof *rows);
    lv_node_list guards = {0};
    lv_status status =
        rows ? lv_kink_open(u->graph, rows, kernel->rows, kernel->row_count, &guards, err)
             : lv_fail_memory(err);
    if (status == LV_OK) {
        u->alone = memcmp(rows, kernel->rows, bytes) != 0;
        add_forms(u, rows);
        u->alone = true;
        for (int k = 0; k < guards.count && lv_graph_status(u->graph) == LV_OK; k++)
            function_form(u, guards.data[k], false);
        status = lv_graph_check(u->graph, err);
    }
    LV_ARRAY_FREE(guards);
    return status;
}

static lv_status subject_init(subject *u, finder *f, const lv_kernel *kernel,
                              lv_error *err)
{
    lv_arena arena = {0};
    *u = (subject){.f = f, .kernel = kernel, .local = kernel->layout.size[LV_INPUT_Q]};
    u->graph = lv_graph_copy(kernel->graph);
    lv_status status = u->graph ? subject_inputs(u, &arena, err) : lv_fail_memory(err);
    if (status == LV_OK)
        status = subject_forms(u, &arena, err);
    lv_arena_done(&arena);
    if (status != LV_OK || u->tests.count == 0)
        return status;
    u->ready = true;
    return lv_sweep_init(&u->sweep, f->model, kernel, u->graph, u->nodes.data,
                         u->nodes.count, err);
}

static void subject_done(subject *u)
{
    if (u->ready)
        lv_sweep_done(&u->sweep);
    LV_ARRAY_FREE(u->nodes);
    LV_ARRAY_FREE(u->tests);
    lv_graph_free(u->graph);
}

static lv_status list_subjects(finder *f, lv_error *err)
{
    const lv_model *m = f->model;
    f->subjects =
        lv_arena_alloc(&f->scratch, (size_t)m->kernels.count, sizeof *f->subjects);
    if (!f->subjects)
        return lv_fail_memory(err);
    for (int k = 0; k < m->kernels.count; k++)
        if (matters(&m->kernels.data[k]))
            LV_TRY(subject_init(&f->subjects[f->subject_count++], f, &m->kernels.data[k],
                                err));
    return LV_OK;
}

/* ---- points --------------------------------------------------------------------------------------- */

/* splitmix64 (Steele, Lea, Flood 2014), as a number in [-1, 1) */
static double draw(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

/* x = start + reach * (random), where the reach is that of the whole group or a unit more. */
static void draw_near(const finder *f, double *x, const double *start, double width,
                      double unit, unsigned long long *state)
{
    for (int k = 0; k < f->model->groups.count; k++) {
        const lv_group *group = &f->model->groups.data[k];
        int end = group->first + group->count * lv_group_width(group);
        double largest = 0;
        for (int i = group->first; i < end; i++)
            largest = fmax(largest, fabs(start[i]));
        double reach = largest + unit > 0 ? largest + unit : 1;
        for (int i = group->first; i < end; i++)
            x[i] = start[i] + width * reach * draw(state);
    }
}

/* Every other point stays within the size of the coordinates themselves, however small. */
static void draw_point(finder *f, int point, int attempt)
{
    unsigned long long state = (unsigned long long)(point * DRAWS + attempt + 1) << 32;
    double width = ldexp(0.3, -2 * attempt), unit = point % 2 == 0 ? 1 : 0;
    double until = f->model->run.until > 0 ? f->model->run.until : 1;
    draw_near(f, f->q, f->model->start_q, width, unit, &state);
    draw_near(f, f->v, f->model->start_v, width, unit, &state);
    f->t = until * (draw(&state) + 1) / 2;
}

/* ---- testing ------------------------------------------------------------------------------------------ */

static lv_status visit(void *user, const lv_kernel *kernel, int instance,
                       const double *values, lv_error *err)
{
    const subject *u = user;
    (void)kernel, (void)instance, (void)err;
    for (int k = 0; k < u->tests.count; k++) {
        candidate *c = &u->f->candidates[u->tests.data[k].candidate];
        double d = values[2 * k], s = values[2 * k + 1];
        if (fabs(d) <= tolerance * s)
            continue;
        if (u->tests.data[k].alone)
            c->broken = true;
        c->defect += d;
        c->size += s;
    }
    return LV_OK;
}

static bool is_open(const subject *u)
{
    for (int k = 0; k < u->tests.count; k++)
        if (!u->f->candidates[u->tests.data[k].candidate].broken)
            return true;
    return false;
}

static lv_status test_point(finder *f, lv_error *err)
{
    for (int k = 0; k < f->count; k++)
        f->candidates[k].defect = f->candidates[k].size = 0;
    for (int k = 0; k < f->subject_count; k++) {
        subject *u = &f->subjects[k];
        if (is_open(u))
            LV_TRY(lv_sweep_run(&u->sweep, f->q, f->v, f->t, visit, u, err));
    }
    for (int k = 0; k < f->count; k++)
        if (!(fabs(f->candidates[k].defect) <= tolerance * f->candidates[k].size))
            f->candidates[k].broken = true;
    return LV_OK;
}

/* Where no point has finite values nothing is known, and nothing is claimed. */
static lv_status test_points(finder *f, lv_error *err)
{
    for (int point = 0; point < POINTS; point++) {
        lv_status status = LV_ERR_DOMAIN;
        for (int k = 0; status == LV_ERR_DOMAIN && k < DRAWS; k++) {
            draw_point(f, point, k);
            status = test_point(f, err);
        }
        if (status == LV_ERR_DOMAIN)
            for (int k = 0; k < f->count; k++)
                f->candidates[k].broken = true;
        else if (status != LV_OK)
            return status;
    }
    lv_error_clear(err); /* of points that were not finite */
    return LV_OK;
}

/* ---- declared ones ------------------------------------------------------------------------------------ */

static const lv_kernel *declared(const lv_model *m, int number)
{
    for (int k = 0; k < m->kernels.count; k++)
        if (m->kernels.data[k].role == LV_ROLE_SYMMETRY && number-- == 0)
            return &m->kernels.data[k];
    return NULL;
}

/* Are the numbers at all points in one proportion? */
static bool in_proportion(const double *x, const double *y)
{
    int at = 0;
    double size = 0;
    for (int k = 0; k < POINTS; k++) {
        size = fmax(size, fabs(x[k]));
        at = fabs(y[k]) > fabs(y[at]) ? k : at;
    }
    for (int k = 0; k < POINTS; k++)
        if (!(fabs(x[k] * y[at] - x[at] * y[k]) <= 1e-9 * size * fabs(y[at])))
            return false;
    return size > 0 && y[at] != 0;
}

/* Drops candidates whose momentum is a multiple of a declared one's. */
static lv_status drop_declared(finder *f, int maps, lv_error *err)
{
    lv_plan *plan = NULL;
    size_t points = POINTS;
    double *ours = lv_arena_alloc(&f->scratch, points * (size_t)f->count, sizeof *ours);
    double *theirs = lv_arena_alloc(&f->scratch, points * (size_t)maps, sizeof *theirs);
    if (!ours || !theirs)
        return lv_fail_memory(err);
    LV_TRY(lv_plan_create(&plan, f->model, LV_WANT(MOMENTUM_MAP), err));
    for (int k = 0; k < POINTS; k++) {
        draw_point(f, k, 1);
        const lv_point point = {.q = f->q, .v = f->v, .t = f->t, .w = f->v};
        lv_plan_run(plan, &point);
        for (int j = 0; j < maps; j++)
            theirs[j * POINTS + k] = lv_plan_result(plan, LV_Q_MOMENTUM_MAP)[j];
        for (int j = 0; j < f->count; j++)
            if (!f->candidates[j].broken)
                ours[j * POINTS + k] =
                    lv_symmetry_momentum(&f->candidates[j].is, f->model, f->q, f->v);
    }
    lv_plan_free(plan);
    for (int j = 0; j < f->count; j++)
        for (int i = 0; i < maps && !f->candidates[j].broken; i++)
            f->candidates[j].broken =
                in_proportion(ours + j * POINTS, theirs + i * POINTS);
    return LV_OK;
}

/* ---- results -------------------------------------------------------------------------------------------- */

static bool is_taken(const finder *f, const lv_symmetries *found, const char *name)
{
    const lv_kernel *kernel;
    for (int k = 0; (kernel = declared(f->model, k)) != NULL; k++)
        if (strcmp(kernel->item->name, name) == 0)
            return true;
    for (int k = 0; k < found->count; k++)
        if (strcmp(found->list[k].name, name) == 0)
            return true;
    return false;
}

/* "p_phi", "L_z"; "L_z_2" and so on where that is taken. */
static const char *name_it(finder *f, const lv_symmetries *found, const lv_symmetry *is)
{
    const char *own =
        is->group < 0 ? is->name : f->model->groups.data[is->group].item->name;
    size_t size = strlen(own) + 20;
    char *name = lv_arena_alloc(f->results, size, 1);
    if (!name)
        return NULL;
    snprintf(name, size, "%s%s", is->group < 0 ? "" : "p_", own);
    for (int k = 2; is_taken(f, found, name); k++)
        snprintf(name, size, "%s%s_%d", is->group < 0 ? "" : "p_", own, k);
    return name;
}

static lv_status keep(finder *f, lv_symmetries *found, lv_error *err)
{
    int count = 0;
    for (int k = 0; k < f->count; k++)
        count += !f->candidates[k].broken;
    lv_symmetry *list = lv_arena_alloc(f->results, (size_t)count, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    found->list = list;
    for (int k = 0; k < f->count; k++) {
        if (f->candidates[k].broken)
            continue;
        lv_symmetry is = f->candidates[k].is;
        is.name = name_it(f, found, &is);
        if (!is.name)
            return lv_fail_memory(err);
        list[found->count++] = is;
    }
    return LV_OK;
}

static lv_status find(finder *f, lv_symmetries *found, lv_error *err)
{
    int maps = 0, left = 0;
    LV_TRY(list_candidates(f, err));
    if (f->count == 0)
        return LV_OK;
    LV_TRY(list_subjects(f, err));
    for (int k = 0; k < f->count; k++)
        f->candidates[k].broken = !f->candidates[k].moves_mass;
    LV_TRY(test_points(f, err));
    for (int k = 0; k < f->count; k++)
        left += !f->candidates[k].broken;
    while (declared(f->model, maps))
        maps++;
    if (maps > 0 && left > 0)
        LV_TRY(drop_declared(f, maps, err));
    return keep(f, found, err);
}

lv_status lv_symmetries_find(lv_symmetries *found, lv_arena *arena, const lv_model *model,
                             lv_error *err)
{
    finder f = {.model = model, .results = arena};
    *found = (lv_symmetries){0};
    lv_status status = find(&f, found, err);
    for (int k = 0; k < f.subject_count; k++)
        subject_done(&f.subjects[k]);
    lv_arena_done(&f.scratch);
    if (status != LV_OK)
        *found = (lv_symmetries){0};
    return status;
}

double lv_symmetry_momentum(const lv_symmetry *s, const lv_model *m, const double *q,
                            const double *p)
{
    double sum = 0;
    if (s->group >= 0)
        return p[m->groups.data[s->group].first];
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        int end = group->first + group->count * s->length;
        for (int i = group->first; group->length == s->length && i < end; i += s->length)
            sum += s->b < 0 ? p[i + s->a]
                            : q[i + s->a] * p[i + s->b] - q[i + s->b] * p[i + s->a];
    }
    return sum;
}
