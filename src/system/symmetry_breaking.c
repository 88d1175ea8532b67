#include "system/symmetry_breaking.h"

#include "expr/diff.h"
#include "expr/identity.h"
#include "expr/kink.h"
#include "model/turns.h"

#include <math.h>
#include <string.h>

/* ---- sums over instances ----------------------------------------------------------- */

enum { EXPONENTS = 8 }; /* range of the exponents of the terms in one sum of a tally */

/* Returns false without memory. */
static bool tally_add(lv_tally *t, lv_change term)
{
    if (lv_wide_is_zero(term.size))
        return true;
    const long long exponent = lv_wide_exponent(term.size);
    const long long size = (exponent - (exponent < 0 ? EXPONENTS - 1 : 0)) / EXPONENTS;
    for (int k = 0; k < t->sums.count; k++)
        if (t->sizes.data[k] == size) {
            lv_change *sum = &t->sums.data[k];
            sum->d = lv_wide_add(sum->d, term.d);
            sum->size = lv_wide_add(sum->size, term.size);
            sum->guess = sum->guess || term.guess;
            sum->blurred = sum->blurred || term.blurred;
            return true;
        }
    return LV_PUSH(t->sizes, size) && LV_PUSH(t->sums, term);
}

lv_change lv_tally_sum(lv_tally *t)
{
    lv_change sum = lv_change_sum(t->sums.data, t->sums.count);
    t->sums.count = t->sizes.count = 0;
    return sum;
}

bool lv_change_is_proof(lv_change x)
{
    return !x.guess && !lv_wide_is_zero(x.size) && !lv_wide_is_below(x.d, 1e-7, x.size);
}

void lv_tally_done(lv_tally *t)
{
    LV_ARRAY_FREE(t->sizes);
    LV_ARRAY_FREE(t->sums);
}

/* ---- candidates that need no test -------------------------------------------------- */

/* A kernel for which tests are being chosen. */
typedef struct subject {
    lv_defects *to;
    const lv_kernel *kernel;
    lv_graph *g; /* a graph that derivatives are added to */
    lv_arena arena;
    int local, count; /* number of coordinates; number of rows and guards */
    const lv_node *f; /* rows and guards */
    lv_node *x, *dx;  /* q and v, and their changes along a candidate */
    lv_node *df;      /* changes of rows and guards; of forces f . xi */
    bool *occurs;     /* does a formula contain this input of x? */
} subject;

static lv_moves moves_of(const lv_defects *d, const lv_symmetry *is, int slot)
{
    return lv_symmetry_moves(is, &d->model->groups.data[d->kernel->slots[slot].group]);
}

static void move_slot(subject *u, const lv_symmetry *is, int first)
{
    for (int level = 0; level < 2; level++) {
        const lv_node *x = u->x + (ptrdiff_t)(level * u->local + first);
        lv_node *dx = u->dx + (ptrdiff_t)(level * u->local + first);
        if (is->b >= 0) {
            dx[is->a] = lv_graph_neg(u->g, x[is->b]);
            dx[is->b] = x[is->a];
        } else if (level == 0) {
            dx[is->a] = lv_graph_const(u->g, 1);
        }
    }
}

static void move_slots(subject *u, const lv_symmetry *is)
{
    lv_node zero = lv_graph_const(u->g, 0);
    for (int k = 0; k < 2 * u->local; k++)
        u->dx[k] = zero;
    for (int k = 0; k < u->kernel->slot_count; k++) {
        const lv_moves how = moves_of(u->to, is, k);
        if (how == LV_MOVES_SHIFT)
            u->dx[u->kernel->slots[k].first] = lv_graph_const(u->g, 1);
        else if (how == LV_MOVES_VECTOR)
            move_slot(u, is, u->kernel->slots[k].first);
    }
}

/* f . xi */
static lv_node work(subject *u)
{
    lv_node sum = lv_graph_const(u->g, 0);
    for (int r = 0; r < u->kernel->row_count; r++) {
        int target = lv_graph_node(u->g, u->kernel->targets[r])->b;
        lv_node term = lv_graph_mul(u->g, u->f[r], u->dx[target]);
        sum = lv_graph_add(u->g, sum, term);
    }
    return sum;
}

