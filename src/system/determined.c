#include "system/determined.h"

#include "base/memory.h"
#include "num/extent.h"
#include "num/sparse.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct lv_determined {
    lv_arena arena;
    int usual;    /* smallest number of redundant constraints seen; -1: not counted yet */
    double *unit; /* n numbers: 1 / sqrt of the masses */
    /* By constraint: the smallest allowed D, from the start of the model */
    double *least;
    double *root;  /* by constraint: sqrt of `least` */
    double *reach; /* by constraint: sums of |G q| at the start */
    double *size;  /* by constraint: D */
    double *scale; /* by constraint: sqrt of D */
    double *u;     /* by constraint: u */
    double *x;     /* n numbers: M^-1 G^T u */
    /* n numbers each: a state that the constraints cannot distinguish from the given
     * one */
    double *q, *v;
    double *rate;  /* by constraint: work space for rates */
    double *other; /* by constraint: multipliers of that state */
    double *part;  /* by constraint: how much it takes part in the nearest dependence */
};

void lv_determined_free(lv_determined *d)
{
    if (!d)
        return;
    lv_arena_done(&d->arena);
    lv_memory_free(d);
}

/* ---- the smallest singular value --------------------------------------------------- */

static const lv_pattern *gradient_pattern(const lv_system *s)
{
    return lv_plan_pattern(s->dynamics_plan, LV_Q_RATE_V);
}

/* Computes the units of coordinates and constraints at the point where the dynamics plan
 * was run last. Coordinates without mass get mass 1. The unit of a constraint is at least
 * about a third of its value at the start, so that a gradient that vanishes as a whole
 * counts as small. */
static void find_units(const lv_system *s)
{
    lv_determined *d = s->determined;
    const lv_pattern *m = lv_plan_pattern(s->dynamics_plan, LV_Q_MASS),
                     *g = gradient_pattern(s);
    const double *mass = lv_plan_result(s->dynamics_plan, LV_Q_MASS);
    const double *gradients = lv_plan_result(s->dynamics_plan, LV_Q_RATE_V);
    for (int i = 0; i < s->n; i++) {
        d->unit[i] = 1;
        for (int e = m->start[i]; e < m->start[i + 1]; e++)
            if (m->column[e] == i && mass[e] > 0)
                d->unit[i] = 1 / sqrt(mass[e]);
    }
    for (int r = 0; r < s->constraint_count; r++) {
        d->size[r] = 0;
        for (int e = g->start[r]; e < g->start[r + 1]; e++) {
            const double part = gradients[e] * d->unit[g->column[e]];
            d->size[r] += part * part;
        }
        d->size[r] = fmax(d->size[r], d->least[r]);
        d->scale[r] = sqrt(d->size[r]);
    }
}

/* The magnitude of the terms of a constraint, which determines its rounding error: the
 * gradient times the coordinates. */
static double row_reach(const lv_pattern *g, const double *gradients, const double *at,
                        int row)
{
    double size = 0;
    for (int e = g->start[row]; e < g->start[row + 1]; e++)
        size += fabs(gradients[e] * at[g->column[e]]);
    return size;
}

static void look_at_start(const lv_system *s)
{
    lv_determined *d = s->determined;
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    const double *gradients = lv_plan_result(s->dynamics_plan, LV_Q_RATE_V);
    lv_plan_run(s->dynamics_plan, &start);
    find_units(s);
    for (int r = 0; r < s->constraint_count; r++) {
        d->least[r] = 0.1 * d->size[r];
        d->root[r] = sqrt(d->least[r]);
    }
    for (int r = 0; r < s->m; r++)
        d->reach[r] = row_reach(gradient_pattern(s), gradients, start.q, r);
}

lv_status lv_determined_create(lv_determined **result, const lv_system *s, lv_error *err)
{
    lv_determined *d = *result = lv_memory_zeroed(1, sizeof *d);
    if (!d)
        return lv_fail_memory(err);
    d->usual = -1;
    double **const arrays[] = {&d->unit, &d->x,     &d->q,     &d->v,     &d->size,
                               &d->u,    &d->rate,  &d->other, &d->scale, &d->least,
                               &d->root, &d->reach, &d->part};
    for (int k = 0; k < (int)(sizeof arrays / sizeof *arrays); k++) {
        const size_t count = (size_t)(k < 4 ? s->n : s->constraint_count) + 1;
        *arrays[k] = lv_arena_alloc(&d->arena, count, sizeof(double));
        if (!*arrays[k]) {
            lv_determined_free(d);
            *result = NULL;
            return lv_fail_memory(err);
        }
    }
    look_at_start(s);
    return LV_OK;
}

