/* Power iteration with J = [0, 1; a_q, a_v]. Products with J are central differences of
 * the accelerations, which include everything that acts: constraints, prescribed motion,
 * gyroscopic terms. Perturbations that violate the constraints are not corrected by the
 * accelerations: they belong to the eigenvalue 0, and two products remove them.
 *
 * The largest eigenvalues are mostly a pair +-i w. So three iterates z0, z1 = J z0, z2 =
 * J z1 are fitted by z2 = alpha z1 + beta z0, and the roots of mu^2 = alpha mu + beta are
 * the pair. */
#include "system/frequency.h"

#include "num/extent.h"
#include "system/consistent.h"

#include <math.h>
#include <string.h>

typedef struct linearised {
    lv_system *system;
    int n;
    double t;
    const double *q, *v;
    double *size_q, *size_v; /* sizes of coordinates and velocities, by group */
    double *at_q, *at_v;     /* where accelerations are evaluated */
    double *ahead;           /* accelerations there */
    double rate;             /* current estimate of the largest rate */
} linearised;

/* The size of a velocity: that of its group, or the size of the coordinate times the
 * rate. */
static double velocity_size(const linearised *l, int i)
{
    return fmax(l->size_v[i], l->rate * l->size_q[i]);
}

/* The largest entry of z, in units of the sizes. */
static double extent(const linearised *l, const double *z)
{
    double most = 0;
    for (int i = 0; i < l->n; i++)
        most = fmax(most, fmax(fabs(z[i]) / l->size_q[i],
                               fabs(z[l->n + i]) / velocity_size(l, i)));
    return most;
}

static lv_status evaluate(linearised *l, double by, const double *z, double *a,
                          lv_error *err)
{
    for (int i = 0; i < l->n; i++) {
        l->at_q[i] = l->q[i] + by * z[i];
        l->at_v[i] = l->v[i] + by * z[l->n + i];
    }
    return lv_system_accelerations(l->system, a, NULL, l->t, l->at_q, l->at_v, err);
}

/* y = J z */
static lv_status apply(linearised *l, const double *z, double *y, lv_error *err)
{
    const double relative = 1e-5, most = extent(l, z);
    const double by = most > 0 ? relative / most : 1;
    double *a = y + l->n;
    LV_TRY(evaluate(l, by, z, l->ahead, err));
    LV_TRY(evaluate(l, -by, z, a, err));
    for (int i = 0; i < l->n; i++) {
        y[i] = z[l->n + i];
        a[i] = (l->ahead[i] - a[i]) / (2 * by);
    }
    return isfinite(lv_extent(y, 2 * l->n))
               ? LV_OK
               : lv_fail(err, LV_ERR_DOMAIN,
                         "accelerations near the start are not finite");
}

/* Scalar product of iterates, with positions in units of their sizes and velocities in
 * units of sizes times the rate. */
static double product(const linearised *l, const double *x, const double *y)
{
    const double rate = l->rate > 0 ? l->rate : 1;
    double sum = 0;
    for (int i = 0; i < l->n; i++) {
        const double unit = 1 / (l->size_q[i] * l->size_q[i]);
        sum += unit * (x[i] * y[i] + x[l->n + i] * y[l->n + i] / (rate * rate));
    }
    return sum;
}

/* The larger |mu| of mu^2 = alpha mu + beta. */
static double larger_root(double alpha, double beta)
{
    const double under = alpha * alpha / 4 + beta;
    return under < 0 ? sqrt(-beta) : fabs(alpha) / 2 + sqrt(under);
}

static double fit(const linearised *l, const double *z0, const double *z1,
                  const double *z2)
{
    const double a = product(l, z1, z1), b = product(l, z1, z0), c = product(l, z0, z0);
    const double f = product(l, z1, z2), g = product(l, z0, z2);
    const double det = a * c - b * b;
    if (!(det > 1e-12 * a * c)) /* the iterates are parallel: a real eigenvalue */
        return c > 0 ? sqrt(a / c) : 0;
    return larger_root((f * c - g * b) / det, (a * g - b * f) / det);
}