static void replace(lv_node *list, int count, lv_node by)
{
    for (int k = 0; k < count; k++)
        list[k] = by;
}

/* Are all changes zero, whatever the inputs are? */
static lv_status are_zero(bool *zero, const subject *u, lv_error *err)
{
    *zero = lv_graph_status(u->g) == LV_OK;
    return *zero ? lv_identity_zero(zero, u->g, u->df, u->count, err) : LV_OK;
}

/* May the rows from `first` on, a multiple of the length, form a vector that turns? */
static bool may_turn(const lv_kernel *k, const lv_symmetry *is, int first)
{
    return k->role == LV_ROLE_HOLONOMIC && is->b >= 0 &&
           first + is->length <= k->row_count;
}

/* G xi - A g of rows that form vectors and change, instead of G xi */
static lv_status turn_rows(subject *u, const lv_symmetry *is, lv_error *err)
{
    for (int first = 0; may_turn(u->kernel, is, first); first += is->length) {
        lv_node *a = &u->df[first + is->a], *b = &u->df[first + is->b];
        bool zero = false;
        LV_TRY(lv_identity_zero(&zero, u->g, u->df + first, is->length, err));
        if (zero)
            continue;
        *a = lv_graph_add(u->g, *a, u->f[first + is->b]);
        *b = lv_graph_sub(u->g, *b, u->f[first + is->a]);
    }
    return LV_OK;
}

/* Does the motion change nothing for certain? */
static lv_status is_certain(bool *certain, subject *u, const lv_symmetry *is,
                            lv_error *err)
{
    const lv_role role = u->kernel->role;
    const int rows = u->kernel->row_count;
    move_slots(u, is);
    lv_diff_forward(u->g, u->df + rows, u->f + rows, u->count - rows, u->x, u->dx,
                    2 * u->local);
    if (role == LV_ROLE_NONHOLONOMIC)
        lv_diff_forward(u->g, u->df, u->f, rows, u->x + u->local, u->dx, u->local);
    else if (role != LV_ROLE_FORCE)
        lv_diff_forward(u->g, u->df, u->f, rows, u->x, u->dx, 2 * u->local);
    else
        replace(u->df, rows, work(u));
    LV_TRY(are_zero(certain, u, err));
    if (*certain || lv_graph_status(u->g) != LV_OK || !may_turn(u->kernel, is, 0))
        return LV_OK;
    LV_TRY(turn_rows(u, is, err));
    return are_zero(certain, u, err);
}

/* Is the coordinate contained in no formula, and does no force act on it? */
static bool is_absent(const subject *u, int local)
{
    const lv_kernel *k = u->kernel;
    for (int r = 0; k->role == LV_ROLE_FORCE && r < k->row_count; r++)
        if (lv_graph_node(u->g, k->targets[r])->b == local)
            return false;
    if (k->role == LV_ROLE_NONHOLONOMIC && u->occurs[u->local + local])
        return false;
    return !u->occurs[local] || (k->role == LV_ROLE_FORCE && u->to->guards == 0);
}

static lv_status add_test(lv_defects *d, int candidate, lv_error *err)
{
    return LV_PUSH(d->tests, candidate) ? LV_OK : lv_fail_memory(err);
}

static lv_status add_tests(subject *u, lv_error *err)
{
    const lv_candidates *all = u->to->candidates;
    for (int k = 0; k < u->kernel->slot_count; k++) {
        const lv_slot *slot = &u->kernel->slots[k];
        if (all->cyclic[slot->group] >= 0 && !is_absent(u, slot->first))
            LV_TRY(add_test(u->to, all->cyclic[slot->group], err));
    }
    for (int k = all->together; k < all->count; k++) {
        bool certain = false;
        LV_TRY(is_certain(&certain, u, &all->list[k].is, err));
        if (!certain)
            LV_TRY(add_test(u->to, k, err));
    }
    return LV_OK;
}

/* ---- momenta ----------------------------------------------------------------------- */