void lv_determined_renew(lv_determined *d, const lv_system *s)
{
    d->usual = -1;
    memset(d->least, 0, (size_t)s->constraint_count * sizeof *d->least);
    look_at_start(s);
}

static double weighed_square(const lv_determined *d, const double *u, int count)
{
    double sum = 0;
    for (int r = 0; r < count; r++)
        sum += d->size[r] * u[r] * u[r];
    return sum;
}

static void multiply(double *x, double by, int count)
{
    for (int i = 0; i < count; i++)
        x[i] *= by;
}

/* A pseudorandom sign, the same in every run. */
static double any_sign(int i)
{
    return (uint32_t)i * 2654435769u >> 31 ? 1 : -1;
}

/* Finds the smallest singular value by two inverse iterations with the present factors
 * and returns it; u, with u . D u = 1, and x = M^-1 G^T u belong to it. */
static double find_smallest(const lv_system *s)
{
    lv_determined *d = s->determined;
    const lv_pattern *g = gradient_pattern(s);
    double square = 0;
    for (int r = 0; r < s->constraint_count; r++)
        d->u[r] = any_sign(r) * d->scale[r];
    for (int pass = 0; pass < 2; pass++) {
        memset(d->x, 0, (size_t)s->n * sizeof *d->x);
        lv_saddle_solve(s->saddle, d->x, d->u);
        square = weighed_square(d, d->u, s->constraint_count);
        if (!(square > 0) || !isfinite(square))
            return 1;
        multiply(d->u, 1 / sqrt(square), s->constraint_count);
        multiply(d->x, 1 / sqrt(square), s->n);
        for (int r = 0; r < s->constraint_count && pass == 0; r++)
            d->u[r] *= d->size[r];
    }
    memset(d->rate, 0, (size_t)s->constraint_count * sizeof *d->rate);
    lv_sparse_multiply(g, lv_plan_result(s->dynamics_plan, LV_Q_RATE_V), 1, d->x,
                       d->rate);
    square = 0;
    for (int r = 0; r < s->constraint_count; r++)
        square += d->u[r] * d->rate[r];
    return sqrt(fmax(square, 0));
}

/* Lists the constraints with the largest parts in u, a combination with a small
 * gradient. */
static lv_near name_near(const lv_system *s, double value, const double *u)
{
    const lv_determined *d = s->determined;
    const double much = 0.1;
    lv_near near = {.value = value};
    double most = 0;
    for (int r = 0; r < s->constraint_count; r++)
        most = fmax(most, d->size[r] * u[r] * u[r]);
    for (int r = 0; r < s->constraint_count; r++)
        d->part[r] = most > 0 ? sqrt(d->size[r] * u[r] * u[r] / most) : 0;
    for (int r = 0; r < s->constraint_count; r++)
        if (d->part[r] > much) {
            if (near.count < LV_NEAR_SHOWN)
                near.rows[near.count] = r;
            near.count++;
        }
    return near;
}

/* ---- what is determined ------------------------------------------------------------ */

/* Bound on the error of u . g, or of u . (rates) if `left` is NULL: rounding, and the
 * residuals of the constraints, except residuals so large that they are errors of the
 * scheme. The terms of a constraint do not vanish where its gradient does, hence `reach`
 * of the start. */
static double uncertainty(const lv_system *s, const double *gradients, const double *left,
                          const double *at, int rows)
{
    const lv_determined *d = s->determined;
    const lv_pattern *g = gradient_pattern(s);
    const double most = 1e-10;
    double sum = 0;
    for (int r = 0; r < rows; r++) {
        const double here = row_reach(g, gradients, at, r);
        const double size = left ? fmax(here, d->reach[r]) : here;
        const double residual = left ? fmin(fabs(left[r]), most * size) : 0;
        sum += fabs(d->u[r]) * (DBL_EPSILON * size + residual);
    }
    return sum;
}

/* Moves q and v along x as far as the constraints cannot resolve. The rates of the
 * constraints stay as they were. */
