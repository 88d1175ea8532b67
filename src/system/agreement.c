#include "system/agreement.h"

#include "num/extent.h"
#include "system/consistent.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Constraints at a point, at the level of positions or of velocities. */
typedef struct level {
    const lv_pattern *pattern;
    const double *gradients, *residuals;
    double size; /* largest |q|, or largest |v| */
    double t;
    bool rates;
} level;

static level position_level(lv_system *s, double t, const double *q)
{
    const lv_point point = {.q = q, .v = s->model->start_v, .t = t};
    const double size = lv_extent(q, s->n);
    lv_plan_run(s->position_plan, &point);
    return (level){lv_plan_pattern(s->position_plan, LV_Q_JACOBIAN),
                   lv_plan_result(s->position_plan, LV_Q_JACOBIAN),
                   lv_plan_result(s->position_plan, LV_Q_CONSTRAINT),
                   size > 0 ? size : 1,
                   t,
                   false};
}

static level velocity_level(lv_system *s, double t, const double *q, const double *v)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(s->velocity_plan, &point);
    return (level){lv_plan_pattern(s->velocity_plan, LV_Q_RATE_V),
                   lv_plan_result(s->velocity_plan, LV_Q_RATE_V),
                   lv_plan_result(s->velocity_plan, LV_Q_RATE),
                   lv_extent(v, s->n),
                   t,
                   true};
}

/* ---- residuals --------------------------------------------------------------------- */

/* The largest residual that is accepted: it may be rounding, or may have been accepted at
 * the start (system/consistent.h). */
static double limit(const level *l, int row)
{
    double sum = 0;
    for (int e = l->pattern->start[row]; e < l->pattern->start[row + 1]; e++)
        sum += fabs(l->gradients[e]);
    return LV_RESIDUAL_LIMIT * sum * l->size;
}

/* The row whose residual exceeds its limit most; -1 if none does. */
static int worst_row(const level *l)
{
    int worst = -1;
    double most = 1;
    for (int r = 0; r < l->pattern->rows; r++) {
        if (fabs(l->residuals[r]) <= most * limit(l, r))
            continue;
        most = fabs(l->residuals[r]) / limit(l, r);
        worst = r;
    }
    return worst;
}

/* The largest ratio of a residual and its limit. */
static double largest_share(const level *l)
{
    double largest = 0;
    for (int r = 0; r < l->pattern->rows; r++) {
        const double share =
            l->residuals[r] == 0 ? 0 : fabs(l->residuals[r]) / limit(l, r);
        largest = share <= largest ? largest : share;
    }
    return largest;
}

/* The residual that a dependent constraint would have where the others hold; 0 if that
 * may be rounding. `weights` are those of the dependence. */
static double mismatch(const level *l, const double *weights)
{
    double sum = 0, rounding = 0;
    for (int r = 0; r < l->pattern->rows; r++) {
        sum += weights[r] * l->residuals[r];
        rounding += fabs(weights[r]) * limit(l, r);
    }
    return fabs(sum) > rounding ? sum : 0;
}

/* ---- names ------------------------------------------------------------------------- */

static bool takes_part(const level *l, const double *weights, int row, int dependent)
{
    double push[2] = {0, 0};
    const int rows[2] = {row, dependent};
    for (int k = 0; k < 2; k++) {
        const int first = l->pattern->start[rows[k]];
        push[k] = fabs(weights[rows[k]]) *
                  lv_extent(l->gradients + first, l->pattern->start[rows[k] + 1] - first);
    }
    return push[0] > 1e-6 * push[1];
}

/* "'a', 'b' and 'c'" */
static void list_names(const lv_system *s, const int *rows, int count, int all,
                       char *text, size_t size)
{
    char name[160];
    size_t used = 0;
    for (int k = 0; k < count && used < size; k++) {
        const bool last = k == count - 1 && all == count;
        int length = snprintf(text + used, size - used, "%s'%s'",
                              k == 0 ? ""
                              : last ? " and "
                                     : ", ",
                              lv_system_row_name(s, rows[k], name, sizeof name));
        used += length > 0 ? (size_t)length : 0;
    }
    if (all > count && used < size)
        snprintf(text + used, size - used, " and %d others", all - count);
}