static void note_momentum(const subject *u, const lv_slot *slot, lv_candidate *candidate,
                          lv_moves how)
{
    const lv_symmetry *is = &candidate->is;
    if (how == LV_MOVES_SHIFT) {
        if (!lv_graph_is_const(u->g, u->dx[slot->first], 0))
            candidate->has_momentum = true;
    } else if (!lv_graph_is_const(u->g, u->dx[slot->first + is->a], 0) ||
               (is->b >= 0 && !lv_graph_is_const(u->g, u->dx[slot->first + is->b], 0)))
        candidate->has_momentum = true;
}

/* Candidates that move a coordinate with L_v != 0 have momentum. */
static void note_momenta(subject *u)
{
    const lv_candidates *all = u->to->candidates;
    lv_diff_gradient(u->g, u->dx, u->f[0], u->x + u->local, u->local);
    if (lv_graph_status(u->g) != LV_OK)
        return;
    for (int k = 0; k < u->kernel->slot_count; k++) {
        const lv_slot *slot = &u->kernel->slots[k];
        if (all->cyclic[slot->group] >= 0)
            note_momentum(u, slot, &all->list[all->cyclic[slot->group]], LV_MOVES_SHIFT);
        for (int j = all->together; j < all->count; j++) {
            const lv_moves how = moves_of(u->to, &all->list[j].is, k);
            if (how != LV_MOVES_NOT)
                note_momentum(u, slot, &all->list[j], how);
        }
    }
}

/* ---- creation ---------------------------------------------------------------------- */

static bool is_energy(lv_role role)
{
    return role <= LV_ROLE_LAGRANGIAN;
}

static lv_status find_inputs(subject *u, lv_input kind, lv_error *err)
{
    lv_node_list inputs = {0};
    lv_status status = lv_analyse_inputs(u->g, &inputs, u->f, u->count, kind, err);
    for (int k = 0; status == LV_OK && k < inputs.count; k++)
        u->occurs[(kind == LV_INPUT_V ? u->local : 0) +
                  lv_graph_node(u->g, inputs.data[k])->b] = true;
    LV_ARRAY_FREE(inputs);
    return status;
}

static lv_status prepare(subject *u, lv_error *err)
{
    size_t twice = 2 * (size_t)u->local;
    u->x = lv_arena_alloc(&u->arena, twice, sizeof *u->x);
    u->dx = lv_arena_alloc(&u->arena, twice, sizeof *u->dx);
    u->df = lv_arena_alloc(&u->arena, (size_t)u->count, sizeof *u->df);
    u->occurs = lv_arena_alloc(&u->arena, twice, sizeof *u->occurs);
    if (!u->x || !u->dx || !u->df || !u->occurs)
        return lv_fail_memory(err);
    for (int k = 0; k < u->local; k++) {
        u->x[k] = lv_graph_input(u->g, LV_INPUT_Q, k);
        u->x[u->local + k] = lv_graph_input(u->g, LV_INPUT_V, k);
    }
    LV_TRY(lv_graph_check(u->g, err));
    LV_TRY(find_inputs(u, LV_INPUT_Q, err));
    return find_inputs(u, LV_INPUT_V, err);
}

/* If the graph becomes too large nothing is proven: the candidate is then tested. */
static lv_status choose_tests(subject *u, lv_error *err)
{
    LV_TRY(prepare(u, err));
    if (is_energy(u->kernel->role))
        note_momenta(u);
    LV_TRY(add_tests(u, err));
    return lv_graph_status(u->g) == LV_ERR_LIMIT ? LV_OK : lv_graph_check(u->g, err);
}

static lv_status defects_make_room(lv_defects *d, lv_error *err)
{
    const lv_kernel *k = d->kernel;
    const size_t local = (size_t)k->layout.size[LV_INPUT_Q], rows = (size_t)k->row_count;
    d->failed =
        lv_memory_zeroed((size_t)d->candidates->count * rows + 1, sizeof *d->failed);
    const size_t numbers = (size_t)k->layout.size[LV_INPUT_I];
    d->point = lv_memory_zeroed(
        2 * local + numbers + (size_t)k->layout.size[LV_INPUT_T] + 1, sizeof *d->point);
    d->move = lv_memory_zeroed(2 * local + rows + 2, sizeof *d->move);
    return d->failed && d->point && d->move ? LV_OK : lv_fail_memory(err);
}

