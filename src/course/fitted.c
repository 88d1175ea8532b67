#include "course/fitted.h"

#include "base/inline.h"
#include "base/wide.h"
#include "course/combine.h"

#include <math.h>

/* The numbers of a column: how many weights it has, then these. */
static double *numbers_of(const lv_predictor *h, int column)
{
    return h->numbers + lv_predictor_size(h->m, column);
}

/* ---- sources ----------------------------------------------------------------------- */

/* Weights are fitted to TARGETS steps, which must have all their sources among the steps
 * that are known, and are tested with the newest one. */
enum { TARGETS = 4, OWN = 4, FARTHEST = LV_PREDICTOR_DEPTH - 1 - TARGETS };

/* A column in substep `substep`, `back` steps before the step that is predicted. */
typedef struct source {
    int substep, column, back;
} source;

static bool is_own(const lv_predictor *h, int column, source s)
{
    return s.substep == h->substep && s.column == column && s.back <= OWN;
}

/* Adds the columns of one kind in one substep, the last stage first. */
static int list_stages(const lv_predictor *h, int column, source at, source *list,
                       int count)
{
    for (int c = h->column_count - 1; c >= 0 && count < LV_FITTED_SOURCES; c--) {
        at.column = c;
        if (h->columns[c].kind == h->columns[column].kind && !is_own(h, column, at))
            list[count++] = at;
    }
    return count;
}

/* Lists the sources of a column: its own last values, then the newest ones of its
 * kind. */
static int list_sources(const lv_predictor *h, int column, source list[LV_FITTED_SOURCES])
{
    int count = 0;
    for (int back = 1; back <= OWN; back++)
        list[count++] = (source){h->substep, column, back};
    for (int back = 0; back <= FARTHEST && count < LV_FITTED_SOURCES; back++)
        for (int j = (back == 0 ? h->substep : h->substeps) - 1; j >= 0; j--)
            count = list_stages(h, column, (source){j, 0, back}, list, count);
    return count;
}

/* The values of a source of a step: of the newest one for ago = 0, of the one before it
 * for ago = 1, of the next one for ago = NEXT. Before the next step is solved, substeps
 * before this one know a step more; after that, those behind it know one less. */
enum { NEXT = -1 };

static const double *values_of(const lv_predictor *h, source s, int ago)
{
    const double *numbers = h->numbers + (s.substep - h->substep) * h->apart;
    const int more = ago == NEXT ? s.substep < h->substep : -(s.substep > h->substep);
    return lv_predictor_values(numbers, h->m, s.back + ago + more) +
           h->columns[s.column].offset;
}

/* Whether all substeps know enough steps of one size. Memory may come from a file. */
static bool are_known(const lv_predictor *h)
{
    for (int j = 0; j < h->substeps; j++) {
        const double *numbers = h->numbers + (j - h->substep) * h->apart;
        if (!lv_predictor_is_sound(numbers, h->m) ||
            numbers[LV_PAST_ALIKE] < LV_PREDICTOR_DEPTH)
            return false;
    }
    return true;
}

/* ---- least squares ----------------------------------------------------------------- */

/* Column k of the equations. */
static double *column_at(const lv_predictor *h, int k)
{
    return h->work + (ptrdiff_t)k * LV_FITTED_EQUATIONS;
}