static bool move_aside(lv_system *s, double value, double t, const double *q,
                       const double *v)
{
    lv_determined *d = s->determined;
    const lv_point here = {.q = q, .v = v, .t = t}, aside = {.q = d->q, .v = v, .t = t};
    const double *rate = lv_plan_result(s->velocity_plan, LV_Q_RATE);
    double *x = s->work, *y = s->work + s->n;
    lv_plan_run(s->position_plan, &here);
    lv_plan_run(s->velocity_plan, &here);
    const double *gradients = lv_plan_result(s->velocity_plan, LV_Q_RATE_V);
    const double by = 1 / (value * value); /* x has the norm `value` */
    const double far =
        by * uncertainty(s, gradients, lv_plan_result(s->position_plan, LV_Q_CONSTRAINT),
                         q, s->m);
    const double fast = by * uncertainty(s, gradients, NULL, v, s->constraint_count);
    memcpy(d->rate, rate, (size_t)s->constraint_count * sizeof *d->rate);
    for (int i = 0; i < s->n; i++)
        d->q[i] = q[i] + far * d->x[i];
    if (lv_system_accelerations(s, NULL, NULL, t, d->q, v, NULL) != LV_OK)
        return false;
    lv_plan_run(s->velocity_plan, &aside);
    memset(x, 0, (size_t)s->n * sizeof *x);
    for (int r = 0; r < s->constraint_count; r++)
        y[r] = d->rate[r] - rate[r];
    lv_saddle_solve(s->saddle, x, y);
    for (int i = 0; i < s->n; i++)
        d->v[i] = v[i] + x[i] + fast * d->x[i];
    return lv_system_accelerations(s, NULL, d->other, t, d->q, d->v, NULL) == LV_OK;
}

/* The difference of the multipliers between states that the constraints cannot
 * distinguish, relative to the multipliers. */
static double doubt(lv_system *s, const double *lambda, double value, double t,
                    const double *q, const double *v)
{
    const lv_determined *d = s->determined;
    double most = 0, difference = 0;
    if (!move_aside(s, value, t, q, v))
        return HUGE_VAL;
    for (int r = 0; r < s->constraint_count; r++) {
        const double size = d->scale[r];
        most = fmax(most, size * fmin(fabs(lambda[r]), fabs(d->other[r])));
        difference = fmax(difference, size * fabs(lambda[r] - d->other[r]));
    }
    return difference > 0 ? difference / most : 0;
}

/* Computes multipliers without the contributions of singular values below `limit`. The
 * rows that are left out are found with a tolerance, which is related to singular values
 * only roughly. */
static lv_status find_least(lv_system *s, double *lambda, int *lost, double limit,
                            double t, const double *q, const double *v, lv_error *err)
{
    const lv_determined *d = s->determined;
    double *x = s->work, *y = s->work + s->n;
    double tolerance = limit / 3;
    while ((tolerance *= 3) < 0.3) {
        LV_TRY(lv_system_accelerations(s, NULL, NULL, t, q, v, err));
        const int count =
            lv_saddle_reduce(s->saddle, d->unit, d->scale, d->usual <= 0, tolerance);
        if (count <= d->usual || find_smallest(s) < limit)
            continue;
        lv_system_load(s, x, y);
        lv_saddle_solve(s->saddle, x, y);
        memcpy(lambda, y, (size_t)s->constraint_count * sizeof *lambda);
        *lost = count;
        return LV_OK;
    }
    return LV_OK;
}

lv_status lv_system_multipliers(lv_system *s, double *lambda, int *lost, lv_near *near,
                                double t, const double *q, const double *v, lv_error *err)
{
    const double harmless = 2e-3, allowed = 0.1, singular = 1e-5;
    lv_determined *d = s->determined;
    *lost = 0;
    if (s->constraint_count == 0)
        return LV_OK;
    LV_TRY(lv_system_accelerations(s, NULL, lambda, t, q, v, err));
    const int redundant = lv_saddle_redundant(s->saddle);
    if (d->usual < 0 || redundant < d->usual)
        d->usual = redundant;
    *lost = redundant;
    find_units(s);
    if (redundant > d->usual) {
        *near = name_near(s, 0, lv_dependence_weights(s->dependence, 0));
        LV_TRY(find_least(s, lambda, lost, singular, t, q, v, err));
        *lost -= d->usual;
        return LV_OK;
    }
    const double value = find_smallest(s);
    *near = name_near(s, value, d->u);
    if (value < harmless) {
        const double found = doubt(s, lambda, value, t, q, v);
        if (!(found <= allowed))
            LV_TRY(find_least(s, lambda, lost,
                              fmin(0.1, value * fmax(1, pow(found / allowed, 0.25))), t,
                              q, v, err));
    }
    *lost -= d->usual;
    return LV_OK;
}