static lv_status refuse(lv_system *s, const level *l, int k, double left, lv_error *err)
{
    enum { SHOWN = 4 };
    const double *weights = lv_dependence_weights(s->dependence, k);
    const int dependent = lv_dependence_row(s->dependence, k);
    int rows[SHOWN] = {dependent}, count = 0, all = 0;
    char names[SHOWN * 180] = "", name[160];
    for (int r = 0; r < l->pattern->rows; r++)
        if (r == dependent || takes_part(l, weights, r, dependent)) {
            if (count < SHOWN)
                rows[count++] = r;
            all++;
        }
    list_names(s, rows, count, all, names, sizeof names);
    lv_status status =
        all > 1
            ? lv_fail(err, LV_ERR_NUMERIC, "constraints %s contradict each other", names)
            : lv_fail(err, LV_ERR_NUMERIC,
                      "constraint %s cannot be satisfied: its gradient vanishes", names);
    lv_error_because(err, LV_WHY_CONTRADICTION);
    lv_system_blame_row(s, dependent, err);
    lv_error_note(err, "at t = %.6g %s '%s' is %.3g, not 0%s", l->t,
                  l->rates ? "the rate of" : "the value of",
                  lv_system_row_name(s, dependent, name, sizeof name), left,
                  all > 1 ? ", where the others hold" : "");
    lv_error_hint(err, all > 1 ? "remove one of them, or make them agree at all times"
                               : "correct its formula");
    return status;
}

/* The tolerance for dependent gradients. If gradients are dependent where the constraints
 * hold, they are so only nearly where residuals are left. */
static double nearly(const level *l)
{
    const double much = 0.1, per_share = 100 * LV_RESIDUAL_LIMIT,
                 share = largest_share(l);
    return share <= 1 ? LV_DEPENDENT : fmin(much, per_share * share);
}

/* Fails if a dependent constraint contradicts those that it depends on. */
static lv_status find_contradiction(lv_system *s, const level *l, lv_error *err)
{
    const int count =
        lv_dependence_look(s->dependence, l->pattern, l->gradients, nearly(l));
    double most = 0;
    int worst = -1;
    for (int k = 0; k < count; k++) {
        double left = mismatch(l, lv_dependence_weights(s->dependence, k));
        if (fabs(left) > fabs(most)) {
            most = left;
            worst = k;
        }
    }
    return worst < 0 ? LV_OK : refuse(s, l, worst, most, err);
}

static lv_status agree(lv_system *s, const level *l, lv_error *err)
{
    char name[160];
    const int row = worst_row(l);
    if (row < 0)
        return LV_OK;
    LV_TRY(find_contradiction(s, l, err));
    lv_status status = lv_fail(err, LV_ERR_NUMERIC,
                               "constraint '%s' could not be satisfied: %s%.3g is left",
                               lv_system_row_name(s, row, name, sizeof name),
                               l->rates ? "a rate of " : "", l->residuals[row]);
    lv_error_because(err, LV_WHY_STALLED);
    lv_system_blame_row(s, row, err);
    return status;
}

/* The velocity that accelerations yield over a distance as large as the coordinates.
 * Velocities near rest are small against it. */
static double speed_of_accelerations(lv_system *s, double t, const double *q,
                                     const double *v)
{
    if (lv_system_accelerations(s, NULL, NULL, t, q, v, NULL) != LV_OK)
        return 0;
    const double speed = sqrt(lv_extent(s->work, s->n) * lv_extent(q, s->n));
    return isfinite(speed) ? speed : 0;
}

/* ---- public functions -------------------------------------------------------------- */

double lv_system_residual_share(const lv_pattern *pattern, const double *gradients,
                                const double *residuals, double size)
{
    const level l = {
        .pattern = pattern, .gradients = gradients, .residuals = residuals, .size = size};
    return largest_share(&l);
}

lv_status lv_system_agree_position(lv_system *s, double t, const double *q, lv_error *err)
{
    if (s->m == 0)
        return LV_OK;
    const level l = position_level(s, t, q);
    return agree(s, &l, err);
}

lv_status lv_system_agree_velocity(lv_system *s, double t, const double *q,
                                   const double *v, lv_error *err)
{
    if (s->constraint_count == 0)
        return LV_OK;
    level l = velocity_level(s, t, q, v);
    if (worst_row(&l) < 0)
        return LV_OK;
    l.size += speed_of_accelerations(s, t, q, v);
    return agree(s, &l, err);
}

lv_status lv_system_contradiction(lv_system *s, double t, const double *q, lv_error *err)
{
    if (s->m == 0)
        return LV_OK;
    const level l = position_level(s, t, q);
    return find_contradiction(s, &l, err);
}

int lv_system_count_dependent(lv_system *s, double t, const double *q, const double *v)
{
    if (s->constraint_count == 0)
        return 0;
    const level l = velocity_level(s, t, q, v);
    return lv_dependence_look(s->dependence, l.pattern, l.gradients, LV_DEPENDENT);
}

/* The largest number of a row of gradients, times its weight. */
static double part_of(const level *l, const double *weights, int row)
{
    const int first = l->pattern->start[row];
    return fabs(weights[row]) *
           lv_extent(l->gradients + first, l->pattern->start[row + 1] - first);
}

