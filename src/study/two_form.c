#include "study/two_form.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { CURVES = LV_FORM_CURVES, POINTS = 7 };

double lv_form_direction(int curve, int k)
{
    return sin(1.7 + 2.3 * curve + 1.3 * k + 0.9 * curve * k);
}

/* The larger number; NaN if one of them is. */
static double worst_of(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* The form of two directions, each of which is (dq, dp), 2 n numbers; *size: the sum of
 * its terms in magnitude. */
static double form_of(const double *a, const double *b, int n, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < n; i++) {
        const double one = a[i] * b[n + i], two = b[i] * a[n + i];
        sum += one - two;
        *size += fabs(one) + fabs(two);
    }
    return sum;
}

/* The largest relative change of the form over all pairs of directions. */
static double largest_change(const double *before, const double *after, int n)
{
    const ptrdiff_t length = 2 * (ptrdiff_t)n;
    double worst = 0;
    for (int a = 0; a < CURVES; a++)
        for (int b = 0; b < a; b++) {
            double size = 0, later = 0;
            const double old =
                form_of(before + a * length, before + b * length, n, &size);
            const double new = form_of(after + a * length, after + b * length, n, &later);
            if (fmax(size, later) > 0)
                worst = worst_of(worst, fabs(new - old) / fmax(size, later));
        }
    return worst;
}

/* ---- exact -------------------------------------------------------------------------------------- */

static void apply(const double *matrix, int size, const double *x, double *to)
{
    for (int i = 0; i < size; i++) {
        double sum = 0;
        for (int j = 0; j < size; j++)
            sum += matrix[(ptrdiff_t)i * size + j] * x[j];
        to[i] = sum;
    }
}

/* Maps all directions by the derivative of the next step. */
static lv_status map_directions(lv_sim *sim, double *matrix, const double *from,
                                double *to, lv_error *err)
{
    const int size = 2 * sim->system->n;
    LV_TRY(lv_sim_step(sim, err));
    LV_TRY(lv_sim_tangent(sim, matrix, err));
    for (ptrdiff_t c = 0; c < CURVES; c++)
        apply(matrix, size, from + c * size, to + c * size);
    return LV_OK;
}

/* Makes changes of positions tangent to all constraints, including dependent ones. A step
 * leaves some of the dependent ones out, and their residual, usually rounding, would be
 * multiplied by derivatives of multipliers. Rates of constraints that depend on time are
 * those of no change. `none`: n numbers. */
static lv_status make_tangent(lv_sim *sim, double *directions, double *none,
                              lv_error *err)
{
    lv_system *s = sim->system;
    const lv_state *x = &sim->state;
    if (s->m == 0 || s->has_nonholonomic)
        return LV_OK;
    memset(none, 0, (size_t)s->n * sizeof *none);
    LV_TRY(lv_system_project_velocity(s, none, x->t, x->q, err));
    for (int c = 0; c < CURVES; c++) {
        double *dq = directions + 2 * (ptrdiff_t)c * s->n;
        LV_TRY(lv_system_project_velocity(s, dq, x->t, x->q, err));
        for (int k = 0; k < s->n; k++)
            dq[k] -= none[k];
    }
    return LV_OK;
}

/* Whether nothing can move, because constraints prescribe the motion. */
static bool is_prescribed(const double *directions, int n)
{
    double largest = 0;
    for (int c = 0; c < CURVES; c++)
        for (int k = 0; k < n; k++)
            largest = worst_of(largest, fabs(directions[2 * (ptrdiff_t)c * n + k]));
    return largest < 1e-9;
}

lv_status lv_two_form_exact(lv_sim *sim, double *defect, lv_error *err)
{
    const int n = sim->system->n;
    const size_t size = 2 * (size_t)n;
    double *matrix = lv_memory_zeroed(size * (size + (size_t)3 * CURVES), sizeof *matrix);
    if (!matrix)
        return lv_fail_memory(err);
    double *any = matrix + size * size, *before = any + CURVES * size,
           *after = before + CURVES * size;
    for (int c = 0; c < CURVES; c++)
        for (int k = 0; k < 2 * n; k++)
            any[(size_t)c * size + (size_t)k] =
                lv_form_direction(k < n ? c : c + CURVES, k < n ? k : k - n);
    lv_status status = map_directions(sim, matrix, any, before, err);
    if (status == LV_OK)
        status = make_tangent(sim, before, after, err);
    if (status == LV_OK)
        status = map_directions(sim, matrix, before, after, err);
    if (status == LV_OK)
        *defect =
            is_prescribed(before, n) ? (double)NAN : largest_change(before, after, n);
    lv_memory_free(matrix);
    return status;
}

/* ---- by differences ------------------------------------------------------------------------------ */

lv_status lv_form_point_projected(lv_sim *sim, const lv_form_start *start, double e,
                                  int curve, double *room, lv_error *err)
{
    const int n = sim->system->n;
    double *q = room, *v = room + n;
    for (int k = 0; k < n; k++) {
        q[k] = start->q[k] + e * lv_form_direction(curve, k);
        v[k] = start->v[k] + e * lv_form_direction(curve + CURVES, k);
    }
    LV_TRY(lv_system_project_position(sim->system, q, start->t, err));
    LV_TRY(lv_system_project_velocity(sim->system, v, start->t, q, err));
    return lv_sim_set_state(sim, start->t, q, v, err);
}

/* Weights of the derivative at the middle of seven points, times the spread. */
static const double weights[POINTS] = {-1.0 / 60, 9.0 / 60,  -45.0 / 60, 0,
                                       45.0 / 60, -9.0 / 60, 1.0 / 60};

static void add_state(double *direction, const lv_sim *sim, double weight)
{
    const int n = sim->system->n;
    for (int k = 0; k < n; k++) {
        direction[k] += weight * sim->state.q[k];
        direction[n + k] += weight * sim->state.p[k];
    }
}

static lv_status follow_curves(lv_sim *sim, const lv_form_start *start, double spread,
                               lv_form_point make, double *before, double *after,
                               double *room, lv_error *err)
{
    const ptrdiff_t length = 2 * (ptrdiff_t)sim->system->n;
    for (int c = 0; c < CURVES; c++)
        for (int i = 0; i < POINTS; i++) {
            if (weights[i] == 0)
                continue;
            const int aside = i - POINTS / 2;
            LV_TRY(make(sim, start, aside * spread, c, room, err));
            add_state(before + c * length, sim, weights[i]);
            LV_TRY(lv_sim_step(sim, err));
            add_state(after + c * length, sim, weights[i]);
        }
    return LV_OK;
}

lv_status lv_two_form_differences(lv_sim *sim, double *defect, double spread,
                                  lv_form_point make, lv_error *err)
{
    const size_t n = (size_t)sim->system->n;
    double *all = lv_memory_zeroed((5 + 4 * CURVES) * n + 1, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    double *before = all + 5 * n, *after = before + (size_t)2 * CURVES * n;
    memcpy(all, sim->state.q, n * sizeof *all);
    memcpy(all + n, sim->state.v, n * sizeof *all);
    memcpy(all + 2 * n, sim->state.p, n * sizeof *all);
    const lv_form_start start = {sim->state.t, all, all + n, all + 2 * n};
    lv_status status =
        follow_curves(sim, &start, spread, make, before, after, all + 3 * n, err);
    if (status == LV_OK)
        *defect = largest_change(before, after, sim->system->n);
    lv_memory_free(all);
    return status;
}