/* Formulas with kinks are replaced by their pieces (expr/kink.h), in a copy of the
 * graph. */
static lv_status build(lv_defects *d, lv_graph *g, lv_node_list *f, lv_error *err)
{
    const lv_kernel *k = d->kernel;
    const size_t rows = (size_t)k->row_count;
    lv_node_list guards = {0};
    lv_status status = lv_kink_open(g, f->data, k->rows, k->row_count, &guards, err);
    d->alone = memcmp(f->data, k->rows, rows * sizeof *f->data) != 0;
    d->guards = guards.count;
    for (int j = 0; status == LV_OK && j < guards.count; j++)
        status = LV_PUSH(*f, guards.data[j]) ? LV_OK : lv_fail_memory(err);
    LV_ARRAY_FREE(guards);
    if (status == LV_OK)
        status = lv_lie_create(&d->lie, g, f->data, f->count, err);
    if (status != LV_OK)
        return status;
    subject u = {.to = d, .kernel = k, .g = g, .f = f->data, .count = f->count};
    u.local = k->layout.size[LV_INPUT_Q];
    status = choose_tests(&u, err);
    lv_arena_done(&u.arena);
    return status;
}

static bool is_tested(const lv_kernel *k)
{
    return k->instance_count > 0 && k->role != LV_ROLE_SYMMETRY &&
           !lv_role_is_result(k->role);
}

lv_status lv_defects_init(lv_defects *d, const lv_candidates *candidates,
                          const lv_model *model, const lv_kernel *kernel, lv_error *err)
{
    *d = (lv_defects){.model = model, .kernel = kernel, .candidates = candidates};
    if (!is_tested(kernel))
        return LV_OK;
    LV_TRY(defects_make_room(d, err));
    lv_node_list f = {0};
    lv_graph *g = lv_graph_copy(kernel->graph);
    lv_status status =
        g && LV_RESERVE(f, kernel->row_count) ? LV_OK : lv_fail_memory(err);
    f.count = kernel->row_count;
    if (status == LV_OK)
        status = build(d, g, &f, err);
    LV_ARRAY_FREE(f);
    lv_graph_free(g);
    return status;
}

lv_status lv_defects_init_given(lv_defects *d, const lv_candidates *candidates,
                                const lv_model *model, const lv_kernel *kernel,
                                lv_error *err)
{
    *d = (lv_defects){.model = model, .kernel = kernel, .candidates = candidates};
    if (!is_tested(kernel))
        return LV_OK;
    LV_TRY(defects_make_room(d, err));
    for (int k = 0; k < candidates->count; k++)
        LV_TRY(add_test(d, k, err));
    return lv_lie_create(&d->lie, kernel->graph, kernel->rows, kernel->row_count, err);
}

void lv_defects_done(lv_defects *d)
{
    lv_lie_free(d->lie);
    LV_ARRAY_FREE(d->tests);
    lv_memory_free(d->failed);
    lv_memory_free(d->point);
    lv_memory_free(d->move);
}

void lv_defects_begin(lv_defects *d)
{
    if (d->failed)
        memset(d->failed, 0,
               (size_t)d->candidates->count * (size_t)d->kernel->row_count *
                   sizeof *d->failed);
}

/* ---- one instance ------------------------------------------------------------------ */