/* The constraints whose parts in a combination are above a limit, with those that keep
 * bodies rigid or without. */
static lv_near list_parts(const lv_system *s, const level *l, const double *weights,
                          double limit, bool inner)
{
    lv_near near = {.value = 1};
    for (int r = 0; r < l->pattern->rows; r++) {
        if (!(part_of(l, weights, r) > limit) ||
            (!inner && lv_model_constraint_is_inner(s->model, r)))
            continue;
        if (near.count < LV_NEAR_SHOWN)
            near.rows[near.count] = r;
        near.count++;
    }
    return near;
}

/* A combination of gradients: what is left of it, relative to its largest part, and the
 * constraints that take part. */
static lv_near examine(lv_system *s, const level *l, const double *weights)
{
    const double much = 0.1;
    double *sum = s->work, most = 0;
    memset(sum, 0, (size_t)s->n * sizeof *sum);
    for (int r = 0; r < l->pattern->rows; r++) {
        most = fmax(most, part_of(l, weights, r));
        for (int e = l->pattern->start[r]; e < l->pattern->start[r + 1]; e++)
            sum[l->pattern->column[e]] += weights[r] * l->gradients[e];
    }
    lv_near near = list_parts(s, l, weights, much * most, false);
    if (near.count < 2)
        near = list_parts(s, l, weights, much * most, true);
    near.value = most > 0 ? lv_extent(sum, s->n) / most : 1;
    return near;
}

/* Whether it is worth while to look at gradients: matrices with M tell that at little
 * cost, unless they are too singular. */
static bool may_be_nearly_dependent(lv_system *s, double t, const double *q,
                                    const double *v)
{
    const double close = 10 * LV_NEARLY_DEPENDENT;
    return s->constraint_count > 1 &&
           (lv_system_accelerations(s, NULL, NULL, t, q, v, NULL) != LV_OK ||
            lv_system_nearest(s, t, q, v).value <= close);
}

lv_near lv_system_nearly_dependent(lv_system *s, double t, const double *q,
                                   const double *v)
{
    lv_near nearest = {.value = 1};
    if (!may_be_nearly_dependent(s, t, q, v))
        return nearest;
    /* closer ones count as dependent, unless nothing has been found to be so */
    const double least =
        lv_saddle_redundant(s->saddle) > 0 ? LV_DEPENDENT : 16 * DBL_EPSILON;
    const level l = velocity_level(s, t, q, v);
    const int count =
        lv_dependence_look(s->dependence, l.pattern, l.gradients, LV_NEARLY_DEPENDENT);
    for (int k = 0; k < count; k++) {
        const lv_near near = examine(s, &l, lv_dependence_weights(s->dependence, k));
        if (near.count > 1 && near.value > least && near.value < nearest.value)
            nearest = near;
    }
    return nearest;
}

/* ---- gradients that vanish --------------------------------------------------------- */

/* The squared norm of a gradient, with coordinates in units of their sizes. */
static double steepness(const level *l, const double *size, int row)
{
    double sum = 0;
    for (int e = l->pattern->start[row]; e < l->pattern->start[row + 1]; e++) {
        const double part = l->gradients[e] * size[l->pattern->column[e]];
        sum += part * part;
    }
    return sum;
}

/* The point at which vanishing gradients are sought, and the sizes of coordinates. */
typedef struct place {
    double t;
    const double *q, *size;
} place;

/* A point near q, the same at every call: `part` times some hundredths of the coordinates
 * away. */
static void step_aside(const lv_system *s, const place *at, double part, double *aside)
{
    for (int i = 0; i < s->n; i++)
        aside[i] = at->q[i] +
                   part * 0.02 * (0.1 * at->size[i] + fabs(at->q[i])) * sin(1 + 0.7 * i);
}

/* Applies Newton's method along one gradient, from a point beside q. If the gradient does
 * not vanish, it converges at once, and the gradient stays about the same. Towards a
 * multiple root each step goes half the way or less, and the gradient shrinks
 * likewise. */
static bool is_flat(lv_system *s, const place *at, double part, int row)
{
    enum { STEPS = 30, SOON = 2 };
    const double shrunk = 1e-3, there = 0.02;
    double *x = s->work, first = 0, last = 0, begin = 0;
    step_aside(s, at, part, x);
    for (int k = 0; k < STEPS; k++) {
        const level l = position_level(s, at->t, x);
        const double left = l.residuals[row];
        last = steepness(&l, at->size, row);
        if (k == 0) {
            first = last;
            begin = fabs(left);
        }
        if (!(last > 0) || !isfinite(last) || !isfinite(left))
            break;
        if (k == SOON && fabs(left) <= there * begin)
            return false;
        for (int e = l.pattern->start[row]; e < l.pattern->start[row + 1]; e++) {
            const int i = l.pattern->column[e];
            x[i] -= left / last * l.gradients[e] * at->size[i] * at->size[i];
        }
    }
    return first > 0 && last <= shrunk * shrunk * first;
}

