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

/* Largest values of up to three coordinates at a time; the sum of `check` is not finite if
 * something was not. */
typedef struct summary {
    double largest[3], check[3];
} summary;

static double summarise(const summary *s)
{
    return larger(larger(s->largest[0], s->largest[1]), s->largest[2]) +
           (s->check[0] + s->check[1] + s->check[2]);
}

INLINE void place_range(const lv_separable *w, const lv_state *state, double h,
                        lv_stretch range, int width, summary *reach)
{
    const lv_stage *first = &w->stages[0];
    double *end = w->stages[1].q;
    for (int k = range.from, i = k * width; k < range.to; k++) {
        double push[3];
        lv_columns_sum(w->columns, range, k, width, first->weigh, first->y, push);
        for (int j = 0; j < width; j++, i++) {
            const double q = state->q[i];
            const double change = h * state->v[i] + 0.5 * (h * h * first->a[i] + push[j]);
            w->push[i] = push[j];
            end[i] = q + change;
            reach->largest[j] = larger(fabs(q) + fabs(change), reach->largest[j]);
            reach->check[j] += 0 * change;
        }
    }
}

/* Returns the largest |q| + |Q - q|. */
INLINE double place_sized(const lv_separable *w, const lv_state *state, double h,
                          int width)
{
    summary reach = {{0}, {0}};
    for (int part = 0; part < LV_STRETCHES; part++)
        place_range(w, state, h,
                    lv_alike_stretch(w->columns->alike, w->columns->groups, part), width,
                    &reach);
    return summarise(&reach);
}

static double place_free(const lv_separable *w, const lv_state *state, double h)
{
    const double *q = state->q, *v = state->v, *a = w->stages[0].a;
    double *end = w->stages[1].q;
    for (int i = 0; i < w->n; i++) {
        end[i] = q[i] + h * v[i] + 0.5 * (h * h * a[i]);
        w->push[i] = 0;
    }
    return lv_extent(end, w->n);
}

double lv_rattle_place(lv_separable *w, const lv_state *state, double h, bool cautious)
{
    double reach = 0;
    if (w->m == 0)
        return place_free(w, state, h);
    if (cautious)
        memset(w->stages[0].y, 0, (size_t)w->m * sizeof *w->stages[0].y);
    else
        lv_history_expect(&w->history, w->stages[0].y,
                          h * h * lv_history_share(&w->history), false);
    lv_held_hand_over(&w->held, w->stages[0].y);
    SIZED(reach =, place_sized, w, state, h)
    return reach;
}

INLINE void move_range(const lv_separable *w, const double *correction, lv_stretch range,
                       int width, summary *change)
{
    double *q = w->stages[1].q;
    for (int k = range.from, i = k * width; k < range.to; k++) {
        double push[3];
        lv_columns_sum(w->columns, range, k, width, w->stages[0].weigh, correction, push);
        for (int j = 0; j < width; j++, i++) {
            const double half = 0.5 * push[j];
            q[i] -= half;
            w->push[i] -= push[j];
            change->largest[j] = larger(fabs(half), change->largest[j]);
            change->check[j] += 0 * half;
        }
    }
}

/* Takes a correction of the multipliers from Q; returns the largest change. */
INLINE double move_sized(const lv_separable *w, const double *correction, int width)
{
    summary change = {{0}, {0}};
    for (int part = 0; part < LV_STRETCHES; part++)
        move_range(w, correction,
                   lv_alike_stretch(w->columns->alike, w->columns->groups, part), width,
                   &change);
    return summarise(&change);
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
    return change;
}

static bool build_matrix(lv_separable *w)
{
    lv_schur_store(w->schur, lv_linear_storage(w->linear),
                   lv_assembly_slots(w->matrix, 0), 0.5, w->stages[1].jac,
                   w->stages[0].weigh);
    lv_separable_leave_out(w);
    return lv_linear_factor(w->linear);
}

static bool is_misled(const lv_separable *w, const lv_converge *c, double scale)
{
    return lv_separable_doubts(c) &&
           (c->size > LV_SEPARABLE_MISLED ||
            c->size * scale > LV_SEPARABLE_WORTHLESS * 0.5 * lv_extent(w->push, w->n));
}

/* cautious: nothing was expected, so that corrections may be large. */
static lv_verdict iterate(lv_separable *w, double t, double scale, bool cautious,
                          lv_converge *c)
{
    lv_verdict verdict = LV_SLOW; /* a matrix is needed */
    lv_converge_start(c, LV_SEPARABLE_TOLERANCE, LV_SEPARABLE_MOST);
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        lv_separable_constraint(w, &w->stages[1], w->stages[1].q, t);
        if (verdict == LV_SLOW && !build_matrix(w))
            return LV_DIVERGED;
        verdict = lv_separable_test(w, c, correct(w) / scale);
        if (c->count == 1 && c->size < 1e-9)
            verdict = LV_CONVERGED; /* the next change would be the square of it */
        else if (!cautious && is_misled(w, c, scale))
            return LV_DIVERGED;
        else if (c->count > 1 && verdict == LV_GO_ON && c->rate > 0.1)
            verdict = LV_SLOW;
    }
    return verdict;
}

void lv_rattle_retrace(lv_separable *w, const lv_state *state, double h, bool cautious,
                       int passes)
{
    bool regular = true;
    (void)lv_rattle_place(w, state, h, cautious);
    for (int k = 0; k < passes && w->m > 0 && regular; k++) {
        lv_separable_constraint(w, &w->stages[1], w->stages[1].q, state->t + h);
        regular = build_matrix(w);
        if (regular)
            (void)correct(w);
    }
}

/* Finds the multipliers of stage 1 and Q; once more with care where too much was expected. */
static lv_verdict solve(lv_separable *w, const lv_state *state, double h, lv_converge *c)
{
    lv_verdict verdict = LV_DIVERGED;
    bool finite = true;
    for (int care = 0; care < 2 && verdict != LV_CONVERGED; care++) {
        const double reach = lv_rattle_place(w, state, h, care > 0);
        if (w->m == 0)
            return LV_CONVERGED;
        verdict = iterate(w, state->t + h, 0.1 * reach, care > 0, c);
        finite &= isfinite(c->size);
    }
    if (!finite && verdict != LV_CONVERGED)
        c->size = (double)NAN; /* worth a look at where */
    return verdict;
}

/* Returns 0, not finite if one of the velocities is not. */
static double kick(lv_separable *w, const double *v, double h)
{
    const double *first = w->stages[0].a, *last = w->stages[1].a;
    const double half = 0.5 * h, rate = 0.5 / h;
    double check[4] = {0, 0, 0, 0};
    for (int i = 0; i < w->n; i++) {
        w->v[i] = v[i] + (half * (first[i] + last[i]) + rate * w->push[i]);
        check[i % 4] += 0 * w->v[i];
    }
    return (check[0] + check[1]) + (check[2] + check[3]);
}

lv_status lv_rattle_step(lv_separable *w, const lv_state *state, double h,
                         lv_step_report *report, lv_error *err)
{
    lv_converge c = {0};
    if (solve(w, state, h, &c) != LV_CONVERGED)
        return lv_separable_stuck(w, state, h, &c, err);
    report->iterations = c.count;
    lv_separable_arrive(w, state->t + h);
    c.size = kick(w, state->v, h);
    return isfinite(c.size) ? LV_OK : lv_separable_stuck(w, state, h, &c, err);
}