/* ---- gradients that vanish --------------------------------------------------------- */

lv_status lv_vanishing_init(lv_vanishing *v, const lv_system *s, const lv_pattern *g,
                            lv_arena *arena, lv_error *err)
{
    *v = (lv_vanishing){.determined = s->determined, .g = g, .rows = g->rows};
    v->witness = lv_arena_alloc(arena, (size_t)g->rows + 1, sizeof *v->witness);
    if (!v->witness)
        return lv_fail_memory(err);
    lv_vanishing_renew(v);
    return LV_OK;
}

void lv_vanishing_renew(lv_vanishing *v)
{
    for (int r = 0; r < v->rows; r++)
        v->witness[r] = (lv_witness){.entry = v->g->start[r], .enough = HUGE_VAL};
}

/* Does the gradient of a row vanish? Its largest entry becomes the witness. A witness
 * must be twice as large as the bound used here, so that rounding cannot make both
 * contradict each other. Gradients that were 0 at the start do not count as vanishing. */
static bool vanishes(lv_vanishing *v, const double *gradients, int row)
{
    /* Positions along a gradient of size s are known up to eps / s, which changes the
     * gradient by as much. */
    const double tiny = 3e-7;
    const lv_determined *d = v->determined;
    const double bound = tiny * d->root[row];
    double most = -1;
    bool small = bound > 0;
    for (int e = v->g->start[row]; e < v->g->start[row + 1]; e++) {
        const double unit = d->unit[v->g->column[e]], size = fabs(gradients[e]) * unit;
        small &= size <= bound;
        if (size > most) {
            most = size;
            v->witness[row] = (lv_witness){bound > 0 ? 2 * bound / unit : -1, e};
        }
    }
    return small;
}

/* Examines all rows as a whole. */
static void examine_rows(lv_vanishing *v, const double *gradients, lv_gone *gone)
{
    gone->count = 0;
    for (int r = 0; r < v->rows; r++) {
        gone->rows[r] = vanishes(v, gradients, r);
        gone->count += gone->rows[r];
    }
}

void lv_vanishing_find(lv_vanishing *v, const double *gradients, lv_gone *gone)
{
    int doubtful = gone->count;
    for (int r = 0; r < v->rows; r++)
        doubtful |= !(fabs(gradients[v->witness[r].entry]) > v->witness[r].enough);
    if (doubtful)
        examine_rows(v, gradients, gone);
}

lv_near lv_system_nearest(lv_system *s, double t, const double *q, const double *v)
{
    lv_near near = {.value = 1};
    if (s->constraint_count == 0 || !s->mass_regular || /* M cannot be inverted */
        lv_system_accelerations(s, NULL, NULL, t, q, v, NULL) != LV_OK)
        return near;
    find_units(s);
    const int redundant = lv_saddle_redundant(s->saddle);
    near = redundant > 0 ? name_near(s, 0, lv_dependence_weights(s->dependence, 0))
                         : name_near(s, find_smallest(s), s->determined->u);
    near.redundant = redundant;
    return near;
}

const double *lv_system_nearest_parts(const lv_system *s)
{
    return s->determined->part;
}

/* "'a', 'b' and 5 others" */
static void list_names(const lv_near *near, const lv_system *s, char *text, size_t size)
{
    const int shown = near->count < LV_NEAR_SHOWN ? near->count : LV_NEAR_SHOWN;
    const int others = near->count - shown;
    size_t used = 0;
    char name[160];
    if (size > 0)
        text[0] = '\0';
    for (int k = 0; k < shown && used < size; k++) {
        const char *before = k == 0 ? "" : k == shown - 1 && others == 0 ? " and " : ", ";
        const int length =
            snprintf(text + used, size - used, "%s'%s'", before,
                     lv_system_row_name(s, near->rows[k], name, sizeof name));
        used += length > 0 ? (size_t)length : 0;
    }
    if (others > 0 && used < size)
        snprintf(text + used, size - used, " and %d other%s", others,
                 others == 1 ? "" : "s");
}

const char *lv_near_says(const lv_near *near, const lv_system *s, char *text, size_t size)
{
    char names[600];
    list_names(near, s, names, sizeof names);
    if (near->count == 1)
        snprintf(text, size, "the gradient of constraint %s nearly vanishes", names);
    else
        snprintf(text, size, "constraints %s are nearly dependent", names);
    return text;
}
