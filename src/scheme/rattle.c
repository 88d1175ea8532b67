/* Two stages of Lobatto IIIA-IIIB: RATTLE (Andersen 1983), or Stoermer-Verlet without
 * constraints. One unknown per constraint: with push = M^-1 G_1^T y, kept up to date,
 *   Q = q + h v + (h^2 a_1 + push) / 2,   g(Q) = 0
 *   v_1 = v + h (a_1 + a_2) / 2 + push / (2 h), made tangent.
 * The matrix G(Q) M^-1 G_1^T / 2 is built at the expected Q, which is close.
 *
 * Loops do all that is to be done to a coordinate at once: long chains are limited by memory. */
#include "scheme/separable_private.h"

#include "num/extent.h"

#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Calls a loop over groups of coordinates with their width known to the compiler. */
#define SIZED(result, function, w, ...)                                                  \
    switch ((w)->columns->width) {                                                       \
    case 3:                                                                              \
        result function(w, __VA_ARGS__, 3);                                              \
        break;                                                                           \
    case 2:                                                                              \
        result function(w, __VA_ARGS__, 2);                                              \
        break;                                                                           \
    default:                                                                             \
        result function(w, __VA_ARGS__, 1);                                              \
    }

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the largest |q| + |Q - q|. */
INLINE double place_sized(const lv_separable *w, const lv_state *state, double h,
                          int width)
{
    const lv_stage *first = &w->stages[0];
    double reach[3] = {0, 0, 0};
    for (int k = 0, i = 0; k < w->columns->groups; k++) {
        double push[3];
        lv_columns_sum(w->columns, k, width, first->weigh, first->y, push);
        for (int j = 0; j < width; j++, i++) {
            const double q = state->q[i];
            const double change = h * state->v[i] + 0.5 * (h * h * first->a[i] + push[j]);
            w->push[i] = push[j];
            w->stages[1].q[i] = q + change;
            reach[j] = larger(fabs(q) + fabs(change), reach[j]);
        }
    }
    return larger(larger(reach[0], reach[1]), reach[2]);
}

static double place_free(const lv_separable *w, const lv_state *state, double h)
{
    const double *q = state->q, *v = state->v, *a = w->stages[0].a;
    double *end = w->stages[1].q;
    for (int i = 0; i < w->n; i++) {
        end[i] = q[i] + h * v[i] + 0.5 * (h * h * a[i]);
        w->push[i] = 0;
    }
    return 0;
}

double lv_rattle_place(lv_separable *w, const lv_state *state, double h)
{
    double reach = 0;
    if (w->m == 0)
        return place_free(w, state, h);
    lv_history_expect(&w->history, w->stages[0].y, h * h * lv_history_share(&w->history));
    SIZED(reach =, place_sized, w, state, h)
    return reach;
}

/* Takes a correction of the multipliers from Q; returns the largest change. */
INLINE double move_sized(const lv_separable *w, const double *correction, int width)
{
    double *q = w->stages[1].q, largest[3] = {0, 0, 0};
    for (int k = 0, i = 0; k < w->columns->groups; k++) {
        double push[3];
        lv_columns_sum(w->columns, k, width, w->stages[0].weigh, correction, push);
        for (int j = 0; j < width; j++, i++) {
            q[i] -= 0.5 * push[j];
            w->push[i] -= push[j];
            largest[j] = larger(0.5 * fabs(push[j]), largest[j]);
        }
    }
    return larger(larger(largest[0], largest[1]), largest[2]);
}

/* One step of Newton's method; returns the size of the change, not finite if that is not. */
static double correct(lv_separable *w)
{
    double *y = w->stages[0].y, *correction = w->rhs, change = 0;
    memcpy(correction, w->stages[1].g, (size_t)w->m * sizeof *correction);
    lv_linear_solve(w->linear, correction);
    for (int r = 0; r < w->m; r++)
        y[r] -= correction[r];
    SIZED(change =, move_sized, w, correction)
    return change + 0 * lv_extent(correction, w->m);
}

static bool build_matrix(lv_separable *w)
{
    lv_schur_store(w->schur, lv_linear_storage(w->linear), w->slot, 0.5, w->stages[1].jac,
                   w->stages[0].weigh);
    return lv_linear_factor(w->linear);
}

static lv_verdict solve(lv_separable *w, double t, double scale, lv_converge *c)
{
    lv_verdict verdict = LV_SLOW; /* a matrix is needed */
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        lv_separable_constraint(w, &w->stages[1], w->stages[1].q, t);
        if (verdict == LV_SLOW && !build_matrix(w))
            return LV_DIVERGED;
        verdict = lv_converge_test(c, correct(w) / scale);
        if (c->count == 1 && c->size < 1e-9)
            verdict = LV_CONVERGED; /* the next change would be the square of it */
        else if (c->count > 1 && verdict == LV_GO_ON && c->rate > 0.1)
            verdict = LV_SLOW;
    }
    return verdict;
}

static void kick(lv_separable *w, const double *v, double h)
{
    const double *first = w->stages[0].a, *last = w->stages[1].a, half = 0.5 * h,
                 rate = 0.5 / h;
    for (int i = 0; i < w->n; i++)
        w->v[i] = v[i] + (half * (first[i] + last[i]) + rate * w->push[i]);
}

lv_status lv_rattle_step(lv_separable *w, const lv_state *state, double h, bool project,
                         lv_step_report *report, lv_error *err)
{
    lv_converge c = {0};
    const double t = state->t + h;
    lv_converge_start(&c, LV_SEPARABLE_TOLERANCE, LV_SEPARABLE_MOST);
    const double reach = lv_rattle_place(w, state, h);
    if (w->m > 0 && solve(w, t, 0.1 * reach, &c) != LV_CONVERGED)
        return lv_separable_stuck(w, state, h, &c, err);
    report->iterations = c.count;
    lv_separable_arrive(w, t);
    kick(w, state->v, h);
    if (project && w->m > 0) {
        if (!lv_separable_tangency(w, w->rhs, t))
            return lv_separable_dependent(err);
        lv_schur_spread(w->schur, w->v, -1, w->stages[1].weigh, w->rhs);
    }
    return LV_OK;
}
