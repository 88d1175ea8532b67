/* Power iteration y -> A^-1 A' y - shift y. Products with A' are central differences of those with A. Both matrices are
 * symmetric: what the iteration finds, measured by A, increases towards the largest |mu - shift|. Without a shift that is
 * the largest |mu|; with this as the shift its distance to the least mu. */
#include "system/schur_change.h"

#include "base/memory.h"
#include "num/extent.h"
#include "num/sparse.h"

#include <math.h>
#include <string.h>

typedef struct changing {
    lv_system *system;
    const lv_point *at;
    double ahead;             /* the time by which positions are moved for differences */
    double *q, *x;            /* n */
    double *y, *ay, *product; /* rates */
} changing;

/* b += factor A y, A being that of positions moved by `by` times the velocities. */
static void add_product(const changing *c, double by, double factor, double *b)
{
    const lv_system *s = c->system;
    for (int i = 0; i < s->n; i++)
        c->q[i] = c->at->q[i] + by * c->at->v[i];
    lv_plan_run(s->position_plan,
                &(lv_point){.q = c->q, .v = c->at->v, .t = c->at->t + by});
    const lv_pattern *g = lv_plan_pattern(s->position_plan, LV_Q_JACOBIAN);
    const double *values = lv_plan_result(s->position_plan, LV_Q_JACOBIAN);
    memset(c->x, 0, (size_t)s->n * sizeof *c->x);
    lv_sparse_multiply_transposed(g, values, 1, c->y, c->x);
    lv_mass_solve(s->mass, c->x);
    lv_sparse_multiply(g, values, factor, c->x, b);
}

static void set_product(const changing *c, double by, double factor, double *b)
{
    memset(b, 0, (size_t)c->system->constraint_count * sizeof *b);
    add_product(c, by, factor, b);
}

static double product_of(const changing *c, const double *x, const double *y)
{
    double sum = 0;
    for (int r = 0; r < c->system->m; r++)
        sum += x[r] * y[r];
    return sum;
}

static int largest_part(const changing *c)
{
    int row = -1;
    double most = 0;
    for (int r = 0; r < c->system->m; r++)
        if (fabs(c->y[r] * c->ay[r]) > most) {
            most = fabs(c->y[r] * c->ay[r]);
            row = r;
        }
    return row;
}

/* One pass: the estimate of |mu - shift|; below 0: there is none. */
static double pass(const changing *c, double shift)
{
    const int rates = c->system->constraint_count;
    set_product(c, 0, 1, c->ay);
    const double square = product_of(c, c->y, c->ay);
    if (!(square > 0) || !isfinite(square))
        return -1;
    for (int r = 0; r < rates; r++) {
        c->y[r] /= sqrt(square);
        c->ay[r] /= sqrt(square);
    }
    set_product(c, c->ahead, 1 / (2 * c->ahead), c->product);
    add_product(c, -c->ahead, -1 / (2 * c->ahead), c->product);
    for (int r = 0; r < rates; r++)
        c->y[r] = c->product[r] -= shift * c->ay[r];
    memset(c->x, 0, (size_t)c->system->n * sizeof *c->x);
    lv_saddle_solve(c->system->saddle, c->x, c->y);
    return sqrt(fmax(0, product_of(c, c->y, c->product)));
}

static double iterate(const changing *c, double shift)
{
    enum { PASSES = 30 };
    double found = 0;
    for (int r = 0; r < c->system->m; r++) /* without a pattern, the same in every run */
        c->y[r] = sin(1 + 2.4 * r);
    for (int k = 0; k < PASSES && found >= 0; k++)
        found = pass(c, shift);
    return fmax(0, found);
}

static void find_shrinking(changing *c, double *rate, int *row)
{
    const double relative = 1e-5, speed = lv_extent(c->at->v, c->system->n),
                 size = lv_extent(c->at->q, c->system->n);
    c->ahead = speed > 0 && size > 0 ? relative * size / speed : relative;
    const double largest = iterate(c, 0);
    *rate = fmax(0, iterate(c, largest) - largest);
    *row = largest_part(c);
}

lv_status lv_system_schur_shrinking(lv_system *s, const lv_point *at, double *rate,
                                    int *row, lv_error *err)
{
    const size_t n = (size_t)s->n, rates = (size_t)s->constraint_count;
    *rate = 0;
    *row = -1;
    if (s->m == 0 || !s->mass || !s->mass_regular)
        return LV_OK;
    LV_TRY(lv_system_accelerations(s, NULL, NULL, at->t, at->q, at->v, err));
    double *room = lv_memory_zeroed(2 * n + 3 * rates, sizeof *room);
    if (!room)
        return lv_fail_memory(err);
    changing c = {.system = s, .at = at, .q = room, .x = room + n, .y = room + 2 * n};
    c.ay = c.y + rates;
    c.product = c.ay + rates;
    find_shrinking(&c, rate, row);
    lv_memory_free(room);
    return LV_OK;
}