/* Starts the iteration with pseudorandom numbers, the same in every run. */
static void frequency_begin(const linearised *l, double *z)
{
    unsigned state = 12345;
    for (int i = 0; i < 2 * l->n; i++) {
        state = state * 1664525u + 1013904223u;
        const double unit = (state >> 8) / 8388608.0 - 1;
        z[i] = unit * l->size_q[i % l->n] * (i < l->n ? 1 : l->rate);
    }
}

/* *square receives a bound on the square of a rate that rounding of the accelerations
 * alone can produce, *guess a first estimate of the rate: both follow from the
 * accelerations and the forces per mass, relative to the sizes of the coordinates. */
static lv_status noise(linearised *l, double *square, double *guess, lv_error *err)
{
    lv_system *s = l->system;
    const lv_pattern *p = lv_plan_pattern(s->dynamics_plan, LV_Q_MASS);
    double most = 0;
    LV_TRY(lv_system_accelerations(s, l->ahead, NULL, l->t, l->q, l->v, err));
    lv_system_load(s, l->at_q, s->work + s->n);
    const double *mass = lv_plan_result(s->dynamics_plan, LV_Q_MASS);
    for (int i = 0; i < l->n; i++) {
        double own = 0;
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (p->column[e] == i)
                own = mass[e];
        const double force = own > 0 ? fabs(l->at_q[i]) / own : 0;
        most = fmax(most, (fabs(l->ahead[i]) + force) / l->size_q[i]);
    }
    *square = 1e-9 * most;
    *guess = sqrt(most);
    return LV_OK;
}

static lv_status iterate(linearised *l, double *z, double *rate, lv_error *err)
{
    enum { PASSES = 40 };
    const double enough = 1e-5;
    const size_t bytes = 2 * (size_t)l->n * sizeof *z;
    const size_t numbers = 2 * (size_t)l->n;
    double *z0 = z, *z1 = z + numbers, *z2 = z1 + numbers;
    double before = 0, square = 0, guess = 0;
    LV_TRY(noise(l, &square, &guess, err));
    l->rate = guess > 0 ? guess : 1;
    frequency_begin(l, z0);
    for (int pass = 0; pass < PASSES; pass++) {
        LV_TRY(apply(l, z0, z1, err));
        LV_TRY(apply(l, z1, z2, err));
        const double found = fit(l, z0, z1, z2), most = extent(l, z2);
        if (pass > 0 && !(found * found > square)) {
            *rate = 0;
            return LV_OK;
        }
        *rate = found;
        if (pass > 1 && fabs(found - before) <= enough * found)
            break;
        before = found;
        if (pass > 0)
            l->rate = found;
        if (!(most > 0))
            break;
        for (int i = 0; i < 2 * l->n; i++)
            z2[i] /= most;
        memcpy(z0, z2, bytes);
    }
    return LV_OK;
}

lv_status lv_system_fastest(lv_system *s, double *rate, double t, const double *q,
                            const double *v, lv_error *err)
{
    const size_t n = (size_t)s->n;
    double *room = lv_memory_zeroed(11 * n + 1, sizeof *room);
    linearised l = {.system = s, .n = s->n, .t = t, .q = q, .v = v};
    *rate = 0;
    if (!room)
        return lv_fail_memory(err);
    l.size_q = room + 6 * n;
    l.size_v = room + 7 * n;
    l.at_q = room + 8 * n;
    l.at_v = room + 9 * n;
    l.ahead = room + 10 * n;
    lv_system_sizes(s, q, l.size_q);
    for (int i = 0; i < s->n; i++)
        l.size_v[i] = fabs(v[i]);
    const lv_status status = s->n > 0 ? iterate(&l, room, rate, err) : LV_OK;
    lv_memory_free(room);
    return status;
}