/* Four sums that do not wait for each other. `count` is a multiple of 4. */
LV_INLINE double dot(const double *restrict x, const double *restrict y, int count)
{
    double sum[4] = {0};
    for (int i = 0; i < count; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += x[i + k] * y[i + k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Makes the columns after column k, up to `last`, orthogonal to it. share[j] becomes the
 * multiple of column k that was in column j. square: column k times itself. */
LV_INLINE void remove_part(const lv_predictor *h, int k, int last, int equations,
                           double square, double *share)
{
    const double *restrict q = column_at(h, k);
    for (int j = k + 1; j <= last; j++) {
        double *restrict x = column_at(h, j);
        share[j] = dot(q, x, equations) / square;
        for (int i = 0; i < equations; i++)
            x[i] -= share[j] * q[i];
    }
}

/* Solves the equations in the sense of least squares. Columns 0 to count - 1 are those of
 * the unknowns y, column `count` is the right side; all are overwritten. An unknown whose
 * column hardly differs from a sum of those before it becomes 0. */
LV_INLINE void solve_least_squares(const lv_predictor *h, int count, int equations,
                                   double *y)
{
    const double negligible = 1e-26;
    double share[LV_FITTED_SOURCES][LV_FITTED_SOURCES] = {{0}};
    double whole[LV_FITTED_SOURCES];
    bool used[LV_FITTED_SOURCES];
    for (int k = 0; k < count; k++)
        whole[k] = dot(column_at(h, k), column_at(h, k), equations);
    for (int k = 0; k < count; k++) {
        const double square = dot(column_at(h, k), column_at(h, k), equations);
        used[k] = square > negligible * whole[k];
        if (used[k])
            remove_part(h, k, count, equations, square, share[k]);
    }
    for (int k = count - 1; k >= 0; k--) {
        y[k] = used[k] ? share[k][count] : 0;
        for (int j = k + 1; j < count && used[k]; j++)
            y[k] -= share[k][j] * y[j];
    }
}

static void solve_plain(const lv_predictor *h, int count, int equations, double *y)
{
    solve_least_squares(h, count, equations, y);
}

LV_WIDE static void solve_wide(const lv_predictor *h, int count, int equations, double *y)
{
    solve_least_squares(h, count, equations, y);
}

/* ---- fitting ----------------------------------------------------------------------- */

/* The rows of a column that are looked at: every so many. */
static int distance_of_rows(const lv_predictor *h, int column)
{
    enum { ROWS = LV_FITTED_EQUATIONS / TARGETS };
    return (h->columns[column].size + ROWS - 1) / ROWS;
}

/* Sets up the equations. Values are differences from the newest own value, so that the
 * sum of all weights is 1. Returns their number, a multiple of 4. */
static int set_equations(const lv_predictor *h, int column, const source *list, int count)
{
    const int every = distance_of_rows(h, column), size = h->columns[column].size;
    const source own = {h->substep, column, 0};
    int n = 0;
    for (int ago = 1; ago <= TARGETS; ago++) {
        const double *base = values_of(h, list[0], ago), *y = values_of(h, own, ago);
        int end = n;
        for (int k = 1; k <= count; k++) {
            const double *x = k < count ? values_of(h, list[k], ago) : y;
            double *to = column_at(h, k - 1);
            end = n;
            for (int r = 0; r < size; r += every)
                to[end++] = x[r] - base[r];
        }
        n = end;
    }
    return n; /* TARGETS is a multiple of 4 */
}

/* The error of a prediction of the newest step: a sum of squares. */
static double error_of(const lv_predictor *h, int column, const double *const *x,
                       const double *weights, int count)
{
    const source own = {h->substep, column, 0};
    const double *y = values_of(h, own, 0);
    const int every = distance_of_rows(h, column);
    double sum = 0;
    for (int r = 0; r < h->columns[column].size; r += every) {
        double left = y[r];
        for (int k = 0; k < count; k++)
            left -= weights[k] * x[k][r];
        sum += left * left;
    }
    return sum;
}

static double error_of_polynomial(const lv_predictor *h, int column)
{
    const int used = (int)h->numbers[LV_PAST_USED];
    double weights[LV_PREDICTOR_DEPTH] = {0};
    const double *x[LV_PREDICTOR_DEPTH];
    lv_predictor_weights(weights, used, (int)h->numbers[LV_PAST_TURNS]);
    for (int k = 0; k < used; k++)
        x[k] = values_of(h, (source){h->substep, column, k + 1}, 0);
    return error_of(h, column, x, weights, used);
}

/* Whether the weights of a column, for the sources in `list`, would have predicted the
 * newest step better than the polynomial: with less than this part of its error. */
static bool is_better(const lv_predictor *h, int column, const source *list, int count,
                      double part)
{
    const double *weights = numbers_of(h, column) + 1;
    const double *x[LV_FITTED_SOURCES];
    for (int k = 0; k < count; k++)
        x[k] = values_of(h, list[k], 0);
    return error_of(h, column, x, weights, count) <
           part * part * error_of_polynomial(h, column);
}

/* Fits the weights of a column. Returns false if they are not clearly better than the
 * polynomial. */
static bool fit(const lv_predictor *h, int column)
{
    enum { LEAST = 6 }; /* rows */
    const double clearly = 0.5;
    double *to = numbers_of(h, column), *weights = to + 1;
    source list[LV_FITTED_SOURCES];
    *to = 0;
    if (h->columns[column].size < LEAST)
        return false;
    const int count = list_sources(h, column, list),
              equations = set_equations(h, column, list, count);
    (lv_is_wide() ? solve_wide : solve_plain)(h, count - 1, equations, weights + 1);
    weights[0] = 1;
    for (int k = 1; k < count; k++)
        weights[0] -= weights[k];
    if (is_better(h, column, list, count, clearly))
        *to = count;
    return *to > 0;
}

/* Whether the weights of a column are still worth using. */
static bool is_still_good(const lv_predictor *h, int column)
{
    double *to = numbers_of(h, column);
    source list[LV_FITTED_SOURCES];
    const int count = list_sources(h, column, list);
    if (*to != count || !is_better(h, column, list, count, 1))
        *to = 0;
    return *to > 0;
}

/* Looks after the weights when a prediction has missed. New ones are fitted now and then,
 * sooner if predictions have become worse; between, weights that are no better than the
 * polynomial any more are given up. */
static void look_after(lv_predictor *h, double miss)
{
    enum { SOON = 8, LATER = 16, SELDOM = 32 };
    double *x = h->numbers;
    const bool worse = !(miss <= 2 * x[LV_PAST_MISS]);
    const int wait = x[LV_PAST_FITTED] == 0 ? LATER : worse ? SOON : SELDOM;
    const bool due = x[LV_PAST_AGE] >= wait,
               doubtful = worse || fmod(x[LV_PAST_AGE], SOON) == 0;
    if (!due && (!doubtful || x[LV_PAST_FITTED] == 0))
        return;
    if (due) {
        x[LV_PAST_AGE] = 0;
        x[LV_PAST_MISS] = miss;
    }
    x[LV_PAST_FITTED] = 0;
    for (int c = 0; c < h->column_count; c++)
        x[LV_PAST_FITTED] += due ? fit(h, c) : is_still_good(h, c);
}

void lv_fitted_renew(lv_predictor *h, bool like, bool missed, double miss)
{
    double *x = h->numbers;
    if (!like)
        x[LV_PAST_FITTED] = x[LV_PAST_AGE] = 0;
    x[LV_PAST_AGE] += 1;
    if (like && missed && x[LV_PAST_USED] > 0 && x[LV_PAST_USED] < LV_PREDICTOR_DEPTH &&
        are_known(h))
        look_after(h, miss);
}

/* ---- prediction -------------------------------------------------------------------- */

void lv_fitted_expect(lv_predictor *h, double *expected)
{
    source list[LV_FITTED_SOURCES];
    lv_summand terms[LV_FITTED_SOURCES];
    if (!are_known(h))
        return;
    for (int c = 0; c < h->column_count; c++) {
        const double *weights = numbers_of(h, c);
        const int count = list_sources(h, c, list);
        if (weights[0] != count)
            continue;
        for (int k = 0; k < count; k++)
            terms[k] =
                (lv_summand){.weight = weights[1 + k], .x = values_of(h, list[k], NEXT)};
        lv_sum_sources(expected + h->columns[c].offset, terms, count, h->columns[c].size);
    }
}