/* A point within a few roundings of q, the same at every call. */
static void step_by_rounding(const lv_system *s, const double *q, double way,
                             double *aside)
{
    for (int i = 0; i < s->n; i++)
        aside[i] = q[i] + 4 * DBL_EPSILON * q[i] * sin(way + 0.7 * i);
}

/* What is certain about a constraint at a point. It is judged by how much rounding of the
 * coordinates changes the constraint: no sizes are needed, so that it holds in any units
 * and far from the origin. */
typedef struct certainty {
    bool sloped; /* some component of the gradient is larger than rounding */
    bool holds;  /* the constraint is satisfied up to rounding */
} certainty;

static certainty certainty_at(lv_system *s, const place *at, int row)
{
    enum { WAYS = 2 };
    const double more = 8; /* in units of rounding */
    double *aside = s->work, *gradients = s->work + 2 * (ptrdiff_t)s->n + s->m;
    double *change = gradients + s->n, spread = 0;
    level l = position_level(s, at->t, at->q);
    const int first = l.pattern->start[row], count = l.pattern->start[row + 1] - first;
    const double residual = l.residuals[row];
    certainty result = {false, false};
    memcpy(gradients, l.gradients + first, (size_t)count * sizeof *gradients);
    memset(change, 0, (size_t)count * sizeof *change);
    for (int e = 0; e < count; e++)
        spread += DBL_EPSILON * fabs(gradients[e] * at->q[l.pattern->column[first + e]]);
    for (int k = 1; k <= WAYS; k++) {
        step_by_rounding(s, at->q, 2 * k, aside);
        l = position_level(s, at->t, aside);
        spread = fmax(spread, fabs(l.residuals[row] - residual));
        for (int e = 0; e < count; e++)
            change[e] = fmax(change[e], fabs(l.gradients[first + e] - gradients[e]));
    }
    for (int e = 0; e < count; e++)
        result.sloped |= fabs(gradients[e]) > more * change[e];
    result.holds = fabs(residual) <= more * spread;
    return result;
}

/* The index of the smallest number that is at most `limit`; -1: there is none. */
static int smallest_below(const double *x, int count, double limit)
{
    int at = -1;
    for (int r = 0; r < count; r++)
        if (x[r] <= limit) {
            limit = x[r];
            at = r;
        }
    return at;
}

/* Rows are suspicious if their gradient at q is much smaller than at a point beside q. A
 * gradient that does not vanish at q, where the constraint holds, is accepted. Otherwise
 * the gradient may be small only because the point beside q is far away, as it is for
 * short rods far from the origin: unless the gradient is mere rounding, the distance is
 * then reduced accordingly. */
int lv_system_flat_constraint(lv_system *s, double t, const double *q)
{
    enum { TRIED = 4 };
    const double suspicious = 0.1; /* ratio to the gradient at the point beside q */
    double *here = s->work + s->n; /* the square of this ratio, by row */
    double *size = here + s->m;
    const place at = {t, q, size};
    if (s->m == 0)
        return -1;
    lv_system_sizes(s, q, size);
    level l = position_level(s, t, q);
    for (int r = 0; r < s->m; r++)
        here[r] = steepness(&l, size, r);
    step_aside(s, &at, 1, s->work);
    l = position_level(s, t, s->work);
    for (int r = 0; r < s->m; r++) {
        const double aside = steepness(&l, size, r);
        here[r] = aside > 0 ? here[r] / aside : HUGE_VAL;
    }
    for (int tried = 0; tried < TRIED; tried++) {
        const int r = smallest_below(here, s->m, suspicious * suspicious);
        if (r < 0)
            break;
        const certainty known = certainty_at(s, &at, r);
        if (!(known.sloped && known.holds) &&
            is_flat(s, &at, known.sloped ? sqrt(here[r]) : 1, r))
            return r;
        here[r] = HUGE_VAL;
    }
    return -1;
}

lv_status lv_system_refuse_flat(const lv_system *s, int row, lv_error *err)
{
    char name[160];
    lv_status status =
        lv_fail(err, LV_ERR_MODEL,
                "the gradient of constraint '%s' vanishes wherever the constraint holds",
                lv_system_row_name(s, row, name, sizeof name));
    lv_error_because(err, LV_WHY_SINGULAR);
    lv_system_blame_row(s, row, err);
    lv_error_note(err, "forces of constraints act along gradients: none can keep it");
    lv_error_hint(err, "write f in place of f^2, and a - b, which has several rows, in "
                       "place of norm2(a - b)");
    return status;
}