static bool place_instance(const lv_defects *d, int instance, const double *q,
                           const double *v, double t)
{
    const lv_kernel *k = d->kernel;
    const int local = k->layout.size[LV_INPUT_Q];
    const int *where = k->where + (size_t)instance * (size_t)k->slot_count;
    double *own = d->point;
    for (int slot = 0; slot < k->slot_count; slot++)
        for (int j = 0; j < k->slots[slot].length; j++) {
            own[k->slots[slot].first + j] = q[where[slot] + j];
            own[local + k->slots[slot].first + j] = v[where[slot] + j];
        }
    double *numbers = own + (ptrdiff_t)(2 * local);
    double *times = numbers + k->layout.size[LV_INPUT_I];
    lv_kernel_numbers(k, numbers, instance);
    lv_model_vary_inputs(d->model, t, times);
    const double *const inputs[LV_INPUT_KINDS] = {
        [LV_INPUT_Q] = own,
        [LV_INPUT_V] = own + local,
        [LV_INPUT_T] = times,
        [LV_INPUT_P] = d->model->parameter_values.data,
        [LV_INPUT_R] = lv_turns_of(d->model, k, instance),
        [LV_INPUT_I] = numbers};
    return lv_lie_place(d->lie, inputs, instance);
}

/* The change of a vector x, or of its velocity, which translations do not change. */
static void move_vector(const lv_symmetry *is, const double *x, lv_change *dx,
                        bool is_velocity)
{
    if (is->b >= 0) {
        dx[is->a] = lv_change_of(-x[is->b]);
        dx[is->b] = lv_change_of(x[is->a]);
    } else if (!is_velocity) {
        dx[is->a] = lv_change_of(1);
    }
}

static void move_as_usual(const lv_defects *d, const lv_symmetry *is)
{
    const int local = d->kernel->layout.size[LV_INPUT_Q];
    memset(d->move, 0, 2 * (size_t)local * sizeof *d->move);
    for (int k = 0; k < d->kernel->slot_count; k++) {
        const lv_slot *slot = &d->kernel->slots[k];
        const lv_moves how = is->group < 0              ? moves_of(d, is, k)
                             : slot->group == is->group ? LV_MOVES_SHIFT
                                                        : LV_MOVES_NOT;
        if (how == LV_MOVES_SHIFT)
            d->move[slot->first] = lv_change_of(1);
        if (how != LV_MOVES_VECTOR)
            continue;
        move_vector(is, d->point + slot->first, d->move + slot->first, false);
        move_vector(is, d->point + local + slot->first, d->move + local + slot->first,
                    true);
    }
}

static void move_as_given(const lv_defects *d, const lv_candidate *c, int instance)
{
    const lv_kernel *k = d->kernel;
    const int local = k->layout.size[LV_INPUT_Q];
    const int *where = k->where + (size_t)instance * (size_t)k->slot_count;
    for (int slot = 0; slot < k->slot_count; slot++)
        for (int j = 0; j < k->slots[slot].length; j++) {
            d->move[k->slots[slot].first + j] = c->dq[where[slot] + j];
            d->move[local + k->slots[slot].first + j] = c->dv[where[slot] + j];
        }
}

static bool is_zero(lv_change x)
{
    return lv_wide_is_zero(x.size);
}

/* Records a change of something that has to be invariant by itself. A given motion counts
 * as broken only if the change is a proof. */
static void spoil(lv_candidate *c, lv_change by)
{
    if (c->dq && !lv_change_is_proof(by))
        return;
    c->broken = true;
    c->worst = by;
}

/* f . xi of the instance */
static lv_change work_of(const lv_defects *d)
{
    const lv_kernel *k = d->kernel;
    lv_change *terms = d->move + (ptrdiff_t)(2 * k->layout.size[LV_INPUT_Q]);
    int count = 0;
    for (int r = 0; r < k->row_count; r++) {
        const lv_change xi = d->move[lv_graph_node(k->graph, k->targets[r])->b];
        const lv_change f = lv_lie_value(d->lie, r);
        if (is_zero(xi) || is_zero(f))
            continue;
        terms[count++] = (lv_change){lv_wide_mul(f.d, xi.d), lv_wide_mul(f.size, xi.size),
                                     f.guess || xi.guess, false};
    }
    return lv_change_sum(terms, count);
}

/* The change of row r without that of a vector that turns: G xi - A g */
static lv_change turned(const lv_defects *d, const lv_symmetry *is, int row, int first)
{
    const int r = row - first;
    lv_change terms[2] = {lv_lie_change(d->lie, row)};
    if (r != is->a && r != is->b)
        return terms[0];
    terms[1] = lv_lie_value(d->lie, first + (r == is->a ? is->b : is->a));
    if (r == is->b)
        terms[1].d = lv_wide_neg(terms[1].d);
    return lv_change_sum(terms, 2);
}

/* Tests the rows of a constraint: each must be invariant, or the vectors that they form
 * must turn. */
static void judge_rows(const lv_defects *d, int candidate)
{
    const lv_kernel *k = d->kernel;
    lv_candidate *c = &d->candidates->list[candidate];
    for (int row = 0; row < k->row_count; row++) {
        const int first = c->dq || c->is.length == 0 ? row : row - row % c->is.length;
        const bool turns = !c->dq && may_turn(k, &c->is, first);
        const lv_change by = lv_lie_change(d->lie, row);
        if (!turns && !is_zero(by))
            spoil(c, by);
        if (!turns)
            continue;
        unsigned char *failed = &d->failed[candidate * k->row_count + first];
        *failed |= !is_zero(by) ? 1 : 0;
        *failed |= !is_zero(turned(d, &c->is, row, first)) ? 2 : 0;
        if (*failed == 3)
            spoil(c, by);
    }
}

static bool is_finite(const lv_defects *d)
{
    bool finite = true;
    for (int k = 0; finite && k < d->kernel->row_count + d->guards; k++)
        finite = lv_wide_is_finite(lv_lie_change(d->lie, k).d);
    return finite;
}

/* Returns false without memory. */
static bool judge_energy(const lv_defects *d, lv_candidate *c)
{
    const lv_role role = d->kernel->role;
    lv_change by = role == LV_ROLE_FORCE ? work_of(d) : lv_lie_change(d->lie, 0);
    if (role == LV_ROLE_POTENTIAL)
        by.d = lv_wide_neg(by.d);
    if (d->alone && !is_zero(by))
        spoil(c, by);
    return d->alone || tally_add(&c->total, by);
}

static lv_status judge(const lv_defects *d, int candidate, int instance, lv_error *err)
{
    const lv_kernel *k = d->kernel;
    const int local = k->layout.size[LV_INPUT_Q];
    lv_candidate *c = &d->candidates->list[candidate];
    const bool is_rolling = k->role == LV_ROLE_NONHOLONOMIC;
    if (c->dq)
        move_as_given(d, c, instance);
    else
        move_as_usual(d, &c->is);
    if (is_rolling && d->guards > 0) { /* guards depend on positions and velocities */
        lv_lie_move(d->lie, d->move, d->move + local, 0);
        for (int j = 0; j < d->guards; j++)
            if (!is_zero(lv_lie_change(d->lie, k->row_count + j)))
                spoil(c, lv_lie_change(d->lie, k->row_count + j));
    }
    lv_lie_move(d->lie, is_rolling ? NULL : d->move,
                is_rolling ? d->move : d->move + local, 0);
    if (!is_finite(d))
        return lv_fail(err, LV_ERR_DOMAIN, "a derivative is not finite");
    for (int j = 0; !is_rolling && j < d->guards; j++)
        if (!is_zero(lv_lie_change(d->lie, k->row_count + j)))
            spoil(c, lv_lie_change(d->lie, k->row_count + j));
    if (k->role == LV_ROLE_HOLONOMIC || is_rolling)
        judge_rows(d, candidate);
    else if (!judge_energy(d, c))
        return lv_fail_memory(err);
    return LV_OK;
}

bool lv_defects_open(const lv_defects *d)
{
    for (int k = 0; k < d->tests.count; k++)
        if (!d->candidates->list[d->tests.data[k]].broken)
            return true;
    return false;
}

lv_status lv_defects_add(lv_defects *d, const double *q, const double *v, double t,
                         lv_error *err)
{
    for (int i = 0; i < d->kernel->instance_count && lv_defects_open(d); i++) {
        if (!place_instance(d, i, q, v, t))
            return lv_fail(err, LV_ERR_DOMAIN, "a formula is not finite");
        for (int k = 0; k < d->tests.count; k++)
            if (!d->candidates->list[d->tests.data[k]].broken)
                LV_TRY(judge(d, d->tests.data[k], i, err));
    }
    return LV_OK;
}
